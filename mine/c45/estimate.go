package c45

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// normal deviates of one-sided confidences, as tabulated in C4.5 release 8; values between are interpolated.
var (
	confidence = [...]float64{0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1}
	deviate    = [...]float64{4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0}
)

// deviateOf returns the normal deviate of confidence cf in [0, 1].
func deviateOf(cf float64) float64 {
	i := 1
	for i < len(confidence)-1 && cf > confidence[i] {
		i++
	}
	return deviate[i-1] + (deviate[i]-deviate[i-1])*(cf-confidence[i-1])/(confidence[i]-confidence[i-1])
}

// extra returns the errors to add to the e observed among n cases for a pessimistic estimate with confidence cf, a
// fraction: n times the upper limit of the error rate, minus e (Quinlan 1993, section 4.2, with the normal
// approximation of release 8).
func extra(n, e, cf float64) float64 {
	switch {
	case n <= 0:
		return 0
	case e < 1e-6:
		return float64(n * (1 - portable.Exp(portable.Log(cf)/n)))
	case e < 0.9999:
		none := float64(n * (1 - portable.Exp(portable.Log(cf)/n)))
		return none + float64(e*(extra(n, 1, cf)-none))
	case e+0.5 >= n:
		return float64(0.67 * (n - e))
	}
	q := deviateOf(cf)
	q = float64(q * q)
	p := (e + 0.5 + q/2 + math.Sqrt(q*(float64((e+0.5)*(1-(e+0.5)/n))+q/4))) / (n + q)
	return float64(n*p) - e
}
