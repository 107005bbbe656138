package mechanism

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// GaussianDelta returns the least delta for which real-valued Gaussian noise is (epsilon, delta)-differentially private
// on a vector that one unit moves by a length of mu sigma at most (Balle & Wang 2018, theorem 8):
//
//	Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)
func GaussianDelta(mu, epsilon float64) float64 {
	if mu == 0 {
		return 0
	}
	delta := phi(mu/2 - epsilon/mu)
	if epsilon < 700 { // beyond, the second term is left out: a bound
		delta -= float64(portable.Exp(epsilon) * phi(-mu/2-epsilon/mu))
	}
	return max(0, delta)
}

// AnalyticSigma returns the least sigma of real-valued Gaussian noise for (epsilon, delta) and a sensitivity (Balle &
// Wang 2018).
func AnalyticSigma(epsilon, delta, sensitivity float64) (float64, error) {
	if err := check(epsilon, delta); err != nil {
		return 0, err
	}
	mu := bisect(func(mu float64) bool { return GaussianDelta(mu, epsilon) <= delta })
	return sensitivity / mu, nil
}

// TextbookSigma returns sqrt(2 ln(1.25/delta)) sensitivity/epsilon (Dwork & Roth 2014, theorem A.1). It is refused
// above an epsilon of 1, where it is too little noise.
func TextbookSigma(epsilon, delta, sensitivity float64) (float64, error) {
	if err := check(epsilon, delta); err != nil {
		return 0, err
	}
	if epsilon > 1 {
		return 0, fmt.Errorf("the textbook formula of Gaussian noise holds up to an epsilon of 1, not for %v: use the "+
			"analytic one", epsilon)
	}
	return math.Sqrt(2*portable.Log(1.25/delta)) * sensitivity / epsilon, nil
}

func check(epsilon, delta float64) error {
	switch {
	case !(epsilon > 0) || math.IsInf(epsilon, 1):
		return errors.New("epsilon must be positive")
	case !(delta > 0 && delta < 1):
		return errors.New("delta must be between 0 and 1")
	}
	return nil
}

