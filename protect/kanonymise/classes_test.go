package kanonymise

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// framed returns what is known of a small table, its keys with collisions or not.
func framed(r *rapid.T) (*table.Table, []*hierarchy.Hierarchy, *frame) {
	tab, hs := small(r)
	f := must.Get(newFrame(context.Background(), tab, []int{0, 1, 2}, []int{3}, hs, unpinned, "ncp"))(r)
	if rapid.Bool().Draw(r, "keys collide") {
		f.collide()
	}
	return tab, hs, f
}

// drawLevels draws levels that are nowhere below others.
func drawLevels(r *rapid.T, hs []*hierarchy.Hierarchy, least []int) []int {
	out := make([]int, len(hs))
	for k, h := range hs {
		out[k] = rapid.IntRange(least[k], h.Height()).Draw(r, "level")
	}
	return out
}

// Classes of higher levels, made of those of lower ones, are the groups of records that agree there, in the order of
// their first record, with their sensitive values.
func TestRollEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, hs, f := framed(r)
		w := f.newRoller()
		low := drawLevels(r, hs, []int{0, 0, 0})
		w.roll(low, &f.base)
		source := w.join(&f.base).clone()
		high := drawLevels(r, hs, low)
		w.roll(high, &source)
		c := w.join(&source)
		groups, _, _ := node(r, tab, hs, high, "ncp")
		if len(groups) != len(c.rep) || len(groups) != len(c.count) {
			r.Fatalf("%d classes, expected %d", len(c.rep), len(groups))
		}
		for k, g := range groups {
			if int(c.rep[k]) != g.rows[0] || int(c.count[k]) != len(g.rows) {
				r.Fatalf("class %d has %d records from %d, expected %v", k, c.count[k], c.rep[k], g.rows)
			}
			if got, want := fmt.Sprint(c.values[0].of(k)), secrets(f, tab, g.rows); got != want {
				r.Fatalf("class %d has the values %s, expected %s", k, got, want)
			}
			if g.void != (c.rep[k] == f.void) {
				r.Fatalf("class %d of record %d lacks everything: %v; the frame says that of record %d", k, c.rep[k], g.void,
					f.void)
			}
		}
	})
}

// secrets writes how often sensitive values occur among records, as a class has them.
func secrets(f *frame, t *table.Table, rows []int) string {
	count := make([]int, f.secrets[0].Values())
	position := map[int32]int{}
	for i, c := range t.Cat(3) {
		if c >= 0 {
			position[c] = int(f.values[0][i])
		}
	}
	for _, i := range rows {
		if c := t.Cat(3)[i]; c >= 0 {
			count[position[c]]++
		}
	}
	text := "["
	for v, n := range count {
		if n == 0 {
			continue
		}
		if len(text) > 1 {
			text += " "
		}
		text += fmt.Sprintf("{%d %d}", v, n)
	}
	return text + "]"
}

// The rule of regions says of any records what the definitions say.
func TestRule(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, _, f := framed(r)
		g := Goals{K: 1, L: rapid.SampledFrom([]float64{1, 1.5, 2, 3}).Draw(r, "l"), C: 1.5,
			T: rapid.SampledFrom(
				[]float64{1, 0.6, 0.31, 0},
			).Draw(r, "t"), Diversity: rapid.SampledFrom([]string{"distinct", "entropy", "recursive"}).Draw(r, "diversity")}
		rule := f.rule(g)
		for range 3 { // its memory is used again
			rows := rapid.SliceOfNDistinct(rapid.IntRange(0, tab.Rows()-1), 1, -1, func(i int) int { return i }).Draw(r, "rows")
			of := make([]int32, len(rows))
			for k, i := range rows {
				of[k] = int32(i)
			}
			if got, want := rule(of), good(&g, tab, rows); got != want {
				r.Fatalf("%s of records %v: %v, expected %v", g.sentence(g.K, g.K), rows, got, want)
			}
		}
	})
}

// Which records are suppressed: of a class that loses some, the first ones, and as many as it loses.
func TestGone(t *testing.T) {
	f := must.Get(newFrame(context.Background(), tabletest.Of(t, table.NumColumn("v", 1, []float64{1, 2, 1, 3, 2, 1})),
		[]int{0}, nil, nil, nil, ""))(t)
	if got, want := f.gone([]int32{2, 0, 1}), []int{0, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// A node is the mixed-radix number of its levels, its bound the sum of what its levels lose of all cells, and it never
// falls from levels to higher ones.
func TestLattice(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, hs, f := framed(r)
		l := must.Get(newLattice(f))(r)
		size := 1
		for _, h := range hs {
			size *= h.Height() + 1
		}
		if len(l.bound) != size {
			r.Fatalf("%d nodes, expected %d", len(l.bound), size)
		}
		levels := make([]int, 3)
		for n := range int32(size) {
			l.levels(n, levels)
			at := int32(0)
			for k := range levels {
				at += int32(levels[k]) * l.stride[k]
				if levels[k] < l.heights[k] && l.bound[n+l.stride[k]] < l.bound[n] {
					r.Fatalf("the bound falls from %v to one level of column %d more", levels, k)
				}
			}
			_, cost, _ := node(r, tab, hs, levels, "ncp")
			sum := int64(0)
			for _, c := range cost {
				sum += c
			}
			if at != n || l.bound[n] != sum {
				r.Fatalf("node %d has levels %v, of number %d, and the bound %d, expected %d", n, levels, at, l.bound[n], sum)
			}
		}
	})
}

// What is refused at a node is refused at all below it, and no more; a node that nobody looked at is promising while
// its bound is no more than the best loss.
func TestRefuse(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		_, _, f := framed(r)
		s := must.Get(newSearch(f, Goals{K: 1, L: 1, T: 1}, 0))(r)
		w := s.newWalker()
		n := rapid.Int32Range(0, int32(len(s.order)-1)).Draw(r, "node")
		w.refuse(n)
		best := rapid.Int64Range(0, s.lat.bound[len(s.lat.bound)-1]).Draw(r, "best")
		s.best.Store(best)
		top, levels := make([]int, 3), make([]int, 3)
		s.lat.levels(n, top)
		for m := range s.known {
			s.lat.levels(int32(m), levels)
			below := !higher(levels, top)
			if s.known[m].Load()&refused != 0 != below {
				r.Fatalf("node %v is refused: %v; %v was refused", levels, !below, top)
			}
			if got, want := w.promising(int32(m)), !below && s.lat.bound[m] <= best; got != want {
				r.Fatalf("node %v is promising: %v, expected %v", levels, got, want)
			}
		}
	})
}
