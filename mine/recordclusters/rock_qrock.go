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

// QROCK clusters records into the connected components of their neighbour graph: QROCK (Dutta, Mahanta & Pujari
// 2005) as described in Islam 2007, section 6.3.
//
// A record is the set of its categorical values; two records are neighbours when Jaccard's coefficient of their sets is
// at least theta. A cluster is a set of records that chains of neighbours connect. It is where ROCK ends when no number
// of clusters is asked for, but for two neighbours without a third: they have no link for ROCK and are one cluster
// here. Components of few records can be called outliers.
//
// Cost: identical records are one set, and sets are compared in groups that agree in a block of attributes, each with
// those only that no chain has reached yet: O(n p) when theta is high and components are large, O(n^2 p) at worst for n
// different records of p attributes. Memory is O(n p); nothing is kept of a pair.
//
// Readings: a similarity equal to theta makes neighbours (Islam 2007 writes "exceeds"). An edge joins neighbours, as
// Dutta et al. build the graph, not records with a common neighbour, as the thesis has it. A new record goes to the
// cluster of the record most similar to it, the one that comes first in a tie; neighbours of it in several clusters do
// not unite them.
//
// Reference: M. Dutta, A. K. Mahanta and A. K. Pujari, "QROCK: a quick version of the ROCK algorithm for clustering of
// categorical data", Pattern Recognition Letters 26, 2005.
var QROCK = mine.Miner{
	Card: card.Card{
		Name:    "qrock",
		Title:   "QROCK",
		Aliases: []string{"Quick ROCK"},
		Summary: "Clusters records that are connected by chains of similar records.",
		Paper:   "Dutta, Mahanta & Pujari 2005; Islam 2007, section 6.3",
		Needs:   "at least one categorical attribute; class, identifiers and weights are omitted",
		Exposes: "every combination of values that occurs",
		Missing: "a missing value is not in the record's set; a record without any value is in no cluster",
		Cost:    "O(n p) for high thresholds and large clusters, O(n^2 p) at worst; memory O(n p)",
	},
	New: func() mine.Learner { return NewQROCK() },
}

// QROCKLearner clusters by chains of neighbours. The zero value is not usable; take New.
type QROCKLearner struct {
	Theta      float64  // smallest similarity of neighbours, in (0, 1]
	Smallest   int      // components of fewer records are no clusters
	Attributes []string // empty: every categorical attribute that is neither class nor identifier nor weight
}

// NewQROCK returns a learner with the defaults.
func NewQROCK() *QROCKLearner { return param.Default(&QROCKLearner{}) }

// Params declares the parameters.
func (l *QROCKLearner) Params() param.Set {
	return param.Set{
		param.Float(&l.Theta, "theta", 0.5, 0.01, 1, "", "smallest similarity of neighbours"),
		param.Int(&l.Smallest, "smallest", 1, 1, 1_000_000_000, "records", "records in smaller components are outliers"),
		param.Names(&l.Attributes, "attributes", "categorical columns to cluster by; none: all except the class"),
	}
}

// Fit clusters the records. It returns a *Model and draws no random numbers.
func (l *QROCKLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	sets, of := jaccard.Distinct(t, cols)
	x, err := jaccard.NewIndex(ctx, sets, l.Theta)
	if err != nil {
		return nil, err
	}
	root, err := x.Components(ctx)
	if err != nil {
		return nil, err
	}
	m := &QROCKModel{Columns: cols, Theta: l.Theta, Sets: *sets, Label: make([]int32, t.Rows())}
	m.number(root, of, l.Smallest)
	for i, s := range of {
		m.Label[i] = m.Of[s]
	}
	m.Profiles = categorical.Profiles(t, cols, m.Label, m.K)
	return m, nil
}
