// Package reconstruction estimates the distribution of original values from released ones with a known noise model: the
// Bayes iteration of Agrawal & Srikant (2000, section 3) and expectation and maximisation of Agrawal & Aggarwal (2001,
// section 3).
//
// The range of the originals is divided into intervals, and of every released value, or cell of values, the kernel says
// how likely it is of an original from each interval. One round gives every released value to the intervals in
// proportion to kernel times share, and counts again:
//
//	f'(p) = 1/n sum_s N_s K_sp f(p) / sum_t K_st f(t)
//
// The two papers differ in the kernel. Midpoints takes the density of the noise between the midpoints, Intervals its
// integral. Both rise in the likelihood of their kernel, and Intervals ends at its maximum, the estimate of maximum
// likelihood. Long before that a share begins to follow the chance of the sample and becomes spiky, so both papers stop
// early. What the noise has blurred beyond recognition is then what the rounds began with: equal shares. So the errors
// come of replicates that differ in both, the counts and the shares that they begin with, and are wide where the
// release leaves open what the original was.
//
// No record is lost: what a kernel cannot explain from any interval (noise farther out than it reaches, or midpoints
// too far apart) is told as Impossible, and the shares are those of the rest, with sum 1.
package reconstruction

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/system/parallel"
)

// Kernel is how likely a released value is of an interval of originals.
type Kernel int

// The kernels.
const (
	Midpoints Kernel = iota // density between midpoints: Agrawal & Srikant 2000
	Intervals               // integral over the interval: Agrawal & Aggarwal 2001
)

// Stop says when the rounds end, besides Options.Rounds.
type Stop int

// The stop rules.
const (
	// ChiSquare ends when a round moves the shares by less than 1 % of what the chi-square test at 95 % would call a
	// difference (Agrawal & Srikant 2000).
	ChiSquare Stop = iota
	// Small ends when a round moves the shares by less than 0.001 in sum.
	Small
	// Optimum ends when no other shares have a logarithm of the likelihood that is larger by more than 1e-9 a record.
	Optimum
	// Never does all rounds.
	Never
)

// Options are what a reconstruction can be told. The zero value is that of Agrawal & Srikant, without errors.
type Options struct {
	Kernel Kernel
	Stop   Stop
	Rounds int       // at most; 0 is 500
	Start  []float64 // shares to begin with; nil is equal ones. An interval that begins with 0 stays there
	// originals and released values are multiples of it; 0 is none. Cells then have their edges between multiples
	Step       float64
	Replicates int    // that give the errors; 0 gives none
	Seed       uint64 // of the replicates
}

const defaultRounds = 500

// Result is a reconstructed distribution.
type Result struct {
	Shares []float64 // by interval; their sum is 1
	// standard errors, of sampling, noise and what the release leaves open; nil where there are no replicates
	Errors     []float64
	Rounds     int
	Settled    bool    // the stop rule ended the rounds, not their number
	Impossible float64 // share of the released values that no original explains
}

// Observed is what was released of one attribute, with its kernel.
type Observed struct {
	intervals int
	kernel    []float64 // row by row, one for every value or cell that some interval explains and that holds something
	counts    []float64 // by row
	n         float64   // of all, with what is impossible
}

// Reconstruct estimates the shares of originals in the intervals between edges from the released values, NaN left out:
// it counts them in cells (Cover) and goes on from there. Cost: O(values + cells * intervals * rounds), and as much for
// every replicate.
func Reconstruct(ctx context.Context, edges, released []float64, l additive.Law, o Options) (*Result, error) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, w := range released {
		if w < lo {
			lo = w
		}
		if w > hi {
			hi = w
		}
	}
	if lo > hi {
		return nil, errors.New("there are no released values")
	}
	cells, err := Cover(edges, lo, hi)
	if err != nil {
		return nil, err
	}
	ob, err := Cells(edges, cells, Count(cells, released), l, o)
	if err != nil {
		return nil, err
	}
	return ob.Reconstruct(ctx, o)
}

// Values takes the released values one by one, as the papers print it. Cost: O(values * intervals), memory too.
func Values(edges, released []float64, l additive.Law, o Options) (*Observed, error) {
	at, err := point(l, o.Kernel)
	if err != nil {
		return nil, err
	}
	ob, err := begin(edges, len(released))
	if err != nil {
		return nil, err
	}
	for _, w := range released {
		if w == w {
			ob.add(1, func(lo, hi float64) float64 { return at(w, lo, hi) }, edges)
		}
	}
	return ob, ob.check()
}

// point returns the kernel of one value.
func point(l additive.Law, k Kernel) (func(w, lo, hi float64) float64, error) {
	switch k {
	case Midpoints:
		return l.At, nil
	case Intervals:
		return l.Over, nil
	}
	return nil, fmt.Errorf("there is no kernel %d", k)
}

