package bias

import (
	"encoding/json"
	"math"
)

// Detail is what a report draws: moments of the numeric attributes before and after.
type Detail struct {
	Names                         []string
	MeanOriginal, MeanReleased    []float64   // NaN where all values are missing
	SDOriginal, SDReleased        []float64   // divisor n-1; NaN below two values
	CorrOriginal, CorrReleased    [][]float64 // symmetric; NaN where a column is constant
	LargestCorrDiff, MeanCorrDiff float64     // absolute differences over the pairs defined in both tables
}

// MarshalJSON writes null for NaN.
func (d Detail) MarshalJSON() ([]byte, error) {
	type side struct {
		Mean        []*float64   `json:"mean"`
		SD          []*float64   `json:"sd"`
		Correlation [][]*float64 `json:"correlation"`
	}
	return json.Marshal(struct {
		Names    []string `json:"names"`
		Original side     `json:"original"`
		Released side     `json:"released"`
		Largest  float64  `json:"largestCorrelationDifference"`
		Mean     float64  `json:"meanCorrelationDifference"`
	}{
		d.Names,
		side{known(d.MeanOriginal), known(d.SDOriginal), knownRows(d.CorrOriginal)},
		side{known(d.MeanReleased), known(d.SDReleased), knownRows(d.CorrReleased)},
		d.LargestCorrDiff, d.MeanCorrDiff,
	})
}

// known replaces the numbers that JSON cannot hold by nil.
func known(vs []float64) []*float64 {
	out := make([]*float64, len(vs))
	for i, v := range vs {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out[i] = &v
		}
	}
	return out
}

func knownRows(rows [][]float64) [][]*float64 {
	out := make([][]*float64, len(rows))
	for i, r := range rows {
		out[i] = known(r)
	}
	return out
}
