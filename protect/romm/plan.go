package romm

import (
	"fmt"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique.
type Plan struct {
	regenerate.ExactMoments
	Lambda float64 `json:"lambda"`
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	return message.Say("does.romm").Number("lambda", p.Lambda, 0)
}

// Check refuses a decoded plan with columns that are not usable, or parameters out of range.
func (p *Plan) Check() error {
	if !(p.Lambda >= 0 && p.Lambda <= MaxLambda) {
		return fmt.Errorf("lambda is %v; expected 0 to %v", p.Lambda, float64(MaxLambda))
	}
	return p.ExactMoments.Check()
}

// Notes says where the release is not what the technique promises, and how far rounding and clipping may move the
// moments.
func (p *Plan) Notes() []message.Sentence {
	out := p.ExactMoments.Notes()
	if f := p.Facts; f.Turned() && len(p.Columns) > 0 {
		out = append(out, message.Say("plan.moments.lambda").Number("lambda", p.Lambda, 0).Count("n", f.Complete).
			Digits("correlation", 1-p.Least(), 2))
	}
	return out
}

// Apply replaces the confidential columns. Column j draws from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return p.Draw(chunk, src, func(y, u, z [][]float64) error { return Replace(y, u, z, p.Lambda) })
}
