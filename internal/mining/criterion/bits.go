package criterion

import "math"

// unit is the resolution of Term: 2^-28. Sums of terms over 10^8 records stay below 2^60.
const unit = 1 << 28

// Term returns x log2 x, for x >= 0, as a whole multiple of 2^-28. Sums and differences of terms are exact and do not
// depend on their order: any schedule of a parallel learner finds the same gain, to the last bit, and equal gains are
// equal.
//
// The entropy of counts, times their sum n, is Term(n) minus the sum of the terms of the counts; Bits turns such a
// sum into bits.
func Term(x float64) int64 {
	if x <= 0 {
		return 0
	}
	return int64(math.RoundToEven(x * log2(x) * unit))
}

// Terms tabulates the terms of 0, ..., n. Cost: one logarithm each.
func Terms(n int) []int64 {
	t := make([]int64, n+1)
	for k := 2; k <= n; k++ {
		t[k] = Term(float64(k))
	}
	return t
}

// Spread returns the entropy of counts times their sum, in the unit of Term.
func Spread(counts []float64) int64 {
	n, s := 0.0, int64(0)
	for _, c := range counts {
		n += c
		s -= Term(c)
	}
	return s + Term(n)
}

// Bits turns a sum of terms into bits.
func Bits(sum int64) float64 { return float64(sum) / unit }
