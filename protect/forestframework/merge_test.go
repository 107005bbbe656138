package forestframework

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/segment/tree"
)

// bush returns a tree of n leaves, for keys alone.
func bush(n int) *tree.Tree {
	t := &tree.Tree{Nodes: make([]tree.Node, 0, n+1)}
	t.Nodes = append(t.Nodes, tree.Node{Branch: make([]int32, n), Kids: make([]int32, n)})
	for k := range n {
		t.Nodes = append(t.Nodes, tree.Node{Attr: -1})
		t.Nodes[0].Kids[k] = int32(k + 1)
	}
	return t
}

// dumbNearest is the definition: compare with every other intersection.
func dumbNearest(f *tree.Forest, s *intersections, g int) int {
	best, most := -1, -1
	for h := range s.keys {
		same := 0
		for i, l := range f.Leaves(s.keys[h]) {
			if l == f.Leaves(s.keys[g])[i] {
				same++
			}
		}
		if h != g && (same > most || same == most && (s.size[h] > s.size[best] || s.size[h] == s.size[best] && h < best)) {
			best, most = h, same
		}
	}
	return best
}

// TestMerge compares the groups with the definition: join every singleton with its nearest intersection.
func TestMerge(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		f := &tree.Forest{}
		top := uint64(1)
		for range rapid.IntRange(1, 4).Draw(r, "trees") {
			n := rapid.IntRange(1, 4).Draw(r, "leaves")
			f.Trees = append(f.Trees, bush(n))
			top *= uint64(n)
		}
		s := occupied(rapid.SliceOfN(rapid.Uint64Range(0, top-1), 1, 40).Draw(r, "keys"))
		got := must.Get(s.merge(context.Background(), f, 2))(t)
		group := make([]int, len(s.keys)) // by position: the smallest position of the group
		for g := range group {
			group[g] = g
		}
		for g, n := range s.size {
			if n > 1 || len(s.keys) == 1 {
				continue
			}
			a, b := group[g], group[dumbNearest(f, s, g)]
			for h := range group {
				if group[h] == max(a, b) {
					group[h] = min(a, b)
				}
			}
		}
		into := map[uint64]uint64{}
		for _, m := range got {
			into[m.Key] = m.Into
		}
		label := func(g int) uint64 {
			if to, ok := into[s.keys[g]]; ok {
				return to
			}
			return s.keys[g]
		}
		for g := range group {
			for h := range group {
				if (group[g] == group[h]) != (label(g) == label(h)) {
					t.Fatalf("keys %v of sizes %v: %v, expected the groups %v", s.keys, s.size, got, group)
				}
			}
			if to, ok := into[label(g)]; ok {
				t.Fatalf("key %d leads to %d, which leads on to %d", s.keys[g], label(g), to)
			}
		}
		if !slices.IsSortedFunc(got, func(a, b Merge) int { return int(a.Key) - int(b.Key) }) {
			t.Fatalf("%v is not in order", got)
		}
	})
}

// TestMergedInto checks that the records of an intersection that is merged are in the group of the one it is merged
// into, and all others in their own.
func TestMergedInto(t *testing.T) {
	tab := protecttest.Mixed(60)
	p := fit(t, tab, protecttest.Forest(tab), map[string]string{"singletons": "merge"})
	want := make([]uint64, tab.Rows())
	must.NoError(t, p.Forest.Route(tab, want))
	merged := 0
	for i, key := range want {
		if k := slices.IndexFunc(p.Merged, func(m Merge) bool { return m.Key == key }); k >= 0 {
			want[i] = p.Merged[k].Into
			merged++
		}
	}
	got := must.Get(p.Group(tab))(t)
	if merged == 0 || !slices.Equal(got, want) {
		t.Errorf("groups %v, expected %v, %d of them merged", got, want, merged)
	}
}

