package study

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Gate is what the limits come to in counts, for programs: what follows from them is the state of the verdict.
type Gate struct {
	// Limits is how many there was something to judge by, or that were not judged: Passed, Failed, Unproven and NotJudged
	// make it up. One is counted once, by its worst intruder.
	Limits   int `json:"limits"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Unproven int `json:"unproven"`
	// NotJudged names the limits on measures that were not asked for. Nothing passes without them, but for limits on how
	// a technique works: one that is held against a release only where it is shown to be broken (limit.Limit.IfAny) may
	// be, and nobody looked.
	NotJudged []string `json:"notJudged"`
	// Undecided names the limits that are held against a release only where they are shown to be broken
	// (limit.Limit.IfAny), and that it is not shown to keep. They are not counted.
	Undecided []string `json:"undecided"`

	open int // of those not judged, what a release is held to
}

// Unshown reports whether nothing is broken, and something is not shown to be kept: more people must be tried.
func (g *Gate) Unshown() bool { return g.Failed == 0 && g.Unproven > 0 }

// judged reports whether something was judged and kept, and nothing that a release is held to was left out.
func (g *Gate) judged() bool { return g.Passed > 0 && g.open == 0 }

// Line ends every text, before what to do next: the state, and what the limits come to.
func (v *Verdict) Line() message.Sentence {
	return message.Say("verdict.line").Part("state", v.State.Word()).Part("counts", v.Counts())
}

// Counts says of how many limits the state is said, and how many were not judged.
func (v *Verdict) Counts() message.Sentence {
	g := &v.Gate
	key, n := "kept", g.Passed
	switch {
	case g.Limits == 0:
		return message.Say("verdict.none")
	case g.Limits == len(g.NotJudged):
		return message.Say("verdict.unjudged").Count("limits", g.Limits)
	case v.State == Withheld && g.Unshown():
		key, n = "unproven", g.Unproven
	case v.State == Withheld:
		key, n = "broken", g.Failed
	}
	s := message.Say("verdict."+key).Count("n", n).Count("limits", g.Limits)
	if k := len(g.NotJudged); k > 0 {
		return message.Say("verdict.left").Part("says", s).Count("left", k)
	}
	return s
}

// Word is the state as every text and page says it.
func (s State) Word() message.Sentence {
	return message.Say("state." + strings.ReplaceAll(string(s), " ", "-"))
}

// count adds a limit with the demands that it made.
func (g *Gate) count(l *limit.Limit, demands []Demand, judged bool) {
	if len(demands) == 0 {
		if !judged {
			g.Limits++
			g.NotJudged = append(g.NotJudged, l.Measure)
			if !l.OfTechnique() { // how a technique works is not what a release keeps
				g.open++
			}
		}
		return
	}
	worst := Met
	for k := range demands {
		if demands[k].Standing.severity() < worst.severity() {
			worst = demands[k].Standing
		}
	}
	g.Limits++
	switch worst {
	case Met:
		g.Passed++
	case Broke:
		g.Failed++
	case Unproven:
		g.Unproven++
	}
}

// undecided adds a limit that is not shown to be kept, nor to be broken.
func (g *Gate) undecided(name string) {
	if !slices.Contains(g.Undecided, name) {
		g.Undecided = append(g.Undecided, name)
	}
}

// More is how many more people must be tried before a limit is known to be kept, or broken.
type More struct {
	// IfNone is the least number, if the attack succeeds with none of them; they show that the limit is kept.
	IfNone int `json:"ifNone"`
	// AtThisRate is how many it takes if it succeeds as often as so far; 0 where that is the limit itself, or more than
	// can be said.
	AtThisRate int  `json:"atThisRate"`
	Kept       bool `json:"kept"` // what that shows
	// Most is how many there are besides in the table.
	Most int `json:"most"`
}

// moreThan says how many more must be tried than so many people, x of whom an attack succeeded with, where so many may
// be tried at most.
func moreThan(x float64, tried, most int, limit float64) *More {
	m := &More{IfNone: max(0, confidence.MoreIfNoneSucceed(x, float64(tried), level, limit)), Most: max(0, most-tried)}
	m.AtThisRate, m.Kept = confidence.MoreToDecide(x, float64(tried), level, limit)
	return m
}

// words says why those tried, of a level, are too few, and how many more decide. None is the key of what is said of an
// attack that succeeds with none of them.
func (m *More) words(tried int, of table.Level, none string) message.Sentence {
	few := message.Say("demand.few").Count("tried", tried).Part("people", measure.Subjects(of, tried))
	switch {
	case m.Most == 0:
		return message.Say("demand.more.nobody").Part("few", few)
	case m.IfNone <= 0: // an attack that was tried on fewer has the wider bound
		return few
	case m.IfNone > m.Most:
		return message.Say("demand.more.tooFew").Part("few", few)
	}
	s := message.Say(none).Part("few", few).Count("n", m.IfNone)
	switch {
	case m.AtThisRate == m.IfNone: // none has been found so far
		return s
	case m.AtThisRate > m.Most || m.AtThisRate == 0:
		return message.Say("demand.rate.never").Part("says", s)
	case m.Kept:
		return message.Say("demand.rate.kept").Part("says", s).Count("n", m.AtThisRate)
	}
	return message.Say("demand.rate.broken").Part("says", s).Count("n", m.AtThisRate)
}

// attempts is how many more people must be tried by a measure whose detail tells its attack; nil where that is not how
// its limit is decided. Of those of an attack one half chooses it, and does not count.
func attempts(l *limit.Limit, m *Measured) (more *More, tried int) {
	a, ok := m.Value.Detail.(measure.Assault)
	if !ok || l.Max == nil || m.Value.Lo != m.Value.Lo || m.Value.Hi != m.Value.Hi {
		return nil, 0
	}
	at := a.Attack()
	if at.Secret != "" { // its share is beyond a control group, and its bounds are not those of one share
		return nil, 0
	}
	return moreThan(at.Right, at.Tried, (at.People+1)/2, *l.Max), at.Tried
}
