package randomised

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/noisemodel/transition"
)

// Sizes is select-a-size for records of m items: j is drawn with probability Kept[j], j = 0..m; j items of the record,
// chosen evenly, are kept, and every item that the record did not have is added with probability Rho (Evfimievski et
// al. 2002, section 4.1). The number m is public.
type Sizes struct {
	Kept []float64 // sums to 1
	Rho  float64   // between 0 and 1
}

// Items returns m.
func (o Sizes) Items() int { return len(o.Kept) - 1 }

// KeptShare returns the share of the items of a record that are kept, in the mean; 1 of an empty record.
func (o Sizes) KeptShare() float64 {
	if o.Items() == 0 {
		return 1
	}
	sum := 0.0
	for j, p := range o.Kept {
		sum += float64(float64(j) * p)
	}
	return sum / float64(o.Items())
}

// CutAndPaste returns the operator of that name for records of m items (Evfimievski et al. 2002, section 4.2) as
// select-a-size: j is drawn evenly from 0..most, or is m where that is more; j items are kept, and every other item,
// those of the record too, is put in with probability rho.
func CutAndPaste(m, most int, rho float64) Sizes {
	o := Sizes{make([]float64, m+1), rho}
	for cut := range m + 1 {
		share := 1 / float64(most+1)
		switch {
		case cut > most:
			continue
		case cut == m:
			share = float64(share * float64(most-m+1)) // all from m on
		}
		for j := cut; j <= m; j++ {
			o.Kept[j] += float64(share * binomial(j-cut, m-cut, rho))
		}
	}
	return o
}

// Limited returns the operator for records of m items that amplifies by gamma, from 1 on: the probability of a release
// depends on the number j of items that it shares with the original, and is gamma times as large from the number from,
// in 1..m, on. Rho is above 0 and below 1.
func Limited(m, from int, rho, gamma float64) Sizes {
	o := Sizes{make([]float64, m+1), rho}
	for j := range o.Kept {
		// logarithms, for C(m, j) may be huge
		o.Kept[j] = portable.LogBinomial(float64(m), float64(j)) + float64(float64(j)*portable.Log(rho/(1-rho)))
		if j >= from {
			o.Kept[j] += portable.Log(gamma)
		}
	}
	floats.AddConst(-vector.LogSumExp(o.Kept), o.Kept)
	for j, l := range o.Kept {
		o.Kept[j] = portable.Exp(l)
	}
	return o
}

// Choose returns the operator of Limited whose estimate of the support of a k-itemset, k = len(s) - 1 in 1..m, has the
// least variance where s are its true partial supports; and n times that variance. It tries all numbers of items, and
// rho = 1/steps .. (steps-1)/steps. It is an error when no matrix can be undone. Cost: O(m steps k^3), some 0.3 us a
// choice for k = 2.
func Choose(m int, gamma float64, s []float64, steps int) (best Sizes, from int, variance float64, err error) {
	k := len(s) - 1
	stay := stays(m, k)
	p, rho := transitions(k), 0.0
	variance = math.Inf(1)
	few := make([]float64, len(stay)) // by pair: what numbers below from add
	for t := 1; t < steps; t++ {
		r := float64(t) / float64(steps)
		more := additions(k, r)
		weight := Limited(m, 1, r, 1).Kept
		clear(few)
		all, below := make([]float64, len(stay)), 0.0
		for pair, by := range stay {
			all[pair] = vector.Dot(by, weight)
		}
		for f := 1; f <= m; f++ {
			below += weight[f-1]
			z := below + float64(gamma*(1-below))
			for pair, by := range stay {
				few[pair] += float64(by[f-1] * weight[f-1])
			}
			p.fill(func(pair int) float64 { return (few[pair] + float64(gamma*(all[pair]-few[pair]))) / z }, more)
			w, ok := lastWeights(p.m)
			if !ok {
				continue
			}
			if v := Variance([][]float64{w}, p.m.Expected(s)); v < variance {
				from, rho, variance = f, r, v
			}
		}
	}
	if from == 0 {
		return best, 0, variance, fmt.Errorf("no operator for records of %d items that amplifies by %v can be undone", m,
			gamma)
	}
	return Limited(m, from, rho, gamma), from, variance, nil
}

