package table

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/dither-data/dither/calendar"
)

// Column is one attribute with its values: exactly one of Num, Cat and Sets is set, by the attribute's kind.
type Column struct {
	Attribute
	Num  []float64 // numeric: NaN is missing
	Cat  []int32   // categorical: -1 is missing
	Sets *Sets     // set-valued

	// NoiseKeys are the identities by which the values are drawn, where they are not those of the records (Table.Keyed);
	// nil elsewhere.
	NoiseKeys []RecordID
	// Suppressed says by row of a release which missing values a tool suppressed, apart from those that only lack; nil
	// where that is not known.
	Suppressed []bool
	// Imputed says by row of a release which values it says stand in the place of missing ones; nil where it says nothing.
	Imputed []bool
}

// NumColumn returns a numeric column whose domain is the observed one.
func NumColumn(name string, step float64, values []float64) Column {
	lo, hi := Range(values)
	return Column{
		Attribute: Attribute{Name: name, Kind: Numeric, Step: step, Domain: Interval{Lo: lo, Hi: hi}},
		Num:       values,
	}
}

// DateColumn returns a numeric column of dates in a notation, whose domain and grid are the observed ones: values are
// in units of the notation.
func DateColumn(name string, n calendar.Notation, values []float64) Column {
	c := NumColumn(name, n.Whole(values), values)
	c.Dates = n
	return c
}

// CatColumn returns a categorical column.
func CatColumn(name string, labels []string, codes []int32) Column {
	return Column{Attribute: Attribute{Name: name, Kind: Categorical, Labels: labels}, Cat: codes}
}

// SetColumn returns a set-valued column of the items that are labelled.
func SetColumn(name string, labels []string, sets *Sets) Column {
	return Column{Attribute: Attribute{Name: name, Kind: SetValued, Labels: labels}, Sets: sets}
}

// Len returns the number of values, missing ones included.
func (c *Column) Len() int {
	switch c.Kind {
	case Numeric:
		return len(c.Num)
	case Categorical:
		return len(c.Cat)
	case SetValued:
		return c.Sets.Rows()
	}
	return 0
}

// MissingAt reports whether the value in row i is missing.
func (c *Column) MissingAt(i int) bool {
	switch c.Kind {
	case Numeric:
		return math.IsNaN(c.Num[i])
	case Categorical:
		return c.Cat[i] < 0
	case SetValued:
		return c.Sets.MissingAt(i)
	}
	return true
}

// Slice returns the values of rows lo..hi-1, which it shares.
func (c Column) Slice(lo, hi int) Column {
	switch c.Kind {
	case Numeric:
		c.Num = c.Num[lo:hi:hi]
	case Categorical:
		c.Cat = c.Cat[lo:hi:hi]
	case SetValued:
		c.Sets = c.Sets.slice(lo, hi)
	}
	if c.NoiseKeys != nil {
		c.NoiseKeys = c.NoiseKeys[lo:hi:hi]
	}
	if c.Suppressed != nil {
		c.Suppressed = c.Suppressed[lo:hi:hi]
	}
	if c.Imputed != nil {
		c.Imputed = c.Imputed[lo:hi:hi]
	}
	return c
}

// Gather returns a copy of the values of the given rows, in that order.
func (c Column) Gather(rows []int) Column {
	switch c.Kind {
	case Numeric:
		c.Num = gather(c.Num, rows)
	case Categorical:
		c.Cat = gather(c.Cat, rows)
	case SetValued:
		c.Sets = c.Sets.gather(rows)
	}
	if c.NoiseKeys != nil {
		c.NoiseKeys = gather(c.NoiseKeys, rows)
	}
	if c.Suppressed != nil {
		c.Suppressed = gather(c.Suppressed, rows)
	}
	if c.Imputed != nil {
		c.Imputed = gather(c.Imputed, rows)
	}
	return c
}

// Blank returns a copy in which the values of the given rows are missing.
func (c Column) Blank(rows []int) Column {
	switch c.Kind {
	case Numeric:
		c.Num = slices.Clone(c.Num)
		for _, i := range rows {
			c.Num[i] = math.NaN()
		}
	case Categorical:
		c.Cat = slices.Clone(c.Cat)
		for _, i := range rows {
			c.Cat[i] = -1
		}
	case SetValued:
		c.Sets = c.Sets.blank(rows)
	}
	return c
}

// Numbers returns the values as numbers, NaN for a missing one: numbers as they are, which are shared and must not be
// written, and codes of categories. It returns nil for sets, which are no numbers.
func (c *Column) Numbers() []float64 {
	switch c.Kind {
	case Numeric:
		return c.Num
	case Categorical:
		out := make([]float64, len(c.Cat))
		for i, v := range c.Cat {
			if out[i] = float64(v); v < 0 {
				out[i] = math.NaN()
			}
		}
		return out
	case SetValued:
	}
	return nil
}

func gather[T any](v []T, rows []int) []T {
	out := make([]T, len(rows))
	for k, i := range rows {
		out[k] = v[i]
	}
	return out
}

// Chain returns a column of the values of all parts, one part after the other, with the attribute of the first. The
// parts must agree in name, kind and labels.
func Chain(parts ...Column) (Column, error) {
	if len(parts) == 0 {
		return Column{}, fmt.Errorf("there is no column to chain")
	}
	out, rows := Column{Attribute: parts[0].Attribute}, 0
	for i := range parts {
		if p := &parts[i]; p.Name != out.Name || p.Kind != out.Kind || !slices.Equal(p.Labels, out.Labels) {
			return out, fmt.Errorf("the parts differ in column %q", out.Name)
		}
		rows += parts[i].Len()
	}
	switch out.Kind {
	case Numeric:
		out.Num = make([]float64, 0, rows)
		for i := range parts {
			out.Num = append(out.Num, parts[i].Num...)
		}
	case Categorical:
		out.Cat = make([]int32, 0, rows)
		for i := range parts {
			out.Cat = append(out.Cat, parts[i].Cat...)
		}
	case SetValued:
		out.Sets = concatSets(parts)
	}
	return out, nil
}

