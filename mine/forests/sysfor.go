package forests

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// SysFor grows a small forest of good, different decision trees: SysFor (Islam & Giggins 2011), the forest that
// the Forest Framework preserves (Fletcher & Islam 2015, sections 3 and 7).
//
// The good tests of a table are, by plain gain ratio, those within goodness of the best: of a numeric
// attribute several cuts, as long as they lie further apart than separation times the attribute's range. Each good
// test becomes the root of a tree of which C4.5 grows the rest, best test first. When more trees are wanted, the same
// roots are taken again, and below each branch the second best test of the branch's records, then the third, as many
// rounds as the branches have good tests on the average. A test of a ratio below minGainRatio is never good. Fewer
// trees than asked for are legal; a table without a good test gives one C4.5 tree.
//
// What an intruder learns from a forest: as from a C4.5 tree, exact counts and cuts; the intersections of its leaves
// are far smaller than leaves and single people out more often. A forest of confidential records is itself
// confidential.
//
// Missing values: the published program drops every record that has one. Here they count as in C4.5: a record whose
// tested value is missing goes down every branch with a share of its weight, also below the tests that SysFor
// chooses, and gain counts known values only. Records whose class is missing are left out.
//
// Cost: one scan of all cuts, O(p n) for p attributes and n records, O(p n) more for every root tested a second time,
// and one C4.5 tree for every tree.
//
// Readings. Gain ratio is the plain one, without C4.5's cost of a threshold and rule of average gain. A test needs
// minLeaf records in two branches, a cut on both sides. A cut that SysFor chooses lies half way between two values;
// those of C4.5 below are values of the table. The chosen tests are not pruned. On the second level a branch without
// a good test becomes a leaf of its majority class. Below the chosen tests C4.5 refers to the whole table where it
// refers to its training table.
//
// Where it departs from the published program and why: that one labels such a leaf with the class of its first
// record, and lets a categorical test with an empty branch gain the whole entropy; both are slips. It has no
// minGainRatio, which the paper has.
//
// Reference: M. Z. Islam and H. Giggins, "Knowledge discovery through SysFor: a systematically developed forest of
// multiple decision trees", AusDM 2011; S. Fletcher and M. Z. Islam, "An anonymization technique using intersected
// decision trees", 2015.
var SysFor = mine.Miner{
	Card: card.Card{
		Name:    "sysfor",
		Title:   "SysFor",
		Aliases: []string{"Systematically Developed Forest"},
		Summary: "Grows a few C4.5 trees with different good tests at their roots.",
		Paper:   "Islam & Giggins 2011; Fletcher & Islam 2015, sections 3 and 7",
		Needs:   "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "exact counts and cuts of the training records; the intersections of its leaves are small",
		Missing: "a record with a missing tested value goes down every branch with a share of its weight; records " +
			"without a class are omitted",
		Cost: "O(p n) for the good tests, and growing each C4.5 tree",
	},
	New: func() mine.Learner { return SysForNew() },
}

// SysForLearner grows forests. The zero value is not usable; take New.
type SysForLearner struct {
	Trees        int     // at most so many trees
	Goodness     float64 // how far below the best gain ratio a test may be
	Separation   float64 // how far apart the cuts of an attribute must be, as a share of its range
	MinGainRatio float64 // the least gain ratio of a test
	CF           float64 // pruning confidence of C4.5, in per cent
	MinLeaf      int     // minimum records in at least two branches of a split; 0: see c45.Auto
	Voting       string  // one of tree.Votings

	// Workers is the number of goroutines at work at once; 0 takes GOMAXPROCS. The forest does not depend on it.
	Workers int
}

// SysForNew returns a learner with the parameters of Fletcher & Islam 2015, section 7.
func SysForNew() *SysForLearner { return param.Default(&SysForLearner{}) }

// Params declares the parameters.
func (l *SysForLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.Trees, "trees", 3, 1, 1000, "trees", "grow at most this many trees"),
		param.Float(&l.Goodness, "goodness", 0.50, 0, 1, "", "tests are good if their gain ratio is at most this "+
			"far below the best; larger values give more trees"),
		param.Float(&l.Separation, "separation", 0.30, 0, 1, "", "cuts of the same attribute must be further apart "+
			"than this share of its range"),
		param.Float(&l.MinGainRatio, "minGainRatio", 0.01, 0, 1, "", "tests with a smaller gain ratio are not good"),
		param.Float(&l.CF, "cf", 25, 0.001, 100, "%", "confidence of C4.5's error-based pruning; smaller prunes more"),
		param.Int(&l.MinLeaf, "minLeaf", 0, 0, math.MaxInt32, "records", "minimum records in at least two branches "+
			"of every split; 0: max(2, rows/150)"),
		param.Choice(&l.Voting, "voting", tree.Votings[0], tree.Votings, "how to combine the predictions of the trees"),
	}.Shared()
}

// Fit grows a *tree.Forest for the column with the role Class on all columns that are neither identifier nor weight.
// It draws no random numbers.
func (l *SysForLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	f, err := l.Grow(ctx, t, class)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Grow grows a forest that predicts the categorical column class from all columns that are neither identifier nor
// weight nor in without. Records whose class is missing are left out; it is an error when none is left.
func (l *SysForLearner) Grow(ctx context.Context, t *table.Table, class int, without ...int) (*tree.Forest, error) {
	c := c45.New()
	c.CF, c.MinLeaf, c.Workers = l.CF, l.MinLeaf, l.Workers
	data, err := c.Code(ctx, t, class, without...)
	if err != nil {
		return nil, err
	}
	b := builder{SysForLearner: l, span: spans(t), data: data, forest: &tree.Forest{Voting: l.Voting}}
	if err := b.build(); err != nil {
		return nil, err
	}
	return b.forest, ctx.Err()
}
