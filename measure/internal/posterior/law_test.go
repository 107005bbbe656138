package posterior

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// TestEstimate reads the law off pairs of values.
func TestEstimate(t *testing.T) {
	nan := math.NaN()
	was := table.NumColumn("x", 1, []float64{1, 2, 3, 4, nan})
	for _, c := range []struct {
		is   []float64
		want noisemodel.Kernel
	}{
		{[]float64{1, 2, 3, 4, nan}, noisemodel.Kept{}},
		{[]float64{1, 2, 3, 4, 7}, noisemodel.Kept{}}, // what is missing before does not count
		{[]float64{nan, 2, 3, nan, nan}, moved{stays: 0.5, lost: 0.5}},
		{[]float64{4, 2, nan, 8, nan}, moved{stays: 0.25, lost: 0.25, sd: math.Sqrt(12.5),
			density: 0.5 / math.Sqrt(12.5*2*math.Pi)}},
	} {
		got := estimate(was, table.NumColumn("x", 1, c.is))
		if k, ok := got.(moved); ok { // to rounding
			want := c.want.(moved)
			near(t, "the density", k.density, want.density, 1e-15)
			k.density = want.density
			got = k
		}
		if got != c.want {
			t.Errorf("%v: %+v, expected %+v", c.is, got, c.want)
		}
	}
	codes := func(v ...int32) table.Column { return table.CatColumn("c", []string{"a", "b", "c"}, v) }
	if got, want := estimate(codes(0, 1, 2, 2, -1), codes(0, 2, -1, 2, 1)), (exchanged{0.5, 0.25, 0.125}); got != want {
		t.Errorf("%+v, expected %+v", got, want)
	}
	if got := estimate(codes(-1, -1), codes(-1, 0)); got != (noisemodel.Kept{}) {
		t.Errorf("a column all missing has %+v", got)
	}
}

// TestGuessedLaws: probabilities are never negative, missing values have theirs, categories sum to 1, and numbers on a
// grid nearly so.
func TestGuessedLaws(t *testing.T) {
	k := moved{stays: 0.3, lost: 0.1, sd: 4, density: 0.6 / (4 * math.Sqrt(2*math.Pi))}
	sum := k.P(0, math.NaN())
	for y := -24.0; y <= 24; y++ {
		sum += k.P(0, y)
	}
	near(t, "the sum over a grid", sum, 1, 1e-6)
	if k.P(0, 1e9) != k.P(0, 24) || k.P(0, 1e9) <= 0 {
		t.Error("a far move is not as likely as one of six standard deviations")
	}
	if (moved{stays: 0.5, lost: 0.5}).P(1, 2) != 0 {
		t.Error("values that only stay or vanish move")
	}
	c := exchanged{0.5, 0.2, 0.15}
	near(t, "the sum over categories", c.P(1, -1)+c.P(1, 0)+c.P(1, 1)+c.P(1, 2), 1, 1e-15)
	if (noisemodel.Kept{}).P(math.NaN(), math.NaN()) != 1 || (noisemodel.Kept{}).P(1, math.NaN()) != 0 ||
		(anything{}).P(1, math.NaN()) != 1 {
		t.Error("missing values")
	}
}

// TestSmooth compares the table with the law: equal to rounding where every move is in it, to 1e-6 of the peak, and
// relatively to that times the square of the standard deviations, where it interpolates.
func TestSmooth(t *testing.T) {
	for _, c := range []struct {
		iv    table.Interval
		step  float64
		share float64
		error float64
	}{
		{table.Interval{Lo: 1, Hi: 100}, 1, 0.3333, 1e-13}, {table.Interval{Lo: -5, Hi: 5}, 0.01, 0.02, 1e-13},
		{table.Interval{Lo: 0, Hi: 99_999}, 1, 0.3333, 1e-6}, {table.Interval{Lo: 0, Hi: 99_999}, 1, 0.02, 1e-6},
		{table.Interval{Lo: 0, Hi: 3}, 0, 0.3333, 1e-6}, {table.Interval{Lo: -1e6, Hi: 1e-3, OpenLo: true}, 0, 0.05, 1e-6},
	} {
		d := wrap.On(c.iv, c.step)
		k := wrap.NoiseKernel{Domain: d, SD: c.share * d.Size()}
		s := newSmooth(k)
		if s == nil {
			t.Fatalf("%v: no table", c)
		}
		lo, hi := d.Limits()
		values := []float64{math.NaN(), lo - 1e9, lo - 2*d.Step()}
		for e := range 1000 {
			values = append(values, d.Clip(lo+(hi-lo)*float64(e)/999))
		}
		values = append(values, hi+2*d.Step(), hi+1e9)
		for _, share := range []float64{0, 0.123, 0.5, 0.999, 1} {
			x := d.Clip(lo + share*(hi-lo))
			got := make([]float64, len(values))
			s.add(got, values, x)
			for e, y := range values {
				if want := k.P(x, y) / k.P(lo, lo); math.Abs(got[e]-want) > c.error {
					t.Fatalf("%v: P(%v, %v) is %v, expected %v", c, x, y, got[e], want)
				}
			}
		}
	}
	d := wrap.On(table.Interval{Lo: 0, Hi: 1e6}, 1)
	for _, k := range []noisemodel.Kernel{noisemodel.Kept{}, wrap.UniformKernel{Domain: d},
		wrap.NoiseKernel{Domain: d, SD: 3}, wrap.NoiseKernel{Domain: d}} {
		if newSmooth(k) != nil {
			t.Errorf("%+v has a table", k)
		}
	}
}

