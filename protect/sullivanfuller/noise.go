package sullivanfuller

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// masked returns (z+e)/sqrt(1+d), e normal with covariance d R and R the correlations of the scores z. It is the
// conditional law of GADP (Muralidhar, Parsa & Sarathy 1999) that lets a share 1/sqrt(1+d) of the scores through.
// Missing scores (NaN) stay.
func (p *Plan) masked(t *table.Table, src rng.Source, z [][]float64) ([][]float64, error) {
	k, n := len(z), t.Rows()
	y, g := columnsOf(k, n), columnsOf(k, n)
	if k == 0 {
		return y, nil
	}
	r, err := correlation(context.Background(), z)
	if err != nil {
		return nil, err
	}
	law, err := mvnorm.NewLaw(make([]float64, k), r, slices.Repeat([]float64{1 / math.Sqrt(1+p.Noise)}, k))
	if err != nil {
		return nil, err
	}
	ids, first := t.IDs()
	names := p.Changes()
	parallel.Do(k, func(c int) {
		rng.Normals(src.Fork(names[c]).Fork("noise").Stream(), g[c], ids, first)
	})
	if err := adjust(g, z); err != nil {
		return nil, err
	}
	return y, rank.Rows(n, func(lo, hi int) error {
		return law.Draw(rank.Cut(y, lo, hi), rank.Cut(z, lo, hi), rank.Cut(g, lo, hi))
	})
}

// adjust makes of independent normals g ones that have in this very sample means 0, variances 1, and no correlation
// with each other and with the scores z, a missing score counting as 0. So the noise changes no correlation of the
// scores by chance: this is the step that Muralidhar & Sarathy 2005 add to GADP. It halves the error of rank
// correlations of continuous columns, whatever the number of records. Where there are too few records for it, g stays.
func adjust(g, z [][]float64) error {
	k, n := len(g), len(g[0])
	cols := make([][]float64, 0, 2*k)
	for _, c := range z {
		cols = append(cols, filled(c))
	}
	b, err := orthobasis.Of(context.Background(), append(cols, g...))
	if err != nil || b.Rank(k, 2*k) < k {
		return err
	}
	t := mat.NewDense(2*k, k, nil)
	for c := range k {
		t.Set(k+c, c, math.Sqrt(float64(n-1)))
	}
	return b.Map(context.Background(), g, make([]float64, k), t)
}

// filled returns a column with 0 in place of missing values.
func filled(c []float64) []float64 {
	if !slices.ContainsFunc(c, math.IsNaN) {
		return c
	}
	out := slices.Clone(c)
	for i, v := range out {
		if v != v {
			out[i] = 0
		}
	}
	return out
}

// correlation returns the correlations of the scores, 0 for scores that do not vary; pairwise and repaired where values
// are missing.
func correlation(ctx context.Context, z [][]float64) (*mat.SymDense, error) {
	m, err := moments.Of(ctx, z)
	if err != nil {
		return nil, err
	}
	c, r := m.Cov(), mat.NewSymDense(len(z), nil)
	for k := range z {
		for l := range k {
			if v := float64(c.At(k, k) * c.At(l, l)); v > 0 {
				r.SetSym(k, l, min(max(c.At(k, l)/math.Sqrt(v), -1), 1))
			}
		}
		r.SetSym(k, k, 1)
	}
	r, _, err = mvnorm.Repair(r)
	return r, err
}

func columnsOf(k, n int) [][]float64 {
	out := make([][]float64, k)
	for c := range out {
		out[c] = make([]float64, n)
	}
	return out
}
