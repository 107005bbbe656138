// Package leafnoise holds LINFAPT and LINNAPT (Islam 2007): noise on numeric values that keeps every record in its leaf
// of a decision tree. LINFAPT perturbs the values that the rule of the record's leaf tests, LINNAPT all
// others; a cell is changed by exactly one of them.
//
// The tree is grown by C4.5 for a categorical class, unless one is handed over. No record leaves its leaf, so the
// original tree makes exactly the same predictions on the release for every record whose tested values are known
// (tree.Tree.Predict lets all branches vote on the others), and every rule keeps its records. The standard deviation
// is 33.33 % of the size of the range in which the noise is wrapped around (section 7.3). Given the noise, the
// likelihood of every original value in the range follows (wrap.NoiseKernel). A value outside the declared domain
// counts as the nearest end.
//
// The thesis's noise has a mean and a variance, and "the distribution of the noise can be chosen to suit a particular
// application" (sections 5.2 and 5.3); its experiments have normal noise of mean 0. Here it is normal, uniform or
// Laplace noise of that mean and standard deviation ("noise", "mean", "spread"). A mean moves all values of a range
// around it by the same number of steps, which hides nothing from who knows it, but moves the ends of a range inside:
// with mean 50 % what was at an end of the domain is in its middle.
//
// Departures: the noise is called discrete and said to be drawn from a normal; it is drawn from the normal, rounded to
// whole grid steps and wrapped. The wrap-around printed as l + B - u - 1 is right for integers and one overflow only;
// here it is closed for any grid, any overflow and both ends. The size of a range on a grid is its number of values
// u-l+1, that of a continuous one u-l up to its fine grid (package wrap). Section 7.1 perturbs LINFAs in step 1 and
// LINNAs in step 2, and its explanation has them the other way round; the cells are disjoint, so the order does not
// matter.
//
// Reference: Islam 2007, sections 5.2 (LINNAPT) and 5.3 (LINFAPT); parameters section 7.3.
package leafnoise

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{Influential, Innocent}

// Influential is LINFAPT: a value that the rule of the record's leaf tests (a LINFA) is wrapped around inside the
// range that the rule allows, cut with the attribute's domain. With the default spread a value of a range of ten stays
// with probability 0.12 and moves to the farthest with 0.08. A range of one value is released as it is; a narrow range
// is narrow knowledge.
var Influential = entry(leafwise.Influential, card.Card{
	Name:  "linfapt",
	Title: "Leaf Influential Attribute Perturbation Technique",
	Short: "LINFAPT",
	Summary: "Adds noise, normal by default, to the numeric values tested by the rule of the record's leaf, wrapped " +
		"inside the range that the rule allows.",
	Paper:   "Islam 2007, sections 5.3 and 7.3",
	Changes: "numeric attributes, in leaves with rules that test them",
	Biases: "distributions inside a sub-domain move towards uniform (types A and D); correlations inside a leaf " +
		"are lost (types B and C)",
	Exposes: "that the value lies in the leaf's range; within it the released value is the most likely original",
	Missing: "stay missing; a record whose tested value is missing is perturbed in the leaf of the heaviest branch",
	Cost:    "O(rows * tested columns), after growing a tree",
})

// Innocent is LINNAPT: a value that the rule of the record's leaf does not test (a LINNA) is wrapped around inside the
// attribute's whole domain. The noise is large: means move towards the middle of the domain. Who knows tested values
// finds the record, because these stay; LINFAPT removes that.
var Innocent = entry(leafwise.Innocent, card.Card{
	Name:  "linnapt",
	Title: "Leaf Innocent Attribute Perturbation Technique",
	Short: "LINNAPT",
	Summary: "Adds noise, normal by default, to the numeric values not tested by the rule of the record's leaf, wrapped " +
		"inside the attribute's domain.",
	Paper:   "Islam 2007, sections 5.2 and 7.3",
	Changes: "numeric attributes, in leaves with rules that do not test them",
	Biases: "perturbed distributions move towards uniform (types A and D); correlations weaken (types B and C); " +
		"patterns that are not in the tree blur",
	Exposes: "the tested values and the class, which are unchanged; for a perturbed value, its likelihood given " +
		"the released one",
	Missing: "stay missing; a record whose tested value is missing belongs to the leaf of the heaviest branch",
	Cost:    "O(rows * numeric columns), after growing a tree",
})

// entry is the entry of the technique for such cells, with what both say.
func entry(cells leafwise.Cells, c card.Card) protect.Method {
	c.Needs = "a categorical class; numeric attributes"
	c.Preserves = "the leaf of every record, so every rule of the original tree with its support and confidence " +
		"(type DM); " +
		"the domain and grid of every attribute"
	c.Shards = protect.FromSample
	return protect.Method{
		Card:    c,
		Purpose: protect.KeepsRules,
		Growth:  1,
		New:     func() protect.Technique { return param.Default(&Technique{cells: cells}) },
		Plan:    func() protect.Plan { return &Plan{cells: cells} },
		Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.TakesLeaves, protect.Describes,
			protect.Checks, protect.Memoises},
		OnDomain: true,
	}
}

// Technique holds the parameters.
type Technique struct {
	leafwise.Leaves
	Noise  string   // its shape
	Mean   float64  // of the noise, in per cent of the size of the range that it is wrapped in
	Spread float64  // its standard deviation, in the same unit
	Except []string // columns left alone

	cells leafwise.Cells
}

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	unit := "% of the domain"
	if q.cells == leafwise.Influential {
		unit = "% of the sub-domain"
	}
	spread := param.Float(&q.Spread, "spread", 33.33, 0, wrap.MaxSpread, unit, "standard deviation of the noise")
	return append(param.Set{
		param.Choice(&q.Noise, "noise", normal, []string{normal, string(wrap.Uniform), string(wrap.Laplace)},
			"distribution of the noise"),
		param.Float(&q.Mean, "mean", 0, -100, 100, unit, "mean of the noise: every value moves by it before it is wrapped"),
		spread.Noisier(1, 300),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}, q.Leaves.Params()...)
}

// normal is the usual noise.
const normal = "normal"

// law returns the noise that the parameters ask for.
func (q *Technique) law() wrap.Noise {
	n := wrap.Noise{Shape: wrap.Shape(q.Noise), Mean: q.Mean, Spread: q.Spread}
	if q.Noise == normal {
		n.Shape = wrap.Normal
	}
	return n
}

// Plan is the fitted technique.
type Plan struct {
	leafwise.LeafNoise
	cells leafwise.Cells // of the technique that it is of
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.Cells == leafwise.Influential {
		return message.Say("does.linfapt")
	}
	return message.Say("does.linnapt")
}

// Check refuses a decoded plan for other cells, or one that is not consistent.
func (p *Plan) Check() error {
	if err := p.LeafNoise.Check(); err != nil {
		return err
	}
	if p.Cells != p.cells {
		return fmt.Errorf("cells are %q; expected %s", p.Cells, p.cells)
	}
	return nil
}

// Fit grows the tree, unless one was handed over, and plans the noise of its influential or its innocent attributes.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *Technique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	columns, err := protect.Columns(r.Schema, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	in, err := q.Segment(ctx, r)
	if err != nil {
		return nil, err
	}
	p := &Plan{cells: q.cells}
	p.InLeaves, p.Cells, p.Noise = in, q.cells, q.law()
	p.Select(columns)
	return p, nil
}
