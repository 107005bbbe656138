package study

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// This file says why a release is withheld or wants care, and what to do about it.

// Identifying is a column of the release that says who somebody is, or more of somebody than a table may.
type Identifying struct {
	Kind   string // one of limit.Kinds
	Column string
	Why    message.Sentence // without any value of the table
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
	// Others are people whose records the release was not made of, as the control where no record is anybody's
	// (LookUpApart); zero without one.
	Others Others
	Lo, Hi float64          // one-sided 95 % bounds of the share; the share itself where everybody was tried
	Says   message.Sentence // whom it counts, where these are not what people are taken to be
	Of     table.Level      // what are counted
}

// Others are people of a control.
type Others struct{ Found, Tried int }

// Share is that of the people tried, beyond the control where there is one.
func (l *Lookups) Share() float64 {
	return beyond(part(l.Found, l.Tried), part(l.Others.Found, l.Others.Tried))
}

// part is a share of people, 0 where there are none.
func part(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// beyond is the share of those whom the control leaves.
func beyond(share, control float64) float64 {
	if control >= 1 {
		return 0
	}
	return max(0, (share-control)/(1-control))
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
	d.Standing, d.Why = Unproven, message.Say("lacking.columns")
	j.v.Demands = append(j.v.Demands, d)
	return true
}

// countColumns holds the columns that tell against a limit on their number.
func countColumns(l *limit.Limit, telling []Identifying) Demand {
	d := bare(l)
	n := 0
	var let []string
	var why []message.Sentence
	for _, t := range telling {
		switch {
		case t.Kind != l.Measure:
		case slices.Contains(l.Columns, t.Column):
			let = append(let, t.Column)
		default:
			n++
			why = append(why, message.Say("telling.of").Name("column", t.Column).Part("why", t.Why))
		}
	}
	d.figures(float64(n), float64(n), float64(n))
	if d.Accepted = let != nil; d.Accepted {
		why = append(why, message.Say("telling.accepted").Listed("columns", let))
		d.Needed = l.Max != nil && float64(n+len(let)) > *l.Max
	}
	d.Unit, d.Why = measure.Counting(measure.Count, "unit.columns"), message.Apart(why)
	return d
}

// lookups judges the limit on people who can be looked up.
func (j *judging) lookups(l *limit.Limit) (judged bool) {
	for k := range j.e.Lookups {
		u := &j.e.Lookups[k]
		d := bare(l)
		d.Against, d.described, d.people, d.Unit = u.Intruder, u.Described, u.Of, d.Unit.Among(u.Of)
		d.figures(u.Share(), u.Lo, u.Hi)
		d.Why = u.Says
		if d.Standing == Unproven && u.Others.Tried > 0 {
			if j.e.Binds(l, u.Intruder) {
				j.v.Gate.undecided(l.Measure)
			}
			continue
		}
		if d.Standing == Unproven {
			d.More = moreThan(float64(u.Found), u.Tried, u.People, *l.Max)
			d.Why = d.More.words(u.Tried, u.Of, "demand.more.lookup")
		}
		if j.e.Binds(l, u.Intruder) {
			j.v.Demands = append(j.v.Demands, d)
		} else if d.Standing != Met {
			j.free = append(j.free, d)
		}
	}
	switch {
	case len(j.e.Lookups) > 0:
	case j.e.Limits.Pairless:
		return false
	case j.e.Partial:
		j.leftOut(l)
		return false
	default:
		d := bare(l)
		d.Standing, d.Why = Unproven, message.Say("lacking.pairs")
		j.v.Demands = append(j.v.Demands, d)
	}
	return true
}

// attacks gathers the best attacks, and says in a sentence what the worst intruder whom the limits bind finds.
func (j *judging) attacks() {
	var bound *measure.Attack
	var of table.Level
	for k := range j.Measures {
		m := &j.Measures[k]
		a, ok := m.Value.Detail.(measure.Assault)
		if !m.Err.Empty() || !ok {
			continue
		}
		at := a.Attack()
		at.Intruder, at.Described = cmp.Or(at.Intruder, m.Intruder), m.Described
		j.v.Worst = append(j.v.Worst, at)
		if at.Secret == "" && j.e.Binds(&limit.Limit{}, m.Intruder) && (bound == nil || at.Hi > bound.Hi) {
			bound, of = &at, m.Of
		}
	}
	sorting.Stable(j.v.Worst, func(a, b measure.Attack) int {
		if (a.Secret == "") != (b.Secret == "") {
			return cmp.Compare(a.Secret, b.Secret) // people who are found before secrets that are learned
		}
		return cmp.Compare(b.Hi, a.Hi)
	})
	if bound != nil {
		j.v.Found, j.v.Sentence = bound, sentenceOf(bound, of)
	}
}

// sentenceOf is about the worst intruder, who finds records, people or households.
func sentenceOf(a *measure.Attack, of table.Level) message.Sentence {
	found := "verdict.found.other"
	if v := float64(100 * a.Share); numfmt.Round(v, shareDecimals(v)) == 1 {
		found = "verdict.found.one"
	}
	s := message.Say(found).Part("n", share(float64(100*a.Share))).Part("who", by(a.Intruder, a.Described)).
		Part("lo", share(float64(100*a.Lo))).Part("hi", share(float64(100*a.Hi))).Count("tried", a.Tried).
		Part("people", measure.Subject(of)).Part("those", measure.Subjects(of, a.Tried))
	if a.Before != nil {
		s = message.Say("verdict.before").Part("says", s).Part("before", share(float64(100**a.Before)))
	}
	return s.Whole()
}

// share has one digit behind the point below 10, none above, and never rounds to nothing what is something.
func share(v float64) message.Sentence {
	if v > 0 && v < fewest/2 {
		return fewer()
	}
	return message.Of(digits{v, shareDecimals(v)})
}

func shareDecimals(v float64) int {
	if v < 10 && v != float64(int(v)) {
		return 1
	}
	return 0
}

// reasons are those of the demands, then what asks for care.
func (j *judging) reasons() {
	for k := range j.v.Demands {
		switch d := &j.v.Demands[k]; {
		case d.Standing != Met:
			j.v.Reasons = append(j.v.Reasons, j.reason(Withheld, d))
		case d.Accepted && d.Needed:
			r := j.reason(WithCare, d)
			r.Says, r.Remedies = accepted(d), nil
			j.v.Reasons = append(j.v.Reasons, r)
		}
	}
	if j.v.Unchanged { // what follows says what it is: the original
		return
	}
	if n := j.e.LeftAlone; n > 0 {
		j.care(message.Say("reason.untouched").Count("n", n).Count("of", j.Released.Rows()), j.moreNoise(&Demand{}), nil)
	}
	var raw []string
	for _, c := range j.Changes {
		if k := j.Original.Find(c.Column); k >= 0 && c.Action.Kind == Kept &&
			j.Original.Attr(k).Role&(table.Quasi|table.Confidential) != 0 {
			raw = append(raw, c.Column)
		}
	}
	if raw != nil {
		j.care(message.Say("reason.raw").Listed("columns", raw), message.Say("remedy.raw"), raw)
	}
}

// care adds a reason to look at the release.
func (j *judging) care(why, remedy message.Sentence, columns []string) {
	j.v.Reasons = append(j.v.Reasons,
		Reason{State: WithCare, Says: why, Remedies: []message.Sentence{remedy}, Columns: columns})
}

// accepted is an overridden limit in words.
func accepted(d *Demand) message.Sentence {
	if (&limit.Limit{Measure: d.Measure}).OfColumns() {
		return message.Say("reason.accepted.columns").Part("columns", limit.Columns(d.Measure)).Part("why", d.Why)
	}
	if d.Measure == limit.Seed || d.Measure == limit.Suppressed {
		return message.Say("reason.accepted.alone").Part("says", d.figure())
	}
	before := *d
	before.Min, before.Max = d.was.Min, d.was.Max
	return message.Say("reason.accepted.bound").Part("figure", d.figure()).Part("allowed", d.allowed()).
		Part("before", before.anyBound())
}

// reason is why a demand withholds the release, or asks for care.
func (j *judging) reason(s State, d *Demand) Reason {
	r := Reason{State: s, Says: d.Sentence()}
	if slices.Contains(limit.Kinds(), d.Measure) {
		var why []message.Sentence
		for _, t := range j.e.Telling {
			if t.Kind == d.Measure {
				r.Columns = append(r.Columns, t.Column)
				why = append(why, message.Say("telling.column").Name("column", t.Column).Part("why", t.Why))
			}
		}
		r.Says = message.Say("reason.columns").Part("columns", limit.Columns(d.Measure)).Part("which", message.Listed(why))
		if len(r.Columns) > 0 {
			r.Remedies = []message.Sentence{message.Say("remedy.column."+d.Measure).Name("column", r.Columns[0])}
		}
		return r
	}
	r.Remedies, r.Columns = j.remedies(s, d)
	if s == WithCare && d.Value != nil && d.Standing != Met { // by one whom the limit is not against
		r.Says = message.Say("reason.notAgainst").Part("figure", d.figure()).Part("limit", d.anyBound())
	}
	if !d.Why.Empty() && d.Standing != Met && (s == Withheld || d.Value == nil) {
		r.Says = message.Say("demand.because").Part("says", r.Says).Part("why", d.Why)
	}
	return r
}
