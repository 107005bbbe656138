// Package criterion measures how well a split separates classes: entropy, information gain, split information and
// gain ratio.
//
// All figures are in bits, with 0 log 0 = 0. A split is given as the class counts of its branches; counts are weights
// and need not be whole (Quinlan 1993, section 2.2).
package criterion

import "github.com/dither-data/dither/internal/portable"

// Entropy returns the entropy of a distribution given by counts, in bits; 0 when they sum to 0.
func Entropy(counts []float64) float64 {
	n, s := 0.0, 0.0
	for _, c := range counts {
		if c > 0 {
			n += c
			s += float64(c * portable.Log2(c))
		}
	}
	if n <= 0 {
		return 0
	}
	return max(0, portable.Log2(n)-s/n)
}

// Split holds the measures of a split.
type Split struct {
	Gain      float64 // information gained about the class, in bits
	Info      float64 // split information: the entropy of the branch sizes, in bits
	GainRatio float64 // Gain/Info; 0 when Info is 0
}

// Of returns the measures of a split given by the class counts of its branches, branches[branch][class]. Branches may
// differ in length: a class beyond the end of a branch has count 0.
func Of(branches [][]float64) Split {
	var all, sizes []float64
	n, within := 0.0, 0.0
	for _, b := range branches {
		size := 0.0
		for c, v := range b {
			if c == len(all) {
				all = append(all, 0)
			}
			all[c] += v
			size += v
		}
		sizes = append(sizes, size)
		n += size
		within += float64(size * Entropy(b))
	}
	if n <= 0 {
		return Split{}
	}
	s := Split{Gain: max(0, Entropy(all)-within/n), Info: Entropy(sizes)}
	if s.Info > 0 {
		s.GainRatio = s.Gain / s.Info
	}
	return s
}

// Midpoint returns the number half way between two different ones, where values up to low and from next on are to be
// told apart; low where the next number is too close or too far.
func Midpoint(low, next float64) float64 {
	if m := low + (next-low)/2; m < next {
		return m
	}
	return low
}
