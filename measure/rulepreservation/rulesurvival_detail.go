package rulepreservation

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// RuleSurvivalDetail is what became of the rules. It names values of the original, so it is the custodian's alone.
type RuleSurvivalDetail struct {
	Support    float64 `json:"support"` // the least that was counted
	Asked      float64 `json:"asked"`   // the least that was asked for
	Confidence float64 `json:"confidence"`
	Lift       float64 `json:"lift"`
	Items      int     `json:"items"` // of a rule, at most
	Original   int     `json:"original"`
	Released   int     `json:"released"`
	Kept       int     `json:"kept"`
	Lost       int     `json:"lost"`
	New        int     `json:"new"`
	// Bands are the rules of the original by confidence.
	Bands []Band `json:"bands"`
	// StrongestLost and StrongestNew are those whose items meet most more often than by chance (leverage), in the table
	// that has the rule.
	StrongestLost []RuleSurvivalRule `json:"strongestLost"`
	StrongestNew  []RuleSurvivalRule `json:"strongestNew"`
	// Drawn are up to 200 rules of each state, in an order of chance: all of them where there are no more.
	Drawn []Point `json:"drawn"`
	// Readings is nil where every item is known to be there or not.
	Readings *Readings `json:"readings"`
}

// Band counts the rules of the original with a confidence of From and more, below To; the last band holds those that
// are never wrong.
type Band struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Original int     `json:"original"`
	Kept     int     `json:"kept"`
}

// RuleSurvivalRule is a rule with its supports and confidences, shares in [0, 1]; the release's support is 0 where no
// record has its items.
type RuleSurvivalRule struct {
	If     []string             `json:"if"`
	Then   string               `json:"then"`
	Before RuleSurvivalStrength `json:"before"`
	After  RuleSurvivalStrength `json:"after"`
}

// RuleSurvivalStrength is a rule's support and confidence. A confidence of which nothing is known, for no record has
// the beginning, is 0.
type RuleSurvivalStrength struct {
	Support    float64 `json:"support"`
	Confidence float64 `json:"confidence"`
}

// Point is a rule for a drawing.
type Point struct {
	State  RuleSurvivalState    `json:"state"`
	Before RuleSurvivalStrength `json:"before"`
	After  RuleSurvivalStrength `json:"after"`
}

// Readings are the scores if every doubtful item goes against the rules, and if all go their way.
type Readings struct {
	Pessimistic float64 `json:"pessimistic"`
	Optimistic  float64 `json:"optimistic"`
}

func (s *survivalSurvey) detail() RuleSurvivalDetail {
	d := RuleSurvivalDetail{
		Support:       s.Support,
		Confidence:    s.Confidence,
		Lift:          s.Lift,
		Items:         s.Items,
		Original:      s.kept + s.lost,
		Released:      s.kept + s.new,
		Kept:          s.kept,
		Lost:          s.lost,
		New:           s.new,
		Bands:         s.bands,
		StrongestLost: s.named(s.gone.rules),
		StrongestNew:  s.named(s.fresh.rules),
		Drawn:         []Point{},
	}
	for _, sample := range s.drawn {
		for _, r := range sample.rules {
			d.Drawn = append(d.Drawn, Point{r.state, shares(r.before), shares(r.after)})
		}
	}
	if len(s.lists) > 2 {
		d.Readings = &Readings{s.readings[pessimistic].jaccard(), s.readings[optimistic].jaccard()}
	}
	return d
}

// named puts rules into words.
func (s *survivalSurvey) named(rules []rule) []RuleSurvivalRule {
	out := []RuleSurvivalRule{}
	for _, r := range rules {
		text := RuleSurvivalRule{Then: s.coding.Items[r.end].String(), Before: shares(r.before), After: shares(r.after)}
		for _, v := range r.items {
			if v != r.end {
				text.If = append(text.If, s.coding.Items[v].String())
			}
		}
		out = append(out, text)
	}
	return out
}

func shares(s survivalStrength) RuleSurvivalStrength {
	if s.confidence != s.confidence {
		s.confidence = 0
	}
	return RuleSurvivalStrength{s.support, s.confidence}
}

// Headline says how many rules survived.
func (d RuleSurvivalDetail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	kept := float64(d.Kept) / float64(max(1, d.Kept+d.Lost+d.New))
	h.Value, h.Kept = message.Share(kept), &measure.Kept{Before: 1, After: kept}
	switch {
	case r.Public:
		h.Says = message.Say("measure.rulesurvival.head.public")
	case d.Lost+d.New == 0:
		h.Says = message.Say("measure.rulesurvival.head.all").Count("n", d.Kept)
	default:
		h.Says = message.Say("measure.rulesurvival.head.lost").Count("rules", d.Original).Count("lost", d.Lost).
			Count("new", d.New)
	}
	if r.Generalised {
		h.Says = message.After(h.Says, message.Say("measure.head.generalised"))
	}
	return h, true
}
