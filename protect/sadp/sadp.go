// Package sadp is the Simple Additive Data Perturbation: independent normal noise.
//
// What it does: every numeric value gets normal noise of mean 0, drawn for every attribute apart, with d times the attribute's variance:
// Y = X + e, e_j ~ N(0, d var_j).
//
// Needs and changes: no class; changes all numeric attributes except sampling weights, a numeric class, those named in "except", and
// columns of one value.
//
// Preserves and biases: means and covariances are unbiased. Variances grow by the factor 1+d (type A), correlations of two perturbed
// attributes shrink by 1/(1+d) (type B), those with other attributes by 1/sqrt(1+d) (type C); the distribution is blurred by that of the
// noise (type D), and rules that cut at a value lose records on both sides. A user who knows d undoes types A, B and C (Corrections).
//
// What an informed intruder learns: an interval around every value, as narrow as the noise is small: with d = 0.25, of a normal
// attribute, 1.8 standard deviations at 95 %. Where attributes are correlated the noise is not, and most of it can be filtered away
// (Kargupta et al. 2003); outliers stay outliers.
//
// Missing values stay missing; the variance is that of the values there are. A value outside a declared domain becomes its nearest end;
// an observed domain is left (outside=allow), for keeping to it biases means. Noise that rounds to 0 on the attribute's grid leaves the
// value as it is; the plan notes where half of the values stay.
//
// Cost: O(rows * numeric columns), about 25 ns a value, fit included.
//
// Departures: released values are rounded to the attribute's grid. That adds step²/12 to a variance where the noise is wide against the step;
// noise of less than half a step is rounded away for the most part, and no correction holds (Corrections names such columns).
//
// Reference: Islam 2007, section 3.2.1; Brand 2002.
package sadp

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "sadp",
		Title:     "Simple Additive Data Perturbation",
		Aliases:   []string{"independent noise", "additive noise", "noise addition", "addNoise"},
		Summary:   "Independent normal noise on every numeric value, with a share of the attribute's variance.",
		Paper:     "Islam 2007, section 3.2.1; Brand 2002",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means and covariances, without bias",
		Biases: "variances grow (type A), correlations shrink (types B and C), distributions are blurred (type D), rules lose records at their cuts (type DM); " +
			"types A to C can be undone from the share",
		Exposes: "every value up to the noise, and less noise than that where attributes are correlated, for it can be filtered; outliers stay outliers",
		Missing: "stay missing; variances are those of the values there are",
		Shards:  protect.FromMoments,
		Cost:    "O(rows * numeric columns)",
	},
	Purpose: protect.NoiseNumbers,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Memoises},
}

// Technique holds the parameters.
type Technique struct {
	additive.Settings
	Noise float64 // variance of the noise, as a share of each attribute's
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{additive.NoiseParam(&q.Noise)}, q.Settings.Params()...)
}

// Fit measures the variances.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Independent(ctx, t, q.Noise)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ additive.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "independent normal noise (SADP)" }

// Corrections says how to work out the moments of the original.
func (p *Plan) Corrections() []string { return p.IndependentCorrections() }

// Memoised says that draws are keyed by the values of the columns together.
func (*Plan) Memoised() bool { return true }
