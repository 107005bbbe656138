package sorting

import "math"

// Key maps a number to a whole one of the same order; -0 and 0 become one. Of NaN it says nothing.
func Key(v float64) uint64 {
	b := math.Float64bits(v + 0) // minus zero becomes zero
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// Value is the inverse of Key.
func Value(k uint64) float64 {
	if k>>63 == 1 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}
