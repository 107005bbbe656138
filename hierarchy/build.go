package hierarchy

import (
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/table"
)

// finest is how many intervals the first level of numbers has, about.
const finest = 16

// Build returns a hierarchy for an attribute that has none: numbers are cut into some 16 intervals of round limits,
// which double in width from level to level; dates are raised to months, quarters, years and decades, and times of the
// day to hours, three, six and twelve of them; ordered categories are joined in pairs, fours and so on; codes by what
// they begin with, see AreCodes; the values of others become one group at once. The limits of intervals are multiples
// of a round width, not values of the table; values are those of the column, needed for numbers whose domain is not
// declared. A categorical column must have a label.
func Build(c *table.Column) *Hierarchy {
	switch c.Kind {
	case table.Numeric:
		switch {
		case c.Dates.Timely():
			return Times(c)
		case c.Dates != "":
			return Calendar(c)
		}
		return Intervals(c)
	case table.Categorical:
		switch {
		case c.Ordered:
			return Runs(c.Name, c.Labels)
		case AreCodes(c.Labels):
			return Prefix(c.Name, c.Labels)
		}
	case table.SetValued: // is not among the columns
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
			if from == 0 && to == len(values)-1 {
				names = append(names, Top)
			} else {
				names = append(names, Run(values[from:to+1]))
			}
		}
		h.Names, h.Up = append(h.Names, names), append(h.Up, up)
	}
	if h.Height() == 0 {
		return Flat(attribute, values)
	}
	return h
}

// Run says a run of neighbouring values by its ends, in quotes where they could be taken for a run themselves.
func Run(values []string) string {
	quoted := func(v string) string {
		if strings.Contains(v, "..") || strings.HasPrefix(v, `"`) {
			return strconv.Quote(v)
		}
		return v
	}
	from, to := quoted(values[0]), quoted(values[len(values)-1])
	if len(values) == 1 {
		return from
	}
	return from + " .. " + to
}

// numeric returns the hierarchy of a numeric column that has no level yet, over the declared domain or the range of its
// values, and whether that is bounded; if not, the domain of the hierarchy is empty.
func numeric(c *table.Column) (h *Hierarchy, finite bool) {
	domain := table.Interval{Lo: c.Domain.Lo, Hi: c.Domain.Hi}
	if !c.Declared || !bounded(domain) {
		domain.Lo, domain.Hi = table.Range(c.Num)
	}
	if finite = bounded(domain); !finite {
		domain = table.Interval{}
	}
	return &Hierarchy{
		Attribute: c.Name,
		Names:     [][]string{{}},
		Up:        [][]int32{{}},
		Cuts:      []float64{},
		Domain:    domain,
	}, finite
}

// Intervals returns the hierarchy of a numeric column: intervals of a round width, a power of ten times 1, 2 or 5, on
// level 1, of twice the width on every further one, and all numbers as one group at the top. The limits are multiples
// of the width; the first and the last interval are open-ended, so that every number is in one.
func Intervals(c *table.Column) *Hierarchy {
	h, _ := numeric(c)
	width := firstWidth(h.Domain, c.Step)
	if width == 0 {
		h.Names = append(h.Names, []string{Top})
		return h
	}
	first, last := math.Floor(tidy(h.Domain.Lo/width)), math.Floor(tidy(h.Domain.Hi/width))
	for k := first + 1; k <= last; k++ {
		h.Cuts = append(h.Cuts, tidy(float64(k*width)))
	}
	for a, b := first, last; ; width *= 2 {
		if a == b {
			h.Names = append(h.Names, []string{Top})
			break
		}
		var names []string
		for k := a; k <= b; k++ {
			names = append(names, label(float64(k*width), float64((k+1)*width), k == a, k == b))
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

// firstWidth returns the width of the narrowest intervals that a domain is cut into: two grid steps at least, and wide
// enough for 14 digits to tell the limits apart. It is 0 where there is nothing to cut.
func firstWidth(d table.Interval, step float64) float64 {
	width := (d.Hi - d.Lo) / finest
	if width < 1e-300 {
		return 0
	}
	return round(max(width, 2*step, 1e-10*math.Abs(d.Lo), 1e-10*math.Abs(d.Hi)))
}

// label says an interval; those at the ends are open.
func label(lo, hi float64, first, last bool) string {
	switch {
	case first:
		return "< " + exact(tidy(hi))
	case last:
		return ">= " + exact(tidy(lo))
	}
	return "[" + exact(tidy(lo)) + ", " + exact(tidy(hi)) + ")"
}

// exact writes a number with as few digits as tell it, without an exponent where it is of a usual size.
func exact(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}

// tidy drops the last digits of a number, which are those of rounding.
func tidy(v float64) float64 {
	t, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 14, 64), 64)
	if err != nil {
		return v
	}
	return t + 0 // minus zero becomes zero
}

// round returns the least power of ten times 1, 2 or 5 that is not below v, which is positive.
func round(v float64) float64 {
	power := portable.Pow(10, math.Floor(portable.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= v*(1-1e-9) {
			return float64(f * power)
		}
	}
	return float64(10 * power)
}