// Cells takes counts of released values in the cells between ascending edges. Cost: O(cells * intervals).
func Cells(edges, cells, counts []float64, l additive.Law, o Options) (*Observed, error) {
	if err := additive.Ascending(cells); err != nil {
		return nil, err
	}
	if len(counts) != len(cells)-1 {
		return nil, fmt.Errorf("there are %d counts for %d cells", len(counts), len(cells)-1)
	}
	ob, err := begin(edges, len(counts))
	if err != nil {
		return nil, err
	}
	at, err := point(l, o.Kernel)
	if err != nil {
		return nil, err
	}
	for s, n := range counts {
		a, b := cells[s], cells[s+1]
		kernel := func(lo, hi float64) float64 { return at(a+(b-a)/2, lo, hi) }
		switch c, clamped := l.(additive.Clamped); {
		case o.Kernel == Intervals:
			kernel = func(lo, hi float64) float64 { return cell(l, a, b, lo, hi, o.Step) }
		case o.Step > 0, clamped && c.End(a, b):
			// what is released has probabilities and no density: of multiples, and of an end for all beyond
			kernel = func(lo, hi float64) float64 { m := lo + (hi-lo)/2; return l.Cell(a, b, m, m) }
		}
		ob.add(n, kernel, edges)
	}
	return ob, ob.check()
}

// mostPoints is up to how many grid values of an interval are taken one by one; of more of them the mean over the whole
// interval is as good.
const mostPoints = 64

// cell returns the probability of a cell: the mean over the originals that the interval can hold.
func cell(l additive.Law, a, b, lo, hi, step float64) float64 {
	first, last := math.Ceil(lo/step), math.Ceil(hi/step)-1
	if step <= 0 || last < first || last-first >= mostPoints {
		return l.Cell(a, b, lo, hi)
	}
	sum := 0.0
	for k := first; k <= last; k++ {
		sum += l.Cell(a, b, float64(k*step), float64(k*step))
	}
	return sum / (last - first + 1)
}

// Matrix takes counts of released categories, and the probabilities that original k is released as l, row by row.
func Matrix(transitions [][]float64, counts []float64) (*Observed, error) {
	if len(transitions) == 0 {
		return nil, errors.New("there are no categories")
	}
	ob := &Observed{intervals: len(transitions)}
	for l, n := range counts {
		row := make([]float64, len(transitions))
		for k := range transitions {
			if len(transitions[k]) != len(counts) {
				return nil, errors.New("the rows of the matrix have not as many columns as there are counts")
			}
			row[k] = transitions[k][l]
		}
		ob.take(n, row)
	}
	return ob, ob.check()
}

func begin(edges []float64, rows int) (*Observed, error) {
	if len(edges) < 2 {
		return nil, errors.New("there are no intervals")
	}
	if err := additive.Ascending(edges); err != nil {
		return nil, err
	}
	m := len(edges) - 1
	return &Observed{intervals: m, kernel: make([]float64, 0, rows*m), counts: make([]float64, 0, rows)}, nil
}

// add takes n values of one kernel.
func (ob *Observed) add(n float64, kernel func(lo, hi float64) float64, edges []float64) {
	row := ob.kernel[len(ob.kernel):]
	for p := range ob.intervals {
		row = append(row, kernel(edges[p], edges[p+1]))
	}
	ob.take(n, row)
}

// take appends a row that some interval explains. Only what its entries are in relation to each other matters, so the
// largest becomes 1.
func (ob *Observed) take(n float64, row []float64) {
	ob.n += n
	if most := floats.Max(row); most > 0 && n > 0 {
		floats.Scale(1/most, row)
		ob.kernel, ob.counts = append(ob.kernel, row...), append(ob.counts, n)
	}
}

// check refuses counts and kernels that are none.
func (ob *Observed) check() error {
	switch {
	case slices.ContainsFunc(ob.counts, func(n float64) bool { return math.IsNaN(n) || math.IsInf(n, 0) }),
		math.IsNaN(ob.n):
		return errors.New("a count is not a number")
	case slices.ContainsFunc(ob.kernel, func(k float64) bool { return !(k >= 0) }):
		return errors.New("a kernel is negative or no number")
	case !(ob.n > 0):
		return errors.New("there are no released values")
	case len(ob.counts) == 0:
		return errors.New("no original in the intervals explains any released value; the noise model or the edges " +
			"are not those of the release")
	}
	return nil
}

