package policy

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/relation"
)

// Words of Relations that are no relation.
const (
	FindRelations = "found"
	NoRelations   = "none"
)

// Words of Sums.
const (
	SumsByParts  = "parts"
	SumsByShares = "shares"
)

// related lays the relations of a caller over those of the file: a word alone replaces them, relations that come with
// the word found are added to them.
func (p *Policy) related(said Words) Words {
	if len(said) < 2 || said[0] != FindRelations || p.Relations == nil {
		if said != nil {
			return said
		}
		return p.Relations
	}
	out := slices.Clone(p.Relations)
	if slices.Equal(out, Words{NoRelations}) {
		out = nil
	}
	for _, r := range said[1:] {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// FindsRelations reports whether relations are looked for in the table.
func (p *Policy) FindsRelations() bool {
	return p.Relations == nil || slices.Contains(p.Relations, FindRelations)
}

// Declared returns the relations that are written down. They were checked when the policy was parsed, or are an error.
func (p *Policy) Declared() ([]relation.Relation, error) {
	var out []relation.Relation
	for _, text := range p.Relations {
		if text == FindRelations || text == NoRelations {
			continue
		}
		r, err := relation.Parse(text)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// SharesOfSums reports whether sums keep their total and shares. A word that says neither is an error.
func (p *Policy) SharesOfSums() (bool, error) {
	switch p.Sums {
	case "", SumsByParts:
		return false, nil
	case SumsByShares:
		return true, nil
	}
	return false, fmt.Errorf("sums %q: expected %s or %s", p.Sums, SumsByParts, SumsByShares)
}

// checkRelations finds what is wrong with the relations, and where.
func (p *Policy) checkRelations() (at string, err error) {
	for k, text := range p.Relations {
		at = fmt.Sprintf("/relations/%d", k)
		switch text {
		case FindRelations:
			continue
		case NoRelations:
			if len(p.Relations) > 1 {
				return at, fmt.Errorf("none stands beside relations; leave it out")
			}
			continue
		}
		if _, err := relation.Parse(text); err != nil {
			return at, err
		}
	}
	return "", nil
}
