package detective

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// DETECTIVE clusters the values of a categorical attribute by DETECTIVE, "a DEcision TreE based CaTegorical
// ValuE clustering technique" (Islam 2007, section 6.4).
//
// What it does: a C4.5 tree takes the attribute as its class, and all other attributes, the natural class included,
// as inputs. Values that share a heterogeneous leaf are strongly similar inside that leaf: no test separates them.
// Values of two sibling leaves (leaves with the same parent) are weakly similar inside the union of both: only the
// last test separates them. Two values may be similar in one part of the table and not in another.
//
// Strength: the similarity of two values in a leaf is the product of their counts there (section 6.6.1); weak pairs
// have no strength. The thesis speaks of homogeneous siblings and of their class values; here any two different
// values, one from each of two siblings, are weakly similar, and a leaf that no record reaches is nobody's sibling.
//
// Missing values: a record whose value of the clustered attribute is missing counts nowhere; a record in which a
// tested value is missing follows the heaviest branch, so every record counts in exactly one leaf.
//
// Cost: that of one C4.5 tree per attribute, O(p n log n) per level; attributes are worked on in parallel.
//
// Reference: M. Z. Islam and L. Brankovic, "DETECTIVE: a decision tree based categorical value clustering and
// perturbation technique in privacy preserving data mining", INDIN 2005.
var DETECTIVE = mine.Miner{
	Card: card.Card{
		Name:  "detective",
		Title: "DETECTIVE",
		Summary: "Clusters the values of an attribute: values in the same or sibling leaves of a tree that " +
			"predicts it are similar.",
		Paper: "Islam 2007, section 6.4",
		Needs: "at least one categorical attribute; all other attributes are inputs",
		Missing: "missing values of the clustered attribute are not counted; a missing tested value follows the " +
			"heaviest branch",
		Cost: "one C4.5 tree per attribute, O(p n log n) per level",
	},
	New: func() mine.Learner { return param.Default(&DETECTIVELearner{}) },
}

// DETECTIVELearner clusters the values of several attributes.
type DETECTIVELearner struct {
	Attributes []string // empty: every categorical attribute that is neither class nor identifier nor weight
	c45.Learner
}

// DETECTIVEModel is what was found: one entry per attribute, in the order asked for or else of the columns.
type DETECTIVEModel struct {
	Attributes []*Clusters `json:"attributes"`
	// Conditions says of every leaf of every attribute which records reach it: tests joined by "and", empty for the only
	// leaf of a tree.
	Conditions [][]string `json:"conditions"`
	// Above says the same of the node above every leaf: the condition without the last test, which tells siblings apart.
	Above [][]string `json:"above"`
}

// Params declares the attributes and the parameters of the trees.
func (l *DETECTIVELearner) Params() param.Set {
	return append(param.Set{param.Names(&l.Attributes, "attributes", "categorical columns to cluster; none: all "+
		"except the class")},
		l.Learner.Params()...)
}

// Fit clusters the values of every attribute asked for. It returns a *Model.
func (l *DETECTIVELearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := l.columns(t)
	if err != nil {
		return nil, err
	}
	m := &DETECTIVEModel{
		Attributes: make([]*Clusters, len(cols)),
		Conditions: make([][]string, len(cols)),
		Above:      make([][]string, len(cols)),
	}
	err = parallel.Each(ctx, len(cols), func(k int) error {
		tr, err := l.tree(ctx, t, cols[k])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Attr(cols[k]).Name, err)
		}
		m.Attributes[k] = Of(tr)
		for _, r := range tr.Rules() {
			m.Conditions[k] = append(m.Conditions[k], conditions(tr, r.If))
		}
		for _, tests := range tr.Above() {
			m.Above[k] = append(m.Above[k], conditions(tr, tests))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (l *DETECTIVELearner) columns(t *table.Table) ([]int, error) {
	return categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
}

// tree grows the tree of one attribute. Counts of training are fractional where values are missing; here every record
// counts in the one leaf it reaches.
func (l *DETECTIVELearner) tree(ctx context.Context, t *table.Table, j int) (*tree.Tree, error) {
	learner := l.Learner
	tr, err := learner.Grow(ctx, t, j)
	if err != nil {
		return nil, err
	}
	tr.Recount(t)
	return tr, nil
}

// conditions writes tests joined by "and".
func conditions(tr *tree.Tree, tests []tree.Cond) string {
	var text []byte
	for i := range tests {
		if i > 0 {
			text = append(text, " and "...)
		}
		text = tests[i].AppendTo(text, tr.Attrs)
	}
	return string(text)
}

func sorted(set map[Pair]bool) []Pair {
	return slices.SortedFunc(maps.Keys(set), func(x, y Pair) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
}