// Reconstruct estimates the shares. A context that ends stops it.
func (ob *Observed) Reconstruct(ctx context.Context, o Options) (*Result, error) {
	start := o.Start
	if start == nil {
		start = slices.Repeat([]float64{1}, ob.intervals)
	}
	if len(start) != ob.intervals || slices.ContainsFunc(start, func(f float64) bool { return !(f >= 0) }) ||
		!(vector.Sum(start) > 0) {
		return nil, fmt.Errorf("the shares to begin with are not %d numbers from 0 on", ob.intervals)
	}
	out, err := ob.run(ctx, ob.counts, start, o)
	if err != nil || o.Replicates <= 0 {
		return out, err
	}
	again := make([][]float64, o.Replicates)
	err = parallel.Each(ctx, o.Replicates, func(b int) error {
		counts, begin := ob.replicate(rand.New(rand.NewPCG(o.Seed, uint64(b))), start)
		if vector.Sum(counts) == 0 {
			return nil
		}
		one, err := ob.run(ctx, counts, begin, o)
		if err == nil {
			again[b] = one.Shares
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Errors = deviations(again, ob.intervals)
	return out, nil
}

// replicate draws counts as another sample may have them, and shares to begin with: the logarithm of what they differ
// by is a walk, rough enough for humps that the noise hides, and by a factor of 4 in the middle of its cases.
func (ob *Observed) replicate(r *rand.Rand, start []float64) (counts, begin []float64) {
	counts = make([]float64, len(ob.counts))
	for s, n := range ob.counts {
		counts[s] = portable.Poisson(r, n)
	}
	m := float64(ob.intervals)
	begin = make([]float64, ob.intervals)
	for k := 1.0; k <= m; k++ {
		z := float64(1.5 * math.Sqrt2 / k * portable.Quantile(r.Float64()))
		for p := range begin {
			begin[p] += float64(z * portable.Cos(math.Pi*k*(float64(p)+0.5)/m))
		}
	}
	for p := range begin {
		begin[p] = float64(start[p] * portable.Exp(begin[p]))
	}
	return counts, begin
}

// deviations returns the standard deviations of replicates.
func deviations(again [][]float64, intervals int) []float64 {
	mean, squares, n := make([]float64, intervals), make([]float64, intervals), 0.0
	for _, f := range again {
		if f == nil {
			continue
		}
		n++
		for p, v := range f {
			d := v - mean[p]
			mean[p] += d / n
			squares[p] += float64(d * (v - mean[p]))
		}
	}
	for p := range squares {
		squares[p] = math.Sqrt(squares[p] / max(1, n-1))
	}
	return squares
}

// run does the rounds.
func (ob *Observed) run(ctx context.Context, counts, start []float64, o Options) (*Result, error) {
	most := o.Rounds
	if most <= 0 {
		most = defaultRounds
	}
	f, next := slices.Clone(start), make([]float64, ob.intervals)
	floats.Scale(1/vector.Sum(f), f)
	out := &Result{}
	limit := threshold(ob.intervals)
	for out.Rounds < most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		explained := ob.round(counts, f, next)
		if !(explained > 0) {
			return nil, errors.New("the intervals that the shares begin with explain no released value")
		}
		out.Rounds++
		out.Settled = o.Stop.ends(f, next, explained, limit)
		out.Impossible = max(0, 1-explained/ob.all(counts))
		f, next = next, f
		if out.Settled {
			break
		}
	}
	out.Shares = f
	return out, nil
}

// all returns the number of released values, with what is impossible, where the counts are those of the rows.
func (ob *Observed) all(counts []float64) float64 {
	return vector.Sum(counts) + ob.n - vector.Sum(ob.counts)
}

// round does one round from f and returns how many released values f explains.
func (ob *Observed) round(counts, f, next []float64) (explained float64) {
	clear(next)
	m := ob.intervals
	for s, n := range counts {
		row := ob.kernel[s*m : (s+1)*m]
		d := vector.Dot(row, f)
		if n > 0 && d > 0 {
			vector.AddScaled(next, n/d, row)
			explained += n
		}
	}
	if explained == 0 {
		return 0
	}
	floats.Mul(next, f)
	floats.Scale(1/vector.Sum(next), next)
	return explained
}

// ends reports whether the rounds may end: f became next.
func (s Stop) ends(f, next []float64, n, limit float64) bool {
	switch s {
	case ChiSquare:
		moved := 0.0
		for p := range f {
			if f[p] > 0 {
				moved += (next[p] - f[p]) * (next[p] - f[p]) / f[p]
			}
		}
		return n*moved < 0.01*limit
	case Small:
		return vector.Distance(f, next, 1) < 1e-3
	case Optimum:
		// next = f g with the gradient g of the logarithm of the likelihood a record, which is concave: no shares have more
		// than max g - 1 above those of f.
		for p := range f {
			if next[p] > f[p]*(1+1e-9) {
				return false
			}
		}
		return true
	case Never:
	}
	return false
}

// threshold returns what chi-square of so many intervals exceeds in one case of twenty.
func threshold(intervals int) float64 {
	return portable.ChiSquaredQuantile(float64(max(1, intervals-1)), 0.95)
}
