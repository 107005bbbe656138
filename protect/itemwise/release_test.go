package itemwise

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// merge against the item by item twin: a gap is over when so many items that are not there were passed.
func TestMergeIsItemByItem(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		labels := rapid.IntRange(0, 12).Draw(r, "labels")
		var items, unknown, kept, want []int32
		gaps := rapid.SliceOfN(rapid.IntRange(0, 5), labels+1, labels+1).Draw(r, "gaps")
		k, left := 0, gaps[0]
		for v := range int32(labels) {
			switch rapid.IntRange(0, 3).Draw(r, "what") {
			case 0:
				if items = append(items, v); rapid.Bool().Draw(r, "kept") {
					kept, want = append(kept, v), append(want, v)
				}
			case 1:
				unknown = append(unknown, v)
			default:
				if left == 0 {
					want, k = append(want, v), k+1
					left = gaps[k]
				} else {
					left--
				}
			}
		}
		n := 0
		got := merge(nil, kept, items, unknown, labels, func() int { n++; return gaps[n-1] })
		if !slices.Equal(got, want) {
			t.Fatalf("of %d: has %v, unknown %v, kept %v, gaps %v: %v, expected %v", labels, items, unknown, kept, gaps, got,
				want)
		}
	})
}

// Of a record of items 1 and 4 of six, item 2 unknown, all 16 releases of the others have their probabilities:
// chi-square, once in a million.
func TestReleaseHasItsLaw(t *testing.T) {
	const n, keep = 100_000, 0.6
	for _, add := range []float64{0.02, 0.3, 0.8} {
		present, unknown := slices.Repeat([][]int32{{1, 4}}, n), slices.Repeat([][]int32{{2}}, n)
		tab := tabletest.Of(t, table.SetColumn("c", []string{"a", "b", "c", "d", "e", "f"}, table.SetsOf(present, unknown)))
		out := Release(tab, 0, rng.New([32]byte{1}).Stream(), every(add, keep))
		var seen [64]float64
		for i := range n {
			set := 0
			for _, v := range out.Present.Row(i) {
				set |= 1 << v
			}
			seen[set]++
		}
		chi, cells := 0.0, 0.0
		for set, k := range seen {
			p := 1.0
			for v, rate := range []float64{add, keep, 0, add, keep, add} {
				if set>>v&1 == 0 {
					rate = 1 - rate
				}
				p *= rate
			}
			if p == 0 && k > 0 {
				t.Fatalf("the release %06b of probability 0 is seen %v times", set, k)
			}
			if p*float64(n) > 0.5 {
				chi, cells = chi+(k-p*float64(n))*(k-p*float64(n))/(p*float64(n)), cells+1
			}
		}
		if (distuv.ChiSquared{K: cells - 1}).Survival(chi) < 1e-6 {
			t.Errorf("add %v: chi-square %v of %v releases", add, chi, cells)
		}
	}
}

// every keeps the items of all records with one probability and adds others with another.
func every(add, keep float64) func(int) *Operator {
	o := NewOperator(add, func(w *rng.Turns, dst, items []int32) []int32 {
		for _, v := range items {
			if rng.Unit(w.Next()) < keep {
				dst = append(dst, v)
			}
		}
		return dst
	})
	return func(int) *Operator { return o }
}

// Nothing is added with probability 0, all that is not there with 1; a missing set has no items.
func TestReleaseAtTheEnds(t *testing.T) {
	sets := table.SetsOf([][]int32{{0, 3}, nil, {}}, [][]int32{{1}, nil, nil})
	tab := tabletest.Of(t, table.SetColumn("c", []string{"a", "b", "c", "d"}, sets))
	for add, want := range map[float64]string{0: "[[0 3] [] []]", 1: "[[0 2 3] [] [0 1 2 3]]"} {
		out := Release(tab, 0, rng.New([32]byte{1}).Stream(), every(add, 1))
		if got := fmt.Sprint([][]int32{out.Present.Row(0), out.Present.Row(1), out.Present.Row(2)}); got != want ||
			!out.MissingAt(1) {
			t.Errorf("add %v: %s, expected %s", add, got, want)
		}
	}
}

// Gaps are geometric, in the table, beyond it and at its end: chi-square of 200,000 in ranges, once in a million each.
func TestGapsAreGeometric(t *testing.T) {
	n := long.Of(50_000, 200_000)
	for _, add := range []float64{0.999, 0.5, 0.1, 0.003, 0.0002} {
		g, w := newGaps(add), rng.New([32]byte{2}).Stream().Turns()
		w.Of(1)
		const ranges = 40
		var seen [ranges]float64
		limit := func(r int) int { return int(math.Log(1-float64(r)/ranges) / math.Log1p(-add)) } // of even probability
		for range n {
			k := g.draw(w, 1<<40)
			for r := ranges - 1; r >= 0; r-- {
				if k >= limit(r) {
					seen[r]++
					break
				}
			}
		}
		chi, cells := 0.0, 0.0
		for r, s := range seen {
			p := math.Pow(1-add, float64(limit(r)))
			if r < ranges-1 {
				p -= math.Pow(1-add, float64(limit(r+1)))
			}
			if p > 0 {
				chi, cells = chi+(s-p*float64(n))*(s-p*float64(n))/(p*float64(n)), cells+1
			} else if s > 0 {
				t.Fatalf("add %v: a gap of probability 0", add)
			}
		}
		if cells > 1 && (distuv.ChiSquared{K: cells - 1}).Survival(chi) < 1e-6 {
			t.Errorf("add %v: chi-square %v of %v ranges", add, chi, cells)
		}
	}
}

// 100,000 records of 10 items of 1,000 become 10.8M items in 1.6 of the yardstick (17 ns each on two cores), 3.5M in
// 0.8, 0.6M in 0.29.
func BenchmarkItems(b *testing.B) {
	const rows, labels = 100_000, 1000
	present := make([][]int32, rows)
	for i := range present {
		for k := range 10 {
			present[i] = append(present[i], int32((i*31+k*97)%labels))
		}
	}
	names := make([]string, labels)
	for k := range names {
		names[k] = fmt.Sprint(k)
	}
	tab := tabletest.Of(b, table.SetColumn("c", names, table.SetsOf(present, nil)))
	for _, c := range []struct{ keep, add float64 }{{0.9, 0.1}, {0.5, 0.03}, {0.5, 0.001}} {
		b.Run(fmt.Sprint(c.keep, "-", c.add), func(b *testing.B) {
			items := 0
			for b.Loop() {
				out := Release(tab, 0, rng.New([32]byte{1}).Stream(), every(c.add, c.keep))
				items += len(out.Present.All())
			}
			yardstick.Report(b)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(items), "ns/item")
		})
	}
}
