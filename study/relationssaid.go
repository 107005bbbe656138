package study

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// mostNamed is how many relations a note names.
const mostNamed = 3

// OfRelations says which relations the release keeps, and which it may break. It names columns, and categories that
// never come together: those that were found are confidential.
func (p *Protected) OfRelations() (out []message.Sentence) {
	if kept := p.Restated.Relations(); len(kept) > 0 {
		out = append(out, message.Say("relation.kept").Count("n", len(kept)).Part("list", firstOf(kept)).
			Part("where", where(p.Nearly)))
	}
	if names := p.emptied(); len(names) > 0 {
		out = append(out, message.Say("relation.emptied").Count("n", len(names)).Names("columns", names))
	}
	for _, f := range p.Broken {
		out = append(out, message.Say("relation.changed").Name("relation", f.Relation.String()).Count("n", f.Broken))
	}
	out = append(out, byReason("relation.unkept", p.Unkept)...)
	if p.Restated != nil {
		out = append(out, byReason("relation.byParts", p.Restated.ByParts)...)
	}
	return out
}

// byReason says a sentence of the relations that have one reason in common, for each reason.
func byReason(key string, left []relation.Left) (out []message.Sentence) {
	for k, l := range left {
		same := func(o relation.Left) bool { return o.Why.Equal(l.Why) }
		if slices.ContainsFunc(left[:k], same) {
			continue
		}
		var list []relation.Relation
		for _, o := range left[k:] {
			if same(o) {
				list = append(list, o.Relation)
			}
		}
		out = append(out, message.Say(key).Count("n", len(list)).Part("list", firstOf(list)).Part("why", l.Why))
	}
	return out
}

// where says in which records relations hold.
func where(nearly bool) message.Sentence {
	if nearly {
		return message.Say("relation.nearly")
	}
	return message.Say("relation.every")
}

// emptied returns the columns that are computed from others and of which most values are gone, since those are
// generalised or blank.
func (p *Protected) emptied() (out []string) {
	for _, name := range p.Restated.Computed() {
		j, k := p.Original.Find(name), -1
		if p.Released != nil {
			k = p.Released.Find(name)
		}
		if j >= 0 && k >= 0 && valid(p.Released, k) < valid(p.Original, j)/2 {
			out = append(out, name)
		}
	}
	return out
}

// valid is the share of the records that have a value of a column which says something.
func valid(t *table.Table, j int) float64 {
	n, anything := 0, int32(-1)
	if t.Attr(j).Kind == table.Categorical {
		anything = t.Attr(j).Code(hierarchy.Top)
	}
	for i := range t.Rows() {
		if !t.MissingAt(i, j) && (anything < 0 || t.Cat(j)[i] != anything) {
			n++
		}
	}
	return float64(n) / float64(max(t.Rows(), 1))
}

// Holding says what holds between the columns of the table; nothing where nothing does. It names columns and
// categories.
func (r *Relations) Holding() (out []message.Sentence) {
	if all := r.All(); len(all) > 0 {
		nearly := slices.ContainsFunc(r.Found, func(f relation.Found) bool { return f.Broken > 0 })
		out = append(out, message.Say("relation.holding").Count("n", len(all)).Part("list", firstOf(all)).
			Part("where", where(nearly)))
	}
	return out
}

// Relation is what holds between columns, as a document has it.
type Relation struct {
	Text     string        `json:"relation"` // as --relation takes it
	Kind     relation.Kind `json:"kind"`
	Columns  []string      `json:"columns"`
	Declared bool          `json:"declared"` // by the custodian; else it was found in the table
	Checked  int           `json:"checked"`  // records that have all it is about; 0 where it was declared
	Broken   int           `json:"broken"`   // records that break it
}

// Document lists the relations: those declared, then those found.
func (r *Relations) Document() []Relation {
	out := []Relation{}
	for _, d := range r.Declared {
		out = append(out, Relation{Text: d.String(), Kind: d.Kind, Columns: d.Columns, Declared: true})
	}
	for _, f := range r.Found {
		if !slices.ContainsFunc(r.Declared, func(o relation.Relation) bool { return o.Equal(&f.Relation) }) {
			out = append(out, Relation{f.String(), f.Kind, f.Columns, false, f.Checked, f.Broken})
		}
	}
	return out
}

// Errors says of how many records break what all others keep, asks about what chance might explain, and says where
// relations were not looked for.
func (r *Relations) Errors() (out []message.Sentence) {
	if r.Wide {
		out = append(out, message.Say("relation.wide").Count("n", relation.Widest))
	}
	if r.Large {
		out = append(out, message.Say("relation.large"))
	}
	if n := len(r.Doubted); n > 0 {
		out = append(out, message.Say("relation.doubted").Count("n", n).Part("list", firstOf(r.Doubted)).
			Name("first", r.Doubted[0].String()))
	}
	var broken []message.Sentence
	for _, f := range r.Found {
		if f.Broken > 0 {
			broken = append(broken, message.Say("relation.broken").Count("n", f.Broken).Name("relation", f.Relation.String()))
		}
	}
	if n := len(broken); n > 0 {
		list := message.Apart(broken[:min(n, mostNamed)])
		if n > mostNamed {
			list = message.Say("relation.more").Part("list", list).Count("n", n-mostNamed)
		}
		out = append(out, message.Say("relation.errors").Count("n", n).Part("list", list))
	}
	return out
}

// firstOf lists relations, the first few by name.
func firstOf(list []relation.Relation) message.Sentence {
	var words []string
	for _, r := range list[:min(len(list), mostNamed)] {
		words = append(words, r.String())
	}
	first := message.Text(strings.Join(words, "; "))
	if len(list) > mostNamed {
		return message.Say("relation.more").Part("list", first).Count("n", len(list)-mostNamed)
	}
	return first
}
