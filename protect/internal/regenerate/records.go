package regenerate

import (
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
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
		u = append(u, moments.Indicators(t.Space(), t.Cat(j), max(0, len(p.Attrs[j].Labels)-1))...)
	}
	return u
}

// Draw returns the chunk with the columns X drawn by a law and kept legal as Outside says (Fence.Draw): law writes to y
// what becomes of the first columns of u (Records), from as many columns of independent standard normals z. Column j
// draws from src.Fork(name of j).
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

// Law returns the law of a column of which nothing passes that S does not tell. Of the others what passes depends on
// more than the original value.
func (p *Frame) Law(j int) (noisemodel.Column, bool) {
	if k := slices.Index(p.Columns, j); k >= 0 && p.Security[k] == 1 {
		return noisemodel.Everywhere(noisemodel.Anew{}), true
	}
	return nil, false
}

// Notes warns where nothing ties the release to the record.
func (p *Frame) Notes() []message.Sentence {
	if len(p.Columns) == 0 || len(p.Others)+len(p.Given) > 0 || p.Least() < 1 {
		return nil
	}
	return []message.Sentence{message.Say("plan.regenerate.noOther")}
}

// determined is the share of a column's variance, left open, below which rounding alone tells it from 0, and nearlyOpen
// that below which a release is said to be close to the original.
const determined, nearlyOpen = 1e-9, 0.01

// Disclosed says what security is reached, given the shares of their variances that S leaves open of the columns X, and
// names those of which every value, or nearly every one, is released as it is.
func (p *Frame) Disclosed(open []float64) []message.Sentence {
	var figures, out []message.Sentence
	for k, a := range p.Dial() {
		name, reached := p.Attrs[p.Columns[k]].Name, float64((1-float64(a*a))*open[k])
		figures = append(figures, message.Column(name, message.Fixed(reached, 3)))
		switch {
		case reached <= determined:
			out = append(out, p.original(k))
		case reached < nearlyOpen:
			out = append(out, message.Say("plan.regenerate.nearly").Name("column", name).Digits("n", float64(100*reached), 2))
		}
	}
	return append([]message.Sentence{message.Say("plan.security.scores").Part("columns", message.Listed(figures))}, out...)
}

// Originals names the columns X of which every value is released as it is, given what S leaves open of each.
func (p *Frame) Originals(open []float64) []message.Sentence {
	var out []message.Sentence
	for k, a := range p.Dial() {
		if (1-float64(a*a))*open[k] <= determined {
			out = append(out, p.original(k))
		}
	}
	return out
}

// original says why the values of the k-th column are released as they are.
func (p *Frame) original(k int) message.Sentence {
	name := p.Attrs[p.Columns[k]].Name
	if p.Security[k] <= determined {
		return message.Say("plan.regenerate.through").Name("column", name)
	}
	return message.Say("plan.regenerate.determined").Name("column", name)
}

// correctable is the least share of a value let through from which the mean of a group can be corrected at all: by less
// the correction multiplies its standard error by more than 10.
const correctable = 0.1

// GroupMeans says how a user of a release that keeps the regression of X on S works out the means of groups of records
// (Corrected). Forced are the shares of the columns' values that are forced into a domain (Forced).
func (p *Frame) GroupMeans(forced []float64) []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	f := message.Say("correct.given.mean")
	if others := protect.Names(p.Attrs, slices.Concat(p.Others, p.Given)); len(others) > 0 {
		f = message.Say("correct.given.regression").Listed("columns", others)
	}
	out := []message.Sentence{
		message.Say("correct.given.moments").Part("forced", fence.ForcedCorrection(p.Changes(), forced)),
	}
	var dials []float64
	names := map[float64][]string{}
	for k, a := range p.Dial() {
		if a < correctable {
			a = 0
		}
		if names[a] == nil {
			dials = append(dials, a)
		}
		names[a] = append(names[a], p.Attrs[p.Columns[k]].Name)
	}
	for _, a := range dials {
		switch {
		case a == 0:
			out = append(out, message.Say("correct.given.nothing").Quoted("columns", names[a]).Part("f", f))
		case a < 1:
			out = append(
				out,
				message.Say("correct.given.group").Quoted("columns", names[a]).Term("rest", 1-a, 6).Term("a", a, 6).
					Part("f", f).Digits("error", 1/a, 3),
			)
		}
	}
	if p.Outside == fence.OutsideClip || p.Outside == fence.OutsideRedraw ||
		slices.ContainsFunc(p.Columns, func(j int) bool { return p.Attrs[j].Declared }) {
		out = append(out, message.Say("correct.given.inside"))
	}
	return out
}
