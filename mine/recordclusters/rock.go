package recordclusters

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ROCK clusters records by their number of common neighbours: ROCK (Guha, Rastogi & Shim 1999) as described in
// Islam 2007, section 6.3.
//
// A record is the set of its categorical values; two records are neighbours when Jaccard's coefficient of their sets is
// at least theta, and their links are the number of neighbours they have in common, neither of the two counted. Records
// with few neighbours are outliers and dropped first. Every other record begins as a cluster, and the pair of clusters
// with the largest goodness is merged until k are left or no two have links:
//
//	g(i, j) = link(i, j) / ((ni + nj)^(1+2f) - ni^(1+2f) - nj^(1+2f)),  f = (1-theta) / (1+theta)
//
// The denominator is the number of links expected between clusters of these sizes, so that large clusters do not
// swallow all others. Above a number of records a random sample is clustered; a record outside it goes to the cluster i
// that maximises Ni / (|Li|+1)^f, where Ni counts its neighbours in a set Li of marked records of the cluster, and is
// an outlier where it has none.
//
// Cost: O(n^2 p) at worst to find the neighbours of n records of p attributes, the squares of the numbers of neighbours
// to count links, and O(n^2 log n) to merge; 16 bytes for each ordered pair of records with links, 0.4 GB at worst for
// the default sample of 5,000.
//
// Readings: a similarity equal to theta makes neighbours, as in the original (Islam 2007 writes "exceeds"). Pairs of
// equal goodness are merged in the order of the records that come first in their clusters. The model remembers the
// clustered records by identity and values, so they keep their clusters when they are assigned again; a record whose
// values have changed is labelled like a new one.
//
// Reference: S. Guha, R. Rastogi and K. Shim, "ROCK: a robust clustering algorithm for categorical attributes", ICDE
// 1999.
var ROCK = mine.Miner{
	Card: card.Card{
		Name:    "rock",
		Title:   "ROCK",
		Aliases: []string{"Robust clustering using links"},
		Summary: "Merges clusters of records by the number of common neighbours of their records.",
		Paper:   "Guha, Rastogi & Shim 1999; Islam 2007, section 6.3",
		Needs:   "at least one categorical attribute; class, identifiers and weights are omitted",
		Exposes: "the values of every record in the sample",
		Missing: "a missing value is not in the record's set; a record without any value is an outlier",
		Cost: "O(n^2 log n + n m^2) for n records in the sample with m neighbours, O(N) for the rest; O(n^2) " +
			"memory at worst",
	},
	New: func() mine.Learner { return NewROCK() },
}

// ROCKLearner clusters by links. The zero value is not usable; take New.
type ROCKLearner struct {
	K          int      // clusters wanted
	Theta      float64  // smallest similarity of neighbours, in (0, 1]
	Neighbours int      // records with fewer are outliers
	Weed       float64  // in multiples of K; 0: never
	Small      int      // clusters with fewer records are weeded out
	Sample     int      // at most so many records are clustered
	Marked     int      // at most so many records of a cluster label others
	Attributes []string // empty: every categorical attribute that is neither class nor identifier nor weight
}

// NewROCK returns a learner with the defaults.
func NewROCK() *ROCKLearner { return param.Default(&ROCKLearner{}) }

// Params declares the parameters.
func (l *ROCKLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.K, "k", 10, 1, 1_000_000, "clusters", "merge until this many are left; more are left if no "+
			"two of them have links"),
		param.Float(&l.Theta, "theta", 0.5, 0.01, 1, "", "smallest similarity of neighbours"),
		param.Int(&l.Neighbours, "neighbours", 1, 0, 1_000_000, "records", "records with fewer neighbours are outliers, "+
			"dropped first"),
		param.Float(&l.Weed, "weed", 0, 0, 1000, "times k", "when this many clusters are left, drop the small ones "+
			"as outliers; 0: never"),
		param.Int(&l.Small, "small", 2, 1, 1_000_000, "records", "clusters with fewer records are small"),
		param.Int(&l.Sample, "sample", 5000, 1, 50_000, "records", "cluster a random sample of this many and label "+
			"the others"),
		param.Int(&l.Marked, "marked", 100, 1, 50_000, "records", "label by at most this many random records of "+
			"every cluster"),
		param.Names(&l.Attributes, "attributes", "categorical columns to cluster by; none: all except the class"),
	}
}

// Fit clusters the records. It returns a *Model.
func (l *ROCKLearner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	cols, err := categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	sample, draw := t, src.Fork("sample")
	if t.Rows() > l.Sample {
		sample = t.Gather(categorical.Lowest(every(t.Rows()), categorical.Draws(t, draw), l.Sample))
	}
	g, err := newGraph(ctx, sample, cols, l.Theta)
	if err != nil {
		return nil, err
	}
	c, err := l.merge(ctx, g)
	if err != nil {
		return nil, err
	}
	m := &ROCKModel{
		Columns:   cols,
		Theta:     l.Theta,
		K:         c.count,
		Criterion: c.criterion(),
		Sample:    *jaccard.Of(sample, cols),
		Of:        c.labels(),
	}
	m.IDs = make([]table.RecordID, sample.Rows())
	members := make([][]int, m.K)
	for i, k := range m.Of {
		m.IDs[i] = sample.ID(i)
		if k >= 0 {
			members[k] = append(members[k], i)
		}
	}
	key := categorical.Draws(sample, draw)
	for _, rows := range members {
		m.Marks = append(m.Marks, categorical.Lowest(rows, key, l.Marked))
	}
	m.Label = make([]int32, t.Rows())
	if err := m.assign(ctx, t, m.Label); err != nil {
		return nil, err
	}
	m.Profiles = categorical.Profiles(t, cols, m.Label, m.K)
	return m, nil
}

func every(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
