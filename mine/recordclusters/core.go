package recordclusters

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CORE clusters records by CORE, correlation-based agglomeration (Chuang & Chen 2004) as described in Islam
// 2007, section 6.3.
//
// Two values of different attributes are correlated by the share of the records with both among the records with
// either: Corr(a,b) = n_ab/(n_a + n_b - n_ab). Their force is Corr - delta: values of positive force attract each
// other, others repel. Every record is a cluster at first; the two most similar clusters are merged, as long as two
// attract each other and there are more than asked for. A record is in one cluster; a value may be in many.
//
// Reconstruction: the thesis says that the similarity of two clusters is "based on" the forces of all pairs of values,
// one of each, and no more. Here it is their mean, over all pairs of a record of one and a record of the other: of
// every pair of values of different attributes the force, of two equal values of one attribute 1 - delta. Different
// values of one attribute, which cannot meet in a record, do not count. delta is unless given the mean correlation of
// the pairs of values that meet.
//
// Departures: records that have the same values start in one cluster, so that the clusters do not depend on the order
// of the records, and a record's cluster depends on its values only. Of equally similar clusters the one of the earlier
// values is taken: first come, in the order of codes.
//
// Missing values: a missing value attracts and repels nothing; n_a counts the records with known a. A record without
// any known value is in no cluster. A new record with values that no fitted record had together goes to the most
// similar cluster, or to none when all repel it.
//
// Cost: the mean similarity of a merged cluster lies between those of its parts, so clusters can be merged along chains
// of nearest neighbours: time O(m (m p + v^2)) for m different records of p attributes and v values, and memory O(m p +
// v^2): no more than 16 bytes for every value of the different records, and 8 v^2. More than maxRecords different
// records, or maxValues values, are an error.
//
// Reference: K.-T. Chuang and M.-S. Chen, "Clustering categorical data by utilizing the correlated-force ensemble", SDM
// 2004.
var CORE = mine.Miner{
	Card: card.Card{
		Name:    "core",
		Title:   "CORE",
		Summary: "Merges records with correlated values, the most attractive first, until all clusters repel each other.",
		Paper:   "Chuang & Chen 2004; Islam 2007, section 6.3",
		Needs:   "at least one categorical attribute",
		Exposes: "every combination of values that occurs",
		Missing: "a missing value attracts and repels nothing; a record without known values is in no cluster",
		Cost:    "O(m^2 p) for m distinct records of p attributes",
	},
	New: func() mine.Learner { return CORENew() },
}

// CORELearner clusters records. The zero value is not usable; take New.
type CORELearner struct {
	Attributes []string // empty: every categorical attribute that is neither identifier nor weight
	Delta      float64  // the correlation above which values attract; 0: the mean of those that meet
	K          int      // stop at so many clusters; 0: when no two attract
	MaxRecords int      // an error above so many different records
	MaxValues  int      // an error above so many values of all attributes
}

// CORENew returns a learner with the defaults.
func CORENew() *CORELearner { return param.Default(&CORELearner{}) }

// Params declares the parameters.
func (l *CORELearner) Params() param.Set {
	return param.Set{
		param.Names(&l.Attributes, "attributes", "categorical columns to cluster by; none: all"),
		param.Float(&l.Delta, "delta", 0, 0, 1, "", "values attract above this correlation; 0: the mean over "+
			"values that co-occur"),
		param.Int(&l.K, "clusters", 0, 0, math.MaxInt32, "clusters", "stop at this many; 0: stop when no two "+
			"attract, which always ends it"),
		param.Int(&l.MaxRecords, "maxRecords", 20_000, 1, 1_000_000, "records", "more distinct ones are an error; "+
			"time grows with the square"),
		param.Int(&l.MaxValues, "maxValues", 1_000, 1, 10_000, "values", "more in all columns are an error; memory is 8 "+
			"bytes times the square"),
	}
}

// Fit clusters the records. It returns a *Model.
func (l *CORELearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cols, err := l.columns(t)
	if err != nil {
		return nil, err
	}
	m, kindOf, err := l.load(t, cols)
	if err != nil {
		return nil, err
	}
	f := m.forces(l.Delta)
	m.Delta = f.delta
	of, n, err := agglomerate(ctx, f, m.Kinds, l.K)
	if err != nil {
		return nil, err
	}
	m.N, m.Members = n, kindOf
	for k := range m.Kinds {
		m.Kinds[k].Cluster = of[k]
	}
	for i, k := range kindOf {
		if k >= 0 {
			m.Members[i] = of[k]
		}
	}
	return m, nil
}

func (l *CORELearner) columns(t *table.Table) ([]int, error) {
	return categorical.Columns(t, l.Attributes, table.Identifier|table.Weight)
}
