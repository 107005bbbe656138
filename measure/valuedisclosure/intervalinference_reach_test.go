package valuedisclosure

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/publicnoise"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Uniform noise of public law betrays who is released beyond its reach: the nearer to the end of the domain, the fewer
// originals are left (Islam 2007, section 3.2.2: an age of 120 under noise up to 50 is 70 at least). Normal noise as
// wide betrays nobody.
func TestBeyondTheReach(t *testing.T) {
	v := make([]float64, 2000)
	for i := range v {
		v[i] = float64(i % 101)
	}
	tab := tabletest.Must(table.NumColumn("age", 1, v))
	for noise, betrayed := range map[string]bool{publicnoise.Uniform: true, publicnoise.Normal: false} {
		q := publicnoise.AgrawalSrikant.New().(*publicnoise.DistortionTechnique)
		q.Noise, q.Privacy = noise, 50
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
		r := &measure.Release{
			Original: tab,
			Released: out,
			Paired:   true,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{p.(noisemodel.Mechanism)}},
		}
		m := New()
		m.Targets, m.Confidence = len(v), 100
		got := must.Get(m.Measure(t.Context(), r, protecttest.Seed(3)))(t)
		if (got.Score > 0.01) != betrayed {
			t.Errorf("%s noise: of a share of %v at most a tenth of the ages is left", noise, got.Score)
		}
	}
}
