package profile

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// Reading is another way to read whose a record is than the roles say.
type Reading struct {
	Columns []string         // whose values tell persons apart together; none where every record is a person's
	Says    message.Sentence // of a figure that counts persons so
	Keyed   bool             // columns tell the persons apart, and not only what their records have in common
}

// Readings returns how else it may be read whose a record is, where the values do not decide it: by records, where a
// person was found and not declared, which may be a physician or a ward; by the other person of a record that has two;
// and, where no column tells persons apart, by two that do together, or by what many records have in common. A release
// is judged by the worst of them. What was declared is never doubted. The roles are those of Roles.
func (p *Profile) Readings(roles []Suggestion) (out []Reading) {
	person := slices.IndexFunc(roles, func(s Suggestion) bool { return s.Role&table.Person != 0 })
	if person >= 0 && !roles[person].Given {
		out = append(out, Reading{nil, whose("reading.records").Name("column", roles[person].Column), false})
	}
	u := p.Units
	switch {
	case u == nil:
	case person >= 0:
		for _, k := range p.besides(roles, person) {
			says := whose("reading.other").Name("column", k.Columns[0]).Name("best", roles[person].Column)
			out = append(out, Reading{k.Columns, says, true})
		}
	case u.Alike != nil:
		out = append(out, Reading{u.Alike.Columns, whose("reading.alike").Names("columns", u.Alike.Columns), false})
	default:
		for k := range u.Levels {
			if columns := u.Levels[k].Columns; len(columns) > 1 {
				out = append(out, Reading{columns, whose("reading.pair").Names("columns", columns), true})
			}
		}
	}
	return out
}

// besides returns the keys of other people in a record than the person. Where the person was declared and is one of
// these, the key found first is another one. A column of which it was said what it is is none.
func (p *Profile) besides(roles []Suggestion, person int) (out []unit.Key) {
	others := slices.Clone(p.Units.Others)
	if slices.ContainsFunc(others, func(k unit.Key) bool { return p.column(&k) == person }) {
		others = append(others, p.Units.Levels[0])
	}
	for _, k := range others {
		if j := p.column(&k); j >= 0 && j != person && !roles[j].Given {
			out = append(out, k)
		}
	}
	return out
}
