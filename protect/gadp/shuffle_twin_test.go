package gadp

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// shuffleFit returns the plan of a table for the given parameters.
// fit lists the columns: the law is tested on tables so small that Fit refuses them, too.
func shuffleFit(t tabletest.T, tab *table.Table, set map[string]string) *ShufflePlan {
	q := NewShuffle()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.plan(tab))(t)
	return p
}

// shuffleRelease fits and applies.
func shuffleRelease(t tabletest.T, tab *table.Table, set map[string]string) *table.Table {
	out, err := executor.Run(context.Background(), shuffleFit(t, tab, set), tab, protecttest.Seed(1), protect.Options{})
	must.NoError(t, err)
	return out
}

// sorted returns the known values, ascending.
func sorted(v []float64) []float64 {
	out := slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return x != x })
	slices.Sort(out)
	return out
}

// shuffleSmall draws a table of a few continuous columns with ties and missing values.
func shuffleSmall(t *rapid.T) (tab *table.Table, k int) {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	k = rapid.IntRange(1, 3).Draw(t, "k")
	var cols []table.Column
	for j := range k + rapid.IntRange(0, 2).Draw(t, "q") {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rapid.IntRange(-50, 50).Draw(t, "value")) / 3
			if rapid.IntRange(0, 15).Draw(t, "gap") == 0 {
				v[i] = math.NaN()
			}
		}
		cols = append(cols, table.NumColumn(string(rune('a'+j)), 0, v))
	}
	return marked(k, cols...), k
}

// Muralidhar & Sarathy 2006: shuffling is C-GADP, and then the r-th smallest original in the place of the r-th smallest
// draw. With the same seed package cgadp makes the same draws, and its releases of continuous attributes are in their
// order, save where draws beyond the extremes, or among equal originals, become equal.
func TestIsCGADPAndThenRanks(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, k := shuffleSmall(t)
		set := map[string]string{"security": rapid.SampledFrom([]string{"1", "0.5", "0.05"}).Draw(t, "security")}
		out := shuffleRelease(t, tab, set)
		p := &CGADPPlan{ByRanks: shuffleFit(t, tab, set).ByRanks, Discrete: Step}
		drawn := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		for j := range k {
			x := sorted(tab.Num(j))
			if got := sorted(out.Num(j)); !slices.Equal(got, x) {
				t.Fatalf("column %d: the values %v are released as %v", j, x, got)
			}
			y := sorted(drawn.Num(j))
			for i, v := range out.Num(j) {
				d := drawn.Num(j)[i]
				if (d != d) != (v != v) {
					t.Fatalf("column %d, record %d: %v is released as %v", j, i, tab.Num(j)[i], v)
				}
				if d != d {
					continue
				}
				below, _ := slices.BinarySearch(y, d-1e-9)
				upTo, _ := slices.BinarySearch(y, d+1e-9)
				if v < x[below] || v > x[upTo-1] {
					t.Fatalf("column %d, record %d, draw %v: released %v, expected %v to %v", j, i, d, v, x[below], x[upTo-1])
				}
			}
		}
	})
}

// Equal draws get their values by their random numbers, and where these are equal too by identity: in any order of the
// records the same.
func TestDealBreaksTies(t *testing.T) {
	y := []float64{1, 0, 1, 1, math.NaN(), 1, 2, 1}
	z := []float64{0.5, 9, -3, 0.7, 0, 0.1, -9, 0.5}
	ids := []table.RecordID{17, 2, 3, 4, 5, 6, 7, 8}
	want := map[table.RecordID]float64{2: 10, 3: 20, 6: 30, 8: 40, 17: 50, 4: 60, 7: 70}
	for range len(y) {
		got := slices.Clone(y)
		deal(got, z, []float64{10, 20, 30, 40, 50, 60, 70}, func(i int) table.RecordID { return ids[i] })
		for i, v := range got {
			if w, ok := want[ids[i]]; ok && v != w || !ok && v == v {
				t.Errorf("record %d gets %v, expected %v", ids[i], v, w)
			}
		}
		y, z, ids = append(y[1:], y[0]), append(z[1:], z[0]), append(ids[1:], ids[0])
	}
}
