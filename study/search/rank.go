package search

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/measure/dataquality"
)

// WeightedLoss is one thing that a release may lose, with what it counts for anyone who asks.
type WeightedLoss struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"` // at least 0
}

// Ordered reports whether the aspects of a purpose stand in the order in which they matter to anyone who asks: those of
// a named one do not, but for iqm, which has that of Nai Fovino & Masera.
func Ordered(purpose string) bool {
	_, named := weightings()[purpose]
	return !named || purpose == dataquality.IQM.Name
}

// Purposes returns the names of the purposes that have weights.
func Purposes() []string { return sortedKeys(weightings()) }

// Purpose returns the weights of a purpose, or those that are written out: accuracy=3,rules=1. Names must be among the
// known ones, weights finite and at least 0, and one above 0.
func Purpose(text string, known []string) (out []WeightedLoss, err error) {
	if w, ok := weightings()[text]; ok {
		return w, nil
	}
	sum := 0.0
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		name = strings.TrimSpace(name)
		w := 1.0
		if ok {
			if w, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(w >= 0) || math.IsInf(w, 0) {
				return nil, fmt.Errorf("%q: expected a weight of at least 0", part)
			}
		}
		switch {
		case !slices.Contains(known, name):
			hint := spelling.Hint(name, append(Purposes(), known...))
			if hint == "" {
				hint = "; expected " + strings.Join(Purposes(), ", ") + ", or weights of " + strings.Join(known, ", ")
			}
			return nil, fmt.Errorf("%q is nothing that a release is measured by%s", name, hint)
		case slices.ContainsFunc(out, func(a WeightedLoss) bool { return a.Name == name }):
			return nil, fmt.Errorf("%q is given twice", name)
		}
		out = append(out, WeightedLoss{name, w})
		sum += w
	}
	if !(sum > 0) {
		return nil, errors.New("no weight is above 0")
	}
	return out, nil
}

// total is the weighted mean of losses.
func (q *Request) total(losses []float64) float64 { return total(q.Aspects, losses) }

func total(aspects []WeightedLoss, losses []float64) float64 {
	sum, weights := 0.0, 0.0
	for k, a := range aspects {
		sum += float64(a.Weight * losses[k])
		weights += a.Weight
	}
	return sum / weights
}

// equality is what two figures may differ by and still be taken for one.
const equality = 1e-12

// level compares two figures; those that differ by next to nothing are equal.
func level(a, b float64) int {
	if math.Abs(a-b) <= equality {
		return 0
	}
	return cmp.Compare(a, b)
}

// Foremost returns the option that comes first where the aspects decide in their order, each only where those before it
// are level; nil for no option. Of options that are level in all the first.
func Foremost(aspects []WeightedLoss, options []Option) (first *Option) {
	for k := range options {
		if first == nil || before(aspects, options[k].Losses, first.Losses) {
			first = &options[k]
		}
	}
	return first
}

func before(aspects []WeightedLoss, a, b []float64) bool {
	for k := range aspects {
		if c := level(a[k], b[k]); c != 0 && aspects[k].Weight > 0 {
			return c < 0
		}
	}
	return false
}

// draws is how many weights are drawn where the shares are not worked out.
const draws = 100_000

