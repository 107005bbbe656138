package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// This file says what to do about a demand that does not hold.

// remedies are what to do about a demand, what helps most first, and the columns they are about.
func (j *judging) remedies(s State, d *Demand) (do []message.Sentence, columns []string) {
	add := func(what message.Sentence, column string) {
		if !what.Empty() {
			do = append(do, what)
		}
		if column != "" {
			columns = append(columns, column)
		}
	}
	switch d.Measure {
	case limit.Altered:
		return []message.Sentence{message.Say("remedy.alter")}, nil
	case limit.Seed:
		return []message.Sentence{message.Say("remedy.secretSeed"), message.Say("remedy.acceptSeed")}, nil
	case limit.Suppressed:
		return []message.Sentence{message.Say("remedy.suppressed"), d.accept()}, nil
	case limit.UnitKey:
		return j.withoutKey(d), []string{d.column}
	}
	add(d.decided(), "")
	j.advise(d, s, add)
	if d.Value != nil && d.noise() {
		add(j.moreNoise(d), "")
	}
	if s == Withheld && d.Value != nil { // no other bound is kept by what was not measured
		add(d.accept(), "")
	}
	return do, columns
}

// accept is how the custodian takes the figure as it is.
func (d *Demand) accept() message.Sentence {
	return message.Say("remedy.accept").Name("measure", d.Measure).Text("value", d.acceptable())
}

// advise adds what is done against what a demand found, besides more noise.
func (j *judging) advise(d *Demand, s State, add func(what message.Sentence, column string)) {
	switch {
	case d.Value == nil && j.e.Unpaired:
		add(message.Say("remedy.pair"), "")
	case d.works():
		add(message.Say("remedy.machine"), "")
	case d.Value == nil:
		add(message.Say("remedy.measure"), "")
	case d.looks():
		if s == Withheld && !j.e.Blanked && !j.Synthetic {
			add(message.Say("remedy.blank"), "")
		}
		if c := j.steadiest(d.Against); c != "" {
			add(message.Say("remedy.steadiest").Name("column", c), c)
		}
	case d.Measure == limit.Drift, d.Measure == limit.Outside:
		add(message.Say("remedy.newPlan"), "")
	case d.Measure == limit.Patterns:
		add(message.Say("remedy.hide"), "")
	default:
		if d.Facts.Remedy != nil && !j.done(d) {
			add(d.Facts.Remedy(j.Original))
		}
		add(j.without(d))
	}
}

// done reports whether the technique does anyway what helps against what a measure finds: it exchanges no rows, or
// writes the records in a random order.
func (j *judging) done(d *Demand) bool {
	return d.Measure == "replicateduniques" && j.Anew || d.Measure == "roworder" && j.Shuffled
}

// looks reports whether the demand is on people who are looked up.
func (d *Demand) looks() bool { return d.Measure == limit.Lookup || d.of == limit.Lookup }

// noise reports whether more noise helps to meet a demand.
func (d *Demand) noise() bool {
	return !d.works() && d.Measure != limit.Patterns && d.Measure != limit.Drift && d.Measure != limit.Outside &&
		d.Measure != limit.Implied
}

// decided is how to try so many people that an unproven demand is likely to be met: twice those that it takes at the
// rate so far, and as many again, for half of them choose the attack. It is empty where the table has not so many, or
// they would show that it is broken.
func (d *Demand) decided() message.Sentence {
	if !d.Facts.Tries || d.More == nil || !d.More.Kept || d.More.AtThisRate == 0 || d.More.AtThisRate > d.More.Most {
		return message.Sentence{}
	}
	n := 2 * (d.tried + min(2*d.More.AtThisRate, d.More.Most))
	return message.Say("remedy.tryMore").Name("measure", d.Measure).
		Text("people", strconv.Itoa(n)).Text("pairs", strconv.Itoa(pairsEach*max(n, 2000)))
}

// pairsEach is how many comparisons a person of 2,000 has by default.
const pairsEach = 1_000_000

// moreNoise is the way to a stronger setting, named with its value, where the technique knows of one. What the release
// leaves as it is gets no noise by any setting, so a technique that changes it is advised.
func (j *judging) moreNoise(d *Demand) message.Sentence {
	if raw := j.shown(d); raw != nil && j.Method != nil {
		return message.Say("remedy.anotherFor").Columns("columns", raw, 5)
	}
	if len(j.Stronger) == 0 {
		return message.Say("remedy.another")
	}
	set := make([]string, len(j.Stronger))
	for k, v := range j.Stronger {
		set[k] = fmt.Sprintf("--set %s=%v", v.Name, v.Value)
	}
	return message.Say("remedy.strongerSetting").Text("set", strings.Join(set, " "))
}

