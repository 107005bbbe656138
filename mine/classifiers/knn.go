package classifiers

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// KNN predicts the class of a record by a vote of the records nearest to it (Cover & Hart 1967), the classifier
// with which Peters 2011, section 4.2, evaluates releases (with k = 1).
//
// It keeps the training records. The distance of two records adds up over the attributes, and the k nearest records
// vote, one vote each; of classes of equally many votes the one with the nearest record wins, and of records at one
// distance the one that comes first. With distance=mixed categories are at distance 0 or 1 and numbers at the square of
// their scaled difference: with scale=minmax, the share of the observed range, this is the square of HEOM of Wilson &
// Martinez 1997. With distance=overlap every value is a category and the distance is the number of differing
// attributes, numbers in equal-frequency bins or, with bins=0, as they are.
//
// What an intruder learns from a model: everything. It holds the training records and is as confidential as they are;
// its predictions also tell what records near a chosen one have.
//
// Missing values: a missing value is at distance 1 from every value and from a missing one: two suppressed values do
// not resemble each other. Records whose class is missing are left out of training.
//
// Cost: training O(n p log n) for n records of p attributes, on all cores. A prediction compares with few records where
// the attributes depend on each other, and with all n at worst (package neighbour); identical records cost as much as
// one. 30,162 records of Adult are predicted each from all others in twice the time of sorting a million numbers, by
// the overlap in 15 times it. Where all attributes are numbers and none is missing, an index of numbers gives the same
// in less time. Memory: some 30 bytes a value.
//
// Where it departs from Peters 2011 and why: her listing writes a suppressed value as -10000, which makes it the
// farthest number of all; here it is missing. She says nothing of bins; ten of equal frequency are those of the
// author's later CLIFF (Peters & Menzies 2012).
//
// Reference: T. Cover and P. Hart, "Nearest neighbor pattern classification", IEEE Trans. Information Theory 13, 1967;
// D. R. Wilson and T. R. Martinez, "Improved heterogeneous distance functions", JAIR 6, 1997.
var KNN = mine.Miner{
	Card: card.Card{
		Name:    "knn",
		Title:   "k nearest neighbours",
		Aliases: []string{"k-NN", "1-NN", "IBk", "nearest neighbour classifier"},
		Summary: "Predicts the majority class of the k nearest training records.",
		Paper:   "Cover & Hart 1967; Peters 2011, section 4.2",
		Needs:   "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "the model contains the training records",
		Missing: "at distance 1 from every value and from each other; records without a class are omitted",
		Cost:    "training O(n p log n); a prediction O(log n) in few dimensions, O(n p) at worst",
	},
	New: func() mine.Learner { return KNNNew() },
}

// Values of the parameters "distance" and "scale".
const (
	Mixed   = "mixed"
	Overlap = "overlap"
	MinMax  = "minmax"
	ZScore  = "zscore"
)

// KNNLearner keeps records. The zero value is not usable; take New.
type KNNLearner struct {
	K        int    // neighbours that vote; all records where there are fewer
	Distance string // Mixed or Overlap
	Scale    string // MinMax or ZScore; of numbers under Mixed
	Bins     int    // of a numeric attribute under Overlap; 0: every number is a category of its own
}

// KNNNew returns a learner with the defaults.
func KNNNew() *KNNLearner { return param.Default(&KNNLearner{}) }

// Params declares the parameters.
func (l *KNNLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.K, "k", 1, 1, 1_000_000, "records", "number of nearest records that vote"),
		param.Choice(&l.Distance, "distance", Mixed, []string{Mixed, Overlap},
			"mixed: squared differences of scaled numbers, and 1 for different categories; overlap: 1 for different values of "+
				"any attribute"),
		param.Choice(&l.Scale, "scale", MinMax, []string{MinMax, ZScore}, "unit of numbers under distance=mixed: their "+
			"observed range or their standard deviation"),
		param.Int(&l.Bins, "bins", 10, 0, 10_000, "bins", "bins of equal frequency for numbers under "+
			"distance=overlap; 0: every number is a category"),
	}
}

// Fit returns a *Model of the records of t whose class, the column with the role Class, is known. It draws no random
// numbers.
func (l *KNNLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	m, _, err := l.fit(ctx, t)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// LeaveOneOut returns the predicted class of every record of t from all other records whose class is known; -1 where
// there are none. The scale of numbers, and their bins, are those of all records together. Cost: that of as many
// predictions.
func (l *KNNLearner) LeaveOneOut(ctx context.Context, t *table.Table) ([]int32, error) {
	m, records, err := l.fit(ctx, t)
	if err != nil {
		return nil, err
	}
	dst := make([]int32, t.Rows())
	return dst, m.predict(ctx, t, dst, func(row int) int { return records[row] })
}
