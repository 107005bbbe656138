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
	// Same are pairs of records whose persons, by the columns, may be one: a slip made two of them.
	Same [][2]table.RecordID
}

// Readings returns how else it may be read whose a record is, where the values do not decide it: by records, where a
// person was found and not declared, which may be a physician or a ward; by the other person of a record that has two;
// where no column tells persons apart, by two that do together, or by what many records have in common; with those as
// one whose keys differ by a slip alone; and by the households as they are named, where people move between them. A
// release is judged by the worst of them. What was declared is never doubted, slips are. The roles are those of Roles.
func (p *Profile) Readings(roles []Suggestion) (out []Reading) {
	person := slices.IndexFunc(roles, func(s Suggestion) bool { return s.Role&table.Person != 0 })
	if person >= 0 && !roles[person].Given {
		out = append(out, Reading{Says: whose("reading.records").Name("column", roles[person].Column)})
	}
	u := p.Units
	switch {
	case u == nil:
	case person >= 0:
		for _, k := range p.besides(roles, person) {
			says := whose("reading.other").Name("column", k.Columns[0]).Name("best", roles[person].Column)
			out = append(out, Reading{Columns: k.Columns, Says: says, Keyed: true})
		}
		out = append(out, p.doubted(roles, person)...)
	case u.Alike != nil:
		out = append(out, Reading{Columns: u.Alike.Columns, Says: whose("reading.alike").Names("columns", u.Alike.Columns)})
	default:
		for k := range u.Levels {
			if columns := u.Levels[k].Columns; len(columns) > 1 {
				out = append(out, Reading{Columns: columns, Keyed: true, Says: whose("reading.pair").Names("columns", columns)})
			}
		}
	}
	return out
}

// doubted are the readings of keys that are one up to a slip, and of households that people leave.
func (p *Profile) doubted(roles []Suggestion, person int) (out []Reading) {
	for k := range p.Units.Levels {
		l := &p.Units.Levels[k]
		j := p.column(l)
		if j == person && l.Suspects > 0 {
			says := whose("reading.slips").Count("n", l.Suspects).Name("column", roles[person].Column)
			out = append(out, Reading{Columns: l.Columns, Says: says, Keyed: true, Same: l.Slips})
		}
		if j >= 0 && roles[j].Role&table.Household != 0 && l.Astray > 0 {
			says := whose("reading.astray").Count("n", l.Astray).Name("column", roles[j].Column)
			out = append(out, Reading{Columns: l.Columns, Says: says, Keyed: true})
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
