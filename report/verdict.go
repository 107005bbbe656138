package report

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study/ranking"
)

// mostNamed is how many settings a sentence names.
const mostNamed = 3

// verdict puts the outcome of a comparison into sentences: what to choose, what it costs, and what cannot be told.
type verdict struct {
	*contest
	judged ranking.Verdict
	u      *gauge
	field  []entrant // those of which one may be chosen
	known  []entrant // of the field, with a value, the best first
	lead   []entrant // the best and all that it does not clearly beat
}

func newVerdict(t *contest) verdict {
	v := verdict{contest: t, judged: t.Judge()}
	v.u, v.lead = t.gaugeOf(v.judged.By), t.named(v.judged.Lead)
	v.field, v.known = t.named(v.judged.Field), t.named(v.judged.Known)
	return v
}

// nameOf returns the names of one setting.
func (v *verdict) nameOf(e ranking.Entrant) entrant { return v.named([]ranking.Entrant{e})[0] }

func (v *verdict) value(e entrant) ranking.Estimate { return v.over(v.u, e) }

// judged says a sentence of the verdict.
func judged(key string) message.Sentence { return message.Say("compare.verdict." + key) }

// by says a sentence of the verdict on the measure that it is judged by.
func (v *verdict) by(key string) message.Sentence { return judged(key).Text("measure", v.u.noun) }

// headline is what to remember, without a full stop.
func (v *verdict) headline() message.Sentence {
	switch {
	case len(v.entrants) == 0:
		return judged("nothing")
	case len(v.field) == 0:
		return judged("unfit")
	case len(v.known) == 0:
		return judged("unmeasured").Count("n", len(v.field))
	case !v.judged.Enough():
		return v.by("tooFew").Part("settings", v.subject(v.lead))
	case len(v.known) > 1 && len(v.lead) == len(v.known):
		return v.tieBreak(v.by("level").Part("settings", v.subject(v.lead)))
	case len(v.lead) > 1:
		return v.tieBreak(v.leaders())
	}
	best, key := v.known[0], "best"
	switch against := v.judged.AgainstOriginal(best.Entrant); {
	case against == ranking.Level:
		key = "keeps"
	case len(v.known) == 1:
		key = "reaches"
	case against == ranking.Behind:
		key = "closest"
	}
	return v.atRisk(v.by(key).Name("setting", best.name).Figure("value", v.u.at(v.value(best).Mean)))
}

