package recordclusters

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestHeap takes elements out in order, whatever was put in between.
func TestHeap(t *testing.T) {
	before := func(a, b int) bool { return a < b }
	long.Check(t, func(r *rapid.T) {
		h := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 30).Draw(r, "first")
		left := slices.Clone(h)
		order(h, before)
		for range rapid.IntRange(0, 60).Draw(r, "steps") {
			if rapid.Bool().Draw(r, "push") {
				x := rapid.IntRange(0, 20).Draw(r, "element")
				h, left = push(h, x, before), append(left, x)
			} else if len(h) > 0 {
				least := slices.Min(left)
				if h[0] != least {
					t.Fatalf("%d comes first, expected %d", h[0], least)
				}
				h = pop(h, before)
				i := slices.Index(left, least)
				left = slices.Delete(left, i, i+1)
			}
			if len(h) != len(left) {
				t.Fatalf("%d elements, expected %d", len(h), len(left))
			}
		}
	})
}

// TestRanking compares with sorting all clusters by rank after every change.
func TestRanking(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		const n = 12
		ranks := newRanking(n)
		twin := map[int32]rank{}
		for range rapid.IntRange(0, 80).Draw(r, "steps") {
			x := rapid.Int32Range(0, n-1).Draw(r, "cluster")
			if rapid.IntRange(0, 3).Draw(r, "what") == 0 {
				ranks.remove(x)
				delete(twin, x)
			} else {
				k := rank{rapid.SampledFrom([]float64{1, 2, 3, math.Inf(1)}).Draw(r, "goodness"),
					rapid.Int32Range(0, 3).Draw(r, "lo"), rapid.Int32Range(3, 6).Draw(r, "hi")}
				ranks.put(x, k)
				twin[x] = k
			}
			if len(ranks.order) != len(twin) {
				t.Fatalf("%d clusters, expected %d", len(ranks.order), len(twin))
			}
			for i, y := range ranks.order {
				if ranks.at[y] != int32(i) || ranks.rank[y] != twin[y] {
					t.Fatalf("cluster %d is at %d with rank %v, expected %d and %v", y, ranks.at[y], ranks.rank[y], i, twin[y])
				}
			}
			var all []rank
			for _, k := range twin {
				all = append(all, k)
			}
			slices.SortFunc(all, func(a, b rank) int {
				return cmp.Or(cmp.Compare(b.goodness, a.goodness), cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi))
			})
			if len(all) > 0 && ranks.rank[ranks.order[0]] != all[0] {
				t.Fatalf("%v comes first, expected %v", ranks.rank[ranks.order[0]], all[0])
			}
		}
	})
}

// TestLinksAgainstTwin counts common neighbours record by record, with identical records and with outliers dropped.
func TestLinksAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, l := rockSmall(r), rockDraw(r)
		cols := make([]int, tab.Width())
		for j := range cols {
			cols[j] = j
		}
		g := must.Get(newGraph(context.Background(), tab, cols, l.Theta))(t)
		g.drop(l.Neighbours)
		links := must.Get(g.links(context.Background()))(t)
		s := jaccard.Of(tab, cols)
		near := func(i, k int) bool { return i != k && jaccard.Similarity(s.Row(i), s.Row(k)) >= l.Theta }
		kept := make([]bool, tab.Rows())
		for i := range kept {
			n := 0
			for k := range kept {
				if near(i, k) {
					n++
				}
			}
			if kept[i] = n >= l.Neighbours; kept[i] != (len(g.record[g.of[i]]) > 0) {
				t.Fatalf("record %d has %d neighbours and is kept: %v", i, n, !kept[i])
			}
		}
		for i := range kept {
			for k := range kept {
				if i == k || !kept[i] || !kept[k] {
					continue
				}
				want, got := int32(0), int32(0)
				for via := range kept {
					if kept[via] && near(i, via) && near(k, via) {
						want++
					}
				}
				for _, x := range links[g.of[i]] {
					if x.set == g.of[k] {
						got = x.links
					}
				}
				if got != want {
					t.Fatalf("records %d and %d have %d links, expected %d", i, k, got, want)
				}
			}
		}
	})
}
