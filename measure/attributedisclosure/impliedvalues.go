package attributedisclosure

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ImpliedValues measures whose original values can be read beside what was done to them: a relation between
// columns (package relation; measure.Release.Relations) and the other columns of the released record give them away. A
// code that was suppressed beside its text is released; so is a part beside its sum and the other parts, and an age in
// groups beside a date of birth.
//
// What is implied. Of every relation each column is worked out from the others of the released record where they say
// it (relation.Derivations): sums and products both ways, completed units, what is determined and, where one column
// determines another, the column that it stands for as a rule. Two kinds of values are looked at: those that the
// release lacks, or shows as a group (hidden), and those that it shows and that contradict the relation (shown). A
// value that agrees with the relation gives away nothing but itself.
//
// When it is given away. A hidden value is right when it is the original's; a shown one also when it is within the
// share near of the noise of the column, the root mean square of its changes: then what stands beside it tells more
// than it does. An intruder does not see which column of a contradiction was changed. So a relation gives a column
// away only where it is right of nearly all values of the kind that it says something of, beyond chance: where Cohen's
// kappa is at least sure. Chance is how often what it says of one record is right of others. Where all columns got
// noise of their own a relation is wrong about nearly all, and nothing is counted. Then every value that it is right
// of is given away.
//
// The score is the share of the people of whom at least one value is. Parts are such shares for every column
// ("column") and every relation ("relation"). The figure is exact: everybody is tried.
//
// What it does not say: a relation may bound a value without giving it away (a <= b; an age from a birth year in
// groups); found and learned attack such values by what is likely. What an intruder learns by two relations in turn is
// not counted.
//
// Identifiers and weights do not count. Where some people have several records, a person with one such value in any of
// them counts.
//
// Missing values: what the original lacks has nothing to give away; what the release alone lacks is suppressed.
//
// Cost: O(n) for each column of each relation. 30,000 records with eight relations take 0.2 of the time of a
// slices.Sort of a million random float64, and 1,000,000 take 5 times.
//
// Departures: the literature asks whether a suppressed cell of a table of counts can be computed from its margins;
// this asks the same of the cells of a record.
//
// Reference: A. Hundepool et al., "Statistical Disclosure Control", Wiley 2012, on secondary suppression.
var ImpliedValues = measure.Measure{
	Card: card.Card{
		Name:    "impliedvalues",
		Short:   "Implied values",
		Title:   "Values implied by other columns",
		Aliases: []string{"implied values", "secondary suppression", "derived columns"},
		Summary: "Share of which a suppressed, generalised or changed value follows from other columns of the " +
			"released record, by a relation between the columns.",
		Paper:     "Hundepool et al. 2012",
		Needs:     "relations between columns, declared or found; paired tables",
		Preserves: "0 when no relation gives away what was suppressed, generalised or changed",
		Missing:   "a value that the release alone lacks is suppressed",
		Cost:      "O(records) per column of a relation",
	},
	Facts: measure.Facts{
		About: measure.Secret, Effort: measure.Fast, Place: 12,
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.impliedvalues").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.impliedvalues"), ""
		},
	},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.OfPeople("unit.ofPeople"),
	New:    func() measure.Meter { return param.Default(&ImpliedValuesMeter{}) },
}

// ImpliedValuesMeter measures what is implied.
type ImpliedValuesMeter struct {
	Near, Sure float64
}

// Params declares the parameters.
func (m *ImpliedValuesMeter) Params() param.Set {
	return param.Set{
		param.Float(&m.Near, "near", 0.2, 0, 1, "of the noise", "a changed number is given away when what is implied is "+
			"this close to the original"),
		param.Float(&m.Sure, "sure", 0.9, 0, 1, "", "a relation gives a column away when what it implies is right this "+
			"often beyond chance (Cohen's kappa)"),
	}
}

// ImpliedValuesDetail is what is given away by which relation. Row is by record of the original: whether a value of it
// is.
type ImpliedValuesDetail struct {
	People  int     `json:"people"`
	Exposed int     `json:"exposed"` // of these, those of whom a value is given away
	Given   []Given `json:"given"`
	row     []bool
}

// Given is what a relation gives away of a column.
type Given struct {
	Relation string `json:"relation"` // as relation.Parse reads it
	Column   string `json:"column"`
	Hidden   int    `json:"hidden"` // values that are suppressed or generalised, and that the original has
	// values that it gives away: hidden ones, and changed ones
	GivenHidden  int `json:"givenHidden"`
	GivenChanged int `json:"givenChanged"`
}

