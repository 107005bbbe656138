package valuedisclosure

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Additive normal noise of a quarter of the variance on a normal attribute: I = log2(1 + 1/0.25)/2 = 1.161 bits, so the
// loss is 1 - 1/sqrt(5), whether or not the release is shrunk (Kim 1986); and what is counted from 20,000 pairs agrees
// within 0.02. An attribute that the plan leaves alone has no closed form.
func TestNormal(t *testing.T) {
	x, alone := make([]float64, 20_000), make([]float64, 20_000)
	r := rng.New([32]byte{4}).Rand()
	for i := range x {
		x[i], alone[i] = 50+8*r.NormFloat64(), r.NormFloat64()
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0, x), table.NumColumn("alone", 0, alone))
	q := additivenoise.Kim.New().(*additivenoise.KimTechnique)
	q.Except = []string{"alone"}
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{1})))(t)
	out := must.Get(p.Apply(tab, rng.New([32]byte{2})))(t)
	v := must.Get(param.Default(&ConditionalPrivacyMeter{}).Measure(
		t.Context(),
		&measure.Release{
			Original: tab,
			Released: out,
			Paired:   true,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{p}},
		},
		rng.Source{},
	))(t)
	d := v.Detail.(ConditionalPrivacyDetail)
	n := d.Columns[0].Normal
	if n == nil || d.Columns[1].Normal != nil {
		t.Fatalf("closed forms %+v and %+v", n, d.Columns[1].Normal)
	}
	protecttest.Near(t, "loss", n.Loss, 1-1/math.Sqrt(5), 1e-9)
	protecttest.Near(t, "noise", n.Noise, 4, 0.1)
	protecttest.Near(t, "privacy before", n.Before, 8*math.Sqrt(2*math.Pi*math.E), 0.5)
	protecttest.Near(t, "privacy left", n.After, n.Before/math.Sqrt(5), 1e-9)
	protecttest.Near(t, "interval of 95 %", n.Intervals[1].Width, 2*1.959964*n.Noise, 1e-4*n.Noise)
	protecttest.Near(t, "loss by pairs", d.Columns[0].Loss, n.Loss, 0.02)
}
