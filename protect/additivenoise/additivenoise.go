// Package additivenoise holds techniques of additive normal noise for statistical databases (Islam 2007, section 3.2.1;
// Brand 2002): every numeric value of a record gets noise of mean 0, drawn separately or jointly for the attributes,
// and some shrink the sum towards the mean: Y = c (X + e) + (1-c) mean. The noise has d times the variance of the
// attribute, or d times the covariance matrix C of the attributes.
//
// They need no class and change all numeric attributes except sampling weights, a numeric class, those named in
// "except", and columns of one value. What a user of the release works out who knows d and c, the plan says
// (Corrections).
//
// What an informed intruder learns: an interval around every value, as narrow as the noise is small: with d = 0.25, of
// a normal attribute, 1.8 standard deviations at 95 %. Outliers stay outliers. Independent noise is not correlated
// where attributes are, and most of it can be filtered away (Kargupta et al. 2003). Correlated noise lies in the
// directions of the data and cannot be filtered by them (Huang, Du & Chen 2005); relations that are exact, such as a
// sum, hold for it too. Anyone who knows c and the means, which the release shows, inverts the transform.
//
// Missing values stay missing; covariances are taken pairwise, and a matrix that contradicts itself is repaired, with
// a note. A value outside a declared domain becomes its nearest end; an observed domain is left (outside=allow), for
// keeping to it biases means. Noise that rounds to 0 on the attribute's grid leaves the value as it is; the plan notes
// where half of the values stay.
//
// Cost, fit included: independent noise about 25 ns a value, correlated noise of six columns about 30 ns.
//
// Departures: released values are rounded to the attribute's grid. That adds step²/12 to a variance where the noise is
// wide against the step; noise of less than half a step is rounded away for the most part, and no correction holds
// (Corrections names such columns).
package additivenoise

