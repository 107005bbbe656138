package forestframework

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// randomForest grows C4.5 trees that each do without some attribute.
func randomForest(r *rapid.T, t *table.Table) *tree.Forest {
	f := &tree.Forest{}
	for k := range rapid.IntRange(1, 4).Draw(r, "trees") {
		l := c45.New()
		l.MinLeaf, l.NoPrune = rapid.IntRange(1, 4).Draw(r, "minLeaf"), rapid.Bool().Draw(r, "noPrune")
		var without []int
		if k > 0 {
			without = append(without, rapid.IntRange(0, t.Width()-2).Draw(r, "without"))
		}
		tr := must.Get(l.Grow(context.Background(), t, t.Width()-1, without...))(r)
		f.Trees = append(f.Trees, tr)
	}
	return f
}

func fit(t rapid.TB, tab *table.Table, f *tree.Forest, set map[string]string) *Plan {
	q := New()
	q.Forest = f
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	return p.(*Plan)
}

func release(t rapid.TB, p protect.Plan, tab *table.Table, seed byte) *table.Table {
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{seed}), protect.Options{Chunk: 17}))(t)
	return out
}

// TestEveryRecordStays is the technique's promise: every record is in its original leaf of every tree, every number
// inside the conditions on its record's ways, every intersection has its original categories and every leaf its
// original classes.
func TestEveryRecordStays(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		f := randomForest(r, tab)
		p := fit(r, tab, f,
			map[string]string{"spread": rapid.SampledFrom([]string{"33.33", "0.001", "1000"}).Draw(r, "spread")})
		out := release(r, p, tab, byte(rapid.IntRange(0, 255).Draw(r, "seed")))
		was, is := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		for k, tr := range f.Trees {
			tr.Route(tab, was)
			tr.Route(out, is)
			if !slices.Equal(was, is) {
				t.Fatalf("tree %d: leaves %v, after the release %v", k, was, is)
			}
			in := leafwise.InLeaves{Tree: tr}
			if !slices.EqualFunc(in.Count(tab, was), in.Count(out, is), slices.Equal) {
				t.Fatalf("tree %d: class counts %v, after the release %v", k, in.Count(tab, was), in.Count(out, is))
			}
		}
		for j := range tab.Width() {
			if tab.Attr(j).Kind == table.Categorical {
				if a, b := hands(f, tab, j), hands(f, out, j); fmt.Sprint(a) != fmt.Sprint(b) {
					t.Fatalf("column %d: codes by intersection %v, after the release %v", j, a, b)
				}
			}
		}
		conditions(t, f, tab, out)
	})
}

// hands returns, by intersection, the sorted codes of column j.
func hands(f *tree.Forest, tab *table.Table, j int) map[string][]int32 {
	out := map[string][]int32{}
	for i, at := range tuples(f, tab) {
		out[at] = append(out[at], tab.Cat(j)[i])
	}
	for _, codes := range out {
		slices.Sort(codes)
	}
	return out
}

// tuples names the leaves of every record, one per tree: the definition of an intersection.
func tuples(f *tree.Forest, tab *table.Table) []string {
	out := make([]string, tab.Rows())
	leaf := make([]int32, tab.Rows())
	for _, tr := range f.Trees {
		tr.Route(tab, leaf)
		for i, l := range leaf {
			out[i] += fmt.Sprint(l, "+")
		}
	}
	return out
}

// conditions checks every released number against every test on the way of its original record, without intervals.
func conditions(t *testing.T, f *tree.Forest, tab, out *table.Table) {
	t.Helper()
	for k, tr := range f.Trees {
		for i := range tab.Rows() {
			for n := &tr.Nodes[0]; !n.Leaf(); {
				kid := n.Heavy
				if n.Branch == nil {
					v, w := tab.Num(n.Attr)[i], out.Num(n.Attr)[i]
					if v <= n.Cut {
						kid = 0
					} else if v > n.Cut {
						kid = 1
					}
					if v == v && (w <= n.Cut) != (kid == 0) {
						t.Fatalf("tree %d, record %d: %v becomes %v, over the cut %v", k, i, v, w, n.Cut)
					}
				} else if c := tab.Cat(n.Attr)[i]; c >= 0 && n.Branch[c] >= 0 {
					kid = n.Branch[c]
				}
				n = &tr.Nodes[n.Kids[kid]]
			}
		}
	}
}

// TestOneTree checks that a forest of one tree perturbs numbers exactly as LINFAPT and LINNAPT together do.
func TestOneTree(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		f := randomForest(r, tab)
		f.Trees = f.Trees[:1]
		p := fit(r, tab, f, nil)
		alone := &leafwise.LeafNoise{
			InLeaves: leafwise.InLeaves{Tree: f.Trees[0]},
			Cells:    leafwise.AllCells,
			Noise:    wrap.Noise{Spread: p.Spread},
		}
		alone.Select(p.Numeric)
		src := rng.New([32]byte{1})
		got := must.Get(p.Steps()[0].Apply(tab, src))(t)
		want := must.Get(alone.Apply(tab, src))(t)
		for _, j := range p.Numeric {
			if fmt.Sprint(got.Num(j)) != fmt.Sprint(want.Num(j)) {
				t.Fatalf("column %d: %v, expected %v", j, got.Num(j), want.Num(j))
			}
		}
	})
}

// TestSample checks that a forest grown on a sample, by either builder, is counted on all records, that the seed
// decides it, and that the parameters are left as they are.
func TestSample(t *testing.T) {
	tab := generate.CR(3000, rng.New([32]byte{1}))
	for _, builder := range []string{"sysfor", "credal"} {
		q := New()
		q.Builder, q.FitRows, q.MinLeaf = builder, 500, 60
		f := must.Get(q.Segment(context.Background(), tab, rng.New([32]byte{1})))(t)
		for k, tr := range f.Trees {
			if w := tr.Nodes[0].Weight(); w != 3000 {
				t.Errorf("%s: tree %d counts %v records, expected 3000", builder, k, w)
			}
		}
		again, err := q.Segment(context.Background(), tab, rng.New([32]byte{1}))
		if err != nil || !f.Equal(again) {
			t.Errorf("%s: the same seed grows another forest, error %v", builder, err)
		}
		if q.MinLeaf != 60 || q.Forest != nil {
			t.Errorf("%s: growing changes the parameters to %+v", builder, q.Intersections)
		}
	}
}

// TestForestOfAnotherTable checks that a forest handed over must fit the table.
func TestForestOfAnotherTable(t *testing.T) {
	q := New()
	q.Forest = protecttest.Forest(protecttest.Mixed(20))
	if _, err := q.Fit(context.Background(), generate.CR(20, rng.New([32]byte{1})), rng.New([32]byte{1})); err == nil {
		t.Error("a forest of another table is accepted")
	}
}
