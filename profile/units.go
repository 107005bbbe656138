package profile

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

var (
	// personal names what somebody keeps for life: where it differs, a unit is of several people.
	personal = words(
		`sex gender geschlecht sexe sexo sesso geslacht genero plec kon kjonn yob birthyear birthmonth geburtsjahr geburtsmonat jahrgang
		birth birthday birthdate dateofbirth dob born geburt geburtsdatum geburtstag nacimiento naissance nascita geboortedatum
		nascimento`,
	)
	// households name groups of people who live together.
	households = words(
		`household hh hhid hhno hhnr hhkey idhous idhh hhold haushalt haushaltsnr haushaltsnummer haushaltsid hogar menage foyer
		huishouden huishoudnr familie family familyid famiglia famille dwelling wohnung`,
	)
	// shared are words of what is one for many people, or repeats by chance, so that it names none of them.
	shared = []vocabulary{demographic, sensitive, clinical, weighting, zips, strata}
	// strata name what a study matches people by, or a sample is drawn from: who is in one is alike, and not the same.
	strata = words(`stratum strata stratumid schicht schichten strate strates estrato estratos strato strati warstwa`)
)

// mayKey reports whether a column may be the key of a unit by its name and its values: whatever its name, unless that
// says what others know of a person, a measurement or a weight, or the values are dates or free text.
func (p *Profile) mayKey(j int) bool {
	c := &p.Columns[j]
	name := tokens(c.Name)
	switch {
	case c.Suggest.Role&(table.Class|table.Weight) != 0 || c.isDates(name) || c.months || c.texts.free || c.MayWeigh():
		return false
	case c.Suggest.Role&table.Identifier != 0 || households.in(name) != "" || counters.ending(name) != "":
		return true
	}
	return !manys(name)
}

// manys reports whether the words of a name say that values are many people's.
func manys(name []string) bool {
	return slices.ContainsFunc(shared, func(v vocabulary) bool { return v.in(name) != "" })
}

// withoutCodes takes out the keys that are the codes of a classification: those that tell apart what texts do whose
// name says that they are many people's, such as occupations.
func (p *Profile) withoutCodes() {
	code := func(k unit.Key) bool {
		return slices.ContainsFunc(k.Same, func(name string) bool {
			j := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })
			return p.Columns[j].isText() && !p.mayKey(j) && manys(tokens(name))
		})
	}
	u := p.Units
	for _, keys := range []*[]unit.Key{&u.Levels, &u.Ties, &u.Others} {
		*keys = slices.DeleteFunc(*keys, code)
	}
}

// takeUnits gives the columns of the units found their roles, unless a role was given for them: the first level in
// which what people keep for life is the same is the person, and the one above it the household; the keys inside a
// person, and what may be meant instead, are identifiers. Where nothing is found, an identifier that repeats is the
// person.
func takeUnits(p *Profile, roles []Suggestion) {
	u := p.Units
	if u == nil || len(u.Levels) == 0 {
		takePerson(p, roles)
		return
	}
	person, household := levels(p, roles)
	take := func(k *unit.Key, role table.Role, why string) {
		if j := p.column(k); j >= 0 && !roles[j].Given && roles[j].Role&table.Class == 0 &&
			(role != 0 || roles[j].Role&table.Identifier == 0) {
			roles[j] = Suggestion{Column: k.Columns[0], Role: role | table.Identifier, Why: []Clause{stays(k), general(why)}}
		}
	}
	for k := range u.Levels {
		switch l := p.free(&u.Levels[k], roles); {
		case k == person && !taken(roles, table.Person):
			take(l, table.Person, "unit.person")
		case k == household && !taken(roles, table.Household):
			take(l, table.Household, "unit.household")
		case k <= household:
			take(l, 0, "unit.inside")
		}
	}
	for k := range min(household+1, len(u.Levels)) {
		for _, name := range u.Levels[k].Same {
			same := u.Levels[k]
			if same.Columns = []string{name}; p.names(p.column(&same)) {
				take(&same, 0, "unit.same")
			}
		}
	}
	for _, keys := range [][]unit.Key{u.Ties, u.Others} {
		for k := range keys {
			take(&keys[k], 0, "unit.other")
		}
	}
}

