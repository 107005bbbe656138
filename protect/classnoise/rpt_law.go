package classnoise

import "github.com/dither-data/dither/internal/portable"

// RPTLaw is the law of the number of changed classes in a leaf of two classes.
type RPTLaw struct {
	P              []float64 // P[i] is the probability of 2i changes; an odd number is impossible
	Mean, Variance float64
	// Wrong is the probability that a released class is not the original one: of a record released with the minority
	// class and of one with the majority class.
	WrongMinority, WrongMajority float64
}

// RPTNewLaw returns the law of a leaf with m records of the one class and n of the other; the class with n counts as
// the minority. Half the number of changes is hypergeometric: C(n,i) C(m,i) / C(m+n,n) (Islam 2007, section 4.2).
func RPTNewLaw(m, n int) RPTLaw {
	all := float64(m + n)
	law := RPTLaw{P: make([]float64, min(m, n)+1)}
	for i := range law.P {
		law.P[i] = portable.Exp(logChoose(n, i) + logChoose(m, i) - logChoose(m+n, n))
	}
	law.Mean, law.Variance = RPTMoments([]int{m, n})
	if all > 0 {
		law.WrongMinority, law.WrongMajority = float64(m)/all, float64(n)/all
	}
	return law
}

func logChoose(n, k int) float64 {
	a := portable.Lgamma(float64(n + 1))
	b := portable.Lgamma(float64(k + 1))
	c := portable.Lgamma(float64(n - k + 1))
	return a - b - c
}

// RPTMoments returns mean and variance of the number of changed classes in a leaf of any number of classes with the
// given counts. With N, A and B the sums of the counts, their squares and their cubes, the number of records that keep
// their class under a uniform permutation has the mean A/N and the second factorial moment (A² + A - 2B) / (N(N-1)).
func RPTMoments(counts []int) (mean, variance float64) {
	var n, a, b float64
	for _, k := range counts {
		c := float64(k)
		n, a, b = n+c, a+float64(c*c), b+float64(c*c*c)
	}
	if n < 2 {
		return 0, 0
	}
	return n - a/n, (float64(a*a)+a-2*b)/(n*(n-1)) + a/n - a*a/(n*n)
}
