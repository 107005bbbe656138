package donors

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// A test of a tree asks in which of at most 255 bins a value is.
const (
	most = 255 // bins of a column at most
	none = 255 // the bin of a missing value
)

// Scale says in which bin the values of a column are that trees test.
type Scale struct {
	Column int `json:"column"`
	// Cuts are ascending: bin b of a number holds what is above Cuts[b-1] and up to Cuts[b], the last one all above.
	Cuts []float64 `json:"cuts,omitempty"`
	// Bins are by code; absent where a category is its own bin.
	Bins []byte `json:"bins,omitempty"`
}

// ScaleOf divides the values of a column: one bin for each where there are few, otherwise bins of as many numbers, or
// one for each of the most frequent categories and one for the others.
func ScaleOf(t *table.Table, j int) Scale {
	s := Scale{Column: j}
	if a := t.Attr(j); a.Kind == table.Categorical {
		if len(a.Labels) > most {
			s.Bins = frequent(t.Cat(j), len(a.Labels))
		}
		return s
	}
	known := rank.Ascending(t.Num(j))
	if s.Cuts = slices.Compact(slices.Clone(known)); len(s.Cuts) > most {
		s.Cuts = s.Cuts[:0]
		for k := 1; k < most; k++ {
			s.Cuts = append(s.Cuts, known[k*len(known)/most])
		}
		s.Cuts = append(slices.Compact(s.Cuts), known[len(known)-1])
	}
	if len(s.Cuts) > 0 {
		s.Cuts = slices.Compact(s.Cuts)
		s.Cuts = s.Cuts[:len(s.Cuts)-1] // nothing is above the largest value
	}
	return s
}

// frequent gives the most frequent codes a bin each, of equal ones the smallest, and the others the last bin.
func frequent(codes []int32, labels int) []byte {
	count, order := make([]int, labels), make([]int, labels)
	for _, c := range codes {
		if c >= 0 {
			count[c]++
		}
	}
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	out := make([]byte, labels)
	for k, c := range order {
		out[c] = byte(min(k, most-1))
	}
	return out
}

// Code writes the bins of values lo..hi-1 of a column.
func (s *Scale) Code(c *table.Column, lo, hi int, dst []byte) {
	if c.Kind == table.Numeric {
		for i, v := range c.Num[lo:hi] {
			dst[i] = none
			if v == v {
				dst[i] = byte(sort.SearchFloat64s(s.Cuts, v))
			}
		}
		return
	}
	for i, v := range c.Cat[lo:hi] {
		switch {
		case v < 0:
			dst[i] = none
		case s.Bins != nil:
			dst[i] = s.Bins[v]
		default:
			dst[i] = byte(v)
		}
	}
}

// Check refuses a decoded scale that would not place every value of its column.
func (s *Scale) Check(schema []table.Attribute) error {
	if s.Column < 0 || s.Column >= len(schema) || !schema[s.Column].Kind.Scalar() {
		return errors.New("a scale is of no column of numbers or categories")
	}
	a := &schema[s.Column]
	if a.Kind == table.Numeric {
		ascends := !slices.ContainsFunc(s.Cuts, func(v float64) bool { return v != v }) && slices.IsSorted(s.Cuts)
		if len(s.Cuts) >= most || !ascends || s.Bins != nil {
			return fmt.Errorf("the scale of column %q is not at most %d ascending cuts", a.Name, most-1)
		}
		return nil
	}
	if s.Cuts != nil || s.Bins == nil && len(a.Labels) > most || s.Bins != nil && len(s.Bins) != len(a.Labels) {
		return fmt.Errorf("the scale of column %q does not place all its categories", a.Name)
	}
	return nil
}

// bins are a set of bins: those that a test sends to the first branch.
type bins [4]uint64

func (b *bins) has(k byte) bool { return b[k>>6]>>(k&63)&1 != 0 }
func (b *bins) add(k byte)      { b[k>>6] |= 1 << (k & 63) }
