package study

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// level is that of the one-sided bounds of shares of the people.
const level = 0.95

// Evidence is what a release is judged by beside the measures of its outcome.
type Evidence struct {
	Limits *limit.Set
	// Binding names the intruders against whom every limit must hold; nil for all. What the others can do makes a reason
	// for care at worst. A limit that is declared holds against all of them.
	Binding []string
	Lookups []Lookups // one for every intruder
	// Telling are the columns that say who somebody is, or more of somebody than a table may. Nil means that nobody looked
	// for them (Tells): a limit on them is then not shown to be kept, as one on a measure that was not taken is not.
	Telling []Identifying
	// Partial says that only some measures were asked for: limits on the others are not judged, and the verdict says so.
	Partial bool
	// Unpaired says that it is not known which record is whose, so that nobody could be tried.
	Unpaired bool
	// Control says that there are people whose records the release was not made of, to hold what it tells against.
	Control bool
	// Worked are the limits on how the technique works, held against what a choice measured; none where nothing was
	// chosen.
	Worked []Demand
	// Spared names those who are not bound and can only be met with care, whatever they find (stronger).
	Spared []string
	// Blanked says that cells were blanked so that those who bind can look nobody up.
	Blanked bool
	// LeftAlone is how many records the release shows as they were, more than chance explains (LeftAlone).
	LeftAlone int
}

// Judge says whether a release may go out. Every limit is held against every intruder whom it binds, by the pessimistic
// end of the figure. Cost: that of seeing whether the release is the original itself, O(records x columns).
func Judge(o *Outcome, e Evidence) *Verdict {
	v := &Verdict{Limits: e.Limits.Sentence()}
	for _, p := range e.Limits.Unchecked {
		v.Unchecked = append(v.Unchecked, p.Sentence())
	}
	j := judging{Outcome: o, e: &e, v: v}
	for k := range e.Limits.Limits {
		l, from := &e.Limits.Limits[k], len(v.Demands)
		judged := j.demand(l)
		for i := range v.Demands[from:] {
			v.Demands[from+i].Usual = e.Limits.Usual(l)
		}
		v.Gate.count(l, v.Demands[from:], judged)
	}
	if l, from := limit.KeyOfUnits(), len(v.Demands); e.Limits.Name != limit.None && e.Limits.Find(l.Measure) == nil {
		j.unitKey(l)
		v.Gate.count(l, v.Demands[from:], true)
	}
	if l, from := limit.NoShortSeed(), len(v.Demands); e.Limits.Find(l.Measure) == nil {
		j.shortSeed(l)
		v.Gate.count(l, v.Demands[from:], true)
	}
	if x := j.Excess; x != nil && e.Limits.Find(limit.Suppressed) == nil {
		l, from := limit.AsPlanned(x.share(x.Most)), len(v.Demands)
		j.suppressed(l)
		v.Gate.count(l, v.Demands[from:], true)
	}
	j.stronger()
	j.implied()
	if n := v.Gate.Limits; n > 0 && len(v.Gate.NotJudged) == n && len(v.Reasons) == 0 {
		j.care(message.Say("reason.noneJudged"), message.Say("remedy.setLimits"), nil)
	}
	j.unaltered()
	j.attacks()
	sorting.Stable(v.Demands, func(a, b Demand) int { return cmp.Compare(a.Standing.severity(), b.Standing.severity()) })
	j.reasons()
	j.pairless()
	if j.Key != "" {
		j.care(message.Say("reason.key").Name("column", j.Key), message.Say("remedy.key").Name("column", j.Key), nil)
	}
	j.driftCare()
	fitness(o, v)
	sorting.Stable(v.Reasons, func(a, b Reason) int { return cmp.Compare(a.State.severity(), b.State.severity()) })
	v.State = v.state()
	v.speak(o.Words)
	return v
}

// state is what follows from the limits and the reasons.
func (v *Verdict) state() State {
	switch {
	case v.Gate.Failed > 0 || v.Gate.Unproven > 0:
		return Withheld
	case !v.Gate.judged():
		return Unjudged
	case len(v.Reasons) > 0:
		return WithCare
	}
	return Meets
}

