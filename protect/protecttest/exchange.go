package protecttest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

const (
	// improbable is the distance, in standard errors, from which a mean over many releases is not that of chance: its
	// false alarm rate is below 1e-9, and 1e-9 where Bernstein's inequality bounds it.
	improbable = 6.55
	// influence is how much of a number may show in its release by way of the moments of the records that meet: it is one
	// of few there.
	influence = 0.25
)

// pair is two records of one segment, and group, whose values may be exchanged.
type pair [2]int

// tellsNothing checks the laws that say that a released value says nothing of the original one but its segment. Two
// tables have the values of pairs of records exchanged, of every other pair in the one and of the rest in the other:
// what a record has of its own in one table is its partner's in the other. If a law is right, a release looks as much
// like the partner's value as like its own, over both tables.
func tellsNothing(p lawful, t *table.Table, segments []segment.Segment) error {
	group := make([]uint64, t.Rows())
	g, meet := p.(protect.Grouper)
	if meet {
		var err error
		if group, err = g.Group(t); err != nil {
			return err
		}
	}
	pairs := make([][]pair, t.Width())
	for j := range pairs {
		var err error
		if pairs[j], err = told(p, t, segments, group, j); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(pairs, func(ps []pair) bool { return len(ps) > 0 }) {
		return nil
	}
	var swapped [2]*table.Table
	for side := range swapped {
		cols := t.Columns()
		for j := range cols {
			exchange(&cols[j], pairs[j], side)
		}
		var err error
		if swapped[side], err = t.WithColumns(cols); err != nil {
			return err
		}
	}
	likeness, err := likenesses(p, swapped, pairs)
	if err != nil {
		return err
	}
	for j, l := range likeness {
		if len(pairs[j]) == 0 {
			continue
		}
		mean, sd := stat.MeanStdDev(l, nil)
		most := 0.0 // of it, if all own values were released
		for _, s := range swapped {
			most += alikeness(s, s, pairs[j], j)
		}
		switch z := mean / sd * math.Sqrt(float64(len(l))); {
		case mean == 0 || math.Abs(z) < improbable:
		case meet && t.Attr(j).Kind == table.Numeric && math.Abs(mean) < influence*most:
		default:
			return fmt.Errorf("column %q: the law says that the release tells nothing, but it is like the original by %.3g of "+
				"what the original is, "+
				"%.1f standard errors", t.Attr(j).Name, mean/most, z)
		}
	}
	return nil
}

// likenesses returns, by column and run, how much more releases of the exchanged tables are like the records' own
// values than like their partners'.
func likenesses(p lawful, swapped [2]*table.Table, pairs [][]pair) ([][]float64, error) {
	out := make([][]float64, len(pairs))
	exchanged := long.Of(30, 500) // releases of each of the two tables
	for j := range out {
		out[j] = make([]float64, exchanged)
	}
	return out, parallel.Each(context.Background(), exchanged, func(k int) error {
		for side, s := range swapped {
			released, err := p.Apply(s, Seed(8).Fork(fmt.Sprint("run ", k, side)))
			if err != nil {
				return err
			}
			for j, ps := range pairs {
				out[j][k] += alikeness(s, released, ps, j)
			}
		}
		return nil
	})
}

// alikeness sums alike over the pairs of a column.
func alikeness(own, released *table.Table, pairs []pair, j int) (sum float64) {
	for _, pr := range pairs {
		sum += alike(own, released, pr, j)
	}
	return sum
}

// told returns pairs of records of one segment and group, with different values in column j of which the law says that
// nothing is told.
func told(p lawful, t *table.Table, segments []segment.Segment, group []uint64, j int) ([]pair, error) {
	var out []pair
	open := map[string]int{}
	known := map[noisemodel.Kernel]bool{} // whether a law is flat: the records of a segment have one
	for i := range t.Rows() {
		k, perturbed, err := lawOf(p, j, &segments[i], t, i)
		if err != nil {
			return nil, err
		}
		if !perturbed || t.MissingAt(i, j) {
			continue
		}
		nothing, ok := known[k]
		if !ok {
			nothing = flat(k, t, t.Attr(j), j)
			known[k] = nothing
		}
		if !nothing {
			continue
		}
		key := fmt.Sprint(group[i], segments[i].Num, segments[i].Cat)
		other, ok := open[key]
		switch {
		case !ok:
			open[key] = i
		case value(t, other, j) != value(t, i, j):
			out = append(out, pair{other, i})
			delete(open, key)
		}
	}
	return out, nil
}

// exchange exchanges the values of every other pair, from the first or the second on.
func exchange(c *table.Column, pairs []pair, from int) {
	c.Num, c.Cat = slices.Clone(c.Num), slices.Clone(c.Cat)
	for k := from; k < len(pairs); k += 2 {
		a, b := pairs[k][0], pairs[k][1]
		if c.Kind == table.Numeric {
			c.Num[a], c.Num[b] = c.Num[b], c.Num[a]
		} else {
			c.Cat[a], c.Cat[b] = c.Cat[b], c.Cat[a]
		}
	}
}

// alike says how much more the releases of two records are like their own values than like the other's.
func alike(t, out *table.Table, of pair, j int) float64 {
	a, b := of[0], of[1]
	x, other, y, z := value(t, a, j), value(t, b, j), value(out, a, j), value(out, b, j)
	switch {
	case t.Attr(j).Kind == table.Numeric && (y == missing || z == missing): // a gap that was drawn
		return 0
	case t.Attr(j).Kind == table.Numeric:
		return (y - z) * (x - other)
	}
	same := func(u, v float64) float64 {
		if u == v {
			return 1
		}
		return 0
	}
	return same(y, x) + same(z, other) - same(y, other) - same(z, x)
}
