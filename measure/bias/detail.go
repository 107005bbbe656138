package bias

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/correlation"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
)

// Detail is what a report draws: moments of the numeric attributes before and after, and the types of bias.
type Detail struct {
	Names                         []string    // numeric attributes
	Confidential                  []bool      // which of them are taken as confidential
	MeanOriginal, MeanReleased    []float64   // NaN where all values are missing
	SDOriginal, SDReleased        []float64   // divisor n-1; NaN below two values
	CorrOriginal, CorrReleased    [][]float64 // symmetric; NaN where a column is constant
	LargestCorrDiff, MeanCorrDiff float64     // absolute differences over the pairs defined in both tables

	A, B, C, D Change
	DM         float64    // share of the released records under rules that the original tree lacks; NaN when not taken
	Shift      Change     // of a mean, in standard deviations of the original
	Distances  []Distance // of all attributes

	pairs int // whose correlation is defined in both tables
}

// Change sums up one type of bias over the attributes, or the pairs of attributes, that it is of.
type Change struct {
	Of      int     `json:"of"` // how many there are; the rest is empty when there are none
	Largest float64 `json:"largest"`
	Mean    float64 `json:"mean"`
	Where   string  `json:"where"` // what the largest is of
}

// Distance is how far the distribution of an attribute in the release lies from that in the original, in [0, 1]; NaN when the original has
// no values.
type Distance struct {
	Name     string
	Distance float64
}

// parts lists the types of bias that could be taken.
func (d *Detail) parts() []measure.Part {
	var out []measure.Part
	for _, p := range []struct {
		change        Change
		key           measure.Key
		largest, mean string
	}{
		{d.A, measure.Key("sd"), "type A: largest relative change of a standard deviation", "type A: mean relative change of a standard deviation"},
		{d.B, measure.Key("correlation-b"), "type B: largest change of a correlation", "type B: mean change of a correlation"},
		{d.C, measure.Key("correlation-c"), "type C: largest change of a correlation", "type C: mean change of a correlation"},
		{d.D, measure.Key("distance"), "type D: largest distance of distributions", "type D: mean distance of distributions"},
	} {
		if p.change.Of > 0 {
			out = append(out, measure.Part{Key: p.key + "-largest", Name: p.largest, Score: p.change.Largest}, measure.Part{Key: p.key + "-mean", Name: p.mean, Score: p.change.Mean})
		}
	}
	if !math.IsNaN(d.DM) {
		out = append(out, measure.Part{Key: "new-rules", Name: "type DM: share of the records under new rules", Score: d.DM})
	}
	if d.Shift.Of > 0 {
		out = append(out, measure.Part{Key: "mean-shift", Name: "largest shift of a mean, in standard deviations", Score: d.Shift.Largest})
	}
	return out
}

// written is the form of a Detail in JSON, with null for NaN.
type written struct {
	Names        []string            `json:"names"`        // numeric attributes
	Confidential []bool              `json:"confidential"` // which of them are taken as confidential
	Original     side                `json:"original"`
	Released     side                `json:"released"`
	Largest      float64             `json:"largestCorrelationDifference"`
	Mean         float64             `json:"meanCorrelationDifference"`
	Types        types               `json:"types"`        // of bias
	Shift        Change              `json:"shiftOfMeans"` // in standard deviations of the original
	Distances    map[string]*float64 `json:"distances"`    // by attribute, from 0 to 1
}

// side holds the moments of one table.
type side struct {
	Mean        []*float64   `json:"mean"`
	SD          []*float64   `json:"sd"`
	Correlation [][]*float64 `json:"correlation"`
}

// types holds the types of bias.
type types struct {
	A  Change   `json:"A"`
	B  Change   `json:"B"`
	C  Change   `json:"C"`
	D  Change   `json:"D"`
	DM *float64 `json:"DM"` // share of the released records under rules that the original tree lacks
}

// Written is what MarshalJSON writes.
func (d Detail) Written() any {
	distances := make(map[string]*float64, len(d.Distances))
	for _, a := range d.Distances {
		distances[a.Name] = known([]float64{a.Distance})[0]
	}
	return written{
		append([]string{}, d.Names...), append([]bool{}, d.Confidential...),
		side{known(d.MeanOriginal), known(d.SDOriginal), knownRows(d.CorrOriginal)},
		side{known(d.MeanReleased), known(d.SDReleased), knownRows(d.CorrReleased)},
		d.LargestCorrDiff, d.MeanCorrDiff,
		types{d.A, d.B, d.C, d.D, known([]float64{d.DM})[0]}, d.Shift, distances,
	}
}

// MarshalJSON writes null for NaN.
func (d Detail) MarshalJSON() ([]byte, error) { return json.Marshal(d.Written()) }

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

// Matrices reports whether the correlations of all attributes are there, of two or more.
func (d Detail) Matrices() bool {
	n := len(d.Names)
	whole := func(m [][]float64) bool {
		return len(m) == n && !slices.ContainsFunc(m, func(row []float64) bool { return len(row) != n })
	}
	return n > 1 && whole(d.CorrOriginal) && whole(d.CorrReleased)
}

// onGrid writes a figure with the decimals of a step; one that is less than half of it is 0.
func onGrid(v, step float64) string { return numeral.Number(math.Round(v/step)*step+0, step) }

// Headline names the correlation that changed most; to the public it names no attribute.
func (d Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if math.IsNaN(d.LargestCorrDiff) || len(d.Names) < 2 {
		return h, false
	}
	h = measure.Headline{Value: numeral.Number(d.LargestCorrDiff, 0.001), Text: "On a scale from 0, unchanged, to 2."}
	if d.LargestCorrDiff == 0 {
		h.Text = "No correlation of two numeric attributes changed."
		return h, true
	}
	if d.Matrices() && !r.Public {
		if i, j, _, ok := correlation.Furthest(d.CorrOriginal, d.CorrReleased); ok {
			was, is := d.CorrOriginal[i][j], d.CorrReleased[i][j]
			step := 0.01
			if math.Abs(was-is) < step {
				step = 0.0001
			}
			h.Text = fmt.Sprintf("%s and %s: from %s to %s. 0 would be unchanged, 2 is the end of the scale.", d.Names[j], d.Names[i], onGrid(was, step), onGrid(is, step))
		}
	}
	if !math.IsNaN(d.MeanCorrDiff) {
		h.Text += " The mean change is " + numeral.Number(d.MeanCorrDiff, 0.001) + "."
	}
	return h, true
}