// Broken returns the demands that withhold the release.
func (v *Verdict) Broken() []Demand {
	var out []Demand
	for _, d := range v.Demands {
		if d.Standing != Met {
			out = append(out, d)
		}
	}
	return out
}

func (s Standing) severity() int { return slices.Index([]Standing{Broke, Unproven, Met}, s) }

func (s State) severity() int { return slices.Index([]State{Withheld, WithCare, Meets}, s) }

// judging is one verdict in the making.
type judging struct {
	*Outcome
	e *Evidence
	v *Verdict

	free []Demand           // that are not met, against those whom the limits do not bind
	left []string           // measures that limits are on, and that were not asked for
	ways []message.Sentence // what would have to be accepted of a release without pairs, which is not shown to keep it
}

// Binds reports whether a limit must hold against an intruder; one on what depends on none always does.
func (e *Evidence) Binds(l *limit.Limit, who string) bool { return l.Declared || e.Plays(who) }

// Plays reports whether an intruder is one of those whom the limits bind, or none.
func (e *Evidence) Plays(who string) bool {
	return who == "" || e.Binding == nil || slices.Contains(e.Binding, who)
}

// demand judges one limit. Judged is false where what it is on was not asked for.
func (j *judging) demand(l *limit.Limit) (judged bool) {
	switch {
	case l.OfColumns():
		return j.columns(l)
	case l.OfTechnique():
		return j.worked(l)
	case l.Measure == limit.Lookup:
		return j.lookups(l)
	case l.Measure == limit.Patterns:
		j.patterns(l)
	case l.Measure == limit.Drift, l.Measure == limit.Outside:
		j.drifted(l)
	case l.Measure == limit.UnitKey:
		j.unitKey(l)
	case l.Measure == limit.Seed:
		j.shortSeed(l)
	case l.Measure == limit.Suppressed:
		j.suppressed(l)
	case l.Measure == limit.Stronger: // once all others are judged
	default:
		return j.measured(l)
	}
	return true
}

// against adds what a measure comes to against an intruder to what binds, or to what does not and is not met.
func (j *judging) against(l *limit.Limit, m *Measured, d Demand) {
	switch {
	case m.Groups: // which one who knows nearly everything takes apart: nobody promises a k against that intruder
		if j.e.Plays(m.Intruder) {
			j.v.Demands = append(j.v.Demands, d)
		}
	case j.e.Binds(l, m.Intruder):
		j.v.Demands = append(j.v.Demands, d)
	case d.Standing != Met && m.Err.Empty():
		j.free = append(j.free, d)
	}
}

// measured holds a limit against every intruder of a measure.
func (j *judging) measured(l *limit.Limit) (judged bool) {
	asked, open, most := false, false, 0.0
	for k := range j.Measures {
		m := &j.Measures[k]
		if m.Name != l.Measure {
			continue
		}
		if asked = true; j.unanswered(l, m) {
			return false
		}
		d, known := j.held(l, m)
		if !known {
			j.leftOut(l)
			return false
		}
		if l.IfAny && (m.Skip || d.Standing == Unproven && d.Value != nil) { // one that failed shows nothing at all
			if !m.Skip && j.e.Binds(l, m.Intruder) {
				open = true
				if d.Hi != nil {
					most = max(most, *d.Hi)
				}
			}
			continue
		}
		j.against(l, m, d)
	}
	if open {
		j.v.Gate.undecided(l.Measure)
	}
	switch {
	case open && j.e.Limits.Pairless:
		j.v.Gate.open++
		j.ways = append(j.ways, message.Say("remedy.accept").Name("measure", l.Measure).Text("value", hundredths(most)))
	case asked:
		return true
	case j.e.Partial: // of one that is held only where it is shown to be broken, too: nobody looked whether it is
		j.leftOut(l)
	default:
		d := bare(l)
		d.Standing, d.Why = Unproven, message.Say("lacking.shown")
		j.v.Demands = append(j.v.Demands, d)
		return true
	}
	return false
}

