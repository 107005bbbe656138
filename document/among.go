package document

import (
	"slices"

	"github.com/dither-data/dither/message"
)

// This file lets all that a section says speak of records, or of households, where nobody says that these are people's.

// among is the section with sentences that speak of whom the words say (message.Sentence.Among).
func (s Section) among(words string) Section {
	if words == "" {
		return s
	}
	s.Title, s.Blocks = s.Title.Among(words), blocksAmong(s.Blocks, words)
	return s
}

func blocksAmong(blocks Blocks, words string) Blocks {
	out := make(Blocks, len(blocks))
	for k, b := range blocks {
		out[k] = blockAmong(b, words)
	}
	return out
}

func blockAmong(b Block, words string) Block {
	switch b := b.(type) {
	case Prose:
		b.Says = message.AllAmong(b.Says, words)
		return b
	case List:
		b.Items = message.AllAmong(b.Items, words)
		return b
	case Facts:
		b.Items = changed(b.Items, func(f *Fact) { f.Name, f.Says = f.Name.Among(words), f.Says.Among(words) })
		return b
	case Reasons:
		b.Items = changed(b.Items, func(r *Reason) { r.Says, r.Remedy = r.Says.Among(words), r.Remedy.Among(words) })
		return b
	case Figures:
		b.Items = changed(b.Items, func(f *Figure) { f.among(words) })
		return b
	case Table:
		return b.among(words)
	case Charts:
		b.Items = changed(b.Items, func(c *Chart) {
			c.Title, c.Says = c.Title.Among(words), c.Says.Among(words)
			c.Facts, c.Below = message.AllAmong(c.Facts, words), message.AllAmong(c.Below, words)
		})
		b.Aside = blocksAmong(b.Aside, words)
		return b
	case Part:
		b.Title, b.Blocks = b.Title.Among(words), blocksAmong(b.Blocks, words)
		return b
	case Group:
		b.Parts = changed(b.Parts, func(p *Part) { *p = blockAmong(*p, words).(Part) })
		return b
	case Fold:
		b.Title, b.Blocks = b.Title.Among(words), blocksAmong(b.Blocks, words)
		return b
	}
	return b
}

// changed returns a copy of a list with each of it changed.
func changed[T any](list []T, change func(*T)) []T {
	out := slices.Clone(list)
	for k := range out {
		change(&out[k])
	}
	return out
}

func (f *Figure) among(words string) {
	f.Title, f.Says, f.Unit = f.Title.Among(words), f.Says.Among(words), f.Unit.Speaking(words)
}

func (t Table) among(words string) Table {
	t.Title = t.Title.Among(words)
	t.Columns = changed(t.Columns, func(c *Column) {
		c.Title, c.Below = c.Title.Among(words), message.AllAmong(c.Below, words)
	})
	row := func(r *Row) {
		r.Cells = changed(r.Cells, func(c *Cell) {
			c.Mark, c.Says = c.Mark.Among(words), c.Says.Among(words)
			c.Lines, c.Below = message.AllAmong(c.Lines, words), message.AllAmong(c.Below, words)
			if c.Figure != nil {
				own := *c.Figure
				own.among(words)
				c.Figure = &own
			}
		})
	}
	t.Rows = changed(t.Rows, row)
	if t.Foot != nil {
		foot := *t.Foot
		row(&foot)
		t.Foot = &foot
	}
	return t
}
