package forests

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/table"
)

// test is a test with its gain ratio.
type test struct {
	attr       int
	cut, ratio float64
}

// force returns the test as one that a tree must have, with the given ones below it; nil leaves them to C4.5.
func (t test) force(below []*c45.Test) *c45.Test {
	return &c45.Test{Attr: t.attr, Cut: t.cut, Below: below}
}

// good returns the good tests for some records, the best first; of equal gain ratio, in the order of the attributes
// (Islam & Giggins 2011, algorithm GetGoodAttributes). Cost: O(records) per attribute, and a sort of the cuts that
// may be good.
func (b *builder) good(p *c45.Part) []test {
	byAttr := make([][]test, len(b.span))
	p.Rate(func(attr int, tests []c45.Rated) { byAttr[attr] = b.candidates(attr, tests) })
	all := slices.Concat(byAttr...)
	sorting.Stable(all, func(x, y test) int { return cmp.Compare(y.ratio, x.ratio) })
	for k := range all {
		if all[k].ratio < b.MinGainRatio || all[0].ratio-all[k].ratio > b.Goodness {
			return all[:k]
		}
	}
	return all
}

// candidates returns the tests of an attribute that may be good, the best first: the one of a categorical attribute,
// the cuts of a numeric one, each further from all better ones than separation allows. Those of too small a ratio are
// left out from the start: they are never good, and no better test gives way to them.
func (b *builder) candidates(attr int, tests []c45.Rated) []test {
	best := 0.0
	for _, t := range tests {
		best = max(best, t.Ratio)
	}
	order := make([]int32, 0, len(tests))
	for k, t := range tests {
		if t.Ratio >= b.MinGainRatio && best-t.Ratio <= b.Goodness {
			order = append(order, int32(k))
		}
	}
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(tests[y].Ratio, tests[x].Ratio), cmp.Compare(x, y))
	})
	near := func(p, q float64) bool { return (q-p)/b.span[attr] <= b.Separation }
	gone := make([]bool, len(tests))
	var out []test
	for _, k := range order {
		if gone[k] {
			continue
		}
		p := tests[k].Cut
		out = append(out, test{attr, p, tests[k].Ratio})
		for i := k - 1; i >= 0 && near(tests[i].Cut, p); i-- {
			gone[i] = true
		}
		for i := int(k) + 1; i < len(tests) && near(p, tests[i].Cut); i++ {
			gone[i] = true
		}
	}
	return out
}

// spans returns the ranges of the numeric attributes over the whole table, by column.
func spans(t *table.Table) []float64 {
	out := make([]float64, t.Width())
	for j := range out {
		lo, hi := table.Range(t.Num(j))
		out[j] = hi - lo
	}
	return out
}
