package bore

import (
	"math/big"
	"strconv"
)

// Share returns part/whole of n things, rounded up. The part, from 0 to the whole, is taken as the decimal that it is
// written as: 7 of 100 in 100 are 7, not the 8 that binary fractions make of 0.07 times 100.
func Share(part float64, whole, n int) int {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(part, 'g', -1, 64))
	if !ok {
		return 0 // not a finite number
	}
	r.Mul(r, big.NewRat(int64(n), int64(whole)))
	up := new(big.Int).Add(r.Num(), r.Denom())
	up.Sub(up, big.NewInt(1))
	return int(up.Quo(up, r.Denom()).Int64())
}
