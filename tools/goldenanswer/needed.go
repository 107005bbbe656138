package main

import "math/big"

// needed is how many changes hide a rule, by either way; -1 where no number of them does.
type needed struct{ byConfidence, bySupport int }

// least returns the smaller number, -1 where neither way hides the rule.
func (n needed) least() int {
	if n.byConfidence < 0 || n.bySupport >= 0 && n.bySupport < n.byConfidence {
		return n.bySupport
	}
	return n.byConfidence
}

// change is what one change does to the counts of a rule.
type change struct{ both, with int } // -1, 0 or 1 each

// Changes that hide rules.
var (
	addBeginning    = change{with: 1}            // 1.a, and CR2 for the counts that may be
	deleteEnd       = change{both: -1}           // 1.b, 2.a of an item of the end, and CR
	deleteBeginning = change{both: -1, with: -1} // 2.a of an item of the beginning
)

// neededFor returns how many changes of a kind hide a rule that so many of n transactions have, and its beginning, by
// exact arithmetic: the least k with which both + k change is below the share of with + k change, or of n. One that
// works by the support alone has no use for the confidence. Whether enough transactions are there is not asked.
func neededFor(n, with, both int, support, confidence *big.Rat, c change, supportAlone bool) needed {
	out := needed{-1, -1}
	if c.both < 0 && support.Sign() > 0 {
		// both - k < s n
		out.bySupport = above(new(big.Rat).Sub(whole(both), new(big.Rat).Mul(support, whole(n))), big.NewRat(1, 1))
	}
	if !supportAlone && confidence.Sign() > 0 {
		// both + k b < c (with + k w): k (c w - b) > both - c with
		short := new(big.Rat).Sub(whole(both), new(big.Rat).Mul(confidence, whole(with)))
		speed := new(big.Rat).Sub(new(big.Rat).Mul(confidence, whole(c.with)), whole(c.both))
		out.byConfidence = above(short, speed)
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
