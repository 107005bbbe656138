package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/study/choice"
)

// mostNamed is how many settings a sentence names.
const mostNamed = 3

// verdict puts the outcome of a comparison into sentences: what to choose, what it costs, and what cannot be told.
type verdict struct {
	*contest
	judged choice.Verdict
	u      *gauge
	field  []entrant // those of which one may be chosen
	known  []entrant // of the field, with a value, the best first
	lead   []entrant // the best and all that it does not clearly beat
}

func newVerdict(t *contest) verdict {
	v := verdict{contest: t, judged: t.Judge()}
	v.u, v.field, v.known, v.lead = t.gaugeOf(v.judged.By), t.named(v.judged.Field), t.named(v.judged.Known), t.named(v.judged.Lead)
	return v
}

// nameOf returns the names of one setting.
func (v *verdict) nameOf(e choice.Entrant) entrant { return v.named([]choice.Entrant{e})[0] }

func (v *verdict) value(e entrant) choice.Estimate { return v.over(v.u, e) }

// headline is the sentence to remember.
func (v *verdict) headline() string {
	switch {
	case len(v.entrants) == 0:
		return "Nothing was compared"
	case len(v.field) == 0:
		return "Nothing that was compared is for release"
	case len(v.known) == 0:
		return fmt.Sprintf("None of %s could be measured", counted(len(v.field), "setting"))
	case !v.judged.Enough():
		return "Too few folds to tell " + v.subject(v.lead) + " apart in " + v.u.noun
	case len(v.known) > 1 && len(v.lead) == len(v.known):
		return v.subject(v.lead) + " cannot be told apart in " + v.u.noun + v.tieBreak()
	case len(v.lead) > 1:
		return v.leaders() + v.tieBreak()
	}
	best := v.known[0]
	s := best.name
	switch against := v.judged.AgainstOriginal(best.Entrant); {
	case against == choice.Level:
		s += " keeps the " + v.u.noun + " of the original"
	case len(v.known) == 1:
		s += " reaches " + v.u.full(v.value(best).Mean) + " in " + v.u.noun
	case against == choice.Behind:
		s += " comes closest to the original in " + v.u.noun
	default:
		s += " is best in " + v.u.noun
	}
	return s + v.atRisk()
}

// leaders says who leads when more than one does.
func (v *verdict) leaders() string {
	if !v.oneTechnique() {
		return v.subject(v.lead) + " lead in " + v.u.noun + ", too close to tell apart"
	}
	return fmt.Sprintf("%s leads in %s; its %d best settings cannot be told apart", v.lead[0].technique, v.u.noun, len(v.lead))
}

// oneTechnique reports whether all leaders are settings of one technique's grid.
func (v *verdict) oneTechnique() bool {
	for _, e := range v.lead {
		if e.technique != v.lead[0].technique || e.values == "" {
			return false
		}
	}
	return true
}

// tieBreak says what else speaks for one of the leaders: its safety or, failing that, the other measures of utility.
func (v *verdict) tieBreak() string {
	if s := v.safer(); s != "" {
		return s
	}
	e, scales := v.judged.Elsewhere()
	if len(scales) == 0 {
		return ""
	}
	var in []string
	for _, m := range scales {
		in = append(in, v.gaugeOf(m).noun)
	}
	return "; " + v.shortly(v.nameOf(e)) + " is ahead in " + listed(in)
}

// shortly names a leader, by its parameters alone when all leaders are of one technique.
func (v *verdict) shortly(e entrant) string {
	if v.oneTechnique() {
		return e.values
	}
	return e.name
}

// safer names the leader that is clearly safer than all others, if there is one.
func (v *verdict) safer() string {
	s, ok := v.judged.Safer()
	switch {
	case !ok:
		return ""
	case len(v.lead) == 2:
		return "; " + v.shortly(v.nameOf(s)) + " is the safer"
	}
	return "; " + v.shortly(v.nameOf(s)) + " is the safest of them"
}

// subject lists settings for the head of a sentence.
func (v *verdict) subject(es []entrant) string {
	if len(es) == len(v.known) && len(es) > mostNamed {
		return "The " + counted(len(es), "setting")
	}
	return listed(namesOf(es))
}

