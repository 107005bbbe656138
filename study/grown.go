package study

import (
	"cmp"
	"math"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

const (
	// seldom is the share of the records expected if two columns were independent below which a combination hardly occurs.
	seldom = 0.01
	// grown is by how many standard deviations the square root of a count of records moves when it has grown.
	grown = 6
	// pairedColumns is how many columns of categories are looked at, pairedLabels how many categories they have at most.
	pairedColumns, pairedLabels = 20, 100
)

// Grown names combinations of two categories that the original hardly has, fewer than one in a hundred of what
// independent columns would, and the release has far more often: wives who are male. Those that break a relation, which
// the original has still more seldom, are counted elsewhere (measure/dataquality). Counts are exact. They are
// compared by their square roots, whose variance hardly depends on them (Anscombe 1948); where units have several
// records, units count. Of 1,000 releases of three columns whose records were drawn from the original's own shares none
// had anything named, so fewer than 3 in 1,000 do (95 %). Cost: O(rows) for each pair of at most pairedColumns columns,
// the first ones.
func Grown(original, released *table.Table) []message.Sentence {
	g := grower{of: 1}
	if _, units := original.People(); units > 0 {
		g.of = float64(original.Rows()) / float64(units)
	}
	for j := range original.Width() {
		k := released.Find(original.Attr(j).Name)
		if k >= 0 && len(g.was) < pairedColumns && crossable(original.Attr(j)) && crossable(released.Attr(k)) {
			g.was, g.is = append(g.was, original.Column(j)), append(g.is, released.Column(k))
		}
	}
	var pairs [][2]int
	for a := range g.was {
		for b := range a {
			pairs = append(pairs, [2]int{b, a})
		}
	}
	found := make([][]grew, len(pairs))
	parallel.Do(len(pairs), func(k int) { found[k] = g.pair(pairs[k][0], pairs[k][1]) })
	var all []grew
	for _, f := range found {
		all = append(all, f...)
	}
	if all == nil {
		return nil
	}
	sorting.Stable(all, func(a, b grew) int { return cmp.Compare(b.is-b.was, a.is-a.was) })
	return []message.Sentence{says(all)}
}

func crossable(a *table.Attribute) bool {
	return a.Kind == table.Categorical && len(a.Labels) > 1 && len(a.Labels) <= pairedLabels
}

// grower has the columns of categories of an original and a release, and how many records a unit has on average.
type grower struct {
	was, is []table.Column
	of      float64
}

// grew is a combination, and the records of the original and of the release that have it.
type grew struct {
	never   relation.Relation
	was, is int
}

// pair looks for combinations of two columns.
func (g *grower) pair(a, b int) (out []grew) {
	x, y := &g.was[a], &g.was[b]
	was, n := crossed(x, y, nil, nil, len(x.Labels), len(y.Labels))
	is, m := crossed(&g.is[a], &g.is[b], codesIn(&g.is[a], x), codesIn(&g.is[b], y), len(x.Labels), len(y.Labels))
	if n == 0 || m == 0 {
		return nil
	}
	rows, columns := make([]int, len(x.Labels)), make([]int, len(y.Labels))
	for k, c := range was {
		rows[k/len(columns)] += c
		columns[k%len(columns)] += c
	}
	scale := float64(m) / float64(n)
	for k, c := range was {
		r, s := k/len(columns), k%len(columns)
		expected := float64(rows[r]) * float64(columns[s]) / float64(n)
		if float64(c) > float64(seldom*expected) || relation.Tolerated(c, int(expected)) {
			continue
		}
		root := func(count float64) float64 { return math.Sqrt(count/g.of + 3.0/8) }
		if more := root(float64(is[k])/scale) - root(float64(c)); more*more*2 > grown*grown*max(1, 1/scale) && more > 0 {
			out = append(out, grew{relation.Relation{Kind: relation.NeverTogether, Columns: []string{x.Name, y.Name},
				Other: x.Labels[r], Value: y.Labels[s]}, c, is[k]})
		}
	}
	return out
}

// crossed counts the combinations of two columns, by code, and the records that have both. To gives the codes that
// count in place of a column's own; nil leaves them.
func crossed(x, y *table.Column, toX, toY []int32, rows, columns int) (counts []int, n int) {
	counts = make([]int, rows*columns)
	for i, a := range x.Cat {
		b := y.Cat[i]
		if a < 0 || b < 0 {
			continue
		}
		n++
		if toX != nil {
			a, b = toX[a], toY[b]
		}
		if a >= 0 && b >= 0 {
			counts[int(a)*columns+int(b)]++
		}
	}
	return counts, n
}

// codesIn returns the codes that the categories of a column have in another; -1 for none.
func codesIn(c, other *table.Column) []int32 {
	out := make([]int32, len(c.Labels))
	for k, l := range c.Labels {
		out[k] = other.Code(l)
	}
	return out
}

// says names the first few combinations.
func says(all []grew) message.Sentence {
	var names []message.Sentence
	for _, c := range all[:min(len(all), mostNamed)] {
		names = append(names, message.Say("pairs.one").Name("a", c.never.Columns[0]+" = "+c.never.Other).
			Name("b", c.never.Columns[1]+" = "+c.never.Value).Count("was", c.was).Count("is", c.is))
	}
	list := message.Listed(names)
	if n := len(all) - mostNamed; n > 0 {
		list = message.Say("pairs.more").Part("list", list).Count("n", n)
	}
	return message.Say("pairs.grown").Part("list", list).Name("first", all[0].never.String())
}
