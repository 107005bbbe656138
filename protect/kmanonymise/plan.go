package kmanonymise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/rareset"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan says which groups items are released as. It holds no record; what is suppressed besides depends on the records
// that meet.
type Plan struct {
	protect.OneGroup
	protect.Counted
	Attrs    []table.Attribute `json:"schema"`
	Columns  []int             `json:"columns"` // positions in the schema, ascending
	K        int               `json:"k"`
	M        int               `json:"m"`
	Suppress string            `json:"suppress"`
	Groups   []*Groups         `json:"groups"` // by column; nil where items stay what they are
	Found    []Found           `json:"found"`  // by column

	fitted, made *table.Table // the table of the fit, and what it becomes; nil in a plan that was read
}

// Groups says what the items of a column become.
type Groups struct {
	Labels []string `json:"labels"` // of the release
	Of     []int32  `json:"of"`     // by item: its label in the release, or -1 where it is suppressed
	Loss   float64  `json:"loss"`   // NCP of what is not deleted besides, in [0, 1]
	Raised int      `json:"raised"` // items that are released as a group
}

// Found says what became of a column of the records that the plan was fitted to.
type Found struct {
	Records int `json:"records"` // with a known set
	Items   int `json:"items"`   // occurrences
	Deleted int `json:"deleted"` // of them, by the groups or besides
	Changed int `json:"changed"` // records that lose some
	Doubted int `json:"doubted"` // occurrences that may or may not be there, which all go
}

// Schema returns the attributes the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	return message.Say("does.kmanonymise").Count("m", p.M).Part("k", p.atLeast())
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if err := protect.CheckColumns(p.Attrs, p.Columns, table.SetValued); err != nil {
		return err
	}
	switch {
	case p.K < 2 || p.M < 1 || p.M > 5 || p.Suppress != Local && p.Suppress != Global:
		return fmt.Errorf("k is %d, m is %d and suppress is %q; expected 2 or more, 1 to 5, and local or global", p.K, p.M,
			p.Suppress)
	case len(p.Groups) != len(p.Columns) || len(p.Found) != len(p.Columns):
		return errors.New("the groups or the counts are not those of the columns")
	}
	for k, g := range p.Groups {
		if g != nil &&
			(len(g.Of) != len(p.Attrs[p.Columns[k]].Labels) ||
				slices.ContainsFunc(g.Of, func(v int32) bool { return v < -1 || int(v) >= len(g.Labels) })) {
			return errors.New("the groups are not those of the items")
		}
		if g != nil && len(slices.Compact(slices.Sorted(slices.Values(g.Labels)))) < len(g.Labels) {
			return errors.New("two groups have one label")
		}
	}
	return nil
}

// Recode returns the records with the groups of their items, nothing deleted but the items that leave all records.
func (p *Plan) Recode(t *table.Table) (*table.Table, error) {
	if err := protect.Conforms(t, p.Attrs); err != nil {
		return nil, err
	}
	cols := t.Columns()
	for k, j := range p.Columns {
		if g := p.Groups[k]; g != nil {
			cols[j].Sets, cols[j].Labels = g.sets(cols[j].Sets), g.Labels
		}
	}
	return t.WithColumns(cols)
}

// sets returns the groups of the items of sets. A group that is there for certain is in no doubt.
func (g *Groups) sets(s *table.Sets) *table.Sets {
	present, unknown := make([][]int32, s.Rows()), make([][]int32, s.Rows())
	for i := range present {
		if s.MissingAt(i) {
			continue
		}
		present[i] = g.of(s.Present.Row(i), []int32{})
		unknown[i] = slices.DeleteFunc(g.of(s.Unknown.Row(i), nil),
			func(v int32) bool { return slices.Contains(present[i], v) })
	}
	return table.SetsOf(present, unknown)
}

// of appends the groups of items, each once, ascending.
func (g *Groups) of(items, dst []int32) []int32 {
	from := len(dst)
	for _, v := range items {
		if g.Of[v] >= 0 {
			dst = append(dst, g.Of[v])
		}
	}
	slices.Sort(dst[from:])
	return dst[:from+len(slices.Compact(dst[from:]))]
}

// Apply generalises the items, and deletes what the records need besides.
func (p *Plan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if chunk == p.fitted {
		return p.made, nil
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		out, _, err := p.release(context.Background(), t)
		return out, err
	})
}

// release returns the release of records in order, and counts what becomes of them.
func (p *Plan) release(ctx context.Context, t *table.Table) (*table.Table, []Found, error) {
	recoded, err := p.Recode(t)
	if err != nil {
		return nil, nil, err
	}
	cols := recoded.Columns()
	whose, _ := t.People()
	var all []Found
	for k, j := range p.Columns {
		if cols[j].Sets, err = p.kept(ctx, cols[j].Sets, len(cols[j].Labels), whose); err != nil {
			return nil, nil, fmt.Errorf("column %q: %w", cols[j].Name, err)
		}
		all = append(all, counted(p.Groups[k], t.Sets(j), cols[j].Sets))
	}
	out, err := recoded.WithColumns(cols)
	return out, all, err
}

