package learned

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// secret is one column to learn.
type secret struct {
	column     int
	name       string
	codes      []int32   // released, of categories
	values     []float64 // released, of numbers
	categories int
	tolerance  float64
	commonest  float64 // the code released most often, or the released median
	kept       bool    // whether it is missing is as in the original
}

// newSecret returns nil where nobody has a value.
func newSecret(ctx context.Context, r *measure.Release, j int, tolerance float64) (*secret, error) {
	q := &secret{
		column:     j,
		name:       r.Original.Attr(j).Name,
		codes:      r.Released.Cat(j),
		values:     r.Released.Num(j),
		categories: len(r.Original.Attr(j).Labels),
	}
	have := 0
	for i := range r.Original.Rows() {
		if !r.Original.MissingAt(i, j) {
			have++
		}
	}
	if have == 0 {
		return nil, nil
	}
	q.kept = have < r.Original.Rows() && r.Paired
	for i := 0; q.kept && i < r.Original.Rows(); i++ {
		q.kept = r.Original.MissingAt(i, j) == r.Released.MissingAt(i, j)
	}
	if q.codes != nil {
		counts := make([]int, q.categories+1)
		q.commonest = -1
		for _, c := range q.codes {
			if c >= 0 {
				counts[c]++
			}
		}
		for c, n := range counts {
			if n > 0 && (q.commonest < 0 || n > counts[int(q.commonest)]) {
				q.commonest = float64(c)
			}
		}
		return q, nil
	}
	m, err := moments.Of(ctx, [][]float64{r.Original.Num(j)})
	if err != nil {
		return nil, err
	}
	if sd := math.Sqrt(m.Cov().At(0, 0)); sd == sd {
		q.tolerance = float64(tolerance * sd)
	}
	q.commonest = quantile.Median(slices.DeleteFunc(slices.Clone(q.values), math.IsNaN))
	return q, nil
}

// truth returns what a person has: a code, or a number; NaN when it is missing.
func (q *secret) truth(t *table.Table, row int) float64 {
	if v := t.Num(q.column); v != nil {
		return v[row]
	}
	if c := t.Cat(q.column)[row]; c >= 0 {
		return float64(c)
	}
	return math.NaN()
}

// hit returns 1 for a right guess, 0 for a wrong one.
func (q *secret) hit(guess, truth float64) float64 {
	if guess == truth || q.codes == nil && math.Abs(guess-truth) <= q.tolerance {
		return 1
	}
	return 0
}

// room is what a goroutine needs to count votes.
type room struct {
	numbers []float64
	counts  []int32 // by category; all 0 between two counts
}

// vote returns the chance that what most of the records have, ties broken at random, is the truth; of numbers whether
// their median is. No vote is no right guess.
func (q *secret) vote(voters []int32, truth float64, room *room) float64 {
	if q.codes == nil {
		numbers := room.numbers[:0]
		for _, r := range voters {
			if v := q.values[r]; v == v {
				numbers = append(numbers, v)
			}
		}
		room.numbers = numbers
		if len(numbers) == 0 {
			return 0
		}
		return q.hit(quantile.Median(numbers), truth)
	}
	if len(room.counts) < q.categories {
		room.counts = make([]int32, q.categories)
	}
	most, ties := int32(0), 0
	for _, r := range voters {
		c := q.codes[r]
		if c < 0 {
			continue
		}
		room.counts[c]++
		if n := room.counts[c]; n > most {
			most, ties = n, 1
		} else if n == most {
			ties++
		}
	}
	right := 0.0
	if most > 0 && room.counts[int(truth)] == most {
		right = 1 / float64(ties)
	}
	for _, r := range voters {
		if c := q.codes[r]; c >= 0 {
			room.counts[c] = 0
		}
	}
	return right
}

// one reports whether all records that have a value, two at least, have the same.
func (q *secret) one(voters []int32) bool {
	n, first := 0, int32(0)
	for _, r := range voters {
		switch {
		case q.codes != nil && q.codes[r] < 0 || q.codes == nil && q.values[r] != q.values[r]:
			continue
		case n == 0:
			first = r
		case q.codes != nil && q.codes[r] != q.codes[first] || q.codes == nil &&
			math.Abs(q.values[r]-q.values[first]) > q.tolerance:
			return false
		}
		n++
	}
	return n > 1
}
