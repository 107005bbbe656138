// Package sdp is the scaling data perturbation of Oliveira & Zaiane (2003): every confidential attribute is multiplied by one number.
//
// What it does: for each attribute one factor is drawn, the same for all records, uniform between two limits (0.5 and 1.5). It multiplies
// the distance from the lower end of the attribute's domain, which is the value scaled to the unit interval.
//
// Needs and changes: no class; changes the numeric attributes with the role confidential or, where none has it, all numeric ones except
// weights, a numeric class and those named in "except".
//
// Preserves and biases: order, correlations (types B and C) and the shape of every distribution, to rounding. Distances are stretched along
// each axis, so clusters move a little, unless whoever mines normalises the attributes anew: then they are as they were. Means, standard
// deviations (type A), quantiles (type D) and the limits in rules (type DM) change.
//
// What an informed intruder learns: everything. Two known persons give factor and end of an attribute, and with them every value of
// everybody; the smallest and the largest age in the file do as well. It is a baseline to compare others with, not for release. A factor
// near 1, which the defaults allow, releases the attribute nearly as it is: the plan's notes say what Var(X - Y) is left. The plan holds
// the factors, and measures of risk take the intruder to know them.
//
// Missing values stay missing.
//
// Cost: O(rows * columns), about 10 ns a value; the fit takes O(rows * columns^2).
//
// Departures: the ranges are not stated in the sources at hand; those here are for values scaled to the unit interval by the domain, and
// results are in the units of the attribute. Released values have two more decimals than the attribute (grid=finer), for on its own grid a
// scaled attribute of few values has gaps and ties. Values leave the domain by design: an observed one is widened, a declared one holds,
// and then values are forced into it.
//
// Reference: Roy, table 5.4, after S. R. M. Oliveira and O. R. Zaiane, "Privacy preserving clustering by data transformation", in
// Proceedings of the 18th Brazilian Symposium on Databases, 2003.
package sdp

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
		Name:      "sdp",
		Title:     "Scaling data perturbation",
		Aliases:   []string{"scaling"},
		Summary:   "Multiplies each confidential attribute by one number, the same for all records: a baseline, not for release.",
		Baseline:  true,
		Paper:     "Oliveira & Zaiane 2003; Roy, table 5.4",
		Needs:     "numeric attributes, those to scale marked confidential (none marked: all)",
		Changes:   "the confidential numeric attributes",
		Preserves: "order, correlations and the shape of every distribution, to rounding; clusters of attributes that are normalised anew",
		Biases:    "means, standard deviations, quantiles and the limits in rules; distances between records are stretched",
		Exposes:   "everything: two known records give all factors, and with them every value",
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
func (q *Technique) Params() param.Set {
	return param.Merge(q.ScaleParams(), q.GridParams(), q.ExceptParams())
}

// Fit draws the factors.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p, err := q.Scales(ctx, t, src)
	if err != nil {
		return nil, err
	}
	return p, nil
}
