package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/pseudonym"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// assemble builds the output in the original's column order and says what was done to every column.
func (p *Protected) assemble(q Request, src rng.Source) error {
	var cols []table.Column
	doings := actions(p.Plan)
	for j := range q.Table.Width() {
		a := q.Table.Attr(j)
		ch := Change{Column: a.Name, Kind: a.Kind, Role: a.Role.String(), Changed: math.NaN()}
		switch k := p.Released.Find(a.Name); {
		case k >= 0:
			c := p.Released.Compact(k)
			cols = append(append(cols, c), marks(&c)...)
			if ch.Action = (Action{Kind: Drawn}); !p.Synthetic {
				ch.Action, ch.Changed = Action{Kind: Kept}, changed(q.Table, j, p.Released, k)
			}
			if did, ok := doings[a.Name]; ok && !slices.Contains(q.Keep, a.Name) {
				if ch.Action = did; p.Synthetic {
					ch.Action.Kind = Drawn
				}
			} else if slices.Contains(p.Restated.Computed(), a.Name) {
				ch.Action = Action{Kind: Computed}
			}
			if k := p.Matched.Find(a.Name); q.DatesShift != (DateShift{}) && slices.Contains(dated(q.Table), j) {
				ch.Action, ch.Changed = Action{Kind: Shifted}, changed(p.Matched, k, p.Released, k)
			}
			if slices.Contains(p.rounded, a.Name) {
				ch.Action = Action{Kind: Rounded}
			}
			if ch.Action.Kind == Kept && p.imputes(a.Name) {
				ch.Action = Action{Kind: FilledIn}
			}
		case slices.Contains(q.Pseudonymise, a.Name):
			of := q.Table.Column(j)
			if p.Synthetic {
				of = namesOfDrawn(a.Name, p.Released)
			}
			c, err := pseudonym.Column(of, src)
			if err != nil {
				return err
			}
			cols = append(cols, c)
			ch.Action.Kind = Pseudonymous
		case a.Role&table.Identifier != 0:
			ch.Action.Kind = Dropped
		default:
			return fmt.Errorf("the plan loses column %q", a.Name)
		}
		p.Changes = append(p.Changes, ch)
	}
	of, err := q.Table, error(nil)
	if p.Synthetic {
		of = p.Released
	}
	p.Output, err = of.WithColumns(cols)
	return err
}

// changed returns the share of records whose value differs between column j of a and column k of b.
func changed(a *table.Table, j int, b *table.Table, k int) float64 {
	if a.Rows() == 0 {
		return 0
	}
	x, y := a.Attr(j), b.Attr(k)
	if x.Kind == y.Kind && !x.Kind.Scalar() && !slices.Equal(x.Labels, y.Labels) {
		same, err := b.Select(k).Conform([]table.Attribute{*x}, true) // labels only grow, so the codes of x stay
		if err != nil {
			return math.NaN()
		}
		c, d := a.Column(j), same.Column(0)
		return float64(c.Differ(&d)) / float64(a.Rows())
	}
	if x.Kind != y.Kind || !slices.Equal(x.Labels, y.Labels) {
		return generalised(a, j, b, k)
	}
	c, d := a.Column(j), b.Column(k)
	return float64(c.Differ(&d)) / float64(a.Rows())
}
