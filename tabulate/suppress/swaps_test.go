package suppress

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/tabulate"
)

// Every swap that is found moves its cell by its step and, of all cells, added up one by one, only those that are left
// out or that it says must be; nothing falls below the least, and what the unit has that it is to spare stays.
func TestSwaps(t *testing.T) {
	found := 0
	for k := range 60 {
		r := rand.New(rand.NewPCG(uint64(k), 21))
		set, rules := linked(r)
		p := Of(set, rules)
		hidden := slices.Clone(p.Unsafe)
		for c := range hidden {
			hidden[c] = hidden[c] || r.IntN(3) == 0
		}
		s := newSwaps(newBoard(p, hidden))
		for _, c := range p.claims() {
			w := &wish{c.cell, &p.Measures[c.measure], c.upper, c.need, r.IntN(2) == 0, int32(r.IntN(9)) - 1, nil}
			by, ok := s.find(w)
			if !ok {
				continue
			}
			found++
			d := make([]float64, len(p.Holder))
			for v, i := range by.at {
				d[i] += float64(by.step * float64(by.sign[v]))
				if p.Holder[i] >= 0 && p.Holder[i] == w.not {
					t.Fatalf("table %d: %+v moves what it must not", k, by)
				}
				if !w.m.Negative && w.m.Inner[i]+d[i] < w.m.Least {
					t.Fatalf("table %d: %+v goes below the least", k, by)
				}
			}
			for x := range p.cells() {
				sum := 0.0
				for _, i := range p.inner(x) {
					sum += d[i]
				}
				if x == c.cell && (math.Abs(sum) != by.step || sum > 0 != c.upper) {
					t.Fatalf("table %d: %+v moves its cell by %g", k, by, sum)
				}
				if sum != 0 && !hidden[x] && (w.free || !slices.Contains(by.hides, int32(x))) {
					t.Fatalf("table %d: %+v changes cell %d, which is shown", k, by, x)
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("%d swaps are too few to tell anything", found)
	}
}

// A table of some hundred cells, too many for an exact program of each: linear programs alone, which know nothing of
// swaps, find a proof of every claim, and the same is left out again.
func TestProofs(t *testing.T) {
	long.Only(t, "a table of some hundred cells")
	p := Of(large(3_000, 2, 3), tabulate.Rules{Frequency: 3})
	hidden := func() []bool {
		s := must.Get(p.solve(context.Background(), p.Unsafe, false))(t)
		if len(s.Open) > 0 || s.Primary < 30 {
			t.Errorf("%d cells unsafe, %d open", s.Primary, len(s.Open))
		}
		t.Logf("%d cells, %d unsafe, %d more left out", p.cells(), s.Primary, s.Secondary)
		return s.Suppressed
	}
	once := hidden()
	if !slices.Equal(once, hidden()) {
		t.Error("another solution the second time")
	}
	_, open, err := newBoard(p, once).all(context.Background(), p.claims(), false)
	if err != nil || len(open) > 0 {
		t.Errorf("linear programs alone find no proof of %d claims: %v", len(open), err)
	}
}
