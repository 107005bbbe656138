// Package wrap adds noise to numbers without leaving their domain: what passes one end comes in at the other.
//
// Islam 2007, sections 5.2 to 5.4, prints the rule for integers, one overflow and one end: l + B - u - 1. Here it has
// its closed form for any overflow, on any grid, at both ends. A continuous domain has an implied grid so fine that the
// "- 1" does not show.
package wrap

import (
	"math"

	"github.com/dither-data/dither/table"
)

// Integer returns the integer of [l, u] that differs from the integer b by a whole number of domain sizes u-l+1. All
// are integers up to 2^53 in size, and l <= u.
func Integer(b, l, u float64) float64 {
	if b >= l && b <= u {
		return b
	}
	size := u - l + 1
	r := b - l
	r -= float64(size * math.Floor(r/size))
	return l + min(max(r, 0), size-1) // r leaves its range only when b exceeds 2^53
}

// ends returns the smallest and the largest number in the interval.
func ends(iv table.Interval) (lo, hi float64) {
	lo, hi = iv.Lo, iv.Hi
	if iv.OpenLo {
		lo = math.Nextafter(lo, math.Inf(1))
	}
	if iv.OpenHi {
		hi = math.Nextafter(hi, math.Inf(-1))
	}
	return lo, hi
}
