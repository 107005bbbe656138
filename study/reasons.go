package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// This file says why a release is withheld or wants care, and what to do about it.

// Telling is a column of the release that says who somebody is, or more of somebody than a table may.
type Telling struct {
	Kind   string // one of limit.Kinds
	Column string
	Why    string // without any value of the table
}

// Lookups is how many people an intruder can look up by values that the release shows unchanged.
type Lookups struct {
	Intruder string
	// Described says that this name reads on after "an intruder who".
	Described bool
	Columns   []string // that the intruder knows
	Found     int
	Tried     int // people it was counted on
	People    int
	Lo, Hi    float64 // one-sided 95 % bounds of the share; the share itself where everybody was tried
}

// Share is that of the people tried.
func (l *Lookups) Share() float64 {
	if l.Tried == 0 {
		return 0
	}
	return float64(l.Found) / float64(l.Tried)
}

// columns judges a limit that counts columns.
func (j *judging) columns(l *limit.Limit) (judged bool) {
	if j.e.Telling != nil {
		j.v.Demands = append(j.v.Demands, countColumns(l, j.e.Telling))
		return true
	}
	if j.e.Partial {
		j.leftOut(l)
		return false
	}
	d := bare(l)
	d.Standing, d.Why = Unproven, "nobody looked for them"
	j.v.Demands = append(j.v.Demands, d)
	return true
}

// countColumns holds the columns that tell against a limit on their number.
func countColumns(l *limit.Limit, telling []Telling) Demand {
	d := bare(l)
	n := 0
	var let, why []string
	for _, t := range telling {
		switch {
		case t.Kind != l.Measure:
		case slices.Contains(l.Columns, t.Column):
			let = append(let, t.Column)
		default:
			n++
			why = append(why, t.Column+": "+t.Why)
		}
	}
	d.figures(float64(n), float64(n), float64(n))
	d.Unit, d.Why = measure.In(measure.Count, "columns"), strings.Join(why, "; ")
	if d.Accepted = let != nil; d.Accepted {
		d.Why = strings.Join(append(why, "accepted: "+strings.Join(let, ", ")), "; ")
		d.Needed = l.Max != nil && float64(n+len(let)) > *l.Max
	}
	return d
}

// lookups judges the limit on people who can be looked up.
func (j *judging) lookups(l *limit.Limit) (judged bool) {
	for k := range j.e.Lookups {
		u := &j.e.Lookups[k]
		d := bare(l)
		d.Against, d.described = u.Intruder, u.Described
		d.figures(u.Share(), u.Lo, u.Hi)
		if d.Standing == Unproven {
			d.More = moreThan(float64(u.Found), u.Tried, u.People, *l.Max)
			d.Why = d.More.words(u.Tried, "looked up")
		}
		if j.e.Binds(l, u.Intruder) {
			j.v.Demands = append(j.v.Demands, d)
		} else if d.Standing != Met {
			j.v.Reasons = append(j.v.Reasons, j.reason(WithCare, &d))
		}
	}
	switch {
	case len(j.e.Lookups) > 0:
	case j.e.Partial:
		j.leftOut(l)
		return false
	default:
		d := bare(l)
		d.Standing, d.Why = Unproven, "which record is whose is not known, so nobody could be looked up"
		j.v.Demands = append(j.v.Demands, d)
	}
	return true
}

// attacks gathers the best attacks, and says in a sentence what the worst intruder whom the limits bind finds.
func (j *judging) attacks() {
	var bound *measure.Attack
	for k := range j.Measures {
		m := &j.Measures[k]
		a, ok := m.Value.Detail.(measure.Assault)
		if m.Err != "" || !ok {
			continue
		}
		at := a.Attack()
		at.Intruder, at.Described = cmp.Or(at.Intruder, m.Intruder), m.Described
		j.v.Worst = append(j.v.Worst, at)
		if at.Secret == "" && j.e.Binds(&limit.Limit{}, m.Intruder) && (bound == nil || at.Hi > bound.Hi) {
			bound = &at
		}
	}
	slices.SortStableFunc(j.v.Worst, func(a, b measure.Attack) int {
		if (a.Secret == "") != (b.Secret == "") {
			return cmp.Compare(a.Secret, b.Secret) // people who are found before secrets that are learned
		}
		return cmp.Compare(b.Hi, a.Hi)
	})
	if bound != nil {
		j.v.Sentence = sentenceOf(bound)
	}
}

// sentenceOf is about the worst intruder.
func sentenceOf(a *measure.Attack) string {
	s := fmt.Sprintf("Of 100 people, %s found by an intruder who %s (%s to %s; 95 %% bounds, %s people tried)",
		some(100*a.Share), who(a.Intruder, a.Described), share(100*a.Lo), share(100*a.Hi), numeral.Count(float64(a.Tried)))
	if a.Before != nil {
		s += fmt.Sprintf("; in the original it was %s", share(100**a.Before))
	}
	return s + "."
}

