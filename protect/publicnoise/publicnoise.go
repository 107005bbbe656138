// Package publicnoise holds independent noise on single numbers with a public noise model, so that recipients can
// reconstruct distributions but not records: value distortion and classes (Agrawal & Srikant 2000), and normal noise
// with a hole (Li, Wang & Jajodia 2002).
//
// They change all numeric attributes but weights, a numeric class and those excepted. The law can be published
// (--noise-model-out), and is meant to be; dither reconstruct makes distributions of it and the release, each attribute
// by itself. Missing values stay missing.
//
// The range that the noise is measured by is rounded outwards where no domain is declared, for the law tells it.
// Inside a declared domain what would lie outside becomes the nearest end, which the law says; reconstruction takes
// both into account. Released values are rounded to the attribute's grid.
//
// What an informed intruder learns: an interval around every value. An intruder who knows the distribution learns more
// than the privacy says (conditionalprivacy), and where attributes are correlated independent noise can be filtered
// away (spectralfilter, pcadr, bedr).
//
// References: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 2; Islam 2007, section
// 3.2.2 (agrawalsrikant); Y. Li, L. Wang and S. Jajodia, "Preventing interval-based inference by random data
// perturbation", PET 2002 (epsilongaussian).
package publicnoise

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/protect"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{AgrawalSrikant, EpsilonGaussian}

// AgrawalSrikant is value distortion, which releases x + r with r uniform on [-a, a] or normal of mean 0, and
// value-class membership, which releases the middle of the class that x is in, of classes of one width. How much is
// set by the privacy: the width of the interval that a released value leaves for the original with the confidence, as
// a share of the attribute's range. Uniform noise has a = q R / (2 c), normal noise s = q R / (2 z) with z the (1+c)/2
// quantile, classes the width q R / c, for privacy q, range R and confidence c; at 95 % these are q R / 1.9, q R /
// 3.92 and q R / 0.95.
//
// With uniform noise a value beyond the range by some amount betrays that the original is within as much of the other
// end of that interval, and the extremes betray themselves (intervalinference). Classes tell the class exactly. No
// figure of amplification holds for uniform noise: it is infinite. Uniform noise costs about 15 ns a value, normal 50.
var AgrawalSrikant = entry(card.Card{
	Name:    "agrawalsrikant",
	Title:   "Value distortion and value-class membership",
	Short:   "Agrawal-Srikant",
	Aliases: []string{"as2000", "value distortion", "value-class membership", "randomise and reconstruct"},
	Summary: "Adds uniform or normal noise, or releases classes, as wide as a level of privacy requires; the noise " +
		"model is public, so distributions can be reconstructed.",
	Paper: "Agrawal & Srikant 2000, section 2; Islam 2007, section 3.2.2",
	Exposes: "an interval around every value, narrower for extreme values with uniform noise; more to someone who " +
		"knows the distribution; where attributes are correlated, noise can be filtered out; the noise model " +
		"reveals the range",
	Shards: protect.FromDomains,
}, func() protect.Technique { return newDistortion() }, func() protect.Plan { return &DistortionPlan{} })

// EpsilonGaussian is normal noise of mean 0 and standard deviation sigma given that it is at least epsilon/2, so that
// no interval shorter than epsilon around a released value holds the original. It is drawn by its inverse
// distribution, so nothing is drawn twice. Variances grow by sigma² (1 + a phi(a)/(1 - Phi(a))) with a = epsilon/(2
// sigma).
//
// Why not to use it. The hole is itself information: of every released value one knows that the original is not there.
// Two releases of one table, or two records of one person, have two holes at different places, and what they rule out
// together is more than plain noise of the same variance would tell. The guarantee is about one interval around one
// value and against nobody who knows anything else; plain normal noise with the variance of this one (agrawalsrikant)
// is as good against all that the guarantee is about, and rules nothing out. It costs about 60 ns a value.
//
// Departures: the paper's construction could not be read; the reading is that of its aim, normal noise conditioned on
// its size. Rounding to the attribute's grid can bring a value closer by half a step, and an end that a value is
// brought to may lie in the hole.
var EpsilonGaussian = entry(card.Card{
	Name:    "epsilongaussian",
	Title:   "Epsilon-Gaussian noise",
	Aliases: []string{"normal noise with a hole", "interval-based inference prevention"},
	Summary: "Adds normal noise of at least half of epsilon: a baseline only, as values near the original never " +
		"occur, which narrows the original down.",
	Paper: "Li, Wang & Jajodia 2002",
	Exposes: "that the original is not near the released value, so two releases rule out more than plain noise " +
		"does; an interval on either side of the hole; the noise model reveals the range",
	Shards: protect.FromMoments,
}, func() protect.Technique { return newHole() }, func() protect.Plan { return &HolePlan{} })

// entry is the entry of a card, with what both say.
func entry(c card.Card, technique func() protect.Technique, plan func() protect.Plan) protect.Method {
	c.Needs = "numeric attributes"
	c.Changes = "all numeric attributes that vary"
	c.Preserves = "means, and after reconstruction the distribution of each attribute (dither reconstruct)"
	c.Biases = "uncorrected, values spread (type A), relations weaken (types B and C), rules lose records at their " +
		"cuts (type DM)"
	c.Missing = "stay missing"
	c.Cost = "O(rows * numeric columns)"
	return protect.Method{
		Card:    c,
		Purpose: protect.PublicNoise,
		Growth:  1,
		New:     technique,
		Plan:    plan,
		Claims: []protect.Claim{protect.HasNoiseModel, protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes,
			protect.Checks, protect.Publishes, protect.Memoises},
		OnDomain: true,
	}
}
