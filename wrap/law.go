package wrap

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Noise on a grid of n values that wraps around moves every value by the same law, so the whole kernel P(y given x) is
// one slice: law[d] is the probability that a value moves d steps up, modulo n.

// reach is how many standard deviations of a normal law are summed; the rest weighs less than 1e-18.
const reach = 9

// NormalLaw returns the law of normal noise with mean 0 and standard deviation sd, in grid steps, rounded to whole
// steps and wrapped on n values: P(d) = sum over j of P(noise = d + j*n). Cost: O(n + sd).
func NormalLaw(n int, sd float64) []float64 {
	law := make([]float64, n)
	if sd == 0 {
		law[0] = 1
		return law
	}
	last := int(math.Ceil(reach * sd))
	for k := 0; k <= last; k++ {
		// P(k - 1/2 < noise < k + 1/2); the complement keeps its precision in the tail.
		p := (portable.Erfc((float64(k)-0.5)/sd/math.Sqrt2) - portable.Erfc((float64(k)+0.5)/sd/math.Sqrt2)) / 2
		law[k%n] += p
		if k > 0 {
			law[(n-k%n)%n] += p
		}
	}
	return law
}

// UniformLaw returns the law of noise that is uniform on the integers -(n-1)..n-1 and wrapped on n values: a value
// stays with probability 1/(2n-1) and becomes each other value with 2/(2n-1).
func UniformLaw(n int) []float64 {
	law := make([]float64, n)
	for d := range law {
		law[d] = 2 / float64(2*n-1)
	}
	law[0] /= 2
	return law
}

// Kernel returns the matrix of a law: Kernel(law)[x][y] is the probability that position x becomes position y. Cost:
// O(n²).
func Kernel(law []float64) [][]float64 {
	n := len(law)
	m := make([][]float64, n)
	for x := range m {
		m[x] = make([]float64, n)
		for y := range m[x] {
			m[x][y] = law[(y-x+n)%n]
		}
	}
	return m
}
