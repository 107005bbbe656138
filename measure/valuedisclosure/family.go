// Package valuedisclosure holds the measures of how closely a released value gives the original one of the same person
// away: by the interval around it (IntervalDisclosure, IntervalInference), by the entropy that is left
// (ConditionalPrivacy), by the variance of the difference (VarianceDifference), and by the probability of a secret in
// its group (BreachProbability).
package valuedisclosure

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{BreachProbability, ConditionalPrivacy, IntervalDisclosure, IntervalInference,
	VarianceDifference}
