// Package traub is the independent additive noise of Traub, Yemini & Woźniakowski 1984: as much of it as Chebyshev's inequality lets the means of the
// release bear.
//
// What it does: every numeric value gets normal noise of mean 0, drawn for every attribute apart, as in SADP. How much follows from what the release must
// be good for. The noise of the mean of m records has the variance v/m, so by Chebyshev's inequality it is e or more with probability v/(m e^2) at most. With
// e in standard deviations of the attribute ("error"), the fewest records of a mean that matters ("records") and the probability that it may
// be off by e or more ("chance"), the noise has the largest variance that is allowed: v = chance * records * error^2, as a share of the attribute's. With
// records=1 it is the bound on single values, P(|noise| >= e) <= v/e^2.
//
// Needs and changes: no class; changes all numeric attributes except sampling weights, a numeric class, those named in "except", and columns of one
// value.
//
// Preserves and biases: means of at least "records" records chosen by attributes left alone, as asked for; Chebyshev's bound holds for any law, and
// normal noise keeps it by far: at chance 0.1 a mean is off by e or more once in 640. Covariances are unbiased. Variances grow (type A), correlations shrink
// (types B and C), distributions are blurred (type D), as with SADP; a user who knows the share undoes types A to C (Corrections).
//
// What an informed intruder learns: an interval around every value, as narrow as the noise is small; where attributes are correlated the noise is
// not, and most of it can be filtered away; outliers stay outliers. The balance is one of quality: that no single value is known well enough has to be
// measured (intervalinference, found).
//
// Missing values stay missing; variances are those of the values there are. A value outside a declared domain becomes its nearest end; an observed
// domain is left (outside=allow), for keeping to it biases means.
//
// Cost: O(rows * numeric columns), about 25 ns a value, fit included.
//
// Departures: the paper states the trade-off, and that the noise be independent with mean 0; the law is normal here, and the parameters are our
// names for its quantities. Values are rounded to the attribute's grid.
//
// Reference: J. F. Traub, Y. Yemini and H. Woźniakowski, "The statistical security of a statistical database", ACM TODS 9(4), 1984; Islam 2007, section
// 3.2.1.
package traub

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "traub",
		Title:     "Traub, Yemini & Woźniakowski noise",
		Aliases:   []string{"Traub et al. 1984", "Chebyshev noise"},
		Summary:   "Independent noise on every number, as much as the means of so many records may be off by Chebyshev's inequality.",
		Paper:     "Traub, Yemini & Woźniakowski 1984; Islam 2007, section 3.2.1",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means of so many records to within the error asked for; covariances, without bias",
		Biases: "variances grow (type A), correlations shrink (types B and C), distributions are blurred (type D), rules lose records at their cuts (type DM); " +
			"types A to C can be undone from the share",
		Exposes: "every value up to the noise, and less noise than that where attributes are correlated, for it can be filtered; outliers stay outliers",
		Missing: "stay missing; variances are those of the values there are",
		Cost:    "O(rows * numeric columns)",
	},
	Purpose: protect.NoiseNumbers,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks},
}

// Technique holds the parameters.
type Technique struct {
	additive.Settings
	Error   float64 // in standard deviations of the attribute
	Records int     // fewest records of a mean that matters
	Chance  float64 // that such a mean is off by the error or more, at most
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters. By default the noise has a quarter of the variance, as SADP's.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Error, "error", 0.05, 1e-6, 100, "standard deviations", "error of a mean that is to be rare").Noisier(0.005, 50),
		param.Int(&q.Records, "records", 1000, 1, math.MaxInt32, "records", "fewest records of a mean that matters; 1 bounds the noise of single values"),
		param.Float(&q.Chance, "chance", 0.1, 1e-6, 1, "", "probability, at most, that such a mean is off by the error or more"),
	}, q.Settings.Params()...)
}

// share returns the largest variance of the noise that keeps the bound, as a share of an attribute's.
func (q *Technique) share() (float64, error) {
	const least = 1e-9 // less is no noise
	d := q.Chance * float64(q.Records) * q.Error * q.Error
	if d < least || d > additive.MaxNoise {
		return 0, fmt.Errorf("chance %v * records %d * error %v^2 is %.3g times the variance; expected %v to %v",
			q.Chance, q.Records, q.Error, d, least, float64(additive.MaxNoise))
	}
	return d, nil
}

// Fit measures the variances.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	d, err := q.share()
	if err != nil {
		return nil, err
	}
	p, err := q.Independent(ctx, t, d)
	if err != nil {
		return nil, err
	}
	return &Plan{*p, q.Error, q.Records, q.Chance}, nil
}

// Plan is the fitted technique.
type Plan struct {
	additive.Plan
	Error   float64 `json:"error"`
	Records int     `json:"records"`
	Chance  float64 `json:"chance"`
}

// Check refuses a decoded plan whose noise is not what its bound allows.
func (p *Plan) Check() error {
	q := Technique{Error: p.Error, Records: p.Records, Chance: p.Chance}
	if d, err := q.share(); err != nil {
		return err
	} else if d != p.Noise {
		return fmt.Errorf("the noise is %v times the variance; the bound says %v", p.Noise, d)
	}
	return p.Plan.Check()
}

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "independent normal noise by Chebyshev's bound on means (Traub, Yemini & Woźniakowski)"
}

// Notes says what the bound is.
func (p *Plan) Notes() []string {
	if len(p.Columns) == 0 {
		return p.Plan.Notes()
	}
	return append([]string{numeral.Sprintf("the noise has %.4g of each variance: the mean of %d records or more is off by %.4g standard deviations or more with "+
		"a probability of at most %.4g", p.Noise, p.Records, p.Error, p.Chance)}, p.Plan.Notes()...)
}

// Corrections says how to work out the moments of the original.
func (p *Plan) Corrections() []string { return p.IndependentCorrections() }