func namesOf(es []entrant) []string {
	var out []string
	for _, e := range es {
		out = append(out, e.name)
	}
	return out
}

// listed joins names: a, b and c; a, b and 4 more.
func listed(names []string) string {
	n := len(names)
	if n > mostNamed {
		return strings.Join(names[:mostNamed-1], ", ") + fmt.Sprintf(" and %d more", n-mostNamed+1)
	}
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
}

// atRisk says what the best setting pays for its utility.
func (v *verdict) atRisk() string {
	switch v.judged.Price() {
	case choice.SameRisk:
		return " at the same risk"
	case choice.NoneSafer:
		return ", and none is clearly safer"
	case choice.HighestRisk:
		return ", at the highest risk"
	case choice.NoPrice:
	}
	return ""
}

// deck is what follows the headline: the figures, the others, the risk.
func (v *verdict) deck() []string {
	switch {
	case len(v.field) == 0 && len(v.entrants) > 0:
		return kept(v.unfit(), v.baselines())
	case len(v.known) == 0:
		return []string{"The reasons are listed below."}
	}
	out := []string{v.advice(), v.figures(), v.others(), v.risks()}
	if n := len(v.field) - len(v.known); n > 0 {
		out = append(out, counted(n, "setting")+" could not be measured on every data set.")
	}
	return kept(append(out, v.unfit(), v.baselines())...)
}

// kept are the sentences that say something.
func kept(sentences ...string) []string {
	return slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
}

// advice says which setting to take, or why none is named, and by which measure that was judged.
func (v *verdict) advice() string {
	by := "Judged by " + v.u.noun
	switch most := v.MostFound(); {
	case len(v.Holds) == 0 || len(v.Open) > 0:
	case most == most:
		by += fmt.Sprintf(" among the settings that let at most %s %% of the people be found%s", document.Rounded(most, 2), v.bound())
		if l := v.Limits.Find("found"); l.Accepted && l.SetMax != nil {
			by += fmt.Sprintf(" (accepted in place of %s %%)", document.Rounded(100**l.SetMax, 2))
		}
	default:
		by += " among the settings that keep the limits (" + v.Limits.Name + ")"
	}
	take, ok := v.judged.Take()
	switch {
	case !v.judged.Enough():
		return fmt.Sprintf("%s: no verdict. %s.", by, upper(v.moreFolds()))
	case len(v.Limits.Limits) == 0:
		return by + " alone: no limits were asked for, so none is recommended for release."
	case len(v.Open) > 0 && v.Open[0] != "found":
		return by + " alone: whether the limits on " + listed(v.Open) + " are kept was not measured, so none is recommended for release."
	case len(v.Holds) == 0 && len(v.Open) == 0:
		return by + " alone: the limits (" + v.Limits.Name + ") are on what only a release shows, so none is recommended before it is made."
	case len(v.Open) > 0:
		return by + " alone: whether people are found was not measured (found, linkage), so none is recommended for release."
	case ok:
		return fmt.Sprintf("%s: take %s.", by, v.nameOf(take).name)
	}
	return by + ": take any of those that are too close to tell apart."
}

// bound names the intruder against whom the limit on found holds, where others are tried whom it does not bind; empty where it binds all, or several.
func (v *verdict) bound() string {
	var who []*choice.Scale // one of each intruder
	binds := func(s *choice.Scale) bool {
		return slices.ContainsFunc(v.Holds, func(h choice.Hold) bool { return h.By == s })
	}
	free := false
	for k := range v.Scales {
		switch s := &v.Scales[k]; {
		case !s.Finds && s.Name != "found":
		case !binds(s):
			free = true
		case !slices.ContainsFunc(who, func(o *choice.Scale) bool { return o.Who == s.Who }):
			who = append(who, s)
		}
	}
	if !free || len(who) != 1 || who[0].Who == "" {
		return ""
	}
	return " by " + byWhom(who[0].Who, who[0].Described).String()
}

