package reconstruct_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/reconstruct"
)

// Gamma is the largest ratio of two rows of the matrix, for laws whose matrix is finite; of the others no ratio is the
// largest.
func TestGamma(t *testing.T) {
	keep, none := 0.25, 0.0
	for name, c := range map[string]struct {
		n    modelfile.Number
		want float64
	}{
		"kept or drawn":    {modelfile.Number{High: 4, Step: 1, Keep: &keep}, (0.25 + 0.15) / 0.15},
		"always drawn":     {modelfile.Number{High: 4, Keep: &none}, 1},
		"kept, continuous": {modelfile.Number{High: 4, Keep: &keep}, math.Inf(1)},
		"uniform":          {modelfile.Number{High: 4, Uniform: 9}, math.Inf(1)},
		"normal":           {modelfile.Number{High: 4, Normal: 9}, math.Inf(1)},
		"classes":          {modelfile.Number{High: 4, Step: 1, Classes: 2}, math.Inf(1)},
		"hole with ends":   {modelfile.Number{High: 4, Normal: 9, Epsilon: 1, Ends: true}, math.Inf(1)},
	} {
		p, ok := reconstruct.PrivacyOf(&modelfile.Part{Columns: []string{"x"}, Number: &c.n}, 0)
		if !ok || math.Abs(p.Gamma-c.want) > 1e-9 && p.Gamma != c.want {
			t.Errorf("%s: gamma %v; expected %v", name, p.Gamma, c.want)
		}
	}
	// With ends it is finite: that of ever finer cells comes up to it.
	for _, sd := range []float64{20, 40} {
		n := modelfile.Number{High: 40, Normal: sd, Ends: true}
		p, _ := reconstruct.PrivacyOf(&modelfile.Part{Columns: []string{"x"}, Number: &n}, 0)
		edges := must.Get(reconstruction.Edges(0, 40, 0, 400))(t)
		if got := randomised.Gamma(reconstruction.Transitions(edges, edges, n.Law(), 0)); math.Abs(got/p.Gamma-1) > 0.05 ||
			got > p.Gamma*1.0001 {
			t.Errorf("deviation %v: gamma %v; of 400 cells %v", sd, p.Gamma, got)
		}
	}
	p, _ := reconstruct.PrivacyOf(
		&modelfile.Part{Columns: []string{"x"}, Category: &modelfile.Category{Categories: 4, Keep: 19.0 / 22}}, 0)
	if down, up := randomised.Posterior(0.05, p.Gamma); math.Abs(p.Gamma-19) > 1e-9 || math.Abs(up-0.5) > 1e-9 ||
		math.Abs(down-0.002762) > 1e-6 {
		t.Errorf("gamma %v, 5 %% becomes %v to %v", p.Gamma, down, up)
	}
}

// X uniform on [0, 1] with uniform noise as wide: Pi(X|Y) is 1/sqrt e, and the widths are those of the noise.
func TestConditional(t *testing.T) {
	n := modelfile.Number{High: 1, Uniform: 0.5}
	part := &modelfile.Part{Columns: []string{"x"}, Number: &n}
	edges := must.Get(reconstruction.Edges(0, 1, 0, 200))(t)
	d := &reconstruct.Distribution{Column: "x", Edges: edges, Shares: make([]float64, 200)}
	for k := range d.Shares {
		d.Shares[k] = 1.0 / 200
	}
	f, err := d.Conditional(part, 0)
	if err != nil || math.Abs(f.Privacy()-1) > 1e-9 || math.Abs(f.Remaining()-math.Exp(-0.5)) > 0.01 {
		t.Errorf("privacy %v, %v left; expected 1 and %v; %v", f.Privacy(), f.Remaining(), math.Exp(-0.5), err)
	}
	p, _ := reconstruct.PrivacyOf(part, 0)
	if math.Abs(p.Widths[1]-0.95) > 1e-12 || math.Abs(p.Entropy-1) > 1e-12 {
		t.Errorf("%+v", p)
	}
}
