package valuedisclosure

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func differenceTake(original, released *table.Table) (measure.Value, error) {
	return (&VarianceDifferenceMeter{}).Measure(context.Background(),
		&measure.Release{Original: original, Released: released, Paired: true}, rng.Source{})
}

func mapped(v []float64, f func(x float64) float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}

// The parts are the definition over the records that have both values, and the score is the smallest, up to 1.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "records")
		value := rapid.Custom(func(t *rapid.T) float64 {
			if v := rapid.IntRange(-1, 9).Draw(t, "value"); v >= 0 {
				return float64(v)
			}
			return nan
		})
		draw := func(name string) []float64 { return rapid.SliceOfN(value, n, n).Draw(t, name) }
		x, y := [][]float64{draw("a"), draw("b")}, [][]float64{draw("a'"), draw("b'")}
		y[0][0], y[1][0] = 100, 100 // both are changed
		want, smallest := map[string]float64{}, math.Inf(1)
		for j, name := range []string{"a", "b"} {
			var xs, ys, ds []float64
			for i := range n {
				if d := x[j][i] - y[j][i]; d == d {
					xs, ys, ds = append(xs, x[j][i]), append(ys, y[j][i]), append(ds, d)
				}
			}
			if len(xs) < 2 || stat.Variance(xs, nil) == 0 {
				continue
			}
			want[name] = stat.Variance(ds, nil) / stat.Variance(xs, nil)
			linear := 1.0
			if stat.Variance(ys, nil) > 0 {
				linear = 1 - math.Pow(stat.Correlation(xs, ys, nil), 2)
			}
			want[name+", after the best linear guess"] = linear
			smallest = min(smallest, want[name])
		}
		v, err := differenceTake(tabletest.Of(t, tabletest.Numbers(0, x...)...),
			tabletest.Of(t, tabletest.Numbers(0, y...)...))
		if len(want) == 0 {
			if !errors.Is(err, measure.ErrNotApplicable) {
				t.Fatalf("nothing to judge gives %v, %v", v, err)
			}
			return
		}
		if err != nil || len(v.Parts) != len(want) || math.Abs(v.Score-min(1, smallest)) > 1e-9 {
			t.Fatalf("score %v, parts %v, error %v; expected %v of %v", v.Score, v.Parts, err, smallest, want)
		}
		for _, p := range v.Parts {
			if math.Abs(p.Score-want[p.Name.String()]) > 1e-9*max(1, want[p.Name.String()]) {
				t.Fatalf("%s is %v, expected %v", p.Name.String(), p.Score, want[p.Name.String()])
			}
		}
	})
}

// Oliveira & Zaiane 2003: a translation has Sec 0, a scaling by f has (1-f)², and a change of sign 4, of which the
// score keeps 1; all of them can be turned back, which the notes say.
func TestLinearMaps(t *testing.T) {
	v := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}
	for name, c := range map[string]struct {
		f          func(x float64) float64
		part, want float64
		noted      bool
	}{
		"translation": {func(x float64) float64 { return x + 1000 }, 0, 0, false},
		"scaling":     {func(x float64) float64 { return 1.5 * x }, 0.25, 0.25, true},
		"sign":        {func(x float64) float64 { return -x }, 4, 1, true},
		"constant":    {func(x float64) float64 { return 7 }, 1, 1, false},
		"huge":        {func(x float64) float64 { return -x }, 4, 1, true},
	} {
		x := v
		if name == "huge" {
			x = mapped(v, func(x float64) float64 { return x * 1e307 })
		}
		got, err := differenceTake(tabletest.Of(t, tabletest.Numbers(0, x)...),
			tabletest.Of(t, tabletest.Numbers(0, mapped(x, c.f))...))
		if err != nil || math.Abs(got.Score-c.want) > 1e-12 || math.Abs(got.Parts[0].Score-c.part) > 1e-12 {
			t.Errorf("%s: score %v, part %v, error %v; expected %v and %v", name, got.Score, got.Parts, err, c.want, c.part)
		}
		if noted := strings.Contains(strings.Join(message.Written(got.Notes), "\n"), "a linear guess"); noted != c.noted {
			t.Errorf("%s: the notes are %q", name, got.Notes)
		}
	}
}

// Confidential columns are judged where there are any, then those changed, then all; constant ones, weights and
// identifiers are not.
func TestVarianceDifferenceWhichColumns(t *testing.T) {
	x := tabletest.Of(
		t,
		tabletest.Numbers(0, []float64{1, 2, 3}, []float64{4, 7, 5}, []float64{6, 6, 6}, []float64{1, 1, 2})...)
	y := x.WithNum(1, []float64{5, 7, 5}).WithNum(2, []float64{6, 6, 7}).WithNum(3, []float64{9, 1, 2})
	weigh := func(t *table.Table, j int, r table.Role) *table.Table {
		a := *t.Attr(j)
		a.Role = r
		return t.WithAttr(j, a)
	}
	x, y = weigh(x, 3, table.Weight), weigh(y, 3, table.Weight)
	for name, c := range map[string]struct {
		x, y  *table.Table
		parts string
		note  string
	}{
		"changed":      {x, y, "b", "that the release changes"},
		"confidential": {weigh(x, 0, table.Confidential), weigh(y, 0, table.Confidential), "a", "that are confidential"},
		"all":          {x, x, "ab", "judged are all"},
	} {
		v, err := differenceTake(c.x, c.y)
		names := ""
		for _, p := range v.Parts[:len(v.Parts)/2] {
			names += p.Name.String()
		}
		if err != nil || names != c.parts || !strings.Contains(v.Notes[0].String(), c.note) {
			t.Errorf("%s: %q are judged, notes %q, error %v", name, names, v.Notes, err)
		}
		if left := strings.Contains(strings.Join(message.Written(v.Notes), "\n"),
			"left out"); left != (name != "confidential") {
			t.Errorf("%s: the notes are %q", name, v.Notes)
		}
	}
	r := &measure.Release{Original: x, Released: y}
	if _, err := (&VarianceDifferenceMeter{}).Measure(context.Background(), r, rng.Source{}); !errors.Is(err,
		measure.ErrNotApplicable) {
		t.Errorf("unpaired records: %v", err)
	}
}

func TestVarianceDifferenceSentence(t *testing.T) {
	v := must.Get(differenceTake(tabletest.Of(t, tabletest.Numbers(0, []float64{1, 2, 3, 4}, []float64{1, 2, 3, 5})...),
		tabletest.Of(t, tabletest.Numbers(0, []float64{-1, -2, -3, -4}, []float64{2, 4, 6, 10})...)))(t)
	if got := v.Detail.(VarianceDifferenceDetail).Sentence().String(); !strings.Contains(got, "released b of a person") ||
		!strings.Contains(got, "smallest of 2") {
		t.Errorf("it says %q", got)
	}
}
