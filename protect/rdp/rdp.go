// Package rdp is the rotation data perturbation of Oliveira & Zaiane (2003): confidential attributes are rotated in pairs.
//
// What it does: attributes are scaled to the unit interval by their domains and paired, and each pair (u, v), taken from the centre of the
// unit square, becomes (u cos t + v sin t, -u sin t + v cos t), with one angle t for all records. The angle is uniform in the security
// range of the pair: the angles that leave either attribute
//
//	Var(u - u') = (1 - cos t)² Var(u) + sin² t Var(v) - 2 (1 - cos t) sin t Cov(u, v) >= rho Var(u)
//
// and for v the same with the sign of the last term changed. The default threshold rho = 1 says that the released value is no better a
// guess of the original than the mean is. A rotation by 180 degrees leaves 4, so thresholds up to 4 can always be met by a pair; one that
// no angle meets is an error. Pairs are given (parameter "pairs": first with second, third with fourth, ...) or drawn. An odd attribute is
// paired again with the first of the last pair, whose security counts both rotations. Results are in the units of the attributes.
//
// Needs and changes: no class; two numeric attributes that vary; changes those with the role confidential or, where none has it, all
// numeric ones except weights, a numeric class and those named in "except".
//
// Preserves and biases: distances between records, to rounding, where all attributes that are looked at are rotated, without missing
// values, and scaled by the ranges of the original, which the plan holds: so clusters. Whoever normalises the release by its own ranges
// gets other distances, for a rotation changes ranges. Means, variances, correlations, distributions (types A to D) and rules (type DM) are
// lost.
//
// What an informed intruder learns: everything. With p attributes rotated together (two or three here) p+1 known persons give the map, by
// solving linear equations, and with it every value of everybody; principal axes and extremes narrow the angle down without any. It is a
// baseline to compare others with, not for release. The plan holds the angles, and measures of risk take the intruder to know them.
//
// Missing values stay missing. The partner of a missing value is rotated with the mean in its place, so distances to such records are not
// kept; and the security is that of pairwise covariances, which is approximate then.
//
// Cost: O(rows * columns), about 20 ns a value; the fit takes O(rows * columns^2), and 3600 evaluations of the variance for each pair.
//
// Departures: one threshold serves all attributes. The authors turn about the origin, which takes most values out of their domain; about
// the centre distances and securities are the same. Released values have two more decimals than the attribute (grid=finer): on its own grid
// the rounding of attributes with few values would move distances. Values leave the domain by design: an observed one is widened, a
// declared one holds, and then values are forced into it and distances are lost.
//
// Reference: Roy, table 5.4, after S. R. M. Oliveira and O. R. Zaiane, "Privacy preserving clustering by data transformation", in
// Proceedings of the 18th Brazilian Symposium on Databases, 2003; the thresholds are those of the same authors' rotation-based
// transformation.
package rdp

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
		Name:      "rdp",
		Title:     "Rotation data perturbation",
		Aliases:   []string{"rotation", "rbt", "rotation-based-transformation"},
		Summary:   "Rotates confidential attributes in pairs, by one angle for all records: a baseline, not for release.",
		Baseline:  true,
		Paper:     "Oliveira & Zaiane 2003; Roy, table 5.4",
		Needs:     "two numeric attributes that vary, those to rotate marked confidential (none marked: all)",
		Changes:   "the confidential numeric attributes",
		Preserves: "distances between records, and so clusters, by the original ranges of the attributes and to rounding, where all attributes are rotated",
		Biases:    "means, variances, correlations, distributions and rules: types A to D and DM",
		Exposes:   "everything: three known records, of an odd attribute four, give the map, and with it every value",
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
type Technique struct {
	geometric.Settings
	Pairs []string // columns in the order in which they are paired; those not named follow by lot
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Merge(q.RotateParams(), param.Set{
		param.Names(&q.Pairs, "pairs", "columns to pair, first with second, third with fourth, ...; those not named are paired by lot"),
	}, q.GridParams(), q.ExceptParams())
}

// Fit draws pairs and angles.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p, err := q.Rotates(ctx, t, src, q.Pairs)
	if err != nil {
		return nil, err
	}
	return p, nil
}
