package chart

import (
	"math"
	"strconv"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/study/choice"
)

// Estimate is a mean and its interval.
type Estimate = choice.Estimate

// Fixed writes a value with the given number of decimals, thousands separated from 10,000 on.
func Fixed(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) >= 1e12 {
		return Number(v, 0)
	}
	return numeral.Group(strconv.FormatFloat(v, 'f', decimals, 64), 5)
}

// interval writes an estimate with its interval: 94.1 (92.8 to 95.4).
func interval(e Estimate, decimals int) string {
	s := Fixed(e.Mean, decimals)
	if lo, hi := e.Ends(); lo < hi {
		s += " (" + Fixed(lo, decimals) + " to " + Fixed(hi, decimals) + ")"
	}
	return s
}