// levels says which level is the person and which the household; below 0, or above the last, for none. What was given
// goes first. A level in which what somebody keeps for life differs is of several people; one that holds it is of one,
// as are those inside it, such as stays.
func levels(p *Profile, roles []Suggestion) (person, household int) {
	all := p.Units.Levels
	keeps := func(name string) bool {
		return personal.in(tokens(name)) != "" && !slices.ContainsFunc(p.Units.Others, func(k unit.Key) bool {
			return slices.Contains(k.Holds, name) // that of another person in the record
		})
	}
	several := func(k *unit.Key) bool { return slices.ContainsFunc(k.Varies, keeps) }
	lasting := func(k *unit.Key) bool { return slices.ContainsFunc(k.Holds, keeps) }
	alone := len(all) == 1 && households.in(tokens(all[0].Columns[0])) != ""
	if person = -1; !alone && !several(&all[0]) {
		for person = 0; person+1 < len(all) && lasting(&all[person+1]) && !several(&all[person+1]); person++ {
		}
	}
	for k := range all {
		switch j := p.column(&all[k]); {
		case j < 0 || !roles[j].Given:
		case roles[j].Role&table.Person != 0:
			return k, k + 1
		case roles[j].Role&table.Household != 0:
			return k - 1, k
		}
	}
	return person, person + 1
}

// free is the key of a level or, where its column is given as none that names anybody, one that tells the same units
// apart and looks like an identifier, if there is one.
func (p *Profile) free(k *unit.Key, roles []Suggestion) *unit.Key {
	if j := p.column(k); j < 0 || !roles[j].Given || roles[j].Role&table.Identifier != 0 {
		return k
	}
	for _, name := range k.Same {
		other := *k
		other.Columns = []string{name}
		if j := p.column(&other); !roles[j].Given && roles[j].Role&table.Identifier != 0 && p.names(j) {
			return &other
		}
	}
	return k
}

// names reports whether a column that has one value for each unit names it: texts, and whole numbers without large
// gaps; others, such as an income, may be what is measured.
func (p *Profile) names(j int) bool {
	const gaps = 20
	c := &p.Columns[j]
	return p.mayKey(j) && (c.isText() || c.Summary != nil && c.Step >= 1 &&
		float64(c.Summary.Max-c.Summary.Min) <= gaps*float64(c.Distinct))
}

// column is the column of a key; -1 where it has two.
func (p *Profile) column(k *unit.Key) int {
	if len(k.Columns) > 1 {
		return -1
	}
	return slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == k.Columns[0] })
}

func taken(roles []Suggestion, role table.Role) bool {
	return slices.ContainsFunc(roles, func(s Suggestion) bool { return s.Role&role != 0 })
}

// prefer puts the column first, of those that tell the units of a level apart alike, that looks like an identifier.
func (p *Profile) prefer() {
	looks := func(name string) bool {
		j := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })
		return p.Columns[j].Suggest.Role&table.Identifier != 0 && p.mayKey(j) && p.Columns[j].countable()
	}
	for k := range p.Units.Levels {
		l := &p.Units.Levels[k]
		if at := slices.IndexFunc(l.Same, looks); at >= 0 && len(l.Columns) == 1 && !looks(l.Columns[0]) {
			l.Columns[0], l.Same[at] = l.Same[at], l.Columns[0]
		}
	}
}

// stays says what stays the same inside the units of a key.
func stays(k *unit.Key) Clause {
	return Clause{Says: suggestion("unit.stays").Count("values", k.Values).Part("each", recordsEach(k)).
		Columns("holds", k.Holds, 3)}
}

// recordsEach says how many records a unit has.
func recordsEach(k *unit.Key) message.Sentence {
	if k.Least == k.Most {
		return suggestion("unit.each").Count("records", k.Most)
	}
	return suggestion("unit.between").Count("least", k.Least).Count("most", k.Most)
}
