// Package clusterings holds the measures of what becomes of the clusters of the records: how much of the original they
// explain (ClusterQuality), and how many records change their cluster (Misclassification).
package clusterings

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{ClusterQuality, Misclassification}
