// Package geometric holds the geometric transformations of Oliveira and Zaiane (2003): one map for all records, made
// of shifts, scalings and rotations of the confidential attributes. They are baselines to compare others with, not for
// release.
//
// Every technique works on values scaled to the unit interval by the domain; results are in the units of the
// attribute. It needs no class and changes the numeric attributes with the role confidential or, where none has it,
// all numeric ones except weights, a numeric class and those named in "except".
//
// Shifts and rotations keep the distances between records, so an analyst finds the same clusters in the release. That
// is all they keep: a map is no protection, for anyone who knows a few records works it out, and with it every value of
// everybody. The plan says so in its notes, with the number of records that give it away and with Var(X - Y) of every
// attribute, the privacy measure of the authors. The plan holds the map, and measures of risk take the intruder to
// know it.
//
// A release costs about 10 ns a value, with rotations 20.
//
// Departures: the ranges of shifts and factors are not stated in the sources at hand. Released values have two more
// decimals than the attribute (grid=finer): on its own grid an attribute of few values would have gaps and ties, and
// rounding would move distances; shifts keep the grid. Values leave the domain by design: an observed one is widened,
// a declared one holds, and then values are forced into it and distances are lost.
//
// Reference: Roy, table 5.4, after S. R. M. Oliveira and O. R. Zaiane, "Privacy preserving clustering by data
// transformation", in Proceedings of the 18th Brazilian Symposium on Databases, 2003.
package geometric

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{Translation, Scaling, Rotation, Hybrid}

// Translation draws one shift for each attribute. Its size is uniform between two shares of the range, up or down,
// each as likely; on a grid it is a whole number of steps, at least one, so all differences between records are kept
// exactly, and on a continuous attribute to its implied grid. The smallest age in the file, or a mean from elsewhere,
// gives the shift away as one known record does. Var(X - Y) is 0.
var Translation = entry(kind{
	[]func(*Technique) param.Set{shifts, excepts},
	func(g *geometry) error { return g.shift(g.Columns) },
}, card.Card{
	Name:      "tdp",
	Title:     "Translation data perturbation",
	Short:     "TDP",
	Aliases:   []string{"translation"},
	Summary:   "Shifts each confidential attribute by one constant for all records: a baseline, not for release.",
	Needs:     "numeric attributes; those marked confidential are shifted (none marked: all)",
	Preserves: "all distances, clusters, variances and correlations; the shape of every distribution",
	Biases:    "means, quantiles and the thresholds in rules move by the shift",
	Exposes:   "everything: one known record reveals all shifts, and so every value",
	Missing:   "stay missing",
})

// Scaling draws one factor for each attribute, uniform between two limits. It multiplies the distance from the lower
// end of the domain. The smallest and the largest age in the file give it away as two known records do. A factor near
// 1, which the defaults allow, releases the attribute nearly as it is: the plan's notes say what Var(X - Y) is left.
var Scaling = entry(kind{
	[]func(*Technique) param.Set{scales, grids, excepts},
	func(g *geometry) error { return g.scale(g.Columns) },
}, card.Card{
	Name:    "sdp",
	Title:   "Scaling data perturbation",
	Short:   "SDP",
	Aliases: []string{"scaling"},
	Summary: "Multiplies each confidential attribute by one constant for all records: a baseline, not for release.",
	Needs:   "numeric attributes; those marked confidential are scaled (none marked: all)",
	Preserves: "order, correlations and the shape of every distribution, up to rounding; clusters once attributes " +
		"are renormalised",
	Biases:  "means, standard deviations, quantiles and the thresholds in rules; distances between records are stretched",
	Exposes: "everything: two known records reveal all factors, and so every value",
	Missing: "stay missing",
})

