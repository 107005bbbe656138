package relation

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// shared keeps a sum by its total and shares, or else by its parts, and notes why.
func (p *planner) shared(r Relation) error {
	total, is := p.sum(&r)
	if !is {
		return p.compute(r)
	}
	parts := r.Sources(total)
	why := p.unshared(&r, total, parts)
	if why.Empty() {
		p.r.Steps = append(p.r.Steps, Step{
			Bound: Bound{Relation: r}, Target: total, Parts: parts, Usual: p.usual(total, parts),
		})
		return nil
	}
	left := len(p.left)
	err := p.compute(r)
	if len(p.left) == left {
		p.r.ByParts = append(p.r.ByParts, Left{r, why})
	}
	return err
}

// sum returns the total of a relation that adds up amounts: the one column on its own side of the equation. Offsets and
// differences of dates are none.
func (p *planner) sum(r *Relation) (total string, is bool) {
	if len(r.Columns) < 3 {
		return "", false
	}
	above, below := []string{}, []string{}
	for k, name := range r.Columns {
		if p.t.Attr(p.t.Find(name)).Dates != "" {
			return "", false
		}
		if r.Coefficients[k] > 0 {
			above = append(above, name)
		} else {
			below = append(below, name)
		}
	}
	switch {
	case len(above) == 1:
		return above[0], true
	case len(below) == 1:
		return below[0], true
	}
	return "", false
}

// unshared says why a sum cannot keep its total and shares; nothing where it can.
func (p *planner) unshared(r *Relation, total string, parts []string) message.Sentence {
	for _, c := range r.Coefficients {
		if abs(c) != abs(r.Coefficients[0]) || r.Constant != 0 {
			return message.Say("relation.parts.plain")
		}
	}
	if p.opt.Coarse || p.opt.Suppresses {
		return message.Say("relation.parts.coarse")
	}
	whole, finest := p.t.Find(total), p.finest(parts)
	if step := p.t.Attr(whole).Step; finest == 0 && step != 0 || finest != 0 && !multiple(step, finest) {
		return message.Say("relation.parts.grid").Name("column", total)
	}
	for _, name := range parts {
		if why := p.noPart(name, total, finest); !why.Empty() {
			return why
		}
	}
	if p.totals(whole, parts) {
		return message.Say("relation.parts.missing").Name("column", total)
	}
	return message.Sentence{}
}

// noPart says why a column cannot become its share of a total; nothing where it can.
func (p *planner) noPart(name, total string, finest float64) message.Sentence {
	j, whole := p.t.Find(name), p.t.Find(total)
	a := p.t.Attr(j)
	switch {
	case p.opt.Fixed(name):
		return message.Say("relation.parts.fixed").Name("column", name)
	case p.taken(name):
		return message.Say("relation.left.twice").Name("column", name)
	case p.reaches([]string{total}, name):
		return message.Say("relation.left.cycle").Name("column", name)
	case p.opt.Public && !(a.Declared && a.Domain.Lo >= 0), p.negative(name):
		return message.Say("relation.parts.negative").Name("column", name)
	case a.Declared && (a.Domain.Lo > 0 || a.Domain.Hi < p.t.Attr(whole).Domain.Hi):
		return message.Say("relation.parts.domain").Name("column", name)
	case finest != 0 && !multiple(a.Step, finest):
		return message.Say("relation.parts.grid").Name("column", name)
	case p.t.LevelOf(j) > p.t.LevelOf(whole):
		return message.Say("relation.parts.unit").Name("column", name)
	}
	return message.Sentence{}
}

// negative reports whether a column has a number below 0.
func (p *planner) negative(name string) bool {
	return slices.ContainsFunc(p.t.Num(p.t.Find(name)), func(v float64) bool { return v < 0 })
}

// totals reports whether too many records have a part and no total, of which it would be a share.
func (p *planner) totals(whole int, parts []string) bool {
	values := columnsOf(p.t, parts)
	lost := 0
	for i := range p.t.Rows() {
		if p.t.MissingAt(i, whole) && slices.ContainsFunc(values, func(v []float64) bool { return v[i] == v[i] }) {
			lost++
		}
	}
	return float64(lost) > mostLacking*float64(p.t.Rows())
}

// finest is the smallest step of the grids of columns.
func (p *planner) finest(names []string) float64 {
	step := math.Inf(1)
	for _, name := range names {
		step = min(step, p.t.Attr(p.t.Find(name)).Step)
	}
	return step
}

// multiple reports whether a step is a whole number of others, at least one.
func multiple(step, of float64) bool {
	v := step / of
	return round(v) >= 1 && abs(v-round(v)) < 1e-6
}

