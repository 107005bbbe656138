package criterion

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Logarithms of weights take most of the time in which a tree is grown on data with missing values, where weights are
// seldom whole.

// pieces is the number of equal parts of [1, 2) that the logarithm is expanded in.
const (
	pieceBits = 8
	pieces    = 1 << pieceBits
)

// inverse is about 1/c of the middle c of each part, and logs what is then the logarithm of c.
var inverse, logs = func() (inv, l [pieces]float64) {
	for i := range inv {
		inv[i] = 1 / (1 + (float64(i)+0.5)/pieces)
		l[i] = -portable.Log2(inv[i])
	}
	return inv, l
}()

// log2 returns the binary logarithm of a normal x > 0, to an error of 2^-51 beside the rounding of the result. x is 2^e
// c (1+r) with |r| at most 2^-9, and the series of log(1+r) ends with r^5. The conversions keep products from being
// fused with sums: every machine gives the same bits.
func log2(x float64) float64 {
	bits := math.Float64bits(x)
	i := bits >> (52 - pieceBits) % pieces
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	r := float64(m*inverse[i]) - 1
	s := float64(r*0.2) - 0.25
	s = float64(r*s) + 1.0/3
	s = float64(r*s) - 0.5
	s = float64(r*s) + 1
	return float64(int(bits>>52)-1023) + (logs[i] + float64(float64(r*math.Log2E)*s))
}
