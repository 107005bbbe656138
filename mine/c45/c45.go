// Package c45 learns decision trees by C4.5 release 8 (Quinlan 1993, 1996), with the variants of its successor
// See5/C5.0 that change trees as options, because Islam 2007 used See5.
//
// What it does. A node takes, among the tests whose information gain is at least average, the one of the largest gain
// ratio: one branch per category, or a cut of a numeric attribute, whose gain pays log2(cuts tried)/n for the choice
// of the cut. At least two branches must have minLeaf records. The tree is collapsed where branches make no fewer
// errors than a leaf, then pruned bottom up by pessimistic errors with confidence cf: a subtree may give way to a
// leaf or to its largest branch. Ordered categories are treated as unordered ones.
//
// What it reads: the class, and all columns that are neither identifier nor weight. Sampling weights are not used. It
// changes nothing.
//
// What an intruder learns from a tree: its counts and cuts are exact figures about the training records; leaves of
// few records single out people. A tree of confidential records is itself confidential.
//
// Missing values: a record whose tested value is missing goes down every branch with a share of its weight, in
// learning and in prediction; gain counts known values only, scaled by their share; split information counts the
// missing ones as a branch. Records whose class is missing are left out.
//
// Cost: O(p n) per level of the tree for p attributes and n records, plus O(v) for the v categories of a tested
// attribute; memory O(p n), in the table's space but for the tree itself. Every number is coded once by its rank. A
// node counts codes by class in a histogram, or sorts them by radix when there are more codes than records, and the
// class counts move through one table of k log2 k. Attributes and subtrees are worked on in parallel.
//
// Exactness: weights are whole multiples of 2^-24 of a record and the terms k log2 k whole multiples of 2^-28, both
// held as integers. So no sum depends on its order, and the tree is the same on any number of cores.
//
// Where it departs from release 8: there is no grouping of categories (option -s) and no windowing; the empty
// branches of an attribute of more than 1,000 categories share one leaf; a raised test for which no case has a value
// becomes a leaf. From See5, minGainRule=c50 takes the rule of minimum gain, the cost of thresholds, the preference
// among ties, the relative tolerances, and its local pruning: branches below minLeaf count as one leaf, and only a
// subtree of a tenth of the cases that does not test the same numeric attribute is raised. A raised branch is pruned
// again but not grown again, and "not applicable" is an ordinary category.
//
// Reference: J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993; "Improved use of continuous
// attributes in C4.5", JAIR 4, 1996.
package c45

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Miner is the catalogue entry.
var Miner = mine.Miner{
	Card: card.Card{
		Name:    "c45",
		Title:   "C4.5",
		Aliases: []string{"C4.5 release 8", "J48", "See5", "C5.0"},
		Summary: "Learns a decision tree by gain ratio and prunes it by pessimistic errors.",
		Paper:   "Quinlan 1993; Quinlan 1996",
		Needs:   "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "exact counts and cuts of the training records",
		Missing: "a record with a missing tested value goes down every branch with a share of its weight; records " +
			"without a class are omitted",
		Cost:   "O(p n) per level of the tree",
		Shards: mine.FromColumns,
	},
	New: func() mine.Learner { return New() },
}

// Which tests compete by gain ratio.
const (
	AverageGain = "avg" // those of average gain (C4.5 release 8)
	C50         = "c50" // by See5's rule
)

// Learner grows trees. The zero value is not usable; take New.
type Learner struct {
	// minimum records in at least two branches of a split; 0: by the size of the table, see Auto
	MinLeaf              int
	CF                   float64 // pruning confidence, in per cent
	MinGainRule          string  // avg: release 8; c50: See5
	GlobalPrune          bool    // See5's second pruning
	MergeSameClassLeaves bool    // merge sibling leaves of one class under a categorical test
	NoPrune              bool    // keep the tree as grown

	// Workers is the number of goroutines at work at once; 0 takes GOMAXPROCS. The tree does not depend on it.
	Workers int
}

// New returns a learner with C4.5's defaults.
func New() *Learner { return param.Default(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Int(&l.MinLeaf, "minLeaf", 2, 0, math.MaxInt32, "records", "minimum records in at least two branches "+
			"of every split; 0: max(2, rows/150)"),
		param.Float(&l.CF, "cf", 25, 0.001, 100, "%", "confidence of error-based pruning; smaller prunes more"),
		param.Choice(&l.MinGainRule, "minGainRule", AverageGain, []string{AverageGain, C50}, "tests that compete "+
			"by gain ratio: those of at least average gain (C4.5 release 8), or by See5's rule"),
		param.Bool(&l.GlobalPrune, "globalPrune", false, "See5's second pruning: cost-complexity within one "+
			"standard error"),
		param.Bool(&l.MergeSameClassLeaves, "mergeSameClassLeaves", false, "merge sibling leaves of the same class "+
			"into one branch, as in See5"),
		param.Bool(&l.NoPrune, "noPrune", false, "keep the tree as grown, without collapsing or pruning"),
	}.Shared()
}

// Auto returns the minimum leaf size used when minLeaf is 0: max(2, rows/150), which is 201 on the 30,162 records of
// Adult, for which Islam 2007, section 7.3.1, takes 200.
func Auto(rows int) int { return max(2, rows/150) }

// Fit grows a tree for the column with the role Class on all columns that are neither identifier nor weight. It draws
// no random numbers.
func (l *Learner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	m, err := l.Grow(ctx, t, class)
	if err != nil {
		return nil, err
	}
	return m, nil
}
