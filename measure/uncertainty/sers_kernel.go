package uncertainty

import (
	"math"
	"math/bits"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
)

// block is how many released records are compared at a time: their similarities stay in the nearest cache.
const block = 1024

// target compares one original record at a time with all released ones.
type target struct {
	*comparison
	tables []*[limit]float64 // by dictionary: the similarity of every joined value
	spare  [limit]float64
	lines  []line // those that the record has a value of; the near ones first
	near   int    // how many lines are near
	x      []float64
	has    []uint64 // the columns that the record has a value of, a bit each
	sim    [block]float64
}

func (c *comparison) target() *target {
	t := &target{comparison: c}
	for range c.dictionaries {
		t.tables = append(t.tables, new([limit]float64))
	}
	return t
}

// entropy returns the entropy of the normalised similarities of original record i, in bits (Fletcher & Islam 2015, eq.
// 7-8). With T the sum of all S, - sum (S/T) log2 (S/T) = log2 T - (sum S log2 S)/T. Where all S are 0 nothing tells
// the released records apart: their number has the entropy.
func (t *target) entropy(i int) float64 {
	t.set(i)
	var allS, allLogs exact.Sum
	for lo := 0; lo < t.released; lo += block {
		hi := min(lo+block, t.released)
		sim := t.sim[:hi-lo]
		t.compare(sim, lo)
		if t.presence == nil {
			average(sim, 1/float64(t.columns))
		} else {
			t.averageKnown(sim, lo)
		}
		s, l := sums(sim)
		allS.Add(s)
		allLogs.Add(l)
	}
	total, logs := allS.Float64(), allLogs.Float64()
	if total <= 0 {
		return portable.Log2(float64(t.released))
	}
	return max(0, portable.Log2(total)-logs/total)
}

// set prepares original record i.
func (t *target) set(i int) {
	for d := range t.dictionaries {
		t.dictionaries[d].tabulate(i, t.tables[d], &t.spare)
	}
	t.lines, t.x = t.lines[:0], t.x[:0]
	for _, near := range []bool{true, false} {
		for _, l := range t.comparison.lines {
			if x := l.original[i]; l.near == near && x == x {
				t.lines, t.x = append(t.lines, l), append(t.x, x)
			}
		}
		if near {
			t.near = len(t.lines)
		}
	}
	if t.presence != nil {
		t.has = t.presence.original(i, t.has)
	}
}

// compare sums the similarities of the columns, for the released records from lo on.
func (t *target) compare(sim []float64, lo int) {
	hi := lo + len(sim)
	fill(sim, float64(t.near))
	k := 0
	for ; k+1 < t.near; k += 2 {
		subtractDistances(sim, t.x[k], t.x[k+1], t.lines[k].released[lo:hi], t.lines[k+1].released[lo:hi])
	}
	if k < t.near {
		subtractDistance(sim, t.x[k], t.lines[k].released[lo:hi])
	}
	for k = t.near; k < len(t.lines); k++ {
		addSimilarity(sim, t.x[k], t.lines[k].released[lo:hi])
	}
	d := 0
	for ; d+1 < len(t.tables); d += 2 {
		lookUp2(sim, t.tables[d], t.tables[d+1], t.dictionaries[d].codes[lo:hi], t.dictionaries[d+1].codes[lo:hi])
	}
	if d < len(t.tables) {
		lookUp(sim, t.tables[d], t.dictionaries[d].codes[lo:hi])
	}
}

func fill(sim []float64, v float64) {
	for k := range sim {
		sim[k] = v
	}
}

func subtractDistance(sim []float64, x float64, y []float64) {
	y = y[:len(sim)]
	for k := range sim {
		sim[k] -= math.Abs(x - y[k])
	}
}

func subtractDistances(sim []float64, x, u float64, y, v []float64) {
	y, v = y[:len(sim)], v[:len(sim)]
	for k := range sim {
		sim[k] -= math.Abs(x-y[k]) + math.Abs(u-v[k])
	}
}

// addSimilarity adds 1 - |x-y| where that is positive; a missing y adds nothing.
func addSimilarity(sim []float64, x float64, y []float64) {
	y = y[:len(sim)]
	for k := range sim {
		if d := math.Abs(x - y[k]); d < 1 {
			sim[k] += 1 - d
		}
	}
}

func lookUp(sim []float64, t *[limit]float64, codes []uint16) {
	codes = codes[:len(sim)]
	for k := range sim {
		sim[k] += t[codes[k]%limit]
	}
}

func lookUp2(sim []float64, t, u *[limit]float64, codes, codes2 []uint16) {
	codes, codes2 = codes[:len(sim)], codes2[:len(sim)]
	for k := range sim {
		sim[k] += t[codes[k]%limit] + u[codes2[k]%limit]
	}
}

func average(sim []float64, scale float64) {
	for k := range sim {
		sim[k] = float64(sim[k] * scale)
	}
}

// averageKnown divides by the number of columns that both records have a value of; a pair without any is fully similar.
func (t *target) averageKnown(sim []float64, lo int) {
	words := len(t.has)
	for k := range sim {
		known := t.presence.always
		for w, has := range t.presence.released[(lo+k)*words:][:words] {
			known += bits.OnesCount64(has & t.has[w])
		}
		if known == 0 {
			sim[k] = 1
		} else {
			sim[k] = float64(sim[k] * t.presence.inverse[known])
		}
	}
}

// fine is the number of steps in 1 that similarities are rounded to, so that floats hold the sums of a block exactly.
const fine = 1 << 53 / block

// sums returns the sums of S and of S log2 S, which are at most 1 in size, each rounded to the grid of fine.
func sums(sim []float64) (total, logs float64) {
	var t, l int64
	for _, s := range sim {
		t += int64(s * fine)
		l += int64(xlog2x(s) * fine)
	}
	return float64(t) / fine, float64(l) / fine
}
