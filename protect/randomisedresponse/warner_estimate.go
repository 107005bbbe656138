package randomisedresponse

import (
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
)

// Notes says how private a value and a record are, and of which columns all or nothing is released.
func (p *WarnerPlan) Notes() []message.Sentence { return p.response(p.P).Notes() }

// Epsilon is that of a whole record.
func (p *WarnerPlan) Epsilon() float64 { return p.response(p.P).Epsilon() }

// Corrections says how a user of the release estimates shares and tables of the original.
func (p *WarnerPlan) Corrections() []message.Sentence {
	var out []message.Sentence
	for _, k := range p.response(p.P).Sizes() {
		names, q := p.response(p.P).Of(k), (1-p.P)/float64(k-1)
		if math.Abs(p.P-q) < 1e-9 {
			out = append(out, message.Say("correct.categories.none").Quoted("columns", names))
			continue
		}
		out = append(out,
			message.Say("correct.categories.share").Quoted("columns", names).Term("q", q, 6).Term("d", p.P-q, 6).
				Digits("v", float64((p.P-q)*(p.P-q)), 6),
			message.Say("correct.categories.tables").Quoted("columns", names).Term("p", p.P, 6).Term("q", q, 6))
	}
	if out != nil {
		out = append(out, message.Say("correct.scale"))
	}
	return out
}

// Published returns the probability to stay and the numbers of categories.
func (p *WarnerPlan) Published() ([]modelfile.Part, error) { return p.published(p.P), nil }
