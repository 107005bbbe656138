package desk

import (
	"context"
	"fmt"
	"io"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/table"
)

// HierarchyRequest asks for a template of the value generalisation hierarchy of a column.
type HierarchyRequest struct {
	Source
	Column    string
	Prefix    bool   // values belong together that begin alike, whatever they look like
	Output    string // path; empty leaves the template to the caller
	Overwrite bool   // replace an output that exists
}

// Hierarchy builds the hierarchy of a column and lists every value that occurs in it, so that people can edit it:
// intervals of round limits for numbers, runs for ordered categories, prefixes for codes, and one group for other
// categories. It is as confidential as the column, for it lists the values that people have. Cost: that of reading, and
// O(n log n).
func (d *Desk) Hierarchy(ctx context.Context, q HierarchyRequest) (*hierarchy.Hierarchy, error) {
	if err := q.misspelt(word{"", q.Column}); err != nil {
		return nil, err
	}
	f := &files{reads: q.inputs(), secret: []string{q.Output}, main: q.Output, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	l, err := d.Load(ctx, q.Source)
	if err != nil {
		return nil, err
	}
	for _, n := range l.Notes() {
		d.note(n)
	}
	j := l.Table.Find(q.Column)
	if j < 0 {
		return nil, usage(fmt.Errorf("%s has no column %q%s", l.File.Name, q.Column, spelling.Hint(q.Column, names(l.Table))))
	}
	c := l.Table.Column(j).Compact()
	h, err := template(&c, q.Prefix)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", c.Name, err)
	}
	if err := f.add(q.Output, func(w io.Writer) error { return h.Write(w) }); err != nil {
		return nil, err
	}
	return h, f.place()
}

func template(c *table.Column, prefix bool) (*hierarchy.Hierarchy, error) {
	empty := true
	for i := 0; i < c.Len() && empty; i++ {
		empty = c.MissingAt(i)
	}
	switch {
	case !c.Kind.Scalar():
		return nil, fmt.Errorf("it is %s, and has no hierarchy", c.Kind)
	case empty:
		return nil, fmt.Errorf("it has no value to list")
	case prefix && c.Kind == table.Categorical:
		h := hierarchy.Prefix(c.Name, c.Labels)
		return h, h.Check()
	}
	h, err := hierarchy.Build(c).Listed(c)
	if err != nil || !prefix {
		return h, err
	}
	h = hierarchy.Prefix(c.Name, h.Names[0])
	return h, h.Check()
}
