package pair

import (
	"cmp"
	"math"
)

// Logarithms works out x ln x of shared counts (Lindell & Pinkas 2002, section 5): x is 2^n (1 + e) with the nearest
// power of two, so that e is -1/4 to 1/2; ln x is n ln 2 and a Taylor series in e. What they compute by a garbled
// circuit and oblivious polynomial evaluation is computed here on shares.
type Logarithms struct {
	Places int // counts are below 2^Places, 1 to 24
	Terms  int // of the series; 0: Terms
}

// Terms is how many terms the series has: the error of ln x is at most 1.5e-4, at e = 1/2. Fewer change which of two
// attributes with nearly the same entropy is chosen.
const Terms = 8

// Fixed is how many binary places results have behind the point.
func (l Logarithms) Fixed() int { return max(16, l.Places) }

// Of returns shares of x ln x, in units of 2^-Fixed; 0 of 0. Cost: some 2,000 transfers for each, 50 kB; 60 rounds.
func (l Logarithms) Of(c *Pair, x []uint64) ([]uint64, error) {
	if len(x) == 0 {
		return nil, nil
	}
	ln, _, err := l.logarithms(c, x)
	if err != nil {
		return nil, err
	}
	return c.Product(ln, x)
}

// Factorials returns shares of 2 ln x!, in units of 2^-Fixed, by Stirling's formula: (2x+1) ln x - 2x + ln 2 pi, and
// what it lacks, for which the nearest power of two is enough: see lacking. 0 of 0. Cost: that of Of.
func (l Logarithms) Factorials(c *Pair, x []uint64) ([]uint64, error) {
	if len(x) == 0 {
		return nil, nil
	}
	ln, power, err := l.logarithms(c, x)
	if err != nil {
		return nil, err
	}
	out, err := c.Product(ln, x)
	if err != nil {
		return nil, err
	}
	one := uint64(1) << l.Fixed()
	for i := range out {
		out[i] = 2*(out[i]-x[i]*one) + ln[i]
	}
	for n := range power {
		constant := uint64(int64(math.Round(float64((ln2Pi + lacking(n)) * float64(one)))))
		for i, p := range power[n] {
			out[i] += p * constant
		}
	}
	return out, nil
}

const ln2Pi = 1.8378770664093453

// lacking is how much 2 ln x! is above Stirling's formula where 2^n is the power nearest to x: of 1 and 2, which are
// alone, exactly, and else the middle of 1/(6x) from the least such x to the largest. That is right to 0.012 of 3 to 5,
// and to half as much of each next power.
func lacking(n int) float64 {
	switch n {
	case 0:
		return 2 - ln2Pi
	case 1:
		return 4 - 3*math.Ln2 - ln2Pi
	}
	least := float64(int64(3) << (n - 2))
	return (1/least + 1/(2*least-1)) / 12
}

// logarithms returns shares of ln x, in units of 2^-Fixed and 0 of 0, and of the powers of two nearest to x.
func (l Logarithms) logarithms(c *Pair, x []uint64) (ln []uint64, power [][]uint64, err error) {
	power, err = l.nearest(c, x)
	if err != nil {
		return nil, nil, err
	}
	one := uint64(1) << l.Fixed()
	scale, e := make([]uint64, len(x)), make([]uint64, len(x))
	ln = make([]uint64, len(x))
	for n := range power {
		multiple := uint64(int64(math.Round(float64(float64(n) * math.Ln2 * float64(one)))))
		for i, p := range power[n] {
			scale[i] += p << (l.Fixed() - n)
			e[i] -= p * one // nothing where x is 0
			ln[i] += p * multiple
		}
	}
	shifted, err := c.Product(scale, x)
	if err != nil {
		return nil, nil, err
	}
	for i := range e {
		e[i] += shifted[i]
	}
	series, err := l.series(c, e)
	if err != nil {
		return nil, nil, err
	}
	for i := range ln {
		ln[i] += series[i]
	}
	return ln, power, nil
}

// series is ln(1 + e) by Horner's rule.
func (l Logarithms) series(c *Pair, e []uint64) (t []uint64, err error) {
	one := float64(uint64(1) << l.Fixed())
	t = make([]uint64, len(e))
	for k := cmp.Or(l.Terms, Terms); k >= 1; k-- {
		if c.first() {
			term := math.Round(one / float64(k))
			if k%2 == 0 {
				term = -term
			}
			for i := range t {
				t[i] += uint64(int64(term))
			}
		}
		if t, err = c.Product(t, e); err != nil {
			return nil, err
		}
		c.cut(t, l.Fixed())
	}
	return t, nil
}

