// Package kmeans divides records into k clusters around their means: Lloyd's algorithm with k-means++ seeding.
//
// Every record goes to the nearest of k centroids, in squared Euclidean distance over the scaled numeric columns, ties
// to the centroid of the lowest number; every centroid goes to the mean of its records; and so on until no record
// changes its cluster, until the sum of squared distances falls by less than a share (tolerance) of itself, or until a
// number of iterations. The sum never rises, but where it ends depends on where it began: of several restarts the
// lowest sum wins, the earliest restart of equal ones. Two clusterings compare fairly only when both begin at the same
// records (Learner.Start); otherwise luck counts as a difference.
//
// Empty clusters: one that loses all its records gets the record farthest from its centroid (farthest), unless that is
// the only record of its own cluster or no record is off its centroid; or it waits where it is (keep), as Roy's golden
// iteration does. When there are fewer distinct records than clusters asked for, there are as many clusters as distinct
// records. A learner with Start keeps its clusters and their numbers, and one may then end empty.
//
// What an intruder learns from the model: means of groups that may be as small as one record, and the smallest and
// largest value of every column under minmax. A model of confidential records is itself confidential.
//
// Missing values: the distance is over the values a record has, the mean of a cluster over the values its records have,
// which is k-means on data filled in from their own centroid. Where no record of a cluster has the value, the centroid
// stays where it is in that column; a record that begins a cluster has the column's mean in place of a missing value. A
// record without any value belongs to no cluster (-1). Scaling a distance up for the missing values, as Dixon 1979
// does, would change no cluster's choice: the factor is the record's own.
//
// Cost: O(n k p) per iteration in the worst case; in practice a few nanoseconds a record, because a bound on how far
// centroids have moved spares most records the comparison (Hamerly 2010). The bound allows for rounding: labels are
// those of comparing with every centroid, to the last bit. Sums are of whole numbers, which add up alike in any order,
// in units of 2^-60 of a column's range times the number of records, so the result does not depend on the number of
// cores or on the way the sums came about. k-means++ takes k passes a restart. On all cores.
//
// Departures from Roy, which cites the algorithm and stops when centroids no longer move: seeding, restarts, tolerance,
// and what becomes of empty clusters are not said there.
//
// Reference: Roy, sections 2.4.2 and 3.4; S. P. Lloyd, "Least squares quantization in PCM", IEEE Trans. Information
// Theory 28, 1982; D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007; G.
// Hamerly, "Making k-means even faster", SDM 2010; J. T. Chi, E. C. Chi and R. G. Baraniuk, "k-POD: a method for
// k-means clustering of missing data", The American Statistician 70, 2016.
package kmeans

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Miner is the catalogue entry.
var Miner = mine.Miner{
	Card: card.Card{
		Name:    "kmeans",
		Title:   "k-means",
		Aliases: []string{"k-means", "k-means++", "Lloyd's algorithm"},
		Summary: "Divides records into k clusters around their means, with a low sum of squared distances.",
		Paper:   "Roy, sections 2.4.2 and 3.4; Lloyd 1982; Arthur & Vassilvitskii 2007",
		Needs:   "at least one numeric column; by default all except class, identifiers and weights",
		Exposes: "means of groups of any size, and the range of every column if values are scaled to it",
		Missing: "distances and means use known values; a record without any belongs to no cluster",
		Cost:    "O(n k p) per iteration, usually far less",
		Shards:  mine.FromColumns,
	},
	New: func() mine.Learner { return New() },
}

// The ways to treat a cluster that has lost its records.
const (
	Farthest = "farthest" // it gets the record farthest from its centroid
	Keep     = "keep"     // its centroid stays
)

// Learner divides the records of a table. The zero value is not usable; take New.
type Learner struct {
	K          int // clusters
	Restarts   int // of which the best counts
	Iterations int // at most so many per restart
	// smallest fall of the sum of squared distances that is worth an iteration, as a share of it; 0: go on until labels
	// repeat
	Tolerance float64
	Scale     string   // one of MinMax, ZScore, Unscaled
	Empty     string   // Farthest or Keep
	Columns   []string // none: every numeric column but class, identifiers and weights
	Weighted  bool     // count by the column of sampling weights, if there is one

	// Start, unless it is nil, holds the rows of the records that begin the clusters, in the order of the clusters; then K
	// and Restarts do not count. Model.Start of a clustering of the original, given here, makes that of a release
	// comparable.
	Start []int
	// From, unless it is nil, holds the centroids that the clusters begin with, in scaled units; then K, Restarts and
	// Start do not count.
	From [][]float64
}

// New returns a learner with the defaults.
func New() *Learner { return param.Default(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Int(&l.K, "k", 4, 1, 100_000, "clusters", "number of clusters; fewer if fewer records are distinct"),
		param.Int(&l.Restarts, "restarts", 10, 1, 1000, "restarts", "number of random starts; the lowest sum of "+
			"squared distances wins"),
		param.Int(&l.Iterations, "iterations", 300, 1, 100_000, "iterations", "stop after this many at the latest"),
		param.Float(&l.Tolerance, "tolerance", 1e-6, 0, 1, "of the sum", "stop when the sum of squared distances "+
			"falls by less; 0: continue until labels repeat"),
		param.Choice(&l.Scale, "scale", MinMax, []string{MinMax, ZScore, Unscaled}, "scale columns by their range, "+
			"by their standard deviation, or not at all"),
		param.Choice(&l.Empty, "empty", Farthest, []string{Farthest, Keep}, "an empty cluster takes the record "+
			"farthest from its centroid, or keeps its position"),
		param.Names(&l.Columns, "columns", "numeric columns to cluster by; none: all except class, identifiers and "+
			"weights"),
		param.Bool(&l.Weighted, "weighted", true, "weight records by the column of sampling weights, if there is one"),
	}
}

// Fit divides the records of t. It returns a *Model. It fails without records, without a numeric column to cluster by,
// on a column that is named but unfit, on weights that are not positive numbers, and on a Start that is not rows of the
// table.
func (l *Learner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	m, err := l.fit(ctx, t, src)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Divide returns the cluster, 0 to k-1, of each of the records of dims numbers that points holds one after another, as
// neighbour.Build takes them; they are not scaled. It is Learner's best of so many restarts with its other defaults.
// NaN is a missing value; a record without any value has -1. Fewer than k distinct records make as many clusters. An
// empty slice has no labels.
func Divide(ctx context.Context, points []float64, dims, k, restarts int, src rng.Source) (labels []int32, err error) {
	l := New()
	l.K, l.Restarts = k, restarts
	best, err := l.divide(ctx, nil, points, dims, nil, src)
	if err != nil {
		return nil, err
	}
	return best.labels, nil
}
