package cellkey

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/tabulate"
)

// people returns tables of n people by the dimensions named in of.
func people(r *rand.Rand, n int, of [][]int) (*tabulate.Set, []uint64) {
	dims, keys := make([]tabulate.Dimension, 3), make([]uint64, n)
	for k := range dims {
		dims[k] = tabulate.Dimension{Name: fmt.Sprint(k), Labels: []string{tabulate.Total, "a", "b", "c"},
			Up: []int32{-1, 0, 0, 0}, Leaf: make([]int32, n)}
		for i := range n {
			dims[k].Leaf[i] = int32(1 + r.IntN(3))
		}
	}
	for i := range keys {
		keys[i] = r.Uint64()
	}
	s, err := tabulate.New(n, dims, of, nil, nil, 0)
	if err != nil {
		panic(err)
	}
	return s, keys
}

// The same records have the same count in every table, whatever the table is divided by.
func TestOneSetOneValue(t *testing.T) {
	table := must.Get(New(Params{3, 2, 0}))(t)
	r, twice := rand.New(rand.NewPCG(5, 6)), 0
	for range 200 {
		s, keys := people(r, 5+r.IntN(20), [][]int{{0, 1}, {1, 2}, {0, 1, 2}})
		shown := map[string]int{}
		for c, key := range s.Keys(keys) {
			records := fmt.Sprint(s.Within(c))
			v := table.Moved(s.Cells[c].Records, key)
			if was, ok := shown[records]; ok && was != v {
				t.Fatalf("one set of records has the counts %d and %d", was, v)
			} else if ok {
				twice++
			}
			shown[records] = v
		}
	}
	if twice < 1_000 {
		t.Errorf("only %d cells were there twice", twice)
	}
}

// Two tables differ by a few people: an intruder who takes the difference of two shown counts for the true one is right
// as often as two deviations are equal, and no oftener. Two counts of the very same people differ by 0, so a difference
// that is not 0 shows that somebody is in it. 1,000 pairs with fixed keys: within 4.9 standard deviations, which chance
// alone would pass in one of a million.
func TestDifferencing(t *testing.T) {
	table := must.Get(New(Params{3, 2, 0}))(t)
	equal := 0.0
	for _, p := range table.Of(100).P {
		equal += p * p
	}
	r, pairs, right := rand.New(rand.NewPCG(7, 8)), 1_000, 0
	for range pairs {
		n := 40 + r.IntN(100)
		s, keys := people(r, n, [][]int{{0}})
		few := 1 + r.IntN(4) // the people by whom the tables differ
		all, rest := uint64(0), uint64(0)
		for i, key := range keys {
			if all += key; i >= few {
				rest += key
			}
		}
		total := slices.IndexFunc(s.Cells, func(c tabulate.Cell) bool { return c.Records == n })
		if s.Keys(keys)[total] != all {
			t.Fatal("the key of the total is not the sum of all keys")
		}
		if table.Moved(n, all)-table.Moved(n-few, rest) == few {
			right++
		}
	}
	sd := math.Sqrt(equal * (1 - equal) / float64(pairs))
	if got := float64(right) / float64(pairs); math.Abs(got-equal) > 4.9*sd {
		t.Errorf("the difference is right in %.3f of pairs, want %.3f", got, equal)
	} else {
		t.Logf("the difference is right in %.3f of pairs, expected %.3f", got, equal)
	}
}
