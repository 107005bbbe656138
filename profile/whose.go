package profile

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// Asked is what was found of whose the records are, and what to say if it is something else.
type Asked struct {
	Column string // that it is about; empty for several
	Says   message.Sentence
}

func whose(key string) message.Sentence { return message.Say("whose." + key) }

// Whose says in one line what a person, and a household, is taken to be, how many there are and how many records each
// has, and how to change that; it says nothing where every record is taken for a person's. The roles are those of
// Roles.
func (p *Profile) Whose(roles []Suggestion) message.Sentence {
	var out []message.Sentence
	for _, is := range []struct {
		role table.Role
		name string
	}{{table.Person, "person"}, {table.Household, "household"}} {
		for j := range roles {
			if roles[j].Role&is.role == 0 {
				continue
			}
			out = append(out, p.taken(j, roles[j].Given, is.name))
		}
	}
	if len(out) == 0 {
		return message.Sentence{}
	}
	return message.Apart(out)
}

// taken says of a column what it is taken to be, and how to change it where that is a guess.
func (p *Profile) taken(j int, given bool, as string) message.Sentence {
	key := "guessed."
	if given {
		key = "given."
	}
	c := &p.Columns[j]
	return whose(key+as).Name("column", c.Name).Count("n", c.Distinct).Part("each", p.each(j))
}

// each says how many records a value of a column has: exactly where that was counted, else on average.
func (p *Profile) each(j int) message.Sentence {
	c := &p.Columns[j]
	if p.Units != nil {
		for k := range p.Units.Levels {
			if p.column(&p.Units.Levels[k]) == j {
				return recordsEach(&p.Units.Levels[k])
			}
		}
	}
	if c.Distinct == 0 {
		return suggestion("unit.each").Count("records", 0)
	}
	return suggestion("unit.mean").Fixed("records", float64(c.valid(p.Rows))/float64(c.Distinct), 1)
}

// AskUnits returns what is to be asked about the units found, besides Whose: keys that may be meant as well, units that
// are not nested, keys that may be mistyped, and records that may be one person's without a key. A question about a
// column whose role was given is left out.
func (p *Profile) AskUnits(roles []Suggestion) (out []Asked) {
	u := p.Units
	if u == nil {
		return nil
	}
	person := ""
	for _, s := range roles {
		if s.Role&table.Person != 0 {
			person = s.Column
		}
	}
	ask := func(k *unit.Key, says message.Sentence) {
		if j := p.column(k); j < 0 || !roles[j].Given {
			out = append(out, Asked{k.Columns[0], says})
		}
	}
	for k := range u.Ties {
		ask(&u.Ties[k], whose("tie").Name("column", u.Ties[k].Columns[0]).Count("n", u.Ties[k].Values).
			Part("each", recordsEach(&u.Ties[k])).Name("best", u.Levels[0].Columns[0]))
	}
	for k := range u.Others {
		ask(&u.Others[k], whose("other").Name("column", u.Others[k].Columns[0]).Count("n", u.Others[k].Values).
			Part("each", recordsEach(&u.Others[k])).Name("best", u.Levels[0].Columns[0]))
	}
	for k := range u.Levels {
		l := &u.Levels[k]
		if len(l.Columns) > 1 && person == "" {
			out = append(out, Asked{"", whose("pair").Names("columns", l.Columns).Count("n", l.Values).
				Part("each", recordsEach(l))})
		}
		if l.Astray > 0 {
			out = append(out, Asked{l.Columns[0], whose("astray").Count("n", l.Astray).
				Names("below", u.Levels[k-1].Columns).Names("columns", l.Columns)})
		}
		for _, name := range l.Counts {
			j := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })
			if j >= 0 && !roles[j].Given {
				out = append(out, Asked{name, whose("counts").Name("column", name).Names("key", l.Columns)})
			}
		}
		if l.Suspects > 0 {
			out = append(out, Asked{l.Columns[0], whose("suspects").Count("n", l.Suspects).Name("column", l.Columns[0])})
		}
	}
	if a := u.Alike; a != nil && person == "" {
		out = append(out, Asked{"", whose("alike").Count("records", a.Records).Count("groups", a.Groups).
			Names("columns", a.Columns)})
	}
	return out
}