// moreFolds says how to make the intervals narrower.
func (v *verdict) moreFolds() string {
	half := 0.0
	for _, e := range v.lead {
		lo, hi := v.value(e).Ends()
		half = math.Max(half, (hi-lo)/2)
	}
	s := "a mean is uncertain by up to ± " + strings.TrimSpace(v.u.spread(half)+" "+v.u.unit)
	if half == 0 {
		s = "there are too few runs"
	}
	if folds, repeats := v.judged.MoreFolds(); folds > 0 {
		return fmt.Sprintf("%s; --folds %d", s, folds)
	} else {
		return fmt.Sprintf("%s; --repeats %d", s, repeats)
	}
}

// unfit names the settings that break a limit.
func (v *verdict) unfit() string {
	var out []string
	all := v.judged.Unfit()
	for k, e := range v.named(all) {
		if k == mostNamed {
			out = append(out, counted(len(all)-k, "further setting")+" likewise")
			break
		}
		out = append(out, e.plain+", where "+v.broken(e.Unfit))
	}
	if out == nil {
		return ""
	}
	if most := v.MostFound(); most == most {
		return fmt.Sprintf("Not for release, which allows %s %%: %s.", document.Rounded(most, 2), strings.Join(out, "; "))
	}
	return "Not for release: " + strings.Join(out, "; ") + "."
}

// broken says which limit a setting breaks, and how.
func (v *verdict) broken(u *choice.Unfit) string {
	g := v.gaugeOf(u.By)
	switch unknown := math.IsNaN(u.Bound); {
	case u.By.Finds && unknown:
		return "how many people are found could not be measured"
	case u.By.Finds:
		return fmt.Sprintf("up to %s %% of the people are found by %s (%s)", document.Rounded(u.Bound, 3), byWhom(g.Who, g.Described).String(), strings.TrimSpace(g.Name+" "+g.Varied))
	case unknown:
		return g.noun + " could not be measured"
	}
	end, bound, allowed := "up to", u.Limit.Max, "allowed"
	if bound == nil || u.Bound <= *bound*u.By.Factor {
		end, bound, allowed = "as low as", u.Limit.Min, "asked for"
	}
	if u.Limit.IfAny {
		end = "at least"
	}
	return fmt.Sprintf("%s is %s %s, and %s is %s", g.noun, end, g.full(u.Bound), g.full(*bound*u.By.Factor), allowed)
}

