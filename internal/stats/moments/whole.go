package moments

import "math/bits"

// uint128 is a whole number: its higher and lower 64 bits.
type uint128 [2]uint64

func (a uint128) plus(b uint128) uint128 {
	low, over := bits.Add64(a[1], b[1], 0)
	high, _ := bits.Add64(a[0], b[0], over)
	return uint128{high, low}
}

func (a uint128) float() float64 { return float64(a[0])*(1<<64) + float64(a[1]) }

// uint192 is a whole number, highest bits first.
type uint192 [3]uint64

func (a uint192) minus(b uint192) uint192 {
	low, under := bits.Sub64(a[2], b[2], 0)
	mid, under := bits.Sub64(a[1], b[1], under)
	high, _ := bits.Sub64(a[0], b[0], under)
	return uint192{high, mid, low}
}

// times returns the product of two numbers whose product fits.
func (a uint128) times(b uint128) uint192 {
	high, low := bits.Mul64(a[1], b[1])
	h1, l1 := bits.Mul64(a[0], b[1])
	h2, l2 := bits.Mul64(a[1], b[0])
	mid, over := bits.Add64(high, l1, 0)
	top := h1 + over
	mid, over = bits.Add64(mid, l2, 0)
	return uint192{top + h2 + over + a[0]*b[0], mid, low}
}

// deviation returns n p - x y, of either sign, where the size of each product is below 2^191.
func deviation(n uint64, p, x, y uint128) float64 {
	d := p.times(uint128{0, n}).minus(x.times(y))
	sign := 1.0
	if d[0]>>63 != 0 {
		d, sign = uint192{}.minus(d), -1
	}
	return sign * (float64(d[0])*(1<<64)*(1<<64) + (float64(d[1])*(1<<64) + float64(d[2])))
}
