package detective

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/segment/tree"
)

// TestIntersectTwin compares Intersect with tuples of leaves as text.
func TestIntersectTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n, q, least := rapid.IntRange(
			0,
			40,
		).Draw(r, "records"), rapid.IntRange(1, 4).Draw(r, "trees"), rapid.IntRange(1, 4).Draw(r, "least")
		partitions := make([][]int32, q)
		for k := range partitions {
			partitions[k] = rapid.SliceOfN(rapid.Int32Range(0, 3), n, n).Draw(r, "leaves")
		}
		tuple := func(i int) string {
			var b strings.Builder
			for _, p := range partitions {
				fmt.Fprintf(&b, "%d,", p[i])
			}
			return b.String()
		}
		size := map[string]int{}
		for i := range n {
			size[tuple(i)]++
		}
		var order []string
		for s, records := range size {
			if records >= least {
				order = append(order, s)
			}
		}
		slices.Sort(order) // leaves have one digit
		labels, clusters := Intersect(partitions, least)
		if clusters != len(order) {
			t.Fatalf("%d clusters, expected %d", clusters, len(order))
		}
		for i := range n {
			if want := int32(slices.Index(order, tuple(i))); labels[i] != want {
				t.Fatalf("record %d is in cluster %d, expected %d", i, labels[i], want)
			}
		}
	})
}

// shape is a tree as nested nodes: of a test its information, of a leaf nothing.
type shape struct {
	kids   []*shape
	counts []float64
	at     int32
}

func nested(t *tree.Tree, i int32) *shape {
	s := &shape{counts: t.Nodes[i].Counts, at: i}
	for _, k := range t.Nodes[i].Kids {
		s.kids = append(s.kids, nested(t, k))
	}
	return s
}

func (s *shape) tests() int {
	n := 0
	for _, k := range s.kids {
		n += k.tests()
	}
	if s.kids != nil {
		n++
	}
	return n
}

func bits(counts []float64) float64 {
	n, b := 0.0, 0.0
	for _, c := range counts {
		n += c
	}
	for _, c := range counts {
		if c > 0 {
			b -= c * math.Log2(c/n)
		}
	}
	return b
}

// cheapest returns the test above leaves only that gives least information, the last of those within a millionth of a
// bit.
func (s *shape) cheapest(best *shape, least float64) (*shape, float64) {
	if s.kids == nil {
		return best, least
	}
	loss, leaves := bits(s.counts), true
	for _, k := range s.kids {
		loss -= bits(k.counts)
		leaves = leaves && k.kids == nil
	}
	if leaves && loss <= least+1e-6 {
		best, least = s, min(loss, least)
	}
	for _, k := range s.kids {
		best, least = k.cheapest(best, least)
	}
	return best, least
}

// TestPruneTwin prunes grown trees step by step, looking through the whole tree at every step, and compares the leaves
// that records reach.
func TestPruneTwin(t *testing.T) {
	tab := minetest.Mixed(160, 0.1)
	long.Check(t, func(r *rapid.T) {
		l := c45.New()
		l.MinLeaf, l.NoPrune = rapid.IntRange(1, 12).Draw(r, "minLeaf"), true
		part := tab.Slice(0, rapid.IntRange(20, 160).Draw(r, "rows"))
		full := must.Get(l.Grow(context.Background(), part, part.Find("class")))(t)
		full.Recount(part)
		weight := rapid.SampledFrom([]float64{0, 0.1, 0.25, 1.0 / 3, 0.5, 0.9, 1}).Draw(r, "weight")
		twin := nested(full, 0)
		all := twin.tests()
		for keep := weight * float64(all); float64(twin.tests())-1 >= keep-1e-9; {
			best, _ := twin.cheapest(nil, math.Inf(1))
			if best == nil {
				break
			}
			best.kids = nil
		}
		got := nested(prune(full, weight), 0)
		if !same(got, twin) {
			t.Fatalf("weight %v of %d tests: %d are left, expected %d, or others", weight, all, got.tests(), twin.tests())
		}
	})
}

func same(a, b *shape) bool {
	if len(a.kids) != len(b.kids) || !slices.Equal(a.counts, b.counts) {
		return false
	}
	for k := range a.kids {
		if !same(a.kids[k], b.kids[k]) {
			return false
		}
	}
	return true
}

// TestWeightsNest: the clusters of a larger weight divide the intersections of a smaller one.
func TestWeightsNest(t *testing.T) {
	tab := minetest.Mixed(500, 0.1)
	last := []int32(nil)
	for _, w := range []string{"1", "0.7", "0.4", "0.2", "0.05", "0"} {
		m := fit(
			t,
			tab,
			map[string]string{
				"attributes": "class,job",
				"weights":    "class=" + w + ",job=" + w,
				"minRecords": "1",
				"noPrune":    "true",
			},
		)
		now := m.Labels()
		into := map[int32]int32{}
		for i, c := range last {
			if to, ok := into[c]; ok && to != now[i] {
				t.Fatalf("weight %s divides cluster %d of the larger weight", w, c)
			}
			into[c] = now[i]
		}
		last = now
	}
	if slices.Max(last) != 0 {
		t.Error("weights of 0 leave more than one cluster")
	}
}
