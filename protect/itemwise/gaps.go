package itemwise

import (
	"math"

	"github.com/dither-data/dither/rng"
)

// gaps draws how many items that are not there are passed over before one is added, geometric numbers: P(gap >= g) =
// (1-add)^g. It compares whole numbers alone, so that machines agree to the last bit, and takes a word and some 2 ns
// where gaps are shorter than the table.
type gaps struct {
	// the last word of gap k is last[k]; a word beyond them all passes over len(last) items and goes on
	last  []uint64
	guide [1 << 10]int16 // by the first ten bits of a word, the first gap it may have
}

// newGaps prepares draws. Nothing is ever added with probability 0.
func newGaps(add float64) *gaps {
	const most = 1 << 11
	g := &gaps{}
	if add == 0 {
		return g
	}
	below, pass := 0.0, 1.0 // the share of the gaps up to k, and that of those beyond
	for below < 1 && len(g.last) < most {
		below += float64(add * pass)
		pass = float64(pass * (1 - add))
		word := uint64(math.MaxUint64)
		if below < 1 {
			word = uint64(math.Ldexp(below, 64))
		}
		g.last = append(g.last, word)
		if pass == 0 {
			break
		}
	}
	k := 0
	for top := range g.guide {
		for k < len(g.last) && g.last[k] < uint64(top)<<54 {
			k++
		}
		g.guide[top] = int16(k)
	}
	return g
}

// draw returns a gap, or a number from labels on where it is as long.
func (g *gaps) draw(w *rng.Turns, labels int) int {
	if g.last == nil {
		return labels
	}
	for gone := 0; gone < labels; gone += len(g.last) {
		word := w.Next()
		k := int(g.guide[word>>54])
		for k < len(g.last) && word > g.last[k] {
			k++
		}
		if k < len(g.last) {
			return gone + k
		}
	}
	return labels
}
