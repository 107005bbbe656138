package report

import (
	"math"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// detail finds the first detail of type T among the measures that were taken.
func detail[T any](o *study.Outcome) (*T, bool) {
	for k := range o.Measures {
		if d, ok := as[T](o.Measures[k].Value.Detail); ok {
			return d, true
		}
	}
	return nil, false
}

// as returns the detail as a T, given as such or by its address.
func as[T any](detail any) (*T, bool) {
	switch d := detail.(type) {
	case T:
		return &d, true
	case *T:
		return d, d != nil
	}
	return nil, false
}

// headFigure is a figure that its measure has at the head of a report.
type headFigure struct {
	document.Figure
	side    measure.Side
	assault bool // it tells the best attack
	kept    *measure.Kept
}

// figures returns the headline figures that were measured, and those that were tried and failed.
func figures(o *study.Outcome, public bool) []headFigure {
	var entries []measure.Entry
	for k := range o.Measures {
		if e := o.Measures[k].Figure; !e.Says.Empty() && !slices.ContainsFunc(entries, e.Equal) {
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b measure.Entry) int { return a.Place.Compare(b.Place) })
	var out []headFigure
	for _, e := range entries {
		if f, ok := headFigureOf(o, e, public); ok {
			f.Title = e.Says
			out = append(out, f)
		}
	}
	return out
}

// readerOf is who reads a report.
func readerOf(o *study.Outcome, public bool) measure.Reader {
	if public {
		return study.Public(o)
	}
	return measure.Reader{Generalised: o.Generalised}
}

// headFigureOf returns the headline figure of a measure against the intruder where it weighs most or, failing any, why
// it could not be taken.
func headFigureOf(o *study.Outcome, e measure.Entry, public bool) (f headFigure, ok bool) {
	var best measure.Headline
	reader := readerOf(o, public)
	at, failed := -1, -1
	for k := range o.Measures {
		m := &o.Measures[k]
		if !m.Figure.Equal(e) {
			continue
		}
		if d, is := m.Value.Detail.(measure.Headliner); is {
			if h, has := d.Headline(reader); has && (!ok || h.Weight > best.Weight) {
				best, at, ok = h, k, true
			}
		}
		if o.Synthetic && m.Skip { // no question of drawn records, whose they are
			continue
		}
		if failed < 0 && !m.Err.Empty() && (!public || m.Side != measure.Risk) {
			failed = k
		}
	}
	switch {
	case ok:
		f = headFigure{Figure: measuredFigure(&o.Measures[at]), side: o.Measures[at].Side, kept: best.Kept}
		if public {
			best.Value = best.Value.Told(reader.Bounds)
		}
		if value, _ := f.Text(); value != best.Value.String() { // it shows another figure than the score
			f.Shown = best.Value.String()
		}
		f.Says = best.Says
		if best.Intruder != nil {
			f.Says = message.Say("figures.who").Part("who", whom(*best.Intruder, o.Measures[at].Described)).
				Part("says", best.Says)
		}
		_, f.assault = o.Measures[at].Value.Detail.(measure.Assault)
		return f, true
	case failed >= 0:
		m := &o.Measures[failed]
		f = headFigure{Figure: failedFigure(m), side: m.Side}
		if public {
			f.Says = message.Say("figures.failed")
		}
		return f, true
	}
	return f, false
}

// failedFigure says why a measure could not be taken.
func failedFigure(m *study.Measured) document.Figure {
	return document.Figure{Key: m.Name, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Failed: true,
		Shown: message.Say("figures.none").String(), Says: m.Err.Whole()}
}

// measuredFigure is the score of a measure.
func measuredFigure(m *study.Measured) document.Figure {
	return document.Figure{Key: m.Name, Title: message.Text(titleOf(m)), Value: m.Value.Score, Lo: m.Value.Lo,
		Hi: m.Value.Hi, Level: 0.95, Unit: m.Unit}
}

// sided returns the headline figures of risk, or all others.
func sided(o *study.Outcome, public, risk bool) (out []document.Figure) {
	for _, f := range figures(o, public) {
		if (f.side == measure.Risk) == risk {
			out = append(out, f.Figure)
		}
	}
	return out
}

// mostFigures is how many figures a screen has.
const mostFigures = 4

// briefFigures are what a screen has: the attacks that found and learned the most before all others, then how many of
// the patterns to hide are found again, then the headline figures, then other measures.
func briefFigures(o *study.Outcome) (out []document.Figure) {
	told, most := false, mostFigures
	for _, a := range worstAttacks(o) {
		told = true
		f := attackFigure(&a)
		if v := o.Verdict; a.Secret == "" && v != nil && v.Found != nil {
			if a.Intruder == v.Found.Intruder { // the sentence above tells of it
				most--
				continue
			}
			f.Title = message.Say("attack.besides")
		}
		out = append(out, f)
	}
	if p := o.Patterns; p != nil && p.Err == nil {
		out = append(out, document.Figure{Key: hiddenKey, Title: message.Say("attack.hidden"), Value: float64(p.Found),
			Lo: math.NaN(), Hi: math.NaN(), Level: 0.95, Unit: measure.Counting(measure.Count, "unit.patterns"),
			Shown: message.Say("attack.hiddenOf").Count("n", p.Found).Count("of", p.Listed).String()})
	}
	for _, f := range figures(o, false) {
		if !f.assault || !told {
			out = append(out, f.Figure)
		}
	}
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Err.Empty() && m.Figure.Says.Empty() && len(out) < most {
			f := measuredFigure(m)
			if m.Intruder != "" && intrudersOf(o, m.Name) > 1 { // else two figures of one name contradict each other
				f.Beside = message.Say("attack.against").Part("who", byWhom(m.Intruder, m.Described))
			}
			out = append(out, f)
		}
	}
	for k := range o.Measures {
		if m := &o.Measures[k]; out == nil && !m.Err.Empty() { // a question without any answer
			f := failedFigure(m)
			f.Title = message.Text(titleOf(m))
			return []document.Figure{f}
		}
	}
	return out[:min(len(out), most)]
}

