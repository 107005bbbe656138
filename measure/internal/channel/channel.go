// Package channel counts what an attack gains by a channel that others do not use, such as the order of the records: by
// how much it is more often right about people than the same attack without the channel, or than a control.
//
// What an attack does (which column, which way to estimate) is chosen on one half of the people tried and counted on
// the other, so that having tried many ways is no success. The two attacks are compared person by person: Gain tells
// how many more people the one with the channel is right about. Its bounds come from those of the people that only one
// of the two is right about, each at the level 0.975, so that either holds with 95 % (Clopper & Pearson 1934).
package channel

import (
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
)

// Halves deals n people into two halves at random: attacks are chosen on those that are marked, and counted on the
// others.
func Halves(src rng.Source, n int) []bool {
	choosing := make([]bool, n)
	for _, i := range src.Rand().Perm(n)[:n/2] {
		choosing[i] = true
	}
	return choosing
}

// Mean returns the mean credit of the people of one half, and how many were tried; NaN is the credit of one who was
// not.
func Mean(credit []float64, choosing []bool, half bool) (mean float64, tried int) {
	var sum exact.Sum
	for i, c := range credit {
		if choosing[i] == half && c == c {
			sum.Add(c)
			tried++
		}
	}
	return sum.Mean(max(1, tried)), tried
}

// Best returns the attack that does best on the half on which attacks are chosen, of equals the first; -1 without
// attacks.
func Best(credits [][]float64, choosing []bool) int {
	best, most := -1, 0.0
	for k, c := range credits {
		if mean, _ := Mean(c, choosing, true); best < 0 || mean > most {
			best, most = k, mean
		}
	}
	return best
}

// Gain is what a channel adds to an attack.
type Gain struct {
	With    float64 `json:"with"`    // share of the people that the attack with the channel is right about
	Without float64 `json:"without"` // that of the one without
	More    float64 `json:"more"`    // the difference, at least 0
	Lo      float64 `json:"lo"`      // one-sided 95 % bounds of the difference
	Hi      float64 `json:"hi"`
	Tried   int     `json:"tried"` // people counted
}

// Count compares two attacks by their credits for each person, both in [0, 1], on the half on which attacks are
// counted. Who was not tried has a credit of NaN.
func Count(with, without []float64, choosing []bool) Gain {
	g := Gain{}
	var gains, losses, all, bare exact.Sum
	for i := range with {
		if choosing[i] || with[i] != with[i] || without[i] != without[i] {
			continue
		}
		g.Tried++
		all.Add(with[i])
		bare.Add(without[i])
		gains.Add(max(0, with[i]-without[i]))
		losses.Add(max(0, without[i]-with[i]))
	}
	gained, lost := gains.Float64(), losses.Float64()
	n := float64(g.Tried)
	if n == 0 {
		g.Hi = 1
		return g
	}
	g.With, g.Without = all.Mean(g.Tried), bare.Mean(g.Tried)
	gainedLo, gainedHi := confidence.ClopperPearson(gained, n, 0.975)
	lostLo, lostHi := confidence.ClopperPearson(lost, n, 0.975)
	g.More = max(0, (gained-lost)/n)
	g.Lo, g.Hi = min(g.More, max(0, gainedLo-lostHi)), max(g.More, gainedHi-lostLo)
	return g
}

// Share is the value of a mean credit of so many people, with its one-sided 95 % bounds.
func Share(credit float64, tried int) measure.Value {
	v := measure.Value{Score: credit / float64(max(1, tried))}
	v.Lo, v.Hi = confidence.ClopperPearson(credit, float64(tried), 0.95)
	v.Lo, v.Hi = min(v.Lo, v.Score), max(v.Hi, v.Score)
	return v
}
