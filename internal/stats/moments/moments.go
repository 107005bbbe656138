// Package moments sums numeric columns, their squares and their products without an error, so that means and
// covariances are the same for any order of the records, and for any chunks, cores or shards that they are split over.
//
// A column has a grid: 2^48 steps, of a power of two, from the least value of its range. Values are rounded to it,
// which moves none by more than 2^-48 of the range, and none of a column of whole numbers, or of dyadic fractions, that
// the steps reach. Their numbers on the grid are whole, and so are the sums, in 128 bits.
//
// Missing values (NaN) are taken pairwise: the mean and variance of a column are over the values it has, the covariance
// of two columns over the records that have both. Without missing values this is the ordinary covariance matrix; with
// them it need not be positive semi-definite (mvnorm.Repair makes it so). A column whose values are all equal has
// exactly that mean and the variance 0.
package moments

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// Block is the number of records whose sums are taken together: few enough that the pairs of columns meet in cache.
const Block = 1024

// Range is the least and the largest value of a column, which decide its grid.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Ranges returns those of columns; 0 to 0 of one without values.
func Ranges(cols [][]float64) []Range {
	out := make([]Range, len(cols))
	parallel.Do(len(cols), func(k int) { out[k].Lo, out[k].Hi = table.Range(cols[k]) })
	return out
}

// Indicators returns a column for each of n categories from the second on, in a space: 1 where a record has it, 0 where
// it has another one, missing where that is unknown.
func Indicators(in *mmap.Space, codes []int32, n int) [][]float64 {
	out := mmap.Columns(in, n, len(codes))
	for i, code := range codes {
		switch {
		case code > 0:
			out[code-1][i] = 1
		case code < 0:
			for c := range out {
				out[c][i] = math.NaN()
			}
		}
	}
	return out
}

// Moments are sums over at most 2^32 records of p columns, p x p row by row.
type Moments struct {
	P      int     `json:"p"`
	Ranges []Range `json:"ranges"`
	// Records is the number of records that have both columns k and l; Sums[k*P+l] the sum of column k over these, and
	// Products that of the products, in steps from the lower end of the ranges.
	Records  []uint64      `json:"records"`
	Sums     []exact.Whole `json:"sums"`
	Products []exact.Whole `json:"products"`
}

// New returns the moments of no records of columns of these ranges. A value outside counts as the nearer end.
func New(ranges []Range) *Moments {
	p := len(ranges)
	return &Moments{P: p, Ranges: ranges,
		Records: make([]uint64, p*p), Sums: make([]exact.Whole, p*p), Products: make([]exact.Whole, p*p)}
}

// Of returns the moments of columns of equal length. Cost: O(n p^2), on all cores; twice as much for pairs with missing
// values.
func Of(ctx context.Context, cols [][]float64) (*Moments, error) {
	m := New(Ranges(cols))
	return m, m.Add(ctx, cols)
}

// Add adds records, given by column.
func (m *Moments) Add(ctx context.Context, cols [][]float64) error {
	if len(cols) == 0 {
		return ctx.Err()
	}
	n := len(cols[0])
	sums, err := parallel.With(ctx, (n+Block-1)/Block,
		func() *summer { return newSummer(m.Ranges, min(n, Block)) },
		func(s *summer, b int) error {
			s.block(cols, b*Block, min((b+1)*Block, n))
			return nil
		})
	if err != nil {
		return err
	}
	for _, s := range sums {
		m.Merge(s.Moments)
	}
	return nil
}

// Merge adds the records of other moments, of the same columns in the same ranges.
func (m *Moments) Merge(o *Moments) {
	for k, r := range o.Ranges {
		if r != m.Ranges[k] {
			panic("moments: two ranges of a column")
		}
	}
	for kl := range o.Records {
		m.Records[kl] += o.Records[kl]
		m.Sums[kl] = m.Sums[kl].Plus(o.Sums[kl])
		m.Products[kl] = m.Products[kl].Plus(o.Products[kl])
	}
}

// N returns the number of records that have both columns k and l.
func (m *Moments) N(k, l int) float64 { return float64(m.Records[k*m.P+l]) }

// Mean returns the mean of column k over the records that have column l too; 0 where none has, NaN of an infinite
// range.
func (m *Moments) Mean(k, l int) float64 {
	r, n := m.Ranges[k], m.N(k, l)
	switch {
	case n == 0:
		return 0
	case r.infinite():
		return math.NaN()
	case r.Lo == r.Hi:
		return r.Lo
	}
	rest := math.Ldexp(m.Sums[k*m.P+l].Float64()/n, r.exponent()-1)
	return 2 * (r.Lo/2 + rest)
}

// Co returns the sum of the products of the deviations of columns k and l from their means over the records that have
// both: exactly 0 where one of them is constant there, NaN where one has an infinite range.
func (m *Moments) Co(k, l int) float64 {
	kl, lk := k*m.P+l, l*m.P+k
	n := m.Records[kl]
	switch {
	case n == 0:
		return 0
	case m.Ranges[k].infinite() || m.Ranges[l].infinite():
		return math.NaN()
	}
	return math.Ldexp(exact.Deviation(n, m.Products[kl], m.Sums[kl], m.Sums[lk]),
		m.Ranges[k].exponent()+m.Ranges[l].exponent())
}

// Means returns the mean of every column over the values it has; NaN where it has none.
func (m *Moments) Means() []float64 {
	out := make([]float64, m.P)
	for k := range out {
		out[k] = m.Mean(k, k)
		if m.N(k, k) == 0 {
			out[k] = math.NaN()
		}
	}
	return out
}

// Cov returns the covariance matrix with divisor n-1, pairwise where values are missing; 0 where fewer than two records
// have both columns. It is nil for no columns.
func (m *Moments) Cov() *mat.SymDense {
	if m.P == 0 {
		return nil
	}
	c := mat.NewSymDense(m.P, nil)
	for k := range m.P {
		for l := range k + 1 {
			if n := m.N(k, l); n > 1 {
				c.SetSym(k, l, m.Co(k, l)/(n-1))
			}
		}
	}
	return c
}

// Complete reports whether all moments are over the same records, as they are when no value is missing. Then the
// covariance matrix is positive semi-definite.
func (m *Moments) Complete() bool {
	for _, n := range m.Records {
		if n != m.Records[0] {
			return false
		}
	}
	return true
}
