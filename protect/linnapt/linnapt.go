// Package linnapt is the Leaf Innocent Attribute Perturbation Technique of Islam 2007.
//
// What it does: a value of a numeric attribute that the rule of the record's leaf does not test (a LINNA) gets normal noise
// and is wrapped around inside the attribute's whole domain. The standard deviation is 33.33 % of the size of the
// domain (section 7.3).
//
// Needs and changes: a categorical class and a decision tree for it, grown by C4.5 unless one is handed over; changes the
// numeric attributes in the leaves that do not test them, and no other cell. LINFAPT is its complement.
//
// Preserves and biases: no record leaves its leaf, so the original tree makes exactly the same predictions on the
// release for every record whose tested values are known (tree.Tree.Predict lets all branches vote on the others).
// The noise is large: means move towards the middle of the domain, distributions towards uniform, and
// correlations with the perturbed values shrink.
//
// What an informed intruder learns: who knows tested values finds the record, because these stay; LINFAPT removes that. The
// likelihood of an original value given the released one follows from wrap.NormalLaw.
//
// Missing values stay missing. A record whose tested value is missing belongs to the leaf of the heaviest branch.
// A value outside the declared domain counts as the nearest end.
//
// Cost: O(rows * numeric columns) after the tree.
//
// Departures: the noise is called discrete and said to be drawn from a normal; it is drawn from the normal, rounded to
// whole grid steps and wrapped, in closed form for any overflow. The size of a domain on a grid is its number of
// values u-l+1, that of a continuous one u-l up to its fine grid (package wrap). Section 7.1 perturbs LINFAs in step 1 and LINNAs in step 2, and its
// explanation has them the other way round; the cells are disjoint, so the order does not matter.
//
// Reference: Islam 2007, section 5.2; parameters section 7.3.
package linnapt

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
		Name:      "linnapt",
		Title:     "Leaf Innocent Attribute Perturbation Technique",
		Summary:   "Normal noise on the numeric values that the rule of the record's leaf does not test, wrapped inside the attribute's domain.",
		Paper:     "Islam 2007, sections 5.2 and 7.3",
		Needs:     "a categorical class; numeric attributes",
		Changes:   "numeric attributes, in the leaves whose rule does not test them",
		Preserves: "the leaf of every record, so every rule of the original tree with its support and confidence (type DM); the domain and grid of every attribute",
		Biases:    "every perturbed distribution is drawn towards uniform (types A and D); correlations are weakened (types B and C); patterns the tree does not hold are blurred",
		Exposes:   "the tested values and the class, which stay as they are; of a perturbed value the likelihood given the released one",
		Missing:   "stay missing; a record whose tested value is missing belongs to the leaf of the heaviest branch",
		Shards:    protect.FromSample,
		Cost:      "O(rows * numeric columns), after growing a tree",
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
	Spread float64  // standard deviation of the noise, in per cent of the size of the domain
	Except []string // columns left alone
}

// New returns the technique with the paper's parameters: a spread of 33.33 %.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Spread, "spread", 33.33, 0, leafwise.MaxSpread, "% of the domain", "standard deviation of the noise").Noisier(1, 300),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}, q.Leaves.Params()...)
}

// Plan is the fitted technique.
type Plan struct{ leafwise.LeafNoise }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "normal noise inside the domain where the leaf does not test (LINNAPT)"
}

// Fit grows the tree, unless one was handed over, and plans the noise of its innocent attributes.
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
	p.InLeaves, p.Cells, p.Spread = in, leafwise.Innocent, q.Spread
	p.Select(columns)
	return p, nil
}
