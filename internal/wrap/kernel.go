package wrap

import "math"

// NormalKernel is the law of normal noise that is rounded to whole steps of a domain and wrapped inside it (Islam 2007, sections 5.2, 5.3
// and 8.1). SD is in steps. Two kernels are equal when they are the same law.
type NormalKernel struct {
	Domain Domain
	SD     float64
}

// P returns the probability that x is released as y, the sum over all wraps; 0 for a y outside the domain, and for NaN. An x outside counts as
// the nearest end. Cost: O(1 + SD/size), about 40 ns.
func (k NormalKernel) P(x, y float64) float64 {
	d := &k.Domain
	if y != y || d.size == 0 || !d.Contains(y) {
		return 0
	}
	if d.size == 1 {
		return 1
	}
	from := min(max(d.position(x), d.lo), d.hi)
	move := math.Mod(d.position(y)-from+d.size, d.size)
	if k.SD == 0 {
		if move == 0 {
			return 1
		}
		return 0
	}
	return k.wrapped(move)
}

// wrapped returns the probability of a move of so many steps up, 0 to size-1, over all wraps.
func (k NormalKernel) wrapped(move float64) float64 {
	p := 0.0
	turns := math.Ceil(reach * k.SD / k.Domain.size)
	for t := -turns - 1; t <= turns; t++ {
		p += k.step(move + t*k.Domain.size)
	}
	return p
}

// wide is the standard deviation from which the density stands for the probability of a step: they differ by less than 1 in 24 wide^2.
const wide = 1000

// step returns the probability that the rounded noise is z steps.
func (k NormalKernel) step(z float64) float64 {
	if k.SD >= wide {
		u := z / k.SD
		return math.Exp(-u*u/2) / (k.SD * math.Sqrt(2*math.Pi))
	}
	z = math.Abs(z)
	if z > (reach+1)*k.SD+1 {
		return 0
	}
	return (math.Erfc((z-0.5)/k.SD/math.Sqrt2) - math.Erfc((z+0.5)/k.SD/math.Sqrt2)) / 2
}

// UniformKernel is the law of whole steps of noise that are uniform on -(n-1)..n-1 and wrapped on the n values of a domain (Islam 2007, section
// 5.4).
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

// exactTable is the largest number of values for which a table holds the probability of every move; knots is how many a larger table
// interpolates between.
const (
	exactTable = 1 << 21
	knots      = 1 << 16
)

// normalTable is a NormalKernel whose law is worked out in advance, by the move in steps.
type normalTable struct {
	NormalKernel
	law  []float64
	step float64 // moves per entry of law; 1 for an exact table
}

// Fast returns the same law with its moves tabulated, for many calls: exact where the domain has up to 2^21 values, else interpolated linearly
// between 2^16 moves, to 1e-6 of its largest value; the kernel itself where that would not do. Cost: about 1 s for the largest table; then about
// 5 ns a call.
func (k NormalKernel) Fast() interface{ P(x, y float64) float64 } {
	n := k.Domain.size
	switch {
	case n < 2 || k.SD == 0:
		return k
	case n <= exactTable:
		return &normalTable{k, k.tabulate(int(n), 1), 1}
	case k.SD >= n/100:
		return &normalTable{k, k.tabulate(knots+1, n/knots), n / knots}
	}
	return k
}

// tabulate returns the law of the moves 0, step, 2 step, ...; it is symmetric, so half of it is worked out.
func (k NormalKernel) tabulate(entries int, step float64) []float64 {
	law := make([]float64, entries)
	n := k.Domain.size
	for e := range law {
		if move := float64(e) * step; move <= n/2 || step != 1 {
			law[e] = k.wrapped(move)
		} else {
			law[e] = law[int(n-move)]
		}
	}
	return law
}

// P returns the probability from the table.
func (k *normalTable) P(x, y float64) float64 {
	d := &k.Domain
	to := d.position(y)
	if !(to >= d.lo && to <= d.hi) {
		return 0
	}
	move := to - min(max(d.position(x), d.lo), d.hi)
	if move < 0 {
		move += d.size
	}
	if k.step == 1 {
		return k.law[int(move)]
	}
	at := move / k.step
	e := min(int(at), knots-1)
	f := at - float64(e)
	return k.law[e]*(1-f) + k.law[e+1]*f
}
