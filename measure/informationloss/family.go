// Package informationloss holds the measures of information loss of statistical disclosure control: of numeric values
// and their moments (InformationLoss), within groups that means are released of (SSE), of generalised values (NCP,
// Precision, AECS, Discernibility, CM), and the trade-off with disclosure risk (Score).
package informationloss

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{InformationLoss, SSE, NCP, Precision, AECS, Discernibility, CM, Score}
