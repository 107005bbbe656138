// Package randomised is the algebra of records of items that are released at random: what the operators do to itemsets,
// how supports of the original are estimated from the release and with what error, and what a released record tells of
// its original.
//
// Its operators are MASK and EMASK (Bits: every item by itself), select-a-size and cut-and-paste (Sizes: by the number
// of items of the record), and FRAPP (Diagonal: whole records of a finite domain). All have an amplification gamma: the
// largest factor by which a released value can change the odds of two originals; ln gamma is the epsilon of local
// differential privacy. A support is a share of the records. All functions are pure.
//
// References: S. J. Rizvi & J. R. Haritsa, "Maintaining data privacy in association rule mining", VLDB 2002 (MASK); S.
// Agrawal, V. Krishnan & J. R. Haritsa, "On addressing efficiency concerns in privacy-preserving mining", DASFAA 2004
// (EMASK); A. Evfimievski, R. Srikant, R. Agrawal & J. Gehrke, "Privacy preserving mining of association rules", KDD
// 2002 (select-a-size, cut-and-paste); A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy breaches in privacy
// preserving data mining", PODS 2003 (amplification); S. Agrawal & J. R. Haritsa, "A framework for high-accuracy
// privacy-preserving mining", ICDE 2005 (FRAPP).
package randomised

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/noisemodel/transition"
)

// Bits releases every item of a record by itself: one that is there stays with probability One, one that is not stays
// away with probability Zero. MASK has the same probability for both, EMASK has two (Rizvi & Haritsa 2002; Agrawal,
// Krishnan & Haritsa 2004). Where One + Zero is 1 nothing is released.
type Bits struct{ One, Zero float64 }

// Estimate is the estimate of a support, not clipped, and its standard error.
type Estimate struct{ Share, Error float64 }

// Clipped returns the share within 0..1.
func (e Estimate) Clipped() float64 { return min(1, max(0, e.Share)) }

// unit returns the weights of a released 1 and a released 0 of one item: their means are 1 over originals that have it
// and 0 over those that do not.
func (b Bits) unit() (one, zero float64) {
	d := b.One + b.Zero - 1
	return b.Zero / d, (b.Zero - 1) / d
}

// Weights returns what a released record with t = 0..k items of a k-itemset counts for in its support: the last row of
// the inverse of the matrix of the operator, u^t v^(k-t) with u = q/(p+q-1), v = -(1-q)/(p+q-1).
func (b Bits) Weights(k int) []float64 {
	u, v := b.unit()
	w := make([]float64, k+1)
	for t := range w {
		w[t] = float64(portable.Pow(u, float64(t)) * portable.Pow(v, float64(k-t)))
	}
	return w
}

// Support estimates the support of a k-itemset from ones[t], the numbers of released records with exactly t = 0..k of
// its items. The error is the plug-in one with the number of records as divisor.
func (b Bits) Support(ones []float64) Estimate {
	n, sum, squares := 0.0, 0.0, 0.0
	for t, w := range b.Weights(len(ones) - 1) {
		n += ones[t]
		sum += float64(ones[t] * w)
		squares += float64(ones[t] * w * w)
	}
	share := sum / n
	return Estimate{share, math.Sqrt(max(0, squares/n-float64(share*share)) / n)}
}

// Density returns the share of released items that are there, where the share support of the originals is.
func (b Bits) Density(support float64) float64 {
	return float64(support*b.One) + float64((1-support)*(1-b.Zero))
}

// Reconstruction returns the probabilities that an original 1, and an original 0, is guessed right by one who draws a
// guess from its posterior: R1 and R0 of Rizvi & Haritsa, 2002, section 3, for items of that support, above 0 and below
// 1.
func (b Bits) Reconstruction(support float64) (r1, r0 float64) {
	one := b.Density(support)
	// Of each released bit y the posterior of x, weighted with the probability of y given x.
	right := func(prior, y, other float64) float64 { return float64(prior * (square(y)/one + square(other)/(1-one))) }
	return right(support, b.One, 1-b.One), right(1-support, 1-b.Zero, b.Zero)
}

func square(x float64) float64 { return float64(x * x) }

// Privacy returns, in percent, 100 (1 - a R1 - (1-a) R0): how often a guess of an original bit is wrong, where 1s weigh
// a.
func (b Bits) Privacy(support, a float64) float64 {
	r1, r0 := b.Reconstruction(support)
	return float64(100 * (1 - float64(a*r1) - float64((1-a)*r0)))
}

// Believed returns the probability that an item is there in the original if it is there in the release.
func (b Bits) Believed(support float64) float64 { return support * b.One / b.Density(support) }

// Matrix returns the transitions of one item, 0 (not there) and 1.
func (b Bits) Matrix() transition.Matrix {
	return transition.Matrix{{b.Zero, 1 - b.Zero}, {1 - b.One, b.One}}
}

// Gamma returns the amplification of one item, max(p/(1-q), q/(1-p)) for p + q above 1. That of a record that gained or
// lost m items is its m-th power.
func (b Bits) Gamma() float64 { return Gamma(b.Matrix()) }

// Condition returns the condition number of the operator on k items, the k-th power of that on one: (2p-1)^-k for MASK.
func (b Bits) Condition(k int) float64 { return portable.Pow(b.Matrix().Condition(), float64(k)) }

// Lowest returns the lowest support of a k-itemset that can be told from 0 in n records: that which is 4 standard
// errors of its estimate (Evfimievski et al. 2002, section 5.2). The other records are taken to have each of its items
// independently, with the share background. It is infinite where the operator releases nothing, and may be above 1:
// then no itemset of k items can be found.
func (b Bits) Lowest(k int, n, background float64) float64 {
	u, v := b.unit()
	// The mean square of the weight of an item that is there, and of one that is not.
	there := float64(b.One*u*u) + float64((1-b.One)*v*v)
	away := float64((1-b.Zero)*u*u) + float64(b.Zero*v*v)
	all, rest := portable.Pow(there, float64(k)),
		portable.Pow(float64(background*there)+float64((1-background)*away), float64(k))
	return lowest(n, rest, all-1-rest)
}

// lowest returns the positive root of s² = 16 (a + b s)/n; infinite where there is none.
func lowest(n, a, b float64) float64 {
	h := 8 * b / n
	if s := h + math.Sqrt(float64(h*h)+16*a/n); s == s {
		return s
	}
	return math.Inf(1)
}
