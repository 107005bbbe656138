package transition

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// EstimateUniform returns the unbiased estimate of the share of original values that are one of k categories, when it
// is released count times in n, and its variance, lambda (1 - lambda) / (n (p - q)^2) with lambda = count/n and q =
// (1-p)/(k-1). Of two categories the estimate is (lambda + p - 1) / (2p - 1). It may lie outside [0, 1]. It is an error
// when p = 1/k, at which the release tells nothing.
func EstimateUniform(count, n float64, k int, p float64) (share, variance float64, err error) {
	q := (1 - p) / float64(k-1)
	if k < 2 || p == q || !(n > 0) {
		return 0, 0, fmt.Errorf("%v values of %d categories, kept with probability %v, reveal nothing about the "+
			"original", n, k, p)
	}
	lambda := count / n
	return (lambda - q) / (p - q), lambda * (1 - lambda) / (n * (p - q) * (p - q)), nil
}

// Epsilon returns how much a released value may change the logarithm of the odds of two original ones of k categories:
// local differential privacy. It is infinite where a released value can rule out an original one, and 0 for one
// category.
func Epsilon(k int, p float64) float64 {
	if k < 2 {
		return 0
	}
	return math.Abs(portable.Log(p) - portable.Log((1-p)/float64(k-1)))
}
