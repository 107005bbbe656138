package clusterings

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table/tabletest"
)

func qualityNear(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// distance is that of two records over the values that both have, scaled up for the others; false when they share none.
func distance(x [][]float64, i, j int) (float64, bool) {
	s, n := 0.0, 0.0
	for _, v := range x {
		if d := v[i] - v[j]; d == d {
			s, n = s+d*d, n+1
		}
	}
	return math.Sqrt(s * float64(len(x)) / n), n > 0
}

// qualityTwin is the silhouette of a record, pair by pair.
func qualityTwin(x [][]float64, of []int32, k, i int) float64 {
	if of[i] < 0 {
		return 0
	}
	sum, n := make([]float64, k), make([]float64, k)
	for j, c := range of {
		if d, ok := distance(x, i, j); ok && j != i && c >= 0 {
			sum[c], n[c] = sum[c]+d, n[c]+1
		}
	}
	if n[of[i]] == 0 {
		return 0
	}
	a, b := sum[of[i]]/n[of[i]], math.Inf(1)
	for c := range k {
		if c != int(of[i]) && n[c] > 0 {
			b = math.Min(b, sum[c]/n[c])
		}
	}
	if math.IsInf(b, 1) || a == 0 && b == 0 {
		return 0
	}
	return (b - a) / math.Max(a, b)
}

func TestSilhouettesTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n, p, k := rapid.IntRange(1, 14).Draw(r, "n"), rapid.IntRange(1, 3).Draw(r, "p"), rapid.IntRange(1, 4).Draw(r, "k")
		value := rapid.Custom(func(r *rapid.T) float64 { return float64(rapid.IntRange(0, 9).Draw(r, "value")) / 8 })
		if rapid.Bool().Draw(r, "missing") {
			value = rapid.OneOf(value, value, rapid.Just(math.NaN()))
		}
		x := rapid.SliceOfN(rapid.SliceOfN(value, n, n), p, p).Draw(r, "x")
		labels := rapid.SliceOfN(rapid.Int32Range(-1, int32(k-1)), n, n)
		by := []labelling{{labels.Draw(r, "before"), k}, {labels.Draw(r, "after"), k}}
		for i := range n { // a record without values is in no cluster
			if _, ok := distance(x, i, i); !ok {
				by[0].of[i], by[1].of[i] = -1, -1
			}
		}
		got := must.Get(silhouettes(context.Background(), tabletest.Of(t, tabletest.Numbers(0, x...)...), all(n), by...))(r)
		for l := range by {
			for i := range n {
				if want := qualityTwin(x, by[l].of, k, i); !qualityNear(got[l][i], want) {
					r.Fatalf("labelling %d, record %d: %v, the twin has %v", l, i, got[l][i], want)
				}
			}
		}
	})
}

// TestManyRecords compares with the twin where records come in several passes and runs end in the middle of one.
func TestManyRecords(t *testing.T) {
	r := qualityBlobs(t, 2*width+100, 3, 0.5)
	x := [][]float64{r.Num(0), r.Num(1)}
	before, after := make([]int32, r.Rows()), make([]int32, r.Rows())
	for i := range before {
		before[i], after[i] = int32(i%3), int32(i%5)-1
	}
	got := must.Get(silhouettes(context.Background(), r, all(r.Rows()), labelling{before, 3}, labelling{after, 4}))(t)
	for i := 0; i < r.Rows(); i += 7 {
		if a, b := qualityTwin(x, before, 3, i), qualityTwin(x, after, 4, i); !qualityNear(got[0][i], a) ||
			!qualityNear(got[1][i], b) {
			t.Fatalf("record %d: %v and %v, the twin has %v and %v", i, got[0][i], got[1][i], a, b)
		}
	}
}

// TestRousseeuw has the definition of Rousseeuw 1987, section 2, on five numbers: 0 and 1, 10 and 12, and 30 alone.
func TestRousseeuw(t *testing.T) {
	got, err := silhouettes(context.Background(), tabletest.Of(t, tabletest.Numbers(0, []float64{0, 1, 10, 12, 30})...),
		all(5), labelling{[]int32{0, 0, 1, 1, 2}, 3})
	must.NoError(t, err)
	for i, want := range []float64{(11 - 1) / 11.0, (10 - 1) / 10.0, (9.5 - 2) / 9.5, (11.5 - 2) / 11.5, 0} {
		if !qualityNear(got[0][i], want) {
			t.Errorf("record %d: %v, expected %v", i, got[0][i], want)
		}
	}
}

// TestNoAllocation: the number of allocations does not grow with the records compared.
func TestNoAllocation(t *testing.T) {
	count := func(n int) float64 {
		s := arrange(qualityBlobs(t, n, 3, 1), []labelling{{make([]int32, n), 1}})
		return testing.AllocsPerRun(3, func() {
			must.NoError(t, s.judge(context.Background(), all(together), func(int, int, float64) {}))
		})
	}
	if few, many := count(width), count(20*width); few != many {
		t.Errorf("%v allocations for few records, %v for many", few, many)
	}
}
