package hide

import "math/big"

// Needed is how many changes hide a rule, by either way; -1 where no number of them does.
type Needed struct{ ByConfidence, BySupport int }

// Least returns the smaller number, -1 where neither way hides the rule.
func (n Needed) Least() int {
	if n.ByConfidence < 0 || n.BySupport >= 0 && n.BySupport < n.ByConfidence {
		return n.BySupport
	}
	return n.ByConfidence
}

// Change is what one change does to the counts of a rule.
type Change struct{ Both, With int } // -1, 0 or 1 each

// Changes that hide rules.
var (
	AddBeginning    = Change{With: 1}            // 1.a, and CR2 for the counts that may be
	DeleteEnd       = Change{Both: -1}           // 1.b, 2.a of an item of the end, and CR
	DeleteBeginning = Change{Both: -1, With: -1} // 2.a of an item of the beginning
)

// NeededFor returns how many changes of a kind hide a rule, by exact arithmetic: the least k with which both + k change is below the share of with + k change, or of n. One that works by the
// support alone has no use for the confidence. Whether enough transactions are there is not asked.
func NeededFor(n, with, both int, support, confidence Share, change Change, supportAlone bool) Needed {
	out := Needed{-1, -1}
	if change.Both < 0 && support.num > 0 {
		// both - k < s n
		out.BySupport = above(new(big.Rat).Sub(whole(both), new(big.Rat).Mul(support.rat(), whole(n))), big.NewRat(1, 1))
	}
	if c := confidence.rat(); !supportAlone && confidence.num > 0 {
		// both + k b < c (with + k w): k (c w - b) > both - c with
		short := new(big.Rat).Sub(whole(both), new(big.Rat).Mul(c, whole(with)))
		speed := new(big.Rat).Sub(new(big.Rat).Mul(c, whole(change.With)), whole(change.Both))
		out.ByConfidence = above(short, speed)
	}
	return out
}

func whole(n int) *big.Rat { return new(big.Rat).SetInt64(int64(n)) }

// above returns the least k >= 0 with k speed > short; -1 where there is none.
func above(short, speed *big.Rat) int {
	if short.Sign() < 0 {
		return 0
	}
	if speed.Sign() <= 0 {
		return -1
	}
	q := new(big.Rat).Quo(short, speed)
	k := new(big.Int).Quo(q.Num(), q.Denom())
	return int(k.Int64()) + 1
}
