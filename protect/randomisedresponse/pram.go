package randomisedresponse

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// PRAM is the post-randomisation method for categorical attributes (PRAM) of Kooiman, Willenborg & Gouweleeuw 1997.
//
// Every value k of an attribute is released as l with probability P[k][l], each record apart. A value is kept with
// probability keep, and otherwise any other is as likely; in an ordered attribute decay makes the farther ones less so;
// matrices gives columns a matrix of their own. With invariant=true P becomes R = P Q, where Q[l][k] is the probability
// that what is released as l was k, and then alpha R + (1 - alpha) I: frequencies are unbiased as they stand. Columns
// that are crossed are perturbed as one attribute, whose values are the combinations that occur; no other is ever
// released, so that no man is pregnant.
//
// What an informed intruder learns: a value released as l was k with probability P[k][l] T[k] / sum over m of P[m][l]
// T[m], which the notes give the range of; rare values are the least sure ones, unless the matrix keeps them. A matrix
// made invariant, which is in the plan, tells T. Whatever is known besides, odds change by the largest ratio of two
// probabilities in a column of P (local differential privacy, Epsilon), unless P was made of the records.
//
// Cost: O(rows * columns), about 8 ns a value; O(K^3) in fitting for K categories that are made invariant.
//
// Departures: frequencies are those of the records, without sampling weights. A category that no record has stays as it
// is under invariance, and none becomes it. Cells of crossed columns that do not occur are the forbidden ones; chunks
// with such a combination are refused.
//
// Reference: P. Kooiman, L. Willenborg, J. Gouweleeuw, "PRAM: a method for disclosure limitation of microdata",
// Statistics Netherlands, 1997; P.-P. de Wolf et al., "Reflections on PRAM", 1998; Islam 2007, section 6.2.
var PRAM = protect.Method{
	Card: card.Card{
		Name:  "pram",
		Title: "PRAM",
		Aliases: []string{"post-randomisation", "post-randomization", "post-randomisation method", "post randomization " +
			"method", "invariant PRAM"},
		Summary: "Changes categorical values with given transition probabilities, which can preserve frequencies.",
		Paper:   "Kooiman, Willenborg & Gouweleeuw 1997; Islam 2007, section 6.2",
		Needs:   "categorical attributes of at most 1,024 categories",
		Changes: "every categorical attribute except the class, or those with a role",
		Preserves: "categories; frequencies in expectation with invariant=true, otherwise after a correction, as " +
			"for cross tables",
		Biases: "relations weaken (types B and C), rules break (type DM); without invariance frequencies move " +
			"towards uniform (type D)",
		Exposes: "the original by Bayes' rule from the matrix and the frequencies",
		Missing: "stay missing",
		Shards:  protect.FromCounts,
		Cost:    "O(rows * columns)",
	},
	Purpose: protect.Randomises,
	Growth:  1,
	New:     func() protect.Technique { return NewPram() },
	Plan:    func() protect.Plan { return &PramPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Publishes, protect.Memoises, protect.BoundsOdds},
}

// mostCells is the largest number of categories, or combinations of crossed columns, that have a matrix.
const mostCells = 1024

// All is the role of columns whatever their role.
const All = "all"

// PramTechnique holds the parameters.
type PramTechnique struct {
	Keep      float64  // probability that a value stays
	Decay     float64  // factor by which a change of an ordered attribute is less likely a step farther away
	Matrices  []string // columns whose matrix differs
	Cross     []string // columns that are perturbed together
	Invariant bool     // whether frequencies are kept in expectation
	Alpha     float64  // share of the invariant matrix; the rest is the identity
	Role      string   // of the columns to perturb
	Except    []string // columns left alone
}

// NewPram returns the technique with its defaults: keep = 0.8 and alpha = 0.5 are the usual ones of software for
// disclosure control.
func NewPram() *PramTechnique { return param.Default(&PramTechnique{}) }

// Params declares the parameters.
func (q *PramTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Keep, "keep", 0.8, 0, 1, "", "probability that a value stays, before the matrix is made "+
			"invariant").Noisier(0.99, 0.02),
		param.Float(&q.Decay, "decay", 1, 0, 1, "",
			"for ordered attributes, the factor by which a change one step farther is less likely; 1: all equally "+
				"likely, 0: neighbours only"),
		param.Names(&q.Matrices, "matrices", "columns with a different matrix, as name=keep or name=row/row/..., "+
			"where a row is probabilities separated by spaces; rows and entries follow the alphabetical order of "+
			"the values, or their own order for ordered attributes"),
		param.Names(&q.Cross, "cross", "columns to perturb jointly, as a+b: only combinations that occur are released"),
		param.Bool(&q.Invariant, "invariant", false, "keep the frequencies in expectation"),
		param.Float(&q.Alpha, "alpha", 0.5, 0, 1, "", "weight of the invariant matrix in the transitions; with the "+
			"rest of the weight, values stay"),
		param.Choice(&q.Role, "role", All, []string{All, "quasi-identifier", "confidential", "class"},
			"role of the columns to perturb; all: any role except the class"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit builds the matrices.
func (q *PramTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *PramTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	t := r.Schema

	columns, err := q.columns(t)
	if err != nil {
		return nil, err
	}
	units, err := q.units(t, columns)
	if err != nil {
		return nil, err
	}
	keep, given, err := q.given(t, units)
	if err != nil {
		return nil, err
	}
	p := &PramPlan{Attrs: t.Attrs(), Units: units, Invariant: q.Invariant}
	counts, err := count(ctx, r, units)
	if err != nil {
		return nil, err
	}
	for k := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q.fill(t, &units[k], counts[k], keep[k], given[k])
	}
	return p, ctx.Err()
}

// columns returns the categorical columns to perturb, ascending.
func (q *PramTechnique) columns(t *table.Table) ([]int, error) {
	all, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil || q.Role == All {
		return all, err
	}
	role, err := table.ParseRole(q.Role)
	if err != nil {
		return nil, fmt.Errorf("parameter %q: %w", "role", err)
	}
	var out []int
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Categorical && a.Role&role != 0 && a.Role&table.Weight == 0 &&
			!slices.Contains(q.Except, a.Name) {
			out = append(out, j)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("parameter %q: no categorical column that is not excepted has the role %s", "role", q.Role)
	}
	return out, nil
}
