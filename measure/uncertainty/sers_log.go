package uncertainty

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// The logarithm of a number m 2^e, 1 <= m < 2, is e + log2(c) + log2(1+r), where c is the middle of the cell that the
// first cellBits bits of m name and r = m/c - 1 is at most 2^-9 in size. Three terms of the series of log2(1+r) leave
// an error below 2^-36/(4 ln 2) < 6e-12 bits. An entropy, being a mean of such logarithms, has at most twice that
// error.
const (
	cellBits = 8
	mantissa = 52
	bias     = 1023
)

// logs holds, by cell, 1/c and log2(c).
var logs = func() (t [1 << cellBits]struct{ inverse, log float64 }) {
	for i := range t {
		c := 1 + (float64(i)+0.5)/float64(len(t))
		t[i].inverse, t[i].log = 1/c, portable.Log2(c)
	}
	return t
}()

// xlog2x returns s log2 s within 6e-12 s, for 0 <= s <= 1; 0 for 0. A rounding error below zero, or above one, gives
// another.
func xlog2x(s float64) float64 {
	u := math.Float64bits(s)
	c := &logs[u>>(mantissa-cellBits)%(1<<cellBits)]
	r := float64(math.Float64frombits(u&(1<<mantissa-1)|bias<<mantissa)*c.inverse) - 1
	e := float64(int32(u>>mantissa&0x7ff) - bias)
	return float64(s * (e + c.log + float64(r*(1/math.Ln2+float64(r*(-1/(2*math.Ln2)+float64(r*(1/(3*math.Ln2)))))))))
}