// Same reports whether row i of c and row k of o hold the same value; missing is the same as missing. Both columns must
// have the same kind and the same labels.
func (c *Column) Same(i int, o *Column, k int) bool {
	switch c.Kind {
	case Numeric:
		x, y := c.Num[i], o.Num[k]
		return x == y || x != x && y != y
	case Categorical:
		return c.Cat[i] == o.Cat[k]
	case SetValued:
		return compareSets(c.Sets, i, o.Sets, k) == 0
	}
	return false
}

// Differ returns in how many rows the values of c and o, which have the same length, are not the same. Both must have
// the same kind and labels.
func (c *Column) Differ(o *Column) int {
	n := 0
	for i := range c.Len() {
		if !c.Same(i, o, i) {
			n++
		}
	}
	return n
}

// Equal reports whether c and o, which have the same length, hold the same values row by row; missing is the same as
// missing. Both must have the same kind and labels. It looks no further than the first difference.
func (c *Column) Equal(o *Column) bool {
	switch c.Kind {
	case Numeric:
		return slices.EqualFunc(c.Num, o.Num, func(x, y float64) bool { return x == y || x != x && y != y })
	case Categorical:
		return slices.Equal(c.Cat, o.Cat)
	case SetValued:
		for i := range c.Len() {
			if compareSets(c.Sets, i, o.Sets, i) != 0 {
				return false
			}
		}
	}
	return true
}

// SameValues reports whether c and o hold the same values, in whatever order. Both must have the same kind and labels.
// Cost: O(n log n).
func (c *Column) SameValues(o *Column) bool {
	if c.Len() != o.Len() {
		return false
	}
	a, b := c.sorted(), o.sorted()
	return a.Differ(&b) == 0
}

// sorted returns the values in an order that depends on nothing but them.
func (c *Column) sorted() Column {
	out := Column{Attribute: c.Attribute}
	switch c.Kind {
	case Numeric:
		out.Num = slices.Sorted(slices.Values(c.Num))
	case Categorical:
		out.Cat = slices.Sorted(slices.Values(c.Cat))
	case SetValued:
		rows := make([]int, c.Len())
		for i := range rows {
			rows[i] = i
		}
		slices.SortFunc(rows, func(i, k int) int { return compareSets(c.Sets, i, c.Sets, k) })
		return c.Gather(rows)
	}
	return out
}

// Hash feeds the values to a hash, or to a writer that keeps its first error, as a bufio.Writer does; missing numbers
// are all alike. What a set is fed as tells where it ends, so that an item cannot pass from one record to the next
// unseen.
func (c *Column) Hash(w io.Writer) {
	buf := make([]byte, 0, 1<<15)
	room := func(n int) {
		if len(buf)+n > cap(buf) {
			w.Write(buf)
			buf = buf[:0]
		}
	}
	switch c.Kind {
	case Numeric:
		for _, v := range c.Num {
			if v != v {
				v = math.NaN()
			}
			room(8)
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
	case Categorical:
		for _, v := range c.Cat {
			room(4)
			buf = binary.LittleEndian.AppendUint32(buf, uint32(v))
		}
	case SetValued:
		for i := range c.Sets.Rows() {
			room(4 * (2 + len(c.Sets.Present.Row(i)) + len(c.Sets.Unknown.Row(i))))
			buf = c.AppendKey(buf, i)
		}
	}
	w.Write(buf)
}

// AppendKey appends bytes that the values of rows have in common when they are the same, as Same says, and only then.
// The keys of several columns, one after the other, tell records apart.
func (c *Column) AppendKey(dst []byte, i int) []byte {
	switch c.Kind {
	case Numeric:
		v := c.Num[i] + 0 // minus zero becomes zero
		if v != v {
			v = math.NaN()
		}
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	case Categorical:
		return binary.LittleEndian.AppendUint32(dst, uint32(c.Cat[i]))
	case SetValued:
		if c.Sets.MissingAt(i) {
			return binary.LittleEndian.AppendUint32(dst, math.MaxUint32)
		}
		for _, row := range [...][]int32{c.Sets.Present.Row(i), c.Sets.Unknown.Row(i)} {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(row)))
			for _, v := range row {
				dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
			}
		}
	}
	return dst
}

func (c *Column) check(rows int) error {
	if c.Len() != rows {
		return fmt.Errorf("column %q has %d values, expected %d", c.Name, c.Len(), rows)
	}
	n := int32(len(c.Labels))
	switch c.Kind {
	case Numeric:
		if c.Cat != nil || c.Sets != nil {
			return c.mixed()
		}
	case Categorical:
		if c.Num != nil || c.Sets != nil {
			return c.mixed()
		}
		for i, v := range c.Cat {
			if v < -1 || v >= n {
				return fmt.Errorf("column %q, row %d: code %d is outside its %d labels", c.Name, i+1, v, n)
			}
		}
	case SetValued:
		if c.Num != nil || c.Cat != nil {
			return c.mixed()
		}
		if err := c.Sets.check(rows, n); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
	default:
		return fmt.Errorf("column %q is of the unknown %s", c.Name, c.Kind)
	}
	return nil
}

func (c *Column) mixed() error { return fmt.Errorf("column %q holds values of another kind", c.Name) }
