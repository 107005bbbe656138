// Package hdp is the hybrid data perturbation of Oliveira & Zaiane (2003): each confidential attribute is shifted, scaled or rotated.
//
// What it does: for every attribute one of the three operations is drawn, each as likely, and then carried out as translation, scaling and
// rotation data perturbation do: one shift, factor or angle for all records, on values scaled to the unit interval by the domain, results
// in the units of the attribute. Attributes to be rotated are paired by lot; an odd one is paired again with the first of the last pair,
// and a single one is shifted or scaled instead.
//
// Needs and changes: no class; changes the numeric attributes with the role confidential or, where none has it, all numeric ones except
// weights, a numeric class and those named in "except".
//
// Preserves and biases: less than any of its parts. Distances between records are those of the parts that are shifted or rotated, stretched
// in those that are scaled. Means move, variances of what is scaled or rotated change (type A), correlations of what is rotated (types B
// and C), distributions of what is rotated beyond place and scale (type D); rules are lost (type DM).
//
// What an informed intruder learns: everything. The map is linear, and three known persons give it, four where three attributes are rotated
// together, and with it every value of everybody. It is a baseline to compare others with, not for release. What is shifted has Var(X - Y)
// = 0, and the plan's notes give that of every attribute. The plan holds the map, and measures of risk take the intruder to know it.
//
// Missing values stay missing. The partner of a missing value is rotated with the mean in its place.
//
// Cost: O(rows * columns), about 20 ns a value; the fit takes O(rows * columns^2), and 3600 evaluations of the variance for each pair.
//
// Departures: the ranges are not stated in the sources at hand. Released values have two more decimals than the attribute (grid=finer).
// Values leave the domain by design: an observed one is widened, a declared one holds, and then values are forced into it.
//
// Reference: Roy, table 5.4, after S. R. M. Oliveira and O. R. Zaiane, "Privacy preserving clustering by data transformation", in
// Proceedings of the 18th Brazilian Symposium on Databases, 2003.
package hdp

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
		Name:      "hdp",
		Title:     "Hybrid data perturbation",
		Summary:   "Shifts, scales or rotates each confidential attribute, by one map for all records: a baseline, not for release.",
		Baseline:  true,
		Paper:     "Oliveira & Zaiane 2003; Roy, table 5.4",
		Needs:     "numeric attributes, those to change marked confidential (none marked: all)",
		Changes:   "the confidential numeric attributes",
		Preserves: "distances between records in the attributes that are shifted or rotated, by their original ranges and to rounding",
		Biases:    "means; variances, correlations and distributions of what is scaled or rotated; rules: types A to D and DM",
		Exposes:   "everything: three or four known records give the map, and with it every value",
		Missing:   "stay missing; a partner is rotated with the mean in the place of the missing value",
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
func (q *Technique) Params() param.Set {
	return param.Merge(q.ShiftParams(), q.ScaleParams(), q.RotateParams(), q.GridParams(), q.ExceptParams())
}

// Fit draws operations, pairs and numbers.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p, err := q.Mixes(ctx, t, src)
	if err != nil {
		return nil, err
	}
	return p, nil
}
