// Package correlatednoise is correlated additive noise: normal noise that moves together as the attributes do.
//
// What it does: the numeric values of a record get normal noise of mean 0 whose covariance matrix is d times that of the attributes:
// Y = X + e, e ~ N(0, d C). Package kim goes on from here with a linear transform.
//
// Needs and changes: no class; changes all numeric attributes except sampling weights, a numeric class, those named in "except", and
// columns of one value.
//
// Preserves and biases: means are unbiased, and so are correlations and regressions among the perturbed attributes (no type B bias).
// Variances and covariances grow by the factor 1+d (type A), correlations with other attributes shrink by 1/sqrt(1+d) (type C). A normal
// distribution stays normal, others are drawn towards it (type D). A user who knows d undoes types A and C (Corrections).
//
// What an informed intruder learns: an interval around every value: with d = 0.25, of a normal attribute, 1.8 standard deviations at 95
// %. Noise that lies in the directions of the data cannot be filtered by them, which is where it is stronger than independent noise
// (Huang, Du & Chen 2005); relations that are exact, such as a sum, hold for the noise too. Outliers stay outliers.
//
// Missing values stay missing; covariances are taken pairwise, and a matrix that contradicts itself is repaired, with a note. A value
// outside a declared domain becomes its nearest end; an observed domain is left (outside=allow), for keeping to it biases means.
//
// Cost: O(rows * numeric columns^2): for six columns about 30 ns a value, fit included.
//
// Departures: released values are rounded to the attribute's grid. That adds step²/12 to a variance where the noise is wide against the step;
// noise of less than half a step is rounded away for the most part, and no correction holds (Corrections names such columns).
//
// Reference: Kim 1986; Islam 2007, section 3.2.1; Brand 2002.
package correlatednoise

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
		Name:      "correlatednoise",
		Title:     "Correlated Noise Addition",
		Aliases:   []string{"correlated noise", "correlated additive noise"},
		Summary:   "Normal noise on every numeric value that has the attributes' covariance matrix, times a share.",
		Paper:     "Kim 1986; Islam 2007, section 3.2.1; Brand 2002",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means, and the correlations among the perturbed attributes (type B)",
		Biases: "variances and covariances grow (type A), correlations with other attributes shrink (type C), distributions that are not normal are blurred " +
			"(type D), rules lose records at their cuts (type DM); types A and C can be undone from the share",
		Exposes: "every value up to the noise, and relations that hold exactly; outliers stay outliers",
		Missing: "stay missing; covariances are taken pairwise and repaired",
		Shards:  protect.FromMoments,
		Cost:    "O(rows * numeric columns^2)",
	},
	Purpose: protect.NoiseNumbers,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Memoises},
}

// Technique holds the parameters.
type Technique struct {
	additive.Settings
	Noise float64 // covariance of the noise, as a share of the attributes'
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{additive.NoiseParam(&q.Noise)}, q.Settings.Params()...)
}

// Fit measures the covariances.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Correlated(ctx, t, q.Noise, 1)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ additive.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "correlated normal noise" }

// Memoised says that draws are keyed by the values of the columns together.
func (*Plan) Memoised() bool { return true }
