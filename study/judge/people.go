package judge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// Named returns the column of a role, "" where none has it.
func Named(t *table.Table, role table.Role) string {
	if j := t.WithRole(role); j >= 0 {
		return t.Attr(j).Name
	}
	return ""
}

// People tells a release which records are one person's, by the columns that its intruders tell persons apart by and by
// the one declared, how else it may be read whose they are, and what holds between columns, and returns the intruders:
// those of whom nothing else is said go by the one declared. A column that the table lacks is an error.
func (l *Subject) People(r *measure.Release, list []intruder.Intruder) ([]intruder.Intruder, error) {
	r.Relations = l.Relations.Known()
	r.Person, r.Household = Named(l.Table, table.Person), Named(l.Table, table.Household)
	var by []string
	for _, name := range []string{r.Person, r.Household} {
		if name != "" {
			by = append(by, name)
		}
	}
	out := make([]intruder.Intruder, len(list))
	for k, i := range list {
		switch {
		case i.Person == "":
			i.Person = r.Person
		case l.Table.Find(i.Person) < 0:
			return nil, usage(
				fmt.Errorf("intruder %q: there is no column %q to identify the records of a person", i.Name, i.Person),
			)
		default:
			by = append(by, i.Person)
		}
		out[k] = i
	}
	r.Persons = study.Persons(l.Table, by)
	if _, n := r.People(); l.Policy.SampledFrom > 0 && l.Policy.SampledFrom < n {
		return nil, &Usage{"sampled-from", strconv.Itoa(l.Policy.SampledFrom),
			fmt.Errorf("the table has %d people, more than its population", n)}
	}
	r.Population = float64(l.Policy.SampledFrom)
	r.Besides = study.Besides(l.Table, l.Readings(), r.Persons)
	return out, nil
}

// Readings are other ways to read whose the records are, none of which the values rule out.
func (l *Subject) Readings() []profile.Reading {
	if l.Profile == nil {
		return nil
	}
	return l.Profile.Readings(l.Roles)
}

// Whose says what a person and a household are taken to be, and what is to be asked about the units found; nil where
// every record is taken for a person's.
func (l *Subject) Whose() (out []message.Sentence) {
	if says := l.Profile.Whose(l.Roles); !says.Empty() {
		out = append(out, says)
	}
	for _, a := range l.Profile.AskUnits(l.Roles) {
		out = append(out, a.Says)
	}
	return out
}

// Units are the columns that tell whose a record is.
func (l *Subject) Units() *protect.Units {
	return &protect.Units{Person: Named(l.Table, table.Person), Household: Named(l.Table, table.Household)}
}

// OtherUnits says where other columns tell whose a record is than when a plan was made; nothing where that was not
// kept.
func (l *Subject) OtherUnits(was *protect.Units) (out []message.Sentence) {
	if was == nil {
		return nil
	}
	now := l.Units()
	for _, of := range []struct{ what, was, now string }{
		{"person", was.Person, now.Person}, {"household", was.Household, now.Household},
	} {
		switch key := "whose.plan." + of.what + "."; {
		case of.was == of.now:
		case of.was == "":
			out = append(out, message.Say(key+"new").Name("now", of.now))
		case of.now == "":
			out = append(out, message.Say(key+"gone").Name("was", of.was))
		default:
			out = append(out, message.Say(key+"other").Name("was", of.was).Name("now", of.now))
		}
	}
	return out
}

// oneEach refuses two columns that tell persons apart, or households.
func oneEach(t *table.Table) error {
	for _, role := range []table.Role{table.Person, table.Household} {
		var names []string
		for _, a := range t.Attrs() {
			if a.Role&role != 0 {
				names = append(names, strconv.Quote(a.Name))
			}
		}
		if len(names) > 1 {
			return fmt.Errorf("one column has the role %s, but %s are given", role|table.Identifier,
				strings.Join(names, " and "))
		}
	}
	return nil
}

// Against returns the intruders of the policy or, without any, the default ones of the table that is measured. Every
// one must fit it; whole is the table as it was read, with its identifiers.
func Against(pol *policy.Policy, whole, attrs []table.Attribute) ([]intruder.Intruder, error) {
	if pol.Intruders == nil {
		return intruder.Defaults(attrs), nil
	}
	if err := Fit(pol.Intruders, whole); err != nil {
		return nil, usage(err)
	}
	if err := Fit(pol.Intruders, attrs); err != nil {
		return nil, usage(fmt.Errorf("%w in both tables", err))
	}
	return pol.Intruders, nil
}

// Fit checks that the columns the intruders are about are there.
func Fit(list []intruder.Intruder, attrs []table.Attribute) error {
	for k := range list {
		if _, err := list[k].On(attrs); err != nil {
			return err
		}
	}
	return nil
}
