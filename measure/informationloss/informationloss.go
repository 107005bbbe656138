package informationloss

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/anonymity/infoloss"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/numeric"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// InformationLoss measures how far the values, means, covariances, variances and correlations of numeric
// attributes changed, in one figure (Domingo-Ferrer & Torra 2001).
//
// The score is IL = 100 (IL1 + IL2 + IL3 + IL4 + IL5) / 5, in per cent: mean relative changes of the values (IL1), of
// the attributes' means (IL2), of the covariance matrix (IL3) and of its diagonal, the variances (IL4), and the mean
// absolute change of the correlations (IL5). Package infoloss has the formulas and their guards: every term is capped
// at 1 (Trottini 2003), so that 100 means that everything is lost. Parts give the five losses, and IL1s, which measures
// a value's change in standard deviations of its attribute (Yancey, Winkler & Creecy 2002) and takes the place of IL1
// on demand. The parts, too, are in per cent.
//
// It needs numeric attributes: all but identifiers and weights, or those named. IL1 and IL1s need paired records;
// without, they are left out of the mean and a note says so, and with one attribute so is IL5.
//
// Reading it. IL1 jumps where original values are close to zero, and IL2 and IL3 where a mean or a covariance is: a
// covariance of two attributes that hardly go together counts as lost when it stays negligible but changes. IL1s is the
// steadier choice, and bias the measure that says what moved.
//
// Missing values: a value that the original lacks is not compared; one that the release lacks counts as lost, with the
// loss 1. Moments are pairwise complete.
//
// Cost: O(n p^2) for n records and p attributes, on all cores; the result does not depend on their number.
//
// Departures: the papers leave zeros open. What is 0 in the original and is not in the release counts as lost, but for
// values, which have the term of IL1s then.
var InformationLoss = measure.Measure{
	Card: card.Card{
		Name:    "informationloss",
		Title:   "Information loss",
		Aliases: []string{"IL", "IL1s", "mean variation"},
		Summary: "Mean relative change of the values, means, covariances and variances, and mean change of the " +
			"correlations.",
		Paper:     "Domingo-Ferrer & Torra 2001; Yancey, Winkler & Creecy 2002 (IL1s); Trottini 2003 (terms capped at 1)",
		Needs:     "numeric attributes; paired records for the losses of values, IL1 and IL1s",
		Preserves: "0 when the tables are the same",
		Biases:    "overstates changes in values, means and covariances that are close to zero in the original",
		Missing: "a suppressed value counts as lost; originally missing values are not compared; moments are " +
			"pairwise complete",
		Cost:   "O(n p²)",
		Shards: measure.FromMoments,
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 100},
	Unit:   measure.In(measure.Percent, message.Sentence{}),
	New:    func() measure.Meter { return param.Default(&InformationLossMeter{}) },
}

// What the loss of a number is relative to.
const (
	IL1  = "il1"  // the number
	IL1s = "il1s" // its attribute's standard deviation
)

// InformationLossMeter measures information loss.
type InformationLossMeter struct {
	Values  string   // il1 or il1s
	Columns []string // the attributes compared; empty for all
}

// Params declares the parameters.
func (m *InformationLossMeter) Params() param.Set {
	return param.Set{
		param.Choice(&m.Values, "values", IL1, []string{IL1, IL1s},
			"loss of values in the score: relative to the value, or to the standard deviation of its attribute"),
		param.Names(&m.Columns, "columns", "numeric columns to compare; none: all except identifiers and weights"),
	}
}

// Measure returns IL with the losses as parts, in per cent, and an InformationLossDetail by attribute. It does not
// apply when the original has no numeric values to compare; it fails when a named column is not a numeric one, and
// above correlation.Limit columns.
func (m *InformationLossMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	cols, err := m.columns(r.Original)
	if err != nil {
		return measure.Value{}, err
	}
	l, err := infoloss.Of(ctx, r.Original, r.Released, cols, r.Paired)
	if err != nil {
		return measure.Value{}, err
	}
	total := l.Total(m.Values == IL1s)
	if total != total {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noValues"))
	}
	v := measure.Exact(total, nil)
	for _, p := range []measure.Part{{Key: "il1", Name: message.Say("measure.informationloss.part.il1"), Score: l.IL1},
		{Key: "il1s", Name: message.Say("measure.informationloss.part.il1s"), Score: l.IL1s},
		{Key: "il2", Name: message.Say("measure.informationloss.part.il2"), Score: l.IL2},
		{Key: "il3", Name: message.Say("measure.informationloss.part.il3"), Score: l.IL3},
		{Key: "il4", Name: message.Say("measure.informationloss.part.il4"), Score: l.IL4},
		{Key: "il5", Name: message.Say("measure.informationloss.part.il5"), Score: l.IL5}} {
		if p.Score == p.Score {
			p.Score = float64(p.Score * 100)
			v.Parts = append(v.Parts, p)
		}
	}
	v.Notes = notes(l, r.Paired)
	v.Detail = InformationLossDetail{*l}
	return v, nil
}

// columns returns the positions of the columns compared.
func (m *InformationLossMeter) columns(t *table.Table) ([]int, error) {
	out, err := numeric.Columns(t, m.Columns)
	if err == nil && len(out) == 0 {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noNumbers"))
	}
	return out, err
}

// notes says what the score leaves out and how much was suppressed.
func notes(l *infoloss.Loss, paired bool) (out []message.Sentence) {
	if !paired {
		out = append(out, message.Say("measure.informationloss.note.unpaired"))
	}
	for _, p := range []struct {
		loss float64
		of   string
	}{{l.IL2, "means"}, {l.IL4, "variances"}, {l.IL5, "correlations"}} {
		if p.loss != p.loss {
			out = append(out, message.Say("measure.informationloss.note.no-"+p.of))
		}
	}
	suppressed := 0
	for _, c := range l.Columns {
		suppressed += c.Suppressed
	}
	if suppressed > 0 {
		out = append(out, message.Say("measure.informationloss.note.suppressed").Count("n", suppressed))
	}
	return out
}
