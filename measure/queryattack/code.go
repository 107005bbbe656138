package queryattack

import (
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// coding numbers the values of an attribute that a query cannot tell apart, in both tables alike: 0 to size-1.
type coding struct {
	size   int
	cuts   []float64 // a number's code is how many cuts are at most it
	values []float64 // the values themselves where they are compared exactly; nil for bins
	groups []int32   // of categories; nil for their own codes
}

// codes returns the codes of a column; -1 is missing.
func (c *coding) codes(col table.Column) []int32 {
	switch col.Kind {
	case table.Numeric:
	case table.Categorical:
		if c.groups == nil {
			return col.Cat
		}
		out := make([]int32, len(col.Cat))
		for i, v := range col.Cat {
			if out[i] = -1; v >= 0 {
				out[i] = c.groups[v]
			}
		}
		return out
	case table.SetValued: // is not among what can be known
	}
	out := make([]int32, len(col.Num))
	for i, v := range col.Num {
		out[i] = c.code(v)
	}
	return out
}

// code returns the code of a number; -1 for NaN.
func (c *coding) code(v float64) int32 {
	if v != v {
		return -1
	}
	return int32(sort.Search(len(c.cuts), func(k int) bool { return c.cuts[k] > v }))
}

// knownCoding returns how a query compares what is known of a column.
func (m *Meter) knownCoding(r *measure.Release, k *intruder.Known) coding {
	original, released := r.Original.Column(k.Column), r.Released.Column(k.Column)
	switch original.Kind {
	case table.Numeric:
	case table.Categorical:
		return categories(len(original.Labels), k.Groups)
	case table.SetValued: // is not among what can be known
	}
	switch {
	case k.Bands != nil:
		return coding{size: len(k.Bands) + 1, cuts: k.Bands}
	case m.Values == Bins:
		return bins(original.Num, m.Bins)
	}
	_, values := rank.Dense(slices.Concat(original.Num, released.Num))
	if len(values) == 0 {
		return coding{size: 1}
	}
	return coding{size: len(values), cuts: values[1:], values: values}
}

// categories codes categories by their groups, if there are any.
func categories(labels int, groups []int32) coding {
	if groups == nil {
		return coding{size: labels}
	}
	number := map[int32]int32{}
	c := coding{groups: make([]int32, labels)}
	for k, g := range groups {
		if _, ok := number[g]; !ok {
			number[g] = int32(len(number))
		}
		c.groups[k] = number[g]
	}
	c.size = len(number)
	return c
}

// bins cuts the order of the values at positions n/b, 2n/b, ... or, where values are equal there, at the next new one;
// so a value is in one bin, and there are at most b. The rule is not that of quantile.Cuts, which shares the bins that
// a frequent value leaves empty among the rarer ones and would so tell the intruder more of those: here, knowing a bin
// is knowing a place among all people, to about 1/b.
func bins(values []float64, b int) coding {
	sorted := rank.Ascending(values)
	var cuts []float64
	reached := 0
	for i := 1; i < len(sorted); i++ {
		if at := i * b / len(sorted); at > reached && sorted[i] > sorted[i-1] {
			cuts, reached = append(cuts, sorted[i]), at
		}
	}
	return coding{size: len(cuts) + 1, cuts: cuts}
}

// condition returns what a query asks of a column for a person with the value in a row; false when it is missing.
func (c *coding) condition(col table.Column, k *intruder.Known, row int) (lo, hi int32, ok bool) {
	switch col.Kind {
	case table.Numeric:
	case table.Categorical:
		v := col.Cat[row]
		if v < 0 {
			return 0, 0, false
		}
		if c.groups != nil {
			v = c.groups[v]
		}
		return v, v, true
	case table.SetValued: // is not among what can be known
		return 0, 0, false
	}
	v := col.Num[row]
	if v != v {
		return 0, 0, false
	}
	if k.Within == 0 {
		return c.code(v), c.code(v), true
	}
	left := k.Range(v)
	lo, hi = c.code(left.Lo), c.code(left.Hi)
	if c.values != nil && c.values[lo] < left.Lo {
		lo++
	}
	return lo, hi, true
}
