package posterior

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// TestPointEqualsLikelihoods: asked for one value at a time the likelihoods are those of all at once, with the law
// known and unknown, of what is kept and what is lost.
func TestPointEqualsLikelihoods(t *testing.T) {
	tab := wide(t, 300)
	lost := func(r *measure.Release) *measure.Release {
		v := slices.Clone(r.Released.Num(0))
		v[3], v[70] = math.NaN(), math.NaN()
		r.Released = r.Released.WithNum(0, v)
		return r
	}
	normal := func(r *measure.Release) *measure.Release {
		noise := noisemodel.Noise(tab.Attr(0), 0, wrap.Noise{Spread: 20})
		r.Mechanisms = []noisemodel.Mechanism{
			plan{[]string{"n0"}, func(j int, s *segment.Segment, row int) noisemodel.Kernel { return noise(s, tab, row) }},
		}
		return r
	}
	anew := func(r *measure.Release) *measure.Release {
		r.Mechanisms = []noisemodel.Mechanism{
			plan{[]string{"n0"}, func(int, *segment.Segment, int) noisemodel.Kernel { return noisemodel.Anew{} }},
		}
		return r
	}
	continuous := tabletest.Of(t, table.NumColumn("n0", 0, slices.Clone(tab.Num(0))),
		table.NumColumn("n1", 0, slices.Clone(tab.Num(1))))
	points := 0
	for name, r := range map[string]*measure.Release{
		"normal": normal(released(t, tab, rnat.Method, nil)), "uniform": released(t, tab, rnat.Method, nil),
		"with gaps":  lost(normal(released(t, tab, rnat.Method, nil))),
		"continuous": {Original: continuous, Released: released(t, continuous, rnat.Method, nil).Released, Paired: true},
		"anew":       lost(anew(released(t, tab, rnat.Method, nil))),
		"untouched": {Original: tab, Released: tab, Paired: true,
			Making: measure.Making{Mechanisms: []noisemodel.Mechanism{lawless{"other"}}}},
	} {
		for _, aware := range []bool{true, false} {
			view := &intruder.View{Name: "x", Known: known(2), Technique: aware}
			c := must.Get(NewClues(r, view, Trees{}, options()))(t)
			targets := must.Get(c.Targets(upTo(300)))(t)
			reader, other := targets.Reader(), targets.Reader()
			for clue := range c.All {
				for k := range 300 {
					p, ok := reader.Point(clue, k)
					if !ok {
						continue
					}
					for code, want := range other.Likelihoods(clue, k, false) {
						points++
						if got := p.At(code); math.Abs(got-want) > 1e-12 || got > 1+1e-12 {
							t.Fatalf("%s, aware %v: code %d of clue %d is %v for person %d, expected %v", name, aware, code, clue, got, k,
								want)
						}
						if got := math.Exp(p.Log(code)); math.Abs(got-want) > 1e-9 {
							t.Fatalf("%s, aware %v: by its logarithm code %d of clue %d is %v for person %d, expected %v", name, aware,
								code, clue, got, k, want)
						}
					}
				}
			}
		}
	}
	if points < 100_000 {
		t.Errorf("%d likelihoods were compared", points)
	}
}

// TestPointInside: a number that is drawn anew inside a segment is as likely anywhere in its sub-domain, and nowhere
// else.
func TestPointInside(t *testing.T) {
	values := []float64{math.NaN(), 1, 2, 3, 4}
	f := &fact{column: table.NumColumn("n", 1, values), values: values}
	for _, in := range []table.Interval{{Lo: 2, Hi: 3}, {Lo: 1, Hi: 9}, {Lo: 5, Hi: 9}} {
		s := &segment.Segment{Num: map[int]table.Interval{0: in}}
		want := make([]float64, len(values))
		f.inside(want, s)
		p := &Point{f: f, law: noisemodel.Anew{}, x: 1}
		if some := p.find(nil, s); some != slices.Contains(want, 1) {
			t.Errorf("in %v: some value is likely: %v", in, some)
		}
		for code, w := range want {
			if p.At(code) != w || math.Exp(p.Log(code)) != w {
				t.Errorf("in %v: the likelihood of %v is %v, by its logarithm %v, expected %v", in, values[code], p.At(code),
					math.Exp(p.Log(code)), w)
			}
		}
	}
}