// leaders says who leads when more than one does.
func (v *verdict) leaders() message.Sentence {
	if !v.oneTechnique() {
		return v.by("lead").Part("settings", v.subject(v.lead))
	}
	return v.by("grid").Name("technique", v.lead[0].technique).Count("n", len(v.lead))
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

// tieBreak adds what else speaks for one of the leaders: its safety or, failing that, the other measures of utility.
func (v *verdict) tieBreak(says message.Sentence) message.Sentence {
	also := v.safer()
	if also.Empty() {
		e, scales := v.judged.Elsewhere()
		if len(scales) == 0 {
			return says
		}
		var in []string
		for _, m := range scales {
			in = append(in, v.gaugeOf(m).noun)
		}
		also = judged("ahead").Name("setting", v.shortly(v.nameOf(e))).Part("measures", listed(in))
	}
	return judged("also").Part("says", says).Part("also", also)
}

// shortly names a leader, by its parameters alone when all leaders are of one technique.
func (v *verdict) shortly(e entrant) string {
	if v.oneTechnique() {
		return e.values
	}
	return e.name
}

// safer names the leader that is clearly safer than all others, if there is one.
func (v *verdict) safer() message.Sentence {
	s, ok := v.judged.Safer()
	if !ok {
		return message.Sentence{}
	}
	key := "safest"
	if len(v.lead) == 2 {
		key = "safer"
	}
	return judged(key).Name("setting", v.shortly(v.nameOf(s)))
}

// subject lists settings for the head of a sentence.
func (v *verdict) subject(es []entrant) message.Sentence {
	if len(es) == len(v.known) && len(es) > mostNamed {
		return judged("all").Count("n", len(es))
	}
	var names []string
	for _, e := range es {
		names = append(names, e.name)
	}
	return listed(names)
}

// listed joins names: a, b and c; a, b and 4 more.
func listed(names []string) message.Sentence {
	if n := len(names); n > mostNamed {
		return message.Say("list.more").Text("names", strings.Join(names[:mostNamed-1], ", ")).Count("n", n-mostNamed+1)
	}
	return message.Say("list.names").Names("names", names)
}

// atRisk adds what the best setting pays for its utility.
func (v *verdict) atRisk(says message.Sentence) message.Sentence {
	switch v.judged.Price() {
	case ranking.SameRisk:
		return judged("price.same").Part("says", says)
	case ranking.NoneSafer:
		return judged("price.none").Part("says", says)
	case ranking.HighestRisk:
		return judged("price.highest").Part("says", says)
	case ranking.NoPrice:
	}
	return says
}

// deck is what follows the headline: the figures, the others, the risk.
func (v *verdict) deck() []message.Sentence {
	switch {
	case len(v.field) == 0 && len(v.entrants) > 0:
		return telling(v.unfit(), v.baselines())
	case len(v.known) == 0:
		return telling(judged("below"))
	}
	out := []message.Sentence{v.advice(), v.figures(), v.others(), v.risks()}
	if n := len(v.field) - len(v.known); n > 0 {
		out = append(out, judged("notEverywhere").Count("n", n))
	}
	return telling(append(out, v.unfit(), v.baselines())...)
}

// telling are the sentences that say something.
func telling(all ...message.Sentence) []message.Sentence {
	return slices.DeleteFunc(all, message.Sentence.Empty)
}

// foundShare is a share of the people, given in per cent, with so many digits.
func foundShare(percent float64, digits int) document.Figure {
	f := document.Exactly("found", percent/100, measure.OfPeople("unit.ofPeople"))
	f.Shown = document.Rounded(percent, digits) + " %"
	return f
}

// among says by which measure was judged, and among which settings.
func (v *verdict) among() message.Sentence {
	switch most := v.MostFound(); {
	case len(v.Holds) == 0 || len(v.Open) > 0:
		return v.by("judged.alone")
	case most != most:
		return v.by("judged.limits").Text("limits", v.Limits.Name)
	default:
		by := v.by("judged.found").Figure("most", foundShare(most, 2))
		if who := v.bound(); who != nil {
			by = v.by("judged.foundBy").Figure("most", foundShare(most, 2)).Part("who", byWhom(who.Who, who.Described))
		}
		if l := v.Limits.Find("found"); l.Accepted && l.SetMax != nil {
			by = judged("judged.accepted").Part("says", by).Figure("most", foundShare(float64(100**l.SetMax), 2))
		}
		return by
	}
}

// advice says which setting to take, or why none is named, and by which measure that was judged.
func (v *verdict) advice() message.Sentence {
	advice := func(key string) message.Sentence { return judged("advice."+key).Part("judged", v.among()) }
	take, ok := v.judged.Take()
	switch {
	case !v.judged.Enough():
		return advice("more").Part("more", v.moreFolds())
	case len(v.Limits.Limits) == 0:
		return advice("noLimits")
	case len(v.Open) > 0 && v.Open[0] != "found":
		return advice("open").Part("limits", listed(v.Open))
	case len(v.Holds) == 0 && len(v.Open) == 0:
		return advice("later").Text("limits", v.Limits.Name)
	case len(v.Open) > 0:
		return advice("people")
	case ok:
		return advice("take").Name("setting", v.nameOf(take).name)
	}
	return advice("any")
}

// bound is the scale of the intruder against whom the limit on found holds, where others are tried whom it does not
// bind; nil where it binds all, or several.
func (v *verdict) bound() *ranking.Scale {
	var who []*ranking.Scale // one of each intruder
	binds := func(s *ranking.Scale) bool {
		return slices.ContainsFunc(v.Holds, func(h ranking.Hold) bool { return h.By == s })
	}
	free := false
	for k := range v.Scales {
		switch s := &v.Scales[k]; {
		case !s.Finds && s.Name != "found":
		case !binds(s):
			free = true
		case !slices.ContainsFunc(who, func(o *ranking.Scale) bool { return o.Who == s.Who }):
			who = append(who, s)
		}
	}
	if !free || len(who) != 1 || who[0].Who == "" {
		return nil
	}
	return who[0]
}

// moreFolds says how to make the intervals narrower.
func (v *verdict) moreFolds() message.Sentence {
	half := 0.0
	for _, e := range v.lead {
		lo, hi := v.value(e).Ends()
		half = math.Max(half, (hi-lo)/2)
	}
	s := judged("runs.uncertain").Text("half", strings.TrimSpace(v.u.spread(half)+" "+v.u.unit))
	if half == 0 {
		s = judged("runs.few")
	}
	folds, repeats := v.judged.MoreFolds()
	if folds > 0 {
		return judged("runs.folds").Part("says", s).Count("n", folds)
	}
	return judged("runs.repeats").Part("says", s).Count("n", repeats)
}

// unfit names the settings that break a limit.
func (v *verdict) unfit() message.Sentence {
	var out []message.Sentence
	all := v.judged.Unfit()
	for k, e := range v.named(all) {
		if k == mostNamed {
			out = append(out, judged("unfitLike").Count("n", len(all)-k))
			break
		}
		out = append(out, judged("unfitWhere").Name("setting", e.plain).Part("broken", v.broken(e.Unfit)))
	}
	switch most := v.MostFound(); {
	case out == nil:
		return message.Sentence{}
	case most == most:
		return judged("unfitFound").Figure("most", foundShare(most, 2)).Parts("settings", out)
	}
	return judged("unfitAll").Parts("settings", out)
}

// broken says which limit a setting breaks, and how.
func (v *verdict) broken(u *ranking.Unfit) message.Sentence {
	g := v.gaugeOf(u.By)
	switch unknown := math.IsNaN(u.Bound); {
	case u.By.Finds && unknown:
		return judged("broken.people")
	case u.By.Finds:
		return judged("broken.found").Figure("share", foundShare(u.Bound, 3)).Part("who", byWhom(g.Who, g.Described)).
			Text("measure", strings.TrimSpace(g.Name+" "+g.Varied))
	case unknown:
		return judged("broken.unknown").Text("measure", g.noun)
	}
	key, bound := "most", u.Limit.Max
	if bound == nil || u.Bound <= *bound*u.By.Factor {
		key, bound = "least", u.Limit.Min
	}
	if u.Limit.IfAny {
		key += "IfAny"
	}
	return judged("broken."+key).Text("measure", g.noun).Figure("value", g.at(u.Bound)).
		Figure("bound", g.at(float64(*bound*u.By.Factor)))
}

// baselines names the techniques that are there to compare with alone.
func (v *verdict) baselines() message.Sentence {
	var names []string
	for _, e := range v.entrants {
		if e.Baseline && e.Unfit == nil && !slices.Contains(names, e.technique) {
			names = append(names, e.technique)
		}
	}
	if names == nil {
		return message.Sentence{}
	}
	return judged("baselines").Count("n", len(names)).Part("names", listed(names))
}

// figures gives the leaders' values against the original's.
func (v *verdict) figures() message.Sentence {
	first, last := v.value(v.known[0]).Mean, v.value(v.lead[len(v.lead)-1]).Mean
	s := v.by("figures.value").Part("value", v.u.between(math.Min(first, last), math.Max(first, last)))
	if v.u.of != "" {
		s = judged("figures.of").Part("says", s).Text("of", v.u.of)
	}
	if o := v.over(v.u, v.original); o.Known() {
		s = judged("figures.against").Part("says", s).Figure("value", v.u.at(o.Mean))
	}
	if n := len(v.Data); n > 1 {
		s = judged("figures.sets").Part("says", s).Count("n", n)
		if len(v.lead) == 1 && len(v.known) > 1 {
			s = judged("figures.wins").Part("says", s).Count("n", v.judged.Wins(v.known[0].Entrant))
		}
	}
	return message.Say("stop").Part("says", s)
}

// others says who follows and who is last.
func (v *verdict) others() message.Sentence {
	rest := v.known[len(v.lead):]
	if len(rest) == 0 {
		return message.Sentence{}
	}
	last := rest[len(rest)-1]
	end := judged("others.last").Name("setting", last.name).Figure("value", v.u.at(v.value(last).Mean))
	if o := v.over(v.u, v.original); v.u.Unit.Percent() && v.u.Higher() &&
		v.judged.AgainstOriginal(last.Entrant) == ranking.Behind {
		end = judged("others.loses").Name("setting", last.name).Part("points", v.u.points(o.Mean-v.value(last).Mean))
	}
	if len(rest) == 1 {
		return message.Say("stop").Part("says", end)
	}
	return judged("others.follows").Name("setting", rest[0].name).Figure("value", v.u.at(v.value(rest[0]).Mean)).
		Part("end", end)
}

// risks says what the measure of risk adds to the choice.
func (v *verdict) risks() message.Sentence {
	if v.risk == nil || v.risk == v.u {
		return judged("risk.none")
	}
	known := 0
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, e := range v.field {
		if r := v.over(v.risk, e); r.Known() {
			known++
			lo, hi = math.Min(lo, r.Mean), math.Max(hi, r.Mean)
		}
	}
	switch {
	case known == 0:
		return judged("risk.unmeasured")
	case v.judged.Useless():
		return judged("risk.useless").Text("measure", v.risk.name).Part("between", v.risk.between(lo, hi)).
			Text("original", v.risk.figure(v.over(v.risk, v.original).Mean))
	case !v.Apart(v.Risk) && known > 1:
		return v.andOriginal(v.ofRisk("level").Part("between", v.risk.between(lo, hi)))
	case known == 1:
		return v.andOriginal(v.ofRisk("one").Figure("value", v.risk.at(hi)))
	}
	return v.andOriginal(v.safest())
}

// ofRisk says a sentence of the verdict on the measure of risk.
func (v *verdict) ofRisk(key string) message.Sentence {
	return judged("risk."+key).Text("measure", v.risk.noun)
}

// safest says which setting is the safest of all, or clearly safer than the best, and what the best of those that lead
// has.
func (v *verdict) safest() message.Sentence {
	best, _ := v.judged.Safest(v.judged.Field)
	safest, key := v.nameOf(best), "safest"
	r := v.over(v.risk, v.known[0])
	if r.Known() && !v.risk.Clearly(v.over(v.risk, safest), r) {
		surely, ok := v.judged.ClearlySafer(r)
		if !ok {
			return v.noneSafer(v.known[0], safest)
		}
		safest, key = v.nameOf(surely), "safer"
	}
	s := v.ofRisk(key).Name("setting", safest.name).Figure("value", v.risk.at(v.over(v.risk, safest).Mean))
	if r.Known() {
		s = judged("risk.against").Part("says", s).Figure("value", v.risk.at(r.Mean)).Name("setting", v.known[0].name)
	}
	s = message.Say("stop").Part("says", s)
	among, ok := v.judged.Safest(v.judged.Lead)
	if ok && len(v.lead) > 1 && v.safer().Empty() && v.risk.Clearly(v.Over(v.Risk, among.Setting), r) {
		lowest := v.ofRisk("lowest").Name("setting", v.nameOf(among).name).
			Figure("value", v.risk.at(v.Over(v.Risk, among.Setting).Mean))
		return judged("both").Part("says", lowest).Part("more", s)
	}
	return s
}

// noneSafer says that no setting is clearly safer than the best, and of a better mean that its interval is too wide to
// tell.
func (v *verdict) noneSafer(best, safest entrant) message.Sentence {
	r, s := v.over(v.risk, best).Mean, v.over(v.risk, safest).Mean
	if math.Abs(r-s) <= v.risk.Margin {
		return v.ofRisk("noneSafer").Name("setting", best.name).Figure("value", v.risk.at(r))
	}
	return v.ofRisk("unclear").Name("setting", safest.name).Name("best", best.name).Figure("value", v.risk.at(s)).
		Figure("than", v.risk.at(r))
}

// andOriginal adds the risk of the original.
func (v *verdict) andOriginal(says message.Sentence) message.Sentence {
	o := v.over(v.risk, v.original)
	if !o.Known() {
		return says
	}
	return judged("both").Part("says", says).Part("more", judged("risk.original").Figure("value", v.risk.at(o.Mean)))
}

// rule says when two settings count as different.
func (v *verdict) rule() message.Sentence {
	if v.u == nil {
		return judged("rule.intervals")
	}
	return v.by("rule.margin").Text("margin", v.u.marginText())
}
