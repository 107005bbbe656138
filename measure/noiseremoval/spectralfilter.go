package noiseremoval

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Spectral measures how close spectral filtering brings an intruder who knows the noise model to the
// original values (Kargupta, Datta, Wang & Sivakumar 2003; Islam 2007, section 3.2.2).
//
// The sample covariance of n records of pure noise, m independent attributes of variance s^2, has its eigenvalues
// within s^2 (1 - sqrt(m/n))^2 and s^2 (1 + sqrt(m/n))^2 (Marchenko & Pastur 1967, for n and m large). Eigenvalues of
// the covariance of the released values, with divisor n, that lie above these bounds are taken for data, the others for
// noise; the estimate is the mean plus the centred released values projected on the eigenvectors of the data. With
// correlated attributes the data have few directions and the noise is spread over all, so most of it goes: of k
// directions kept there remains s^2 k/m on average.
//
// The score is the root mean square error of the estimate in standard deviations of the original attributes: 0 are the
// original values, 1 is no better than guessing the mean. The first part is the error in standard deviations of the
// noise, where 1 is what taking the released values as they are gives. What they are exactly, and what the intruder
// knows, is the same for all attacks on additive noise: measure.NoiseRemoval.
//
// Attributes with noise of different variances are divided by its standard deviation, correlated noise is whitened:
// both give noise that is independent with variance 1. Where the covariance of the noise is singular, what has no noise
// is kept as it is. Noise correlated like the data (Kim 1986) leaves nothing to tell them apart: every eigenvalue is 1
// + 1/d of the noise's and all are kept.
//
// Numeric attributes that are released unchanged tell of the others by regression, which can be read off the release.
// Where there are such, the mean is the regression and the covariance that of its residuals.
//
// Missing values: the covariance is that of the records that are complete in the noisy attributes. In another record a
// missing value counts as the mean, and is not guessed.
//
// Cost: O(n m^2 + m^3) for n records and m attributes, noisy or unchanged, on all cores.
//
// Departures: Kargupta et al. print the bounds for Q = n/m, which is the same; the bounds are limits, and an eigenvalue
// of pure noise may lie just outside, most for small n. Printed is that eigenvalues below the lower bound are data too,
// which keep=outside does. But there a direction has less variance than its noise, since values were clipped or by
// chance: it holds more noise than data, and is left out. The papers have no unchanged attributes.
//
// Reference: H. Kargupta, S. Datta, Q. Wang and K. Sivakumar, "On the privacy preserving properties of random data
// perturbation techniques", IEEE International Conference on Data Mining, 2003.
var Spectral = measure.Measure{
	Card: card.Card{
		Name:    "spectralfilter",
		Title:   "Spectral filtering",
		Aliases: []string{"spectral filter", "random matrix filter"},
		Summary: "How close an intruder who knows the noise model comes to the original values by keeping the " +
			"directions that are not noise.",
		Paper:     "Kargupta, Datta, Wang & Sivakumar 2003; Islam 2007, section 3.2.2",
		Needs:     "paired tables, and a plan with additive noise or the parameter noise",
		Preserves: "0 when the values are recovered, 1 when the estimate is no better than the mean",
		Biases: "parts that are errors are in standard deviations of the noise: 1 means that none can be " +
			"removed, not that there is enough",
		Missing: "covariances use complete records; a missing value counts as the mean and is not estimated",
		Cost:    "O(n m² + m³) for n records and m noisy attributes",
	},
	Facts:  measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Fast, Place: 9},
	Side:   measure.Risk,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Deviations, message.Say("unit.deviations")),
	AsMade: true,
	New:    func() measure.Meter { return param.Default(&SpectralMeter{}) },
}

// SpectralMeter measures spectral filtering.
type SpectralMeter struct {
	NoiseRemoval
	Keep SpectralKeep // which eigenvalues are data
}

// SpectralKeep says which eigenvalues are data.
type SpectralKeep = string

// The readings of what is data.
const (
	Above   SpectralKeep = "above"   // those above the upper bound
	Outside SpectralKeep = "outside" // those outside the bounds of noise
)

// Params declares the parameters.
func (m *SpectralMeter) Params() param.Set {
	return append(m.NoiseRemoval.Params(), param.Choice(&m.Keep, "keep", Above, []string{Above, Outside},
		"eigenvalues that count as data: those above the noise bounds, or all outside them"))
}

// SpectralDetail holds the figures behind the score.
type SpectralDetail struct {
	Removal
	Filter
}

// Measure returns the error that spectral filtering leaves, with the number of eigenvalues kept among the parts and a
// Detail. It fails when the noise is not known, no column carries any, the tables are not paired, or there are fewer
// complete records than noisy columns.
func (m *SpectralMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	return m.Closest(ctx, r, m.attack)
}

// attack takes what the intruder knows.
func (m *SpectralMeter) attack(ctx context.Context, n *Noisy) (measure.Value, error) {
	f, err := New(n.Cov, n.Noise, n.Freedom, m.Keep)
	if err != nil {
		return measure.Value{}, err
	}
	d := SpectralDetail{Filter: *f}
	if d.Removal, _, err = m.Remove(ctx, n, &f.Gain); err != nil {
		return measure.Value{}, err
	}
	v := d.Value(
		measure.Part{
			Key:   "eigenvalues",
			Name:  message.Say("measure.spectralfilter.part.eigenvalues"),
			Score: float64(f.Kept),
		},
	)
	if f.Below > 0 {
		note := message.Say("measure.spectralfilter.note.noise").Count("n", f.Below)
		if m.Keep == Outside {
			note = message.Say("measure.spectralfilter.note.data").Count("n", f.Below)
		}
		v.Notes = append(v.Notes, note)
	}
	v.Detail = d
	return v, nil
}
