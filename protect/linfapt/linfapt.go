// Package linfapt is the Leaf Influential Attribute Perturbation Technique of Islam 2007.
//
// What it does: a value of a numeric attribute that the rule of the record's leaf tests (a LINFA) gets normal noise and is
// wrapped around inside the range that the rule allows, cut with the attribute's domain. The standard deviation is 33.33 %
// of the size of that range (section 7.3).
//
// Needs and changes: a categorical class and a decision tree for it, grown by C4.5 unless one is handed over; changes the
// numeric attributes in the leaves that test them, and no other cell. LINNAPT is its complement.
//
// Preserves and biases: no record leaves its leaf, so the original tree makes exactly the same predictions on the
// release for every record whose tested values are known (tree.Tree.Predict lets all branches vote on the others), and every rule keeps
// its records. Inside a range the law is drawn towards uniform: with the default spread a
// value of a range of ten stays with probability 0.12 and moves to the farthest with 0.08. So variances inside leaves, tails and
// correlations inside leaves are biased.
//
// What an informed intruder learns: the leaf of the record. A range of one value is released as it is; a narrow range is
// narrow knowledge. Given the spread, the likelihood of every original value in the range follows from
// wrap.NormalLaw.
//
// Missing values stay missing. A record whose tested value is missing belongs to the leaf of the heaviest branch.
// A value outside the declared domain counts as the nearest end.
//
// Cost: O(rows * tested columns) after the tree.
//
// Departures: the wrap-around printed as l + B - u - 1 is right for integers and one overflow only; here it is closed for any
// grid, any overflow and both ends. Noise on a grid is rounded to whole steps, and its size counts grid values
// (u-l+1 of them), that of a continuous range is u-l up to its fine grid
// (package wrap).
//
// Reference: Islam 2007, section 5.3; parameters section 7.3.
package linfapt

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "linfapt",
		Title:     "Leaf Influential Attribute Perturbation Technique",
		Summary:   "Normal noise on the numeric values that the rule of the record's leaf tests, wrapped inside the range that the rule allows.",
		Paper:     "Islam 2007, sections 5.3 and 7.3",
		Needs:     "a categorical class; numeric attributes",
		Changes:   "numeric attributes, in the leaves whose rule tests them",
		Preserves: "the leaf of every record, so every rule of the original tree with its support and confidence (type DM); the domain and grid of every attribute",
		Biases:    "the distribution inside a sub-domain is drawn towards uniform (types A and D); correlations inside a leaf are lost (types B and C)",
		Exposes:   "that the value lies in the leaf's range; within it the value the noise leaves most likely is the released one",
		Missing:   "stay missing; a record whose tested value is missing is perturbed in the leaf of the heaviest branch",
		Shards:    protect.FromSample,
		Cost:      "O(rows * tested columns), after growing a tree",
	},
	Purpose:  protect.KeepsRules,
	New:      func() protect.Technique { return New() },
	Plan:     func() protect.Plan { return &Plan{} },
	Claims:   []protect.Claim{protect.HasLaw, protect.Segments, protect.TakesLeaves, protect.Describes, protect.Checks, protect.Memoises},
	OnDomain: true,
}

// Technique holds the parameters.
type Technique struct {
	leafwise.Leaves
	Spread float64  // standard deviation of the noise, in per cent of the size of the sub-domain
	Except []string // columns left alone
}

// New returns the technique with the paper's parameters: a spread of 33.33 %.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Spread, "spread", 33.33, 0, leafwise.MaxSpread, "% of the sub-domain", "standard deviation of the noise").Noisier(1, 300),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}, q.Leaves.Params()...)
}

// Plan is the fitted technique.
type Plan struct{ leafwise.LeafNoise }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "normal noise inside the leaf's sub-domain (LINFAPT)" }

// Fit grows the tree, unless one was handed over, and plans the noise of its influential attributes.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	columns, err := protect.Columns(t, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	in, err := q.Segment(ctx, t, src)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	p.InLeaves, p.Cells, p.Spread = in, leafwise.Influential, q.Spread
	p.Select(columns)
	return p, nil
}
