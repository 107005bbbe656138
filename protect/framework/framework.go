package framework

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Framework is the Framework of Islam 2007: noise on all attributes of a table, inside the leaves of one
// decision tree.
//
// One C4.5 tree for the class segments the records. Inside a leaf, LINFAPT perturbs the numeric values
// that the leaf's rule tests, within the range the rule allows; LINNAPT the other numeric values, within their whole
// domain; CAPT exchanges categorical values for similar ones; and RPT permutes the classes (or PPT draws them anew).
// Every part reads the original records.
//
// What an informed intruder learns: the leaf of a record, so the ranges of what its rule tests; within them the law
// of each value given the released one, from the documented noise. What a rule fixes is released as it is: a range of
// one value, a single category with influential=keep, the class of a homogeneous leaf.
//
// Cost: the tree of the class and one tree per categorical attribute, O(p n log n) per level; then O(depth) per
// record and categorical attribute, under a microsecond per record of 15 attributes.
//
// Departures: the text says that step 1 perturbs the leaf's innocent attributes; by the pseudo-code it is the
// influential ones. Steps 1 and 2 are one step here: an attribute is influential in one leaf and innocent in another,
// and a release takes whole columns. CAPT as printed takes records out of their leaf where it changes a value that
// the leaf tests; influential=keep, the default, does not, and influential=paper does as printed.
//
// Reference: Islam 2007, section 7.1; parameters section 7.3.
var Framework = protect.Method{
	Card: card.Card{
		Name:  "framework",
		Title: "Framework",
		Summary: "Adds noise to all attributes inside the leaves of a decision tree: LINFAPT, LINNAPT, CAPT and " +
			"RPT combined.",
		Paper:   "Islam 2007, section 7.1",
		Needs:   "a categorical class",
		Changes: "every attribute, the class included",
		Preserves: "the leaf of every record and, with RPT, the class counts of every leaf, so every rule of the original " +
			"tree " +
			"with its support and confidence (type DM)",
		Biases: "means and variances are drawn towards those of uniform sub-domains (type A), correlations are lost " +
			"(types B and C), distributions flatten (type D)",
		Exposes: "the leaf of a record; within it the distribution of every value given the released one; and what " +
			"a rule fixes: a single value, category or class",
		Missing: "stay missing; a record whose tested value is missing belongs to the leaf of the heaviest branch",
		Shards:  protect.FromSample,
		Cost: "a C4.5 tree per categorical attribute and one for the class; then O(depth) per record and categorical " +
			"attribute",
	},
	Purpose:  protect.KeepsRules,
	Usual:    "where people recur, or noise must not depend on other records",
	New:      func() protect.Technique { return NewFramework() },
	Plan:     func() protect.Plan { return &FrameworkPlan{} },
	Claims:   []protect.Claim{protect.Segments, protect.Groups, protect.HasSteps, protect.Notes, protect.Checks},
	OnDomain: true,
	Steps: []protect.Step{
		{
			Plan: func() protect.Plan { return &noise{} },
			Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.TakesLeaves, protect.Describes,
				protect.Checks, protect.Memoises},
		},
	},
}

// What perturbs the class.
const (
	FrameworkRPT = "rpt" // permute the classes of a leaf
	FrameworkPPT = "ppt" // draw them anew
)

// FrameworkTechnique holds the parameters: those of CAPT and of the trees, and two of its own.
type FrameworkTechnique struct {
	Spread         float64 // standard deviation of the numeric noise, in per cent of the size of the (sub-)domain
	ClassTechnique string  // rpt | ppt
	capt.Technique
}

// NewFramework returns the technique with the paper's parameters, and influential values kept in their leaf.
func NewFramework() *FrameworkTechnique { return param.Default(&FrameworkTechnique{}) }

// Params declares the parameters.
func (q *FrameworkTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Spread, "spread", 33.33, 0, wrap.MaxSpread, "% of the (sub-)domain", "standard deviation of the "+
			"numeric noise").Noisier(1, 300),
		param.Choice(&q.ClassTechnique, "classTechnique", FrameworkRPT, []string{FrameworkRPT, FrameworkPPT},
			"permute the classes in a leaf, or redraw them from its class shares"),
	}, q.Technique.Params()...)
}

// Fit grows the tree of the class, unless one was handed over, and those of the categorical attributes.
func (q *FrameworkTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *FrameworkTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	numeric, err := protect.Columns(r.Schema, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	p := &FrameworkPlan{Spread: q.Spread, Numeric: numeric, Keep: q.Influential == capt.Keep}
	if p.InLeaves, err = q.Segment(ctx, r); err != nil {
		return nil, err
	}
	values := q.Technique
	values.Tree = p.Tree
	fitted, err := values.FitAggregates(ctx, r)
	if err != nil {
		return nil, err
	}
	p.Categorical = fitted.(*capt.Plan).Values
	if name := p.Tree.Attrs[p.Tree.Class].Name; !slices.Contains(q.Except, name) {
		p.Class = q.ClassTechnique
	}
	if p.Class == FrameworkPPT {
		if p.Counts, err = p.Classes(ctx, r); err != nil {
			return nil, err
		}
	}
	return p, nil
}
