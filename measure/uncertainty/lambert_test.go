package uncertainty_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func take(t *testing.T, r *measure.Release, set map[string]string) (measure.Value, uncertainty.LambertDetail) {
	t.Helper()
	m := uncertainty.Lambert.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(uncertainty.LambertDetail)
}

// matrix is a plan whose law is a matrix: P[x][y] for the numbers 0, 1, 2.
type matrix struct{ p *[3][3]float64 }

func (m matrix) Changes() []string                 { return []string{"x"} }
func (m matrix) P(x, y float64) float64            { return m.p[int(x)][int(y)] }
func (m matrix) Schema() []table.Attribute         { return []table.Attribute{{Name: "x"}} }
func (m matrix) Law(int) (noisemodel.Column, bool) { return noisemodel.Everywhere(m), true }

// TestByHand has three persons whose beliefs are the rows of a matrix: D_max, D_avg and D_tau, and a wrong belief that
// counts as perceived only (Lambert 1993).
func TestByHand(t *testing.T) {
	column := func(v ...float64) *table.Table { return tabletest.Of(t, table.NumColumn("x", 1, v)) }
	plan := matrix{&[3][3]float64{{0.7, 0.2, 0.1}, {0.1, 0.3, 0.6}, {0.4, 0.2, 0.4}}}
	r := &measure.Release{
		Original: column(0, 1, 2),
		Released: column(0, 1, 2),
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{plan}},
	}
	v, d := take(t, r, nil)
	for what, c := range map[string][2]float64{
		"D_avg": {v.Score, 1.7 / 3}, "D_max": {d.Largest, 0.7}, "D_0.5": {d.Above, 2. / 3},
		"true": {*d.True, (1 + 0.5) / 3}, "above tau and true": {*d.Both, 1. / 3},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s is %v, expected %v", what, c[0], c[1])
		}
	}
	if got := d.Records(); math.Abs(got[0]-0.7)+math.Abs(got[1]-0.6)+math.Abs(got[2]-0.4) > 1e-12 {
		t.Errorf("records %v", got)
	}
	if want := "It claims to have found 66.7 % of the people with a probability above 0.5, and is right for 33.3 % " +
		"of all."; d.Sentence().String() != want {
		t.Errorf("sentence %q", d.Sentence().String())
	}
	if _, d := take(t, r, map[string]string{"tau": "0.65"}); math.Abs(d.Above-1./3) > 1e-12 {
		t.Errorf("D_0.65 is %v", d.Above)
	}
	r.Paired = false
	if v, d := take(t, r, nil); d.True != nil || d.Both != nil || len(v.Parts) != 2 ||
		strings.Contains(d.Sentence().String(), "right") {
		t.Errorf("unpaired: %+v", v)
	}
}

// TestBothEnds: of unique records released as they are the intruder is certain, and right; uniform noise leaves 1/n.
func TestBothEnds(t *testing.T) {
	tab := protecttest.Mixed(250)
	var rows []int
	seen := map[float64]bool{}
	for i, v := range tab.Num(1) {
		if !seen[v] {
			rows = append(rows, i)
		}
		seen[v] = true
	}
	tab = tab.Gather(rows)
	who := &intruder.Intruder{Name: "knows the income", Knows: []string{"income"}}
	v, d := take(t, (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(who), nil)
	if v.Score != 1 || *d.True != 1 || *d.Both != 1 {
		t.Errorf("the original: %+v", d)
	}
	p := must.Get(rnat.New().Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	v, d = take(
		t,
		(&measure.Release{Original: tab, Released: out, Paired: true,
			Making: measure.Making{Mechanisms: []noisemodel.Mechanism{p}}}).Against(who),
		nil,
	)
	if n := float64(len(rows)); v.Score > 1.01/n || d.Above != 0 || *d.True > 5/n {
		t.Errorf("uniform noise: %+v", d)
	}
}

// TestSample: the largest risk of a sample is not that of all.
func TestSample(t *testing.T) {
	tab := protecttest.Mixed(250)
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	if v, _ := take(t, r, nil); v.Parts[0].Name.String() != "largest perceived risk" {
		t.Errorf("of all persons: %q", v.Parts[0].Name.String())
	}
	if v, d := take(t, r, map[string]string{"pairs": "1"}); d.Targets != 100 ||
		v.Parts[0].Name.String() != "largest perceived risk of the sample" {
		t.Errorf("of %d persons: %q", d.Targets, v.Parts[0].Name.String())
	}
}
