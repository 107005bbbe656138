package microaggregation

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/table"
)

// Points returns the records of a table as points for MixedMDAV, with the columns given as attributes. Numbers and the
// codes of ordered categories have unit variance and mean 0, those that are all the same are 0; numbers outside their
// domain count as its nearest end. A missing number is the mean, a missing ordered category the median, and a missing
// other one a category of its own. Cost: O(n) a column, O(n log n) for ordered categories.
func Points(t *table.Table, columns []int) (points []float64, kinds []Kind) {
	points = make([]float64, t.Rows()*len(columns))
	for d, j := range columns {
		a := t.Attr(j)
		v := values(t.Column(j))
		switch kind := kindOf(a); kind {
		case Nominal:
			replaceMissing(v, float64(len(a.Labels)))
		case Number, Ordinal:
			standardise(v, kind)
		}
		kinds = append(kinds, kindOf(a))
		for i, x := range v {
			points[i*len(columns)+d] = x
		}
	}
	return points, kinds
}

// kindOf returns how values of an attribute are summed up.
func kindOf(a *table.Attribute) Kind {
	switch a.Kind {
	case table.Numeric:
		return Number
	case table.Categorical:
		if a.Ordered {
			return Ordinal
		}
	case table.SetValued: // is not among the columns
	}
	return Nominal
}

// values returns a copy of a column's values as numbers: those outside the domain as its nearest end, codes for
// categories, NaN for what is missing.
func values(c table.Column) []float64 {
	out := c.Numbers()
	if c.Kind == table.Numeric {
		out = slices.Clone(out)
		for i, v := range out {
			if v == v {
				out[i] = min(max(v, c.Domain.Lo), c.Domain.Hi)
			}
		}
	}
	return out
}

func replaceMissing(v []float64, by float64) {
	for i, x := range v {
		if x != x {
			v[i] = by
		}
	}
}

// standardise gives values unit variance and mean 0, in their place.
func standardise(v []float64, kind Kind) {
	known := slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return x != x })
	if len(known) == 0 || slices.Min(known) == slices.Max(known) {
		clear(v)
		return
	}
	_, scale := math.Frexp(max(slices.Max(known), -slices.Min(known))) // so that squares are finite
	for i := range known {
		known[i] = math.Ldexp(known[i], -scale)
	}
	mean, sd := vector.PopMeanStdDev(known)
	stand := 0.0 // for what is missing
	if kind == Ordinal {
		slices.Sort(known)
		stand = (known[(len(known)-1)/2] - mean) / sd
	}
	for i, x := range v {
		v[i] = (math.Ldexp(x, -scale) - mean) / sd
	}
	replaceMissing(v, stand)
}
