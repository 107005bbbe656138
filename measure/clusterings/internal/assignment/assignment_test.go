package assignment_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure/clusterings/internal/assignment"
)

// best is the twin: the largest sum over all permutations, of the rows from r on with the columns that are not taken.
func best(weights []int, k, r int, taken []bool) int {
	if r == k {
		return 0
	}
	most, found := 0, false
	for j := range k {
		if taken[j] {
			continue
		}
		taken[j] = true
		if sum := weights[r*k+j] + best(weights, k, r+1, taken); !found || sum > most {
			most, found = sum, true
		}
		taken[j] = false
	}
	return most
}

func sum(t testing.TB, weights []int, k int) int {
	t.Helper()
	match := must.Get(assignment.Largest(weights, k))(t)
	taken, sum := make([]bool, k), 0
	for i, j := range match {
		if j < 0 || j >= k || taken[j] {
			t.Fatalf("matching %v is not one to one", match)
		}
		taken[j] = true
		sum += weights[i*k+j]
	}
	return sum
}

func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		k := rapid.IntRange(0, 6).Draw(r, "k")
		span := rapid.SampledFrom([]int{1, 3, 100, 1 << 50}).Draw(r, "span")
		weights := rapid.SliceOfN(rapid.IntRange(-span, span), k*k, k*k).Draw(r, "weights")
		if got, want := sum(t, weights, k), best(weights, k, 0, make([]bool, k)); got != want {
			r.Fatalf("sum %d, the best permutation has %d", got, want)
		}
	})
}

// TestKnown has matrices whose matching is known: greedy choices fail in the second, and the third rematches all rows
// before.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		weights, match []int
	}{
		{nil, []int{}},
		{[]int{7}, []int{0}},
		{[]int{9, 8, 8, 1}, []int{1, 0}},
		{[]int{5, 4, 0, 5, 0, 4, 5, 0, 0}, []int{1, 2, 0}},
		{[]int{0, 0, 3, 4, 0, 0, 0, 5, 0}, []int{2, 0, 1}},
		{[]int{-1, -9, -9, -1}, []int{0, 1}},
	} {
		k := 0
		for k*k < len(c.weights) {
			k++
		}
		if got, err := assignment.Largest(c.weights, k); err != nil || !slices.Equal(got, c.match) {
			t.Errorf("%v: %v, error %v, expected %v", c.weights, got, err, c.match)
		}
	}
}

// TestPermuted hides a matching of known weight in noise too small to matter, at a size that no permutation is tried
// of.
func TestPermuted(t *testing.T) {
	const k = 120
	r := rand.New(rand.NewPCG(1, 2))
	want, weights := r.Perm(k), make([]int, k*k)
	for i := range weights {
		weights[i] = r.IntN(100)
	}
	for i, j := range want {
		weights[i*k+j] += 100
	}
	if got, err := assignment.Largest(weights, k); err != nil || !slices.Equal(got, want) {
		t.Errorf("the matching is not found: %v", err)
	}
}

func TestWrongSize(t *testing.T) {
	for _, k := range []int{-2, 0, 1, 3} {
		if _, err := assignment.Largest(make([]int, 4), k); err == nil {
			t.Errorf("4 weights are taken for a %d x %d matrix", k, k)
		}
	}
}

// BenchmarkLargest matches random weights; of k = 100 it takes 0.003 of the yardstick, of k = 1000 0.5.
func BenchmarkLargest(b *testing.B) {
	for _, k := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			weights := make([]int, k*k)
			for i := range weights {
				weights[i] = r.IntN(1_000_000)
			}
			for b.Loop() {
				must.Get(assignment.Largest(weights, k))(b)
			}
			yardstick.Report(b)
		})
	}
}
