package informationloss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// tableOf returns a table of numeric columns a, b, ... and the columns given.
func tableOf(t testing.TB, values [][]float64, more ...table.Column) *table.Table {
	t.Helper()
	return tabletest.Of(t, append(tabletest.Numbers(0, values...), more...)...)
}

func sseTake(t testing.TB, x, y *table.Table, columns ...string) (measure.Value, SSEDetail, error) {
	t.Helper()
	v, err := (&SSEMeter{Columns: columns}).Measure(context.Background(),
		&measure.Release{Original: x, Released: y, Paired: true}, rng.Source{})
	if err != nil {
		return v, SSEDetail{}, err
	}
	if err := measuretest.Sound(SSE, nil, v); err != nil {
		t.Error(err)
	}
	return v, v.Detail.(SSEDetail), nil
}

func ssePart(t testing.TB, v measure.Value, name string) float64 {
	t.Helper()
	for _, p := range v.Parts {
		if p.Name.String() == name {
			return p.Score
		}
	}
	t.Fatalf("no part %q in %v", name, v.Parts)
	return 0
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// twin sums the squares of columns that vary, changed ones only, value by value.
func twin(x, y [][]float64) (sse, sst float64) {
	for j := range x {
		var mean, variance, square, n float64
		for i := range x[j] {
			if d := x[j][i] - y[j][i]; d == d {
				mean, square, n = mean+x[j][i], square+d*d, n+1
			}
		}
		mean /= n
		for i := range x[j] {
			if d := x[j][i] - y[j][i]; d == d {
				variance += (x[j][i] - mean) * (x[j][i] - mean) / n
			}
		}
		if square > 0 && variance > 1e-12 {
			sse, sst = sse+square/variance, sst+n
		}
	}
	return sse, sst
}

func TestTwin(t *testing.T) {
	value := rapid.Custom(func(r *rapid.T) float64 {
		v := rapid.IntRange(-4, 5).Draw(r, "value")
		if v == -4 {
			return math.NaN()
		}
		return 1000 + float64(v)/8
	})
	long.Check(t, func(r *rapid.T) {
		n, p := rapid.IntRange(0, 12).Draw(r, "n"), rapid.IntRange(1, 3).Draw(r, "p")
		x := rapid.SliceOfN(rapid.SliceOfN(value, n, n), p, p).Draw(r, "x")
		y := rapid.SliceOfN(rapid.SliceOfN(value, n, n), p, p).Draw(r, "y")
		v, d, err := sseTake(t, tableOf(t, x), tableOf(t, y))
		sse, sst := twin(x, y)
		switch {
		case errors.Is(err, measure.ErrNotApplicable):
			if sst > 0 {
				r.Fatalf("it does not apply: %v", err)
			}
		case err != nil:
			r.Fatal(err)
		case !near(d.SSE, sse) || !near(d.SST, sst) || !near(v.Score*max(1, sst), sse):
			r.Fatalf("SSE %v of %v, the twin has %v of %v", d.SSE, d.SST, sse, sst)
		}
	})
}

// TestGroupMeans: of group means the loss and what is kept add up to 1, attribute by attribute, with missing values as
// well.
func TestGroupMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	const n, k = 3000, 3
	x, y := make([][]float64, 3), make([][]float64, 3)
	for j := range x {
		x[j], y[j] = make([]float64, n), make([]float64, n)
		for i := range n {
			if x[j][i] = 1e6 + r.NormFloat64(); r.IntN(10) == 0 && j > 0 {
				x[j][i] = math.NaN()
			}
		}
		for lo := 0; lo < n; lo += k {
			mean, m := 0.0, 0.0
			for _, v := range x[j][lo : lo+k] {
				if v == v {
					mean, m = mean+v, m+1
				}
			}
			for i := lo; i < lo+k; i++ {
				if y[j][i] = mean / m; x[j][i] != x[j][i] {
					y[j][i] = math.NaN()
				}
			}
		}
	}
	v, d, err := sseTake(t, tableOf(t, x), tableOf(t, y))
	must.NoError(t, err)
	if kept := ssePart(t, v, "variation that the release keeps"); !(v.Score > 0.5 && v.Score < 0.8) ||
		!near(v.Score+kept, 1) {
		t.Errorf("loss %v and kept %v", v.Score, kept)
	}
	for _, a := range d.Attributes {
		if !near(a.Error+a.Kept, float64(a.Cells)) {
			t.Errorf("%s: %v + %v, expected %d", a.Name, a.Error, a.Kept, a.Cells)
		}
	}
	if len(v.Notes) != 1 || !strings.HasPrefix(v.Notes[0].String(), "cells left out") {
		t.Errorf("notes %q", v.Notes)
	}
}

