package hierarchy

import (
	"math"
	"strconv"

	"github.com/dither-data/dither/table"
)

// finest is how many intervals the first level of numbers has, about.
const finest = 16

// Build returns a hierarchy for an attribute that has none: numbers are cut into some 16 intervals of round limits, which double in width from level
// to level; ordered categories are joined in pairs, fours and so on; the values of others become one group at once. The limits of
// intervals are multiples of a round width, not values of the table; values are those of the column, needed for numbers whose domain is not
// declared.
func Build(c *table.Column) *Hierarchy {
	switch {
	case c.Kind == table.Numeric:
		return Intervals(c)
	case c.Ordered:
		return Runs(c.Name, c.Labels)
	}
	return Flat(c.Name, c.Labels)
}

// Flat returns the hierarchy of height 1 in which every value becomes one group.
func Flat(attribute string, values []string) *Hierarchy {
	return &Hierarchy{Attribute: attribute, Names: [][]string{values, {Top}}, Up: [][]int32{make([]int32, len(values))}}
}

// Runs returns the hierarchy of ordered values in which every two neighbouring groups become one on the next level.
func Runs(attribute string, values []string) *Hierarchy {
	h := &Hierarchy{Attribute: attribute, Names: [][]string{values}}
	for width := 2; len(h.Names[h.Height()]) > 1; width *= 2 {
		var names []string
		up := make([]int32, len(h.Names[h.Height()]))
		for g := range up {
			up[g] = int32(g / 2)
		}
		for from := 0; from < len(values); from += width {
			to := min(from+width, len(values)) - 1
			switch {
			case from == 0 && to == len(values)-1:
				names = append(names, Top)
			case from == to:
				names = append(names, values[from])
			default:
				names = append(names, values[from]+" .. "+values[to])
			}
		}
		h.Names, h.Up = append(h.Names, names), append(h.Up, up)
	}
	if h.Height() == 0 {
		return Flat(attribute, values)
	}
	return h
}

// Intervals returns the hierarchy of a numeric column: intervals of a round width, a power of ten times 1, 2 or 5, on level 1, of twice the
// width on every further one, and all numbers as one group at the top. The limits are multiples of the width; the first and the last interval
// are open-ended, so that every number is in one.
func Intervals(c *table.Column) *Hierarchy {
	lo, hi := c.Domain.Lo, c.Domain.Hi
	if !c.Declared || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		lo, hi = table.Range(c.Num)
	}
	h := &Hierarchy{Attribute: c.Name, Cuts: []float64{}, Domain: table.Interval{Lo: lo, Hi: hi}}
	if !(hi > lo) {
		h.Names, h.Up = [][]string{{}, {Top}}, [][]int32{{}}
		return h
	}
	width := round(max((hi-lo)/finest, c.Step, 1e-10*math.Abs(lo), 1e-10*math.Abs(hi))) // limits that 14 digits tell apart
	first, last := math.Floor(lo/width), math.Floor(hi/width)
	h.Names, h.Up = [][]string{{}}, [][]int32{{}}
	for k := first + 1; k <= last; k++ {
		h.Cuts = append(h.Cuts, k*width)
	}
	for a, b := first, last; ; width *= 2 {
		if a == b {
			h.Names = append(h.Names, []string{Top})
			break
		}
		var names []string
		for k := a; k <= b; k++ {
			names = append(names, label(k*width, (k+1)*width, k == a, k == b))
		}
		h.Names = append(h.Names, names)
		up := make([]int32, len(names))
		next := math.Floor(a / 2)
		for g := range up {
			up[g] = int32(math.Floor((a+float64(g))/2) - next)
		}
		if a, b = next, math.Floor(b/2); a == -1 && b == 0 { // zero divides numbers of both signs on every level
			clear(up)
			a = 0
		}
		h.Up = append(h.Up, up)
	}
	return h
}

// label says an interval; those at the ends are open.
func label(lo, hi float64, first, last bool) string {
	text := func(v float64) string { return strconv.FormatFloat(tidy(v), 'f', -1, 64) }
	switch {
	case first:
		return "< " + text(hi)
	case last:
		return ">= " + text(lo)
	}
	return "[" + text(lo) + ", " + text(hi) + ")"
}

// tidy drops the last digits of a number, which are those of rounding.
func tidy(v float64) float64 {
	t, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 14, 64), 64)
	if err != nil {
		return v
	}
	return t
}

// round returns the least power of ten times 1, 2 or 5 that is not below v, which is positive.
func round(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= v*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}