// kept returns what is left of sets when no set of up to m items is rare: among the records and, where people have
// several, among what they have in all of theirs. What is deleted of a person for the latter goes from all of their
// records.
func (p *Plan) kept(ctx context.Context, s *table.Sets, labels int, whose []int32) (*table.Sets, error) {
	for {
		d, _, err := p.reduced(ctx, s, labels, whose)
		if err != nil {
			return nil, err
		}
		if s = left(d.Row, s); whose == nil {
			return s, nil
		}
		all, deleted, err := p.reduced(ctx, together(s, whose), labels, nil)
		if err != nil || deleted == 0 {
			return s, err
		}
		was, own := s, []int32(nil)
		s = left(func(i int, dst []int32) []int32 {
			own = all.Row(int(whose[i]), own[:0])
			for _, v := range was.Present.Row(i) {
				if _, there := slices.BinarySearch(own, v); there {
					dst = append(dst, v)
				}
			}
			return dst
		}, s)
	}
}

// reduced returns the data of sets without rare ones, and how many items that takes.
func (p *Plan) reduced(
	ctx context.Context,
	s *table.Sets,
	labels int,
	whose []int32,
) (d *rareset.Data, deleted int, err error) {
	if d, err = rareset.New(s.Rows(), labels, whose, s.Present.Row); err != nil {
		return nil, 0, err
	}
	if err = d.Check(p.M); err != nil {
		return nil, 0, err
	}
	if p.Suppress == Local {
		deleted, err = d.Thin(ctx, p.K, p.M)
		return d, deleted, err
	}
	gone, err := d.Drop(ctx, p.K, p.M)
	return d, len(gone), err
}

// together returns the sets of people: what any of a person's records has.
func together(s *table.Sets, whose []int32) *table.Sets {
	own := make([][]int32, 1+slices.Max(whose))
	for i, who := range whose {
		own[who] = append(own[who], s.Present.Row(i)...)
	}
	for who := range own {
		slices.Sort(own[who])
		own[who] = slices.Compact(own[who])
	}
	return table.SetsOf(own, nil)
}

// left returns the sets of which row appends what is left of one.
func left(row func(i int, dst []int32) []int32, was *table.Sets) *table.Sets {
	out := &table.Sets{Missing: was.Missing, Present: table.Lists{Start: make([]int, 1, was.Rows()+1)}}
	for i := range was.Rows() {
		out.Present.Codes = row(i, out.Present.Codes)
		out.Present.Start = append(out.Present.Start, len(out.Present.Codes))
	}
	return out
}

// counted compares sets with their release.
func counted(g *Groups, was, is *table.Sets) (f Found) {
	f.Items, f.Doubted = len(was.Present.All()), len(was.Unknown.All())
	for i := range was.Rows() {
		if was.MissingAt(i) {
			continue
		}
		f.Records++
		lost := 0
		for _, v := range was.Present.Row(i) {
			if g != nil {
				v = g.Of[v]
			}
			if _, there := slices.BinarySearch(is.Present.Row(i), v); !there {
				lost++
			}
		}
		if f.Deleted += lost; lost > 0 {
			f.Changed++
		}
	}
	return f
}

// Notes says what was generalised and deleted, and what is not promised.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for k, j := range p.Columns {
		f, name := p.Found[k], p.Attrs[j].Name
		if g := p.Groups[k]; g != nil {
			out = append(
				out,
				message.Say("plan.km.groups").Name("column", name).Count("raised", g.Raised).Count("items", len(g.Of)).
					Count("labels", len(g.Labels)).Share("loss", g.Loss),
			)
		}
		has := message.Say("plan.km.none")
		if p.People {
			has = message.Say("plan.km.nobody")
		}
		out = append(out, message.Say("plan.km.deleted").Name("column", name).Count("n", f.Deleted).Count("items", f.Items).
			Count("changed", f.Changed).Count("records", f.Records).Count("m", p.M).Part("k", p.atLeast()).Part("has", has))
		if f.Doubted > 0 {
			out = append(out, message.Say("plan.km.doubted").Name("column", name).Count("n", f.Doubted))
		}
	}
	if len(p.Columns) > 1 {
		out = append(out, message.Say("plan.km.columns"))
	}
	if p.People {
		return append(out, message.Say("plan.km.people"))
	}
	return append(out, message.Say("plan.km.records"))
}

// atLeast says how many have the items.
func (p *Plan) atLeast() message.Sentence {
	if p.People {
		return message.Say("plan.km.ofPeople").Count("k", p.K)
	}
	return message.Say("plan.km.ofRecords").Count("k", p.K)
}
