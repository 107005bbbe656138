// Package portable holds elementary functions that return the same bits on every processor. Those of package math do
// not: some have assembly on some processors, which may even choose instructions at run time, and the bodies in Go are
// compiled on arm64, s390x and others with products fused with sums. So whatever enters a plan, a key, a tie or a
// figure is computed here, from sums, differences, quotients, square roots, products that float64() rounds, and
// math.FMA, all of which IEEE 754 defines to the last bit.
//
// Errors are given in units in the last place (ulp), where correct rounding has 0.5: they are what the tests hold
// against math/big. Special cases are as in package math.
package portable

import "math"

// pair is the unevaluated sum of two floats, about 106 bits: hi is the sum rounded.
type pair struct{ hi, lo float64 }

// fold returns a + b exactly, where |a| >= |b| or a is 0.
func fold(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

// add returns a + b exactly.
func add(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// times returns a * b exactly.
func times(a, b float64) pair {
	p := float64(a * b)
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) plus(b pair) pair {
	s := add(a.hi, b.hi)
	return fold(s.hi, s.lo+(a.lo+b.lo))
}

func (a pair) times(b pair) pair {
	p := times(a.hi, b.hi)
	return fold(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a pair) over(b float64) pair {
	q := a.hi / b
	p := times(q, b)
	return fold(q, ((a.hi-p.hi)-p.lo+a.lo)/b)
}

// Constants of which the second float holds what the first leaves out.
var (
	oneByLn2 = pair{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}
	oneByL10 = pair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}
)

// polynomial returns c[0] + c[1] x + c[2] x² + ...
func polynomial(x float64, c []float64) float64 {
	y := 0.0
	for k := len(c) - 1; k >= 0; k-- {
		y = float64(y*x) + c[k]
	}
	return y
}
