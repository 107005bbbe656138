// Package epsilongaussian is normal noise with a hole: no released value is close to its original (Li, Wang & Jajodia 2002). Take another technique.
//
// What it does: every value gets normal noise of mean 0 and standard deviation sigma given that it is at least epsilon/2, so that no interval shorter than epsilon around a
// released value holds the original. It is drawn by its inverse distribution, so nothing is drawn twice.
//
// Why not to use it. The hole is itself information: of every released value one knows that the original is not there. Two releases of one table, or two records of one
// person, have two holes at different places, and what they rule out together is more than plain noise of the same variance would tell. The guarantee is about one interval
// around one value and against nobody who knows anything else; plain normal noise with the variance of this one (agrawalsrikant) is as good against all that the guarantee
// is about, and rules nothing out.
//
// Needs and changes: numeric attributes, all but weights, a numeric class and those excepted.
//
// Preserves and biases: means, and distributions once they are reconstructed (dither reconstruct); variances grow by sigma² (1 + a phi(a)/(1 - Phi(a))) with
// a = epsilon/(2 sigma).
//
// What an informed intruder learns: an interval around every value on either side of the hole, that the original is not in the hole, and where attributes are correlated
// more, for the noise can be filtered.
//
// Missing values stay missing.
//
// Cost: O(rows * columns), about 60 ns a value.
//
// Departures: the paper's construction could not be read; the reading is that of its aim, normal noise conditioned on its size. Rounding to the attribute's grid can bring a
// value closer by half a step; inside a declared domain what would lie outside becomes the nearest end, which may lie in the hole.
//
// Reference: Y. Li, L. Wang and S. Jajodia, "Preventing interval-based inference by random data perturbation", PET 2002.
package epsilongaussian

import (
	"context"

	"github.com/dither-data/dither/card"
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
		Name:      "epsilongaussian",
		Title:     "Epsilon-Gaussian noise",
		Aliases:   []string{"normal noise with a hole", "interval-based inference prevention"},
		Summary:   "Normal noise of at least half of epsilon; to compare with, for the hole in the noise tells where the original is not.",
		Paper:     "Li, Wang & Jajodia 2002",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes that vary",
		Preserves: "means, and after reconstruction the distribution of each attribute (dither reconstruct)",
		Biases:    "values at face value are spread (type A), relations weaken (types B and C), rules lose records at their cuts (type DM)",
		Exposes: "that no original is where its released value is: two releases rule out more than plain noise does; an interval on either side of the hole; the law tells " +
			"the range",
		Missing: "stay missing",
		Shards:  protect.FromMoments,
		Cost:    "O(rows * numeric columns)",
	},
	Purpose:  protect.PublicNoise,
	New:      func() protect.Technique { return New() },
	Plan:     func() protect.Plan { return &Plan{} },
	Claims:   []protect.Claim{protect.HasLaw, protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes, protect.Memoises},
	OnDomain: true,
}

// Technique holds the parameters.
type Technique struct {
	Epsilon float64 // % of the range
	Sigma   float64 // % of the range
	Except  []string
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.Epsilon, "epsilon", 10, 0, 1000, "% of the range", "width of the interval around a released value that never holds the original"),
		param.Float(&q.Sigma, "sigma", 12.75, 0.1, 1000, "% of the range", "standard deviation of the normal noise before the hole is cut; the default has a privacy of 50 % at 95 % (agrawalsrikant)"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works out the noise of every column.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := numberwise.Fit(t, q.Except, func(_ int, n *published.Number) error {
		n.Normal, n.Epsilon = q.Sigma/100*(n.High-n.Low), q.Epsilon/100*(n.High-n.Low)
		return n.Check()
	})
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ numberwise.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "normal noise with a hole (Li, Wang & Jajodia 2002)" }

// Notes says first why another technique is better.
func (p *Plan) Notes() []string {
	if len(p.Columns) == 0 {
		return p.Plan.Notes()
	}
	return append([]string{"the hole in the noise tells where the original is not, and two releases together tell more than with plain noise; agrawalsrikant with the same variance " +
		"has no hole"}, p.Plan.Notes()...)
}
