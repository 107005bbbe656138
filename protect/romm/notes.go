package romm

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/orthogonal"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// dial returns a, the correlation of released and original residuals; 0 where means are released.
func (p *Plan) dial() float64 {
	if !p.Facts.Turned() {
		return 0
	}
	return Dial(p.Lambda, p.Facts.Free)
}

// Notes says where the release is not what the technique promises, and how far rounding and clipping may move the moments.
func (p *Plan) Notes() []string {
	attrs := make([]table.Attribute, len(p.Columns))
	for k, j := range p.Columns {
		attrs[k] = p.Attrs[j]
	}
	out := p.Facts.Notes(attrs, p.dial(), func(k int) bool { return attrs[k].Declared || p.Outside == protect.OutsideClip })
	if f := p.Facts; f.Turned() && len(p.Columns) > 0 {
		out = append(out, fmt.Sprintf("with lambda %v on %d records, what the other columns leave open of a value correlates by about %.2g with what is released of it",
			p.Lambda, f.Complete, p.dial()))
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

// Additive reads a release as original plus noise (measure.Additive): an intruder who knows lambda takes off what S explains and divides by
// the correlation of the residuals.
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
