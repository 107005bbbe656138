package document

import (
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// rewriting changes all that a section says, and its figures.
type rewriting struct {
	sentence func(message.Sentence) message.Sentence
	figure   func(*Figure) // besides its sentences
}

// among is the section with sentences that speak of whom the words say (message.Sentence.Among): of records, or of
// households, where nobody says that these are people's.
func (s Section) among(words string) Section {
	if words == "" {
		return s
	}
	return rewriting{
		func(s message.Sentence) message.Sentence { return s.Among(words) },
		func(f *Figure) { f.Unit = f.Unit.Speaking(words) },
	}.section(s)
}

// Told is the section as its reader may know it: a share of too few of the records, or of all but too few, is told by
// its bounds, wherever it stands (measure.Reader.Bounds).
func (s Section) Told(r measure.Reader) Section {
	return rewriting{
		func(s message.Sentence) message.Sentence { return s.Told(r.Bounds) },
		func(f *Figure) {
			v := r.Told(measure.Value{Score: f.Value, Lo: f.Lo, Hi: f.Hi}, f.Unit)
			if v.Score == f.Value || f.Value != f.Value {
				return
			}
			if f.Shown == "" {
				share := message.Share(f.Value)
				if f.Unit.Kind == measure.Percent {
					share = message.Share(f.Value / 100)
				}
				f.Shown = share.Told(r.Bounds).String()
			}
			f.Value, f.Lo, f.Hi, f.Level = v.Score, v.Lo, v.Hi, 0
		},
	}.section(s)
}

func (w rewriting) section(s Section) Section {
	s.Title, s.Blocks = w.sentence(s.Title), w.blocks(s.Blocks)
	return s
}

func (w rewriting) sentences(all []message.Sentence) []message.Sentence {
	return changed(all, func(s *message.Sentence) { *s = w.sentence(*s) })
}

func (w rewriting) blocks(blocks Blocks) Blocks {
	out := make(Blocks, len(blocks))
	for k, b := range blocks {
		out[k] = w.block(b)
	}
	return out
}

func (w rewriting) block(b Block) Block {
	switch b := b.(type) {
	case Prose:
		b.Says = w.sentences(b.Says)
		return b
	case List:
		b.Items = w.sentences(b.Items)
		return b
	case Facts:
		b.Items = changed(b.Items, func(f *Fact) { f.Name, f.Says = w.sentence(f.Name), w.sentence(f.Says) })
		return b
	case Reasons:
		b.Items = changed(b.Items, func(r *Reason) { r.Says, r.Remedy = w.sentence(r.Says), w.sentence(r.Remedy) })
		return b
	case Figures:
		b.Items = changed(b.Items, func(f *Figure) { w.toFigure(f) })
		return b
	case Table:
		return w.table(b)
	case Charts:
		b.Items = changed(b.Items, func(c *Chart) {
			c.Title, c.Says = w.sentence(c.Title), w.sentence(c.Says)
			c.Facts, c.Below = w.sentences(c.Facts), w.sentences(c.Below)
		})
		b.Aside = w.blocks(b.Aside)
		return b
	case Part:
		b.Title, b.Blocks = w.sentence(b.Title), w.blocks(b.Blocks)
		return b
	case Group:
		b.Parts = changed(b.Parts, func(p *Part) { *p = w.block(*p).(Part) })
		return b
	case Fold:
		b.Title, b.Blocks = w.sentence(b.Title), w.blocks(b.Blocks)
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

func (w rewriting) toFigure(f *Figure) {
	f.Title, f.Says = w.sentence(f.Title), w.sentence(f.Says)
	w.figure(f)
}

func (w rewriting) table(t Table) Table {
	t.Title = w.sentence(t.Title)
	t.Columns = changed(t.Columns, func(c *Column) {
		c.Title, c.Below = w.sentence(c.Title), w.sentences(c.Below)
	})
	row := func(r *Row) {
		r.Cells = changed(r.Cells, func(c *Cell) {
			c.Mark, c.Says = w.sentence(c.Mark), w.sentence(c.Says)
			c.Lines, c.Below = w.sentences(c.Lines), w.sentences(c.Below)
			if c.Figure != nil {
				own := *c.Figure
				w.toFigure(&own)
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