// bisect returns the largest positive number that is small enough, to the last bits and never above it; of numbers up
// to 2^60.
func bisect(small func(float64) bool) float64 {
	hi := 0x1p-60
	for hi < 0x1p60 && small(hi) {
		hi *= 2
	}
	lo := hi / 2
	if hi == 0x1p-60 {
		lo = 0
	}
	for range 60 {
		if mid := lo + (hi-lo)/2; small(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// SimpleEpsilon returns an epsilon that rho-zero-concentrated privacy implies at a delta: rho + 2 sqrt(rho ln(1/delta))
// (Bun & Steinke 2016, proposition 1.3).
func SimpleEpsilon(rho, delta float64) float64 {
	return rho + 2*math.Sqrt(float64(-rho*portable.Log(delta)))
}

// TightEpsilon returns the epsilon that rho-zero-concentrated privacy implies at a delta, by the best order of Renyi's
// divergence (Canonne, Kamath & Steinke 2020, proposition 12):
//
//	min over alpha > 1 of rho alpha + ln(1/(alpha delta))/(alpha - 1) + ln(1 - 1/alpha)
//
// Every alpha is a proof, so an imperfect minimum still is. It is at least 0.
func TightEpsilon(rho, delta float64) float64 {
	if rho == 0 {
		return 0
	}
	at := func(logOff float64) float64 { // of alpha - 1
		off := portable.Exp(logOff)
		alpha := 1 + off
		return float64(rho*alpha) - portable.Log(float64(alpha*delta))/off + (logOff - portable.Log(alpha))
	}
	// A step of Newton would do; a golden section needs no derivative. Simple's alpha is where to look.
	middle := 0.5 * portable.Log(-portable.Log(delta)/rho)
	lo, hi := middle-12, middle+12
	const golden = 0.6180339887498949
	a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
	atA, atB := at(a), at(b)
	for range 90 {
		if atA <= atB {
			hi, b, atB = b, a, atA
			a = hi - float64(golden*(hi-lo))
			atA = at(a)
		} else {
			lo, a, atA = a, b, atB
			b = lo + float64(golden*(hi-lo))
			atB = at(b)
		}
	}
	return max(0, min(atA, atB))
}

// GaussianEpsilon returns the exact epsilon at a delta of real-valued Gaussian noise on a vector that one unit moves by
// mu sigma. Several such releases are one, of the root of the sum of mu^2 (Dong, Roth & Su 2022, corollary 3.3).
func GaussianEpsilon(mu, delta float64) float64 {
	if GaussianDelta(mu, 0) <= delta {
		return 0
	}
	least := bisect(func(epsilon float64) bool { return GaussianDelta(mu, epsilon) > delta })
	return math.Nextafter(least, math.Inf(1))
}

// Rho returns the largest rho that implies (epsilon, delta) by TightEpsilon.
func Rho(epsilon, delta float64) (float64, error) {
	if err := check(epsilon, delta); err != nil {
		return 0, err
	}
	return bisect(func(rho float64) bool { return TightEpsilon(rho, delta) <= epsilon }), nil
}

// RhoRatio is Rho, rounded down: what is charged for it implies no more than (epsilon, delta), so that the last of a
// budget can be spent.
func RhoRatio(epsilon, delta float64) (Ratio, error) {
	rho, err := Rho(epsilon, delta)
	if err != nil {
		return Ratio{}, err
	}
	return AtMost(rho)
}

// RhoOfPure is the rho of epsilon-differential privacy: epsilon^2/2 (Bun & Steinke 2016, proposition 1.4).
func RhoOfPure(epsilon float64) float64 { return epsilon * epsilon / 2 }

// RhoOfSelection is the rho of a Selection of an epsilon: epsilon^2/8 (Cesar & Rogers 2021). It holds for Exponential;
// PermuteAndFlip counts as RhoOfPure.
func RhoOfSelection(epsilon float64) float64 { return epsilon * epsilon / 8 }

// RhoOfGaussian is the rho of Gaussian noise, discrete or not: sensitivity^2/(2 sigma^2).
func RhoOfGaussian(sensitivity, sigma float64) float64 {
	return sensitivity * sensitivity / float64(2*float64(sigma*sigma))
}

// Advanced returns the epsilon at a delta of k releases of a pure epsilon each by advanced composition (Dwork, Rothblum
// & Vadhan 2010): sqrt(2 k ln(1/delta)) epsilon + k epsilon (e^epsilon - 1). For few releases it is above k epsilon.
func Advanced(epsilon float64, k int, delta float64) float64 {
	n := float64(k)
	return float64(math.Sqrt(-2*n*portable.Log(delta))*epsilon) + float64(n*epsilon*portable.Expm1(epsilon))
}

// Sampled returns what a release promises that is (epsilon, delta) private and sees every record with probability q
// only, each on its own: ln(1 + q(e^epsilon - 1)) and q delta. Which records it sees must stay secret. It holds for
// neighbours by adding or removing, not by replacing (Balle, Barthe & Gaboardi 2018).
func Sampled(epsilon, delta, q float64) (float64, float64) {
	return portable.Log1p(float64(q * portable.Expm1(epsilon))), float64(q * delta)
}

// BeforeSampling returns the epsilon that a release may have so that it has the target once sampled.
func BeforeSampling(target, q float64) float64 { return portable.Log1p(portable.Expm1(target) / q) }

// Threshold returns from which noisy count on a key may be named that is not public, where a person has so many keys at
// most, and so many records of one key: keys of that person alone are then named with probability delta in all. It is
// the least whole number that records + noise reaches with probability delta/keys at most.
func (l Laplace) Threshold(delta float64, keys, records int) int64 {
	return threshold(l.Upper, delta, keys, records)
}

// Threshold is that of Laplace.
func (g Gaussian) Threshold(delta float64, keys, records int) int64 {
	return threshold(g.Upper, delta, keys, records)
}

func threshold(upper func(int64) float64, delta float64, keys, records int) int64 {
	each := delta / float64(keys)
	return int64(records) + least(func(k int64) bool { return upper(k) <= each })
}

// LaplaceThreshold is that of real-valued noise: 1 + ln(1/(2 delta))/epsilon.
func LaplaceThreshold(epsilon, delta float64) float64 { return 1 - portable.Log(2*delta)/epsilon }
