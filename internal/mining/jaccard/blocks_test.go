package jaccard

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// gaps returns sets of which every value is missing with the given chance.
func gaps(s *Sets, share float64) *Sets {
	r := rand.New(rand.NewPCG(8, 9))
	out := &Sets{Width: s.Width, Codes: slices.Clone(s.Codes)}
	for i := range out.Codes {
		if r.Float64() < share {
			out.Codes[i] = -1
		}
	}
	return out
}

// On 500 records of 20 attributes blocks find the neighbours and the components that comparing all pairs finds, on any
// number of cores.
func TestManyRecords(t *testing.T) {
	for _, c := range []struct {
		missing, theta float64
		blocks         int // 0: whatever it takes
	}{{0, 0.8, 3}, {0, 0.7, 4}, {0.1, 0.8, 0}, {0.4, 0.6, 0}, {0, 0.2, 1}, {0, 1, 1}} {
		s := gaps(species(500), c.missing)
		x := must.Get(NewIndex(context.Background(), s, c.theta))(t)
		if c.blocks > 0 && len(x.blocks) != c.blocks {
			t.Errorf("theta %v: %d blocks, expected %d", c.theta, len(x.blocks), c.blocks)
		}
		got := must.Get(x.Components(context.Background()))(t)
		f := forest{up: slices.Clone(x.all)}
		search := x.Search()
		for i := range s.Len() {
			near := map[int32]bool{}
			search.Each(s.Row(i), func(k int32, _ float64) { near[k] = true })
			for k := range s.Len() {
				is := Similarity(s.Row(i), s.Row(k)) >= c.theta
				if near[int32(k)] != is {
					t.Fatalf("theta %v, %v missing: sets %d and %d are neighbours: %v", c.theta, c.missing, i, k, is)
				}
				if is {
					f.union(int32(i), int32(k))
				}
			}
		}
		for i := range f.up {
			if f.root(int32(i)) != got[i] {
				t.Fatalf("theta %v, %v missing: set %d is in component %d, expected %d", c.theta, c.missing, i, got[i],
					f.root(int32(i)))
			}
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		one := must.Get(NewIndex(context.Background(), s, c.theta))(t)
		if again, _ := one.Components(context.Background()); !slices.Equal(again, got) {
			t.Error("the components depend on the number of cores")
		}
	}
}

// How far similar sets may differ holds for every pair of sets, by their sizes.
func TestReach(t *testing.T) {
	for _, theta := range []float64{0.3, 0.5, 0.8} {
		s := gaps(&Sets{Width: 8, Codes: species(400).Codes[:8*400]}, 0.3)
		x := must.Get(NewIndex(context.Background(), s, theta))(t)
		for i := range s.Len() {
			for k := range s.Len() {
				differ := int32(0)
				for j, c := range s.Row(i) {
					if c != s.Row(k)[j] {
						differ++
					}
				}
				if Similarity(s.Row(i), s.Row(k)) >= theta && differ > x.reach[x.size[i]] {
					t.Fatalf("theta %v: similar sets differ in %d attributes, not %d", theta, differ, x.reach[x.size[i]])
				}
			}
		}
	}
}
