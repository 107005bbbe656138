package valuedisclosure

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// VarianceDifferenceDetail is what a report draws.
type VarianceDifferenceDetail struct {
	Attributes []Attribute `json:"attributes"` // that are judged
	Left       int         `json:"left"`       // numeric columns left out, without values to judge
}

// Attribute is one column.
type Attribute struct {
	Name    string  `json:"name"`
	Records int     `json:"records"` // that have both values
	Sec     float64 `json:"sec"`     // Var(X - Y) / Var(X)
	Linear  float64 `json:"linear"`  // 1 - r²: the share of the variance that the best linear guess of X from Y leaves
}

// least returns the attribute with the smallest Sec, the first of several.
func (d *VarianceDifferenceDetail) least() Attribute {
	out := d.Attributes[0]
	for _, a := range d.Attributes {
		if a.Sec < out.Sec {
			out = a
		}
	}
	return out
}

// score returns the smallest Sec, at most 1.
func (d *VarianceDifferenceDetail) score() float64 { return min(1, d.least().Sec) }

// parts lists the attributes.
func (d *VarianceDifferenceDetail) parts() []measure.Part {
	var out []measure.Part
	for _, a := range d.Attributes {
		out = append(out, measure.Part{Key: measure.OfColumn, Of: a.Name, Name: message.Name(a.Name), Score: a.Sec})
	}
	for _, a := range d.Attributes {
		out = append(
			out,
			measure.Part{
				Key:   "linear",
				Of:    a.Name,
				Name:  message.Say("measure.variancedifference.part.linear").Name("column", a.Name),
				Score: a.Linear,
			},
		)
	}
	return out
}

// tells is by how much a linear guess must come closer to be noted.
const tells = 0.01

// notes says which columns are judged, which are left out, and where the figure deceives.
func (d *VarianceDifferenceDetail) notes(how message.Sentence) []message.Sentence {
	out := []message.Sentence{how, message.Say("measure.variancedifference.note.shift")}
	var closer []message.Sentence
	for _, a := range d.Attributes {
		if a.Linear < min(1, a.Sec)-tells {
			closer = append(closer, message.Say("measure.variancedifference.closer").Name("column", a.Name).
				Digits("linear", a.Linear, 2).Digits("own", min(1, a.Sec), 2))
		}
	}
	if closer != nil {
		out = append(out, message.Say("measure.variancedifference.note.closer").Part("columns", message.Listed(closer)))
	}
	if d.Left > 0 {
		out = append(out, message.Say("measure.variancedifference.note.left").Count("n", d.Left))
	}
	return out
}

// Sentence says how far taking the released values for the original ones errs.
func (d VarianceDifferenceDetail) Sentence() message.Sentence {
	a := d.least()
	return message.Say("measure.variancedifference.says").Name("column", a.Name).Digits("error", a.Sec, 3).
		Count("columns", len(d.Attributes)).Digits("linear", a.Linear, 3)
}
