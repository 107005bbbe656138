package vector

import (
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
)

// The moments of lists are the same in any order of their values. Cost: 5 ns per value, and 0.5 µs.

// Mean returns the arithmetic mean, NaN of nothing.
func Mean(x []float64) float64 { return exact.Mean(x) }

// about returns the mean and the sum of squares about it.
func about(x []float64) (mean, squares float64) {
	mean = Mean(x)
	var s exact.Sum
	for _, v := range x {
		d := v - mean
		s.Add(float64(d * d))
	}
	return mean, s.Float64()
}

// Known returns how many values are not missing (NaN), their mean, NaN of none, and the sum of squares about it.
func Known(x []float64) (n int, mean, squares float64) {
	var s exact.Sum
	n = s.AddKnown(x)
	mean = s.Mean(n)
	s = exact.Sum{}
	for _, v := range x {
		if d := v - mean; d == d {
			s.Add(float64(d * d))
		}
	}
	return n, mean, s.Float64()
}

// MeanVariance returns the mean and the variance, whose divisor is n - 1.
func MeanVariance(x []float64) (mean, variance float64) {
	mean, squares := about(x)
	return mean, squares / float64(len(x)-1)
}

// Variance returns the variance, whose divisor is n - 1.
func Variance(x []float64) float64 {
	_, v := MeanVariance(x)
	return v
}

// StdDev returns the square root of the variance.
func StdDev(x []float64) float64 { return math.Sqrt(Variance(x)) }

// MeanStdDev returns the mean and the standard deviation.
func MeanStdDev(x []float64) (mean, sd float64) {
	mean, v := MeanVariance(x)
	return mean, math.Sqrt(v)
}

// PopMeanVariance returns the mean and the variance, whose divisor is n.
func PopMeanVariance(x []float64) (mean, variance float64) {
	mean, squares := about(x)
	return mean, squares / float64(len(x))
}

// PopVariance returns the variance, whose divisor is n.
func PopVariance(x []float64) float64 {
	_, v := PopMeanVariance(x)
	return v
}

// PopMeanStdDev returns the mean and the standard deviation, whose divisor is n.
func PopMeanStdDev(x []float64) (mean, sd float64) {
	mean, v := PopMeanVariance(x)
	return mean, math.Sqrt(v)
}

// products returns the sums of squares and of products about the means.
func products(x, y []float64) (xx, yy, xy float64) {
	if len(x) != len(y) {
		panic("vector: lists of two lengths")
	}
	a, b := Mean(x), Mean(y)
	var xs, ys, ps exact.Sum
	for i, u := range x {
		d, e := u-a, y[i]-b
		xs.Add(float64(d * d))
		ys.Add(float64(e * e))
		ps.Add(float64(d * e))
	}
	return xs.Float64(), ys.Float64(), ps.Float64()
}

// Covariance returns the covariance, whose divisor is n - 1.
func Covariance(x, y []float64) float64 {
	_, _, xy := products(x, y)
	return xy / float64(len(x)-1)
}

// Correlation returns the correlation, NaN where one list is constant.
func Correlation(x, y []float64) float64 {
	xx, yy, xy := products(x, y)
	return xy / math.Sqrt(xx*yy)
}

// Line returns the line y = at + slope x of least squares.
func Line(x, y []float64) (at, slope float64) {
	xx, _, xy := products(x, y)
	slope = xy / xx
	return Mean(y) - float64(slope*Mean(x)), slope
}