import (
	"cmp"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/protect"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{Independent, Traub, Correlated, Kim, TendickMatloff}

// Independent is SADP: Y = X + e, e_j ~ N(0, d var_j), drawn for every attribute apart. Variances grow by the factor
// 1+d, correlations of two perturbed attributes shrink by 1/(1+d) (type B), those with other attributes by 1/sqrt(1+d)
// (type C).
//
// Reference: Islam 2007, section 3.2.1; Brand 2002.
var Independent = entry(card.Card{
	Name:      "sadp",
	Title:     "Simple Additive Data Perturbation",
	Short:     "SADP",
	Aliases:   []string{"independent noise", "additive noise", "noise addition", "addNoise"},
	Summary:   "Adds independent normal noise to every numeric value, with a share of the attribute's variance.",
	Paper:     "Islam 2007, section 3.2.1; Brand 2002",
	Preserves: "means and covariances, without bias",
	Biases:    independentBiases,
	Exposes:   independentExposes,
	Missing:   independentMissing,
	Cost:      "O(rows * numeric columns)",
	Shards:    protect.FromMoments,
}, func() protect.Technique { return newShare(false) },
	func() protect.Plan { return &IndependentPlan{} }, protect.Memoises)

// Traub is independent noise, as in SADP, of which there is as much as Chebyshev's inequality lets the means of the
// release bear. The noise of the mean of m records has the variance v/m, so it is e or more with probability v/(m e^2)
// at most. With e in standard deviations of the attribute ("error"), the fewest records of a mean that matters
// ("records") and the probability that it may be off by e or more ("chance"), the noise has the largest variance that
// is allowed: v = chance * records * error^2, as a share of the attribute's. With records=1 it is the bound on single
// values, P(|noise| >= e) <= v/e^2. Means are those of records chosen by attributes left alone; the bound holds for
// any law, and normal noise keeps it by far: at chance 0.1 a mean is off by e or more once in 640. The balance is one
// of quality: that no single value is known well enough has to be measured (intervalinference, found).
//
// Departures: the paper states the trade-off, and that the noise be independent with mean 0; the law is normal here,
// and the parameters are our names for its quantities.
//
// Reference: J. F. Traub, Y. Yemini and H. Woźniakowski, "The statistical security of a statistical database", ACM
// TODS 9(4), 1984; Islam 2007, section 3.2.1.
var Traub = entry(card.Card{
	Name:    "traub",
	Title:   "Traub, Yemini & Woźniakowski noise",
	Short:   "Traub",
	Aliases: []string{"Traub et al. 1984", "Chebyshev noise"},
	Summary: "Adds independent noise to every number, as much as Chebyshev's inequality allows for a given error " +
		"of means.",
	Paper:     "Traub, Yemini & Woźniakowski 1984; Islam 2007, section 3.2.1",
	Preserves: "means of that many records to within the requested error; covariances, without bias",
	Biases:    independentBiases,
	Exposes:   independentExposes,
	Missing:   independentMissing,
	Cost:      "O(rows * numeric columns)",
	Shards:    protect.FromMoments,
}, func() protect.Technique { return newBound() }, func() protect.Plan { return &TraubPlan{} })

// Correlated is Y = X + e, e ~ N(0, d C): noise that moves together as the attributes do. Regressions among the
// perturbed attributes are unbiased. Variances and covariances grow by the factor 1+d, correlations with other
// attributes shrink by 1/sqrt(1+d). A normal distribution stays normal, others are drawn towards it.
//
// Reference: Kim 1986; Islam 2007, section 3.2.1; Brand 2002.
var Correlated = entry(card.Card{
	Name:      "correlatednoise",
	Title:     "Correlated Noise Addition",
	Short:     "Correlated noise",
	Aliases:   []string{"correlated noise", "correlated additive noise"},
	Summary:   "Adds correlated normal noise to all numbers: its covariance matrix is a share of the attributes'.",
	Paper:     "Kim 1986; Islam 2007, section 3.2.1; Brand 2002",
	Preserves: "means, and the correlations among the perturbed attributes (type B)",
	Biases: "variances and covariances grow (type A), correlations with other attributes shrink (type C), " +
		"distributions that are not normal are blurred (type D), rules lose records at their cuts (type DM); types " +
		"A and C can be corrected with the share",
	Exposes: "every value up to the noise; exact relations; outliers stay outliers",
	Shards:  protect.FromMoments,
}, func() protect.Technique { return newShare(true) },
	func() protect.Plan { return &CorrelatedPlan{} }, protect.Memoises)

// Kim goes on from Correlated with a linear transform that gives the variances back: Y = c (X + e) + (1-c) mean, e ~
// N(0, d C). The constant is 1/sqrt(1+d) for large tables; for n records Brand 2002 gives c1 = sqrt((n-1)/(n(1+d)-1))
// and c2 = sqrt((n-1-d)/((n+1)(1+d))). By default it is c2 below 500 records, where that exists, and c1 from there on.
//
// Means, variances and covariances are kept up to c²(1+d), which is 1 for large tables. Correlations with other
// attributes shrink by 1/sqrt(1+d). A normal distribution stays normal, others are drawn towards it. The mean of a
// subpopulation moves to the share c of its distance from the overall mean; a user who knows c and d undoes it, and so
// the covariances in a subpopulation.
//
// Reference: Kim 1986; Islam 2007, section 3.2.1; Brand 2002.
var Kim = entry(card.Card{
	Name:    "kim",
	Title:   "Kim's Noise Addition with Linear Transformation",
	Short:   "Kim",
	Aliases: []string{"correlated noise with linear transformation"},
	Summary: "Adds correlated normal noise to every number, then shrinks values towards the mean to restore the " +
		"variances.",
	Paper:     "Kim 1986; Islam 2007, section 3.2.1; Brand 2002",
	Preserves: transformPreserves,
	Biases:    transformBiases + "the constants",
	Exposes:   transformExposes,
	Shards:    protect.FromMoments,
}, func() protect.Technique { return newKim() }, func() protect.Plan { return &TransformPlan{does: byKim} })

// TendickMatloff is Y = mean + sqrt(1-delta²) (X - mean) + delta e, e ~ N(0, C), for estimates within subpopulations.
// It is the transform of Kim with c = sqrt(1-delta²) and noise of d = delta²/(1-delta²) times the covariance, so
// delta² is the share of the released variance that is noise, and a released value explains 1-delta² of the variance
// of its original. Correlations with other attributes shrink to the share sqrt(1-delta²), and so do distances of means
// of subpopulations from the overall mean. Where conditional means must be kept without corrections, the conditions
// have to enter the noise: package gadp.
//
// Reference: Tendick & Matloff 1994; Islam 2007, section 3.2.1.
var TendickMatloff = entry(card.Card{
	Name:    "tendickmatloff",
	Title:   "Modified Random Perturbation of Tendick and Matloff",
	Short:   "Tendick-Matloff",
	Aliases: []string{"modified random data perturbation", "tendick & matloff"},
	Summary: "Replaces a share of the variance of every numeric attribute by correlated normal noise, for " +
		"estimates within subpopulations.",
	Paper:     "Tendick & Matloff 1994; Islam 2007, section 3.2.1",
	Preserves: transformPreserves,
	Biases:    transformBiases + "delta",
	Exposes:   transformExposes,
	Shards:    protect.FromMoments,
}, func() protect.Technique { return newTendickMatloff() },
	func() protect.Plan { return &TransformPlan{does: byTendick} })

// What several cards say.
const (
	independentBiases = "variances grow (type A), correlations shrink (types B and C), distributions are blurred " +
		"(type D), rules lose records at their cuts (type DM); types A to C can be corrected with the share"
	independentExposes = "every value up to the noise; where attributes are correlated, noise can be filtered out; " +
		"outliers stay outliers"
	independentMissing = "stay missing; variances are of the known values"

	transformPreserves = "means, variances and covariances of the perturbed attributes (types A and B)"
	transformBiases    = "correlations with other attributes shrink (type C), distributions that are not normal " +
		"are blurred (type D), means of subpopulations move towards the overall one, rules lose records at their " +
		"cuts (type DM); type C and subpopulations can be corrected with "
	transformExposes = "every value up to the noise, as the transform can be inverted; exact relations; outliers " +
		"stay outliers"
)

// entry is the entry of a card, with what all say; more are claims besides those of all.
func entry(c card.Card, technique func() protect.Technique, plan func() protect.Plan,
	more ...protect.Claim) protect.Method {
	c.Needs = "numeric attributes"
	c.Changes = "all numeric attributes that vary"
	c.Missing = cmp.Or(c.Missing, "stay missing; covariances are taken pairwise and repaired")
	c.Cost = cmp.Or(c.Cost, "O(rows * numeric columns^2)")
	return protect.Method{
		Card:    c,
		Purpose: protect.NoiseNumbers,
		Growth:  1,
		New:     technique,
		Plan:    plan,
		Claims: append([]protect.Claim{protect.AddsNoise, protect.Corrects, protect.Notes, protect.Describes, protect.Checks},
			more...),
	}
}
