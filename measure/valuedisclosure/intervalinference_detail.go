package valuedisclosure

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// IntervalInferenceDetail holds the figures behind the score.
type IntervalInferenceDetail struct {
	Records    int                       `json:"records"` // released
	Targets    int                       `json:"targets"` // of them looked at
	Width      float64                   `json:"width"`   // % of the domain
	Confidence float64                   `json:"confidence"`
	Columns    []IntervalInferenceColumn `json:"columns"`
}

// IntervalInferenceColumn is one attribute. Shares are of the targets that have a value.
type IntervalInferenceColumn struct {
	Name     string   `json:"name"`
	Targets  int      `json:"targets"`
	Inferred float64  `json:"inferred"` // at most one number, or width % of the domain, is left
	Certain  float64  `json:"certain"`  // one number is left
	Left     float64  `json:"left"`     // mean share of the domain that is left
	Right    *float64 `json:"right"`    // what is left holds the original; where records are paired
	Unfit    int      `json:"unfit"`    // targets whose released value the law cannot have made
}

func (d *IntervalInferenceDetail) worst() *IntervalInferenceColumn {
	worst := &d.Columns[0]
	for k := range d.Columns {
		if d.Columns[k].Inferred > worst.Inferred {
			worst = &d.Columns[k]
		}
	}
	return worst
}

func (d *IntervalInferenceDetail) parts() []measure.Part {
	var out []measure.Part
	for _, c := range d.Columns {
		out = append(out, measure.Part{Key: measure.OfColumn, Of: c.Name, Name: message.Name(c.Name), Score: c.Inferred})
	}
	return out
}

// Sentence says what an intruder who knows the law of the noise infers.
func (d IntervalInferenceDetail) Sentence() message.Sentence {
	c := d.worst()
	return message.Say("measure.intervalinference.says").Digits("confidence", d.Confidence, 4).
		Name("column", c.Name).Digits("left", float64(100*c.Left), 3).Share("inferred", c.Inferred).
		Digits("width", d.Width, 3)
}
