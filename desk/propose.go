package desk

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// ProposeRequest asks for the profile of a table, and for a proposal of what it is good for.
type ProposeRequest struct {
	Source
	Output    string // path of the information quality model
	Overwrite bool   // replace one that exists
}

// proposed is what a proposal begins with.
const proposed = `# What the table is for: an information quality model, proposed by dither inspect from the roles of the columns and from what holds in every record.
# Nobody but you knows what the data are for: take out purposes, add your own, and weigh them. aw and cw are the weights of accuracy and completeness.
# A constraint is a condition on released records, or a relation between columns; a complex one holds where all (and) or any (or) of its conditions hold.
# It names values of the table and the ends of its domains: it is as confidential as the table.
`

// Propose profiles a table and writes a proposal of an information quality model for it. Cost: that of the profile, of
// a tree for the class, and of looking for values that say each other.
func (d *Desk) Propose(ctx context.Context, q ProposeRequest) (*Inspection, error) {
	if q.Output == "" {
		return nil, usage(errors.New("the information quality model has no name"))
	}
	f := &files{reads: q.inputs(), secret: []string{q.Output}, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	i, err := d.Inspect(ctx, q.Source)
	if err != nil {
		return nil, err
	}
	t, err := i.Anonymous()
	if err != nil {
		return nil, err
	}
	var grown *tree.Tree
	if i.Table.WithRole(table.Class) >= 0 && i.Learnable() == nil {
		_, learner, err := learnerOf("c45", nil)
		if err != nil {
			return nil, err
		}
		m, err := d.fit(ctx, i.Loaded, learner, nil, &Spending{}, rng.Fresh())
		if err != nil {
			return nil, err
		}
		grown, _ = m.(*tree.Tree)
	}
	m, err := quality.Propose(ctx, t, grown, i.Relations.Known())
	if err != nil {
		return nil, err
	}
	if err := f.add(q.Output, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		b.WriteString(proposed)
		if err := m.Write(b); err != nil {
			return err
		}
		return b.Flush()
	}); err != nil {
		return nil, err
	}
	return i, f.place()
}