// TestOtherReleases checks what the package says of noise and of exchanged values: with n = 40,000 the standard error
// of the mean of squares is sqrt(2/n) = 0.007 of it for noise, of exchanged values (x-x')^2 with the variance 8 it is
// sqrt(8/n) = 0.014; the tolerances are over 5 of them (false alarms below one in a million, and the seed is fixed).
func TestOtherReleases(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	const n = 40_000
	x, noisy, moved := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 50 + 10*r.NormFloat64()
		noisy[i] = x[i] + math.Sqrt(10)*r.NormFloat64()
	}
	for i, j := range r.Perm(n) {
		moved[i] = x[j]
	}
	for _, c := range []struct {
		name                  string
		y                     []float64
		loss, tolerance, kept float64
	}{{"noise", noisy, 0.1, 0.004, 1.1}, {"exchanged", moved, 2, 0.08, 1}} {
		v, d, err := sseTake(t, tableOf(t, [][]float64{x}), tableOf(t, [][]float64{c.y}))
		if err != nil || math.Abs(v.Score-c.loss) > c.tolerance || math.Abs(d.Kept-c.kept) > 0.05 {
			t.Errorf("%s: %v, kept %v, error %v", c.name, v.Score, d.Kept, err)
		}
	}
}

func TestColumns(t *testing.T) {
	nan := math.NaN()
	weight, city := table.NumColumn(
		"weight",
		1,
		[]float64{1, 2, 3, 4},
	), table.CatColumn("city", []string{"n", "s"}, []int32{0, 1, 0, 1})
	weight.Role = table.Weight
	x := tableOf(t, [][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 9, 9, 9}, {1, nan, 3, nan}}, weight, city)
	y := x.WithNum(
		0,
		[]float64{2, 2, 3, 4},
	).WithNum(2, []float64{9, 9, 9, 8}).WithNum(3, []float64{nan, 2, 3, nan}).WithNum(4, []float64{4, 3, 2, 1})
	for _, c := range []struct {
		columns []string
		score   float64
		err     string
	}{
		{nil, 1 / 1.25 / 4, ""},
		{[]string{"a", "b"}, 1 / 1.25 / 8, ""},
		{[]string{"b", "b"}, 0, ""},
		{[]string{"a", "weight"}, (1/1.25 + 20/1.25) / 8, ""},
		{[]string{"c"}, 0, "a finite sum of squares above 0"},
		{[]string{"d"}, 0, "a finite sum of squares above 0"},
		{[]string{"city"}, 0, `column "city" is categorical`},
		{[]string{"no"}, 0, `no column "no"`},
	} {
		v, _, err := sseTake(t, x, y, c.columns...)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v: error %v, expected %q", c.columns, err, c.err)
			}
		} else if err != nil || !near(v.Score, c.score) {
			t.Errorf("%v: %v, error %v, expected %v", c.columns, v.Score, err, c.score)
		}
	}
	v, d, _ := sseTake(t, x, y)
	if len(d.Attributes) != 1 || d.Attributes[0].Changed != 1 || len(d.Left) != 1 || d.Left[0].Name != "c" {
		t.Errorf("measured %+v, left out %+v", d.Attributes, d.Left)
	}
	for k, want := range []string{"lacks a value: 3", "finite sums: 1", "squares: 1"} {
		if k >= len(v.Notes) || !strings.HasSuffix(v.Notes[k].String(), want) {
			t.Errorf("notes %q, expected %q", v.Notes, want)
		}
	}
}

