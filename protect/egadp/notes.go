package egadp

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/orthogonal"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// dial returns a, the share of the residuals that reaches the release: 0 where there are too few records to keep more.
func (p *Plan) dial() float64 {
	if !p.Facts.Roomy() {
		return 0
	}
	return 1 - p.Security
}

// Notes says where the release is not what the technique promises, and how far rounding and clipping may move the moments.
func (p *Plan) Notes() []string {
	attrs := make([]table.Attribute, len(p.Columns))
	for k, j := range p.Columns {
		attrs[k] = p.Attrs[j]
	}
	out := p.Facts.Notes(attrs, p.dial(), func(k int) bool { return attrs[k].Declared || p.Outside == protect.OutsideClip })
	if f := p.Facts; f.Turned() && !f.Roomy() {
		note := fmt.Sprintf("%d complete records are too few for noise orthogonal to the original values: moments are exact, but the noise may resemble the original by chance",
			f.Complete)
		if p.Security < 1 {
			note += "; security counts as 1"
		}
		out = append(out, note)
	}
	return out
}

// Corrections says how a user of the release works out means of groups of records.
func (p *Plan) Corrections() []string {
	if len(p.Columns) == 0 || !p.Facts.Turned() {
		return nil
	}
	return orthogonal.Corrections(protect.Names(p.Attrs, p.Others), p.dial())
}

// Additive reads a release as original plus noise (measure.Additive): an intruder who knows the security takes off what S explains and
// divides by 1 - security. Without anything let through it returns nothing.
func (p *Plan) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	if p.dial() == 0 {
		return nil, nil, nil, nil
	}
	if released, err = released.Conform(p.Attrs, false); err != nil {
		return nil, nil, nil, err
	}
	z, noise, err = orthogonal.Unmask(p.values(released), len(p.Columns), p.dial())
	return p.Changes(), z, noise, err
}