// Records returns 1 for every record of the original of which a value is given away, and 0 for the others.
func (d *ImpliedValuesDetail) Records() []float64 {
	out := make([]float64, len(d.row))
	for i, given := range d.row {
		if given {
			out[i] = 1
		}
	}
	return out
}

// Measure returns the share of the people of whom a value is implied, with an ImpliedValuesDetail. It does not apply
// where no relation is known that says what a column is, and fails where records are not paired and where there are
// none.
func (m *ImpliedValuesMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.CheckPaired(); err != nil {
		return measure.Value{}, err
	}
	switch {
	case len(r.Relations) == 0:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noRelations"))
	case r.Original.Rows() == 0:
		return measure.Value{}, errors.New("the original table has no records")
	}
	s := newSeeker(m, r)
	said := false
	for _, one := range r.Relations {
		if err := ctx.Err(); err != nil {
			return measure.Value{}, err
		}
		all, err := one.Derivations(s.exact)
		if err != nil {
			continue // the tables lack a column of it
		}
		for k := range all {
			said = s.seek(&all[k]) || said
		}
	}
	if !said {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noRelationTells"))
	}
	return s.value(), nil
}

// tally counts people of whom something is given away.
type tally struct {
	key  measure.Key
	of   string
	rows []bool
}

// value is the figure of what was found.
func (s *seeker) value() measure.Value {
	d := &ImpliedValuesDetail{Given: s.given, row: make([]bool, s.exact.Rows())}
	var parts []measure.Part
	for _, t := range s.tallies {
		n, people := s.people(t.rows)
		name := message.Name(t.of)
		if t.key == "relation" {
			name = message.Say("measure.impliedvalues.part.relation").Text("relation", t.of)
		}
		parts = append(parts, measure.Part{Key: t.key, Of: t.of, Name: name, Score: float64(n) / float64(people)})
		for i, given := range t.rows {
			d.row[i] = d.row[i] || given
		}
	}
	d.Exposed, d.People = s.people(d.row)
	v := measure.Exact(float64(d.Exposed)/float64(d.People), parts)
	v.Detail = d
	return v
}

// people counts those of whom a record is marked, among how many.
func (s *seeker) people(rows []bool) (marked, people int) {
	of, people := s.r.People()
	seen := make([]bool, people)
	for i, given := range rows {
		p := i
		if of != nil {
			p = int(of[i])
		}
		if given && !seen[p] {
			seen[p] = true
			marked++
		}
	}
	return marked, people
}

// tally returns the rows of which a relation, or anything of a column, is given away.
func (s *seeker) tally(key measure.Key, of string) []bool {
	k := slices.IndexFunc(s.tallies, func(t tally) bool { return t.key == key && t.of == of })
	if k < 0 {
		k = len(s.tallies)
		s.tallies = append(s.tallies, tally{key, of, make([]bool, s.exact.Rows())})
	}
	return s.tallies[k].rows
}

// mostNamed is how many columns a sentence names.
const mostNamed = 3

// Sentence says which columns can be read beside which relation; it is empty where none can.
func (d *ImpliedValuesDetail) Sentence() message.Sentence {
	list := d.List()
	if list.Empty() {
		return list
	}
	return message.Say("measure.impliedvalues.says").Count("exposed", d.Exposed).Count("people", d.People).
		Part("list", list)
}

// List names the columns that can be read, those of most values first, with how many of them and by which relation.
func (d *ImpliedValuesDetail) List() message.Sentence {
	var worst []Given
	for _, g := range d.Given {
		if g.total() > 0 {
			worst = append(worst, g)
		}
	}
	if len(worst) == 0 {
		return message.Sentence{}
	}
	sorting.Stable(worst, func(a, b Given) int { return cmp.Compare(b.total(), a.total()) })
	var says []message.Sentence
	for _, g := range worst[:min(len(worst), mostNamed)] {
		key := "measure.impliedvalues.changed"
		if g.GivenHidden > 0 {
			key = "measure.impliedvalues.hidden"
		}
		says = append(says, message.Say(key).Name("column", g.Column).Count("given", g.total()).Count("hidden", g.Hidden).
			Text("relation", g.Relation))
	}
	return message.Listed(says)
}

func (g *Given) total() int { return g.GivenHidden + g.GivenChanged }
