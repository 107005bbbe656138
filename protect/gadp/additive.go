package gadp

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// Additive reads a release as original plus noise (noisemodel.Additive), for the columns of which something is let
// through: an intruder who has the plan and S takes away (1 - a) F and divides by a. The covariance of the noise is
// that of records without missing values of S. Without such columns it returns nothing.
func (p *GADPPlan) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	var at []int // positions in X
	dial := p.Dial()
	for k, a := range dial {
		if a > 0 {
			at, names = append(at, k), append(names, p.Attrs[p.Columns[k]].Name)
		}
	}
	if len(at) == 0 {
		return nil, nil, nil, nil
	}
	if released, err = released.Conform(p.Attrs, false); err != nil {
		return nil, nil, nil, err
	}
	f, err := p.fitted(released)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := mvnorm.Noise(p.cov(), dial)
	if err != nil {
		return nil, nil, nil, err
	}
	noise = mat.NewSymDense(len(at), nil)
	for r, k := range at {
		a := dial[k]
		col := make([]float64, released.Rows())
		for i, y := range released.Num(p.Columns[k]) {
			col[i] = (y - float64((1-a)*f[k][i])) / a
		}
		z = append(z, col)
		for c, l := range at[:r+1] {
			noise.SetSym(r, c, all.At(k, l)/a/dial[l])
		}
	}
	return names, z, noise, nil
}

// fitted returns F, what S tells of every column X.
func (p *GADPPlan) fitted(t *table.Table) ([][]float64, error) {
	law, err := mvnorm.NewLaw(p.Mean, p.cov(), make([]float64, len(p.Columns)))
	if err != nil {
		return nil, err
	}
	f, none := make([][]float64, len(p.Columns)), make([]float64, t.Rows())
	z := make([][]float64, len(p.Columns))
	for k := range f {
		f[k], z[k] = make([]float64, t.Rows()), none
	}
	return f, law.Draw(f, p.Records(t), z)
}

// Corrections says how a user of the release works out means in groups of records that were not given. F is worked out
// from the release, whose means and covariances are those of the original.
// Where other covariances were wanted there are none: the release does not tell those of the original.
func (p *GADPPlan) Corrections() []message.Sentence {
	if p.Wanted != nil {
		return nil
	}
	return p.GroupMeans(p.crossings(fence.Forced))
}

// crossings returns the share of the values of each column outside its domain, by fence.Beyond or fence.Forced.
func (p *GADPPlan) crossings(share func(a *table.Attribute, outside string, mean, sd float64) float64) []float64 {
	if len(p.Columns) == 0 {
		return nil
	}
	cov, out := p.released(), make([]float64, len(p.Columns))
	for k, j := range p.Columns {
		out[k] = share(&p.Attrs[j], p.Outside, p.Mean[k], math.Sqrt(cov.At(k, k)))
	}
	return out
}
