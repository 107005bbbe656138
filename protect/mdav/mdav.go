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

// MDAV is multivariate microaggregation by MDAV, the maximum distance to the average vector: similar records
// form groups of k, and their values become the mean, median or mode of the group.
//
// While 3k or more records are in no group, the record farthest from their centre forms a group with the k-1 nearest to
// it, and so does then the one farthest from this record; of 2k to 3k-1 the farthest from the centre forms a group and
// the rest another; up to 2k-1 are the last group. Distances are Euclidean, over all numeric attributes (parameter by)
// scaled to unit variance; with categorical=true over all attributes: two categories are at distance 0 or 1, and
// ordered ones are numbered. In each group a number becomes the mean, an ordered category the median, of two middle
// ones the lower, and any other category the mode, of several the first in the order of the labels.
//
// What an informed intruder learns: of a record's replaced values, the middle of k similar ones. Every combination of
// replaced values is shared by records of k people at least, apart from which of them are missing; where all that an
// intruder may know is replaced (name it in columns), the release is k-anonymous. Where only confidential attributes
// are replaced, records are found as easily as before, and what is found is about right where groups are tight: k equal
// values are released as they are. Records that are alike in all that is compared are grouped in the order of their
// identities: where the file is sorted by an attribute that is replaced and not compared, groups are as tight in it as
// if made by it. A mean with sampling weights leans to the largest; anyone who knows the values of the others of a
// group works out the last.
//
// Missing values stay missing. To compare records, a missing number counts as the mean, a missing ordered category as
// the median, and any other one as a category of its own. A mean is of the known values of a group, and of k at least:
// groups that know fewer of an attribute, but some, are joined for it, in the order of their means, until k are known.
// An attribute with fewer than k known values is an error, and so is a table of records of fewer than k people.
//
// Where it is told whose the records are (table.Table.People) and some people have several, k counts people: the
// nearest records join a group until it is of k people. As long as k people or more have records left there are further
// groups, of two at a time while these are 3k; then those of the fewer that are left join the group of the record
// nearest to theirs. Every record is in one group, so a person may be in several. Of 3,000 random records of 1,000
// people who have one to five, two attributes and k = 5, 0.464 % of the spread is lost, in place of 0.459 % of groups
// of 5 records, and of 2.11 % of groups of 21, which make sure of 5 people.
//
// Sampling weights (role weight) make weighted means, medians and modes; groups do not count them, and MDAV does not
// use weights.
//
// Means are rounded to the grid of their attribute (grid=keep), or to two more decimals (grid=finer), and then the
// released attribute's step says so. Those of a continuous attribute have its implied grid. A value outside a declared
// domain counts as the nearest end.
//
// The finer grid is nearer to the originals: of 30,162 records of Adult, six whole numbers and k = 3, 0.882 % of the
// spread is lost in place of 0.938 %, and with k = 10 2.73 % in place of 2.84 %. It is not the default, for a mean with
// decimals tells the exact sum of a group. Anyone who knows the values of all others of a group works out that of the
// last: of every record there, where on the column's own grid it is one in four with k = 3 and one in eleven with k =
// 10, of those whose group is not alike. Besides, ages and counts become fractions.
//
// Cost: groups are exactly those defined, in far less than the O(n²/k) of the definition: 30,162 records of Adult and k
// = 3 take the time of sorting a million numbers, a million and k = 10 some 50 times it. With categories compared, too,
// 30,162 take 20 times it, and cost grows like n²/k, as it does in many independent attributes. Then "block" halves the
// table by medians first, as a perturbation tree does (Roy, section 4), and groups within blocks. Groups cannot reach
// over the edge of a block: of a million records like Adult's, 0.92 % of the spread is lost in blocks of 10,000, which
// take half the time, and 0.19 % without. Fit groups the records once for the notes, and a release of the same records
// takes the groups from there; a plan that was stored finds them again. All records meet: the plan is a protect.Grouper
// with one group, and holds no values.
//
// Departures: the text names multivariate microaggregation by a clustering in quadratic time and defines none; MDAV is
// the usual one. No randomness: every seed gives the same release. The record farthest from the first one is sought
// outside the group of that one, which only matters where all others are equally far. Ties go to the record that comes
// first.
//
// Reference: Roy, section 2.3.1, after Li & Sarkar 2006; J. Domingo-Ferrer and J. M. Mateo-Sanz, "Practical
// data-oriented microaggregation for statistical disclosure control", 2002; J. Domingo-Ferrer and V. Torra, "Ordinal,
// continuous and heterogeneous k-anonymity through microaggregation", 2005.
var MDAV = protect.Method{
	Card: card.Card{
		Name:    "mdav",
		Title:   "Multivariate microaggregation (MDAV)",
		Short:   "MDAV",
		Aliases: []string{"microaggregation", "mma", "multivariate-microaggregation"},
		Summary: "Replaces values by the mean, median or mode of groups of k similar records.",
		Paper:   "Roy, section 2.3.1; Domingo-Ferrer & Mateo-Sanz 2002; Domingo-Ferrer & Torra 2005",
		Needs: "numeric attributes, or listed categorical ones; those marked confidential are replaced (none " +
			"marked: all numeric); records of k people",
		Changes: "the confidential attributes",
		Preserves: "means, up to rounding; relations among the attributes used for distances; every combination of " +
			"replaced values is shared by records of k people",
		Biases: "variances shrink by SSE/SST (type A), correlations grow (type B), extremes move inwards (type D), " +
			"rules blur where records are dense (type DM)",
		Exposes: "the centre of k similar values; people identified by attributes that are not replaced have about " +
			"the released values; on the finer grid the exact sum of a group, and so the last value to someone who " +
			"knows the others",
		Missing: "stay missing; means use known values of at least k people, joining groups if necessary",
		People:  "groups and means cover records of k people",
		Cost:    "about n^1.3 for a few correlated numeric attributes of n records, O(n²/k) at worst; n log² n with block",
	},
	Purpose: protect.Aggregates,
	Growth:  2,
	Usual:   "where means of small groups suffice",
	New:     func() protect.Technique { return NewMDAV() },
	Plan:    func() protect.Plan { return &MDAVPlan{} },
	Claims: []protect.Claim{protect.Divides, protect.Groups, protect.Crowds, protect.Notes, protect.Describes,
		protect.Checks},
}

// MDAVTechnique holds the parameters.
type MDAVTechnique struct {
	microaggregation.Options
	Grid string
}

// NewMDAV returns the technique with its defaults.
func NewMDAV() *MDAVTechnique { return param.Default(&MDAVTechnique{}) }

// Params declares the parameters.
func (q *MDAVTechnique) Params() param.Set {
	return append(q.Options.Params(), fence.GridParam(&q.Grid, fence.GridKeep))
}

// Fit lists the columns and groups the records once, for refusals and for the plan's notes. Cost: that of a release.
func (q *MDAVTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	grid := func(a table.Attribute) table.Attribute { return a }
	if q.Grid == fence.GridFiner {
		grid = fence.Finer
	}
	f, err := q.Frame(t, protect.Columns, grid)
	if err != nil {
		return nil, err
	}
	p := &MDAVPlan{Frame: f}
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) {
		return t, p.Study(ctx, t, microaggregation.MixedMDAV)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}
