package exact

import "math/bits"

// Whole is a whole number from 0 to 2^128 - 1: its higher and lower 64 bits. Sums of places on a grid are such, and of
// their products.
type Whole [2]uint64

// Plus returns the sum, which fits.
func (a Whole) Plus(b Whole) Whole {
	low, over := bits.Add64(a[1], b[1], 0)
	high, _ := bits.Add64(a[0], b[0], over)
	return Whole{high, low}
}

// PlusProduct returns a + x y, which fits.
func (a Whole) PlusProduct(x, y uint64) Whole {
	high, low := bits.Mul64(x, y)
	return a.Plus(Whole{high, low})
}

// Float64 returns the nearest float, or the one beside it.
func (a Whole) Float64() float64 { return float64(a[0])*(1<<64) + float64(a[1]) }

// Dot returns the sum of the products of two lists of one length, which fits. Cost: 1 ns each.
func Dot(a, b []uint64) Whole {
	var high, low uint64
	b = b[:len(a)]
	for i, x := range a {
		h, l := bits.Mul64(x, b[i])
		var over uint64
		low, over = bits.Add64(low, l, 0)
		high, _ = bits.Add64(high, h, over)
	}
	return Whole{high, low}
}

// Deviation returns the sum of the products of the deviations of n pairs of places from their means, from the sums x
// and y of the places and that of their products: products - x y / n. Each of n products and x y is below 2^191.
func Deviation(n uint64, products, x, y Whole) float64 {
	d := products.times(Whole{0, n}).minus(x.times(y))
	sign := 1.0
	if d[0]>>63 != 0 {
		d, sign = wide{}.minus(d), -1
	}
	return sign * (float64(d[0])*(1<<64)*(1<<64) + (float64(d[1])*(1<<64) + float64(d[2]))) / float64(n)
}

// wide is a whole number of 192 bits, highest first.
type wide [3]uint64

func (a wide) minus(b wide) wide {
	low, under := bits.Sub64(a[2], b[2], 0)
	mid, under := bits.Sub64(a[1], b[1], under)
	high, _ := bits.Sub64(a[0], b[0], under)
	return wide{high, mid, low}
}

// times returns the product, which fits.
func (a Whole) times(b Whole) wide {
	high, low := bits.Mul64(a[1], b[1])
	h1, l1 := bits.Mul64(a[0], b[1])
	h2, l2 := bits.Mul64(a[1], b[0])
	mid, over := bits.Add64(high, l1, 0)
	top := h1 + over
	mid, over = bits.Add64(mid, l2, 0)
	return wide{top + h2 + over + a[0]*b[0], mid, low}
}
