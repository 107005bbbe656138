package informationloss

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Precision is Sweeney's precision.
var Precision = entry(levels, measure.Measure{
	Card: card.Card{
		Name:      "precision",
		Title:     "Sweeney's precision",
		Aliases:   []string{"prec"},
		Summary:   "Average distance of values from the top of their generalisation hierarchies.",
		Paper:     "Sweeney 2002, section 4; Nai Fovino & Masera 2008, eq. 1.1, 6.2 and 6.4",
		Preserves: "the levels of all cells",
		Biases:    "every step in a hierarchy counts equally, however many values it joins; perturbed values count as lost",
		Missing:   "originally missing values have lost nothing; suppressed ones are at the top",
	},
	Facts: measure.Facts{Column: measure.Caption{Place: 3, Says: func(figure string) message.Sentence {
		return message.Say("caption.precision").Text("figure", figure)
	}}},
	Better: measure.Higher,
	Unit:   measure.In(measure.Share, message.Say("unit.ofHeight")),
})

// NCP is the normalised certainty penalty.
var NCP = entry(penalties, measure.Measure{
	Card: card.Card{
		Name:  "ncp",
		Title: "Normalised certainty penalty",
		Short: "NCP",
		Aliases: []string{"gcp", "normalised-certainty-penalty", "normalized-certainty-penalty", "lm", "loss-metric",
			"general-loss-metric"},
		Summary:   "Average share of their domain that the values of a generalised release cover.",
		Paper:     "Iyengar 2002 (LM, over the number of columns); Xu and others 2006; Ghinita and others 2007 (GCP)",
		Preserves: "the share of the domain that every cell covers",
		Biases:    "all parts of a domain count equally, however many records have them; perturbed values count as lost",
		Missing:   "originally missing values have lost nothing; suppressed ones cover everything",
	},
	Facts: measure.Facts{Column: measure.Caption{Place: 2, Says: func(figure string) message.Sentence {
		return message.Say("caption.ncp").Text("figure", figure)
	}}},
	Better: measure.Lower,
	Unit:   measure.In(measure.Share, message.Say("unit.ofDomain")),
	Losses: []measure.Loss{{
		Name: "detail", Says: message.Say("loss.detail"),
		Of:   measure.ByScore,
		Else: gaps,
		Weights: []measure.Weight{
			{Purpose: "everything", Weight: 1, Place: 8},
			{Purpose: "models", Weight: 1, Place: 6},
			{Purpose: "statistics", Weight: 1, Place: 6},
		},
	}},
})

// figure takes the score of a release whose records are paired with the exact ones, and its parts by attribute.
type figure func(ctx context.Context, r *measure.Release, exact *table.Table) (measure.Value, error)

// entry is the entry of a figure, with what both say.
func entry(of figure, e measure.Measure) measure.Measure {
	e.Needs = "the original; the plan or hierarchies, where values are generalised"
	e.Cost = "O(n) per attribute and level"
	e.Facts.About, e.Facts.Effort = measure.Worth, measure.Fast
	e.Side, e.Range, e.Exact = measure.Utility, table.Interval{Lo: 0, Hi: 1}, true
	e.New = func() measure.Meter { return &GeneralisationMeter{of} }
	return e
}

// GeneralisationMeter measures how general the values of a release are: by Sweeney's precision, 1 minus the mean
// level of the cells over the height of their hierarchies (precision), and by the normalised certainty penalty, the
// share of its domain that a cell covers (ncp).
//
// Cells are those of the quasi-identifiers and of the attributes known to be generalised, where there are neither those
// of all attributes but the class and weights. What became of a cell the plan says, or the hierarchy that was given:
// the released label is the group of the exact value on the lowest level where it fits. Scores are of all cells; parts
// give them by attribute.
//
// precision: Prec = 1 - sum_ij h_ij / |DGH_j| / (N p), with the level h_ij of a cell, |DGH_j| for a suppressed one. An
// attribute without a hierarchy has height 1: it is as it was, or lost. Where records are partitioned (Mondrian) cells
// have no level, and it does not apply.
//
// ncp: an interval costs its width over that of the domain, a group of m of the n listed categories (m-1)/(n-1), a
// value as it was 0, a suppressed one 1. The score is the mean over all cells (the global certainty penalty GCP,
// Ghinita and others 2007, with equal weights), which is Iyengar's general loss metric LM over the number of columns:
// his is the sum over the columns of the mean of their cells. A changed value of an attribute of which no hierarchy is
// known leaves everything open.
//
// A value that is neither the record's own nor one of its groups, as after noise, is lost, and a note says how many
// there are: noise is judged by other measures. A cell that is missing in the original has lost nothing; it counts as a
// cell.
//
// Cost: O(n) per attribute and level.
//
// References: L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", IJUFKS
// 10(5), 2002, section 4; Nai Fovino & Masera 2008, eq. 1.1, 6.2 and 6.4 (precision); J. Xu and others, "Utility-based
// anonymization using local recoding", KDD 2006, section 3; G. Ghinita and others, "Fast data anonymization with low
// information loss", VLDB 2007 (ncp); V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002,
// section 3 (LM; reconstructed from those that cite it).
type GeneralisationMeter struct{ of figure }

// Params declares the parameters.
func (m *GeneralisationMeter) Params() param.Set { return nil }

// Measure returns the mean over the cells. It fails when records are not paired or there is no cell.
func (m *GeneralisationMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	exact := r.Exact
	if exact == nil {
		exact = r.Original
	}
	v, err := m.of(ctx, r, exact)
	if err != nil {
		return v, err
	}
	v.Lo, v.Hi = v.Score, v.Score
	return v, nil
}

// generalisationPart is the figure of a column.
func generalisationPart(a *table.Attribute, score float64) measure.Part {
	return measure.Part{Key: measure.OfColumn, Of: a.Name, Name: message.Name(a.Name), Score: score}
}
