package additive

import (
	"math"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
)

// Corrections says how a user of the release works out the moments of the original from those of a release with
// correlated noise, from the figures of the noise alone: neither means nor variances of the original are given away. A
// group is a subpopulation (Kim 1986; Tendick & Matloff 1994; Brand 2002).
func (p *Plan) Corrections() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	c, d := p.Shrink, p.Noise
	whole := float64(c * c * (1 + d)) // by this factor the release's covariances differ from the original's
	means, divide := "correct.noise.means", message.Say("correct.noise.divide").Term("f", whole, 6)
	if math.Abs(whole-1) < 1e-12 {
		divide = message.Say("correct.noise.kept")
	}
	correlation := message.Say("correct.noise.correlation").Term("d", d, 6).Term("f", math.Sqrt(1+d), 6)
	if c < 1 {
		means, correlation = "correct.noise.overall", message.Say("correct.noise.shrunk").
			Part("correlation", correlation).Term("c", 1/c, 6)
	}
	group := message.Say("correct.noise.group").Term("g", d/whole, 6)
	if f := 1 / (c * c); numfmt.Rounded(f, 6) != "1" {
		group = message.Say("correct.noise.scaled").Term("f", f, 6).Term("g", d/whole, 6)
	}
	out := []message.Sentence{message.Say(means).Part("forced", p.Forcing()), divide, correlation, group}
	if c < 1 {
		out = append(out, message.Say("correct.noise.mean").Term("c", c, 6))
	}
	return append(out, p.Exactness()...)
}

// IndependentCorrections says the same of noise drawn for every attribute apart.
func (p *Plan) IndependentCorrections() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	d := p.Noise
	return append([]message.Sentence{
		message.Say("correct.independent.means").Part("forced", p.Forcing()),
		message.Say("correct.independent.variance").Term("d", d, 6).Term("f", 1+d, 6),
		message.Say("correct.independent.correlation").Term("two", 1+d, 6).Term("one", math.Sqrt(1+d), 6),
		message.Say("correct.independent.group").Term("g", d/(1+d), 6),
	}, p.Exactness()...)
}

// Forcing completes a correction that says that moments need none: it leaves out the columns of which many values were
// forced into their domain.
func (p *Plan) Forcing() message.Sentence {
	return fence.ForcedCorrection(p.Changes(), p.crossings(fence.Forced))
}

// Exactness says of which columns the corrections are wrong, for rounding to the grid takes most of their noise away,
// and of which they are approximate, for their values are kept inside a domain; nothing where there are none. Rounding
// adds step²/12 to a variance only where the noise is wide against the step.
func (p *Plan) Exactness() []message.Sentence {
	var narrow, kept []string
	var out []message.Sentence
	for k, j := range p.Columns {
		a := &p.Attrs[j]
		if p.narrow(k) {
			narrow = append(narrow, a.Name)
		}
		if a.Declared {
			kept = append(kept, a.Name)
		}
	}
	if narrow != nil {
		out = append(out, message.Say("correct.noise.narrow").Quoted("columns", narrow))
	}
	switch {
	case p.Outside == fence.OutsideClip || p.Outside == fence.OutsideRedraw:
		out = append(out, message.Say("correct.noise.outside").Name("outside", p.Outside))
	case kept != nil:
		out = append(out, message.Say("correct.noise.approximate").Quoted("columns", kept))
	}
	return out
}
