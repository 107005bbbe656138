package trees

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/linalg"
)

// rounds bounds the iterations of em, settled the change of a mean at which it ends, in shares of the range.
const rounds, settled = 30, 1e-6

// ridge is added to variances, in squared shares of the range.
const ridge = 1e-6

// em returns the mean and the covariance (lower triangle, row by row) of a normal distribution of columns with missing
// values, of which each has one at least, by expectation maximisation (Dempster, Laird & Rubin 1977). Sums are exact,
// so the order of the records is of no matter. Cost: O(n p^2) and O(p^3) by pattern of gaps, for each of 30 rounds.
func em(x [][]float64) (mean, cov []float64) {
	p := len(x)
	mean = make([]float64, p)
	for k := range x {
		if known := slices.DeleteFunc(slices.Clone(x[k]), math.IsNaN); len(known) > 0 {
			mean[k] = exact.Mean(known)
		}
	}
	if p == 0 {
		return mean, []float64{}
	}
	y := make([][]float64, p) // x with what is expected in its gaps
	patterns := byGaps(x)
	for k := range y {
		y[k] = slices.Clone(x[k])
		for i, v := range y[k] {
			if v != v {
				y[k][i] = mean[k]
			}
		}
	}
	more := make([]float64, p*(p+1)/2) // what the spread of what is expected adds to products
	for round := 0; ; round++ {
		was := slices.Clone(mean)
		cov = spread(y, mean, more)
		far := 0.0
		for k := range mean {
			far = max(far, math.Abs(mean[k]-was[k]))
		}
		if len(patterns) == 0 || round == rounds || round > 0 && far < settled {
			return mean, cov
		}
		clear(more)
		for _, g := range patterns {
			g.expect(x, y, more, regress(mean, cov, g.known), cov)
		}
	}
}

// spread sets the means of columns without gaps, and returns their covariance: of products to which more is added.
func spread(y [][]float64, mean, more []float64) (cov []float64) {
	for k := range y {
		mean[k] = exact.Mean(y[k])
	}
	z := make([]float64, len(y[0]))
	for k := range y {
		for l := 0; l <= k; l++ {
			for i := range z {
				z[i] = float64((y[k][i] - mean[k]) * (y[l][i] - mean[l]))
			}
			cov = append(cov, (exact.Of(z)+more[len(cov)])/float64(len(z)))
		}
	}
	return cov
}

// expect sets what is expected in the gaps of the pattern, and adds what that leaves to products.
func (g *pattern) expect(x, y [][]float64, more []float64, r *regression, cov []float64) {
	for a, k := range r.of {
		for _, i := range g.rows {
			y[k][i] = r.expected(a, func(l int) float64 { return x[l][i] })
		}
		for b := 0; b <= a; b++ {
			more[k*(k+1)/2+r.of[b]] += float64(float64(len(g.rows)) * r.left(cov, a, b))
		}
	}
}

// pattern is records with gaps in the same columns.
type pattern struct {
	known []bool
	rows  []int
}

// byGaps returns the patterns that have a gap.
func byGaps(x [][]float64) (out []pattern) {
	at := map[string]int{}
	key := make([]byte, len(x))
	for i := range x[0] {
		some := false
		for k := range x {
			key[k] = 1
			if v := x[k][i]; v != v {
				key[k], some = 0, true
			}
		}
		if !some {
			continue
		}
		n, seen := at[string(key)]
		if !seen {
			n = len(out)
			at[string(key)] = n
			known := make([]bool, len(x))
			for k, b := range key {
				known[k] = b == 1
			}
			out = append(out, pattern{known: known})
		}
		out[n].rows = append(out[n].rows, i)
	}
	slices.SortFunc(out, func(a, b pattern) int { return slices.CompareFunc(a.known, b.known, compare) })
	return out
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// regression is what some columns are expected to be given others: the mean, and a slope for each.
type regression struct {
	mean   []float64
	of, by []int
	slope  [][]float64 // by column of, then by
}

// regress returns the regression of the columns that are not known on those that are.
func regress(mean, cov []float64, known []bool) *regression {
	r := &regression{mean: mean}
	for k, is := range known {
		if is {
			r.by = append(r.by, k)
		} else {
			r.of = append(r.of, k)
		}
	}
	r.slope = make([][]float64, len(r.of))
	for a := range r.slope {
		r.slope[a] = make([]float64, len(r.by))
	}
	if len(r.by) == 0 || len(r.of) == 0 {
		return r
	}
	a, b := mat.NewDense(len(r.by), len(r.by), nil), mat.NewDense(len(r.by), len(r.of), nil)
	for m, k := range r.by {
		for n, l := range r.by {
			a.Set(m, n, covariance(cov, k, l))
		}
		a.Set(m, m, a.At(m, m)+ridge)
		for n, l := range r.of {
			b.Set(m, n, covariance(cov, k, l))
		}
	}
	if linalg.Solve(b, a, b) != nil { // the mean alone
		return r
	}
	for m := range r.by {
		for n := range r.of {
			r.slope[n][m] = b.At(m, n)
		}
	}
	return r
}

func covariance(cov []float64, k, l int) float64 {
	if l > k {
		k, l = l, k
	}
	return cov[k*(k+1)/2+l]
}

// expected returns what column a of those of the regression is expected to be, given the values of the others.
func (r *regression) expected(a int, value func(k int) float64) float64 {
	v := r.mean[r.of[a]]
	for m, k := range r.by {
		v += float64(r.slope[a][m] * (value(k) - r.mean[k]))
	}
	return v
}

// left returns the covariance of two columns of the regression that the known ones leave.
func (r *regression) left(cov []float64, a, b int) float64 {
	v := covariance(cov, r.of[a], r.of[b])
	for m, k := range r.by {
		v -= float64(r.slope[a][m] * covariance(cov, k, r.of[b]))
	}
	return v
}
