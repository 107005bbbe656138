package distributions

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
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

// Distance is how far the distribution of an attribute in the release lies from that in the original, in [0, 1]; NaN
// when the original has no values.
type Distance struct {
	Name     string
	Distance float64
}

// parts lists the types of bias that could be taken.
func (d *Detail) parts() []measure.Part {
	var out []measure.Part
	for _, p := range []struct {
		change Change
		key    measure.Key
	}{{d.A, measure.Key("sd")}, {d.B, measure.Key("correlation-b")}, {d.C, measure.Key("correlation-c")},
		{d.D, measure.Key("distance")}} {
		if p.change.Of > 0 {
			out = append(
				out,
				measure.Part{
					Key:   p.key + "-largest",
					Name:  message.Say("measure.bias.part." + string(p.key) + "-largest"),
					Score: p.change.Largest,
				},
				measure.Part{
					Key:   p.key + "-mean",
					Name:  message.Say("measure.bias.part." + string(p.key) + "-mean"),
					Score: p.change.Mean,
				},
			)
		}
	}
	if !math.IsNaN(d.DM) {
		out = append(out, measure.Part{Key: "new-rules", Name: message.Say("measure.bias.part.new-rules"), Score: d.DM})
	}
	if d.Shift.Of > 0 {
		out = append(out,
			measure.Part{Key: "mean-shift", Name: message.Say("measure.bias.part.mean-shift"), Score: d.Shift.Largest})
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
func onGrid(v, step float64) float64 { return float64(math.Round(v/step)*step) + 0 }

// Headline names the correlation that changed most; to the public it names no attribute.
func (d Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if math.IsNaN(d.LargestCorrDiff) || len(d.Names) < 2 {
		return h, false
	}
	h = measure.Headline{Value: message.Number(d.LargestCorrDiff, 0.001), Says: message.Say("measure.bias.head.scale")}
	if d.LargestCorrDiff == 0 {
		h.Says = message.Say("measure.bias.head.same")
		return h, true
	}
	if d.Matrices() && !r.Public {
		if i, j, _, ok := correlation.Furthest(d.CorrOriginal, d.CorrReleased); ok {
			was, is := d.CorrOriginal[i][j], d.CorrReleased[i][j]
			step := 0.01
			if math.Abs(was-is) < step {
				step = 0.0001
			}
			h.Says = message.Say("measure.bias.head.furthest").Name("a", d.Names[j]).Name("b", d.Names[i]).
				Number("was", onGrid(was, step), step).Number("is", onGrid(is, step), step)
		}
	}
	if !math.IsNaN(d.MeanCorrDiff) {
		h.Says = message.After(h.Says, message.Say("measure.bias.head.mean").Number("mean", d.MeanCorrDiff, 0.001))
	}
	return h, true
}
