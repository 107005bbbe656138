package kmeans

import (
	"math"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/table"
)

// The ways to scale a column (Roy, section 3.4).
const (
	MinMax   = "minmax" // (v - min) / (max - min); the printed formula has v - max, its words v - min
	ZScore   = "zscore" // (v - mean) / standard deviation, that of a population (divisor n)
	Unscaled = "none"
)

// Scaling returns what a column is scaled by, one of MinMax, ZScore and Unscaled: v becomes (v - centre) / width.
// Missing values (NaN) are passed over; a constant column and one without values have width 0.
func Scaling(values []float64, by string) (centre, width float64) {
	switch by {
	case Unscaled:
		return 0, 1
	case MinMax:
		lo, hi := table.Range(values)
		return lo, hi - lo
	}
	lo, hi := table.Range(values)
	if lo == hi {
		return lo, 0
	}
	n, centre, squares := vector.Known(values)
	return centre, math.Sqrt(squares / float64(n))
}

// limit is the largest magnitude of a coordinate: squared distances of sums of such stay finite.
const limit = 1e100

// scaled returns a value as clustering sees it: within the limit, missing where the value is, and 0 in a column of
// width 0.
func scaled(v, centre, width float64) float64 {
	switch {
	case v != v:
		return v
	case width == 0:
		return 0
	}
	return min(max((v-centre)/width, -limit), limit)
}
