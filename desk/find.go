package desk

import (
	"strings"

	"github.com/dither-data/dither/catalog"
)

// Finding is what a part of the catalogue has for a word of the field.
type Finding struct {
	Entry   *Entry    // that goes by the name; nil for none
	Instead string    // what is nearest, or what else the name means; "" where that is not known
	Entries []Entry   // that the words occur in; not looked for where there is an Entry
	Others  []Pointed // entries of other parts, where this one has none
}

// Pointed is an entry of a part.
type Pointed struct {
	Part
	Entry
}

// Search looks for words: first for an entry of that name, then for what dither does instead, then for entries that the
// words occur in, then for names in the other parts. Where there is nothing at all it returns the error of Part.Find,
// which names the nearest.
func (p Part) Search(words []string) (f Finding, err error) {
	name := strings.Join(words, " ")
	e, err := p.Find(name)
	if err == nil {
		return Finding{Entry: &e, Instead: catalog.Besides(name)}, nil
	}
	if f.Instead = catalog.Elsewhere(name); f.Instead == "" {
		f.Instead = catalog.Besides(name)
	}
	if f.Entries = p.ByPurpose(words); len(f.Entries) > 0 || f.Instead != "" {
		return f, nil
	}
	for _, q := range []Part{Methods, Measures, Miners, Generators} {
		if q.Name == p.Name {
			continue
		}
		if e, err := q.Find(name); err == nil {
			return Finding{Others: []Pointed{{q, e}}}, nil
		}
		for _, e := range q.Entries() {
			if e.Alludes(name) {
				f.Others = append(f.Others, Pointed{q, e})
			}
		}
	}
	if f.Others != nil {
		return f, nil
	}
	return f, err
}