// cut drops binary places of shared numbers, without a message: the result is right but for the last place, except
// with a chance of the number's size over 2^63 (Mohassel & Zhang 2017): below 2^-30 for what is below 2^33.
func (c *Pair) cut(x []uint64, places int) {
	for i := range x {
		if c.first() {
			x[i] >>= places
		} else {
			x[i] = -(-x[i] >> places)
		}
	}
}

// nearest returns, by n from 0 to Places, shared numbers that are 1 where 2^n is the nearest power of two; none is
// where x is 0.
func (l Logarithms) nearest(c *Pair, x []uint64) ([][]uint64, error) {
	bits, err := c.bitsOf(x, l.Places)
	if err != nil {
		return nil, err
	}
	width := len(bits[0])
	top, err := c.above(bits)
	if err != nil {
		return nil, err
	}
	for j := range top[:len(top)-1] { // the highest place alone
		for w := range top[j] {
			top[j][w] ^= top[j+1][w]
		}
	}
	var left, right []uint64
	for j := 1; j < l.Places; j++ {
		left, right = append(left, top[j]...), append(right, bits[j-1]...)
	}
	up, err := c.And(left, right) // at least half of the way to the next power
	if err != nil {
		return nil, err
	}
	power := make([][]uint64, l.Places+1)
	power[l.Places] = make([]uint64, width)
	copy(power, top)
	for j := 1; j < l.Places; j++ {
		for w, b := range up[(j-1)*width : j*width] {
			power[j][w] ^= b
			power[j+1][w] ^= b
		}
	}
	n := 64 * width
	var all []uint64
	for _, p := range power {
		all = append(all, p...)
	}
	numbers, err := c.Numbers(all, n*len(power))
	if err != nil {
		return nil, err
	}
	out := make([][]uint64, len(power))
	for j := range out {
		out[j] = numbers[j*n : j*n+len(x)]
	}
	return out, nil
}

// bitsOf returns shares of the lowest places of shared numbers, packed, by place: the shares are added by carries that
// run ahead (Kogge & Stone 1973).
func (c *Pair) bitsOf(x []uint64, places int) ([][]uint64, error) {
	mine := planes(x)[:places]
	width := len(mine[0])
	zero := make([]uint64, width)
	var left, right, through []uint64
	for _, plane := range mine {
		if c.first() {
			left, right = append(left, plane...), append(right, zero...)
		} else {
			left, right = append(left, zero...), append(right, plane...)
		}
		through = append(through, plane...)
	}
	carry, err := c.And(left, right)
	if err != nil {
		return nil, err
	}
	for d := 1; d < places; d *= 2 {
		head, n := d*width, (places-d)*width
		left := append(append([]uint64(nil), through[head:]...), through[head:]...)
		right := append(append([]uint64(nil), carry[:n]...), through[:n]...)
		both, err := c.And(left, right)
		if err != nil {
			return nil, err
		}
		for i := range n {
			carry[head+i] ^= both[i]
		}
		copy(through[head:], both[n:])
	}
	out := make([][]uint64, places)
	for j := range out {
		out[j] = mine[j]
		if j > 0 {
			for w := range out[j] {
				out[j][w] ^= carry[(j-1)*width+w]
			}
		}
	}
	return out, nil
}

// above returns shares of the bits that say whether any place from j on is set.
func (c *Pair) above(bits [][]uint64) ([][]uint64, error) {
	width, places := len(bits[0]), len(bits)
	var all []uint64
	for _, b := range bits {
		all = append(all, b...)
	}
	for d := 1; d < places; d *= 2 {
		n := (places - d) * width
		both, err := c.And(all[:n], all[d*width:])
		if err != nil {
			return nil, err
		}
		next := append([]uint64(nil), all...)
		for i := range n {
			next[i] = all[i] ^ all[d*width+i] ^ both[i]
		}
		all = next
	}
	out := make([][]uint64, places)
	for j := range out {
		out[j] = all[j*width : (j+1)*width]
	}
	return out, nil
}

// Reached tells both parties which shared numbers are at least public ones.
func (c *Pair) Reached(x, least []uint64) ([]bool, error) {
	d := make([]uint64, len(x))
	for i := range d {
		if d[i] = x[i]; c.first() {
			d[i] -= least[i]
		}
	}
	below, err := c.Negative(d)
	if err != nil {
		return nil, err
	}
	if below, err = c.OpenBits(below); err != nil {
		return nil, err
	}
	out := make([]bool, len(x))
	for i := range out {
		out[i] = below[i/64]>>(i%64)&1 == 0
	}
	return out, nil
}
