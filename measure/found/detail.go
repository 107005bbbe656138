package found

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Detail is the best attack.
type Detail struct {
	Attacked  measure.Attack `json:"attack"`
	Attackers []measure.Part `json:"attackers"` // what each that was counted finds of the same people, the most first
	Tried     int            `json:"tried"`     // attackers, also those that were given up before
	Released  int            `json:"released"`  // records
	Chosen    int            `json:"chosen"`    // people by whom attacks were selected
}

// Attack returns the best attack.
func (d *Detail) Attack() measure.Attack { return d.Attacked }

func (d *Detail) value(notes []message.Sentence) measure.Value {
	a := &d.Attacked
	v := measure.Value{Score: a.Share, Lo: a.Lo, Hi: a.Hi, Detail: d}
	v.Parts = []measure.Part{
		{Key: "guessed", Name: message.Say("measure.found.part.guessed"), Score: 1 / float64(d.Released)},
		{Key: "tried", Name: message.Say("measure.found.part.tried"), Score: float64(a.Tried)},
	}
	if a.Before != nil {
		v.Parts = append(v.Parts,
			measure.Part{Key: "found-before", Name: message.Say("measure.found.part.found-before"), Score: *a.Before})
	}
	if a.Sure != nil {
		v.Parts = append(v.Parts,
			measure.Part{Key: "found-sure", Name: message.Say("measure.found.part.found-sure"), Score: *a.Sure})
	}
	for _, p := range d.Attackers {
		v.Parts = append(
			v.Parts,
			measure.Part{
				Key:   p.Key,
				Of:    p.Of,
				Name:  message.Say("measure.found.part.found-by").Part("attack", p.Name),
				Score: p.Score,
			},
		)
	}
	v.Notes = append(v.Notes, message.Say("measure.note.by").Part("how", d.way()))
	if all := a.Tried + d.Chosen; all < a.People {
		v.Notes = append(v.Notes, message.Say("measure.found.note.sample").Count("all", all).Count("people", a.People).
			Count("chosen", d.Chosen).Count("counted", a.Tried))
	}
	v.Notes = append(v.Notes, message.Say("measure.found.note.attackers").Count("counted", len(d.Attackers)).
		Count("all", d.Tried))
	v.Notes = append(v.Notes, notes...)
	return v
}

// shown is how many columns a sentence names.
const shown = 4

// way tells the attack and what it uses.
func (d *Detail) way() message.Sentence {
	a := &d.Attacked
	key := "nothing"
	switch {
	case len(a.Groups) > 0:
		key = "whole"
		if a.Gaps {
			key = "wholeAndGaps"
		}
		return message.Say("measure.found.way."+key).Part("attack", a.By).Columns("columns", a.Knows, shown).
			Columns("groups", a.Groups, shown)
	case a.Gaps && len(a.Knows) == 0:
		key = "gaps"
	case a.Gaps:
		key = "columnsAndGaps"
	case len(a.Knows) > 0:
		key = "columns"
	}
	return message.Say("measure.found.way."+key).Part("attack", a.By).Columns("columns", a.Knows, shown)
}

// Sentence says what the best intruder can do.
func (d *Detail) Sentence() message.Sentence {
	a := &d.Attacked
	if a.Before == nil {
		return message.Say("measure.found.says").Share("found", a.Share).Count("people", a.Tried).Share("lo", a.Lo).
			Share("hi", a.Hi).Part("way", d.way()).Count("records", d.Released)
	}
	return message.Say("measure.found.saysBefore").Share("found", a.Share).Count("people", a.Tried).Share("lo", a.Lo).
		Share("hi", a.Hi).Part("way", d.way()).Share("before", *a.Before).Count("records", d.Released)
}

// Headline says how many people the best intruder finds. It is not for the public: it tells an intruder how far to
// trust a match.
func (d *Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if r.Public {
		return h, false
	}
	a := &d.Attacked
	says := message.Say("measure.found.head").Share("lo", a.Lo).Share("hi", a.Hi).Part("way", d.way())
	var before message.Sentence
	if a.Before != nil {
		before = message.Say("measure.found.before").Share("before", *a.Before)
	}
	return measure.Headline{
		Value:    message.Share(a.Share),
		Intruder: &a.Intruder,
		Weight:   a.Share,
		Says:     message.After(says, before),
	}, true
}
