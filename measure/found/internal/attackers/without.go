package attackers

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// Lacking is what is left of an attack without a column, or with the column in a few classes.
type Lacking struct {
	Column  int
	Dropped float64
	Coarse  float64 // NaN where the column cannot be coarser
}

// Without returns the shares of people at some places who are found by an attacker when the release lacks one column of
// the attack after another. The attacker then uses the rest of the subset, or all that is left, whichever is better for
// other people.
func (t *Team) Without(ctx context.Context, c *Choice, choose, count []int, b *Budget) (out []Lacking, err error) {
	for _, j := range c.Columns() {
		at := slices.IndexFunc(c.By.clues, func(cl clue) bool { return slices.Contains(cl.columns, j) })
		all := t.clues(c.By, c.Gaps, t.orders[0])
		less := []*Choice{{c.By, c.Gaps, without(c.clues, at)}, {c.By, c.Gaps, without(all, at)}}
		l := Lacking{Column: j, Coarse: math.NaN()}
		if l.Dropped, err = t.better(ctx, less, choose, count, b); err != nil {
			return nil, err
		}
		if coarse := t.coarse(c.By, at); coarse != nil {
			blurred := *c.By
			blurred.clues = slices.Clone(c.By.clues)
			blurred.clues[at] = *coarse
			more := append(less, &Choice{&blurred, c.Gaps, c.clues}, &Choice{&blurred, c.Gaps, all})
			if l.Coarse, err = t.better(ctx, more, choose, count, b); err != nil {
				return nil, err
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// better returns the share of the people counted who are found by the choice that is best for others.
func (t *Team) better(ctx context.Context, of []*Choice, choose, count []int, b *Budget) (float64, error) {
	best, most := of[0], -1.0
	for _, c := range of {
		right, err := t.right(ctx, c, choose, b)
		if err != nil {
			return 0, err
		}
		if right > most {
			best, most = c, right
		}
	}
	right, err := t.right(ctx, best, count, b)
	return right / float64(max(1, len(count))), err
}

// classes is how many classes a coarse column has.
const classes = 4

// coarse returns the clue of a column that is released in a few classes: four of numbers, by the quartiles of the
// original, and of categories the three commonest and others. The score is the logarithm of how often people of a class
// are released in each; nil where the column has no more values, or is known in bands or groups, and for sets and a
// clue of several columns.
func (t *Team) coarse(a *Attacker, at int) *clue {
	c := a.clues[at]
	if len(c.columns) != 1 || c.codes == nil {
		return nil
	}
	k := slices.IndexFunc(t.columns, func(o *column) bool { return o.known.Column == c.columns[0] })
	if k < 0 { // a set
		return nil
	}
	col := t.columns[k]
	was := t.release.Original.Column(col.known.Column)
	of := classifier(&was)
	if !col.axis || !col.known.Exact() || of == nil || &c.codes[0] != &col.codes[0] {
		return nil
	}
	class := make([]int, len(col.values))
	for code, v := range col.values {
		class[code] = of(v)
	}
	var moves [classes + 1][classes + 1]float64 // by class before and after; the last is a missing value
	numbers := was.Numbers()
	for i, x := range numbers {
		moves[of(x)][class[col.codes[i]]]++
	}
	c.scorer = func() scorer { return &classed{a: a, t: t, of: of, numbers: numbers, class: class, moves: &moves} }
	return &c
}

// classed scores a column that is released in a few classes.
type classed struct {
	a       *Attacker
	t       *Team
	of      func(v float64) int
	numbers []float64 // of the original
	class   []int     // by code
	moves   *[classes + 1][classes + 1]float64
	scores  [classes + 1]float64 // by class
}

func (c *classed) person(k int, gaps bool) (most float64, ok bool) {
	from := c.of(c.numbers[c.t.Rows[k]])
	if from == classes {
		return 0, false
	}
	row, sum := &c.moves[from], 0.0
	for _, n := range row {
		sum += n
	}
	for to := range c.scores {
		switch {
		case c.a.strict && to != from && to != classes:
			c.scores[to] = mismatch
		case c.a.strict || gaps && to == classes:
			c.scores[to] = 0
		default:
			c.scores[to] = portable.Log((row[to] + 0.5) / (sum + 0.5*(classes+1)))
		}
	}
	return slices.Max(c.scores[:]), true
}

func (c *classed) add(to []float64, codes []int32) {
	for i, code := range codes {
		to[i] += c.scores[c.class[code]]
	}
}

// classifier returns what finds the class of a value, NaN or -1 for a missing one; nil where there are no more values
// than classes.
func classifier(c *table.Column) func(v float64) int {
	if c.Kind == table.Categorical {
		return common(c)
	}
	numbers := rank.Ascending(c.Num)
	if len(slices.Compact(slices.Clone(numbers))) <= classes {
		return nil
	}
	cuts := []float64{quantile.At(numbers, 0.25), quantile.At(numbers, 0.5), quantile.At(numbers, 0.75)}
	return func(v float64) int {
		if v != v {
			return classes
		}
		k, _ := slices.BinarySearch(cuts, v)
		return k
	}
}

// common classifies categories: the commonest have a class each, the others share the last.
func common(c *table.Column) func(v float64) int {
	count, order := make([]int, len(c.Labels)), make([]int, len(c.Labels))
	for _, code := range c.Cat {
		if code >= 0 {
			count[code]++
		}
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[b] - count[a] })
	if len(order) <= classes || count[order[classes]] == 0 {
		return nil
	}
	class := make([]int, len(order))
	for place, code := range order {
		class[code] = min(place, classes-1)
	}
	return func(v float64) int {
		if v != v || v < 0 {
			return classes
		}
		return class[int(v)]
	}
}