// who turns the name of an intruder into what comes after the word who; described says that it does as it is.
func who(name string, described bool) string {
	if described {
		return name
	}
	return "is declared as " + name
}

// some counts in a sentence.
func some(n float64) string {
	if f := share(n); f != "1" {
		return f + " are"
	}
	return "1 is"
}

// share has one digit behind the point below 10, none above, and never rounds to nothing what is something.
func share(v float64) string {
	switch {
	case v > 0 && v < 0.05:
		return "fewer than 0.1"
	case v < 10 && v != float64(int(v)):
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	}
	return fmt.Sprintf("%.0f", v)
}

// reasons are those of the demands, then what asks for care.
func (j *judging) reasons() {
	for k := range j.v.Demands {
		switch d := &j.v.Demands[k]; {
		case d.Standing != Met:
			j.v.Reasons = append(j.v.Reasons, j.reason(Withheld, d))
		case d.Accepted && d.Needed:
			r := j.reason(WithCare, d)
			r.Text, r.Remedy = accepted(d), ""
			j.v.Reasons = append(j.v.Reasons, r)
		}
	}
	if n := untouched(j.Outcome); n > 0 {
		j.v.Reasons = append(j.v.Reasons, Reason{State: WithCare, Text: numeral.Sprintf("%d of %d records are released untouched in every column", n, j.Released.Rows()),
			Remedy: "Choose another technique or a stronger setting."})
	}
	var raw []string
	for _, c := range j.Changes {
		if k := j.Original.Find(c.Column); k >= 0 && c.Kept && j.Original.Attr(k).Role&(table.Quasi|table.Confidential) != 0 {
			raw = append(raw, c.Column)
		}
	}
	if raw != nil {
		j.v.Reasons = append(j.v.Reasons, Reason{State: WithCare, Text: "released as they are, though quasi-identifiers or confidential: " + strings.Join(raw, ", "),
			Remedy: "Perturb or drop them, or say why they may stay.", Columns: raw})
	}
}

// accepted is an overridden limit in words.
func accepted(d *Demand) string {
	if (&limit.Limit{Measure: d.Measure}).OfColumns() {
		return "the custodian accepted " + strings.ToLower(d.Title[:1]) + d.Title[1:] + " (" + d.Why + ")"
	}
	before := *d
	before.Min, before.Max = d.was.Min, d.was.Max
	return fmt.Sprintf("%s; %s, which the custodian accepted in place of %s", d.figure(), d.allowed(), cmp.Or(before.bound(before.Max), before.bound(before.Min)))
}

// reason is why a demand withholds the release, or asks for care.
func (j *judging) reason(s State, d *Demand) Reason {
	r := Reason{State: s, Text: d.String()}
	if slices.Contains(limit.Kinds(), d.Measure) {
		var why []string
		for _, t := range j.e.Telling {
			if t.Kind == d.Measure {
				r.Columns = append(r.Columns, t.Column)
				why = append(why, t.Column+" ("+t.Why+")")
			}
		}
		r.Text = "the release has " + strings.ToLower(d.Title[:1]) + d.Title[1:] + ": " + strings.Join(why, ", ")
		r.Remedy = remedies[d.Measure]
		if len(r.Columns) > 0 {
			r.Remedy = strings.ReplaceAll(r.Remedy, "COLUMN", r.Columns[0])
		}
		return r
	}
	r.Remedy, r.Columns = j.remedy(s, d)
	if s == WithCare && d.Value != nil && d.Standing != Met { // by one whom the limit is not against
		r.Text = d.figure() + "; the limit of " + cmp.Or(d.bound(d.Max), d.bound(d.Min)) + " is not held against this intruder"
	}
	if d.Why != "" && d.Standing != Met && (s == Withheld || d.Value == nil) {
		r.Text += ": " + d.Why
	}
	return r
}

// untouched counts the records that the release shows as they were in every column that has a role for an intruder; 0 where rows are not paired.
func untouched(o *Outcome) int {
	if o.Original == nil || o.Released == nil || o.Generalised || o.Original.Rows() != o.Released.Rows() || !slices.ContainsFunc(o.Changes, func(c Change) bool { return c.Changed == c.Changed }) {
		return 0
	}
	all := make([]int, o.Released.Width())
	for k := range all {
		all[k] = k
	}
	n := 0
	for i := range o.Released.Rows() {
		if unchanged(o.Original, o.Released, i, all) {
			n++
		}
	}
	return n
}
