package pair

import (
	"math"
	"math/bits"

	"github.com/dither-data/dither/joint"
)

// Multiply returns shares of the products of the first party's numbers and the second's, one by one. The second's are
// below 2^places; every place is a transfer, by which the second learns a pad, or the pad and the first's number
// (Gilboa 1999). Cost: a round, 24 bytes for a product and place.
func (c *Pair) Multiply(mine []uint64, places int) ([]uint64, error) {
	n := len(mine)
	if c.first() {
		return c.factors(mine, places)
	}
	choice := make([]uint64, 0, whole(n*places)/64)
	for k := 0; k < n*places; k++ {
		if k%64 == 0 {
			choice = append(choice, 0)
		}
		choice[k/64] |= mine[k/places] >> (k % places) & 1 << (k % 64)
	}
	got, err := c.choose(choice, whole(n*places))
	if err != nil {
		return nil, err
	}
	told, err := c.p.ReceiveWords(c.other, "pair.factors", n*places)
	if err != nil {
		return nil, err
	}
	out := make([]uint64, n)
	for k, d := range told {
		out[k/places] += got[k] + d&-(choice[k/64]>>(k%64)&1)
	}
	return out, nil
}

// factors is the part of the first party.
func (c *Pair) factors(mine []uint64, places int) ([]uint64, error) {
	n := len(mine)
	t, err := c.give(whole(n * places))
	if err != nil {
		return nil, err
	}
	out, tell := make([]uint64, n), make([]uint64, n*places)
	for k := range tell {
		tell[k] = t.zero[k] - t.one[k] + mine[k/places]<<(k%places)
		out[k/places] -= t.zero[k]
	}
	return out, c.p.Send(c.other, "pair.factors", joint.AppendWords(nil, tell))
}

// Dot returns a share of the scalar product of the first party's vector and the second's, whose numbers are below
// 2^places.
func (c *Pair) Dot(mine []uint64, places int) (uint64, error) {
	sum := uint64(0)
	for lo := 0; lo < len(mine); lo += most / places {
		part, err := c.Multiply(mine[lo:min(lo+most/places, len(mine))], places)
		if err != nil {
			return 0, err
		}
		for _, v := range part {
			sum += v
		}
	}
	return sum, nil
}

// Product returns shares of the products of shared numbers, one by one. Cost: two rounds, 3 kB for each.
func (c *Pair) Product(x, y []uint64) ([]uint64, error) {
	left, right := x, y // of the first party's x and the second's y
	if !c.first() {
		left, right = y, x
	}
	a, err := c.Multiply(left, 64)
	if err != nil {
		return nil, err
	}
	b, err := c.Multiply(right, 64) // of the first party's y and the second's x
	if err != nil {
		return nil, err
	}
	for i := range a {
		a[i] += b[i] + x[i]*y[i]
	}
	return a, nil
}

// Numbers turns n shared bits, packed, into shared numbers 0 and 1. Cost: a round, 24 bytes for each.
func (c *Pair) Numbers(x []uint64, n int) ([]uint64, error) {
	mine := make([]uint64, n)
	for i := range mine {
		mine[i] = x[i/64] >> (i % 64) & 1
	}
	both, err := c.Multiply(mine, 1)
	if err != nil {
		return nil, err
	}
	for i := range mine {
		mine[i] -= 2 * both[i]
	}
	return mine, nil
}

// Choose returns shares of y where a shared bit is set, and of x elsewhere. Cost: that of Numbers and Product.
func (c *Pair) Choose(bits, x, y []uint64) ([]uint64, error) {
	set, err := c.Numbers(bits, len(x))
	if err != nil {
		return nil, err
	}
	d := make([]uint64, len(x))
	for i := range d {
		d[i] = y[i] - x[i]
	}
	if d, err = c.Product(set, d); err != nil {
		return nil, err
	}
	for i := range d {
		d[i] += x[i]
	}
	return d, nil
}

// Least returns shares of the place of the smallest of each row of shared numbers, the first of equal ones: rows of
// width numbers below 2^62 and above -2^62. Cost: a tree of comparisons, about width for a row.
func (c *Pair) Least(x []uint64, width int) ([]uint64, error) {
	n := len(x) / width
	at := make([]uint64, len(x)) // places are public at first
	if c.first() {
		for i := range at {
			at[i] = uint64(i % width)
		}
	}
	for ; width > 1; width = (width + 1) / 2 {
		var left, right, leftAt, rightAt []uint64
		for i := range n {
			for k := 0; k+1 < width; k += 2 {
				left, right = append(left, x[i*width+k]), append(right, x[i*width+k+1])
				leftAt, rightAt = append(leftAt, at[i*width+k]), append(rightAt, at[i*width+k+1])
			}
		}
		d := make([]uint64, len(left))
		for k := range d {
			d[k] = right[k] - left[k] // negative: the right one is smaller
		}
		smaller, err := c.Negative(d)
		if err != nil {
			return nil, err
		}
		if left, err = c.Choose(smaller, left, right); err != nil {
			return nil, err
		}
		if leftAt, err = c.Choose(smaller, leftAt, rightAt); err != nil {
			return nil, err
		}
		var nextX, nextAt []uint64
		for i := range n {
			half := width / 2
			nextX, nextAt = append(nextX, left[i*half:(i+1)*half]...), append(nextAt, leftAt[i*half:(i+1)*half]...)
			if width%2 == 1 {
				nextX, nextAt = append(nextX, x[i*width+width-1]), append(nextAt, at[i*width+width-1])
			}
		}
		x, at = nextX, nextAt
	}
	return at, nil
}

// DotIn returns a share of the scalar product of both parties' signed numbers; c is the second's column, as the plan
// has it, which says how many binary places its numbers need.
func (c *Pair) DotIn(mine []uint64, column *joint.Column) (uint64, error) {
	scale := math.Pow10(column.Decimals)
	least := int64(math.Floor(float64(column.Min * scale)))
	places := max(1, bits.Len64(uint64(int64(math.Ceil(float64(column.Max*scale)))-least)))
	if c.first() {
		share, err := c.Dot(mine, places)
		for _, v := range mine {
			share += v * uint64(least)
		}
		return share, err
	}
	above := make([]uint64, len(mine))
	for i, v := range mine {
		above[i] = v - uint64(least)
	}
	return c.Dot(above, places)
}
