package dataquality

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/quality"
)

// lack is one of the three lacks, over all purposes; NaN where nothing there weighs for it.
func lack(of func(quality.Shares) *float64) func(measure.Value, measure.Base) float64 {
	return func(v measure.Value, _ measure.Base) float64 {
		if d, ok := v.Detail.(Detail); ok {
			if share := of(d.Share); share != nil {
				return *share
			}
		}
		return math.NaN()
	}
}
