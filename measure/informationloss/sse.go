package informationloss

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/numeric"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// SSE measures what microaggregation loses: the share of the variation of the numeric attributes within the
// groups that means are released of (Domingo-Ferrer & Mateo-Sanz 2002).
//
// With x a value of the original, x' the one released for it, and m and s the mean and the standard deviation of the
// attribute in the original,
//
//	SSE = sum ((x - x')/s)^2      over the records and the attributes
//	SST = sum ((x - m)/s)^2       which is the number of cells
//
// and the score is SSE/SST. Parts give the two sums, what the release keeps, sum ((x' - m')/s)^2 / SST with m' the
// released mean, and SSE/SST of every attribute, of which the score is the mean weighted by cells.
//
// Reading it. Where groups of records get their mean, SSE is the sum of squares within the groups: the score is in [0,
// 1], 0 for groups of equal values and 1 for one group of all, and the score and what the release keeps add up to 1.
// Any other paired release has a score too, the mean square error of a value in variances of its attribute:
// uncorrelated noise of a tenth of the variance has 0.1, and values exchanged at random 2. It has no upper end then,
// and what the release keeps says whether its variance is that of the original.
//
// It needs paired records and numeric attributes: those named, or else all but identifiers and weights that the release
// changes. Attributes released as they are would dilute the figure. Of equal tables the score is 0; a release that
// changes or generalises other attributes alone has none. Categorical attributes are left out, and so is an attribute
// that is constant in the original, for it has no variation to lose; notes say so. Sampling weights are not used.
//
// Missing values: a cell that either table lacks is left out, of the attribute's mean and standard deviation too, and a
// note counts those. So suppression costs nothing here: informationloss counts it.
//
// Cost: O(n p) for n records and p attributes, on all cores; the result does not depend on their number.
//
// Departures: none for microaggregation. Attributes are standardised (Domingo-Ferrer & Mateo-Sanz 2002, section 4),
// which weighs them alike.
//
// Reference: J. Domingo-Ferrer and J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical
// disclosure control", IEEE Transactions on Knowledge and Data Engineering 14, 2002.
var SSE = measure.Measure{
	Card: card.Card{
		Name:    "sse",
		Title:   "Information loss of microaggregation",
		Short:   "SSE",
		Aliases: []string{"SSE/SST", "sum of squared errors", "within-groups sum of squares"},
		Summary: "Share of the variation of the changed numeric attributes that is lost by releasing group " +
			"means: SSE/SST, standardised.",
		Paper:     "Domingo-Ferrer & Mateo-Sanz 2002",
		Needs:     "paired records; the given numeric attributes, or those that the release changes",
		Preserves: "0 when no numeric value is changed",
		Biases: "ignores suppressed values and relations between attributes; above 1 only if the release is not " +
			"one of group means",
		Missing: "cells missing in either table are omitted and counted",
		Cost:    "O(n p)",
		Shards:  measure.FromMoments,
	},
	Facts: measure.Facts{
		About:  measure.Worth,
		Effort: measure.Fast,
		Column: measure.Caption{Place: 1, Says: func(figure string) message.Sentence {
			return message.Say("caption.sse").Text("figure", figure)
		}},
		MostParts: 3,
	},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: math.Inf(1), OpenHi: true},
	Unit:   measure.In(measure.Ratio, message.Say("unit.sseSst")),
	New:    func() measure.Meter { return param.Default(&SSEMeter{}) },
}

// SSEMeter measures SSE/SST.
type SSEMeter struct {
	Columns []string // the attributes measured; empty for those that are changed
}

// Params declares the parameters.
func (m *SSEMeter) Params() param.Set {
	return param.Set{param.Names(&m.Columns, "columns",
		"numeric columns to measure; none: all changed ones except identifiers and weights")}
}

// Measure returns SSE/SST with the sums and the attributes as parts, and a SSEDetail. It does not apply when the
// records are not paired or the original has no numeric attribute that varies; it fails when a named column is not a
// numeric one.
func (m *SSEMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if !r.Paired {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.errorPairs"))
	}
	cols, err := numeric.Columns(r.Original, m.Columns)
	if err != nil {
		return measure.Value{}, err
	}
	all := make([]Attribute, len(cols))
	for k, j := range cols {
		if all[k], err = compare(ctx, r.Original.Num(j), r.Released.Num(j), r.Original.Space()); err != nil {
			return measure.Value{}, err
		}
		all[k].Name = r.Original.Attr(j).Name
	}
	d := sum(all, len(m.Columns) > 0)
	if d.varying == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noSquares"))
	}
	if len(m.Columns) == 0 && len(d.Attributes) == 0 && (r.Exact != nil || !equal(r.Original, r.Released)) {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noError"))
	}
	v := measure.Exact(d.Loss, d.parts(), d.notes(categorical(r.Original, m.Columns))...)
	v.Detail = d
	return v, nil
}

// equal reports whether two tables of the same attributes hold the same values.
func equal(a, b *table.Table) bool {
	for j := range a.Width() {
		if x, y := a.Column(j), b.Column(j); !x.Equal(&y) {
			return false
		}
	}
	return true
}

func measured(a *table.Attribute) bool { return a.Role&(table.Identifier|table.Weight) == 0 }

// categorical counts the categorical attributes that the measure passes over; 0 when columns are named.
func categorical(t *table.Table, named []string) int {
	n := 0
	for j := range t.Width() {
		if a := t.Attr(j); len(named) == 0 && a.Kind == table.Categorical && measured(a) {
			n++
		}
	}
	return n
}
