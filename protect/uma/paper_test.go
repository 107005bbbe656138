package uma

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

//go:embed testdata/microaggregation.json
var microaggregation []byte

// Roy, section 2.3, on the incomes of table 4.1 and on a remainder: records sorted by the attribute, neighbours
// grouped, values replaced by the mean of their group.
func TestSection23(t *testing.T) {
	type in struct {
		Values []float64
		K      int
	}
	type out struct {
		Groups         [][]int32
		Perturbed      []float64
		SSE, SST, Loss float64
	}
	for _, c := range protecttest.Cases[in, out](t, microaggregation, "uma") {
		order, ends := Partition(c.Input.Values, c.Input.K, Classic)
		lo := 0
		for g, hi := range ends {
			if !slices.Equal(order[lo:hi], c.Expected.Groups[g]) {
				t.Errorf("%s: group %d is %v, expected %v", c.Name, g, order[lo:hi], c.Expected.Groups[g])
			}
			lo = hi
		}
		col := gather(c.Input.Values, false, nil, nil, nil)
		col.release(ends,
			func(i int32, v float64) { protecttest.Near(t, c.Name, v, c.Expected.Perturbed[i], c.Tolerance.Abs) })
		protecttest.Near(t, c.Name+": SSE/SST", col.lost(ends), c.Expected.Loss, c.Tolerance.Abs)
		if len(ends) != len(c.Expected.Groups) {
			t.Errorf("%s: %d groups, expected %d", c.Name, len(ends), len(c.Expected.Groups))
		}
	}
}

// Hansen & Mukherjee 2003: where fixed counts cut through a cluster, the optimal groups do not. The first example loses
// 7 where the classic grouping, (1, 2, 3) (10, 11, 12, 13), is the same; in the second it is not.
func TestOptimalGroups(t *testing.T) {
	for _, c := range []struct {
		v             []float64
		k             int
		ends, classic []int
		cost          float64
	}{
		{[]float64{1, 2, 3, 10, 11, 12, 13}, 3, []int{3, 7}, []int{3, 7}, 7},
		{[]float64{1, 2, 3, 4, 10, 11, 12, 20, 21, 22}, 3, []int{4, 7, 10}, []int{3, 6, 10}, 9},
		{[]float64{0, 0, 0, 0, 0}, 3, []int{5}, []int{5}, 0},
		{[]float64{0, 0, 0, 0, 7, 7}, 2, []int{2, 4, 6}, []int{2, 4, 6}, 0},
		{[]float64{5, 1}, 2, []int{2}, []int{2}, 8},
	} {
		_, ends := Partition(c.v, c.k, Optimal)
		if !slices.Equal(ends, c.ends) {
			t.Errorf("%v: groups end at %v, expected %v", c.v, ends, c.ends)
		}
		if _, ends := Partition(c.v, c.k, Classic); !slices.Equal(ends, c.classic) {
			t.Errorf("%v: classic groups end at %v, expected %v", c.v, ends, c.classic)
		}
		if got := cost(sorted(c.v), nil, ends); got != c.cost {
			t.Errorf("%v: the groups cost %v, expected %v", c.v, got, c.cost)
		}
	}
}
