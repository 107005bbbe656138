package channel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/rng"
)

func TestByHand(t *testing.T) {
	nan := math.NaN()
	choosing := []bool{true, false, false, false, false, true, false}
	with := []float64{1, 1, 1, 0.5, 0, 0, nan}
	without := []float64{0, 0, 1, 0, 1, 0, 1}
	g := channel.Count(with, without, choosing)
	if g.Tried != 4 || g.With != 2.5/4 || g.Without != 0.5 || g.More != 0.125 {
		t.Errorf("%+v", g)
	}
	lo, hi := confidence.ClopperPearson(1.5, 4, 0.975)
	lostLo, lostHi := confidence.ClopperPearson(1, 4, 0.975)
	if g.Lo != max(0, lo-lostHi) || g.Hi != hi-lostLo {
		t.Errorf("%+v, expected %v to %v", g, max(0, lo-lostHi), hi-lostLo)
	}
	if k := channel.Best([][]float64{without, with, with}, choosing); k != 1 {
		t.Errorf("attack %d is chosen", k)
	}
	if g := channel.Count(nil, nil, nil); g.Hi != 1 || g.Lo != 0 || g.More != 0 {
		t.Errorf("of nobody: %+v", g)
	}
}

func TestHalves(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 100} {
		chosen := 0
		for _, c := range channel.Halves(rng.Source{}, n) {
			if c {
				chosen++
			}
		}
		if chosen != n/2 {
			t.Errorf("%d of %d people are chosen", chosen, n)
		}
	}
}

// The bounds hold: of 400 trials each of two attacks with a true difference of 0.1, at most 5 % miss it by either
// bound, but for chance: more than 34 (a probability of 0.05 is exceeded so once in 1,000 times).
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	above, below := 0, 0
	for range 400 {
		with, without := make([]float64, 300), make([]float64, 300)
		for i := range with {
			if r.Float64() < 0.5 {
				with[i] = 1
			}
			if r.Float64() < 0.4 {
				without[i] = 1
			}
		}
		g := channel.Count(with, without, make([]bool, 300))
		if g.Lo > 0.1 {
			above++
		}
		if g.Hi < 0.1 {
			below++
		}
	}
	if above > 34 || below > 34 {
		t.Errorf("of 400 trials %d lower and %d upper bounds miss", above, below)
	}
}
