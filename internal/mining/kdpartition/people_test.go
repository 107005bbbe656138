package kdpartition

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestLeavesOfPeople: whatever people have how many records, every leaf has records of Smallest people, and known
// values of so many or none in what it holds, as somebody counts; and no leaf of more than twice Largest records could
// be cut between two values into parts that have. Where nobody has several records the tree is that of records.
func TestLeavesOfPeople(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 40).Draw(t, "n")
		opt := Options{
			Largest:  rapid.IntRange(2, 8).Draw(t, "largest"),
			Smallest: rapid.IntRange(2, 4).Draw(t, "smallest"),
			Median:   rapid.Bool().Draw(t, "median"),
		}
		whose, gap := make([]int32, n), rapid.Bool().Draw(t, "gaps")
		cols := [][]float64{make([]float64, n), make([]float64, n)}
		for i := range whose {
			if whose[i] = int32(i); i >= opt.Smallest {
				whose[i] = int32(rapid.IntRange(0, n/2).Draw(t, "whose"))
			}
			for _, c := range cols {
				if c[i] = float64(rapid.IntRange(0, 9).Draw(t, "value")); gap && i >= opt.Smallest &&
					rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
					c[i] = math.NaN()
				}
			}
		}
		opt.Hold, opt.Whose = cols[1:], whose
		tree, leaf, err := Build(t.Context(), cols, opt)
		must.NoError(t, err)
		people := func(in func(i int) bool) int {
			who := map[int32]bool{}
			for i, p := range whose {
				if in(i) {
					who[p] = true
				}
			}
			return len(who)
		}
		for l := range int32(tree.Leaves()) {
			here, knows := people(
				func(i int) bool { return leaf[i] == l },
			), people(func(i int) bool { return leaf[i] == l && cols[1][i] == cols[1][i] })
			if here < opt.Smallest || few(knows, opt.Smallest) {
				t.Fatalf("leaf %d is of %d people, who know %d values, expected %d of %v", l, here, knows, opt.Smallest, whose)
			}
			if size := count(leaf, l); gap || size <= 2*opt.Largest {
				continue
			}
			for _, c := range cols {
				for cut := range 9 {
					low := people(func(i int) bool { return leaf[i] == l && c[i] <= float64(cut) })
					if high := people(func(i int) bool { return leaf[i] == l && c[i] > float64(cut) }); low >= opt.Smallest &&
						high >= opt.Smallest {
						t.Fatalf("leaf %d could be cut at %d", l, cut)
					}
				}
			}
		}
		for i := range whose {
			whose[i] = int32(n - i)
		}
		each, _, err := Build(t.Context(), cols, opt)
		opt.Whose = nil
		records, _, again := Build(t.Context(), cols, opt)
		if err != nil || again != nil || !slices.Equal(each.Nodes, records.Nodes) {
			t.Fatalf("told that everybody has a record: %v, not told: %v", each.Nodes, records.Nodes)
		}
	})
}

func count(leaf []int32, l int32) (n int) {
	for _, x := range leaf {
		if x == l {
			n++
		}
	}
	return n
}

func few(n, enough int) bool { return n > 0 && n < enough }
