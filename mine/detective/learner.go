package detective

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/categorical"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Miner is the catalogue entry.
var Miner = mine.Miner{
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
	New: func() mine.Learner { return param.Default(&Learner{}) },
}

// Learner clusters the values of several attributes.
type Learner struct {
	Attributes []string // empty: every categorical attribute that is neither class nor identifier nor weight
	c45.Learner
}

// Model is what was found: one entry per attribute, in the order asked for or else of the columns.
type Model struct {
	Attributes []*Clusters `json:"attributes"`
	// Conditions says of every leaf of every attribute which records reach it: tests joined by "and", empty for the only leaf of a tree.
	Conditions [][]string `json:"conditions"`
}

// Params declares the attributes and the parameters of the trees.
func (l *Learner) Params() param.Set {
	return append(param.Set{param.Names(&l.Attributes, "attributes", "categorical columns to cluster; none: all "+
		"except the class")},
		l.Learner.Params()...)
}

// Fit clusters the values of every attribute asked for. It returns a *Model.
func (l *Learner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := l.columns(t)
	if err != nil {
		return nil, err
	}
	m := &Model{Attributes: make([]*Clusters, len(cols)), Conditions: make([][]string, len(cols))}
	err = parallel.Each(ctx, len(cols), func(k int) (err error) {
		if m.Attributes[k], m.Conditions[k], err = l.cluster(ctx, t, cols[k]); err != nil {
			err = fmt.Errorf("column %q: %w", t.Attr(cols[k]).Name, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (l *Learner) columns(t *table.Table) ([]int, error) {
	return categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
}

// cluster grows the tree of one attribute. Counts of training are fractional where values are missing; here every
// record counts in the one leaf it reaches.
func (l *Learner) cluster(ctx context.Context, t *table.Table, j int) (*Clusters, []string, error) {
	learner := l.Learner
	tr, err := learner.Grow(ctx, t, j)
	if err != nil {
		return nil, nil, err
	}
	tr.Recount(t)
	var conditions []string
	for _, r := range tr.Rules() {
		var text []byte
		for i := range r.If {
			if i > 0 {
				text = append(text, " and "...)
			}
			text = r.If[i].AppendTo(text, tr.Attrs)
		}
		conditions = append(conditions, string(text))
	}
	return Of(tr), conditions, nil
}

func sorted(set map[Pair]bool) []Pair {
	return slices.SortedFunc(maps.Keys(set), func(x, y Pair) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
}