// within reports whether a column is a part of another one, or of a part of it: shares keep it below.
func (p *planner) within(part, total string) bool {
	return slices.ContainsFunc(p.r.Steps, func(s Step) bool {
		return slices.Contains(s.Parts, part) && (s.Target == total || p.within(s.Target, total))
	})
}

// usual returns the shares of parts in the records that have them all; equal ones where there are none. Sums are exact,
// so that the order of the records does not matter.
func (p *planner) usual(total string, parts []string) []float64 {
	values := columnsOf(p.t, parts)
	whole := slices.Clone(p.t.Num(p.t.Find(total))) // missing where a part is
	for _, v := range values {
		for i, x := range v {
			if x != x {
				whole[i] = x
			}
		}
	}
	out, some := make([]float64, len(parts)), make([]float64, 0, len(whole))
	for k, v := range values {
		some = some[:0]
		for i, x := range whole {
			if x == x {
				some = append(some, v[i])
			}
		}
		out[k] = exact.Of(some)
	}
	return proportions(out)
}

// proportions divides numbers by their sum; where that is not above 0 they are equal.
func proportions(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for k := range v {
		if v[k] /= sum; !(sum > 0) {
			v[k] = 1 / float64(len(v))
		}
	}
	return v
}

// columnsOf returns the numbers of columns; nil for one that the table lacks or that holds none.
func columnsOf(t *table.Table, names []string) [][]float64 {
	out := make([][]float64, len(names))
	for k, name := range names {
		if j := t.Find(name); j >= 0 && t.Attr(j).Kind == table.Numeric {
			out[k] = t.Num(j)
		}
	}
	return out
}

// publicStep is the grid of shares where none may follow from the records.
const publicStep = 1e-6

// divide puts the shares of the total in place of the parts. A share is from 0 to 1; of a total of 0 it is the usual
// one, and it is missing where the total or the part is.
func (s *Step) divide(t *table.Table, whole int, public bool, cols []table.Column) {
	total := t.Num(whole)
	for k, name := range s.Parts {
		j := t.Find(name)
		if j < 0 {
			continue
		}
		c := table.Column{Attribute: *t.Attr(j), Num: make([]float64, t.Rows())}
		c.Step, c.StepDeclared, c.Declared = 0, false, c.Declared || public
		if public {
			c.Step, c.StepDeclared = publicStep, true
		}
		lo, hi := 1.0, 0.0
		for i, v := range t.Num(j) {
			switch {
			case v != v || total[i] != total[i]:
				c.Num[i] = math.NaN()
				continue
			case total[i] > 0:
				c.Num[i] = c.Snap(min(max(v/total[i], 0), 1))
			default:
				c.Num[i] = c.Snap(s.Usual[k])
			}
			lo, hi = min(lo, c.Num[i]), max(hi, c.Num[i])
		}
		if c.Domain = (table.Interval{Lo: min(lo, hi), Hi: hi}); c.Declared {
			c.Domain = table.Interval{Lo: 0, Hi: 1}
		}
		cols[j] = c
	}
}

// apportion works out the parts of a sum from its total and the shares, in whole steps of their grids, by largest
// remainder (Hamilton's method). Parts that a record does not have keep what the others leave. Where the release takes
// a share or the total away that the original has, the record has no parts: the others would tell it.
func (s *Step) apportion(r *Restatement, original, t *table.Table, whole int) (_ *table.Table, err error) {
	out := make([]table.Column, len(s.Parts))
	steps := make([]float64, len(s.Parts))
	for k, name := range s.Parts {
		out[k] = empty(r.attr(name), t.Rows())
		steps[k] = out[k].Step
	}
	shares, had := columnsOf(t, s.Parts), columnsOf(original, s.Parts)
	if whole >= 0 && t.Attr(whole).Kind == table.Numeric {
		a := newApportionment(steps, s.Usual)
		for i, total := range t.Num(whole) {
			if total == total && a.read(shares, had, i) {
				for k, v := range a.of(total) {
					if out[k].Num[i] = out[k].Snap(v) + 0; a.gone[k] { // + 0 turns minus zero into zero
						out[k].Num[i] = math.NaN()
					}
				}
			}
		}
	}
	for k, name := range s.Parts {
		if j := t.Find(name); j >= 0 {
			if t, err = t.WithColumn(j, widened(out[k])); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// checkShares says what is wrong with a sum that keeps its total and shares.
func (s *Step) checkShares() error {
	if len(s.Parts) == 0 {
		return nil
	}
	if !slices.Equal(s.Parts, s.Sources(s.Target)) || len(s.Usual) != len(s.Parts) {
		return fmt.Errorf("its parts are not those of %q", s.Target)
	}
	if slices.ContainsFunc(s.Usual, func(v float64) bool { return !(v >= 0 && v <= 1) }) {
		return fmt.Errorf("a share of %q is not from 0 to 1", s.Target)
	}
	return nil
}
