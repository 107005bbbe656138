package warner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/law/transition"
)

// Notes says how private a value and a record are, and of which columns all or nothing is released.
func (p *Plan) Notes() []string {
	var figures, out []string
	total := 0.0
	for _, k := range p.sizes() {
		names, e := p.of(k), transition.Epsilon(k, p.P)
		figures = append(figures, numeral.Sprintf("%s for %d categories (%s)", bound(e), k, strings.Join(names, ", ")))
		total += e * float64(len(names))
		if e < 1e-9 {
			out = append(out, numeral.Sprintf("nothing is released of columns with %d categories, for p = 1/%d: %s", k, k, strings.Join(names, ", ")))
		}
	}
	if figures == nil {
		return nil
	}
	if p.P == 1 {
		out = append(out, "every value is released as it is, for p = 1")
	}
	figure := fmt.Sprintf("local differential privacy: epsilon is %s; %s for a whole record", strings.Join(figures, ", "), bound(total))
	return append([]string{figure}, out...)
}

// bound prints an epsilon.
func bound(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return "without bound"
	}
	return fmt.Sprintf("%.3g", epsilon)
}

// Corrections says how a user of the release estimates shares and tables of the original.
func (p *Plan) Corrections() []string {
	var out []string
	for _, k := range p.sizes() {
		names, q := strings.Join(p.of(k), ", "), (1-p.P)/float64(k-1)
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

// sizes returns the numbers of categories that the columns have, from 2 on, ascending.
func (p *Plan) sizes() []int {
	var out []int
	for _, j := range p.Columns {
		if k := len(p.Attrs[j].Labels); k > 1 {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// of names the columns with k categories.
func (p *Plan) of(k int) []string {
	var names []string
	for _, j := range p.Columns {
		if len(p.Attrs[j].Labels) == k {
			names = append(names, fmt.Sprintf("%q", p.Attrs[j].Name))
		}
	}
	return names
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
