package attributedisclosure

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// outcome is what an attack finds out.
type outcome struct {
	rows    []int // of the persons judged, ascending
	persons int   // there are
	secrets []*secret
}

// secret is one column to guess.
type secret struct {
	codes      []int32   // released, of categories
	values     []float64 // released, of numbers
	truth      table.Column
	tolerance  float64
	commonest  float64   // the released median, or the code of the commonest category
	right      []float64 // by person: the probability that the guess is right; NaN where there is nothing to guess
	own        []float64 // by person: the share of the votes for the person's own value
	categories int
}

// room is what a goroutine needs to count votes.
type room struct {
	voters []int
	votes  []float64
	counts []int32 // by category; all 0 between two counts
}

func newSecret(
	ctx context.Context,
	r *measure.Release,
	persons *table.Table,
	j int,
	tolerance float64,
	n int,
) (*secret, error) {
	q := &secret{codes: r.Released.Cat(j), values: r.Released.Num(j), truth: persons.Column(j), right: make([]float64, n),
		own: make([]float64, n), categories: len(r.Original.Attr(j).Labels)}
	if q.codes != nil {
		q.commonest = float64(commonest(q.codes, q.categories))
		return q, nil
	}
	m, err := moments.Of(ctx, [][]float64{r.Original.Num(j)})
	if err != nil {
		return nil, err
	}
	q.tolerance = float64(tolerance * math.Sqrt(m.Cov().At(0, 0)))
	q.commonest = median(slices.DeleteFunc(slices.Clone(q.values), math.IsNaN))
	return q, nil
}

// commonest returns the code that occurs most often, of several the first; -1 when all are missing.
func commonest(codes []int32, categories int) int32 {
	counts := make([]int, categories)
	best := int32(-1)
	for _, c := range codes {
		if c >= 0 {
			counts[c]++
		}
	}
	for c, n := range counts {
		if n > 0 && (best < 0 || n > counts[best]) {
			best = int32(c)
		}
	}
	return best
}

// judge notes the guess for person i, in a row of its table, by the voters in the room.
func (q *secret) judge(i, row int, room *room) {
	if q.codes == nil {
		q.right[i], q.own[i] = q.number(q.truth.Num[row], room)
	} else {
		q.right[i], q.own[i] = q.category(q.truth.Cat[row], room)
	}
}

// number returns whether the median of the votes is right, and the share of those that are.
func (q *secret) number(truth float64, room *room) (right, own float64) {
	if truth != truth {
		return math.NaN(), math.NaN()
	}
	votes := room.votes[:0]
	for _, r := range room.voters {
		if v := q.values[r]; v == v {
			votes = append(votes, v)
			own += q.hit(v, truth)
		}
	}
	room.votes = votes
	if len(votes) == 0 {
		return 0, 0
	}
	return q.hit(median(votes), truth), own / float64(len(votes))
}

// hit returns 1 for a right guess, 0 for a wrong one.
func (q *secret) hit(guess, truth float64) float64 {
	if math.Abs(guess-truth) <= q.tolerance {
		return 1
	}
	return 0
}

// category returns the probability that the category of most votes is right when ties are broken at random, and the
// share of votes for the truth.
func (q *secret) category(truth int32, room *room) (right, own float64) {
	if truth < 0 {
		return math.NaN(), math.NaN()
	}
	if len(room.counts) < q.categories {
		room.counts = make([]int32, q.categories)
	}
	counts, votes, most, ties := room.counts, 0, int32(0), 0
	for _, r := range room.voters {
		c := q.codes[r]
		if c < 0 {
			continue
		}
		votes++
		counts[c]++
		if n := counts[c]; n > most {
			most, ties = n, 1
		} else if n == most {
			ties++
		}
	}
	if votes > 0 {
		own = float64(counts[truth]) / float64(votes)
		if counts[truth] == most {
			right = 1 / float64(ties)
		}
	}
	for _, r := range room.voters {
		if c := q.codes[r]; c >= 0 {
			counts[c] = 0
		}
	}
	return right, own
}

// rate returns how many guesses are right of how many.
func (q *secret) rate() (hits, n float64) {
	var sum exact.Sum
	known := sum.AddKnown(q.right)
	return sum.Float64(), float64(known)
}

// common returns for how many of the persons judged the commonest value is right.
func (q *secret) common(rows []int) (hits float64) {
	for _, row := range rows {
		switch {
		case q.codes == nil:
			hits += q.hit(q.commonest, q.truth.Num[row])
		case q.truth.Cat[row] >= 0 && float64(q.truth.Cat[row]) == q.commonest:
			hits++
		}
	}
	return hits
}

// median sorts values and returns their median; NaN without any.
func median(values []float64) float64 {
	slices.Sort(values)
	return quantile.At(values, 0.5)
}
