// Package kim is the noise addition of Kim 1986: correlated noise and a linear transform that gives the variances back.
//
// What it does: the numeric values of a record get normal noise of mean 0 whose covariance matrix is d times that of the attributes, and
// the sums are drawn towards the means by one constant c: Y = c (X + e) + (1-c) mean, e ~ N(0, d C).
//
// The constant is 1/sqrt(1+d) for large tables; for n records Brand 2002 gives c1 = sqrt((n-1)/(n(1+d)-1)) and
// c2 = sqrt((n-1-d)/((n+1)(1+d))). By default it is c2 below 500 records, where that exists, and c1 from there on.
//
// Needs and changes: no class; changes all numeric attributes except sampling weights, a numeric class, those named in "except", and
// columns of one value.
//
// Preserves and biases: means, variances, covariances and correlations of the perturbed attributes (no types A and B bias), up to
// c²(1+d), which is 1 for large tables. Correlations with other attributes shrink by 1/sqrt(1+d) (type C). A normal distribution stays
// normal, others are drawn towards it (type D). The mean of a subpopulation moves to the share c of its distance from the overall mean; a
// user who knows c and d undoes it, and so the covariances in a subpopulation (Corrections).
//
// What an informed intruder learns: whoever knows c and the means, which the release shows, inverts the transform and has the original
// with plain correlated noise: with d = 0.25, of a normal attribute, an interval of 1.8 standard deviations at 95 %. Relations that are
// exact, such as a sum, hold for the noise too. Outliers stay outliers.
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
package kim

import (
	"context"
	"fmt"
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
		Name:      "kim",
		Title:     "Kim's Noise Addition with Linear Transformation",
		Aliases:   []string{"correlated noise with linear transformation"},
		Summary:   "Correlated normal noise on every numeric value, and then a step towards the mean that gives the variances back.",
		Paper:     "Kim 1986; Islam 2007, section 3.2.1; Brand 2002",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means, variances and covariances of the perturbed attributes (types A and B)",
		Biases: "correlations with other attributes shrink (type C), distributions that are not normal are blurred (type D), means of subpopulations move " +
			"towards the overall one, rules lose records at their cuts (type DM); type C and subpopulations can be undone from the constants",
		Exposes: "every value up to the noise, for the transform can be inverted, and relations that hold exactly; outliers stay outliers",
		Missing: "stay missing; covariances are taken pairwise and repaired",
		Cost:    "O(rows * numeric columns^2)",
	},
	Purpose: protect.NoiseNumbers,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks},
}

// The constants of the linear transform.
const (
	Asymptotic = "asymptotic"
	C1         = "c1"
	C2         = "c2"
	Auto       = "auto"
)

// small is the number of records below which Auto takes C2.
const small = 500

// Technique holds the parameters.
type Technique struct {
	additive.Settings
	Noise    float64 // covariance of the noise, as a share of the attributes'
	Constant string  // form of the constant c
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		additive.NoiseParam(&q.Noise),
		param.Choice(&q.Constant, "constant", Auto, []string{Asymptotic, C1, C2, Auto}, "form of the constant that draws values towards the mean"),
	}, q.Settings.Params()...)
}

// Fit measures the covariances.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	c, err := constant(q.Constant, q.Noise, t.Rows())
	if err != nil {
		return nil, err
	}
	p, err := q.Correlated(ctx, t, q.Noise, c)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// constant returns c for n records and noise of d times the variance.
func constant(form string, d float64, rows int) (float64, error) {
	n := float64(rows)
	if form == Auto {
		switch {
		case rows < small && n-1 > d:
			form = C2
		case rows > 1:
			form = C1
		}
	}
	switch {
	case form == C1 && rows > 1:
		return math.Sqrt((n - 1) / (n*(1+d) - 1)), nil
	case form == C2 && n-1 > d:
		return math.Sqrt((n - 1 - d) / ((n + 1) * (1 + d))), nil
	case form == C1 || form == C2:
		return 0, fmt.Errorf("parameter %q: %s does not exist for %d records with noise of %v times the variance; expected more records, or %s",
			"constant", form, rows, d, Asymptotic)
	}
	return 1 / math.Sqrt(1+d), nil
}

// Plan is the fitted technique.
type Plan struct{ additive.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "correlated normal noise and a step towards the mean (Kim)" }
