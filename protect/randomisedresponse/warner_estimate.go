package randomisedresponse

import (
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/law/published"
)

// Notes says how private a value and a record are, and of which columns all or nothing is released.
func (p *WarnerPlan) Notes() []string { return p.response(p.P).Notes() }

// Epsilon is that of a whole record.
func (p *WarnerPlan) Epsilon() float64 { return p.response(p.P).Epsilon() }

// Corrections says how a user of the release estimates shares and tables of the original.
func (p *WarnerPlan) Corrections() []string {
	var out []string
	for _, k := range p.response(p.P).Sizes() {
		names, q := strings.Join(p.response(p.P).Of(k), ", "), (1-p.P)/float64(k-1)
		if math.Abs(p.P-q) < 1e-9 {
			out = append(out, fmt.Sprintf("shares of %s cannot be estimated", names))
			continue
		}
		out = append(out,
			fmt.Sprintf("share of a category of %s: (s - %.6g) / %.6g, where s is its share of the released values; its variance is "+
				"s (1 - s) / (%.6g n) of n values", names, q, p.P-q, (p.P-q)*(p.P-q)),
			fmt.Sprintf("tables that %s take part in: multiply along that side by the inverse of the matrix with %.6g on the diagonal and %.6g "+
				"elsewhere, once for every such column", names, p.P, q))
	}
	if out != nil {
		out = append(out, "put 0 for estimates below 0 and scale the others to their sum")
	}
	return out
}

// Published returns the probability to stay and the numbers of categories.
func (p *WarnerPlan) Published() ([]published.Part, error) {
	var out []published.Part
	for _, j := range p.Columns {
		if k := len(p.Attrs[j].Labels); k > 1 {
			out = append(out, published.Part{Columns: []string{p.Attrs[j].Name}, Category: &published.Category{Categories: k, Keep: p.P}})
		}
	}
	return out, nil
}
