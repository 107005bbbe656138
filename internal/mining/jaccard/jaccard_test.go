package jaccard

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"pgregory.net/rapid"
)

// random draws sets of up to 9 attributes with up to 4 values, some missing.
func random(r *rapid.T) *Sets {
	s := &Sets{Width: rapid.IntRange(1, 9).Draw(r, "attributes")}
	most := rapid.Int32Range(0, 3).Draw(r, "values")
	least := rapid.Int32Range(-1, 0).Draw(r, "missing")
	n := rapid.IntRange(0, 40).Draw(r, "sets")
	s.Codes = rapid.SliceOfN(rapid.Int32Range(least, most), n*s.Width, n*s.Width).Draw(r, "codes")
	return s
}

var thetas = []float64{0.01, 0.2, 1.0 / 3, 0.5, 0.6, 2.0 / 3, 0.75, 0.8, 0.9, 1}

// asSet is the twin of a row: a Go set.
func asSet(row []int32) map[[2]int32]bool {
	set := map[[2]int32]bool{}
	for j, c := range row {
		if c >= 0 {
			set[[2]int32{int32(j), c}] = true
		}
	}
	return set
}

func coefficient(a, b map[[2]int32]bool) float64 {
	union, both := len(b), 0
	for v := range a {
		if b[v] {
			both++
		} else {
			union++
		}
	}
	if union == 0 {
		return 0
	}
	return float64(both) / float64(union)
}

// TestEachAgainstTwin compares the neighbours of sets of the index, and of others, with all pairs.
func TestEachAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		s, theta := random(r), rapid.SampledFrom(thetas).Draw(r, "theta")
		x := must.Get(NewIndex(context.Background(), s, theta))(t)
		stranger := rapid.SliceOfN(rapid.Int32Range(-1, 4), s.Width, s.Width).Draw(r, "stranger")
		search := x.Search()
		for i := range s.Len() + 1 {
			row := stranger
			if i < s.Len() {
				row = s.Row(i)
			}
			found := map[int32]float64{}
			search.Each(row, func(k int32, similarity float64) {
				if _, twice := found[k]; twice {
					t.Fatalf("set %d is visited twice", k)
				}
				found[k] = similarity
			})
			for k := range s.Len() {
				want := coefficient(asSet(row), asSet(s.Row(k)))
				if got := Similarity(row, s.Row(k)); got != want {
					t.Fatalf("similarity of %v and %v is %v, expected %v", row, s.Row(k), got, want)
				}
				got, ok := found[int32(k)]
				if ok != (want >= theta) || ok && got != want {
					t.Fatalf("theta %v: %v and %v: found %v as %v, expected %v", theta, row, s.Row(k), ok, got, want)
				}
			}
		}
	})
}

// TestComponentsAgainstTwin compares with a search that spreads over all pairs until nothing changes.
func TestComponentsAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		s, theta := random(r), rapid.SampledFrom(thetas).Draw(r, "theta")
		x := must.Get(NewIndex(context.Background(), s, theta))(t)
		got := must.Get(x.Components(context.Background()))(t)
		want := make([]int32, s.Len())
		for i := range want {
			want[i] = int32(i)
		}
		for changed := true; changed; {
			changed = false
			for i := range want {
				for k := range want {
					if want[k] < want[i] && coefficient(asSet(s.Row(i)), asSet(s.Row(k))) >= theta {
						want[i], changed = want[k], true
					}
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("components %v, expected %v", got, want)
		}
	})
}

// Sets with many values are divided into blocks, and blocks find what comparing all with all finds.
func TestBlocks(t *testing.T) {
	s := &Sets{Width: 6, Codes: make([]int32, 6*400)}
	for i := range s.Codes {
		s.Codes[i] = int32((i * i * 7919 >> 3) % 5) // a fixed jumble
	}
	x := must.Get(NewIndex(context.Background(), s, 0.7))(t)
	if len(x.blocks) != 2 { // 5 of 6 values in common give 5/7 = 0.714, 4 give 0.5: one attribute may differ
		t.Fatalf("%d blocks, expected 2", len(x.blocks))
	}
	pairs, want := 0, 0
	for i := range s.Len() {
		x.Search().Each(s.Row(i), func(int32, float64) { pairs++ })
		for k := range s.Len() {
			if Similarity(s.Row(i), s.Row(k)) >= 0.7 {
				want++
			}
		}
	}
	if pairs != want || want <= s.Len() {
		t.Errorf("%d pairs, expected %d", pairs, want)
	}
	x.Search().Each([]int32{0, 1, -1, -1, -1, -1}, func(k int32, _ float64) {
		t.Errorf("a set of two values is similar to set %d of six", k)
	})
}

func TestDistinct(t *testing.T) {
	tab := must.Get(table.New(table.CatColumn("a", []string{"x", "y"}, []int32{0, 1, 0, -1, 0}),
		table.NumColumn("n", 1, make([]float64, 5)), table.CatColumn("b", []string{"x", "y"}, []int32{1, 1, 1, -1, 0})))(t)
	s, of := Distinct(tab, []int{0, 2})
	if !slices.Equal(s.Codes, []int32{0, 1, 1, 1, -1, -1, 0, 0}) || !slices.Equal(of, []int32{0, 1, 0, 2, 3}) {
		t.Errorf("sets %v of records %v", s.Codes, of)
	}
	if Similarity(s.Row(2), s.Row(2)) != 0 {
		t.Error("two empty sets are similar")
	}
	if (&Sets{Width: 2, Codes: make([]int32, 3)}).Check() == nil || (&Sets{}).Check() == nil || s.Check() != nil {
		t.Error("sets are not checked")
	}
}

// A cancelled context ends the work.
func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	s := &Sets{Width: 1, Codes: []int32{0, 1, 2}}
	if _, err := NewIndex(ctx, s, 0.5); err == nil {
		t.Error("an index is made")
	}
	x, _ := NewIndex(context.Background(), s, 0.5)
	if _, err := x.Components(ctx); err == nil {
		t.Error("components are found")
	}
}

// Every threshold of two decimals is compared exactly: o values in common of m are enough when 100 o >= 100 theta (m -
// o).
func TestLimits(t *testing.T) {
	for percent := 1; percent <= 100; percent++ {
		theta := must.Get(strconv.ParseFloat(strconv.Itoa(percent)+"e-2", 64))(t)
		limit := limits(theta, 60)
		for m := range limit {
			want := int32(-1)
			for o := m / 2; o > 0; o-- {
				if 100*o >= percent*(m-o) {
					want = max(want, int32(m-2*o))
				}
			}
			if limit[m] != want {
				t.Fatalf("theta %v, %d values: limit %d, expected %d", theta, m, limit[m], want)
			}
		}
	}
	if math.Abs(float64(limits(0.8, 44)[44])-4) > 0 { // 22 attributes at 0.8: 20 agree, 20/24
		t.Error("two records of 22 attributes may not differ in 2")
	}
}
