package mdav

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// VMDAV is multivariate microaggregation with groups of variable size, V-MDAV: groups of k similar records grow
// where more records are close, and their values become the mean, median or mode of the group.
//
// While k or more records are in no group, the record farthest from the centre of all records forms a group with the
// k-1 nearest to it. Then, up to 2k-1 records, the record nearest to one of the group joins as long as it is nearer to
// it than gamma times its distance to the nearest other one that is in no group. The fewer than k records left over
// join the group of the record nearest to them, so a group may come to 3k-2. Distances are Euclidean, over all numeric
// attributes (parameter by) scaled to unit variance; with categorical=true over all attributes: two categories are at
// distance 0 or 1, and ordered ones are numbered. In each group a number becomes the mean, an ordered category the
// median, of two middle ones the lower, and any other category the mode, of several the first in the order of the
// labels.
//
// With gamma 0 groups never grow. 0.2 is advised for scattered records, and 1.1 where they form clusters, which groups
// of one size tear apart or bridge. On scattered records groups of k (technique mdav) lose about as little.
//
// What an informed intruder learns: of a record's replaced values, the middle of k or more similar ones. Every
// combination of replaced values is shared by records of k people at least, apart from which of them are missing; where
// all that an intruder may know is replaced (name it in columns), the release is k-anonymous. Where only confidential
// attributes are replaced, records are found as easily as before, and what is found is about right where groups are
// tight. The size of a group tells how close its records lie. Records that are alike in all that is compared are
// grouped in the order of their identities: where the file is sorted by an attribute that is replaced and not compared,
// groups are as tight in it as if made by it. A mean with sampling weights leans to the largest; anyone who knows the
// values of the others of a group works out the last.
//
// Missing values stay missing. To compare records, a missing number counts as the mean, a missing ordered category as
// the median, and any other one as a category of its own. A mean is of the known values of a group, and of k at least:
// groups that know fewer of an attribute, but some, are joined for it, in the order of their means, until k are known.
// An attribute with fewer than k known values is an error, and so is a table of records of fewer than k people.
//
// Where it is told whose the records are (table.Table.People) and some people have several, k counts people: the
// nearest records join a group until it is of k people, it grows to 2k-1 people, and so are means and refusals. Every
// record is in one group, so a person may be in several.
//
// Sampling weights (role weight) make weighted means, medians and modes; groups do not count them, and V-MDAV does not
// use weights.
//
// Means are rounded to the grid of their attribute (grid=keep), or to two more decimals (grid=finer), and then the
// released attribute's step says so. Those of a continuous attribute have its implied grid. A value outside a declared
// domain counts as the nearest end. The finer grid loses less (of 30,162 records of Adult and k = 3, 0.885 % of the
// spread in place of 0.942 %) and is not the default, for it tells the exact sum of a group: see mdav.
//
// Cost: O(n (k + log n)) searches for nearest records, which take O(log n) for a few correlated attributes and up to
// O(n) in many independent ones or with categories. 30,162 records of Adult and k = 3 take the time of sorting a
// million numbers, a million and k = 10 some 50 times it. "Block" halves the table by medians first and groups within
// blocks, which loses more. Fit groups the records once for the notes, and a release of the same records takes the
// groups from there. All records meet: the plan is a protect.Grouper with one group, and holds no values.
//
// Departures: no randomness: every seed gives the same release. Ties go to the record that comes first. The paper says
// of the records left over that each joins its closest group; a group is as near as its nearest record, as it is when
// it grows.
//
// Reference: A. Solanas and A. Martínez-Ballesté, "V-MDAV: a multivariate microaggregation with variable group size",
// 2006; J. Domingo-Ferrer and V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through microaggregation",
// 2005.
var VMDAV = protect.Method{
	Card: card.Card{
		Name:    "vmdav",
		Title:   "Multivariate microaggregation of variable group size (V-MDAV)",
		Short:   "V-MDAV",
		Aliases: []string{"v-mdav"},
		Summary: "Replaces values by the mean, median or mode of groups of at least k similar records, larger " +
			"where records are close.",
		Paper: "Solanas & Martínez-Ballesté 2006; Domingo-Ferrer & Torra 2005",
		Needs: "numeric attributes, or listed categorical ones; those marked confidential are replaced (none " +
			"marked: all numeric); records of k people",
		Changes: "the confidential attributes",
		Preserves: "means, up to rounding; relations among the attributes used for distances; every combination of " +
			"replaced values is shared by records of k people; clusters better than groups of one size",
		Biases: "variances shrink by SSE/SST (type A), correlations grow (type B), extremes move inwards (type D), " +
			"rules blur where records are dense (type DM)",
		Exposes: "the centre of k or more similar values; people identified by attributes that are not replaced " +
			"have about the released values; on the finer grid the exact sum of a group, and so the last value to " +
			"someone who knows the others",
		Missing: "stay missing; means use known values of at least k people, joining groups if necessary",
		People:  "groups and means cover records of k people; groups grow to 2k-1 people",
		Cost: "O(n k) searches for nearest records, O(log n) each for a few correlated numeric attributes, O(n) at worst, " +
			"and so O(n² k); " +
			"with block, n of a search is that of a block",
	},
	Purpose: protect.Aggregates,
	Growth:  2,
	New:     func() protect.Technique { return NewVMDAV() },
	Plan:    func() protect.Plan { return &VMDAVPlan{} },
	Claims: []protect.Claim{protect.Divides, protect.Groups, protect.Crowds, protect.Notes, protect.Describes,
		protect.Checks},
}

// VMDAVTechnique holds the parameters.
type VMDAVTechnique struct {
	microaggregation.Options
	Gamma float64
	Grid  string
}

// NewVMDAV returns the technique with its defaults.
func NewVMDAV() *VMDAVTechnique { return param.Default(&VMDAVTechnique{}) }

// Params declares the parameters.
func (q *VMDAVTechnique) Params() param.Set {
	return append(q.Options.Params(),
		param.Float(&q.Gamma, "gamma", 0.2, 0, maxGamma, "",
			"a group grows while the next record is nearer to it than gamma times the record's distance to its "+
				"nearest ungrouped one"),
		fence.GridParam(&q.Grid, fence.GridKeep))
}

// Fit lists the columns and groups the records once, for refusals and for the plan's notes. Cost: that of a release.
func (q *VMDAVTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	grid := func(a table.Attribute) table.Attribute { return a }
	if q.Grid == fence.GridFiner {
		grid = fence.Finer
	}
	f, err := q.Frame(t, protect.Columns, grid)
	if err != nil {
		return nil, err
	}
	p := &VMDAVPlan{Frame: f, Gamma: q.Gamma}
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) { return t, p.Study(ctx, t, p.group) })
	if err != nil {
		return nil, err
	}
	return p, nil
}
