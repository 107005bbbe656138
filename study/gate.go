package study

import (
	"slices"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Gate is what the limits come to, for programs: a release passes where every limit is kept by the pessimistic end of
// its figure.
type Gate struct {
	State GateState `json:"state"`
	// Limits is how many there was something to judge by, or that were not judged: Passed, Failed, Unproven and NotJudged
	// make it up. One is counted once, by its worst intruder.
	Limits   int `json:"limits"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Unproven int `json:"unproven"`
	// NotJudged names the limits on measures that were not asked for. Unless a limit is held against a release only where
	// it is shown to be broken (limit.Limit.IfAny), nothing passes without it.
	NotJudged []string `json:"notJudged"`
	// Undecided names the limits that are held against a release only where they are shown to be broken
	// (limit.Limit.IfAny), and that it is not shown to keep. They are not counted.
	Undecided []string `json:"undecided"`

	open int // of those not judged, what a release must be shown to keep
}

// GateState is the answer of the gate in a word or two.
type GateState string

// The answers of the gate. Where nothing fails and something is unproven, more people must be tried.
const (
	Passes       GateState = "PASS"
	Fails        GateState = "FAIL"
	NotProven    GateState = "UNPROVEN"
	NothingAsked GateState = "NOT JUDGED" // nothing was demanded, or something that was not measured, and what was is kept
)

// Sentence is the last line of every text: the answer, how many limits it is about, and of how many.
func (g *Gate) Sentence() message.Sentence {
	n := map[GateState]int{Passes: g.Passed, NothingAsked: g.Passed, Fails: g.Failed, NotProven: g.Unproven}[g.State]
	if k := len(g.NotJudged); k > 0 && k < g.Limits {
		return message.Say(
			"gate.some",
		).Text(
			"state",
			string(g.State),
		).Count(
			"n",
			n,
		).Count(
			"limits",
			g.Limits,
		).Count(
			"left",
			k,
		)
	}
	return message.Say("gate.all").Text("state", string(g.State)).Count("n", n).Count("limits", g.Limits)
}

// String is the sentence in English.
func (g *Gate) String() string { return g.Sentence().String() }

// count adds a limit with the demands that it made.
func (g *Gate) count(l *limit.Limit, demands []Demand, judged bool) {
	if len(demands) == 0 {
		if !judged {
			g.Limits++
			g.NotJudged = append(g.NotJudged, l.Measure)
			if !l.IfAny && !l.OfTechnique() { // how a technique works is not what a release keeps
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

// settle gives the answer, once all are counted.
func (g *Gate) settle() {
	switch {
	case g.Failed > 0:
		g.State = Fails
	case g.Unproven > 0:
		g.State = NotProven
	case g.Passed > 0 && g.open == 0:
		g.State = Passes
	default:
		g.State = NothingAsked
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

// words says why those tried are too few, and how many more decide. None is the key of what is said of an attack that
// succeeds with none of them.
func (m *More) words(tried int, none string) message.Sentence {
	few := message.Say("demand.few").Count("tried", tried)
	switch {
	case m.Most == 0:
		return message.Say("demand.more.nobody").Part("few", few)
	case m.IfNone <= 0 || m.IfNone > m.Most:
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
