package privatetree

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// FletcherIslam is the catalogue entry of the forest of Fletcher & Islam 2017.
var FletcherIslam = mine.Miner{
	Card: card.Card{
		Name:    "fletcherislam2017",
		Title:   "Random forest with smooth sensitivity (not differentially private)",
		Aliases: []string{"smooth random forest", "Fletcher & Islam 2017"},
		Summary: "Grows random trees whose leaves name a class by smooth sensitivity, as published; it is not " +
			"differentially private.",
		Paper: "Fletcher & Islam 2017",
		Needs: "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "the class that most records of a leaf have, almost without noise where the lead is large: one record " +
			"more changes the odds of a label without a bound near epsilon. Domains and classes are those of the records. " +
			"No epsilon is charged for it; privatetree is private",
		Missing: "the first branch of a test; records without a class are omitted",
		Cost:    "O(n depth)",
	},
	New: func() mine.Learner { return param.Default(&Published{}) },
}

// Published grows the forest of Fletcher & Islam 2017 as published: random tests, trees on parts of the records, and in
// every leaf a label by the exponential mechanism with score 1 for the classes that most records have and 0 for others,
// and the smooth sensitivity e^(-epsilon j), with j the lead of the most frequent class over the next one. The weight
// of a class is e^(epsilon score/(2 e^(-epsilon j))). The sensitivity depends on the records, and so does the noise:
// with two classes the odds of the label change by e^2.1 for one record at epsilon 1 and a lead of 1, by e^17 at 3.
type Published struct {
	Epsilon float64
	Trees   int
	Cuts    int
}

// Params declares the parameters.
func (l *Published) Params() param.Set {
	return param.Set{
		param.Float(&l.Epsilon, "epsilon", 1, 0.001, 100, "", "the parameter that the paper calls the privacy budget"),
		param.Int(&l.Trees, "trees", 10, 1, 1000, "trees", "trees, each on its own part of the records"),
		param.Int(&l.Cuts, "cuts", 32, 1, 1000, "cuts", "cuts of a number among which tests are drawn, evenly in its "+
			"domain; the paper draws any number in it"),
	}
}

// Fit grows a *tree.Forest, or a *tree.Tree of one, for the column with the role Class.
func (l *Published) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	own := New()
	own.Cuts, own.Domains = l.Cuts, Observed
	p, err := own.plan(t)
	if err != nil {
		return nil, err
	}
	return forest(ctx, t, p, kept(t, p.class, nil, 0, math.MaxInt, src), l.Trees, src, func(g *grower, w mechanism.Words) {
		g.depth, g.choose = depthFor(len(p.inputs)), g.random(w)
		g.label = func(counts []int64) []float64 { return l.smooth(counts, rng.Unit(w.Next())) }
	})
}

// depthFor is the depth at which a path is expected to have tested half of so many inputs (Fletcher & Islam 2017,
// section 5): the least d with (1 - 1/m)^d below 1/2.
func depthFor(inputs int) int {
	if inputs < 2 {
		return inputs
	}
	d, untested := 0, 1.0
	for untested >= 0.5 && d < 16 {
		d, untested = d+1, float64(untested*(1-1/float64(inputs)))
	}
	return d
}

// smooth names a class, as a count of one, by a uniform number.
func (l *Published) smooth(counts []int64, u float64) []float64 {
	first, second := int64(-1), int64(-1)
	for _, n := range counts {
		if n > first {
			first, second = n, first
		} else {
			second = max(second, n)
		}
	}
	lead := float64(first - max(second, 0))
	out := make([]float64, len(counts))
	rest := portable.Exp(-l.Epsilon / 2 * portable.Exp(float64(l.Epsilon*lead))) // weight beside that of the best, 1
	sum := 0.0
	for c, n := range counts {
		if out[c] = rest; n == first {
			out[c] = 1
		}
		sum += out[c]
	}
	u = float64(u * sum)
	chosen := len(out) - 1
	for c, v := range out {
		if u -= v; u < 0 {
			chosen = c
			break
		}
	}
	clear(out)
	out[chosen] = 1
	return out
}
