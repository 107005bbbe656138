package learned

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
)

// Each bound is on the wrong side of the truth in at most 5 % of the trials. Of 400 more than 38 are, when it is in 5
// %, once in 10,000 times.
func TestBoundsCover(t *testing.T) {
	long.Only(t, "400 trials of each kind")
	const trials, most = 400, 38
	for k, c := range []struct{ control, gained, lost float64 }{{0.5, 0, 0}, {0.5, 0.1, 0.1}, {0.7, 0.2, 0.02},
		{0.9, 0.05, 0}, {0.1, 0.8, 0}, {0, 0.03, 0}, {0.6, 0.1, 0.3}} {
		for _, n := range []int{30, 400} {
			r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
			truth := nearest.Beyond(c.control+c.gained-c.lost, c.control)
			var above, below [2]int
			for range trials {
				same, other := &tally{}, &tally{}
				for range n {
					u := r.Float64() // right in the control below c.control, and lost in a part of that; gained next to it
					attack, control := u >= c.lost && u < c.control+c.gained, u < c.control
					same.attack, same.control, same.one = append(
						same.attack,
						bit(attack),
					), append(same.control, bit(control)), append(same.one, false)
					other.control = append(other.control, bit(r.Float64() < c.control))
				}
				other.attack, other.one = same.attack, same.one
				for w, f := range []figure{same.figure(true), other.figure(false)} {
					if f.lo > truth {
						above[w]++
					}
					if f.hi < truth {
						below[w]++
					}
				}
			}
			for w, name := range []string{"the same people", "other people"} {
				if above[w] > most || below[w] > most {
					t.Errorf("%+v, %d of %s: of %d trials the lower bound is too high in %d, the upper one too low in %d", c, n,
						name, trials, above[w], below[w])
				}
			}
		}
	}
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Independent secrets: whatever attack is chosen of many, the lower bound is above 0 in at most 5 % of the releases. Of
// 60 more than 9 are, when it is in 5 %, once in 1000 times.
func TestFalseAlarms(t *testing.T) {
	long.Only(t, "120 attacks")
	for _, holdout := range []bool{false, true} {
		alarms := 0
		for seed := range uint64(60) {
			all := town(t, 160, 0.5, seed)
			r := (&measure.Release{Original: all.Slice(0, 80), Paired: true}).Against(knows)
			if holdout {
				r.Holdout = all.Slice(80, 160)
			}
			r.Released = shuffled(r.Original, seed, 3)
			if v, _ := take(t, r, nil); v.Lo > 0 {
				alarms++
			}
		}
		if alarms > 9 {
			t.Errorf("with a hold-out %t: %d false alarms in 60", holdout, alarms)
		}
	}
}

// What is counted of a sample covers what the same attack learns of everybody: of 40 releases at most 2 on average are
// missed on either side, and more than 7 once in 500 times.
func TestSampleCoversEverybody(t *testing.T) {
	long.Only(t, "40 releases")
	ctx, above, below := context.Background(), 0, 0
	for seed := range uint64(40) {
		all := town(t, 600, 0.5, seed)
		r := (&measure.Release{Original: all, Paired: true}).Against(knows)
		r.Released = all
		for _, j := range []int{0, 1} { // every second record has another one's age and height
			x := shuffled(all, seed, j).Num(j)
			v := append([]float64{}, all.Num(j)...)
			for i := 0; i < len(v); i += 2 {
				v[i] = x[i]
			}
			r.Released = r.Released.WithNum(j, v)
		}
		view := must.Get(r.View())(t)
		m := New()
		m.People = 120
		g := must.Get(m.newGame(ctx, r, view))(t)
		which := func(_, a int) bool { return a == 0 }
		some := must.Get(g.try(ctx, g.count, which))(t)
		space := must.Get(nearest.NewSpace(ctx, all, view.Known))(t)
		g.count.inside = g.people(space, all, measure.Drawn(600, 600))
		everybody := must.Get(g.try(ctx, g.count, which))(t)
		f, truth := some[0][0].figure(true), everybody[0][0].figure(true)
		if f.n != 60 || truth.n != 600 || truth.share < 0.2 {
			t.Fatalf("%+v of %+v", f, truth)
		}
		above, below = above+int(bit(f.lo > truth.share)), below+int(bit(f.hi < truth.share))
	}
	if above > 7 || below > 7 {
		t.Errorf("of 40 releases the lower bound is too high in %d, the upper one too low in %d", above, below)
	}
}
