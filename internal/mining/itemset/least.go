package itemset

import (
	"math/big"
	"strconv"
)

// Least returns ceil(support times records) without a rounding error, for a support below 1, else the support rounded
// up; 1 at least.
func Least(support float64, records int) int {
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(support, 'g', -1, 64))
	if support < 1 {
		exact.Mul(exact, new(big.Rat).SetInt64(int64(records)))
	}
	whole, rest := new(big.Int).QuoRem(exact.Num(), exact.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return int(max(1, whole.Int64()))
}
