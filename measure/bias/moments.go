package bias

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/table"
)

// block is how many records one partial sum covers. It is fixed, and partial sums are added in the order of the blocks, so that a
// result does not depend on the number of cores. Sums of blocks also lose less to rounding than one long sum.
const block = 4096

// moments are the means, standard deviations and correlations of some numeric columns.
type moments struct {
	mean, sd []float64
	corr     [][]float64
}

// momentsOf takes two passes: the means, then sums of products of the values less their means, which do not cancel. Values are
// taken pair by pair where both are there. Cost O(n p^2).
func momentsOf(ctx context.Context, t *table.Table, cols []int) (moments, error) {
	m := moments{mean: make([]float64, len(cols)), sd: make([]float64, len(cols)), corr: make([][]float64, len(cols))}
	columns := make([][]float64, len(cols))
	constant := make([]bool, len(cols))
	for k, j := range cols {
		columns[k] = t.Num(j)
		lo, hi := table.Range(columns[k])
		constant[k] = lo == hi
	}
	sums, err := overBlocks(ctx, t.Rows(), 2*len(cols), func(lo, hi int, dst []float64) { addValues(columns, lo, hi, dst) })
	if err != nil {
		return m, err
	}
	complete := make([]bool, len(cols))
	for k := range cols {
		m.mean[k] = sums[2*k+1] / sums[2*k]
		complete[k] = int(sums[2*k]) == t.Rows()
	}
	pairs := len(cols) * (len(cols) + 1) / 2
	sums, err = overBlocks(ctx, t.Rows(), pairs*len(product{}), func(lo, hi int, dst []float64) {
		addProducts(columns, m.mean, complete, lo, hi, dst)
	})
	if err != nil {
		return m, err
	}
	for k := range cols {
		m.corr[k] = make([]float64, len(cols))
	}
	at := 0
	for k := range cols {
		for l := range k + 1 {
			p := product(sums[at : at+len(product{})])
			at += len(product{})
			r := p.correlation()
			if constant[k] || constant[l] {
				r = math.NaN()
			}
			if k == l {
				m.sd[k] = p.sd(constant[k])
				if !math.IsNaN(r) {
					r = 1
				}
			}
			m.corr[k][l], m.corr[l][k] = r, r
		}
	}
	return m, nil
}

// product holds the sums of one pair of columns x and y over the records that have both: n, x, y, x^2, y^2, xy. Values are
// less their column's mean.
type product [6]float64

// sd returns the standard deviation with divisor n-1; NaN below two values.
func (p product) sd(constant bool) float64 {
	if constant && p[0] > 1 {
		return 0
	}
	return math.Sqrt(max(0, p[3]-p[1]*p[1]/p[0]) / (p[0] - 1))
}

// correlation returns Pearson's correlation, NaN where a variable does not vary. Means over the pair's records differ from those
// of the columns when values are missing; the corrections are exact but for rounding, and what remains of a variance within 1e-12
// of its sum of squares is rounding.
func (p product) correlation() float64 {
	n, x, y := p[0], p[1], p[2]
	xx, yy, xy := p[3]-x*x/n, p[4]-y*y/n, p[5]-x*y/n
	if !(n > 1 && xx > 1e-12*p[3] && yy > 1e-12*p[4]) {
		return math.NaN()
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
}

// addValues adds the number and the sum of the values of every column.
func addValues(columns [][]float64, lo, hi int, dst []float64) {
	for k, col := range columns {
		n, s := 0, 0.0
		for _, v := range col[lo:hi] {
			if v == v {
				n++
				s += v
			}
		}
		dst[2*k], dst[2*k+1] = float64(n), s
	}
}

// addProducts adds the products of every pair of columns k >= l.
func addProducts(columns [][]float64, mean []float64, complete []bool, lo, hi int, dst []float64) {
	centred := make([][]float64, len(columns))
	buf := make([]float64, len(columns)*(hi-lo))
	var own []product // of each column with itself
	for k, col := range columns {
		centred[k], buf = buf[:hi-lo:hi-lo], buf[hi-lo:]
		for i, v := range col[lo:hi] {
			centred[k][i] = v - mean[k]
		}
		own = append(own, dense(centred[k], centred[k]))
	}
	for k := range columns {
		for l := range k + 1 {
			var p product
			switch {
			case k == l && complete[k]:
				p = own[k]
			case complete[k] && complete[l]:
				p = product{own[k][0], own[k][1], own[l][1], own[k][3], own[l][3], dot(centred[k], centred[l])}
			default:
				p = sparse(centred[k], centred[l])
			}
			dst = dst[copy(dst, p[:]):]
		}
	}
}

// dense sums over columns without missing values.
func dense(x, y []float64) product {
	p := product{0: float64(len(x))}
	for i, v := range x {
		p[1] += v
		p[2] += y[i]
		p[3] += v * v
		p[4] += y[i] * y[i]
		p[5] += v * y[i]
	}
	return p
}

// sparse sums over the records where neither value is missing.
func sparse(x, y []float64) product {
	var p product
	for i, v := range x {
		if w := y[i]; v == v && w == w {
			p[0]++
			p[1] += v
			p[2] += w
			p[3] += v * v
			p[4] += w * w
			p[5] += v * w
		}
	}
	return p
}

// dot returns the sum of products, in four interleaved sums: shorter chains of dependent additions, and less rounding.
func dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += x[i] * y[i]
		b += x[i+1] * y[i+1]
		c += x[i+2] * y[i+2]
		d += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		a += x[i] * y[i]
	}
	return a + b + (c + d)
}

// overBlocks calls sum on every block of rows, on all cores, and adds the results with Neumaier's compensation (1974) in the order of
// the blocks. Sum gets size zeros to write to.
func overBlocks(ctx context.Context, rows, size int, sum func(lo, hi int, dst []float64)) ([]float64, error) {
	total, lost := make([]float64, size), make([]float64, size)
	wave := max(1, min(4*runtime.GOMAXPROCS(0), 1<<24/max(1, size))) // blocks in flight: bounds the memory
	parts := make([]float64, wave*size)
	for first := 0; first < rows; first += wave * block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(parts)
		n := min(wave, (rows-first+block-1)/block)
		var next atomic.Int64
		var wg sync.WaitGroup
		for range min(n, runtime.GOMAXPROCS(0)) {
			wg.Go(func() {
				for b := int(next.Add(1)) - 1; b < n; b = int(next.Add(1)) - 1 {
					lo := first + b*block
					sum(lo, min(lo+block, rows), parts[b*size:(b+1)*size])
				}
			})
		}
		wg.Wait()
		for b := range n {
			for k, v := range parts[b*size : (b+1)*size] {
				t := total[k] + v
				if math.Abs(total[k]) >= math.Abs(v) {
					lost[k] += total[k] - t + v
				} else {
					lost[k] += v - t + total[k]
				}
				total[k] = t
			}
		}
	}
	for k := range total {
		total[k] += lost[k]
	}
	return total, nil
}
