package prediction

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// GroupWorth measures what a release is worth for each group of people, such as the sexes: one that is good on
// the whole may be useless for those who are few.
//
// Groups are the categories of columns that are named or, without a name, of those that tell the sex or the origin of
// people; failing these, of the first quasi-identifiers of few categories. Of each group there are: its share of the
// records in either table; how many of its original records the trees of the original and of the release predict
// right; how far the means of its numbers are off, in standard deviations of the whole original, on the average; and
// the errors of its one-way and two-way margins: half the sum of the absolute differences of shares, averaged over
// columns and over pairs of columns. The score is the largest error of a group's two-way margins or, with a single
// column, of its one-way margins.
//
// A group of fewer people than least is not told: those of a column are summed as others, and left out where these are
// fewer, too.
//
// Margins are of at most 16 categories of a column, the rarer ones together, and of eight intervals of a number, that
// hold about as many records of the original each. A missing value is a category of its own. Of more than 100 pairs of
// columns every so manieth is taken, and of more than 100,000 records.
//
// Missing values: who has none in a column is in no group of it; means are over the values there are.
//
// What it does not say: a small group differs more by chance alone.
//
// Cost: the trees, which measures of the same settings share, and O(n) for every column and pair, for each column of
// groups.
//
// Departures: none; that utility is to be told by group, beside the risk, is the concern of fairness measures such as
// equal accuracy (Hardt, Price & Srebro 2016).
var GroupWorth = measure.Measure{
	Card: card.Card{
		Name:    "groupworth",
		Title:   "Worst error by group",
		Aliases: []string{"errors by group", "fairness", "accuracy by group"},
		Summary: "Error of the two-way margins in the group, by sex or origin, for which the release is worst.",
		Paper:   "Hardt, Price & Srebro 2016, for the accuracy by group",
		Needs:   "a column that divides people into groups; a categorical class for the accuracies",
		Biases:  "a small group differs more by chance alone",
		Missing: "a category of its own in margins; people without a value are in no group",
		Cost:    "growing two trees, then O(n) for every pair of columns and column of groups",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofGroup")),
	New:    func() measure.Meter { return param.Default(&GroupWorthMeter{}) },
}

// GroupWorthMeter measures it. Its parameters are those of the builder of trees, and which groups there are.
type GroupWorthMeter struct {
	trees.Learner
	Columns []string // that divide people into groups; empty to guess
	Least   int      // people in a group that is told
}

// Params declares the parameters.
func (m *GroupWorthMeter) Params() param.Set {
	return append(param.Set{
		param.Names(&m.Columns, "groups", "columns whose categories are the groups (default: those of sex and origin, or "+
			"quasi-identifiers of few categories)"),
		param.Int(&m.Least, "least", 30, 1, math.MaxInt32, "people", "fewest people of a group that is told; smaller "+
			"ones are summed as others"),
	}, m.Learner.Params()...)
}

// Measure returns the largest error of a group, with a GroupWorthDetail. It does not apply where no column divides
// people into two groups, and fails where a named one does not.
func (m *GroupWorthMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	all, err := m.groupings(r)
	if err != nil {
		return measure.Value{}, err
	}
	d := &GroupWorthDetail{Groups: []Group{}}
	right, err := m.right(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	s := code(r)
	for _, g := range all {
		if err := ctx.Err(); err != nil {
			return measure.Value{}, err
		}
		d.Groups = append(d.Groups, s.measured(r, g, right)...)
	}
	if len(d.Groups) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noGroups").Count("least", m.Least))
	}
	return d.value(), nil
}

// right returns by original record whether the trees of the original and of the release are right about its class; nil
// where there is no class to predict.
func (m *GroupWorthMeter) right(ctx context.Context, r *measure.Release) (out *[2][]bool, err error) {
	class := r.Original.WithRole(table.Class)
	if class < 0 || r.Original.Attr(class).Kind != table.Categorical {
		return nil, nil
	}
	original, released, err := trees.Of(ctx, r, m.Learner)
	if err != nil {
		return nil, ctx.Err() // a class without values, or a release without records: there is nothing to predict
	}
	out, predicted := &[2][]bool{}, make([]int32, r.Original.Rows())
	for k, t := range []*tree.Tree{original, released} {
		t.Predict(r.Original, predicted)
		out[k] = make([]bool, len(predicted))
		for i, c := range r.Original.Cat(class) {
			out[k][i] = c >= 0 && c == predicted[i]
		}
	}
	return out, nil
}
