package randomisedresponse

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
)

// Epsilon is that of a whole record.
func (p *MultivariatePlan) Epsilon() (total float64) {
	for k := range p.Groups {
		total += epsilon(&p.Groups[k])
	}
	return total
}

func epsilon(g *transition.Group) float64 {
	return math.Abs(portable.Log(g.Theta) - portable.Log(1-g.Theta))
}

// Notes says how private a group is, and what its weakness is.
func (p *MultivariatePlan) Notes() []message.Sentence {
	var out []message.Sentence
	total := p.Epsilon()
	for k := range p.Groups {
		g := &p.Groups[k]
		epsilon := epsilon(g)
		switch {
		case math.IsInf(epsilon, 1):
			out = append(out, message.Say("plan.mrr.told").Name("columns", p.names(g)).Number("theta", g.Theta, 0))
		case epsilon == 0:
			out = append(out, message.Say("plan.mrr.nothing").Name("columns", p.names(g)))
		}
	}
	if !math.IsInf(total, 1) {
		out = append(out, message.Say("plan.mrr.epsilon").Digits("epsilon", total, 3).Count("groups", len(p.Groups)))
	}
	for k := range p.Groups {
		if len(p.Groups[k].Columns) > 1 {
			return append(out, message.Say("plan.mrr.together"))
		}
	}
	return out
}

// Corrections says how a user of the release estimates shares of the original.
func (p *MultivariatePlan) Corrections() []message.Sentence {
	if len(p.Groups) == 0 {
		return nil
	}
	var out []message.Sentence
	for k := range p.Groups {
		g := &p.Groups[k]
		name, w := p.names(g), g.Weights()
		switch {
		case math.IsInf(w[0], 0):
			out = append(out, message.Say("correct.mrr.none").Name("columns", name))
		case w[1] < 0:
			out = append(out, message.Say("correct.mrr.less").Name("columns", name).Term("s", w[0], 6).Term("r", -w[1], 6))
		default:
			out = append(out, message.Say("correct.mrr.more").Name("columns", name).Term("s", w[0], 6).Term("r", w[1], 6))
		}
	}
	if len(p.Groups) > 1 {
		out = append(out, message.Say("correct.mrr.several"))
	}
	return append(out, message.Say("correct.mrr.clip"))
}

// Published returns the groups.
func (p *MultivariatePlan) Published() ([]modelfile.Part, error) {
	var out []modelfile.Part
	for _, g := range p.Groups {
		out = append(out, modelfile.Part{Columns: protect.Names(p.Attrs, g.Columns), Group: &modelfile.Group{Theta: g.Theta}})
	}
	return out, nil
}
