package posterior

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Encoded is a column by the different values in it.
type Encoded struct {
	Values []float64 // ascending; a missing one is NaN, or -1 of categories, and stands first
	Codes  []int32   // of every record: the position of its value
}

// Encode encodes a released column, once for all measures of the release. All categories that the column has labels for
// have a code, and the missing one. Cost: O(n).
func Encode(r *measure.Release, column int) (*Encoded, error) {
	key := fmt.Sprintf("codes of released column %d", column)
	return measure.PerRelease(r, key, func(r *measure.Release) (*Encoded, error) {
		return encode(r.Released.Column(column)), nil
	})
}

func encode(c table.Column) *Encoded {
	e := &Encoded{}
	switch c.Kind {
	case table.Numeric:
	case table.Categorical:
		e.Codes = make([]int32, c.Len())
		for v := range len(c.Labels) + 1 {
			e.Values = append(e.Values, float64(v-1))
		}
		for i, v := range c.Cat {
			e.Codes[i] = v + 1
		}
		return e
	case table.SetValued: // is not among what can be known
	}
	if e.Codes, e.Values = rank.Dense(c.Num); slices.Contains(e.Codes, -1) {
		e.Values = slices.Insert(e.Values, 0, math.NaN())
		for i := range e.Codes {
			e.Codes[i]++
		}
	}
	return e
}
