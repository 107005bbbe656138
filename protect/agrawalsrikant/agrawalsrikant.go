// Package agrawalsrikant randomises numbers by a public law, so that whoever has the release reconstructs distributions and not records (Agrawal & Srikant 2000).
//
// What it does: value distortion releases x + r with r uniform on [-a, a] or normal of mean 0; value-class membership releases the middle of the class that x is in,
// of classes of one width. How much is set by the privacy: the width of the interval that a released value leaves for the original with the confidence, as a share of
// the attribute's range. Uniform noise has a = q R / (2 c), normal noise s = q R / (2 z) with z the (1+c)/2 quantile, classes the width q R / c, for privacy q,
// range R and confidence c; at 95 % these are q R / 1.9, q R / 3.92 and q R / 0.95.
//
// Needs and changes: numeric attributes, all but weights, a numeric class and those excepted. The law can be published (--law-out), and is meant to be.
//
// Preserves and biases: means, and distributions once they are reconstructed (dither reconstruct), each attribute by itself. Values at face value are spread
// (type A), relations weaken (types B and C), rules lose records at their cuts (type DM).
//
// What an informed intruder learns: an interval around every value. With uniform noise a value beyond the range by some amount betrays that the original is within as much
// of the other end of that interval, and the extremes betray themselves (intervalinference). An intruder who knows the distribution learns more than the privacy says
// (conditionalprivacy), and where attributes are correlated independent noise can be filtered away (spectralfilter, pcadr, bedr). Classes tell the class exactly.
// No figure of amplification holds for uniform noise: it is infinite.
//
// Missing values stay missing.
//
// Cost: O(rows * columns); about 15 ns a value for uniform noise, 50 for normal.
//
// Departures: the range that the noise is measured by is rounded outwards where no domain is declared, for the law tells it. Inside a declared domain what would lie outside
// becomes the nearest end, which the law says; reconstruction takes both into account. Released values are rounded to the attribute's grid.
//
// Reference: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 2; Islam 2007, section 3.2.1.
package agrawalsrikant

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noiselaw"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/numberwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "agrawalsrikant",
		Title:     "Value distortion and value-class membership",
		Aliases:   []string{"as2000", "value distortion", "value-class membership", "randomise and reconstruct"},
		Summary:   "Uniform or normal noise, or classes, as wide as a level of privacy asks for, by a public law from which distributions are reconstructed.",
		Paper:     "Agrawal & Srikant 2000, section 2; Islam 2007, section 3.2.1",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means, and after reconstruction the distribution of each attribute (dither reconstruct)",
		Biases:    "values at face value are spread (type A), relations weaken (types B and C), rules lose records at their cuts (type DM)",
		Exposes: "an interval around every value; of extreme values a narrower one with uniform noise; more to who knows the distribution, and where attributes are " +
			"correlated the noise can be filtered; the law tells the range",
		Missing: "stay missing",
		Shards:  protect.FromDomains,
		Cost:    "O(rows * numeric columns)",
	},
	Purpose:  protect.PublicNoise,
	New:      func() protect.Technique { return New() },
	Plan:     func() protect.Plan { return &Plan{} },
	Claims:   []protect.Claim{protect.HasLaw, protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes, protect.Memoises},
	OnDomain: true,
}

// The kinds of randomisation.
const (
	Uniform = "uniform"
	Normal  = "normal"
	Classes = "classes"
)

// Technique holds the parameters.
type Technique struct {
	Noise      string
	Privacy    float64 // % of the range
	Confidence float64 // %
	Except     []string
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Choice(&q.Noise, "noise", Normal, []string{Uniform, Normal, Classes}, "uniform or normal noise, or the middle of the class that the value is in"),
		param.Float(&q.Privacy, "privacy", 50, 0.1, 1000, "% of the range", "width of the interval that a released value leaves for the original with the certainty; the paper tries 25 to 200, and classes need less than 100"),
		param.Float(&q.Confidence, "certainty", 95, 1, 99.99, "%", "confidence that the privacy is meant with: how surely the interval holds the original"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works out the noise of every column.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := numberwise.Fit(t, q.Except, func(_ int, n *published.Number) error { return q.noise(n) })
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// noise sets the law of a column whose range is known.
func (q *Technique) noise(n *published.Number) error {
	width, c := q.Privacy/100*(n.High-n.Low), q.Confidence/100
	switch q.Noise {
	case Uniform:
		n.Uniform = width / noiselaw.Width(noiselaw.Uniform{Half: 1}, c)
	case Normal:
		n.Normal = width / noiselaw.Width(noiselaw.Normal{Sigma: 1}, c)
	case Classes:
		lo, hi := n.Range()
		class := width / c
		if n.Step > 0 {
			class = max(1, math.Round(class/n.Step)) * n.Step
		}
		n.Ends, n.Classes = false, int(min(max(1, math.Ceil((hi-lo)/class-1e-9)), 1<<16))
	default:
		return errors.New("there is no such noise")
	}
	return nil
}

// Plan is the fitted technique.
type Plan struct{ numberwise.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	if len(p.Laws) > 0 && p.Laws[0].Classes > 0 {
		return "value-class membership (Agrawal & Srikant 2000)"
	}
	return "value distortion by a public law (Agrawal & Srikant 2000)"
}
