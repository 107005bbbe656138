// Package bayes is the reconstruction of Agrawal & Srikant: Bayes' rule, again and again, with the density of the noise between midpoints.
//
// What it does: the range is divided into intervals, all as likely to begin with. Every released value is shared among the intervals by Bayes' rule, with the density of the
// noise between the midpoint of its own cell and that of the interval, and the shares are those of all values together; then again, until a round changes little.
//
// What it does not: uniform noise that reaches no midpoint explains nothing, although it can come from the interval; such values are left out and counted (Impossible).
// Package em takes the integral over the interval instead and ends at the likeliest shares.
//
// Errors: of sampling, noise and what the release leaves open; see em.
//
// Missing values take no part.
//
// Cost: O(values), and O(intervals² * rounds) for the estimate and for every replicate.
//
// Departures: released values of a grid, and the ends of a domain that stand for all beyond, have their probability of the midpoint in place of a density.
//
// Reference: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 3.
package bayes

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/reconstruction"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/reconstruct/internal/numbers"
	"github.com/dither-data/dither/table"
)

// Reconstruction is the catalogue entry.
var Reconstruction = reconstruct.Reconstruction{
	Card: card.Card{
		Name:      "bayes",
		Title:     "Bayes iteration",
		Aliases:   []string{"iterative Bayesian reconstruction", "as2000 reconstruction"},
		Summary:   "The distribution of numbers by Bayes' rule, again and again, with the density of the noise between midpoints.",
		Paper:     "Agrawal & Srikant 2000, section 3",
		Needs:     "numbers with a law of noise",
		Preserves: "all mass: what no midpoint explains is counted and left out",
		Biases:    "stopped early, it keeps to equal shares what the noise has blurred",
		Missing:   "take no part",
		Cost:      "O(values), and O(intervals² * rounds) a replicate",
	},
	New: func() reconstruct.Method { return New() },
}

// Method holds the parameters.
type Method struct{ numbers.Settings }

// New returns the method with its defaults.
func New() *Method { return param.Default(&Method{}) }

// Takes numbers.
func (m *Method) Takes(p *published.Part) bool { return p.Number != nil }

// Reconstruct returns the distribution of a number.
func (m *Method) Reconstruct(ctx context.Context, release *table.Table, p *published.Part, _ int) (*reconstruct.Distribution, error) {
	return m.Settings.Reconstruct(ctx, release, p, reconstruction.Midpoints)
}
