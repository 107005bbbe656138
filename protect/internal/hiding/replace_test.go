package hiding

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"pgregory.net/rapid"
)

// TestReplace: deleted values become others of their class, as often as these were, and none that brings a pattern back.
func TestReplace(t *testing.T) {
	class := table.CatColumn("ill", []string{"no", "yes"}, []int32{1, 1, 1, 1, 1, 0, 0, 0})
	class.Role = table.Class
	tab := tabletest.Of(t, table.CatColumn("job", []string{"cook", "nurse", "smith"}, []int32{1, 1, 1, 0, 0, 2, 2, 1}), class, table.CatColumn("sex", []string{"f", "m"}, []int32{0, 0, 0, 0, 1, 1, 0, 1}))
	// Three nurses are women; of one the sex is deleted, of another the job, and of the ill man and cook are the only others.
	s := Settings{Sensitive: "job=nurse,sex=f", Intervals: 2, Support: 2, Deleted: Value}
	p, err := s.Fit(t.Context(), tab, Largest)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(tab, rng.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if got, sex := out.Cat(0), out.Cat(2); !slices.Equal(got, []int32{1, 0, 1, 0, 0, 2, 2, 1}) || !slices.Equal(sex, []int32{1, 0, 0, 0, 1, 1, 0, 1}) || p.Trial.Replaced != 2 || p.Trial.Left != 0 {
		t.Errorf("jobs %v, sexes %v, %+v", got, sex, p.Trial)
	}
	if notes := strings.Join(p.Notes(), "\n"); !strings.Contains(notes, "values that were deleted and became others of the same class: 2") {
		t.Error(notes)
	}
	// Where being a cook is as sensitive no other value is left, and the job is missing.
	s.Sensitive += ";job=cook,sex=f"
	s.Support = 1
	if p, err = s.Fit(t.Context(), tab, Largest); err != nil {
		t.Fatal(err)
	}
	if out, err = p.Apply(tab, rng.Source{}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if !out.MissingAt(i, 0) && !out.MissingAt(i, 2) && out.Cat(2)[i] == 0 && out.Cat(0)[i] < 2 {
			t.Errorf("row %d: a woman who is %d", i, out.Cat(0)[i])
		}
	}
}

// TestDeal: values come in turn as often as their weights say, and what cannot be taken loses no turn.
func TestDeal(t *testing.T) {
	a := &deal{items: []int32{7, 8, 9}, weight: []int64{4, 2, 1}, given: make([]int64, 3)}
	var got []int32
	for k := range 8 {
		if !a.next(func(item int32) bool {
			if k == 0 && item == 7 {
				return false
			}
			got = append(got, item)
			return true
		}) {
			t.Fatal("nothing is taken")
		}
	}
	if want := []int32{8, 7, 7, 7, 7, 8, 9, 7}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if a.next(func(int32) bool { return false }) {
		t.Error("what nobody takes is given")
	}
}

// TestReplaceKeeps: whatever is deleted and replaced, no pattern is visible that would be hidden without, and only cells change that would be missing, to values of their class.
func TestReplaceKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 25).Draw(t, "n")
		codes := func(name string, k int) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(-1, int32(k-1)), n, n).Draw(t, name)
		}
		class := table.CatColumn("c", []string{"0", "1"}, codes("class", 2))
		class.Role = table.Class
		tab := tabletest.Of(t, table.CatColumn("a", []string{"0", "1", "2"}, codes("a", 3)), table.CatColumn("b", []string{"0", "1", "2"}, codes("b", 3)), class)
		s := Settings{Sensitive: "a=0,b=0;a=1,b=1;a=1,b=2", Intervals: 2, Support: float64(rapid.IntRange(1, 4).Draw(t, "support"))}
		how := rapid.SampledFrom([]Algorithm{Largest, InTurn, MaxMin, Naive}).Draw(t, "how")
		fit := func() (*Plan, *table.Table) {
			p, err := s.Fit(t.Context(), tab, how)
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Apply(tab, rng.Source{})
			if err != nil {
				t.Fatal(err)
			}
			return p, out
		}
		plain, missing := fit()
		s.Deleted = Value
		p, out := fit()
		if p.Trial.Left > plain.Trial.Left {
			t.Fatalf("%d patterns are visible, %d where deleted values are missing", p.Trial.Left, plain.Trial.Left)
		}
		for j := range tab.Width() {
			for i := range n {
				was, gone, now := tab.Cat(j)[i], missing.Cat(j)[i], out.Cat(j)[i]
				if gone == was && now != was {
					t.Fatalf("column %d, row %d: %d became %d and was not deleted", j, i, was, now)
				}
				if gone != was && now >= 0 {
					like := false
					for k := range n {
						like = like || tab.Cat(j)[k] == now && tab.Cat(2)[k] == tab.Cat(2)[i]
					}
					if now == was || !like {
						t.Fatalf("column %d, row %d: %d became %d, which nobody of the class has", j, i, was, now)
					}
				}
			}
		}
	})
}
