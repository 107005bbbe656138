package rank

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// Spearman returns the rank correlations of columns, ties counted by mid-ranks. Those of two columns are over the
// records that have both values, ranked among these (pairwise), so with missing values the matrix need not be positive
// semi-definite. It is 0 where a column has one value only, and 1 on the diagonal; nil for no columns. Cost: O(n p^2),
// on all cores, about 3 ns a record and pair, 30 where values are missing.
//
// The sums are of whole numbers, twice the ranks, and exact.
func Spearman(cols []*Ranks) *mat.SymDense {
	p := len(cols)
	if p == 0 {
		return nil
	}
	rho := make([]float64, p*p)
	parallel.Do(p*p, func(at int) {
		if k, l := at/p, at%p; k > l {
			rho[at] = pair(cols[k], cols[l])
		}
	})
	return symmetric(p, func(k, l int) float64 {
		if k == l {
			return 1
		}
		return rho[k*p+l]
	})
}

// pair returns the rank correlation of two columns.
func pair(x, y *Ranks) float64 {
	a, n := x.among(y)
	b, _ := y.among(x)
	if y.known != nil {
		defer mmap.Free(x.room, a)
	}
	if x.known != nil {
		defer mmap.Free(y.room, b)
	}
	xx, yy, xy := product(a, a, n), product(b, b, n), product(a, b, n)
	if xx == 0 || yy == 0 {
		return 0
	}
	return min(max(xy/math.Sqrt(xx)/math.Sqrt(yy), -1), 1)
}

// among returns twice the mid-ranks among the n records that the other column has too; 0 for the others. They are the
// column's own where the other one has all values.
func (r *Ranks) among(other *Ranks) (twice []int32, n int) {
	if other.known == nil {
		return r.twice, len(r.Order)
	}
	twice = mmap.Make[int32](r.room, len(r.twice))
	r.runs(func(a, b int) {
		first := n
		for _, i := range r.Order[a:b] {
			n += int(other.known[i>>6] >> (i & 63) & 1)
		}
		for _, i := range r.Order[a:b] {
			twice[i] = int32(first+1+n) * int32(other.known[i>>6]>>(i&63)&1)
		}
	})
	return twice, n
}

// product returns the sum of the products of twice the ranks of n records less their mean n+1. Records without a rank
// add nothing.
func product(x, y []int32, n int) float64 {
	c, sum, part := int64(n+1), new(big.Int), new(big.Int)
	block := int(min(max(1<<62/(c*c), 1), 4096)) // no sum of so many exceeds 2^62
	for lo := 0; lo < len(x); lo += block {
		s := int64(0)
		b := y[lo:]
		for i, d := range x[lo:min(lo+block, len(x))] {
			if d != 0 {
				s += (int64(d) - c) * (int64(b[i]) - c)
			}
		}
		sum.Add(sum, part.SetInt64(s))
	}
	f, _ := new(big.Float).SetInt(sum).Float64()
	return f
}

// symmetric returns a p x p matrix.
func symmetric(p int, value func(k, l int) float64) *mat.SymDense {
	m := mat.NewSymDense(p, nil)
	for k := range p {
		for l := range k + 1 {
			m.SetSym(k, l, value(k, l))
		}
	}
	return m
}
