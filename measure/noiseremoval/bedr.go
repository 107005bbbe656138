package noiseremoval

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// BEDR measures how close BE-DR, data reconstruction by Bayes estimates, brings an intruder who knows the noise
// model to the original values (Huang, Du & Chen 2005).
//
// The original records are taken for normal, with the mean of the released ones and with their covariance less that of
// the noise, Sx. Given a released record z with noise of covariance Sr, the most likely original one is
//
//	mean + Sx (Sx + Sr)^-1 (z - mean)
//
// which is also the posterior mean and, whatever the law of the records, the linear estimate with the least mean square
// error. Independent noise is taken out as far as the other attributes tell what it is. Numeric attributes that are
// released unchanged, S, belong to z without noise: the mean is then the regression on S, which can be read off the
// release, and the covariances are those of the residuals, which is the best linear estimate given z and S. Beside it
// stands UDR, the same estimate attribute by attribute and without S; what BE-DR gains over UDR is what the
// correlations give away. Noise correlated like the data, Sr = d Sx, makes both shrink towards the mean by 1/(1+d):
// BE-DR gains nothing then.
//
// The score is the root mean square error of the estimate in standard deviations of the original attributes: 0 are the
// original values, 1 is no better than guessing the mean. The first part is the error in standard deviations of the
// noise, where 1 is what taking the released values as they are gives. What they are exactly, and what the intruder
// knows, is the same for all attacks on additive noise: measure.NoiseRemoval.
//
// Missing values: the covariance is that of the records that are complete in the noisy attributes. In another record a
// missing value counts as the mean, and is not guessed.
//
// Cost: O(n m^2 + m^3) for n records and m attributes, noisy or unchanged, on all cores.
//
// Departures: negative eigenvalues of the estimated covariance, in units of the noise, are raised to 0; where Sx + Sr
// is singular its Moore-Penrose inverse serves.
//
// Reference: Z. Huang, W. Du and B. Chen, "Deriving private information from randomized data", ACM SIGMOD, 2005.
var BEDR = measure.Measure{
	Card: card.Card{
		Name:    "bedr",
		Title:   "BE-DR",
		Aliases: []string{"BE-DR", "Bayes estimate data reconstruction"},
		Summary: "How close an intruder who knows the noise model comes to the original values with the best " +
			"linear estimate.",
		Paper:     "Huang, Du & Chen 2005",
		Needs:     "paired tables, and a plan with additive noise or the parameter noise",
		Preserves: "0 when the values are recovered, 1 when the estimate is no better than the mean",
		Biases: "parts that are errors are in standard deviations of the noise: 1 means that none can be " +
			"removed, not that there is enough",
		Missing: "covariances use complete records; a missing value counts as the mean and is not estimated",
		Cost:    "O(n m² + m³) for n records and m noisy attributes",
	},
	Facts:  measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Fast, Place: 7},
	Side:   measure.Risk,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Deviations, message.Say("unit.deviations")),
	AsMade: true,
	New:    func() measure.Meter { return param.Default(&BEDRMeter{}) },
}

// BEDRMeter measures BE-DR.
type BEDRMeter struct{ NoiseRemoval }

// BEDRDetail holds the figures behind the score.
type BEDRDetail struct {
	Removal
	UDR Guess `json:"udr"`
}

// Measure returns the error that BE-DR leaves, with that of UDR among the parts and a Detail. It fails when the noise
// is not known, no column carries any, or the tables are not paired.
func (m *BEDRMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	return m.Closest(ctx, r, m.attack)
}

// attack takes what the intruder knows.
func (m *BEDRMeter) attack(ctx context.Context, n *Noisy) (measure.Value, error) {
	original, err := n.Original()
	if err != nil {
		return measure.Value{}, err
	}
	gain, err := Gain(original, n.Noise)
	if err != nil {
		return measure.Value{}, err
	}
	var d BEDRDetail
	var udr []Guess
	if d.Removal, udr, err = m.Remove(ctx, n, gain, UnivariateGain(n.Total, n.Noise)); err != nil {
		return measure.Value{}, err
	}
	d.UDR = udr[0]
	v := d.Value(measure.Part{Key: "udr-error", Name: message.Say("measure.bedr.part.udr-error"), Score: d.UDR.RMSE})
	v.Detail = d
	return v, nil
}

// Gain returns Sx (Sx + Sr)^-1 for the covariances of the original values and of the noise, both positive
// semi-definite. Cost: O(m^3).
func Gain(original, noise mat.Symmetric) (*mat.Dense, error) {
	var sum mat.SymDense
	sum.AddSym(original, noise)
	inv, err := mvnorm.Inverse(&sum)
	if err != nil {
		return nil, err
	}
	var gain mat.Dense
	linalg.Mul(&gain, original, inv)
	return &gain, nil
}

// UnivariateGain returns the gain of UDR: on the diagonal 1 - noise / released variance, at least 0. Cost: O(m).
func UnivariateGain(released, noise mat.Symmetric) *mat.DiagDense {
	m := released.SymmetricDim()
	gain := mat.NewDiagDense(m, nil)
	for k := range m {
		if v := released.At(k, k); v > noise.At(k, k) {
			gain.SetDiag(k, 1-noise.At(k, k)/v)
		}
	}
	return gain
}