// Ratios returns h[j] = Kept[j]/C(m,j) ((1-rho)/rho)^j: the probability of a release that shares j items with its
// original, but for a factor that all originals of m items have in common.
func (o Sizes) Ratios() []float64 {
	h := make([]float64, len(o.Kept))
	for j, p := range o.Kept {
		if p > 0 {
			h[j] = portable.Exp(
				portable.Log(p) - portable.LogBinomial(float64(o.Items()), float64(j)) +
					float64(float64(j)*portable.Log((1-o.Rho)/o.Rho)),
			)
		}
	}
	return h
}

// Gamma returns the amplification among records of m items, the largest of Ratios over the least; infinite where some
// number of items is never kept. There are 2m items or more.
func (o Sizes) Gamma() float64 {
	if o.Items() == 0 {
		return 1
	}
	h := o.Ratios()
	if gamma := floats.Max(h) / floats.Min(h); gamma == gamma {
		return gamma
	}
	return math.Inf(1)
}

// Transition returns the probabilities that a record with l items of a k-itemset, the row, is released with l' of them,
// the column; l, l' = 0..k, and k at most m (Evfimievski et al. 2002, equation 8, transposed). Cost: O(k^2 m).
func (o Sizes) Transition(k int) transition.Matrix {
	stay := stays(o.Items(), k)
	p := transitions(k)
	p.fill(func(pair int) float64 { return vector.Dot(stay[pair], o.Kept) }, additions(k, o.Rho))
	return p.m
}

// table is a matrix of transitions of partial supports that is filled again and again.
type table struct {
	k int
	m transition.Matrix
}

func transitions(k int) table {
	t := table{k, make(transition.Matrix, k+1)}
	for l := range t.m {
		t.m[l] = make([]float64, k+1)
	}
	return t
}

// fill sets the matrix from the probabilities that stay of l items are kept, pair by pair in the order of stays, and
// that more of those not there are added.
func (t *table) fill(kept func(pair int) float64, more [][]float64) {
	pair := 0
	for l, row := range t.m {
		clear(row)
		for stay := range l + 1 {
			p := kept(pair)
			pair++
			for add, q := range more[t.k-l] {
				row[stay+add] += float64(p * q)
			}
		}
	}
}

// stays returns, for every pair of l = 0..k and stay = 0..l in this order, the probabilities by j = 0..m that stay of l
// items of an itemset are among j kept ones of m.
func stays(m, k int) (out [][]float64) {
	for l := range k + 1 {
		for stay := range l + 1 {
			by := make([]float64, m+1)
			for j := range by {
				by[j] = hypergeometric(stay, m, l, j)
			}
			out = append(out, by)
		}
	}
	return out
}

// additions returns, for every number 0..k of items that are not there, the probabilities that 0, 1, ... of them are
// added.
func additions(k int, rho float64) [][]float64 {
	out := make([][]float64, k+1)
	for away := range out {
		for add := range away + 1 {
			out[away] = append(out[away], binomial(add, away, rho))
		}
	}
	return out
}

// hypergeometric returns the probability that stay of l marked items are among j chosen of m.
func hypergeometric(stay, m, l, j int) float64 {
	if stay > j || j-stay > m-l {
		return 0
	}
	c := func(n, k int) float64 { return portable.LogBinomial(float64(n), float64(k)) }
	return portable.Exp(c(l, stay) + c(m-l, j-stay) - c(m, j))
}

