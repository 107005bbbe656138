package regenerate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/space"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Width returns the number of columns of Records.
func (p *Frame) Width() int {
	n := len(p.Columns) + len(p.Others)
	for _, j := range p.Given {
		n += max(0, len(p.Attrs[j].Labels)-1)
	}
	return n
}

// Records returns the columns X, Others and the indicators of Given, in this order; these are in the table's space.
func (p *Frame) Records(t *table.Table) [][]float64 {
	u := make([][]float64, 0, p.Width())
	for _, j := range slices.Concat(p.Columns, p.Others) {
		u = append(u, t.Num(j))
	}
	for _, j := range p.Given {
		u = append(u, indicators(t.Space(), t.Cat(j), max(0, len(p.Attrs[j].Labels)-1))...)
	}
	return u
}

// indicators returns a column for each of n categories from the second on: 1 where a record has it, 0 where it has another one, missing where
// that is unknown.
func indicators(in *space.Space, codes []int32, n int) [][]float64 {
	out := space.Columns(in, n, len(codes))
	for i, code := range codes {
		switch {
		case code > 0:
			out[code-1][i] = 1
		case code < 0:
			for c := range out {
				out[c][i] = math.NaN()
			}
		}
	}
	return out
}

// Draw returns the chunk with the columns X drawn by a law and kept legal as Outside says (Fence.Draw): law writes to y what becomes of the first
// columns of u (Records), from as many columns of independent standard normals z. Column j draws from src.Fork(name of j).
func (p *Frame) Draw(chunk *table.Table, src rng.Source, law func(y, u, z [][]float64) error) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	if len(p.Columns) == 0 {
		return chunk, nil
	}
	u, f := p.Records(chunk), fence.Fence{Outside: p.Outside, Whole: make([]wrap.Domain, len(p.Columns))}
	if p.Outside != "" {
		f.Whole = fence.Domains(p.Attrs, p.Columns, p.Outside)
	}
	y, err := f.Draw(chunk, src, p.Changes(), func(rows []int, y, z [][]float64) error {
		if rows != nil {
			return law(y, gather(u, rows), z)
		}
		return law(y, u, z)
	})
	if err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for k, j := range p.Columns {
		cols[j].Num, cols[j].Domain = y[k], fence.Widened(p.Attrs[j], p.Outside).Domain
	}
	return chunk.WithColumns(cols)
}

// gather returns the given rows of columns.
func gather(cols [][]float64, rows []int) [][]float64 {
	out := fence.Columns(len(cols), len(rows))
	for c, col := range cols {
		for r, i := range rows {
			out[c][r] = col[i]
		}
	}
	return out
}

// Law returns the law of a column of which nothing passes that S does not tell. Of the others what passes depends on more than the original
// value.
func (p *Frame) Law(j int) (law.Column, bool) {
	if k := slices.Index(p.Columns, j); k >= 0 && p.Security[k] == 1 {
		return law.Everywhere(law.Anew{}), true
	}
	return nil, false
}

// Notes warns where nothing ties the release to the record.
func (p *Frame) Notes() []string {
	if len(p.Columns) == 0 || len(p.Others)+len(p.Given) > 0 || p.Least() < 1 {
		return nil
	}
	return []string{"the confidential columns are drawn given no other: the release keeps their relations to each other, and none to other " +
		"columns (parameter given)"}
}

// determined is the share of a column's variance, left open, below which rounding alone tells it from 0, and nearlyOpen that below which a
// release is said to be close to the original.
const determined, nearlyOpen = 1e-9, 0.01

// Disclosed says what security is reached, given the shares of their variances that S leaves open of the columns X, and names those of
// which every value, or nearly every one, is released as it is.
func (p *Frame) Disclosed(open []float64) []string {
	var figures, out []string
	for k, a := range p.Dial() {
		name, reached := p.Attrs[p.Columns[k]].Name, (1-a*a)*open[k]
		figures = append(figures, fmt.Sprintf("%q %.3f", name, reached))
		switch {
		case reached <= determined:
			out = append(out, p.original(k))
		case reached < nearlyOpen:
			out = append(out, fmt.Sprintf("values of %q are released nearly as they are: all but %.2g %% of their variance is known", name, 100*reached))
		}
	}
	return append([]string{"security, the share of the variance of normal scores that a regression on the release leaves open: " +
		strings.Join(figures, ", ")}, out...)
}

// Originals names the columns X of which every value is released as it is, given what S leaves open of each.
func (p *Frame) Originals(open []float64) []string {
	var out []string
	for k, a := range p.Dial() {
		if (1-a*a)*open[k] <= determined {
			out = append(out, p.original(k))
		}
	}
	return out
}

// original says why the values of the k-th column are released as they are.
func (p *Frame) original(k int) string {
	name := p.Attrs[p.Columns[k]].Name
	if p.Security[k] <= determined {
		return fmt.Sprintf("every value of %q is the original's: with this security all of it is let through", name)
	}
	return fmt.Sprintf("every value of %q is the original's: the other columns determine it, or it has no two different values", name)
}

// correctable is the least share of a value let through from which the mean of a group can be corrected at all: by less the correction
// multiplies its standard error by more than 10.
const correctable = 0.1

// GroupMeans says how a user of a release that keeps the regression of X on S works out the means of groups of records (Corrected). Forced are the
// shares of the columns' values that are forced into a domain (Forced).
func (p *Frame) GroupMeans(forced []float64) []string {
	if len(p.Columns) == 0 {
		return nil
	}
	f := "its mean in the whole release"
	if others := protect.Names(p.Attrs, slices.Concat(p.Others, p.Given)); len(others) > 0 {
		f = "the group's mean of its regression on " + strings.Join(others, ", ") + ", fitted to the whole release"
	}
	out := []string{"means, variances and covariances over all records need no correction" + fence.ForcedCorrection(p.Changes(), forced)}
	var dials []float64
	names := map[float64][]string{}
	for k, a := range p.Dial() {
		if a < correctable {
			a = 0
		}
		if names[a] == nil {
			dials = append(dials, a)
		}
		names[a] = append(names[a], fmt.Sprintf("%q", p.Attrs[p.Columns[k]].Name))
	}
	for _, a := range dials {
		switch name := strings.Join(names[a], ", "); {
		case a == 0:
			out = append(out, fmt.Sprintf("mean of %s in a group: nothing more of it is released than %s", name, f))
		case a < 1:
			out = append(out, fmt.Sprintf("mean of %s in a group: (m - %.6g f) / %.6g, where m is its mean there and f %s; "+
				"this multiplies its standard error by %.3g", name, 1-a, a, f, 1/a))
		}
	}
	if p.Outside != fence.OutsideAllow || slices.ContainsFunc(p.Columns, func(j int) bool { return p.Attrs[j].Declared }) {
		out = append(out, "values were kept inside their domains, declared ones or all (outside), which this leaves out of account")
	}
	return out
}
