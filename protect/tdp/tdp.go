// Package tdp is the translation data perturbation of Oliveira & Zaiane (2003): every confidential attribute is shifted by one number.
//
// What it does: for each attribute one shift is drawn, the same for all records. Its size is uniform between two shares of the attribute's
// range (5 % and 50 %), up or down, each as likely; on a grid it is a whole number of steps, at least one.
//
// Needs and changes: no class; changes the numeric attributes with the role confidential or, where none has it, all numeric ones except
// weights, a numeric class and those named in "except".
//
// Preserves and biases: all differences between records, exactly on a grid and to the implied grid of a continuous attribute; so all
// distances, clusters, variances, covariances and correlations (types B and C), and the shape of every distribution. Means and quantiles
// move by the shift (types A and D), and so do the limits in rules (type DM).
//
// What an informed intruder learns: everything. One known person gives every shift, and with it every value of everybody; without one the
// smallest age in the file, or a mean from elsewhere, does. It is a baseline to compare others with, not for release. The privacy measure
// of its authors, Var(X - Y), is 0 for it. The plan holds the shifts, and measures of risk take the intruder to know them.
//
// Missing values stay missing.
//
// Cost: O(rows * columns), about 10 ns a value; the fit takes O(rows * columns^2).
//
// Departures: the ranges are not stated in the sources at hand; those here are for values scaled to the unit interval by the domain, and
// results are in the units of the attribute. Values leave the domain by design: an observed one is widened, a declared one holds, and then
// values are forced into it and distances are lost.
//
// Reference: Roy, table 5.4, after S. R. M. Oliveira and O. R. Zaiane, "Privacy preserving clustering by data transformation", in
// Proceedings of the 18th Brazilian Symposium on Databases, 2003.
package tdp

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/geometric"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "tdp",
		Title:     "Translation data perturbation",
		Aliases:   []string{"translation"},
		Summary:   "Shifts each confidential attribute by one number, the same for all records: a baseline, not for release.",
		Baseline:  true,
		Paper:     "Oliveira & Zaiane 2003; Roy, table 5.4",
		Needs:     "numeric attributes, those to shift marked confidential (none marked: all)",
		Changes:   "the confidential numeric attributes",
		Preserves: "all distances, clusters, variances and correlations; the shape of every distribution",
		Biases:    "means, quantiles and the limits in rules move by the shift",
		Exposes:   "everything: one known record gives all shifts, and with them every value",
		Missing:   "stay missing",
		Cost:      "O(rows * columns) to release, O(rows * columns^2) to fit",
	},
	Purpose: protect.Baselines,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.HasLaw, protect.Notes, protect.Describes, protect.Checks},
}

// Plan is the fitted technique: one map for all records.
type Plan = geometric.Map

// Technique holds the parameters.
type Technique struct{ geometric.Settings }

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set { return param.Merge(q.ShiftParams(), q.ExceptParams()) }

// Fit draws the shifts.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p, err := q.Shifts(ctx, t, src)
	if err != nil {
		return nil, err
	}
	return p, nil
}