// shown are the columns that the release shows as they are of those by which a demand fails: the secret that is
// learned, and what the intruder knows, but for the class.
func (j *judging) shown(d *Demand) (columns []string) {
	known := d.knows
	if k := slices.IndexFunc(j.e.Lookups, func(l Lookups) bool { return l.Intruder == d.Against }); k >= 0 {
		known = j.e.Lookups[k].Columns
	}
	for _, c := range j.Changes {
		at := j.Original.Find(c.Column)
		if c.Action.Kind != Kept || at < 0 {
			continue
		}
		class := j.Original.Attr(at).Role&table.Class != 0
		if c.Column == d.secret || !class && slices.Contains(known, c.Column) {
			columns = append(columns, c.Column)
		}
	}
	return columns
}

// Stronger returns the settings of a technique that protect better than those it was used with, each a step on, in the
// order in which it declares them. Of settings that it refuses, as those of an earlier version, there are none.
func Stronger(m protect.Method, settings []param.Value) (out []param.Value) {
	params := m.New().Params()
	if err := params.Apply(textsOf(settings)); err != nil {
		return nil
	}
	for _, p := range params {
		if v, ok := p.Stronger(); ok {
			out = append(out, param.Value{Name: p.Name, Value: v, Unit: p.Unit})
		}
	}
	return out
}

// without says by how much it would help to drop or to coarsen the column that helps the intruder most, and that can
// be dropped: not the class.
func (j *judging) without(d *Demand) (what message.Sentence, column string) {
	k := slices.IndexFunc(d.lacking, func(w measure.Without) bool {
		if j.Original == nil {
			return true
		}
		at := j.Original.Find(w.Column)
		return at < 0 || j.Original.Attr(at).Role&table.Class == 0
	})
	if k < 0 || !d.helps(d.lacking[k].Dropped) {
		return what, ""
	}
	w := d.lacking[k]
	dropped := d.number(w.Dropped, 100)
	if w.Coarse != nil && d.Max != nil && *w.Coarse <= *d.Max {
		return message.Say("remedy.coarsen").Name("column", w.Column).Part("coarse", d.number(*w.Coarse, 100)).
			Part("dropped", dropped), w.Column
	}
	return message.Say("remedy.drop").Name("column", w.Column).Text("role", quoted(w.Column+"=identifier")).
		Part("dropped", dropped), w.Column
}

// helps reports whether another figure is worth something to who has to keep the limit: it keeps it where this one does
// not, or takes away half of what the figure, or its upper bound, has beyond it.
func (d *Demand) helps(figure float64) bool {
	if d.Value == nil || d.Max == nil {
		return false
	}
	worst := *d.Value
	if d.Hi != nil {
		worst = max(worst, *d.Hi)
	}
	return figure <= *d.Max && *d.Value > *d.Max || worst > *d.Max && *d.Value-figure >= (worst-*d.Max)/2
}

// acceptable is the value that would have to be accepted, in hundredths; VALUE where it is not a share.
func (d *Demand) acceptable() string {
	switch {
	case d.Measure == limit.Patterns:
		return exact(*d.Value)
	case d.Measure != limit.UnitKey && d.Measure != limit.Suppressed && d.act() == nil || d.Max == nil || d.Hi == nil:
		return "VALUE"
	}
	return hundredths(*d.Hi)
}

// hundredths is a share, rounded up, as a limit on it is accepted.
func hundredths(share float64) string { return exact(min(1, math.Ceil(float64(100*share)-1e-9)/100)) }

// steadiest is the column that an intruder knows and the release changes least.
func (j *judging) steadiest(who string) string {
	k := slices.IndexFunc(j.e.Lookups, func(l Lookups) bool { return l.Intruder == who })
	if k < 0 {
		return ""
	}
	best, least := "", math.Inf(1)
	for _, c := range j.Changes {
		if slices.Contains(j.e.Lookups[k].Columns, c.Column) && c.Changed < least {
			best, least = c.Column, c.Changed
		}
	}
	return best
}

// quoted writes a word as a shell takes it.
func quoted(s string) string {
	if strings.ContainsAny(s, " \t\"'$&;|<>()*?!#`\\") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

// withoutKey are what to do about a kept column that puts the records of units together.
func (j *judging) withoutKey(d *Demand) []message.Sentence {
	coarsen := message.Say("remedy.unitKey.coarsen").Name("column", d.column)
	if k := j.Original.Find(d.column); k >= 0 && j.Original.Attr(k).Role&table.Weight != 0 {
		coarsen = message.Say("remedy.unitKey.round").Name("column", d.column)
	}
	return []message.Sentence{coarsen, message.Say("remedy.unitKey.drop").Text("role", quoted(d.column+"=identifier")),
		message.Say("remedy.accept").Name("measure", d.Measure).Text("value", d.acceptable())}
}
