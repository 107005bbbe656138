package rulehiding

import (
	"errors"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/dither-data/dither/internal/mining/itemset"
)

// Share is an exact fraction: what a support or a confidence is held against. The zero value is 0.
type Share struct{ num, den uint64 }

// ParseShare reads a fraction such as 1/5 or 0.2, of at least 0.
func ParseShare(text string) (Share, error) {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return Share{}, errors.New("expected a fraction such as 1/5 or 0.2")
	}
	return shareOf(r)
}

// ShareOf is the fraction that a number is written as: 0.1 is 1/10.
func ShareOf(v float64) (Share, error) { return ParseShare(strconv.FormatFloat(v, 'g', -1, 64)) }

func shareOf(r *big.Rat) (Share, error) {
	if r.Sign() <= 0 {
		return Share{}, nil // nothing is below it
	}
	if !r.Num().IsUint64() || !r.Denom().IsUint64() {
		return Share{}, errors.New("the fraction has too many digits")
	}
	return Share{r.Num().Uint64(), r.Denom().Uint64()}, nil
}

func (s Share) rat() *big.Rat {
	if s.den == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(s.num), new(big.Int).SetUint64(s.den))
}

// Minus is the share less another, at least 0.
func (s Share) Minus(o Share) (Share, error) { return shareOf(new(big.Rat).Sub(s.rat(), o.rat())) }

// Above reports whether k of n are fewer than the share, exactly.
func (s Share) Above(k, n int) bool {
	if s.den == 0 {
		return false
	}
	hi, lo := bits.Mul64(uint64(k), s.den)
	most, rest := bits.Mul64(s.num, uint64(n))
	return hi < most || hi == most && lo < rest
}

// Of returns the least k with k of n not below the share: ceil(n share).
func (s Share) Of(n int) int {
	if s.den == 0 {
		return 0
	}
	x := new(big.Int).Mul(new(big.Int).SetUint64(s.num), big.NewInt(int64(n)))
	x, rest := x.QuoRem(x, new(big.Int).SetUint64(s.den), new(big.Int))
	if rest.Sign() > 0 {
		x.Add(x, big.NewInt(1))
	}
	return int(x.Int64())
}

// Limits are what hides a pattern: a support or a confidence below them. The margin is taken off already.
type Limits struct {
	Support    Share // s = MST - SM
	Confidence Share // c = MCT - SM
	Least      int   // records that a frequent itemset of the original has: ceil(MST n)
}

// NewLimits returns the limits for n transactions. A support of 1 or more is a number of transactions.
func NewLimits(support, confidence, margin float64, n int) (l Limits, err error) {
	mst, err := ShareOf(support)
	if err == nil && support >= 1 {
		mst = Share{uint64(support), uint64(max(1, n))}
	}
	if err != nil {
		return l, err
	}
	mct, err := ShareOf(confidence)
	if err != nil {
		return l, err
	}
	sm, err := ShareOf(margin)
	if err != nil {
		return l, err
	}
	l.Least = itemset.Least(support, n)
	if l.Support, err = mst.Minus(sm); err == nil {
		l.Confidence, err = mct.Minus(sm)
	}
	return l, err
}
