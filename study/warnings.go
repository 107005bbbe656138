package study

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// few is the share of changed values below which a perturbed column is called nearly unchanged: three of four of its
// values are those of the original.
const few = 0.25

func unchanged(a, b *table.Table, row int, columns []int) bool {
	for _, j := range columns {
		if x, y := a.Column(j), b.Column(j); !x.Same(row, &y, row) {
			return false
		}
	}
	return true
}

// warnings says what a custodian must know before the release goes out: which columns are nearly the original. Who can
// be looked up is for LookUp.
func (p *Protected) warnings() (out []message.Sentence) {
	if names := strange(p.Original, p.Plan.Changes()); names != nil && !p.Synthetic {
		out = append(out, message.Say("note.strange").Listed("columns", names))
	}
	var barely, raw []string
	for _, c := range p.Changes {
		j := p.Original.Find(c.Column)
		switch {
		case j < 0:
		case c.Action.Kind != Kept && c.Changed < few:
			barely = append(barely, c.Column)
		case c.Action.Kind == Kept && p.Original.Attr(j).Role&(table.Quasi|table.Confidential) != 0:
			raw = append(raw, c.Column)
		}
	}
	if len(raw) > 0 {
		out = append(out, message.Say("reason.raw").Listed("columns", raw))
	}
	if len(barely) > 0 {
		out = append(out, message.Say("note.barely").Listed("columns", barely))
	}
	return slices.Clip(out)
}

// strange returns the columns, each with its kind, that are neither numbers nor categories and not among the changed
// ones.
func strange(t *table.Table, changes []string) (names []string) {
	for j := range t.Width() {
		if a := t.Attr(j); !a.Kind.Scalar() && !slices.Contains(changes, a.Name) {
			names = append(names, fmt.Sprintf("%s (%s)", a.Name, a.Kind))
		}
	}
	return names
}
