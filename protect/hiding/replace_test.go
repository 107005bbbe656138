package hiding

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestReplace: deleted values become others of their class, as often as these were, and none that brings a pattern
// back.
func TestReplace(t *testing.T) {
	class := table.CatColumn("ill", []string{"no", "yes"}, []int32{1, 1, 1, 1, 1, 0, 0, 0})
	class.Role = table.Class
	tab := tabletest.Of(t, table.CatColumn("job", []string{"cook", "nurse", "smith"}, []int32{1, 1, 1, 0, 0, 2, 2, 1}),
		class, table.CatColumn("sex", []string{"f", "m"}, []int32{0, 0, 0, 0, 1, 1, 0, 1}))
	// Three nurses are women; of one the sex is deleted, of another the job, and of the ill man and cook are the only
	// others.
	s := Settings{Sensitive: "job=nurse,sex=f", Intervals: 2, Support: 2, Deleted: Value}
	p := must.Get(fit(t.Context(), s, tab, largest))(t)
	out, err := p.Apply(tab, rng.Source{})
	must.NoError(t, err)
	if got, sex := out.Cat(0), out.Cat(2); !slices.Equal(got, []int32{1, 0, 1, 0, 0, 2, 2, 1}) ||
		!slices.Equal(sex, []int32{1, 0, 0, 0, 1, 1, 0, 1}) ||
		p.Trial.Replaced != 2 ||
		p.Trial.Left != 0 {
		t.Errorf("jobs %v, sexes %v, %+v", got, sex, p.Trial)
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "values that were deleted and "+
		"became others of the same class: 2") {
		t.Error(notes)
	}
	// Where being a cook is as sensitive no other value is left, and the job is missing.
	s.Sensitive += ";job=cook,sex=f"
	s.Support = 1
	if p, err = fit(t.Context(), s, tab, largest); err != nil {
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

// TestPut: items are counted as they come, so that several together bring no pattern back that one alone would not.
func TestPut(t *testing.T) {
	rows := &itemset.Transactions{Items: []int32{0, 0, 0, 0}, Start: []int{0, 1, 2, 3, 4, 4, 4}, Labels: 2}
	set := []basket.Pattern{{If: []int32{0, 1}}}
	limits, err := rulehiding.NewLimits(3, 0.5, 0, 6)
	must.NoError(t, err)
	w := (&Plan{how: largest, Settings: Settings{Support: 3}}).weigh(rulehiding.NewData(rows), set, limits)
	for i, want := range []bool{true, true, false, false} {
		if got := w.put(i, 1); got != want {
			t.Errorf("record %d gets the item: %v", i, got)
		}
	}
	// The rule 1 => 0 is hidden by its confidence once the item is in enough records without the other.
	rule := []basket.Pattern{{If: []int32{1}, Then: []int32{0}}}
	if limits, err = rulehiding.NewLimits(1, 0.5, 0, 6); err != nil {
		t.Fatal(err)
	}
	w = (&Plan{how: lowerEnd, Settings: Settings{Support: 1, Confidence: 0.5}}).weigh(rulehiding.NewData(rows), rule,
		limits)
	for _, x := range []struct {
		row  int
		want bool
	}{{0, false}, {4, true}, {5, true}, {0, true}, {1, false}} {
		if got := w.put(x.row, 1); got != x.want {
			t.Errorf("record %d gets the beginning: %v", x.row, got)
		}
	}
	// An item of the end leaves the records with the beginning as many as they are.
	end := []basket.Pattern{{If: []int32{0}, Then: []int32{1}}}
	w = (&Plan{how: lowerEnd, Settings: Settings{Support: 1, Confidence: 0.5}}).weigh(rulehiding.NewData(rows), end,
		limits)
	for i, want := range []bool{true, false, false, false} {
		if got := w.put(i, 1); got != want {
			t.Errorf("record %d gets the end: %v", i, got)
		}
	}
}

// TestReplaceClass: where the class itself loses a value, another class takes its place.
func TestReplaceClass(t *testing.T) {
	class := table.CatColumn("ill", []string{"no", "yes"}, []int32{1, 1, 1, 0, 0})
	class.Role = table.Class
	tab := tabletest.Of(t, table.CatColumn("job", []string{"cook", "nurse"}, []int32{1, 1, 0, 1, 0}), class)
	s := Settings{Sensitive: "job=nurse=>ill=yes", Intervals: 2, Support: 2, Confidence: 0.5, Deleted: Value}
	p := must.Get(fit(t.Context(), s, tab, lowerEnd))(t)
	if got := p.release.Cat(1); !slices.Equal(got, []int32{0, 1, 1, 0, 0}) {
		t.Errorf("classes %v, %+v", got, p.Trial)
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

// TestReplaceKeeps: whatever is deleted and replaced, no pattern is stronger that would be hidden without, or that a
// disclosure threshold was used up for, and only cells change that would be missing, to values of their class. The
// notes count those cells.
func TestReplaceKeeps(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 25).Draw(t, "n")
		codes := func(name string, k int) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(-1, int32(k-1)), n, n).Draw(t, name)
		}
		class := table.CatColumn("c", []string{"0", "1"}, codes("class", 2))
		class.Role = table.Class
		tab := tabletest.Of(t, table.CatColumn("a", []string{"0", "1", "2"}, codes("a", 3)),
			table.CatColumn("b", []string{"0", "1", "2"}, codes("b", 3)), class)
		how := rapid.SampledFrom([]*heuristic{largest, inTurn, maxMin, naive, minFIA, swa, lowerRule}).Draw(t, "how")
		s := Settings{Sensitive: "a=0,b=0;a=1,b=1;a=1,b=2", Intervals: 2, Window: 10, Order: Descending}
		last := ";b=0,c=1"
		if how == lowerRule {
			s.Sensitive, last = "a=0=>b=0;b=1=>a=1;a=1=>b=2", ";b=0=>c=1"
			s.Confidence = 0.5
		}
		losing := rapid.Bool().Draw(t, "the class loses values")
		if losing {
			s.Sensitive += last
		}
		if slices.Contains([]*heuristic{naive, minFIA, swa}, how) {
			s.Disclosure = rapid.SampledFrom([]float64{0, 0.3, 0.5}).Draw(t, "disclosure")
		} else {
			s.Support = float64(rapid.IntRange(1, 4).Draw(t, "support"))
		}
		missing, left := fitted(t, s, tab, how)
		s.Deleted = Value
		out, trial := fitted(t, s, tab, how)
		if trial.Left > left.Left {
			t.Fatalf("%d patterns are visible, %d where deleted values are missing", trial.Left, left.Left)
		}
		for _, z := range [][4]int32{{0, 0, 1, 0}, {0, 1, 1, 1}, {0, 1, 1, 2}} {
			both := func(tab *table.Table) (n int) {
				for i := range tab.Rows() {
					if tab.Cat(int(z[0]))[i] == z[1] && tab.Cat(int(z[2]))[i] == z[3] {
						n++
					}
				}
				return n
			}
			if was, is := both(missing), both(out); s.Support == 0 && is > was {
				t.Fatalf("%v has %d records, %d where deleted values are missing", z, is, was)
			}
		}
		cells := 0
		for j := range tab.Width() {
			for i := range n {
				was, gone, now := tab.Cat(j)[i], missing.Cat(j)[i], out.Cat(j)[i]
				if now != was {
					cells++
				}
				switch {
				case gone == was && now != was:
					t.Fatalf("column %d, row %d: %d became %d and was not deleted", j, i, was, now)
				case gone != was && now == was:
					t.Fatalf("column %d, row %d: %d came back", j, i, was)
				case gone != was && now >= 0 && !anybody(tab, j, now,
					func(k int) bool { return losing || tab.Cat(2)[k] == tab.Cat(2)[i] }):
					t.Fatalf("column %d, row %d: %d became %d, which nobody has", j, i, was, now)
				}
			}
		}
		if trial.Changes != cells {
			t.Fatalf("%d cells changed, the trial has %+v", cells, trial)
		}
	})
}

// fitted is a release, with what was done.
func fitted(t *rapid.T, s Settings, tab *table.Table, how *heuristic) (*table.Table, Trial) {
	p := must.Get(fit(t.Context(), s, tab, how))(t)
	out := must.Get(p.Apply(tab, rng.Source{}))(t)
	return out, p.Trial
}

// anybody reports whether a record of those has the value.
func anybody(tab *table.Table, j int, value int32, of func(k int) bool) bool {
	for k := range tab.Rows() {
		if tab.Cat(j)[k] == value && of(k) {
			return true
		}
	}
	return false
}
