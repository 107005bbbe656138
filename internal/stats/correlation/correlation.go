// Package correlation computes the means, standard deviations, covariances and Pearson correlations that measures
// compare.
//
// Missing values (NaN) are taken pairwise: the mean and the standard deviation of a column are over the values it has,
// the covariance and the correlation of two columns over the records that have both, with the means and variances of
// these records. So a correlation is that of a set of records and lies in [-1, 1], which the ratio of a pairwise
// covariance and two standard deviations need not.
package correlation

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Limit is the largest number of columns: the matrices hold its square.
const Limit = 1000

// Statistics are of p columns. Both matrices are p x p and symmetric.
type Statistics struct {
	Mean []float64   // NaN where all values are missing
	SD   []float64   // divisor n-1; NaN below two values
	Cov  [][]float64 // divisor n-1; NaN where fewer than two records have both columns
	Corr [][]float64 // NaN where, besides, one of the two columns is constant on these records
}

// Of returns the statistics of columns of equal length. It fails above Limit columns. The result does not depend on the
// number of cores. Cost: O(n p^2), on all cores; some three times as much for pairs of columns with missing values.
func Of(ctx context.Context, cols [][]float64) (*Statistics, error) { return within(ctx, cols, nil) }

// within is Of with the values of pairs in a space.
func within(ctx context.Context, cols [][]float64, s *mmap.Space) (*Statistics, error) {
	p := len(cols)
	if p > Limit {
		return nil, fmt.Errorf("the table has %d numeric columns, at most %d can be correlated", p, Limit)
	}
	m, err := moments.Of(ctx, cols)
	if err != nil {
		return nil, err
	}
	out := &Statistics{Mean: m.Means(), SD: make([]float64, p), Cov: square(p), Corr: square(p)}
	var room [2][]float64
	defer func() { mmap.Free(s, room[0]); mmap.Free(s, room[1]) }()
	for k := range p {
		for l := range k + 1 {
			q := product{n: m.N(k, l), xx: m.Co(k, k), xy: m.Co(k, l), yy: m.Co(l, l)}
			if q.n != m.N(k, k) || q.n != m.N(l, l) {
				if room[0] == nil {
					room = [2][]float64{mmap.Make[float64](s, len(cols[k])), mmap.Make[float64](s, len(cols[k]))}
				}
				if q, err = productOf(ctx, both(room, cols[k], cols[l])); err != nil {
					return nil, err
				}
			}
			out.Cov[k][l], out.Corr[k][l] = q.covariance(), q.correlation()
			out.Cov[l][k], out.Corr[l][k] = out.Cov[k][l], out.Corr[k][l]
		}
		out.SD[k] = math.Sqrt(out.Cov[k][k])
	}
	return out, nil
}

// OfTable returns the statistics of the numeric columns cols of a table. What it needs for each record is in the
// table's space.
func OfTable(ctx context.Context, t *table.Table, cols []int) (*Statistics, error) {
	values := make([][]float64, len(cols))
	for k, j := range cols {
		values[k] = t.Num(j)
	}
	return within(ctx, values, t.Space())
}

func square(p int) [][]float64 {
	out := make([][]float64, p)
	for k := range out {
		out[k] = make([]float64, p)
	}
	return out
}

// both returns the values of the records that have both, in room for all.
func both(room [2][]float64, x, y []float64) [2][]float64 {
	a, b := room[0][:0], room[1][:0]
	for i, v := range x {
		if w := y[i]; v == v && w == w {
			a, b = append(a, v), append(b, w)
		}
	}
	return [2][]float64{a, b}
}

// product holds the sums of products of the deviations of two variables from their means over n records.
type product struct{ n, xx, xy, yy float64 }

func productOf(ctx context.Context, pair [2][]float64) (product, error) {
	m, err := moments.Of(ctx, pair[:])
	if err != nil {
		return product{}, err
	}
	return product{n: m.N(0, 1), xx: m.Co(0, 0), xy: m.Co(0, 1), yy: m.Co(1, 1)}, nil
}

func (p product) covariance() float64 {
	if p.n < 2 {
		return math.NaN()
	}
	return p.xy / (p.n - 1)
}

// correlation returns Pearson's correlation. A constant variable has exactly the sum of squares 0.
func (p product) correlation() float64 {
	if p.n < 2 || p.xx == 0 || p.yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, p.xy/math.Sqrt(p.xx)/math.Sqrt(p.yy)))
}

// Furthest returns the pair whose correlation differs most between two matrices, j below i, and by how much; ok is
// false when no pair is defined in both.
func Furthest(a, b [][]float64) (i, j int, by float64, ok bool) {
	for p := range a {
		for q := range p {
			if d := math.Abs(a[p][q] - b[p][q]); d > by || d == by && !ok {
				i, j, by, ok = p, q, d, true
			}
		}
	}
	return i, j, by, ok
}
