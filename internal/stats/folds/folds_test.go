package folds_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// classed is a table of a class column, -1 meaning missing.
func classed(codes []int32) *table.Table {
	c := table.CatColumn("class", []string{"a", "b", "c"}, codes)
	c.Role = table.Class
	return tabletest.Must(c)
}

// TestFoldsAreFair counts every class in every fold: the counts differ by at most one, as do the sizes; every record is
// in the test set of one fold and in the training sets of all others.
func TestFoldsAreFair(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 2), 2, 80).Draw(t, "classes")
		k := rapid.IntRange(2, len(codes)).Draw(t, "folds")
		tab := classed(codes)
		fold := must.Get(folds.Deal(tab, k, rng.New([32]byte{rapid.Byte().Draw(t, "seed")})))(t)
		counts := map[int32][]int{}
		size := make([]int, k)
		for i, f := range fold {
			if counts[codes[i]] == nil {
				counts[codes[i]] = make([]int, k)
			}
			counts[codes[i]][f]++
			size[f]++
		}
		for c, n := range counts {
			if slices.Max(n)-slices.Min(n) > 1 {
				t.Fatalf("class %d: %v", c, n)
			}
		}
		if slices.Max(size)-slices.Min(size) > 1 {
			t.Fatalf("sizes %v", size)
		}
		tested := make([]int, len(codes))
		for f := range k {
			train, hold := folds.Split(fold, f)
			seen := make([]int, len(codes))
			for _, i := range hold {
				tested[i]++
				seen[i]++
			}
			for _, i := range train {
				seen[i]++
			}
			if slices.Max(seen) != 1 || slices.Min(seen) != 1 {
				t.Fatalf("fold %d is not a partition: %v", f, seen)
			}
		}
		if slices.Max(tested) != 1 || slices.Min(tested) != 1 {
			t.Fatalf("tested %v", tested)
		}
	})
}

func TestFoldsDependOnTheSeed(t *testing.T) {
	tab := classed(make([]int32, 100))
	one, again, other := dealt(t, tab, 10, 1), dealt(t, tab, 10, 1), dealt(t, tab, 10, 2)
	if !slices.Equal(one, again) || slices.Equal(one, other) {
		t.Error("the assignment is not fixed by the seed")
	}
	numbers := tabletest.Of(t, table.NumColumn("n", 1, []float64{1, 2, 3}))
	if f := dealt(t, numbers, 3, 1); f[0]+f[1]+f[2] != 3 {
		t.Errorf("without a class: %v", f)
	}
	for _, k := range []int{-1, 0, 1, 4} {
		if _, err := folds.Deal(numbers, k, rng.New([32]byte{1})); err == nil {
			t.Errorf("%d folds of 3 records", k)
		}
	}
}

func dealt(t *testing.T, tab *table.Table, k int, seed byte) []int {
	t.Helper()
	return must.Get(folds.Deal(tab, k, rng.New([32]byte{seed})))(t)
}