// intrudersOf is against how many intruders a measure was taken.
func intrudersOf(o *study.Outcome, name string) (n int) {
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Name == name && m.Intruder != "" && m.Err.Empty() {
			n++
		}
	}
	return n
}

// worstAttacks are the attack that found the most people and the one that learned the most.
func worstAttacks(o *study.Outcome) (out []measure.Attack) {
	var all []measure.Attack
	if o.Verdict != nil {
		all = o.Verdict.Worst
	} else {
		for k := range o.Measures {
			if d, ok := o.Measures[k].Value.Detail.(measure.Assault); ok && o.Measures[k].Err.Empty() {
				a := d.Attack()
				a.Described = o.Measures[k].Described
				all = append(all, a)
			}
		}
	}
	for _, secret := range []bool{false, true} {
		var worst *measure.Attack
		for k := range all {
			if a := &all[k]; (a.Secret != "") == secret && (worst == nil || a.Share > worst.Share) {
				worst = a
			}
		}
		if worst != nil {
			out = append(out, *worst)
		}
	}
	return out
}

// The keys of what attacks do.
const (
	foundKey   = "found"
	learnedKey = "learned"
	hiddenKey  = "patterns"
)

// attackFigure is the share that an attack finds, or learns; it says what the share was of the original, and who plays
// the attack.
func attackFigure(a *measure.Attack) document.Figure {
	f := document.Figure{Key: foundKey, Title: message.Say("attack.found"), Value: a.Share, Lo: a.Lo, Hi: a.Hi,
		Level: 0.95, Unit: measure.In(measure.Share, message.Sentence{})}
	var says []message.Sentence
	if a.Before != nil {
		says = append(says, message.Say("attack.was").Share("before", *a.Before))
	}
	if a.Secret != "" {
		f.Key, f.Title = learnedKey, message.Say("attack.learned")
		says = append(says, message.Say("attack.secret").Name("column", a.Secret))
	}
	if a.Intruder != "" {
		says = append(says, message.Say("attack.by").Part("who", byWhom(a.Intruder, a.Described)))
	}
	f.Beside = message.Listed(says)
	return f
}
