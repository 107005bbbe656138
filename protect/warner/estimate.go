package warner

import (
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/protect/internal/redraw"
)

// Notes says how private a value and a record are, and of which columns all or nothing is released.
func (p *Plan) Notes() []string { return p.response().Notes() }

// Epsilon is that of a whole record.
func (p *Plan) Epsilon() float64 { return p.response().Epsilon() }

func (p *Plan) response() redraw.Response {
	return redraw.Response{Attrs: p.Attrs, Columns: p.Columns, Keep: p.P}
}

// Corrections says how a user of the release estimates shares and tables of the original.
func (p *Plan) Corrections() []string {
	var out []string
	for _, k := range p.response().Sizes() {
		names, q := strings.Join(p.response().Of(k), ", "), (1-p.P)/float64(k-1)
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
func (p *Plan) Published() ([]published.Part, error) {
	var out []published.Part
	for _, j := range p.Columns {
		if k := len(p.Attrs[j].Labels); k > 1 {
			out = append(out, published.Part{Columns: []string{p.Attrs[j].Name}, Category: &published.Category{Categories: k, Keep: p.P}})
		}
	}
	return out, nil
}
