package variancedifference

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
)

// Detail is what a report draws.
type Detail struct {
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
func (d *Detail) least() Attribute {
	out := d.Attributes[0]
	for _, a := range d.Attributes {
		if a.Sec < out.Sec {
			out = a
		}
	}
	return out
}

// score returns the smallest Sec, at most 1.
func (d *Detail) score() float64 { return min(1, d.least().Sec) }

// parts lists the attributes.
func (d *Detail) parts() []measure.Part {
	var out []measure.Part
	for _, a := range d.Attributes {
		out = append(out, measure.Part{Key: measure.OfColumn, Of: a.Name, Name: a.Name, Score: a.Sec})
	}
	for _, a := range d.Attributes {
		out = append(out, measure.Part{Key: "linear", Of: a.Name, Name: a.Name + ", after the best linear guess", Score: a.Linear})
	}
	return out
}

// tells is by how much a linear guess must come closer to be noted.
const tells = 0.01

// notes says which columns are judged, which are left out, and where the figure deceives.
func (d *Detail) notes(how string) []string {
	out := []string{how, "a shift of all values does not count, and nothing is said of intruders who correct first or use several columns at once"}
	var closer []string
	for _, a := range d.Attributes {
		if a.Linear < min(1, a.Sec)-tells {
			closer = append(closer, fmt.Sprintf("%q %.2g of %.2g", a.Name, a.Linear, min(1, a.Sec)))
		}
	}
	if closer != nil {
		out = append(out, "a linear guess from the released value leaves less of the variance: "+strings.Join(closer, ", "))
	}
	if d.Left > 0 {
		out = append(out, fmt.Sprintf("numeric columns left out, constant or without two records that have both values: %d", d.Left))
	}
	return out
}

// Sentence says how far taking the released values for the original ones errs.
func (d Detail) Sentence() string {
	a := d.least()
	return fmt.Sprintf("Whoever takes the released %s of a person for the original one errs, but for a shift of all, by %.3g of its variance, "+
		"the least of %s; correcting linearly leaves %.3g.", a.Name, a.Sec, numeral.Counted(len(d.Attributes), "numeric column"), a.Linear)
}