// Rotation pairs the attributes, and each pair (u, v), taken from the centre of the unit square, becomes (u cos t + v
// sin t, -u sin t + v cos t), with one angle t for all records. The angle is uniform in the security range of the
// pair: the angles that leave either attribute
//
//	Var(u - u') = (1 - cos t)² Var(u) + sin² t Var(v) - 2 (1 - cos t) sin t Cov(u, v) >= rho Var(u)
//
// and for v the same with the sign of the last term changed. The default threshold rho = 1 says that the released
// value is no better a guess of the original than the mean is. A rotation by 180 degrees leaves 4, so thresholds up to
// 4 can always be met by a pair; one that no angle meets is an error. An odd attribute is paired again with the first
// of the last pair, whose security counts both rotations.
//
// Distances are those by the ranges of the original, which the plan holds: anyone who normalises the release by its own
// ranges gets others, for a rotation changes ranges. Distances to records with missing values are not kept, and the
// security is that of pairwise covariances, which is approximate then. With p attributes rotated together (two or
// three here) p+1 known records give the map, by solving linear equations; principal axes and extremes narrow the
// angle down without any.
//
// Departures: one threshold, which is that of the same authors' rotation-based transformation, serves all attributes.
// The authors turn about the origin, which takes most values out of their domain; about the centre distances and
// securities are the same.
var Rotation = entry(kind{
	[]func(*Technique) param.Set{rotations, pairings, grids, excepts},
	func(g *geometry) error {
		order, err := g.order()
		if err == nil {
			err = g.rotate(order)
		}
		return err
	},
}, card.Card{
	Name:    "rdp",
	Title:   "Rotation data perturbation",
	Short:   "RDP",
	Aliases: []string{"rotation", "rbt", "rotation-based-transformation"},
	Summary: "Rotates pairs of confidential attributes by one angle for all records: a baseline, not for release.",
	Needs:   "two numeric attributes that vary; those marked confidential are rotated (none marked: all)",
	Preserves: "distances between records, and so clusters, if all attributes are rotated: scaled by the original " +
		"ranges, up to rounding",
	Biases:  "means, variances, correlations, distributions and rules (types A to D and DM)",
	Exposes: "everything: three known records, four for an odd attribute, reveal the map, and so every value",
	Missing: "stay missing; the paired value is rotated with the mean in place of the missing one",
})

// Hybrid draws for every attribute one of the three operations, each as likely. Attributes to be rotated are paired by
// lot; an odd one is paired again with the first of the last pair, and a single one is shifted or scaled instead. It
// preserves less than any of its parts.
var Hybrid = entry(kind{
	[]func(*Technique) param.Set{shifts, scales, rotations, grids, excepts},
	(*geometry).mix,
}, card.Card{
	Name:  "hdp",
	Title: "Hybrid data perturbation",
	Summary: "Shifts, scales or rotates each confidential attribute by one map for all records: a baseline, not " +
		"for release.",
	Needs: "numeric attributes; those marked confidential are changed (none marked: all)",
	Preserves: "distances between records in shifted or rotated attributes, scaled by their original ranges, up to " +
		"rounding",
	Biases: "means; variances, correlations and distributions of scaled or rotated attributes; rules (types A to D " +
		"and DM)",
	Exposes: "everything: three or four known records reveal the map, and so every value",
	Missing: "stay missing; the paired value is rotated with the mean in place of the missing one",
})

// entry is the entry of a technique, with what all say.
func entry(k kind, c card.Card) protect.Method {
	c.Baseline = true
	c.Paper = "Oliveira & Zaiane 2003; Roy, table 5.4"
	c.Changes = "the confidential numeric attributes"
	c.Cost = "O(rows * columns) to release, O(rows * columns^2) to fit"
	return protect.Method{
		Card:    c,
		Purpose: protect.Baselines,
		Growth:  1,
		New:     func() protect.Technique { return param.Default(&Technique{kind: k}) },
		Plan:    func() protect.Plan { return &Plan{} },
		Claims:  []protect.Claim{protect.HasNoiseModel, protect.Notes, protect.Describes, protect.Checks},
	}
}