// additive is a plan of additive noise.
type additive struct {
	names []string
	noise *mat.SymDense
	mute  []string // columns it changes and does not name
}

func (p additive) Schema() []table.Attribute { return nil }

func (p additive) Changes() []string { return append(p.mute, p.names...) }

func (p additive) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	for _, n := range p.names {
		z = append(z, released.Num(released.Find(n)))
	}
	return p.names, z, p.noise, nil
}

// TestJointScales: attributes of very different scales, with noise that is nearly the same in both, keep their own
// precision; where there is no noise at all, values are compared as they are.
func TestJointScales(t *testing.T) {
	small, large := []float64{1, 2, 3, 4}, []float64{1e7, 2e7, 3e7, 2e7}
	tab := tabletest.Of(t, table.NumColumn("small", 0, small), table.NumColumn("large", 0, large))
	noise := mat.NewSymDense(2, []float64{1, 0.9e7, 0.9e7, 1e14})
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Making: measure.Making{
			Mechanisms: []noisemodel.Mechanism{additive{names: []string{"small", "large"}, noise: noise}},
		},
	}
	s := study(t, r, options())
	joint, _ := distmv.NewNormal([]float64{1, 1e7}, noise, nil)
	sum := 0.0
	for i := range small {
		sum += joint.Prob([]float64{small[i], large[i]})
	}
	near(t, "the own record", s.Own[0], joint.Prob([]float64{1, 1e7})/sum, 1e-9)

	r = &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Making: measure.Making{
			Mechanisms: []noisemodel.Mechanism{additive{names: []string{"small"}, noise: mat.NewSymDense(1, nil)}},
		},
	}
	s = study(t, r, options(), "small")
	if s.H[0] != 0 || s.Hit[0] != 1 {
		t.Errorf("without noise %+v", s)
	}
}

// TestJointMissing: what the target misses is not known, and a record that misses what the target has is not the
// target's.
func TestJointMissing(t *testing.T) {
	nan := math.NaN()
	tab := tabletest.Of(t, table.NumColumn("a", 0, []float64{1, nan, 3}), table.NumColumn("b", 0, []float64{1, 1, nan}))
	noise := mat.NewSymDense(2, []float64{1, 0.5, 0.5, 1})
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{additive{names: []string{"a", "b"}, noise: noise}}},
	}
	s := study(t, r, options())
	near(t, "the first record, complete", s.Own[0], 1, 1e-12)
	near(t, "the second, known by b, which two have", s.Own[1], 0.5, 1e-12)
	near(t, "the third, known by a", s.Own[2], 1/(1+math.Exp(-2)), 1e-9)
}

// TestMuteColumns: a column that an additive plan changes and does not name tells nothing.
func TestMuteColumns(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, 2, 3, 4}))
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{additive{mute: []string{"a"}}}},
	}
	s := study(t, r, options(), "a")
	near(t, "the entropy", s.H[0], 2, 1e-12)
	for _, n := range s.Notes {
		t.Logf("note: %s", n)
	}
}

// TestSpacesAreBounded: more patterns of knowledge than there is room for give the same beliefs.
func TestSpacesAreBounded(t *testing.T) {
	tab := wide(t, 60).Select(0, 1)
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Making: measure.Making{Mechanisms: []noisemodel.Mechanism{additive{names: []string{"n0", "n1"},
			noise: mat.NewSymDense(2, []float64{900, 100, 100, 400})}}},
	}
	view := &intruder.View{InFile: true, Technique: true, Known: known(2)}
	view.Known[0].Bands = []float64{100, 200, 300, 400, 500, 600, 700, 800, 900}
	var h [2][]float64
	for full := range h {
		m := must.Get(NewMatcher(context.Background(), r, view, options()))(t)
		j := m.levels[len(m.levels)-1].evidence.(*joint)
		j.held = full * (mostHeld + 1)
		s := must.Get(m.Study(context.Background(), measure.Targets{Rows: upTo(60)}))(t)
		if h[full] = s.H; j.held > 60*2*11 {
			t.Errorf("%d numbers are held", j.held)
		}
	}
	if !slices.Equal(h[0], h[1]) {
		t.Error("giving up what is held changes beliefs")
	}
}

// TestSilent: what is dealt out or drawn anew inside a segment tells nothing but that; a law that is flat by chance, or
// not known, may have drawn from outside it.
func TestSilent(t *testing.T) {
	numbers := &fact{column: table.NumColumn("n", 1, []float64{1, 2}), values: []float64{1, 2}}
	letters := &fact{
		column: table.CatColumn("c", []string{"a", "b"}, []int32{0, 1}),
		values: []float64{-1, 0, 1},
		labels: 2,
	}
	later := &fact{column: letters.column, values: letters.values, labels: 1}
	for _, c := range []struct {
		f    *fact
		law  noisemodel.Kernel
		want bool
	}{
		{numbers, noisemodel.Anew{}, true}, {letters, noisemodel.Dealt{}, true}, {later, noisemodel.Dealt{}, false},
		{letters, noisemodel.Exchanged{N: 2, Share: 0.5}, false},
		{letters, noisemodel.Kept{}, false}, {letters, anything{}, false},
	} {
		if got := c.f.silent(c.law, 0); got != c.want {
			t.Errorf("%T of column %q tells nothing: %v, expected %v", c.law, c.f.column.Name, got, c.want)
		}
	}
}
