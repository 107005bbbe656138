package gadp

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// EGADPPlan is the fitted technique.
type EGADPPlan struct{ regenerate.ExactMoments }

// Describe says what the plan does.
func (p *EGADPPlan) Describe() message.Sentence {
	return message.Say("does.egadp").Number("security", p.Least(), 0)
}

// Notes says where the release is not what the technique promises, and how far rounding and clipping may move the
// moments.
func (p *EGADPPlan) Notes() []message.Sentence {
	out := p.ExactMoments.Notes()
	if f := p.Facts; f.Turned() && !f.Roomy() && p.Least() > 0 {
		out = append(out, message.Say("plan.moments.narrow").Count("n", f.Complete))
	}
	return out
}

// Apply replaces the confidential columns. Column j draws from src.Fork(name of j).
func (p *EGADPPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return p.Draw(chunk, src, func(y, u, z [][]float64) error { return EGADPReplace(nil, y, u, z, p.Dial()) })
}