func TestEdges(t *testing.T) {
	one := func(v ...float64) *table.Table { return tableOf(t, [][]float64{v}) }
	for name, c := range map[string]struct {
		x, y  *table.Table
		score float64 // negative: it does not apply
	}{
		"no rows":                  {one(), one(), -1},
		"one row":                  {one(1), one(2), -1},
		"nothing changed":          {one(1, 2), one(1, 2), 0},
		"all suppressed":           {one(1, 2), one(math.NaN(), math.NaN()), -1},
		"all but one suppressed":   {one(1, 2, 3), one(math.NaN(), math.NaN(), 4), -1},
		"one group":                {one(1, 2, 3, 6), one(3, 3, 3, 3), 1},
		"squares that overflow":    {one(0, 1e200), one(1, 0), -1},
		"an error that overflows":  {one(0, 1), one(0, 1e200), -1},
		"a released infinity":      {one(0, 1), one(0, math.Inf(1)), -1},
		"far from zero":            {one(1e12, 1e12+2), one(1e12+1, 1e12+1), 1},
		"all values below a grain": {one(0, 1e-150), one(1e-150, 0), 4},
	} {
		v, _, err := sseTake(t, c.x, c.y)
		switch {
		case c.score < 0 && !errors.Is(err, measure.ErrNotApplicable):
			t.Errorf("%s: %v, error %v; it should not apply", name, v.Score, err)
		case c.score >= 0 && (err != nil || !near(v.Score, c.score)):
			t.Errorf("%s: %v, error %v, expected %v", name, v.Score, err, c.score)
		}
	}
	r := &measure.Release{Original: one(1, 2), Released: one(1)}
	if _, err := (&SSEMeter{}).Measure(context.Background(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("unpaired: %v", err)
	}
}

// TestNothingNumeric: a release that changes or generalises other columns alone has no squared error, and no perfect
// one either.
func TestNothingNumeric(t *testing.T) {
	city := table.CatColumn("city", []string{"n", "s"}, []int32{0, 1, 0})
	x := tableOf(t, [][]float64{{1, 2, math.NaN()}}, city)
	moved := tableOf(t, [][]float64{{1, 2, math.NaN()}}, table.CatColumn("city", []string{"n", "s"}, []int32{1, 1, 0}))
	holes := x.WithNum(0, []float64{1, 2, 3})
	for name, c := range map[string]struct {
		r       *measure.Release
		columns []string
		applies bool
	}{
		"equal":               {&measure.Release{Original: x, Released: x}, nil, true},
		"another city":        {&measure.Release{Original: x, Released: moved}, nil, false},
		"another city, named": {&measure.Release{Original: x, Released: moved}, []string{"a"}, true},
		"suppressed alone":    {&measure.Release{Original: holes, Released: x}, nil, false},
		"generalised, no number": {&measure.Release{Original: x, Released: x, Recoding: measure.Recoding{Exact: moved}}, nil,
			false},
	} {
		c.r.Paired = true
		v, err := (&SSEMeter{Columns: c.columns}).Measure(context.Background(), c.r, rng.Source{})
		if c.applies && (err != nil || v.Score != 0) || !c.applies && !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("%s: %v, error %v", name, v.Score, err)
		}
	}
}

func ExampleMeter() {
	x, _ := table.New(table.NumColumn("income", 1, []float64{10, 12, 50, 52}))
	y := x.WithNum(0, []float64{11, 11, 51, 51})
	v, _ := (&SSEMeter{}).Measure(context.Background(), &measure.Release{Original: x, Released: y, Paired: true},
		rng.Source{})
	fmt.Printf("%.4f\n", v.Score)
	// Output: 0.0025
}
