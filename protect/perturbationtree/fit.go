package perturbationtree

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/mining/kdpartition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Fit builds the tree, or the trees. It fails where a confidential column has some known values, but fewer than a group
// needs, where attributes are to be tested that do not exist, where leafMin (k) is more than leafMax, and where means
// are to be weighted and a weight is missing or not above 0.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if err := q.contradiction(); err != nil {
		return nil, err
	}
	x, s, err := protect.Confidential(t, q.Except)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Counted:  protect.CountedIn(t),
		Attrs:    t.Attrs(),
		Inside:   q.Inside,
		Least:    q.least(),
		BlockMax: max(q.BlockMax, 2*q.K),
		Finer:    q.Grid == fence.GridFiner,
		Exactly:  protect.ExactlyOf(q.Exact, q.Common),
	}
	for _, j := range x {
		if known, people := known(t, j); people > 0 && people < p.Least {
			return nil, fmt.Errorf("column %q has %s; a group needs at least %d", t.Attr(j).Name, protect.Known(known, people),
				p.Least)
		}
	}
	if q.By == Others && len(s) == 0 && len(x) > 0 {
		return nil, fmt.Errorf("parameter %q: all numeric columns are confidential; mark those that are, or test all", "by")
	}
	if q.Inside != Swap && len(x) > 0 {
		if _, err := protect.Weights(t); err != nil {
			return nil, err
		}
	}
	for k, columns := range q.divide(x) {
		part, err := q.part(ctx, t, columns, s, src.Fork("tree").Fork(fmt.Sprint(k)))
		if err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, *part)
	}
	return p, nil
}

// contradiction returns an error where no leaf can be as small as it has to be.
func (q *Technique) contradiction() error {
	switch {
	case q.LeafMax == 0:
		return nil
	case q.LeafMin > q.LeafMax:
		return fmt.Errorf("parameter %q is %d, expected at most %q, %d", "leafMin", q.LeafMin, "leafMax", q.LeafMax)
	case q.Inside == Microaggregate && q.K > q.LeafMax:
		return fmt.Errorf("parameter %q is %d, expected at most %q, %d", "k", q.K, "leafMax", q.LeafMax)
	}
	return nil
}

// least returns the smallest number of people whose values are averaged or swapped.
func (q *Technique) least() int {
	if q.Inside == Microaggregate {
		return max(q.LeafMin, q.K)
	}
	return q.LeafMin
}

// divide returns which confidential columns share a tree.
func (q *Technique) divide(x []int) [][]int {
	if q.Partition == Each {
		return slices.Collect(slices.Chunk(x, 1))
	}
	if len(x) == 0 {
		return nil
	}
	return [][]int{x}
}

// part builds the tree for some confidential columns, given the non-confidential ones.
func (q *Technique) part(ctx context.Context, t *table.Table, x, s []int, src rng.Source) (*Part, error) {
	p := &Part{Columns: x, Tests: s}
	if q.By == All {
		p.Tests = slices.Sorted(slices.Values(slices.Concat(x, s)))
	}
	cols := make([][]float64, len(p.Tests))
	for k, j := range p.Tests {
		cols[k] = inside(t.Num(j), t.Attr(j).Domain)
	}
	whose, _ := t.People()
	opt := kdpartition.Options{
		Largest:  q.largest(),
		Smallest: q.least(),
		Median:   q.Split == Median,
		Hold:     numbers(t, x),
		High:     q.coin(src),
		Whose:    whose,
	}
	tree, leaf, err := kdpartition.Build(ctx, cols, opt)
	if err != nil {
		return nil, err
	}
	p.Tree, p.Pairs = *tree, pairs(numbers(t, x), leaf, tree.Leaves(), whose)
	for _, c := range cols {
		lo, hi := table.Range(c)
		p.Low, p.Width = append(p.Low, lo), append(p.Width, hi-lo)
	}
	return p, nil
}

// pairs counts the leaves in which two people have known values of some column.
func pairs(cols [][]float64, leaf []int32, leaves int, whose []int32) (n int) {
	found := make([]bool, leaves)
	for _, v := range cols {
		count := knowing(v, leaf, leaves, whose)
		for l := range count {
			found[l] = found[l] || count[l].Size() == 2
		}
	}
	for _, f := range found {
		if f {
			n++
		}
	}
	return n
}

// knowing tallies by group the records with a known value.
func knowing(v []float64, group []int32, groups int, whose []int32) []headcount.Tally {
	count := headcount.Several(groups, whose)
	for i, x := range v {
		if x == x {
			count[group[i]].Add(i)
		}
	}
	return count
}

func (q *Technique) largest() int {
	least := 10
	if q.Inside == Microaggregate {
		least = 5000
	}
	return max(cmp.Or(q.LeafMax, least), q.least())
}

// coin says by a keyed draw for every cut on which side values equal to it go; nil: always the lower.
func (q *Technique) coin(src rng.Source) func(lo, hi int) bool {
	if q.Ties != Coin {
		return nil
	}
	s := src.Stream()
	return func(lo, hi int) bool { return s.At(uint64(lo)<<32|uint64(hi)).A>>63 == 1 }
}

// numbers returns columns of a table.
func numbers(t *table.Table, columns []int) [][]float64 {
	out := make([][]float64, len(columns))
	for k, j := range columns {
		out[k] = t.Num(j)
	}
	return out
}

// known counts the values of a column that are not missing, and whose they are.
func known(t *table.Table, j int) (values, people int) {
	whose, _ := t.People()
	in := headcount.Of(whose)
	for i, x := range t.Num(j) {
		if x == x {
			values++
			in.Add(i)
		}
	}
	return values, in.Size()
}

// inside returns values of which those outside the domain are its nearest end. It returns v itself where there are
// none.
func inside(v []float64, d table.Interval) []float64 {
	if lo, hi := table.Range(v); lo >= d.Lo && hi <= d.Hi {
		return v
	}
	out := slices.Clone(v)
	for i, x := range v {
		if x == x {
			out[i] = min(max(x, d.Lo), d.Hi)
		}
	}
	return out
}
