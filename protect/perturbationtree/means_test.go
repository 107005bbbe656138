package perturbationtree

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// naive returns the mean of the known values of those records that share a group with record i.
func naive(x, weights []float64, group []uint64, i int) float64 {
	sum, total, n, plain := 0.0, 0.0, 0.0, false
	whole := 0.0
	for k, v := range x {
		if group[k] != group[i] || math.IsNaN(v) {
			continue
		}
		w := 1.0
		if weights != nil {
			w = weights[k]
			plain = plain || !(w > 0)
		}
		sum, total, n, whole = sum+w*v, total+w, n+1, whole+v
	}
	if plain {
		return whole / n
	}
	return sum / total
}

// Every known confidential value becomes the mean of its leaf, on its grid, weighted where there are weights.
func TestTwinOfTheMeans(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab := people(t)
		var weights []float64
		if rapid.Bool().Draw(t, "weighted") {
			for range tab.Rows() {
				weights = append(weights, rapid.SampledFrom([]float64{1, 2, 0.5, 30, 7, 1, 2, 3}).Draw(t, "w"))
			}
			w := table.NumColumn("weight", 0, weights)
			w.Role = table.Weight
			tab = marked(0, append(tab.Columns(), w)...)
		}
		if _, err := New().Fit(t.Context(), tab, protecttest.Seed(1)); err != nil {
			t.Fatal(err) // the first four values of every column are known, enough for every group
		}
		p, out := fit(t, tab, nil), release(t, tab, nil)
		group := must.Get(p.Group(tab))(t)
		for j := range tab.Width() {
			x, y := tab.Num(j), out.Num(j)
			changes := slices.Contains(p.Changes(), tab.Attr(j).Name)
			for i := range x {
				want := x[i]
				if changes && want == want {
					want = naive(x, weights, group, i)
				}
				if d := math.Abs(y[i] - want); d > tab.Attr(j).Step/2+1e-9 || (want != want) != (y[i] != y[i]) {
					t.Fatalf("column %d, record %d: %v is released, expected %v", j, i, y[i], want)
				}
			}
		}
	})
}

// In a block that is not divided, the groups are those of MDAV on the columns scaled to [0, 1].
func TestMicroaggregation(t *testing.T) {
	tab := protecttest.Mixed(90).Select(0, 1, 2, 8)
	out := release(t, tab, map[string]string{"inside": Microaggregate, "k": "5", "grid": "finer"})
	var points []float64
	for i := range tab.Rows() {
		for j := range 3 {
			lo, hi := table.Range(tab.Num(j))
			points = append(points, (tab.Num(j)[i]-lo)/(hi-lo))
		}
	}
	group, n, err := microaggregation.MixedMDAV(t.Context(), points, make([]microaggregation.Kind, 3), nil, 5)
	if err != nil || n != 18 {
		t.Fatal(n, err)
	}
	groups := make([]uint64, len(group))
	for i, g := range group {
		groups[i] = uint64(g)
	}
	for j := range 3 {
		for i, v := range out.Num(j) {
			if want := naive(tab.Num(j), tab.Num(3), groups, i); math.Abs(v-want) > tab.Attr(j).Step/200+1e-9 {
				t.Errorf("column %d, record %d: %v is released, expected %v", j, i, v, want)
			}
		}
	}
}

// A block that is too large is divided by k-means: values from two heaps are never averaged with each other.
func TestKMeansDividesLargeBlocks(t *testing.T) {
	var v, s []float64
	for i := range 60 {
		v, s = append(v, float64(i%7+1000*(i%2))), append(s, float64(i%5))
	}
	tab := marked(1, table.NumColumn("v", 0, v), table.NumColumn("s", 0, s))
	out := release(t, tab, map[string]string{"inside": Microaggregate, "k": "4", "blockMax": "40"})
	for i, y := range out.Num(0) {
		if math.Abs(y-v[i]) > 7 {
			t.Errorf("%v is released as %v", v[i], y)
		}
	}
	same := make([]float64, 100) // records that are all alike are no large group to be compared with each other
	tab = marked(1, table.NumColumn("v", 0, same), table.NumColumn("s", 0, same))
	if out := release(t, tab, map[string]string{"inside": Microaggregate, "blockMax": "20"}); !slices.Equal(out.Num(0),
		same) {
		t.Errorf("equal values are released as %v", out.Num(0))
	}
}

// A group with too few known values of a column is averaged with the nearest one, in that column alone.
func TestGroupsAreJoinedForMissingValues(t *testing.T) {
	gap := math.NaN()
	v := []float64{1, 2, 3, gap, gap, 13, 24, 25, 26}
	s := []float64{1, 2, 3, 11, 12, 13, 24, 25, 26}
	tab := marked(2, table.NumColumn("v", 0, v), table.NumColumn("s", 0, s))
	out := release(t, tab, map[string]string{"inside": Microaggregate, "k": "3"})
	want := [][]float64{{4.75, 4.75, 4.75, gap, gap, 4.75, 25, 25, 25}, {2, 2, 2, 12, 12, 12, 25, 25, 25}}
	for j := range want {
		for i, y := range out.Num(j) {
			if math.Abs(y-want[j][i]) > 1e-9 || (y != y) != (want[j][i] != want[j][i]) {
				t.Errorf("column %d: %v is released, expected %v", j, out.Num(j), want[j])
				break
			}
		}
	}
}

// What is dealt out in turn is of two people in each part, however many records one of them has in a row.
func TestDeal(t *testing.T) {
	b := block{whose: []int32{0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 4}}
	part := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	for n, want := range map[int][]int{1: {12}, 2: {12}, 3: {8, 4}, 4: {9, 3}, 6: {8, 4}} {
		var sizes []int
		for _, p := range b.deal(part, n, 2) {
			sizes = append(sizes, len(p))
			if headcount.Count(b.whose, p) < 2 {
				want = nil
			}
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("in %d: parts of %v records, expected %v", n, sizes, want)
		}
	}
	b.whose = nil
	if out := b.deal(part, 5, 2); len(out) != 5 || len(out[4]) != 3 {
		t.Errorf("of records: %v", out)
	}
}

func TestJoin(t *testing.T) {
	centres := []float64{0, 1, 5, 9, 100}
	for _, c := range []struct {
		count []int
		least int
		want  []int32
	}{
		{[]int{3, 3, 3, 3, 3}, 3, []int32{0, 1, 2, 3, 4}},
		{[]int{1, 3, 3, 0, 1}, 3, []int32{1, 1, 2, 3, 2}},
		{[]int{1, 1, 1, 3, 0}, 3, []int32{2, 2, 2, 3, 4}},
		{[]int{1, 0, 0, 0, 1}, 3, []int32{4, 1, 2, 3, 4}},
	} {
		own := headcount.Several(len(c.count), nil)
		for g, n := range c.count {
			for range n {
				own[g].Add(0)
			}
		}
		if got := join(centres, 1, own, c.least); !slices.Equal(got, c.want) {
			t.Errorf("counts %v: %v, expected %v", c.count, got, c.want)
		}
	}
}
