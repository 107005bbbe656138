package randomisedresponse

import (
	"slices"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// nothing is a share of the records that are kept, besides those drawn anew, of which nothing can be told.
const nothing = 1e-9

// Notes says how many records stay, how far the odds of two may move, and what can still be found.
func (p *FrappPlan) Notes() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	d := p.Diagonal(p.Columns)
	stays := message.Say("plan.frapp.stays").Digits("combinations", d.Size, 6).Digits("p", float64(d.Gamma*d.Off()), 3)
	if d.Gamma*d.Off() <= 0.5 {
		stays = message.Say("plan.frapp.random").Part("stays", stays)
	}
	out := []message.Sentence{stays, p.told(d)}
	if d.Keep() >= nothing {
		out = append(out, p.found(d))
	}
	if p.Spread > 0 {
		out = append(out, message.Say("plan.frapp.spread"))
	}
	if numbers := p.numbers(); numbers != nil {
		out = append(out, message.Say("plan.frapp.numbers").Quoted("columns", numbers))
	}
	return append(out, message.Say("plan.frapp.together"))
}

// Epsilon is that of a whole record.
func (p *FrappPlan) Epsilon() float64 { return portable.Log(p.Gamma) }

// told says how far the odds of two originals may move.
func (p *FrappPlan) told(d randomised.Diagonal) message.Sentence {
	if d.Keep() < nothing {
		return message.Say("plan.frapp.nothing")
	}
	_, most := randomised.Posterior(0.05, p.Gamma)
	return message.Say("plan.frapp.epsilon").Digits("epsilon", portable.Log(p.Gamma), 3).
		Digits("gamma", p.Gamma, 4).Digits("up", most, 3)
}

// numbers names the numeric columns, which stay.
func (p *FrappPlan) numbers() (out []string) {
	for j := range p.Attrs {
		if a := &p.Attrs[j]; a.Kind == table.Numeric && a.Role&table.Weight == 0 {
			out = append(out, a.Name)
		}
	}
	return out
}

// found says which shares can still be found.
func (p *FrappPlan) found(d randomised.Diagonal) message.Sentence {
	sizes := []int{}
	for _, j := range p.Columns {
		sizes = append(sizes, len(p.Attrs[j].Labels))
	}
	slices.Sort(sizes)
	var shares []message.Sentence
	combinations := 1.0
	for k := range min(3, len(sizes)) {
		combinations = float64(combinations * float64(sizes[k]))
		at := message.Say("plan.none")
		if s := d.Lowest(float64(p.Records), combinations); s <= 1 {
			at = message.Share(s)
		}
		shares = append(shares, message.Say("plan.frapp.value").Part("share", at).Count("n", k+1))
	}
	return message.Say("plan.frapp.lowest").Part("shares", message.Listed(shares)).Digits("condition", d.Condition(), 4)
}

// Corrections says how a user of the release estimates shares of the original.
func (p *FrappPlan) Corrections() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	d := p.Diagonal(p.Columns)
	if d.Keep() < nothing {
		return []message.Sentence{message.Say("correct.frapp.none")}
	}
	var sizes []message.Sentence
	for _, j := range p.Columns {
		sizes = append(sizes, message.Column(p.Attrs[j].Name, message.Count(len(p.Attrs[j].Labels))))
	}
	return []message.Sentence{
		message.Say("correct.frapp.share").Term("off", float64(d.Size*d.Off()), 6).Term("keep", d.Keep(), 6).
			Part("columns", message.Listed(sizes)),
		message.Say("correct.frapp.missing"),
		message.Say("correct.clip"),
	}
}
