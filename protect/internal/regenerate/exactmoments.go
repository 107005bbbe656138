package regenerate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ExactMoments is what the plans share that regenerate records so that, to rounding, their means and covariances stay
// those of the records at hand: EGADP (Muralidhar & Sarathy 2005), random orthogonal matrix masking (Ting, Fienberg &
// Trottini 2008). The plan holds no moments. All columns have one security, here what is reached: 1 - the correlation
// of released and original residuals of the regression on S.
type ExactMoments struct {
	Frame
	protect.OneGroup
	Facts *orthobasis.Facts `json:"facts"` // of the records the plan was fitted on
	// Outer and Inner hold, by position in Columns, the shares of values expected outside an observed domain (Beyond) and
	// forced into one (Forced), for the notes.
	Outer []float64 `json:"outer,omitempty"`
	Inner []float64 `json:"inner,omitempty"`
}

// ExactOutsideParam declares the parameter "outside" of ExactMoments, without redrawing of records: the moments are of
// all together.
func ExactOutsideParam(p *string) param.Param {
	return param.Choice(p, "outside", fence.OutsideAllow, []string{fence.OutsideAllow, fence.OutsideClip},
		"a value outside its domain: allow it (unless the domain is declared), or clip it to the nearest end")
}

// Exactly returns the frame of a plan and looks at the records for its notes. Records that S singles out, which no
// noise with exact moments can change, are an error where categories were given: theirs would be released as they are.
// Cost: O(n (k+q)^2) for k columns X and q of S.
func Exactly(ctx context.Context, t *table.Table, given, except []string, outside string) (ExactMoments, error) {
	f, err := New(t, 1, given, except)
	if err != nil {
		return ExactMoments{}, err
	}
	f.Outside = outside
	p := ExactMoments{Frame: f}
	p.Facts, err = orthobasis.Study(ctx, protect.Names(p.Attrs, slices.Concat(p.Columns, p.Others)), p.Records(t),
		len(p.Columns))
	if err == nil && p.Facts.Singled > 0 && len(p.Given) > 0 {
		err = fmt.Errorf("parameter %q: with these columns %s like no other, and the release would have the original there; "+
			"group rare categories first", "given", numfmt.Are(p.Facts.Singled, "record"))
	}
	if err == nil {
		p.crossings(t)
	}
	return p, err
}

// crossings sets Outer and Inner by the mean and the standard deviation of each column.
func (p *ExactMoments) crossings(t *table.Table) {
	for k, j := range p.Columns {
		known := slices.DeleteFunc(slices.Clone(t.Num(j)), func(v float64) bool { return v != v })
		mean, sd := vector.Mean(known), p.Facts.SD[k]
		p.Outer = append(p.Outer, fence.Beyond(&p.Attrs[j], p.Outside, mean, sd))
		p.Inner = append(p.Inner, fence.Forced(&p.Attrs[j], p.Outside, mean, sd))
	}
}

// Reach sets the security that is reached, and keeps it at 1 where means are released.
func (p *ExactMoments) Reach(security float64) {
	if !p.Facts.Turned() {
		security = 1
	}
	for k := range p.Security {
		p.Security[k] = security
	}
}

// Check refuses a decoded plan whose frame or facts are inconsistent.
func (p *ExactMoments) Check() error {
	if p.Facts == nil {
		return errors.New("the plan has no facts about the records it was fitted on")
	}
	if len(p.Security) > 0 && slices.Max(p.Security) != slices.Min(p.Security) {
		return errors.New("the columns differ in security")
	}
	for _, shares := range [][]float64{p.Outer, p.Inner} {
		if len(shares) != 0 && len(shares) != len(p.Columns) {
			return fmt.Errorf("there are %d shares of values outside for %d columns", len(shares), len(p.Columns))
		}
	}
	return cmp.Or(p.Frame.Check(fence.OutsideAllow, fence.OutsideClip), p.Facts.Check(len(p.Columns)))
}

// Draw is Frame.Draw in the order of the records' identities.
func (p *ExactMoments) Draw(
	chunk *table.Table,
	src rng.Source,
	law func(y, u, z [][]float64) error,
) (*table.Table, error) {
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) { return p.Frame.Draw(t, src, law) })
}

// Notes says where the release is not what the technique promises, and how far rounding and clipping may move the
// moments.
func (p *ExactMoments) Notes() []message.Sentence {
	attrs := make([]table.Attribute, len(p.Columns))
	for k, j := range p.Columns {
		attrs[k] = p.Attrs[j]
	}
	clipped := func(k int) bool { return attrs[k].Declared || p.Outside == fence.OutsideClip }
	out := append(p.Frame.Notes(), p.Facts.Notes(attrs, 1-p.Least(), clipped)...)
	if !p.Facts.Turned() {
		return out
	}
	open := make([]float64, len(p.Columns))
	for k, e := range p.Facts.Explained {
		if open[k] = 1 - e; slices.Contains(p.Facts.Constant, k) || p.Facts.SD[k] == 0 {
			open[k] = 1 // of these the facts tell
		}
	}
	out = append(out, p.Originals(open)...)
	return slices.Concat(out, fence.BeyondNotes(p.Changes(), p.Outer), fence.ForcedNotes(p.Changes(), p.Inner))
}

// Corrections says how a user of the release works out means of groups of records.
func (p *ExactMoments) Corrections() []message.Sentence {
	if !p.Facts.Turned() {
		return nil
	}
	out := p.GroupMeans(p.Inner)
	if gaps := p.Facts.Records - p.Facts.Complete; gaps > 0 && len(out) > 0 {
		out[0] = message.Say("correct.given.complete").Count("n", p.Facts.Complete).Count("all", p.Facts.Records).
			Part("forced", fence.ForcedCorrection(p.Changes(), p.Inner))
	}
	return out
}

// Additive reads a release as original plus noise (noisemodel.Additive): an intruder who knows the security takes off
// what S explains and divides by 1 - security. Without anything let through it returns nothing.
func (p *ExactMoments) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	a := 1 - p.Least()
	if a == 0 {
		return nil, nil, nil, nil
	}
	if released, err = released.Conform(p.Attrs, false); err != nil {
		return nil, nil, nil, err
	}
	z, noise, err = orthobasis.Unmask(p.Records(released), len(p.Columns), a)
	return p.Changes(), z, noise, err
}
