package nearest

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// towns returns originals and released records of two block attributes.
func towns(t *testing.T) (original, released *table.Table) {
	labels, nan := []string{"a", "b", "c"}, math.NaN()
	original = tabletest.Of(t, table.CatColumn("town", labels, []int32{0, 0, 1, 2, -1}),
		table.NumColumn("age", 1, []float64{30, 40, 30, 30, 30}))
	released = tabletest.Of(t, table.CatColumn("town", labels, []int32{1, 0, 0, -1, 2}),
		table.NumColumn("age", 1, []float64{30, 40, nan, 30, 40}))
	return original, released
}

// Blocks by hand: the town alone, with groups of towns, and with the age. Who lacks one is in no block.
func TestBlocksByHand(t *testing.T) {
	original, released := towns(t)
	town, grouped, age := intruder.Known{
		Column: 0,
	}, intruder.Known{Column: 0, Groups: []int32{5, 5, -3}}, intruder.Known{Column: 1}
	for name, c := range map[string]struct {
		known []intruder.Known
		pairs [][2]int // of an original and a released record in one block
	}{
		"none":         {nil, [][2]int{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {4, 3}}},
		"town":         {[]intruder.Known{town}, [][2]int{{0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 0}, {3, 4}}},
		"groups":       {[]intruder.Known{grouped}, [][2]int{{0, 0}, {0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}, {3, 4}}},
		"town and age": {[]intruder.Known{town, age}, [][2]int{{1, 1}, {2, 0}}},
	} {
		b := newBlocks(original, released, []int{0, 1, 2, 3, 4}, c.known)
		records, start := b.sort([]int{4, 3, 2, 1, 0})
		found := 0.0
		for i, k := range b.target {
			if k < 0 {
				continue
			}
			members := records[start[k]:start[k+1]]
			found += float64(len(members))
			if !slices.IsSortedFunc(members, func(a, b int) int { return b - a }) {
				t.Errorf("%s: the records of a block, %v, are not in the order given", name, members)
			}
			for _, p := range c.pairs {
				if p[0] == i && !slices.Contains(members, p[1]) {
					t.Errorf("%s: %v are not in one block", name, p)
				}
			}
		}
		if found != b.pairs() || name != "none" && name != "groups" && int(found) != len(c.pairs) {
			t.Errorf("%s: %v pairs, %v by their sizes, expected %d", name, found, b.pairs(), len(c.pairs))
		}
	}
}

// The pairs that agree in a column are those of its blocks.
func TestAgreeing(t *testing.T) {
	original, released := towns(t)
	for _, k := range []intruder.Known{{Column: 0}, {Column: 0, Groups: []int32{5, 5, -3}}} {
		b := newBlocks(original, released, []int{0, 1, 2, 3, 4}, []intruder.Known{k})
		if got := agreeing(original, released, &k); got != b.pairs() || got == 0 {
			t.Errorf("%v pairs agree, in blocks are %v", got, b.pairs())
		}
	}
	if got := agreeing(original, released, &intruder.Known{Column: 1}); got != 0 {
		t.Errorf("%v pairs agree in a number", got)
	}
}

// Persons who lack the attribute of their block are not linked, and have no chance to be.
func TestWithoutBlock(t *testing.T) {
	original, released := towns(t)
	m, err := Probabilistic{
		Pairs: 100,
		Block: []string{"town"},
	}.Match(ctx, original, released, Everything(original), []int{0, 1, 2, 3, 4})
	if err != nil || m.Link[4] != -1 || m.Own[4] != 0 || m.Own[0] != 0 || m.Own[1] == 0 {
		t.Errorf("links %v, chances %v, %v", m.Link, m.Own, err)
	}
}
