package recordclusters

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// baskets returns a table with a column per item; an item that is not in a basket is missing.
func baskets(t testing.TB, items int, rows [][]int) *table.Table {
	t.Helper()
	var cols []table.Column
	for item := range items {
		codes := make([]int32, len(rows))
		for i, r := range rows {
			if !slices.Contains(r, item+1) {
				codes[i] = -1
			}
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("item ", item+1), []string{"bought"}, codes))
	}
	return tabletest.Of(t, cols...)
}

// example is that of Guha, Rastogi & Shim 1999: the ten baskets of three items of {1,...,5} and the four of {1, 2, 6,
// 7}.
func example() (rows [][]int) {
	for _, from := range [][]int{{1, 2, 3, 4, 5}, {1, 2, 6, 7}} {
		for a := range from {
			for b := a + 1; b < len(from); b++ {
				for c := b + 1; c < len(from); c++ {
					rows = append(rows, []int{from[a], from[b], from[c]})
				}
			}
		}
	}
	return rows
}

// The example of Guha, Rastogi & Shim 1999: with theta = 0.5, {1,2,6} and {1,2,7} have 5 links, {1,2,6} and {1,2,3}
// have 3. {1,6,7} has 2 with {1,2,6} and, through {1,2,6} and {1,2,7}, with {1,2,3}; it has none with {3,4,5}.
func TestLinksOfTheExample(t *testing.T) {
	rows := example()
	tab := baskets(t, 7, rows)
	g := must.Get(newGraph(context.Background(), tab, []int{0, 1, 2, 3, 4, 5, 6}, 0.5))(t)
	links := must.Get(g.links(context.Background()))(t)
	at := func(basket ...int) int32 {
		return g.of[slices.IndexFunc(rows, func(r []int) bool { return slices.Equal(r, basket) })]
	}
	for _, c := range []struct {
		a, b int32
		want int32
	}{
		{at(1, 2, 6), at(1, 2, 7), 5},
		{at(1, 2, 6), at(1, 2, 3), 3},
		{at(1, 6, 7), at(1, 2, 6), 2},
		{at(1, 6, 7), at(1, 2, 3), 2},
		{at(1, 6, 7), at(3, 4, 5), 0},
	} {
		got := int32(0)
		for _, l := range links[c.a] {
			if l.set == c.b {
				got = l.links
			}
		}
		if got != c.want {
			t.Errorf("baskets %v and %v have %d links, expected %d", rows[c.a], rows[c.b], got, c.want)
		}
	}
}

// The goodness of single records is links / (2^(1+2f) - 2), and f(0.5) = 1/3 (Islam 2007, section 6.3).
func TestGoodness(t *testing.T) {
	g := must.Get(newGraph(context.Background(), baskets(t, 7, example()), []int{0, 1, 2, 3, 4, 5, 6}, 0.5))(t)
	m := newMerger(g, make([][]linked, len(g.near)))
	if got, want := m.goodness(5, 1, 1), 5/(math.Pow(2, 5.0/3)-2); math.Abs(got-want) > 1e-12 {
		t.Errorf("goodness %v, expected %v", got, want)
	}
	if got, want := m.goodness(7, 3, 2), 7/(math.Pow(5, 5.0/3)-math.Pow(3, 5.0/3)-math.Pow(2, 5.0/3)); math.Abs(
		got-want,
	) > 1e-12 ||
		m.goodness(7, 2, 3) != got {
		t.Errorf("goodness %v, expected %v", got, want)
	}
}

// Figure 6.3 of Islam 2007: two equal records have similarity 3/3, two without a value in common 0/6.
func TestROCKFigure63(t *testing.T) {
	if got := jaccard.Similarity([]int32{0, 0, 0}, []int32{0, 0, 0}); got != 1 {
		t.Errorf("sim(R1, R3) = %v", got)
	}
	if got := jaccard.Similarity([]int32{0, 0, 0}, []int32{1, 1, 1}); got != 0 {
		t.Errorf("sim(R1, R2) = %v", got)
	}
	if got := jaccard.Similarity([]int32{0, 0, 0}, []int32{0, 0, 1}); got != 2.0/(2*3-2) {
		t.Errorf("two of three in common: %v, expected s1/(2s-s1) = 0.5", got)
	}
}

// A new record goes to the cluster with the most marked neighbours over (|L|+1)^f.
func TestLabelling(t *testing.T) {
	tab := baskets(t, 7, [][]int{{1, 2}, {1, 2, 3}, {1, 3}, {4, 5}, {4, 5}, {4, 5, 6}, {4, 6, 5}, {4, 5}})
	m := &ROCKModel{
		Columns: []int{0, 1, 2, 3, 4, 5, 6},
		Theta:   0.3,
		K:       2,
		Sample:  *jaccard.Of(tab, []int{0, 1, 2, 3, 4, 5, 6}),
		Marks:   [][]int{{0, 1, 2}, {3, 4, 5, 6, 7}},
	}
	f := 0.7 / 1.3
	new := baskets(t, 7, [][]int{
		{1, 2, 4, 5}, // of three neighbours: {1,2} 2/4, {1,2,3} 2/5, {1,3} 1/5; of the other five: 2/4, 2/4, 2/5, 2/5, 2/4
		{1, 2},
		{7},
		{},
	})
	want := []int32{0, 0, -1, -1}
	if 5/math.Pow(6, f) > 2/math.Pow(4, f) {
		want[0] = 1
	}
	got := make([]int32, 4)
	m.Assign(new, got)
	if !slices.Equal(got, want) {
		t.Errorf("labels %v, expected %v", got, want)
	}
}

// The example's two clusters overlap in {1, 2}, and links part them all the same.
func TestExampleClusters(t *testing.T) {
	l := NewROCK()
	l.K = 2
	m := must.Get(l.Fit(context.Background(), baskets(t, 7, example()), rng.New([32]byte{1})))(t)
	got := m.(*ROCKModel).Labels()
	want := rockTwin(baskets(t, 7, example()), l)
	if !slices.Equal(got, want) {
		t.Errorf("clusters %v, expected %v", got, want)
	}
}
