package multiplicativenoise

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/table"
)

// Additive reads a release as original plus noise, z = x + e (noisemodel.Additive). The noise grows with the value; its
// covariance is that averaged over the records, estimated from the release. Scheme 1: z is the release and the noises
// are uncorrelated, of variance s2 mean(x²). Scheme 2: z is the release scaled to the original's mean.
func (p *Plan) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	names = p.Changes()
	z = make([][]float64, len(names))
	for k, name := range names {
		j := released.Find(name)
		if j < 0 || released.Attr(j).Kind != table.Numeric {
			return nil, nil, nil, fmt.Errorf("the release has no numeric column %q", name)
		}
		z[k] = released.Num(j)
		if p.Log != nil {
			z[k] = p.Log.unbiased(k, z[k])
		}
	}
	if len(names) == 0 {
		return nil, nil, nil, nil
	}
	m, err := moments.Of(context.Background(), z)
	if err != nil {
		return nil, nil, nil, err
	}
	noise = mat.NewSymDense(len(names), nil)
	for i := range names {
		for j := range i + 1 {
			if share, hi, hj := p.noiseShare(i, j); share != 0 {
				noise.SetSym(i, j, float64(share*product(m, i, j, hi, hj)))
			}
		}
	}
	noise, _, err = mvnorm.Repair(noise)
	return names, z, noise, err
}

// noiseShare returns the share of the mean of (z_i + hi)(z_j + hj) that is noise.
func (p *Plan) noiseShare(i, j int) (share, hi, hj float64) {
	if p.Log != nil {
		return -portable.Expm1(-p.Log.Noise[i*len(p.Columns)+j]), p.Log.Shift[i], p.Log.Shift[j]
	}
	if v := p.Factor.Variance(); i == j {
		return v / (1 + v), 0, 0
	}
	return 0, 0, 0
}

// product returns the mean of (z_i + hi)(z_j + hj) over the records that have both.
func product(m *moments.Moments, i, j int, hi, hj float64) float64 {
	n := m.N(i, j)
	if n == 0 {
		return 0
	}
	return m.Co(i, j)/n + float64((m.Mean(i, j)+hi)*(m.Mean(j, i)+hj))
}

// unbiased divides what the released values exceed -h by, by the mean of the factor.
func (l *Log) unbiased(k int, y []float64) []float64 {
	h, f := l.Shift[k], portable.Exp(l.variance(k)/2-l.centre(k))
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = (v+h)/f - h
	}
	return out
}
