// Package hidingeffects measures what becomes of patterns, frequent itemsets or association rules, where sensitive ones
// are hidden: how many of these the release still has, how much weaker their rules are, what else it lost and what it
// has that the original lacks, beside what had to be lost, and how many items it changed.
//
// Thresholds are the same on both tables, and the number of records that a pattern needs is taken of each table's own
// number of records. A pattern that has all items of a sensitive one is sensitive, too, unless asked otherwise. Items
// that a released set may or may not have give three readings (Saygin, Verykios & Clifton 2001): sure, possible, and
// the middle of the two. The patterns of both tables are counted once for all measures of a release.
//
// References: E. Bertino, I. Nai Fovino and L. Parasiliti Provenza, "A framework for evaluating privacy preserving data
// mining algorithms", Data Mining and Knowledge Discovery 11, 2005; S. Oliveira and O. Zaiane 2002 for the names.
package hidingeffects

import (
	"slices"

	"github.com/dither-data/dither/measure"
)

// Measures are the catalogue entries.
var Measures = slices.Concat([]measure.Measure{
	HidingFailure, ArtifactualPatterns, MissesCost, Optimum, Dissimilarity,
}, ruleMeasures)
