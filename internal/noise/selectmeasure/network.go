package selectmeasure

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/stats/graphical"
)

// Stage is columns of a plain network that come together: after those of the stages before, and given them.
type Stage struct {
	Columns []int // ascending
	Rows    []int // of the table, that the laws are of; nil for all
	Given   bool  // they are at hand when records are drawn: each has its own law, which nothing is drawn by
}

// Network is Fit without noise: a plain Bayesian network, which promises nothing. Tables have at most so many cells
// that the mean one holds as many records as the usefulness says; columns come in the order of what their parents tell
// of them, stage by stage. Without stages all are one.
func (b PrivBayes) Network(ctx context.Context, t *Table, stages ...Stage) (*Law, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	l := &Law{Domain: t.Domain, Records: max(1, float64(len(t.Columns[0])))}
	for v := range t.Domain {
		l.Columns = append(l.Columns, v)
	}
	if len(stages) == 0 {
		stages = []Stage{{Columns: l.Columns}}
	}
	var known []int
	for _, s := range stages {
		of := t.rows(s.Rows)
		network, err := b.stage(ctx, of, s, known)
		if err != nil {
			return nil, err
		}
		for _, p := range network {
			counts := t.Domain.Count(of.Columns, p.scope())
			table := make([]float64, len(counts))
			for i, c := range counts {
				table[i] = float64(c)
			}
			l.Network = append(l.Network, t.Domain.Conditional(table, p.scope(), p.child))
		}
		known = graphical.Union(known, s.Columns)
	}
	return l, nil
}

// stage returns the parents of the columns of a stage.
func (b PrivBayes) stage(ctx context.Context, t *Table, s Stage, known []int) (network []parenthood, err error) {
	if s.Given {
		for _, v := range s.Columns {
			network = append(network, parenthood{child: v})
		}
		return network, nil
	}
	if len(known) == 0 && len(s.Columns) > 0 { // somewhere it has to begin
		network, known = []parenthood{{child: s.Columns[0]}}, s.Columns[:1]
	}
	var out []int
	for v := range t.Domain {
		if !slices.Contains(s.Columns, v) && !slices.Contains(known, v) {
			out = append(out, v)
		}
	}
	records := max(1, float64(len(t.Columns[0])))
	c := chooser{table: t, most: min(b.Cells, records/b.Usefulness), pick: func(scores []int64) (int, error) {
		return slices.Index(scores, slices.Max(scores)), nil
	}}
	rest, err := c.choose(ctx, known, out)
	return append(network, rest...), err
}

// rows returns the table of some rows; of nil itself.
func (t *Table) rows(of []int) *Table {
	if of == nil {
		return t
	}
	out := &Table{Domain: t.Domain, Columns: make([][]int32, len(t.Columns))}
	for v, column := range t.Columns {
		out.Columns[v] = make([]int32, len(of))
		for k, i := range of {
			out.Columns[v][k] = column[i]
		}
	}
	return out
}
