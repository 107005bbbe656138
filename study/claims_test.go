package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// plainlyRelied counts those of plainly who are claimed as strongly as an intruder may go down to, over all thresholds.
func plainlyRelied(a, b *table.Table, gaps bool) (most int) {
	n, found := a.Rows(), plainly(a, b, gaps)
	value := func(t *table.Table, i, j int) string {
		switch {
		case t.MissingAt(i, j) && gaps:
			return "gap"
		case t.MissingAt(i, j):
			return ""
		case t.Attr(j).Kind == table.Numeric:
			return fmt.Sprint(t.Num(j)[i])
		}
		return fmt.Sprint("c", t.Cat(j)[i])
	}
	weight := func(v string, j int) float64 {
		have := 0.0
		for k := range n {
			if value(b, k, j) == v {
				have++
			}
		}
		return math.Log(float64(n) / max(1, have))
	}
	var claims []claim
	for i := range n {
		all, agrees, best := 0.0, make([]float64, n), 0
		for o := range n {
			for j := range a.Width() {
				if v := value(a, i, j); v != "" && v == value(b, o, j) {
					agrees[o] += weight(v, j)
				}
			}
			if agrees[o] > agrees[best] {
				best = o
			}
		}
		for j := range a.Width() {
			if v := value(a, i, j); v != "" {
				all += weight(v, j)
			}
		}
		sole, alone := true, true
		for o := range n {
			sole = sole && (o == best || agrees[o] < agrees[best]-1e-9)
			same := o != i
			for j := range a.Width() {
				v := value(a, i, j)
				same = same && (v == "" || v != value(b, best, j) || v == value(a, o, j))
			}
			alone = alone && !same
		}
		if found[i] || sole && alone && best != i {
			claims = append(claims, claim{[2]float64{agrees[best], agrees[best] / max(all, 1e-300)}, found[i]})
		}
	}
	for key := range 2 {
		for _, least := range claims {
			right, made := 0, 0
			for _, c := range claims {
				if c.keys[key] >= least.keys[key] {
					if made++; c.right {
						right++
					}
				}
			}
			if 100*right > 9*made {
				most = max(most, right)
			}
		}
	}
	return most
}

// TestRelied compares with the definition on random tables: of unrelated records chance is right about few, and they do
// not count; and people whose records are as they were count all the same.
func TestRelied(t *testing.T) {
	long.Only(t, "forty random tables against the definition")
	r := rand.New(rand.NewPCG(7, 8))
	raw, relied := 0, 0
	for range 40 {
		a, _ := small(t, r, 30+r.IntN(20))
		perm := r.Perm(a.Rows())
		for k := r.IntN(4); k > 0; k-- { // somebody keeps the record
			i := r.IntN(len(perm))
			for o, p := range perm {
				if p == i {
					perm[o], perm[i] = perm[i], i
				}
			}
		}
		b := a.Gather(perm)
		for j := range b.Width() {
			if r.IntN(3) == 0 {
				continue
			}
			b = must.Get(b.WithColumn(j, b.Column(j).Gather(r.Perm(a.Rows()))))(t)
		}
		for k := range known {
			release := &measure.Release{Original: a, Released: b, Paired: true}
			got, err := LookUp(t.Context(), release, &known[k], rng.New([32]byte{}))
			if want := plainlyRelied(a, b, k == 1); err != nil || got.Found != want {
				t.Fatalf("%+v, %v, want %d", got, err, want)
			}
			raw, relied = raw+count(plainly(a, b, k == 1)), relied+got.Found
		}
	}
	c := table.NumColumn("n", 1, make([]float64, 40)) // every value is one person's, and 39 of 40 stand beside others
	c.Role = table.Quasi
	order := make([]int, 40)
	for i := range order {
		c.Num[i], order[i] = float64(i), max(i, 1)%39+1
	}
	order[0] = 0
	a := must.Get(table.New(c))(t)
	release := &measure.Release{Original: a, Released: a.Gather(order), Paired: true}
	got, err := LookUp(t.Context(), release, &known[0], rng.New([32]byte{}))
	if err != nil || got.Found != 0 {
		t.Errorf("one of 40 is right by chance: %+v, %v", got, err)
	}
	raw += count(plainly(a, release.Released, false))
	if relied == 0 || relied >= raw {
		t.Errorf("%d of %d look-ups count: the tables test nothing", relied, raw)
	}
}

// TestReliedOfEach: a wrong claim that stands for ten outweighs the right ones behind it.
func TestReliedOfEach(t *testing.T) {
	claims := func() []*claim {
		return []*claim{
			{[2]float64{1, 1}, true},
			{[2]float64{9, 9}, true},
			{[2]float64{5, 5}, false},
			{[2]float64{1, 1}, true},
		}
	}
	for each, want := range map[float64]int{1: 3, 30: 3, 40: 1} {
		if got := relied(claims(), 0, each); got != want {
			t.Errorf("%d are relied on where a wrong claim stands for %v, want %d", got, each, want)
		}
	}
}
