// Package rulepreservation holds the measures of what becomes of rules: those of decision trees and forests
// (TreeSimilarity, RulesWorth, EDUDS), what attributes say about the class in their segments (EDUSC), and association
// rules (RuleSurvival).
package rulepreservation

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{EDUDS, EDUSC, EDUSCNorm, RuleSurvival, RulesWorth, TreeSimilarity}
