package relation_test

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/table"
)

// TestSaysWhatCannotBeKept: of relations that cannot all be kept the last is named, with the reason, and nothing is
// taken out for it.
func TestSaysWhatCannotBeKept(t *testing.T) {
	labels := []string{"a", "b"}
	x, y, z := texts("x", labels, 0, 1, 0, 1), texts("y", labels, 0, 1, 0, 1), texts("z", labels, 0, 1, 0, 1)
	part, other := numbers("part", 0, 60, 19, 28, 57, 36), numbers("other", 0, 9, 1, 2, 3, 4)
	tens := numbers("tens", 0, 90, 20, 30, 60, 40)
	tens.Step = 10
	for name, c := range map[string]struct {
		relations []string
		cols      []table.Column
		computed  []string
		why       string // key; empty where all are kept
	}{
		"circle":      {[]string{"x -> y", "y -> z", "z -> x"}, []table.Column{x, y, z}, []string{"y", "z"}, "cycle"},
		"same target": {[]string{"x -> z", "y -> z"}, []table.Column{x, y, z}, []string{"z"}, "twice"},
		"gaps":        {[]string{"x -> y"}, []table.Column{texts("x", labels, 0, -1, 0, -1), y}, nil, "missing"},
		"coarse sum":  {[]string{"tens = part + other"}, []table.Column{tens, part, other}, []string{"part"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, r, left := restated(t, c.relations, c.cols...)
			if got := r.Computed(); !slices.Equal(got, c.computed) {
				t.Errorf("%v are computed, expected %v", got, c.computed)
			}
			if c.why == "" {
				if left != nil {
					t.Errorf("%s is left for %s", left[0].Relation, left[0].Why.Key())
				}
				return
			}
			if len(left) != 1 || left[0].Why.Key() != "relation.left."+c.why ||
				left[0].Relation.String() != c.relations[len(c.relations)-1] {
				t.Errorf("%v are left, expected the last one for %s", left, c.why)
			}
		})
	}
}