func binomial(k, n int, p float64) float64 {
	switch { // whose logarithm is none
	case p == 0:
		return one(k == 0)
	case p == 1:
		return one(k == n)
	}
	x, m := float64(k), float64(n)
	return portable.Exp(portable.LogBinomial(m, x) + float64(x*portable.Log(p)) + float64((m-x)*portable.Log1p(-p)))
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Inverse returns the inverse of a matrix of transitions: Q[l][l'] is what a record released with l' items counts for
// in the partial support l. So partial supports of the original are estimated, without bias, as Undo(Q, released). It
// is an error when the transitions cannot be undone.
func Inverse(p transition.Matrix) ([][]float64, error) {
	k := len(p)
	d := mat.NewDense(k, k, nil)
	for l, row := range p {
		d.SetCol(l, row)
	}
	if err := linalg.Inverse(d, d); err != nil {
		return nil, fmt.Errorf("the transitions cannot be undone: the condition number of their matrix is %.3g",
			p.Condition())
	}
	out := make([][]float64, k)
	for l := range out {
		out[l] = mat.Row(nil, l, d)
	}
	return out, nil
}

// Weights returns what a record released with l' = 0..k items of a k-itemset counts for in its support, the last row of
// the inverse of Transition: its mean is 1 over originals with the itemset and 0 over the others. False says that a
// record has no k items, or that the transitions cannot be undone.
func (o Sizes) Weights(k int) ([]float64, bool) {
	if k > o.Items() {
		return nil, false
	}
	return lastWeights(o.Transition(k))
}

// lastWeights solves P w = (0, ..., 0, 1) by elimination with pivots, without a look at the rest of the inverse.
func lastWeights(p transition.Matrix) ([]float64, bool) {
	n := len(p)
	rows := make([][]float64, n)
	cells := make([]float64, n*(n+1))
	for l := range rows {
		rows[l] = cells[l*(n+1) : (l+1)*(n+1)]
		copy(rows[l], p[l])
	}
	rows[n-1][n] = 1
	for c := range rows {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(rows[r][c]) > math.Abs(rows[best][c]) {
				best = r
			}
		}
		rows[c], rows[best] = rows[best], rows[c]
		if !(math.Abs(rows[c][c]) > 1e-14) {
			return nil, false
		}
		for r := range rows {
			if f := rows[r][c] / rows[c][c]; r != c && f != 0 {
				vector.AddScaled(rows[r][c:], -f, rows[c][c:])
			}
		}
	}
	w := make([]float64, n)
	for c := range w {
		w[c] = rows[c][n] / rows[c][c]
	}
	return w, true
}

// Undo returns the products of the rows of an inverse with partial supports of a release.
func Undo(inverse [][]float64, released []float64) []float64 {
	out := make([]float64, len(inverse))
	for l, row := range inverse {
		out[l] = vector.Dot(row, released)
	}
	return out
}

// Variance returns n times the variance of the estimate of the last partial support, the support of the itemset, where
// the records are given and the operator alone is random: the sum over l of s'_l (Q_kl² - Q_kl), with the expected
// partial supports s' of the release. With observed ones it is the unbiased estimate of it (Evfimievski et al. 2002,
// statement 4).
func Variance(inverse [][]float64, released []float64) float64 {
	sum := 0.0
	for l, q := range inverse[len(inverse)-1] {
		sum += float64(released[l] * (float64(q*q) - q))
	}
	return sum
}

// Breach returns the probability that a record had an item of a k-itemset if its release has the whole itemset: with[l]
// are the shares of the records that have l items of the itemset and that item among them, s[l] of all that have l of
// them.
func Breach(p transition.Matrix, s, with []float64) float64 {
	k := len(p) - 1
	item, all := 0.0, 0.0
	for l := range p {
		item += float64(with[l] * p[l][k])
		all += float64(s[l] * p[l][k])
	}
	return item / all
}

// Check returns an error unless Kept are the probabilities of 0..m items, and Rho is one.
func (o Sizes) Check(m int) error {
	if len(o.Kept) != m+1 {
		return fmt.Errorf("there are %d probabilities; expected %d, one for each of 0 to %d items kept", len(o.Kept), m+1, m)
	}
	for _, p := range append([]float64{o.Rho}, o.Kept...) {
		if !(p >= 0 && p <= 1+1e-9) {
			return fmt.Errorf("%v is not a probability", p)
		}
	}
	if o.Rho > 1 {
		return fmt.Errorf("rho is %v; expected 0 to 1", o.Rho)
	}
	if sum := vector.Sum(o.Kept); !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("the probabilities of how many items are kept sum to %v; expected 1", sum)
	}
	return nil
}
