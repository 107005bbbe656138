package nearest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
)

// The best candidates are those of looking at all, first to last, whether the first ones of every pattern are known or
// not, and with a bound of what is left when some are taken. Some patterns weigh the same.
func TestBests(t *testing.T) {
	const n, targets = 5 * chunk, 40
	tab := normals(t, n, 4, 3)
	space := must.Get(NewSpace(ctx, tab, Everything(tab)))(t)
	r := rand.New(rand.NewPCG(1, 1))
	rows := measure.Drawn(n, targets)
	c := space.newPairs(space.Questions(tab, rows), space.Records(tab, nil), oneBlock(targets, n), r.Perm(n), 0.2)
	firsts := c.firsts()
	patterns := must.Get(c.patterns(ctx, firsts))(t)
	s := &scale{all: 15, common: make([]float64, 16), others: map[Pattern]float64{}}
	for _, g := range patterns {
		s.common[g.Agree] = float64(min(1, int(g.Agree&3)) + int(g.Agree>>2) - 1)
	}
	taken, room := make([]bool, n), make([]uint64, chunk)
	quick := must.Get(c.bests(ctx, s, taken, firsts))(t)
	for round := range 30 {
		for k := range targets {
			want, agree := candidate{0, k, -1}, make([]uint64, n)
			c.compare(k, 0, agree)
			for at, a := range agree {
				if w := s.common[a]; !taken[at] && w > -want.value {
					want.value, want.to = -w, at
				}
			}
			if got := c.best(k, s, taken, room, -quick[k].value); got != want {
				t.Fatalf("round %d: the best of target %d is %v, expected %v", round, k, got, want)
			}
			if got := c.best(k, s, taken, room, math.Inf(1)); got != want {
				t.Fatalf("round %d: without a bound the best of target %d is %v, expected %v", round, k, got, want)
			}
			if round == 0 && quick[k] != want {
				t.Fatalf("from the first of every pattern the best of target %d is %v, expected %v", k, quick[k], want)
			}
			quick[k] = want
		}
		for _, b := range quick {
			if b.to >= 0 {
				taken[b.to] = true
			}
		}
	}
}
