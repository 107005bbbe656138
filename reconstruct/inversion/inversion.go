// Package inversion undoes the transitions of categories: shares of the original are those of the release times the
// inverse of the matrix.
//
// What it does: for randomised response, PRAM with one probability to stay, multivariate randomised response and FRAPP
// it estimates the shares of an attribute without bias, with their covariance. Of FRAPP the matrix is that of the
// attribute by itself, which the gamma-diagonal of the combinations gives; records of which other columns are missing
// have one of their own.
//
// An estimate may be negative; shares are then 0, and the others are scaled. Unbiased and Covariance are those of the
// estimates as they are.
//
// Errors: the released shares are a sample, and the inverse blows up their errors by its condition number. They are
// analytic: P⁻ᵀ (diag(λ) - λλᵀ) P⁻¹ / n for the shares λ.
//
// Missing values take no part.
//
// Cost: O(values + K³) for K categories.
//
// References: S. L. Warner, JASA 1965; P. Kooiman, L. Willenborg and J. Gouweleeuw, "PRAM", 1997; W. Du and Z. Zhan,
// KDD 2003; S. Agrawal and J. R. Haritsa, ICDE 2005.
package inversion

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/table"
)

// Reconstruction is the catalogue entry.
var Reconstruction = reconstruct.Reconstruction{
	Card: card.Card{
		Name:    "inversion",
		Title:   "Matrix inversion",
		Aliases: []string{"unbiased estimate", "moment estimate"},
		Summary: "Estimates the distribution of categories from the inverse of the transition matrix, without " +
			"bias, and its covariance.",
		Paper:     "Warner 1965; Kooiman, Willenborg & Gouweleeuw 1997; Agrawal & Haritsa 2005",
		Needs:     "categories with a noise model",
		Preserves: "the mean over all releases, exactly",
		Biases:    "only if negative estimates become 0",
		Missing:   "are not used",
		Cost:      "O(values + K³) for K categories",
	},
	New: func() reconstruct.Method { return New() },
}

// Method has no parameters.
type Method struct{}

// New returns the method.
func New() *Method { return &Method{} }

// Params is empty.
func (m *Method) Params() param.Set { return nil }

// Takes categories.
func (m *Method) Takes(p *modelfile.Part) bool {
	return p.Category != nil || p.Group != nil || p.Record != nil
}

// Reconstruct returns the distribution of a column of categories.
func (m *Method) Reconstruct(
	ctx context.Context,
	release *table.Table,
	p *modelfile.Part,
	k int,
) (*reconstruct.Distribution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	whole, _ := p.Marginal(k, nil)
	j := release.Find(p.Columns[k])
	d := &reconstruct.Distribution{Column: p.Columns[k], Labels: reconstruct.Labels(release.Attr(j), len(whole))}
	size := len(whole)
	d.Observed, d.Unbiased, d.Covariance = make([]float64, size), make([]float64, size), mat.NewSymDense(size, nil)
	strata, err := count(release, p, k, size)
	if err != nil {
		return nil, err
	}
	for _, s := range strata {
		matrix, _ := p.Marginal(k, s.present)
		estimate, err := matrix.Estimate(s.counts)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", d.Column, err)
		}
		floats.Add(d.Observed, s.counts)
		floats.Add(d.Unbiased, estimate)
		if err := spread(d.Covariance, matrix, s.counts); err != nil {
			return nil, fmt.Errorf("column %q: %w", d.Column, err)
		}
	}
	n := vector.Sum(d.Observed)
	if n == 0 {
		return nil, fmt.Errorf("column %q has no values", d.Column)
	}
	d.Values = int(n)
	floats.Scale(1/n, d.Observed)
	floats.Scale(1/n, d.Unbiased)
	d.Covariance.ScaleSym(1/n/n, d.Covariance)
	d.Shares = transition.Clip(d.Unbiased)
	for l := range size {
		d.Errors = append(d.Errors, math.Sqrt(max(0, d.Covariance.At(l, l))))
	}
	return d, nil
}

// stratum is records of which the same columns of the part are not missing.
type stratum struct {
	present []bool
	counts  []float64 // by released category
}

// count divides the records by what is missing, in the order in which it occurs; only where a law is one of whole
// records does that matter.
func count(release *table.Table, p *modelfile.Part, k, size int) ([]stratum, error) {
	if len(p.Columns) > 64 {
		return nil, fmt.Errorf("a noise model with %d columns; at most 64 can be estimated together", len(p.Columns))
	}
	var out []stratum
	at := map[uint64]int{}
	cols := make([][]int32, len(p.Columns))
	for c, name := range p.Columns {
		cols[c] = release.Cat(release.Find(name))
	}
	for i, code := range cols[k] {
		if code < 0 {
			continue
		}
		mask := uint64(0)
		if p.Record != nil {
			for c := range cols {
				if cols[c][i] >= 0 {
					mask |= 1 << c
				}
			}
		}
		s, ok := at[mask]
		if !ok {
			s = len(out)
			at[mask] = s
			present := make([]bool, len(cols))
			for c := range present {
				present[c] = mask>>c&1 == 1
			}
			out = append(out, stratum{present, make([]float64, size)})
		}
		out[s].counts[code]++
	}
	return out, nil
}

// spread adds the covariance of the estimated counts: that of the released ones, a sample, between two inverses.
func spread(to *mat.SymDense, m transition.Matrix, counts []float64) error {
	size, n := len(m), vector.Sum(counts)
	sample := mat.NewSymDense(size, nil)
	for x := range size {
		for y := range x + 1 {
			sample.SetSym(x, y, -counts[x]*counts[y]/n)
		}
		sample.SetSym(x, x, counts[x]-counts[x]*counts[x]/n)
	}
	t := mat.NewDense(size, size, nil)
	for x, row := range m {
		for y, p := range row {
			t.Set(y, x, p)
		}
	}
	var left, both mat.Dense
	if err := linalg.Solve(&left, t, sample); err != nil {
		return err
	}
	if err := linalg.Solve(&both, t, left.T()); err != nil {
		return err
	}
	for x := range size {
		for y := range x + 1 {
			to.SetSym(x, y, to.At(x, y)+(both.At(x, y)+both.At(y, x))/2)
		}
	}
	return nil
}
