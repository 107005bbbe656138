package confidence

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// ClopperPearson returns the one-sided bounds, each at a level such as 0.95, of the rate of success behind x successes
// among n independent trials (Clopper & Pearson 1934): hi is the rate at which so few successes have the chance
// 1-level, lo the one at which so many have it. Both hold together at the level 2*level-1. Without trials they are 0
// and 1.
//
// Successes may be fractional, as where a guess among t equals counts 1/t: the beta law that has the bounds is defined
// for them, it rises with x, and a sum of such credits varies no more than that of successes with the same mean, so the
// bounds hold at the level or above it but for the interpolation between the neighbouring whole numbers.
func ClopperPearson(x, n, level float64) (lo, hi float64) {
	lo, hi = 0, 1
	if x = min(max(x, 0), n); x > 0 {
		lo = portable.BetaQuantile(x, n-x+1, 1-level)
	}
	if x < n {
		hi = portable.BetaQuantile(x+1, n-x, level)
	}
	if n > 0 { // rounding must not put a bound on the wrong side of the share
		lo, hi = min(lo, x/n), max(hi, x/n)
	}
	return lo, hi
}

// MoreIfNoneSucceed returns the least number of further trials, all without success, after which the upper bound of x
// successes among n is at most a limit in (0, 1); 0 when it is already. A limit outside gives -1: no number of trials
// proves it.
func MoreIfNoneSucceed(x, n, level, limit float64) int {
	if !(limit > 0 && limit < 1) {
		return -1
	}
	enough := func(more float64) bool {
		_, hi := ClopperPearson(x, n+more, level)
		return hi <= limit
	}
	if n := least(enough); n > 0 || enough(0) {
		return n
	}
	return -1
}

// MoreToDecide returns the least number of further trials after which one of the bounds decides, if they succeed as
// often as x among n did: the upper one that the rate is at most a limit, which is then kept, or the lower one that it
// is above. It is 0 where they decide already, or never: the rate is the limit, or so close that it takes more than
// math.MaxInt32, or there was no trial.
func MoreToDecide(x, n, level, limit float64) (more int, kept bool) {
	if kept = x/n < limit; n <= 0 || x/n == limit {
		return 0, false
	}
	enough := func(more float64) bool {
		lo, hi := ClopperPearson(float64(x/n*(n+more)), n+more, level)
		return hi <= limit || lo > limit
	}
	return least(enough), kept
}

// least returns the least whole number that is enough, where all larger ones are, too; 0 where that is beyond
// math.MaxInt32.
func least(enough func(float64) bool) int {
	if enough(0) {
		return 0
	}
	lo, hi := 0.0, 1.0 // not enough, and perhaps
	for !enough(hi) {
		if lo, hi = hi, 2*hi; hi > math.MaxInt32 {
			return 0
		}
	}
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return int(hi)
}
