package distributions

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// marginsMeasures compare the counts of a release with those of the original, in cells: how far the tables of one, two
// and three columns are apart (kmarginal), and each column's distribution (hellinger).
//
// A cell of a column is a category, or one of 20 bins of equal width of the domain of a number, and what is missing
// is a cell. The domain is the declared one or, without, that of the original; values outside are in the end bins.
// Identifiers and weights are left out. Records need not be paired.
//
// References: D. McKay Bowen and J. Snoke, "Comparative study of differentially private synthetic data algorithms from
// the NIST PSCR differential privacy synthetic data challenge", Journal of Privacy and Confidentiality 11, 2021,
// section 4 (k-marginal); E. Hellinger, "Neue Begründung der Theorie quadratischer Formen von unendlichvielen
// Veränderlichen", Journal für die reine und angewandte Mathematik 136, 1909.
var marginsMeasures = []measure.Measure{KMarginal, Hellinger}

var (
	share = table.Interval{Lo: 0, Hi: 1}
	unit  = measure.In(measure.Share, message.Say("unit.ofRecords"))
)
