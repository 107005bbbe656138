package uncertainty

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// limit bounds the values that a dictionary joins; it is a power of two, and a table of so many numbers stays in the
// nearest cache.
const limit = 4096

// comparison holds the columns of both tables as the inner loops want them.
type comparison struct {
	released     int // number of released records
	columns      int // number of attributes compared
	dictionaries []dictionary
	lines        []line
	presence     *presence // nil when no value is missing
}

// line is a numeric column with many values, scaled so that the domain has size 1; NaN is missing.
type line struct {
	original, released []float64
	near               bool // no released value is missing and no two values are farther apart than 1
}

// dictionary is one or several columns with few values, joined: a released record's code stands for its values of all
// of them.
type dictionary struct {
	members []member
	codes   []uint16 // by released record
}

// member is a column of a dictionary. Its released values are coded from 0; the last code stands for missing.
type member struct {
	size  int
	codes []int32 // by released record
	// similarity of original record i and the released value of a code; 0 where either is missing
	similarity func(i, code int) float64
}

// newComparison prepares the attributes for comparison: the numeric and the categorical ones but identifiers and
// weights.
func newComparison(original, released *table.Table) *comparison {
	c := &comparison{released: released.Rows()}
	var members []member
	most := max(2, min(limit, released.Rows()/4)) // a table pays when it is small beside the records that are looked up
	var compared []int
	for j := range original.Width() {
		a := original.Attr(j)
		if a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		switch was, is := original.Column(j), released.Column(j); a.Kind {
		case table.Numeric:
			x, y := scale(original, j)(was.Num), scale(original, j)(is.Num)
			if m, ok := numbers(x, y, most/2); ok {
				members = append(members, m)
			} else {
				c.lines = append(c.lines, newLine(x, y))
			}
		case table.Categorical:
			if len(a.Labels) < most {
				members = append(members, categories(was.Cat, is.Cat, len(a.Labels)))
			} else { // as numbers, which are farther apart than 1 when they differ
				c.lines = append(c.lines, line{original: was.Numbers(), released: is.Numbers()})
			}
		case table.SetValued:
			continue
		}
		compared = append(compared, j)
	}
	c.columns = len(compared)
	c.dictionaries = join(members, most, c.released)
	c.presence = presenceOf(original, released, compared)
	return c
}

// scale returns the map of the values of numeric column j that makes its domain [0, 1]. The domain is the attribute's,
// or where that is unbounded the range of the original values. In a domain of one value all others are at 1.
func scale(original *table.Table, j int) func([]float64) []float64 {
	d := original.Attr(j).Domain
	lo, size := d.Lo, d.Hi-d.Lo
	if math.IsInf(size, 0) {
		var hi float64
		lo, hi = table.Range(original.Num(j))
		size = hi - lo
	}
	return func(values []float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			switch {
			case v != v:
				out[i] = math.NaN()
			case size > 0:
				out[i] = (v - lo) / size
			case v != lo:
				out[i] = 1
			}
		}
		return out
	}
}

func newLine(x, y []float64) line {
	near := true
	lo, hi := table.Range(x)
	for _, v := range y {
		if v != v {
			near = false
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	return line{x, y, near && hi-lo <= 1}
}

// categories makes a member of a categorical column.
func categories(x, y []int32, labels int) member {
	m := member{size: labels + 1, codes: slices.Clone(y)}
	for i, c := range m.codes {
		if c < 0 {
			m.codes[i] = int32(labels)
		}
	}
	m.similarity = func(i, code int) float64 {
		if c := int(x[i]); c >= 0 && c == code {
			return 1
		}
		return 0
	}
	return m
}

// numbers makes a member of a numeric column; ok is false when it has more than most values.
func numbers(x, y []float64, most int) (m member, ok bool) {
	var values []float64
	index := map[float64]int32{}
	m.codes = make([]int32, len(y))
	for i, v := range y {
		code, known := index[v]
		if !known && v == v {
			if code = int32(len(values)); len(values) == most {
				return m, false
			}
			index[v], values = code, append(values, v)
		}
		m.codes[i] = code
	}
	for i, v := range y {
		if v != v {
			m.codes[i] = int32(len(values))
		}
	}
	m.size = len(values) + 1
	m.similarity = func(i, code int) float64 {
		if code == len(values) {
			return 0
		}
		if d := math.Abs(x[i] - values[code]); d < 1 {
			return 1 - d
		}
		return 0
	}
	return m, true
}

// join makes dictionaries of at most so many joined values, the columns of fewest values first.
func join(members []member, most, released int) []dictionary {
	sorting.Stable(members, func(a, b member) int { return cmp.Compare(a.size, b.size) })
	var out []dictionary
	size := limit + 1
	for _, m := range members {
		if size *= m.size; size > most {
			size = m.size
			out = append(out, dictionary{codes: make([]uint16, released)})
		}
		d := &out[len(out)-1]
		d.members = append(d.members, m)
		base := uint16(size / m.size)
		for i, c := range m.codes {
			d.codes[i] += base * uint16(c)
		}
	}
	for d := range out {
		for k := range out[d].members {
			out[d].members[k].codes = nil
		}
	}
	return out
}

// tabulate sums the similarities of original record i over the joined columns, for every joined value.
func (d *dictionary) tabulate(i int, sums, spare *[limit]float64) {
	sums[0] = 0
	size := 1
	for _, m := range d.members {
		was := spare[:copy(spare[:size], sums[:size])]
		for code := range m.size {
			s := m.similarity(i, code)
			to := sums[code*size:][:size]
			for k, v := range was {
				to[k] = v + s
			}
		}
		size *= m.size
	}
}