// leftOut says once of all limits that what they are on was not asked for.
func (j *judging) leftOut(l *limit.Limit) {
	if slices.Contains(j.left, l.Measure) {
		return
	}
	j.left = append(j.left, l.Measure)
	j.v.Reasons = slices.DeleteFunc(j.v.Reasons, func(r Reason) bool { return r.Says.Key() == "reason.leftOut" })
	j.care(message.Say("reason.leftOut").Count("n", len(j.left)).Listed("measures", j.left),
		message.Say("remedy.takeAll").Count("n", len(j.left)), nil)
}

// bare is a demand that nothing is known of.
func bare(l *limit.Limit) Demand {
	d := Demand{
		Measure:  l.Measure,
		Title:    limit.Title(l.Measure),
		Min:      l.Min,
		Max:      l.Max,
		Source:   l.Source.Sentence(),
		Accepted: l.Accepted,
	}
	d.was = limit.Limit{Min: l.SetMin, Max: l.SetMax, IfAny: l.IfAny}
	if l.Measure == limit.Lookup {
		d.Unit = measure.OfPeople("unit.ofPeople")
	}
	return d
}

// ofMeasure judges a measure by a limit.
func ofMeasure(l *limit.Limit, m *Measured) Demand {
	d := bare(l)
	d.Title, d.Unit, d.Against, d.described, d.Facts = message.Text(m.Title), m.Unit, m.Intruder, m.Described, m.Facts
	d.people = m.Of
	if a, ok := m.Value.Detail.(measure.Assault); ok {
		at := a.Attack()
		d.secret, d.knows, d.lacking = at.Secret, at.Knows, at.Without
	}
	score, lo, hi := m.Value.Score, m.Value.Lo, m.Value.Hi
	if !m.Err.Empty() || math.IsNaN(score) {
		if d.Standing, d.Why = Unproven, m.Err; m.Err.Empty() {
			d.Why = message.Say("lacking.score")
		}
		return d
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		lo, hi = math.Inf(-1), math.Inf(1)
	}
	if d.figures(score, lo, hi); m.Name == limit.Implied {
		d.impliedBy(m)
	}
	if d.Standing == Unproven {
		more, tried := attempts(l, m)
		d.More, d.tried, d.Why = more, tried, missing(m, more, tried)
	}
	return d
}

// held judges a measure by a limit. Where it does not apply, and another one is never smaller (limit.Instead), that
// one is held against the limit, and is never more than not shown to keep it. Known is false where that one was not
// asked for.
func (j *judging) held(l *limit.Limit, m *Measured) (d Demand, known bool) {
	other := limit.Instead(l.Measure)
	if !m.Skip || other == "" {
		return ofMeasure(l, m), true
	}
	k := slices.IndexFunc(j.Measures, func(o Measured) bool { return o.Name == other && o.Intruder == m.Intruder })
	if k < 0 || j.Measures[k].Skip {
		return ofMeasure(l, m), !j.e.Partial || k >= 0
	}
	d = ofMeasure(l, &j.Measures[k])
	if d.Standing == Broke {
		d.Standing, d.Why = Unproven, message.Say("lacking.instead").Name("measure", l.Measure).Part("why", m.Err)
	}
	return d, true
}

// figures puts the figure with its bounds in and says what becomes of the demand.
func (d *Demand) figures(score, lo, hi float64) {
	switch met, broken := limit.Keeps(lo, hi, d.Min, d.Max); {
	case met:
		d.Standing = Met
	case broken:
		d.Standing = Broke
	default:
		d.Standing = Unproven
	}
	met, broken := limit.Keeps(lo, hi, d.was.Min, d.was.Max)
	d.Needed = d.Accepted && (broken || !met && !d.was.IfAny)
	d.Value, d.Lo, d.Hi = finite(score), finite(lo), finite(hi)
}

func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// missing says why an unproven demand is, and where more people can be tried, how many it takes.
func missing(m *Measured, more *More, tried int) message.Sentence {
	switch {
	case math.IsNaN(m.Value.Lo) || math.IsNaN(m.Value.Hi):
		return message.Say("lacking.bounds")
	case more == nil:
		return message.Say("lacking.across")
	}
	return more.words(tried, m.Of, "demand.more.found")
}
