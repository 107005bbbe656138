package noiseremoval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// PCADR measures how close PCA-DR, data reconstruction by principal components, brings an intruder who knows
// the noise model to the original values (Huang, Du & Chen 2005).
//
// The covariance of the original values is estimated by that of the released ones less that of the noise. Its first p
// principal components, p where the gap between successive eigenvalues is largest, are taken for the data; the estimate
// is the mean plus the centred released values projected on them. Independent noise of variance s^2 on m attributes
// leaves the mean square error
//
//	s^2 p/m + (sum of the eigenvalues not kept)/m
//
// so the attack gains most when the attributes are correlated and few components hold the data.
//
// The score is the root mean square error of the estimate in standard deviations of the original attributes: 0 are the
// original values, 1 is no better than guessing the mean. The first part is the error in standard deviations of the
// noise, where 1 is what taking the released values as they are gives. What they are exactly, and what the intruder
// knows, is the same for all attacks on additive noise: measure.NoiseRemoval.
//
// Principal components depend on the units. The paper has noise of one variance; here every attribute is divided by the
// standard deviation of its noise, which is the same there. Noise correlated like the data lies in the components that
// are kept, and stays: the defence that the paper proposes.
//
// Numeric attributes that are released unchanged tell of the others by regression, which can be read off the release.
// Where there are such, the mean is the regression and the components are those of its residuals.
//
// Missing values: the covariance is that of the records that are complete in the noisy attributes. In another record a
// missing value counts as the mean, and is not guessed.
//
// Cost: O(n m^2 + m^3) for n records and m attributes, noisy or unchanged, on all cores.
//
// Departures: negative eigenvalues of the estimated covariance are raised to 0; the parameter components fixes p, which
// the paper chooses by the gap; the paper has no unchanged attributes.
//
// Reference: Z. Huang, W. Du and B. Chen, "Deriving private information from randomized data", ACM SIGMOD, 2005.
var PCADR = measure.Measure{
	Card: card.Card{
		Name:    "pcadr",
		Title:   "PCA-DR",
		Aliases: []string{"PCA-DR", "principal component data reconstruction"},
		Summary: "How close an intruder who knows the noise model comes to the original values by keeping the " +
			"first principal components.",
		Paper:     "Huang, Du & Chen 2005",
		Needs:     "paired tables, and a plan with additive noise or the parameter noise",
		Preserves: "0 when the values are recovered, 1 when the estimate is no better than the mean",
		Biases: "parts that are errors are in standard deviations of the noise: 1 means that none can be " +
			"removed, not that there is enough",
		Missing: "covariances use complete records; a missing value counts as the mean and is not estimated",
		Cost:    "O(n m² + m³) for n records and m noisy attributes",
	},
	Facts:  measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Fast, Place: 8},
	Side:   measure.Risk,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Deviations, message.Say("unit.deviations")),
	AsMade: true,
	New:    func() measure.Meter { return param.Default(&PCADRMeter{}) },
}

// PCADRMeter measures PCA-DR.
type PCADRMeter struct {
	NoiseRemoval
	Components int // kept; 0 takes those above the largest gap
}

// Params declares the parameters.
func (m *PCADRMeter) Params() param.Set {
	return append(m.NoiseRemoval.Params(), param.Int(&m.Components, "components", 0, 0, 10_000, "principal components",
		"how many to keep; 0: those above the largest gap between eigenvalues"))
}

// PCADRDetail holds the figures behind the score.
type PCADRDetail struct {
	Removal
	Components
}

// Measure returns the error that PCA-DR leaves, with the number of components kept among the parts and a Detail. It
// fails when the noise is not known, no column carries any, the tables are not paired, or there are fewer noisy columns
// than components asked for.
func (m *PCADRMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	return m.Closest(ctx, r, m.attack)
}

// attack takes what the intruder knows.
func (m *PCADRMeter) attack(ctx context.Context, n *Noisy) (measure.Value, error) {
	original, err := n.Original()
	if err != nil {
		return measure.Value{}, err
	}
	c, err := PCADRKeep(original, m.Components)
	if err != nil {
		return measure.Value{}, err
	}
	d := PCADRDetail{Components: *c}
	if d.Removal, _, err = m.Remove(ctx, n, &c.Projection); err != nil {
		return measure.Value{}, err
	}
	v := d.Value(
		measure.Part{Key: "eigenvalues", Name: message.Say("measure.pcadr.part.eigenvalues"), Score: float64(c.Kept)},
	)
	v.Detail = d
	return v, nil
}

// Components are the first principal components of a covariance.
type Components struct {
	// of the estimated covariance of the original, in variances of the noise; descending
	Eigenvalues []float64 `json:"eigenvalues"`
	Kept        int       `json:"kept"`
	Projection  mat.Dense `json:"-"` // m x m, on the components kept
}

// PCADRKeep returns the first p principal components of an m x m covariance; with p = 0 those above the largest gap
// between successive eigenvalues, the first of several. A single attribute is kept. It is an error when p is above m.
// Cost: O(m^3).
func PCADRKeep(cov mat.Symmetric, p int) (*Components, error) {
	m := cov.SymmetricDim()
	if p > m {
		return nil, fmt.Errorf("components=%d, but only %d columns carry noise", p, m)
	}
	values, v, ok := linalg.Eigen(cov)
	if !ok {
		return nil, errors.New("the eigenvalues of the original's covariance cannot be found")
	}
	c := &Components{Eigenvalues: make([]float64, m), Kept: p}
	for k, v := range values {
		c.Eigenvalues[m-1-k] = v
	}
	if p == 0 {
		c.Kept = largestGap(c.Eigenvalues)
	}
	first := v.Slice(0, m, m-c.Kept, m)
	linalg.Mul(&c.Projection, first, first.T())
	return c, nil
}

// largestGap returns how many of the descending values lie above the largest gap; 1 for a single one.
func largestGap(values []float64) int {
	at, largest := 1, math.Inf(-1)
	for k := 1; k < len(values); k++ {
		if gap := values[k-1] - values[k]; gap > largest {
			at, largest = k, gap
		}
	}
	return at
}
