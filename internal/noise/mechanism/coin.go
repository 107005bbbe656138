package mechanism

import "math/bits"

// below returns a uniform number in 0..n-1, without bias (Lemire 2019). n must be positive.
func below(w Words, n uint64) uint64 {
	hi, lo := bits.Mul64(w.Next(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(w.Next(), n)
		}
	}
	return hi
}

// expMinus is true with probability exp(-a/b), exactly (Canonne, Kamath & Steinke 2020, algorithm 1). b must be
// positive. Expected cost: at most 1.6 coins of exp(-1), and one of the rest.
func expMinus(w Words, a, b uint64) bool {
	for ; a >= b; a -= b {
		if !expMinusFraction(w, 1, 1) {
			return false
		}
	}
	return expMinusFraction(w, a, b)
}

// expMinusFraction is expMinus for a <= b. The series of exp: the first k at which a coin of a/(b k) fails is odd with
// probability exp(-a/b). A coin of a/(b k) is one of a/b and one of 1/k, so that no product overflows.
func expMinusFraction(w Words, a, b uint64) bool {
	k := uint64(1)
	for (a == b || below(w, b) < a) && (k == 1 || below(w, k) == 0) {
		k++
	}
	return k&1 == 1
}

// wide is an unsigned number of 128 bits.
type wide struct{ hi, lo uint64 }

func product(a, b uint64) wide {
	hi, lo := bits.Mul64(a, b)
	return wide{hi, lo}
}

func (a wide) less(b wide) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a wide) minus(b wide) wide {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return wide{hi, lo}
}

// belowWide returns a uniform number below n, which has a high word: numbers of as many bits are drawn until one is.
func belowWide(w Words, n wide) wide {
	for mask := ^uint64(0) >> bits.LeadingZeros64(n.hi); ; {
		if x := (wide{w.Next() & mask, w.Next()}); x.less(n) {
			return x
		}
	}
}

// expMinusWide is expMinus in 128 bits.
func expMinusWide(w Words, a, b wide) bool {
	for ; !a.less(b); a = a.minus(b) {
		if !expMinusFraction(w, 1, 1) {
			return false
		}
	}
	if b.hi == 0 {
		return expMinusFraction(w, a.lo, b.lo)
	}
	k := uint64(1)
	for belowWide(w, b).less(a) && (k == 1 || below(w, k) == 0) {
		k++
	}
	return k&1 == 1
}
