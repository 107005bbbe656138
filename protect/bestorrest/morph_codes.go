package bestorrest

import (
	"math"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// mostCodes is the largest number of different values that a column of codes has.
const mostCodes = 10

// codes returns those columns that may be codes rather than quantities, which a table cannot tell: of two to ten
// different values, all whole numbers, with room for others between them.
func codes(t *table.Table, columns []int) (out []int) {
	for _, j := range columns {
		a, v := t.Attr(j), t.Num(j)
		lo, hi := table.Range(v)
		d := wrap.On(a.Domain, a.Step)
		if n := few(v); n > 1 && (hi-lo)/d.Step()+1 > float64(n) {
			out = append(out, j)
		}
	}
	return out
}

// few returns the number of different known values, 0 where they are too many or not whole.
func few(v []float64) int {
	seen := make(map[float64]bool, mostCodes+1)
	for _, x := range v {
		if x != x {
			continue
		}
		if seen[x] = true; x != math.Trunc(x) || len(seen) > mostCodes {
			return 0
		}
	}
	return len(seen)
}
