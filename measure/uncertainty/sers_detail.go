package uncertainty

import (
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/vector"
)

// SERSDetail holds the figures behind the score, in bits.
type SERSDetail struct {
	Records  int     `json:"records"`  // original records
	Compared int     `json:"compared"` // of them, those that were compared
	Mean     float64 `json:"mean"`
	SD       float64 `json:"sd"` // standard deviation over the records compared
	Lowest   float64 `json:"lowest"`
	Largest  float64 `json:"largest"` // the largest possible entropy, log2 of the number of released records
	Itself   float64 `json:"itself"`  // the mean entropy of original records among the originals: no protection at all
}

func detail(entropies []float64, records, released int) SERSDetail {
	d := SERSDetail{Records: records, Compared: len(entropies), Mean: exact.Mean(entropies), Lowest: slices.Min(entropies),
		Largest: portable.Log2(float64(released))}
	if d.Compared > 1 {
		d.SD = vector.StdDev(entropies)
	}
	return d
}
