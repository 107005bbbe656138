package infoloss_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/anonymity/infoloss"
	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table/tabletest"
)

var na = math.NaN()

func all(columns [][]float64) []int {
	out := make([]int, len(columns))
	for k := range out {
		out[k] = k
	}
	return out
}

func of(t testing.TB, paired bool, original, released [][]float64) *infoloss.Loss {
	t.Helper()
	l := must.Get(infoloss.Of(context.Background(), tabletest.Of(t, tabletest.Numbers(0, original...)...),
		tabletest.Of(t, tabletest.Numbers(0, released...)...), all(original), paired))(t)
	return l
}

// relative is |a-b|/|a| with the conventions of the package comment.
func relative(a, b, otherwise float64) float64 {
	switch {
	case math.IsNaN(b):
		return 1
	case math.Abs(a-b) < 1e-9:
		return 0
	case a == 0:
		return min(1, otherwise)
	}
	return min(1, math.Abs(a-b)/math.Abs(a))
}

// moments of the records that have both values: mean of x, covariance and correlation.
func momentsOf(x, y []float64) (mean, cov, corr float64) {
	var v, w []float64
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			v, w = append(v, x[i]), append(w, y[i])
		}
	}
	if mean, cov, corr = stat.Mean(v, nil), na, na; len(v) > 1 {
		cov = stat.Covariance(v, w, nil)
		if stat.Variance(v, nil) > 0 && stat.Variance(w, nil) > 0 {
			corr = stat.Correlation(v, w, nil)
		}
	}
	return mean, cov, corr
}

// twin computes IL1, IL1s, IL2 to IL5 from the definitions; NaN where there are no terms.
func twin(x, y [][]float64) [6]float64 {
	var terms [6][]float64
	for k := range x {
		mean, v, _ := momentsOf(x[k], x[k])
		newMean, newV, _ := momentsOf(y[k], y[k])
		for i, a := range x[k] {
			if math.IsNaN(a) {
				continue
			}
			stable := 1.0
			if d := math.Abs(a - y[k][i]); v > 0 {
				stable = relative(0, d/math.Sqrt(2*v), d/math.Sqrt(2*v))
			} else if d == 0 {
				stable = 0
			}
			terms[0], terms[1] = append(terms[0], relative(a, y[k][i], stable)), append(terms[1], stable)
		}
		if !math.IsNaN(mean) {
			terms[2] = append(terms[2], relative(mean, newMean, 1))
		}
		if !math.IsNaN(v) {
			terms[4] = append(terms[4], relative(v, newV, 1))
		}
		for l := range k + 1 {
			_, cov, r := momentsOf(x[k], x[l])
			_, newCov, newR := momentsOf(y[k], y[l])
			if !math.IsNaN(cov) {
				terms[3] = append(terms[3], relative(cov, newCov, 1))
			}
			if l < k && !math.IsNaN(r) {
				if terms[5] = append(terms[5], 1); !math.IsNaN(newR) {
					terms[5][len(terms[5])-1] = min(1, math.Abs(r-newR))
				}
			}
		}
	}
	var out [6]float64
	for k, v := range terms {
		out[k] = stat.Mean(v, nil)
	}
	return out
}

// TestEqualsTwin draws small whole numbers, whose means and covariances are exactly 0 or far from it.
func TestEqualsTwin(t *testing.T) {
	near := []cmp.Option{cmpopts.EquateApprox(0, 1e-10), cmpopts.EquateNaNs()}
	long.Check(t, func(rt *rapid.T) {
		rows := rapid.IntRange(0, 8).Draw(rt, "rows")
		value := rapid.Map(rapid.IntRange(-3, 3), func(v int) float64 {
			if v == -3 {
				return na
			}
			return float64(v)
		})
		var x, y [][]float64
		for range rapid.IntRange(1, 3).Draw(rt, "columns") {
			x = append(x, rapid.SliceOfN(value, rows, rows).Draw(rt, "original"))
			y = append(y, rapid.SliceOfN(value, rows, rows).Draw(rt, "released"))
		}
		l := of(t, true, x, y)
		got := [6]float64{l.IL1, l.IL1s, l.IL2, l.IL3, l.IL4, l.IL5}
		if d := cmp.Diff(twin(x, y), got, near...); d != "" {
			rt.Fatal(d)
		}
		if il := l.Total(false); il < 0 || il > 100 {
			rt.Fatalf("IL is %v", il)
		}
	})
}

// TestIdentity has zeros, a constant and missing values: no loss at all, also of a copy in another order where records
// are not paired.
func TestIdentity(t *testing.T) {
	x := [][]float64{{0, 1, -1, 0.3, na}, {7, 7, 7, 7, 7}, {na, 1e9, 1e9 + 1, 0.1, 0.2}}
	l := of(t, true, x, x)
	if l.IL1 != 0 || l.IL1s != 0 || l.IL2 != 0 || l.IL3 != 0 || l.IL4 != 0 || l.IL5 != 0 || l.Total(true) != 0 {
		t.Errorf("losses %+v, expected 0 each", l)
	}
	r := rand.New(rand.NewPCG(5, 6))
	centred, turned := make([]float64, 20_001), make([]float64, 20_001)
	for i := range 10_000 {
		v := r.NormFloat64()
		centred[i], centred[20_000-i] = v, -v // the mean is 0 but for rounding
	}
	for i, v := range centred {
		turned[(i*7919)%20_001] = v
	}
	l = of(t, false, [][]float64{centred}, [][]float64{turned})
	if l.IL2 != 0 || l.IL3 != 0 || l.IL4 != 0 || !math.IsNaN(l.IL1) || !math.IsNaN(l.IL1s) || l.Total(false) != 0 {
		t.Errorf("losses %+v of the same values in another order, expected 0", l)
	}
}

