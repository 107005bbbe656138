package criterion

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Level returns the level to which the smallest counts rise when s units of weight are poured over them: the weight
// goes to the least count until it meets the next one, then to both, and so on. With these counts, max(count, level),
// the distribution has the largest entropy among those of the imprecise Dirichlet model, which lets every probability
// range over [count/(N+s), (count+s)/(N+s)] (Abellan & Moral 2003). It needs s > 0 and a count.
//
// Cost: O(k) for k classes in most cases, O(k^2) at worst.
func Level(counts []float64, s float64) float64 {
	level := math.Inf(1)
	for {
		sum, below := s, 0
		for _, c := range counts {
			if c <= level {
				sum += c
				below++
			}
		}
		if below == 0 {
			return level // only by rounding: all that took part are as good as equal
		}
		next := sum / float64(below)
		if next >= level {
			return level
		}
		level = next
	}
}

// UpperEntropy returns the largest entropy, in bits, of the imprecise Dirichlet model with s units of hidden weight:
// that of a class of which so little is known is not understated (Abellan & Moral 2003). It needs s > 0 and a count.
func UpperEntropy(counts []float64, s float64) float64 {
	level := Level(counts, s)
	n, sum := s, 0.0
	for _, c := range counts {
		n += c
		if c = max(c, level); c > 0 {
			sum += float64(c * portable.Log2(c))
		}
	}
	return max(0, portable.Log2(n)-sum/n)
}

// UpperShares writes the distribution that has that entropy into dst, which is as long as counts.
func UpperShares(dst, counts []float64, s float64) {
	level := Level(counts, s)
	n := s
	for _, c := range counts {
		n += c
	}
	for k, c := range counts {
		dst[k] = max(c, level) / n
	}
}
