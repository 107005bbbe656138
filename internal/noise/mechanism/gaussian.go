package mechanism

import (
	"math"
	"math/bits"

	"github.com/dither-data/dither/internal/portable"
)

// Gaussian is the discrete Gaussian law of a parameter sigma^2: P(x) proportional to exp(-x^2/(2 sigma^2)) over all
// integers. Added to whole numbers that one unit changes by a vector of length D at most it is rho-zero-concentrated
// differentially private for rho = D^2/(2 sigma^2) (Canonne, Kamath & Steinke 2020, theorem 14: for any number of
// coordinates). Its (epsilon, delta) differ a little from those of real-valued Gaussian noise, see Delta.
type Gaussian struct{ sigma2, scale Ratio }

// NewGaussian returns the law; sigma^2 is at most 2^52.
func NewGaussian(sigma2 Ratio) Gaussian {
	return Gaussian{sigma2, Ratio{root(sigma2.Num/sigma2.Den) + 1, 1}}
}

// root returns the whole part of the square root of n.
func root(n uint64) uint64 {
	r := uint64(math.Sqrt(float64(n)))
	for r*r > n {
		r--
	}
	for (r+1)*(r+1) <= n {
		r++
	}
	return r
}

// Sigma2 returns the parameter.
func (g Gaussian) Sigma2() Ratio { return g.sigma2 }

// Sigma returns its square root.
func (g Gaussian) Sigma() float64 { return math.Sqrt(g.sigma2.Float()) }

// Draw returns a number of the law (Canonne, Kamath & Steinke 2020, algorithm 3): one of the discrete Laplace law of
// scale t = floor(sigma) + 1, kept with probability exp(-(|y| - sigma^2/t)^2/(2 sigma^2)). With sigma^2 = n/d that is
// exp(-a/b) for a = (|y| d t - n)^2 and b = 2 n d t^2, whole numbers below 2^128. A |y| that would not fit, above
// 1,024 t, has a probability below exp(-1024) and is not kept. Cost: about 0.3 us.
func (g Gaussian) Draw(w Words) int64 {
	n, d, t := g.sigma2.Num, g.sigma2.Den, g.scale.Num
	b := product(2*n, d*t)
	carry, lo := bits.Mul64(b.lo, t)
	b = wide{b.hi*t + carry, lo}
	for {
		y := Laplace{g.scale}.Draw(w)
		size := uint64(max(y, -y))
		over, off := bits.Mul64(size, d*t)
		if over != 0 {
			continue
		}
		if off = max(off, n) - min(off, n); expMinusWide(w, product(off, off), b) {
			return y
		}
	}
}

// wideSums is the sigma up to which sums over the law are taken; above it the sum of the numerators is that of the
// integral to the last bit, and tails are bounded by it.
const wideSums = 1000

// numerator returns exp(-x^2/(2 sigma^2)).
func (g Gaussian) numerator(x float64) float64 {
	return portable.Exp(-float64(x*x) / (2 * g.sigma2.Float()))
}

// tail returns the sum of the numerators from k on, k at least 1, the smallest first, and that of their x^2.
func (g Gaussian) tail(k int64) (sum, squares float64) {
	for n := k + int64(math.Ceil(40*g.Sigma())); n >= k; n-- {
		x := float64(n)
		p := g.numerator(x)
		sum, squares = sum+p, squares+float64(p*float64(x*x))
	}
	return sum, squares
}

// Normaliser returns the sum of the numerators over all integers.
func (g Gaussian) Normaliser() float64 {
	if s := g.Sigma(); s > wideSums {
		return float64(math.Sqrt(2*math.Pi) * s)
	}
	sum, _ := g.tail(1)
	return 1 + 2*sum
}

// P returns the probability of x.
func (g Gaussian) P(x int64) float64 { return g.numerator(float64(x)) / g.Normaliser() }

// Variance returns that of the law, which is below sigma^2.
func (g Gaussian) Variance() float64 {
	if g.Sigma() > wideSums {
		return g.sigma2.Float()
	}
	_, squares := g.tail(1)
	return 2 * squares / g.Normaliser()
}

// Upper returns P(X >= k), to the last bits up to a sigma of 1,000 and a bound of it, larger by less than P(k), above.
func (g Gaussian) Upper(k int64) float64 {
	switch {
	case k <= 0:
		return 1 - g.Upper(1-k)
	case g.Sigma() > wideSums:
		return min(1, g.P(k)+phi(-float64(k)/g.Sigma()))
	}
	sum, _ := g.tail(k)
	return sum / g.Normaliser()
}

// Within returns the least m with P(|X| <= m) at least the level, in (0, 1); above a sigma of 1,000 one more at most.
func (g Gaussian) Within(level float64) int64 {
	return least(func(m int64) bool { return 2*g.Upper(m+1) <= 1-level })
}

// Delta returns the least delta for which a whole number of a sensitivity with this noise is (epsilon, delta)
// differentially private (Canonne, Kamath & Steinke 2020, theorem 7):
//
//	P(X > epsilon sigma^2/D - D/2) - e^epsilon P(X > epsilon sigma^2/D + D/2)
//
// It is of one number, and of counts in cells of which one unit changes one.
func (g Gaussian) Delta(epsilon float64, sensitivity int64) float64 {
	middle, half := epsilon*g.sigma2.Float()/float64(sensitivity), float64(sensitivity)/2
	above := func(x float64) float64 { return g.Upper(int64(math.Floor(x)) + 1) }
	return max(0, above(middle-half)-float64(portable.Exp(epsilon)*above(middle+half)))
}

// phi is the standard normal distribution function.
func phi(x float64) float64 { return portable.Erfc(-x/math.Sqrt2) / 2 }
