package wrap

import "math"

// NoiseKernel is the law of noise that is rounded to whole steps of a domain and wrapped inside it (Islam 2007,
// sections 5.2, 5.3 and 8.1). Mean and standard deviation are in steps. Two kernels are equal when they are the same
// law.
type NoiseKernel struct {
	Domain Domain
	Shape  Shape
	Mean   float64
	SD     float64
	// Unit is how many steps of the domain P counts as one value; 0 is 1. A part of a continuous domain has an implied
	// grid finer than the whole's: in steps of the whole, the laws of all parts are densities by one measure, and sum to 1
	// over the whole's grid.
	Unit float64
}

// P returns the probability that x is released as y, the sum over all wraps; 0 for a y outside the domain, and for NaN.
// An x outside counts as the nearest end. Where the domain has one value, or there is no noise, Unit does not count.
// Cost: O(1 + SD/size), about 40 ns.
func (k NoiseKernel) P(x, y float64) float64 {
	d := &k.Domain
	if y != y || d.size == 0 || !d.Contains(y) {
		return 0
	}
	from := min(max(d.position(x), d.lo), d.hi)
	return k.moved(math.Mod(d.position(y)-from+d.size, d.size))
}

// Tabled is a NoiseKernel whose moves are worked out once, for who asks it of many pairs of values. Its probabilities
// are the same to the last bit.
type Tabled struct {
	kernel NoiseKernel
	moves  []float64
}

// Tabled works out the probabilities of all moves within the domain. Cost: those of Size calls of P.
func (k NoiseKernel) Tabled() *Tabled {
	t := &Tabled{kernel: k, moves: make([]float64, int(k.Domain.size))}
	for m := range t.moves {
		t.moves[m] = k.moved(float64(m))
	}
	return t
}

// P returns what that of the kernel returns.
func (t *Tabled) P(x, y float64) float64 {
	d := &t.kernel.Domain
	if y != y || !d.Contains(y) {
		return 0
	}
	move := d.position(y) - min(max(d.position(x), d.lo), d.hi)
	if move < 0 {
		move += d.size
	}
	return t.moves[int(move)]
}

// moved returns the probability of a move of so many steps up, 0 to size-1.
func (k NoiseKernel) moved(move float64) float64 {
	switch {
	case k.Domain.size == 1:
		return 1
	case k.SD > 0:
		return float64(k.wrapped(move) * max(k.Unit, 1))
	case move == mod(math.RoundToEven(k.Mean), k.Domain.size):
		return 1
	}
	return 0
}

// wrapped returns the probability of a move of so many steps up, 0 to size-1, over all wraps.
func (k NoiseKernel) wrapped(move float64) float64 {
	p := 0.0
	if k.Mean != 0 { // seen from the mean
		move = mod(move-k.Mean, k.Domain.size)
	}
	turns := math.Ceil(k.Shape.reach() * k.SD / k.Domain.size)
	for t := -turns - 1; t <= turns; t++ {
		p += k.step(move + float64(t*k.Domain.size))
	}
	return p
}

// mod returns x modulo n, in [0, n).
func mod(x, n float64) float64 {
	x = math.Mod(x, n)
	if x < 0 {
		x += n
	}
	return x
}

// wide is the standard deviation from which the density stands for the probability of a step: they differ by less than
// 1 in 24 wide^2.
const wide = 1000

// step returns the probability that the rounded noise is z steps from its mean.
func (k NoiseKernel) step(z float64) float64 {
	if k.SD >= wide {
		return k.Shape.density(z/k.SD, k.SD)
	}
	z = math.Abs(z)
	if z > float64((k.Shape.reach()+1)*k.SD)+1 {
		return 0
	}
	return k.Shape.above((z-0.5)/k.SD) - k.Shape.above((z+0.5)/k.SD)
}

// UniformKernel is the law of whole steps of noise that are uniform on -(n-1)..n-1 and wrapped on the n values of a
// domain (Islam 2007, section 5.4).
type UniformKernel struct{ Domain Domain }

// P returns the probability that x is released as y; 0 for a y outside the domain, and for NaN.
func (k UniformKernel) P(x, y float64) float64 {
	d := &k.Domain
	if y != y || d.size == 0 || !d.Contains(y) {
		return 0
	}
	if min(max(d.position(x), d.lo), d.hi) == d.position(y) {
		return 1 / (2*d.size - 1)
	}
	return 2 / (2*d.size - 1)
}
