// Package prediction holds the measures of what a release is worth for learning to predict: by trees and forests
// (Accuracy), by any classifier (Classifier), and group by group of the people (GroupWorth).
package prediction

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{Accuracy, Classifier, GroupWorth}
