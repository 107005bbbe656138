// Package multiplicativenoise is the multiplicative noise of Kim & Winkler 2003, in its two schemes.
//
// Scheme 1 multiplies every value by a factor of its own, normal around 1 with standard deviation "spread" s and
// truncated to 1-2s..1+2s; factors of different columns are independent. Scheme 2 takes Z = ln(X+h), adds correlated
// normal noise with covariance c Cov(Z) and goes back, Y = exp(Z+e) - h. The shift h is 0 for a column whose domain
// lies above 0; elsewhere it is the least number of the form 1, 2 or 5 times a power of ten that lifts the lower limit
// L above 0 by a grid step, by 1 % of the domain and by 1 % of |L|.
//
// What an informed intruder learns: scheme 1 gives the sign, and an interval that certainly holds the value,
// Y/(1+2s)..Y/(1-2s); zero stays zero, and on a grid so does every value too small for its noise to reach the next one.
// Large values, which identify people, get the most noise. Scheme 2 tells X+h up to a lognormal factor of variance c
// s_jj, and as the noise of different columns is correlated as the data are, it cannot be filtered out.
//
// Cost: O(rows * columns), scheme 2 O(rows * columns²).
//
// Departures: scheme 2 divides X+h by exp(c s_jj/2) so that means are kept; "keepMean" = false releases as published,
// with means that are too large by that factor. In scheme 2 values farther than six standard deviations of the noise,
// or 1000 times, beyond the observed domain become the nearest such number, which bounds the grid of a continuous
// column.
//
// Reference: Kim & Winkler 2003, multiplicative noise for masking continuous data, schemes I and II; Islam 2007,
// section 3.2.2, on noise addition in data mining.
package multiplicativenoise

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "multiplicativenoise",
		Title:   "Multiplicative noise",
		Aliases: []string{"Kim & Winkler 2003"},
		Summary: "Multiplies every number by a random factor near 1: independent truncated normal, or correlated " +
			"lognormal.",
		Paper:   "Kim & Winkler 2003, schemes I and II",
		Needs:   "numeric attributes; those marked confidential (none marked: all)",
		Changes: "the confidential numeric attributes (none marked: all)",
		Preserves: "means, including those of subpopulations; scheme 1: covariances and signs; scheme 2: " +
			"correlations of the logarithms",
		Biases: "variances grow by a known amount (type A), so correlations shrink (types B and C); distributions are " +
			"smeared (type D)",
		Exposes: "scheme 1: an interval of about 20 % around the released value that is certain to contain the " +
			"original, its sign, and every zero",
		Missing: "stay missing",
		Shards:  protect.FromMoments,
		Cost:    "O(rows * columns); scheme 2 O(rows * columns²)",
	},
	Purpose: protect.NoiseNumbers,
	NoModel: "its noise multiplies, and a noise model file holds noise that is added",
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks},
}

// Technique holds the parameters.
type Technique struct {
	Scheme   int
	Spread   float64 // of the factor of scheme 1, before truncation
	C        float64 // the noise of scheme 2, as a share of the covariance of the logarithms
	KeepMean bool    // scheme 2
	Outside  string
	Except   []string // columns left alone
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Int(&q.Scheme, "scheme", 1, 1, 2, "", "1: independent truncated normal factors; 2: correlated lognormal "+
			"factors"),
		param.Float(&q.Spread, "spread", 0.1, 0.001, maxSpread, "",
			"scheme 1: standard deviation of the factor before truncation at twice this from 1; usually 0.05 to "+
				"0.15").Noisier(0.01, 0.5),
		param.Float(&q.C, "c", 0.01, 0.0001, 1, "", "scheme 2: covariance of the noise as a share of that of the "+
			"logarithms; usually 0.01 to 0.1"),
		param.Bool(&q.KeepMean, "keepMean", true, "scheme 2: scale the factors to mean 1"),
		fence.OutsideParam(&q.Outside, fence.OutsideAllow),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit lists the columns, counts the values that the noise cannot move and, for scheme 2, takes the covariance of the
// logarithms.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *Technique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x, _, err := protect.Confidential(r.Schema, q.Except)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: r.Schema.Attrs(), Columns: x, Outside: q.Outside}
	if q.Scheme == 1 {
		p.Factor = &Factor{Spread: q.Spread}
	} else if p.Log, err = fitLog(ctx, r, x, q.C, q.KeepMean); err != nil {
		return nil, err
	}
	if err := p.count(ctx, r); err != nil {
		return nil, err
	}
	return p, p.Check()
}
