package itemset

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestTally: counters by four and by eight bits count what a look at each bit does.
func TestTally(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		wanted := rapid.Uint64().Draw(r, "wanted")
		n := rapid.SampledFrom([]int{0, 1, byFour - 1, byFour, byEight - 1, byEight}).Draw(r, "masks")
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		s := &search{}
		var want, got [64]int32
		for range n {
			m, w := chance.Uint64()&wanted, int32(1+chance.IntN(9))
			s.masks, s.weights = append(s.masks, m), append(s.weights, w)
			for b := range want {
				want[b] += w * int32(m>>b&1)
			}
		}
		if s.tally(&got, wanted); got != want {
			r.Fatalf("%d masks: %v, expected %v", n, got, want)
		}
	})
}
