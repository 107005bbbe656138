package segment

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/table"
)

// Segmentation assigns every record to exactly one segment. The leaves of a tree are one, and so are the intersections
// of the leaves of a forest, the combinations of the values of columns (ByValues) and groups of similar records
// (Groups).
type Segmentation interface {
	// Attrs returns the schema of the tables it divides. It is shared: do not write to it.
	Attrs() []table.Attribute
	// Count returns the number of segments there may be, whether they hold records or not; keys are smaller. It is an
	// error when there are more than keys can tell apart.
	Count() (uint64, error)
	// Route writes the key of every record's segment into dst, which has length t.Rows(). The table must conform to Attrs.
	Route(t *table.Table, dst []uint64) error
	// Segment returns the sub-domains of the segment with the key.
	Segment(key uint64) Segment
}

// Outside reports whether the value of a record in column j lies outside the segment's sub-domain. A missing value
// never does.
func (s *Segment) Outside(t *table.Table, row, j int) bool {
	if iv, ok := s.Num[j]; ok {
		v := t.Num(j)[row]
		return v == v && !iv.Contains(v)
	}
	if codes, ok := s.Cat[j]; ok {
		if c := t.Cat(j)[row]; c >= 0 {
			_, in := slices.BinarySearch(codes, c)
			return !in
		}
	}
	return false
}

// ByValues is the segmentation by the combinations of the values of categorical columns. A missing value is one of its
// own: such a record is in the segment of the others that miss it, which the column's sub-domain leaves open.
type ByValues struct {
	Schema  []table.Attribute
	Columns []int // positions in Schema
}

// Attrs returns the schema.
func (v *ByValues) Attrs() []table.Attribute { return v.Schema }

// Check refuses columns that are not categorical positions in the schema.
func (v *ByValues) Check() error {
	for _, j := range v.Columns {
		if j < 0 || j >= len(v.Schema) || v.Schema[j].Kind != table.Categorical {
			return fmt.Errorf("column %d cannot define segments; expected a categorical one", j+1)
		}
	}
	_, err := v.Count()
	return err
}

// Count returns the number of combinations, missing values included.
func (v *ByValues) Count() (uint64, error) {
	n := uint64(1)
	for _, j := range v.Columns {
		values := uint64(len(v.Schema[j].Labels)) + 1
		if n > (1<<63)/values {
			return 0, fmt.Errorf("the values of %d columns have more than 2^63 combinations; name fewer columns", len(v.Columns))
		}
		n *= values
	}
	return n, nil
}

// Route writes the key of every record's combination: the mixed-radix number of its codes, the first column's counting
// least, a missing one as 0.
func (v *ByValues) Route(t *table.Table, dst []uint64) error {
	if _, err := v.Count(); err != nil {
		return err
	}
	clear(dst)
	base := uint64(1)
	for _, j := range v.Columns {
		for i, c := range t.Cat(j) {
			dst[i] += base * uint64(c+1)
		}
		base *= uint64(len(v.Schema[j].Labels)) + 1
	}
	return nil
}

// Segment returns the values that the key stands for.
func (v *ByValues) Segment(key uint64) Segment {
	s := Segment{Num: map[int]table.Interval{}, Cat: map[int][]int32{}}
	for _, j := range v.Columns {
		n := uint64(len(v.Schema[j].Labels)) + 1
		if c := key % n; c > 0 {
			s.Cat[j] = []int32{int32(c - 1)}
		}
		key /= n
	}
	return s
}