// baselines names the techniques that are there to compare with alone.
func (v *verdict) baselines() string {
	var names []string
	for _, e := range v.entrants {
		if e.Baseline && e.Unfit == nil && !slices.Contains(names, e.technique) {
			names = append(names, e.technique)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is a baseline, not for release, and no candidate."
	}
	return listed(names) + " are baselines, not for release, and no candidates."
}

// figures gives the leaders' values against the original's.
func (v *verdict) figures() string {
	e := v.value(v.known[0])
	s := upper(v.u.noun) + ": " + v.u.full(e.Mean)
	if len(v.lead) > 1 {
		last := v.value(v.lead[len(v.lead)-1]).Mean
		s = upper(v.u.noun) + ": " + v.u.between(math.Min(e.Mean, last), math.Max(e.Mean, last))
	}
	if v.u.of != "" {
		s += " " + v.u.of
	}
	if o := v.over(v.u, v.original); o.Known() {
		s += ", against " + v.u.full(o.Mean) + " for the original"
	}
	if n := len(v.Data); n > 1 {
		s += fmt.Sprintf(", on average over %d data sets", n)
		if len(v.lead) == 1 && len(v.known) > 1 {
			s += fmt.Sprintf(" (the best of all on %d of them)", v.judged.Wins(v.known[0].Entrant))
		}
	}
	return s + "."
}

// others says who follows and who is last.
func (v *verdict) others() string {
	rest := v.known[len(v.lead):]
	if len(rest) == 0 {
		return ""
	}
	last := rest[len(rest)-1]
	end := last.name + " is last with " + v.u.full(v.value(last).Mean)
	if o := v.over(v.u, v.original); v.u.Unit.Percent() && v.u.Higher() && v.judged.AgainstOriginal(last.Entrant) == choice.Behind {
		end = last.name + " loses " + points(o.Mean-v.value(last).Mean, v.u)
	}
	if len(rest) == 1 {
		return end + "."
	}
	return rest[0].name + " follows with " + v.u.full(v.value(rest[0]).Mean) + "; " + end + "."
}

func points(d float64, g *gauge) string {
	if s := g.figure(d); s != g.figure(1) {
		return s + " points"
	}
	return "1 point"
}

// risks says what the measure of risk adds to the choice.
func (v *verdict) risks() string {
	if v.risk == nil || v.risk == v.u {
		return "No measure of risk was taken, so this says nothing about safety."
	}
	known := 0
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, e := range v.field {
		if r := v.over(v.risk, e); r.Known() {
			known++
			lo, hi = math.Min(lo, r.Mean), math.Max(hi, r.Mean)
		}
	}
	if known == 0 {
		return "The risk could not be measured."
	}
	best, _ := v.judged.Safest(v.judged.Field)
	safest := v.nameOf(best)
	name := v.risk.name
	between := v.risk.between(lo, hi)
	o := v.over(v.risk, v.original)
	switch {
	case v.judged.Useless():
		return fmt.Sprintf("%s is no ground for the choice: it hardly tells any release (%s) from the original itself (%s).", name, between, v.risk.figure(o.Mean))
	case !v.Apart(v.Risk) && known > 1:
		return fmt.Sprintf("In risk they cannot be told apart: %s %s.", v.risk.noun, between) + v.originalRisk()
	case known == 1:
		return fmt.Sprintf("%s: %s.", upper(v.risk.noun), v.risk.full(hi)) + v.originalRisk()
	}
	r := v.over(v.risk, v.known[0])
	claim := "The safest of all is"
	if r.Known() && !v.risk.Clearly(v.over(v.risk, safest), r) {
		surely, ok := v.judged.ClearlySafer(r)
		if !ok {
			return v.noneSafer(v.known[0], safest) + v.originalRisk()
		}
		safest = v.nameOf(surely)
		claim = "Clearly safer is"
	}
	s := ""
	if among, ok := v.judged.Safest(v.judged.Lead); ok && len(v.lead) > 1 && v.safer() == "" && v.risk.Clearly(v.Over(v.Risk, among.Setting), r) {
		s = fmt.Sprintf("Of those that lead, %s has the lowest risk: %s %s. ", v.nameOf(among).name, v.risk.noun, v.risk.full(v.Over(v.Risk, among.Setting).Mean))
	}
	s += fmt.Sprintf("%s %s: %s %s", claim, safest.name, v.risk.noun, v.risk.full(v.over(v.risk, safest).Mean))
	if r.Known() {
		s += fmt.Sprintf(" against %s for %s", v.risk.full(r.Mean), v.known[0].name)
	}
	return s + "." + v.originalRisk()
}

// noneSafer says that no setting is clearly safer than the best, and of a better mean that its interval is too wide to tell.
func (v *verdict) noneSafer(best, safest entrant) string {
	r, s := v.over(v.risk, best).Mean, v.over(v.risk, safest).Mean
	if math.Abs(r-s) <= v.risk.Margin {
		return fmt.Sprintf("None is clearly safer than %s: %s %s.", best.name, v.risk.noun, v.risk.full(r))
	}
	return fmt.Sprintf("Whether %s is safer than %s cannot be told: %s %s against %s, with intervals that meet.",
		safest.name, best.name, v.risk.noun, v.risk.full(s), v.risk.full(r))
}

func (v *verdict) originalRisk() string {
	if o := v.over(v.risk, v.original); o.Known() {
		return " The original itself has " + v.risk.full(o.Mean) + "."
	}
	return ""
}

func upper(s string) string { return strings.TrimSuffix(sentence(s), ".") }

// rule says when two settings count as different.
func (v *verdict) rule() string {
	s := "Two settings are told apart only where their 95 % intervals over the folds do not meet"
	if v.u != nil {
		s += fmt.Sprintf(", and never by less than 1 %% of the scale, which is %s of %s", v.u.marginText(), v.u.noun)
	}
	return s + "."
}