// WinShares returns the share of all weights, evenly over the simplex (Dirichlet(1, ..., 1)), with which each vector
// has the smallest weighted sum. Of equal vectors the first has all. With up to three criteria the shares are areas and
// exact; with more they are those of 100,000 draws, always the same.
func WinShares(vectors [][]float64) []float64 {
	out := make([]float64, len(vectors))
	if len(vectors) == 0 {
		return out
	}
	if n := len(vectors[0]); n <= 3 {
		for k := range vectors {
			out[k] = area(vectors, k)
		}
		return out
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	w := make([]float64, len(vectors[0]))
	for range draws {
		for k := range w {
			w[k] = -portable.Log(1 - rnd.Float64())
		}
		best, least := 0, math.Inf(1)
		for k, v := range vectors {
			sum := 0.0
			for j, x := range v {
				sum += float64(w[j] * x)
			}
			if sum < least {
				best, least = k, sum
			}
		}
		out[best] += 1.0 / draws
	}
	return out
}

// area is the part of the triangle of all weights in which a vector comes first: what the others' half-planes leave of
// it.
func area(vectors [][]float64, k int) float64 {
	full := func(v []float64) (p [3]float64) { copy(p[:], v); return p }
	type weight [3]float64
	region := []weight{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	own := full(vectors[k])
	used := len(vectors[k])
	if used < 3 { // fewer criteria: a simplex of less dimensions
		return segment(vectors, k)
	}
	for j, v := range vectors {
		if j == k {
			continue
		}
		other := full(v)
		if own == other {
			if j < k {
				return 0
			}
			continue
		}
		behind := func(w weight) float64 { // above 0 where the other is better
			return float64(w[0]*(own[0]-other[0])) + float64(w[1]*(own[1]-other[1])) + float64(w[2]*(own[2]-other[2]))
		}
		var next []weight
		for i, a := range region {
			b := region[(i+1)%len(region)]
			x, y := behind(a), behind(b)
			if x <= 0 {
				next = append(next, a)
			}
			if x < 0 && y > 0 || x > 0 && y < 0 {
				t := x / (x - y)
				next = append(next,
					weight{a[0] + float64(t*(b[0]-a[0])), a[1] + float64(t*(b[1]-a[1])), a[2] + float64(t*(b[2]-a[2]))})
			}
		}
		if region = next; len(region) < 3 {
			return 0
		}
	}
	sum := 0.0
	for i := 1; i+1 < len(region); i++ {
		a, b, c := region[0], region[i], region[i+1]
		sum += float64((b[0]-a[0])*(c[1]-a[1])) - float64((c[0]-a[0])*(b[1]-a[1]))
	}
	return math.Abs(sum)
}

// segment is area for one criterion or two.
func segment(vectors [][]float64, k int) float64 {
	at := func(v []float64, w float64) float64 {
		if len(v) == 1 {
			return v[0]
		}
		return float64(w*v[0]) + float64((1-w)*v[1])
	}
	lo, hi := 0.0, 1.0
	for j, v := range vectors {
		if j == k {
			continue
		}
		x, y := at(vectors[k], 0)-at(v, 0), at(vectors[k], 1)-at(v, 1) // above 0 where the other is better
		switch {
		case x == 0 && y == 0:
			if j < k {
				return 0
			}
		case x >= 0 && y >= 0:
			return 0
		case x > 0:
			lo = max(lo, x/(x-y))
		case y > 0:
			hi = min(hi, x/(x-y))
		}
	}
	return max(0, hi-lo)
}

// Turn is a change of one weight that would make the second the first.
type Turn struct {
	Aspect string  `json:"aspect"`
	From   float64 `json:"from"` // its weight
	To     float64 `json:"to"`
}

// turns returns the changes of a single weight with which b loses no more than a, who is ahead; none where no single
// one does.
func (q *Request) turns(a, b []float64) (out []Turn) {
	gap := 0.0 // above 0: b loses more
	for k, s := range q.Aspects {
		gap += float64(s.Weight * (b[k] - a[k]))
	}
	for k, s := range q.Aspects {
		d := b[k] - a[k]
		to := s.Weight - gap/d // beyond it, away from the weight, b is ahead: a weight of 0 has nothing beyond
		if gap > 0 && d != 0 && (d < 0 || to > equality) && !math.IsInf(to, 0) {
			out = append(out, Turn{s.Name, s.Weight, to})
		}
	}
	factor := func(t Turn) float64 {
		if t.From == 0 || t.To == 0 {
			return math.Inf(1)
		}
		return math.Abs(portable.Log(t.To / t.From))
	}
	slices.SortStableFunc(out, func(x, y Turn) int { return cmp.Compare(factor(x), factor(y)) })
	return out
}