// TestMergedRecords checks that merging changes what is dealt, and only that: numbers are the same, records that were
// alone get other categories, and the notes say so.
func TestMergedRecords(t *testing.T) {
	tab := protecttest.Mixed(60)
	f := protecttest.Forest(tab)
	keep, merge := fit(t, tab, f, nil), fit(t, tab, f, map[string]string{"singletons": "merge"})
	if keep.Singletons == 0 || keep.Singletons != merge.Singletons || len(keep.Merged) != 0 || len(merge.Merged) == 0 {
		t.Fatalf("singletons %d and %d, merged %v and %v", keep.Singletons, merge.Singletons, keep.Merged, merge.Merged)
	}
	a, b := release(t, keep, tab, 1), release(t, merge, tab, 1)
	for _, j := range keep.Numeric {
		for i := range tab.Rows() {
			if x, y := a.Num(j)[i], b.Num(j)[i]; x != y && !tab.MissingAt(i, j) {
				t.Fatalf("column %d, row %d: %v and %v", j, i, x, y)
			}
		}
	}
	alone := map[string]int{}
	for _, at := range tuples(f, tab) {
		alone[at]++
	}
	moved := 0
	for i, at := range tuples(f, tab) {
		for _, j := range keep.Categorical {
			if alone[at] == 1 && a.Cat(j)[i] != tab.Cat(j)[i] {
				t.Fatalf("row %d is alone and its value of column %d changes", i, j)
			}
			if alone[at] == 1 && b.Cat(j)[i] != tab.Cat(j)[i] {
				moved++
			}
		}
	}
	if moved == 0 {
		t.Error("merging changes nothing")
	}
	if n := keep.Notes(); len(n) != 1 || !strings.Contains(n[0].String(), "hold one record: their categories and class "+
		"are released as they are") {
		t.Errorf("notes %q", n)
	}
	if n := merge.Notes(); len(n) != 1 || !strings.Contains(n[0].String(), "were merged") {
		t.Errorf("notes %q", n)
	}
}

// TestLeast: whatever is asked for, every group has so many records or all of them; 1 and 2 join what they joined
// before.
func TestLeast(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		f := &tree.Forest{}
		top := uint64(1)
		for range rapid.IntRange(1, 4).Draw(r, "trees") {
			n := rapid.IntRange(1, 4).Draw(r, "leaves")
			f.Trees = append(f.Trees, bush(n))
			top *= uint64(n)
		}
		keys := rapid.SliceOfN(rapid.Uint64Range(0, top-1), 1, 60).Draw(r, "keys")
		least := rapid.IntRange(1, 12).Draw(r, "least")
		s := occupied(keys)
		merged := must.Get(s.merge(context.Background(), f, least))(r)
		into := map[uint64]uint64{}
		for _, m := range merged {
			into[m.Key] = m.Into
		}
		total := map[uint64]int{}
		for g, k := range s.keys {
			if to, ok := into[k]; ok {
				if _, on := into[to]; on {
					r.Fatalf("key %d leads to %d, which leads on", k, to)
				}
				k = to
			}
			total[k] += s.size[g]
		}
		for k, n := range total {
			if n < least && len(total) > 1 {
				r.Fatalf("the group of key %d has %d records, asked for %d: %v", k, n, least, merged)
			}
		}
		if !slices.IsSortedFunc(merged, func(a, b Merge) int { return int(a.Key) - int(b.Key) }) {
			r.Fatalf("%v is not in order", merged)
		}
		if least == 1 && len(s.singletons()) == 0 && merged != nil {
			r.Fatalf("%v is merged though nothing is small", merged)
		}
	})
}

// TestLeastOfARelease: a release with a minimum permutes in groups of as many, and its plan can be read again.
func TestLeastOfARelease(t *testing.T) {
	tab := protecttest.Mixed(60)
	f := protecttest.Forest(tab)
	plan := fit(t, tab, f, map[string]string{"least": "5"})
	must.NoError(t, plan.Check())
	groups := must.Get(plan.Group(tab))(t)
	size := map[uint64]int{}
	for _, g := range groups {
		size[g]++
	}
	for g, n := range size {
		if n < 5 {
			t.Errorf("group %d has %d records", g, n)
		}
	}
	two, merge := fit(t, tab, f, map[string]string{"least": "2"}), fit(t, tab, f, map[string]string{"singletons": "merge"})
	if !slices.Equal(two.Merged, merge.Merged) {
		t.Errorf("least=2 merges %v, singletons=merge %v", two.Merged, merge.Merged)
	}
}