func TestEdges(t *testing.T) {
	sqrt2 := math.Sqrt2
	for _, c := range []struct {
		name               string
		x, y               []float64
		il1, il1s          float64
		il2, il3, il4      float64
		cells, suppression int
	}{
		// S = 1: the change of the zero by 0.5 is 0.5/sqrt(2) in both; the mean 0 moves to 1/6, which counts as 1.
		{"zero value and mean", []float64{-1, 0, 1}, []float64{-1, 0.5, 1}, 0.5 / sqrt2 / 3, 0.5 / sqrt2 / 3, 1, 1. / 12,
			1. / 12, 3, 0},
		// Without variance a change of a value is a loss of 1 in IL1s, and so is the variance that was 0.
		{"zero variance", []float64{4, 4}, []float64{4, 5}, 0.25 / 2, 1. / 2, 0.5 / 4, 1, 1, 2, 0},
		{"zero variance at zero", []float64{0, 0}, []float64{0, 5}, 1. / 2, 1. / 2, 1, 1, 1, 2, 0},
		{"variance lost", []float64{4, 6}, []float64{5, 5}, (1./4 + 1./6) / 2, 0.5, 0, 1, 1, 2, 0},
		{"one suppressed", []float64{1, 3, 2}, []float64{1, 3, na}, 1. / 3, 1. / 3, 0, 1, 1, 3, 1},
		{"missing in the original", []float64{1, 3, na}, []float64{1, 3, 9}, 0, 0, 1, 1, 1, 2, 0},
		{"all suppressed", []float64{1, 3, 2}, []float64{na, na, na}, 1, 1, 1, 1, 1, 3, 3},
		{"one record", []float64{2}, []float64{3}, 0.5, 1, 0.5, na, na, 1, 0},
		{"original all missing", []float64{na}, []float64{3}, na, na, na, na, na, 0, 0},
		{"no records", nil, nil, na, na, na, na, na, 0, 0},
	} {
		l := of(t, true, [][]float64{c.x}, [][]float64{c.y})
		got := infoloss.Column{"a", c.cells, c.suppression, l.IL1, l.IL1s, l.IL2, l.IL4}
		want := infoloss.Column{"a", c.cells, c.suppression, c.il1, c.il1s, c.il2, c.il4}
		near := []cmp.Option{cmpopts.EquateApprox(0, 1e-14), cmpopts.EquateNaNs()}
		if d := cmp.Diff(want, got, near...); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if d := cmp.Diff(l.Columns[0], got, near...); d != "" {
			t.Errorf("%s: the only column differs from the whole: %s", c.name, d)
		}
		if !cmp.Equal(l.IL3, c.il3, near...) || !math.IsNaN(l.IL5) {
			t.Errorf("%s: IL3 %v, IL5 %v; expected %v and none", c.name, l.IL3, l.IL5, c.il3)
		}
	}
}

// TestLostCorrelation makes one of two columns constant, and then suppresses it.
func TestLostCorrelation(t *testing.T) {
	x := [][]float64{{1, 2, 4}, {1, 3, 2}}
	for name, y := range map[string][]float64{"constant": {2, 2, 2}, "suppressed": {na, na, 2}} {
		if l := of(t, true, x, [][]float64{x[0], y}); l.IL5 != 1 {
			t.Errorf("%s: IL5 is %v, expected 1", name, l.IL5)
		}
	}
	if l := of(t, true, [][]float64{x[0], {5, 5, 5}}, x); !math.IsNaN(l.IL5) {
		t.Errorf("a column constant in the original has IL5 %v, expected none", l.IL5)
	}
}

// TestTotalLeavesOut takes the mean of the losses that there are.
func TestTotalLeavesOut(t *testing.T) {
	l := infoloss.Loss{IL1: na, IL1s: na, IL2: 0.1, IL3: 0.2, IL4: 0.6, IL5: na}
	if got := l.Total(false); math.Abs(got-30) > 1e-12 {
		t.Errorf("IL is %v, expected 30", got)
	}
	if got := (&infoloss.Loss{na, na, na, na, na, na, nil}).Total(true); !math.IsNaN(got) {
		t.Errorf("IL of nothing is %v", got)
	}
}

// TestOneCore gives the same bits on one core, over several blocks of records.
func TestOneCore(t *testing.T) {
	x, y := columnsOf(70_000, 1), columnsOf(70_000, 2)
	many := of(t, true, x, y)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if d := cmp.Diff(of(t, true, x, y), many); d != "" {
		t.Error(d)
	}
}

func TestRefusals(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tab := tabletest.Of(t, tabletest.Numbers(0, [][]float64{{1, 2}}...)...)
	if _, err := infoloss.Of(ctx, tab, tab, []int{0}, true); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context the error is %v", err)
	}
	wide := make([][]float64, correlation.Limit+1)
	tab = tabletest.Of(t, tabletest.Numbers(0, wide...)...)
	if _, err := infoloss.Of(context.Background(), tab, tab, all(wide), true); err == nil {
		t.Error("more than correlation.Limit columns are accepted")
	}
}

// columnsOf returns six columns of random numbers.
func columnsOf(rows int, seed uint64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 5))
	out := make([][]float64, 6)
	for k := range out {
		out[k] = make([]float64, rows)
		for i := range out[k] {
			out[k][i] = 50 + 10*r.NormFloat64()
		}
	}
	return out
}
