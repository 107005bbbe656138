// Package mine is the contract of the miners: what learns from a table.
//
// A Learner is fitted to a table and yields a Model. What a model can do is asked for by assertion: predict a class,
// divide records into segments or into clusters, find similar values, print itself. A miner of clusters yields a
// Clusterer (of records) or a ValueClusterer (of the values of an attribute) that prints itself. The decision tree as
// data, which learners produce and techniques and measures use, is package segment/tree.
//
// Some miners of the papers perturb nothing and serve techniques: DETECTIVE (CAPT uses it), BORE (SAP and CLIFF), and
// the tree that mrrtree learns from disguised data.
package mine

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Miner is a catalogue entry.
type Miner struct {
	card.Card
	New func() Learner
}

// Learner fits a model. A value serves one fit at a time.
type Learner interface {
	Params() param.Set
	Fit(ctx context.Context, t *table.Table, src rng.Source) (Model, error)
}

// ErrNoClass is why a miner that predicts learns nothing from a table without a class.
var ErrNoClass = errors.New("no column has the role class; name the one to predict (--class COLUMN; one of numbers " +
	"is cut into ranges: --cut 20%top)")

// ClassOf returns the position of the class, which must be categorical. Where there is none the error is ErrNoClass.
func ClassOf(t *table.Table) (int, error) {
	j := t.WithRole(table.Class)
	if j < 0 {
		return 0, ErrNoClass
	}
	if a := t.Attr(j); a.Kind != table.Categorical {
		return 0, fmt.Errorf("class %q is %s, expected categorical", a.Name, a.Kind)
	}
	return j, nil
}

// LawLearner is a learner that learns from a release what its original was like, where it is told the law of the
// release.
type LawLearner interface {
	Learner
	// ByLaw tells the law of the tables that are fitted from now on; nil: they are as they are. Columns that the law does
	// not name are as they are. Fit fails where the law is not that of the table.
	ByLaw(law *modelfile.Model)
	// NeedsLaw reports whether it is for releases only: without a law it takes values as they are, which others do better.
	NeedsLaw() bool
}

// Private is a learner that draws the noise of differential privacy.
type Private interface {
	Learner
	// Charges returns what a fit to a table promises, to be charged to a ledger before: all of an entry but the release,
	// the data and when. There is none where the parameters make the model not private. It looks at the schema of the
	// table and at whose its records are, never at values.
	Charges(t *table.Table) ([]budget.Entry, error)
	// Public returns a model of this learner as it may be told: without what its columns hold of the records besides, such
	// as limits and categories that nobody declared or bought.
	Public(m Model) Model
}

// Model is what a learner found. What it can do is asked for by assertion: Classifier, Segmenter, Clusterer,
// ValueClusterer, Described.
type Model any

// Classifier predicts the class of records.
type Classifier interface {
	// Predict writes the code of the predicted class of every record of t into dst, which has length t.Rows(). The table
	// must conform to the schema the model was fitted on (table.Conform).
	Predict(t *table.Table, dst []int32)
}

// Segmenter assigns every record to exactly one segment.
type Segmenter interface {
	// Segments returns the segments; a segment's number is its position.
	Segments() []segment.Segment
	// Route writes the number of every record's segment into dst, which has length t.Rows(). The table must conform to
	// the schema the model was fitted on.
	Route(t *table.Table, dst []int32)
}

// Clusterer is a model that divides records into clusters.
type Clusterer interface {
	// Clusters returns how many clusters there are; a cluster's number is its position.
	Clusters() int
	// Labels returns the number of the cluster of every record of the table the model was fitted on, -1 for a record of
	// none (an outlier). The caller does not change it.
	Labels() []int32
	// Assign writes the number of every record's cluster into dst, which has length t.Rows(), -1 for none. The table must
	// conform to the schema the model was fitted on; on the table it was fitted on it gives Labels.
	Assign(t *table.Table, dst []int32)
}

// Alike says that two values of a categorical attribute are similar.
type Alike struct {
	Attribute string  `json:"attribute"`
	A         string  `json:"a"` // the labels of the two values, that of the lower code first
	B         string  `json:"b"`
	Strength  float64 `json:"strength"` // larger is more similar; what it counts is the miner's to say
	// where they are: a condition on records, or the attribute that they share values of; empty is everywhere
	Within string `json:"within"`
	// Weak says that they are alike only in what holds for both of two neighbouring places, Within, and have no strength.
	Weak bool `json:"weak,omitempty"`
}

// ValueClusterer is a model that finds similar values of categorical attributes.
type ValueClusterer interface {
	// Similar returns the similar pairs, by attribute in the order of the columns, the strongest first.
	Similar() []Alike
}

// Patterns are the frequent itemsets of a table. They are looked for anew whenever they are asked for, and handed over
// one by one: nothing holds them all.
type Patterns interface {
	// Items returns the items; an item's number is its position. The caller does not change them.
	Items() []basket.Item
	// Coding returns which items there are, and of which columns. The caller does not change it.
	Coding() *basket.Coding
	// Transactions returns the items of every record. The caller does not change them.
	Transactions() *itemset.Transactions
	// Least returns in how many records an itemset is at least.
	Least() int
	// Each visits every itemset, in one order on any number of cores, and returns how many there are; with a nil visit it
	// counts them.
	Each(ctx context.Context, visit itemset.Visit) (itemset.Tally, error)
	// Commonest returns so many of them, the commonest first, and how many there are in all. It does not visit them all
	// where it need not.
	Commonest(ctx context.Context, most int) ([]itemset.Found, itemset.Tally, error)
}

// PatternLearner is a learner that finds frequent itemsets.
type PatternLearner interface {
	Learner
	// Patterns codes the records of a table as sets of items, and finds none yet.
	Patterns(t *table.Table) (Patterns, error)
}

// Described is a model that prints itself for a reader, in lines of at most 160 characters. It names values of the
// table, so it is as confidential as the table.
type Described interface{ Text() string }

// Fit fits a learner after it has looked at its parameters, which a program may have set to anything: one out of range
// is the same error as on the command line. Learner.Fit takes parameters as they are.
func Fit(ctx context.Context, l Learner, t *table.Table, src rng.Source) (Model, error) {
	if err := l.Params().Check(); err != nil {
		return nil, err
	}
	return l.Fit(ctx, t, src)
}
