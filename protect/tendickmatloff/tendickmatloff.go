// Package tendickmatloff is the modified random perturbation of Tendick & Matloff 1994: correlated noise and a linear transform, for
// estimates within subpopulations.
//
// What it does: Y = mean + sqrt(1-delta²) (X - mean) + delta e, e ~ N(0, C) with the covariance matrix C of the attributes. It is the
// transform of Kim 1986 with c = sqrt(1-delta²) and noise of d = delta²/(1-delta²) times the covariance, so delta² is the share of the
// released variance that is noise.
//
// Needs and changes: no class; changes all numeric attributes except sampling weights, a numeric class, those named in "except", and
// columns of one value.
//
// Preserves and biases: means, variances, covariances and correlations of the perturbed attributes (no types A and B bias). Correlations
// with other attributes shrink to the share sqrt(1-delta²) (type C). A normal distribution stays normal, others are drawn towards it
// (type D). The mean of a subpopulation moves to the share sqrt(1-delta²) of its distance from the overall mean; a user who knows delta
// undoes it, and so the covariances in a subpopulation (Corrections). Where conditional means must be kept without corrections, the
// conditions have to enter the noise: package gadp.
//
// What an informed intruder learns: whoever knows delta and the means, which the release shows, inverts the transform and has the
// original with plain correlated noise: a released value explains 1-delta² of the variance of its original. Relations that are exact,
// such as a sum, hold for the noise too. Outliers stay outliers.
//
// Missing values stay missing; covariances are taken pairwise, and a matrix that contradicts itself is repaired, with a note. A value
// outside a declared domain becomes its nearest end; an observed domain is left (outside=allow), for keeping to it biases means.
//
// Cost: O(rows * numeric columns^2): for six columns about 30 ns a value, fit included.
//
// Departures: released values are rounded to the attribute's grid. That adds step²/12 to a variance where the noise is wide against the step;
// noise of less than half a step is rounded away for the most part, and no correction holds (Corrections names such columns).
//
// Reference: Tendick & Matloff 1994; Islam 2007, section 3.2.1.
package tendickmatloff

import (
	"context"
	"math"

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
		Name:      "tendickmatloff",
		Title:     "Modified Random Perturbation of Tendick and Matloff",
		Aliases:   []string{"modified random data perturbation", "tendick & matloff"},
		Summary:   "Correlated normal noise that replaces a share of the variance of every numeric attribute, for estimates within subpopulations.",
		Paper:     "Tendick & Matloff 1994; Islam 2007, section 3.2.1",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means, variances and covariances of the perturbed attributes (types A and B)",
		Biases: "correlations with other attributes shrink (type C), distributions that are not normal are blurred (type D), means of subpopulations move " +
			"towards the overall one, rules lose records at their cuts (type DM); type C and subpopulations can be undone from delta",
		Exposes: "every value up to the noise, for the transform can be inverted, and relations that hold exactly; outliers stay outliers",
		Missing: "stay missing; covariances are taken pairwise and repaired",
		Cost:    "O(rows * numeric columns^2)",
	},
	Purpose: protect.NoiseNumbers,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks},
}

// Technique holds the parameters.
type Technique struct {
	additive.Settings
	Delta float64 // root of the share of the released variance that is noise
}

// New returns the technique with its defaults: a fifth of the variance is noise, as with noise of a quarter of the variance in package kim.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Delta, "delta", 0.447, 0.01, 0.995, "", "standard deviation of the noise, as a share of the released attribute's").Noisier(0.03, 0.99),
	}, q.Settings.Params()...)
}

// Fit measures the covariances.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	rest := 1 - q.Delta*q.Delta
	p, err := q.Correlated(ctx, t, q.Delta*q.Delta/rest, math.Sqrt(rest))
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ additive.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "correlated normal noise and a step towards the mean (Tendick & Matloff)"
}
