package chart

import (
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/study/ranking"
)

// Estimate is a mean and its interval.
type Estimate = ranking.Estimate

// interval writes an estimate with its interval: 94.1 (92.8 to 95.4).
func interval(e Estimate, decimals int) string {
	s := numfmt.Fixed(e.Mean, decimals)
	if lo, hi := e.Ends(); lo < hi {
		s += " (" + numfmt.Fixed(lo, decimals) + " to " + numfmt.Fixed(hi, decimals) + ")"
	}
	return s
}
