package learned

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) { measuretest.Run(t, Measure) }

var knows = &intruder.Intruder{Name: "neighbour", Knows: []string{"age", "height", "town"}, Secret: []string{"sick"}}

// town returns a table in which being sick depends on age, as much as bond says.
func town(t testing.TB, n int, bond float64, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 1))
	age, height, town, sick := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range n {
		age[i], height[i], town[i] = float64(18+r.IntN(60)), table.Snap(170+9*r.NormFloat64(), 0.1), int32(r.IntN(7))
		if r.Float64() < 0.4+bond*(age[i]-48)/60 {
			sick[i] = 1
		}
	}
	class := table.CatColumn("sick", []string{"no", "yes"}, sick)
	class.Role = table.Class
	return tabletest.Of(t, table.NumColumn("age", 1, age), table.NumColumn("height", 0.1, height),
		table.CatColumn("town", []string{"a", "b", "c", "d", "e", "f", "g"}, town), class)
}

// shuffled returns a table with one column in another order.
func shuffled(t *table.Table, seed uint64, columns ...int) *table.Table {
	r := rand.New(rand.NewPCG(seed, 2))
	for _, j := range columns {
		order := r.Perm(t.Rows())
		c, err := t.WithColumn(j, t.Column(j).Gather(order))
		if err != nil {
			panic(err)
		}
		t = c
	}
	return t
}

func take(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, *Detail) {
	t.Helper()
	m := New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(*Detail)
}

// Released as they are, secrets are read off. Of other people's secrets, and of a release in which the secret is in
// another order, nothing is learned that the control does not. The lower bound is above 0 by chance for at most one
// release in 20; the draws are fixed.
func TestBothEnds(t *testing.T) {
	long.Only(t, "what is learned at both ends of noise")
	all := town(t, 1200, 0.5, 7)
	tab, held := all.Slice(0, 600), all.Slice(600, 1200)
	for _, holdout := range []*table.Table{held, nil} {
		r := (&measure.Release{Original: tab, Released: tab, Paired: true, Holdout: holdout}).Against(knows)
		if v, d := take(t, r, nil); v.Score < 0.95 || v.Lo < 0.9 || *d.Attack().Before != v.Score {
			t.Errorf("of the original: %v from %v, %+v", v.Score, v.Lo, d)
		}
		r.Released = shuffled(tab, 1, 3)
		if v, d := take(t, r, nil); v.Lo > 0 || *d.Attack().Before < 0.95 {
			t.Errorf("of shuffled secrets: %v from %v, %+v", v.Score, v.Lo, d)
		}
		r.Released = shuffled(tab, 1, 0, 1, 2)
		if v, d := take(t, r, nil); v.Lo > 0 {
			t.Errorf("of shuffled knowledge: %v from %v, %+v", v.Score, v.Lo, d)
		}
	}
}

// What follows for anybody from what is known is told in a note, and is no part of the score.
func TestAFunctionOfWhatIsKnown(t *testing.T) {
	tab := town(t, 600, 0, 3)
	sick := make([]int32, tab.Rows())
	for i, v := range tab.Num(0) {
		if v > 50 {
			sick[i] = 1
		}
	}
	tab = tab.WithCat(3, sick)
	v, d := take(t, (&measure.Release{Original: tab, Released: shuffled(tab, 4, 1), Paired: true}).Against(knows), nil)
	if d.Secrets[0].Attack < 0.97 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "it follows from what "+
		"is known") {
		t.Errorf("%+v", v)
	}
}

// A near copy gives a secret away that has nothing to do with what is known: its columns are noise but for one, which
// is off by a little.
func TestNearCopy(t *testing.T) {
	tab := town(t, 600, 0, 5)
	height := make([]float64, tab.Rows())
	r := rand.New(rand.NewPCG(1, 9))
	for i := range height {
		height[i] = float64(i) + 100
	}
	tab = tab.WithNum(1, height)
	off := make([]float64, len(height))
	for i := range off {
		off[i] = height[i] + 0.4*(r.Float64()-0.5)
	}
	released := shuffled(tab.WithNum(1, off), 6, 0, 2)
	v, d := take(t, (&measure.Release{Original: tab, Released: released, Paired: true}).Against(knows), nil)
	if v.Lo < 0.9 || fmt.Sprint(d.Attack().Knows) != "[height]" || d.Attack().Secret != "sick" {
		t.Errorf("%+v", d)
	}
}

// twin is the plain attack by the nearest record and its control, on everybody. Only the places of the numbers are
// those of the space: their last bits decide ties.
func twin(space *nearest.Space, tab, released *table.Table) (attack, control float64) {
	n := tab.Rows()
	from, to := space.Records(tab, nil), space.Records(released, nil)
	guess := func(i, without int) float64 {
		best, right, ties := math.Inf(1), 0.0, 0.0
		counts := map[int32]float64{}
		for k := range n {
			if k == without {
				continue
			}
			d := from[2*i] - to[2*k]
			if d *= d; tab.Cat(1)[i] != released.Cat(1)[k] {
				d++
			}
			if d < best {
				best = d
				clear(counts)
			}
			if d == best {
				counts[released.Cat(2)[k]]++
			}
		}
		most := 0.0
		for _, c := range counts {
			most = max(most, c)
		}
		for v, c := range counts {
			if c == most {
				ties++
				if v == tab.Cat(2)[i] {
					right = 1
				}
			}
		}
		return right / ties
	}
	for i := range n {
		attack += guess(i, -1) / float64(n)
		control += guess(i, i) / float64(n)
	}
	return attack, control
}

// The nearest record's votes, with and without the own record, are those of all pairs looked at one by one.
func TestTwin(t *testing.T) {
	for seed := range uint64(20) {
		tab := town(t, 40, 0.5, seed).Select(0, 2, 3)
		released := shuffled(tab, seed, int(seed%3))
		r := (&measure.Release{Original: tab, Released: released, Paired: true}).Against(
			&intruder.Intruder{Knows: []string{"age", "town"}, Secret: []string{"sick"}},
		)
		view := must.Get(r.View())(t)
		g := must.Get(New().newGame(context.Background(), r, view))(t)
		sum := figure{}
		for _, c := range []crowd{g.choose, g.count} {
			out := must.Get(g.try(context.Background(), c, func(_, a int) bool { return a == 0 }))(t)
			f := out[0][0].figure(true)
			sum.right, sum.control, sum.n = sum.right+f.right, sum.control+f.control*f.n, sum.n+f.n
		}
		space := must.Get(nearest.NewSpace(context.Background(), tab, view.Known))(t)
		attack, control := twin(space, tab, released)
		if sum.n != 40 || math.Abs(sum.right/40-attack) > 1e-9 || math.Abs(sum.control/40-control) > 1e-9 {
			t.Errorf("seed %d: %v and %v, expected %v and %v", seed, sum.right/40, sum.control/40, attack, control)
		}
	}
}
