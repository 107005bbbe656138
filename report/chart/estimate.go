package chart

import (
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/study/choice"
)

// Estimate is a mean and its interval.
type Estimate = choice.Estimate

// interval writes an estimate with its interval: 94.1 (92.8 to 95.4).
func interval(e Estimate, decimals int) string {
	s := numeral.Fixed(e.Mean, decimals)
	if lo, hi := e.Ends(); lo < hi {
		s += " (" + numeral.Fixed(lo, decimals) + " to " + numeral.Fixed(hi, decimals) + ")"
	}
	return s
}
