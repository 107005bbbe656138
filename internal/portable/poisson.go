package portable

import (
	"math"
	"math/rand/v2"
)

// Poisson returns a variate of the Poisson law with this mean: below 10 by products of uniform variates, from there on
// by transformed rejection (Hörmann 1993, PTRS).
func Poisson(r *rand.Rand, mean float64) float64 {
	if mean < 10 {
		least, n := Exp(-mean), 0.0
		for p := r.Float64(); p > least; p = float64(p * r.Float64()) {
			n++
		}
		return n
	}
	b := 0.931 + float64(2.53*math.Sqrt(mean))
	a := -0.059 + float64(0.02483*b)
	inverse, inside := 1.1239+1.1328/(b-3.4), 0.9277-3.6224/(b-2)
	logMean := Log(mean)
	for {
		u, v := r.Float64()-0.5, r.Float64()
		s := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/s+b)*u) + mean + 0.43)
		switch {
		case s >= 0.07 && v <= inside:
			return k
		case k < 0 || s < 0.013 && v > s:
		case Log(v)+Log(inverse)-Log(a/float64(s*s)+b) <= float64(k*logMean)-mean-Lgamma(k+1):
			return k
		}
	}
}
