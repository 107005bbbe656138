package recordclusters

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// COOLCAT clusters records so that the entropy inside the clusters is small: COOLCAT (Barbara, Li & Couto 2002)
// as described in Islam 2007, section 6.3.
//
// The entropy of a cluster is the sum of those of its attributes, in bits; the expected entropy of a clustering is the
// mean of its clusters' entropies, weighted by their records. Records that differ most in a random sample begin the
// clusters: first the pair with the largest entropy, then, one by one, the record whose smallest entropy with those
// chosen is largest. All others are placed in batches, in the order of the table, each in the cluster where the
// expected entropy grows least; after a batch, the share of its records that fits worst is taken out and placed again.
// The fit of a record is the probability of its values in its cluster, taken one by one.
//
// What an intruder learns from the model: the counts of every value in every cluster, also of single records. A
// clustering of confidential records is itself confidential.
//
// Missing values count nowhere: an attribute's entropy is that of its known values, weighted by their number. A record
// without any known value is in no cluster.
//
// Cost: O(n k p) for n records of p attributes and k clusters, and O(s^2 p) for a sample of s; placing is sequential,
// labelling uses all cores. Memory beyond the table: 12 bytes a record, and some 30 k bytes for each value of an
// attribute.
//
// Departure: when all records are placed, each is labelled with the cluster where one more record like it would add
// least to the expected entropy. In the paper it stays where it was put on the way, when the clusters were still being
// formed; so two identical records may part, and where a record goes cannot be told from its values. The pass makes the
// labels of the table and those of new records one rule, and chunks of a table are labelled as the whole.
//
// Readings: of equal pairs and equal clusters the first wins; there are fewer than k clusters when the sample has fewer
// records that differ.
//
// Reference: D. Barbara, Y. Li and J. Couto, "COOLCAT: an entropy-based algorithm for categorical clustering", CIKM
// 2002.
var COOLCAT = mine.Miner{
	Card: card.Card{
		Name:    "coolcat",
		Title:   "COOLCAT",
		Summary: "Assigns records one by one to the cluster whose entropy grows least.",
		Paper:   "Barbara, Li & Couto 2002; Islam 2007, section 6.3",
		Needs:   "at least one categorical attribute; class, identifiers and weights are omitted",
		Exposes: "the counts of every value in every cluster, including single records",
		Missing: "are not counted; a record without any known value is in no cluster",
		Cost:    "O(n k p) for n records, k clusters and p attributes",
	},
	New: func() mine.Learner { return COOLCATNew() },
}

// COOLCATLearner clusters by entropy. The zero value is not usable; take New.
type COOLCATLearner struct {
	K          int     // clusters wanted
	Sample     int     // records that the first of each cluster are chosen from
	Batch      int     // records placed before the worst are placed again
	Again      float64 // per cent of a batch that is placed again
	Attributes []string
}

// COOLCATNew returns a learner with the defaults.
func COOLCATNew() *COOLCATLearner { return param.Default(&COOLCATLearner{}) }

// Params declares the parameters.
func (l *COOLCATLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.K, "k", 10, 1, 10_000, "clusters", "number of clusters; fewer if fewer records differ"),
		param.Int(&l.Sample, "sample", 400, 1, 10_000, "records", "choose the initial records of the clusters from "+
			"this many"),
		param.Int(&l.Batch, "batch", 1000, 1, 1_000_000_000, "records", "assign this many before reassigning the worst"),
		param.Float(&l.Again, "again", 10, 0, 100, "%", "share of a batch to reassign: those that fit worst"),
		param.Names(&l.Attributes, "attributes", "categorical columns to cluster by; none: all except the class"),
	}
}

// Fit clusters the records. It returns a *Model.
func (l *COOLCATLearner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	cols, err := categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	m := &COOLCATModel{Columns: cols}
	for _, j := range cols {
		m.Values = append(m.Values, len(t.Attr(j).Labels))
	}
	rows, err := l.first(ctx, t, cols, src)
	if err != nil {
		return nil, err
	}
	p := newPlacer(m, t, len(rows))
	for c, i := range rows {
		p.add(c, i)
	}
	if err := l.place(ctx, p); err != nil {
		return nil, err
	}
	m.keep(p)
	m.Label = make([]int32, t.Rows())
	if err := m.assign(ctx, t, m.Label); err != nil {
		return nil, err
	}
	m.Entropy = expected(t, cols, m.Label, m.Clusters())
	m.Profiles = categorical.Profiles(t, cols, m.Label, m.Clusters())
	return m, nil
}
