// Package distributions holds the measures of how far the statistics of a release are from those of the original: by
// variances, correlations and rules (Bias), by counts in cells (KMarginal, Hellinger), and by how well a model tells
// the two tables apart (PMSE, TwoSampleAUC).
package distributions

import (
	"slices"

	"github.com/dither-data/dither/measure"
)

// Measures are the catalogue entries.
var Measures = slices.Concat([]measure.Measure{Bias}, marginsMeasures, propensityMeasures)
