package distributions

import (
	"context"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// The cut-offs. Cohen (1988) calls a shift of 0.2 standard deviations a small effect, and a correlation of 0.1 a small
// one; what is called good keeps away from them. That of distributions, whose distance is at most 1, is a convention of
// this program.
const (
	goodMean, badMean                 = 0.05, 0.1
	goodCorrelation, badCorrelation   = 0.1, 0.2
	goodDistribution, badDistribution = 0.05, 0.15
)

// uses judges means, distributions and correlations. Of an attribute without a value in the release, as where all are
// suppressed, mean and correlations are lost.
func uses(v measure.Value, _ message.Sentence) []measure.Use {
	d, ok := v.Detail.(Detail)
	if !ok {
		return nil
	}
	means := measure.Use{What: message.Say("use.means"), Place: 3, Needs: measure.NeedsNumbers,
		Good: goodMean, Bad: badMean}
	largest := d.LargestCorrDiff
	for k, name := range d.Names {
		sd, loss := d.SDOriginal[k], math.Inf(1)
		if sd == 0 || math.IsNaN(sd) {
			continue
		}
		if math.IsNaN(d.MeanReleased[k]) {
			largest = loss
		} else {
			loss = math.Abs(d.MeanReleased[k]-d.MeanOriginal[k]) / sd
		}
		means.Columns, means.Losses = append(means.Columns, name), append(means.Losses, loss)
	}
	distances := d.distributions()
	var out []measure.Use
	for _, u := range []measure.Use{means, distances} {
		if u.Columns != nil {
			out = append(out, u)
		}
	}
	if len(means.Columns) > 1 {
		out = append(out, measure.Use{What: message.Say("use.correlations"), Place: 5, Needs: measure.NeedsAllNumbers,
			Loss: largest, Lo: largest, Hi: largest, Good: goodCorrelation, Bad: badCorrelation})
	}
	return out
}

// distributions judges the distribution of every attribute.
func (d *Detail) distributions() measure.Use {
	out := measure.Use{What: message.Say("use.distributions"), Place: 4, Needs: measure.NeedsValues,
		Good: goodDistribution, Bad: badDistribution}
	for _, x := range d.Distances {
		if !math.IsNaN(x.Distance) {
			out.Columns, out.Losses = append(out.Columns, x.Name), append(out.Losses, x.Distance)
		}
	}
	return out
}

// distributions judges them in a release without two numeric attributes. Cost: O(n) per attribute of categories.
func distributions(ctx context.Context, r *measure.Release) ([]measure.Use, error) {
	var d Detail
	if err := r.Check(); err != nil {
		return nil, err
	}
	if err := d.compareDistributions(ctx, r); err != nil {
		return nil, err
	}
	if u := d.distributions(); u.Columns != nil {
		return []measure.Use{u}, nil
	}
	return nil, nil
}
