// Package forestframework is the Forest Framework of Fletcher & Islam 2015: noise on all attributes of a table, inside
// the intersections of the leaves of several decision trees.
//
// A forest for the class, SysFor's or one of credal trees, segments the records. Records that share their leaf in every
// tree are an intersection. Numeric values get normal noise, wrapped into the sub-domain that the conditions of all
// trees leave, or into the whole domain where no tree tests the attribute. The values of every categorical attribute,
// and the classes, are permuted at random among the records of an intersection, each attribute by a permutation of its
// own. Both parts read the original records.
//
// What an informed intruder learns: the intersection of a record, so the ranges and categories its conditions leave;
// within it the law of a numeric value given the released one, and the shares of categories and classes. What an
// intersection fixes is released as it is: a range of one value, a category that all its records share, and everything
// categorical of a record that is alone in it. The more trees and leaves, the more such records: the plan counts them.
//
// Cost: the forest; then O(depth) per record and tree, and about 20 ns a value. Only intersections that hold records
// are looked at: O(records * trees), not the product of the trees' leaves.
//
// Departures: enumerating intersections takes the product of the trees' leaves, so records are keyed by their leaves.
// Mean and variance of the noise are not given: the mean is 0, the standard deviation spread per cent of the
// (sub-)domain, a third as in Islam 2007, section 5.2. The range 6 to 8 for A > 5 and A <= 8 holds for integers; for
// reals it is (5, 8]. "With some probability each value is altered" is read as the effect of the permutation, not as a
// further step. singletons=merge, which the paper lacks, joins a record that is alone with the nearest intersection for
// the permutations: its leaves are then kept where no tree tests a category, and the certificate counts the others.
// least, which the paper lacks too, does so with intersections of fewer than so many records. Numbers get the noise of
// their own intersection all the same, so who has the plan still finds it by them.
//
// Reference: Fletcher & Islam 2015, section 3; parameters section 7.
package forestframework

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "forestframework",
		Title:   "Forest Framework",
		Aliases: []string{"FF"},
		Summary: "Adds noise to all numbers and permutes categories inside the intersections of the leaves of a " +
			"decision forest.",
		Paper:   "Fletcher & Islam 2015, section 3",
		Needs:   "a categorical class",
		Changes: "every attribute, the class included",
		Preserves: "the leaf of every record in every tree and the class counts of every leaf, so every rule of the forest " +
			"with its " +
			"support and confidence (type DM); the counts of every category in every intersection",
		Biases: "numeric means and variances are drawn towards those of uniform sub-domains (type A), correlations inside " +
			"an " +
			"intersection are lost (types B and C)",
		Exposes: "the intersection of a record; within it the distribution of a number given the released one; and " +
			"what the intersection fixes: a single value, category or class, and all categories of a record that " +
			"is alone",
		Missing: "stay missing; a record whose tested value is missing belongs to the leaf of the heaviest branch",
		Cost:    "a forest of few trees; then O(depth) per record and tree and O(1) per value",
	},
	Purpose:  protect.KeepsRules,
	New:      func() protect.Technique { return New() },
	Plan:     func() protect.Plan { return &Plan{} },
	Claims:   []protect.Claim{protect.Segments, protect.Groups, protect.HasSteps, protect.Notes, protect.Checks},
	OnDomain: true,
	Steps: []protect.Step{
		{
			Plan:   func() protect.Plan { return &noise{} },
			Claims: []protect.Claim{protect.HasNoiseModel, protect.Describes, protect.Memoises},
		},
		{
			Plan:   func() protect.Plan { return &shuffle{} },
			Claims: []protect.Claim{protect.HasNoiseModel, protect.Groups, protect.Describes},
		},
	},
}

// What becomes of a record that is alone in its intersection.
const (
	KeepAlone    = "keep"  // its categories stay
	MergeNearest = "merge" // they are permuted with those of the nearest intersection
)

// Technique holds the parameters: those of the forest, and three of its own.
type Technique struct {
	Spread     float64  // standard deviation of the numeric noise, in per cent of the size of the (sub-)domain
	Singletons string   // keep | merge
	Least      int      // records of the group that categories are permuted in, at least
	Except     []string // columns left alone
	Intersections
}

// New returns the technique with its defaults: the forest of section 7, noise of a third of the (sub-)domain.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Spread, "spread", 33.33, 0, wrap.MaxSpread, "% of the (sub-)domain", "standard deviation of the "+
			"numeric noise").Noisier(1, 300),
		param.Choice(&q.Singletons, "singletons", KeepAlone, []string{KeepAlone, MergeNearest},
			"a record alone in its intersection: keep releases its categories and class unchanged, merge permutes "+
				"them with those of the nearest intersection"),
		param.Int(&q.Least, "least", 1, 1, math.MaxInt32, "records",
			"a smaller intersection is permuted together with the nearest ones until they reach this size; 1 joins "+
				"none, 2 is singletons=merge; numbers stay in their intersection").Noisier(1, 30),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}, q.Intersections.Params()...)
}

// Fit grows the forest, unless one was handed over, and finds the intersections that hold one record.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p := &Plan{Spread: q.Spread}
	var err error
	if p.Numeric, err = protect.Columns(t, table.Numeric, q.Except); err != nil {
		return nil, err
	}
	if p.Categorical, err = protect.Columns(t, table.Categorical, q.Except); err != nil {
		return nil, err
	}
	if p.Forest, err = q.Segment(ctx, t, src); err != nil {
		return nil, err
	}
	if class := p.Forest.Class(); !slices.Contains(q.Except, t.Attr(class).Name) {
		p.Categorical = append(p.Categorical, class)
		slices.Sort(p.Categorical)
	}
	keys, err := route(p.Forest, t)
	if err != nil {
		return nil, fmt.Errorf("the forest: %w", err)
	}
	s := occupied(keys)
	p.Intersections, p.Singletons = len(s.keys), len(s.singletons())
	if q.Singletons == MergeNearest || q.Least > 1 {
		p.Merged, err = s.merge(ctx, p.Forest, q.Least)
	}
	return p, err
}
