package reconstructedtree

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// twin says what every node must be by estimating every conjunction over all records anew.
type twin struct {
	l      *Learner
	t      *table.Table
	groups []transition.Group
	class  int
	n      float64 // records with a class
}

// share returns the estimated number of records that have the values and the class.
func (w *twin) share(when []transition.Value, class int32) float64 {
	s := transition.Conjunction(w.t, w.groups, append(slices.Clone(when), transition.Value{Column: w.class, Code: class}))
	return s.Share * float64(s.Records)
}

// counts returns the estimated class counts of a node, none negative, and their sum before 0 was put for negative ones.
func (w *twin) counts(when []transition.Value) ([]float64, float64) {
	out := make([]float64, len(w.t.Attr(w.class).Labels))
	for c := range out {
		out[c] = w.share(when, int32(c))
	}
	return transition.Clip(out), floats.Sum(out)
}

// gain returns the gain of a test of column j and whether it divides the node.
func (w *twin) gain(when []transition.Value, j int, size float64) (gain float64, divides bool) {
	var branches [][]float64
	known, occupied := 0.0, 0
	for v := range w.t.Attr(j).Labels {
		counts, _ := w.counts(append(slices.Clone(when), transition.Value{Column: j, Code: int32(v)}))
		branches = append(branches, counts)
		if n := floats.Sum(counts); n > nothing*w.n {
			known, occupied = known+n, occupied+1
		}
	}
	return criterion.Of(branches).Gain * min(1, known/size), occupied > 1
}

const mrrClose = 1e-7 // that sums in another order may differ

// check compares a node and those below it. What hangs on less than rounding is left open.
func (w *twin) check(t *rapid.T, tr *tree.Tree, at int32, when []transition.Value, free []int) {
	n := &tr.Nodes[at]
	counts, size := w.counts(when)
	for c := range counts {
		if math.Abs(counts[c]-n.Counts[c]) > mrrClose {
			t.Fatalf("node %d at %v: counts %v, expected %v", at, when, n.Counts, counts)
		}
	}
	top, all := slices.Max(counts), floats.Sum(counts)
	if size > mrrClose && counts[n.Label] < top-mrrClose {
		t.Fatalf("node %d at %v: label %d of counts %v", at, when, n.Label, counts)
	}
	size = min(size, w.n)
	least := max(w.l.MinRecords, w.l.MinShare/100*w.n)
	if math.Abs(size) < mrrClose || math.Abs(size-least) < mrrClose || math.Abs(top-(1-w.l.Delta)*all) < mrrClose {
		return
	}
	stops := size < 0 || size < least || top > (1-w.l.Delta)*all
	best := math.Inf(-1)
	for _, j := range free {
		if gain, divides := w.gain(when, j, size); divides && !stops {
			best = max(best, gain)
		}
	}
	if n.Leaf() != math.IsInf(best, -1) {
		t.Fatalf("node %d at %v is a leaf: %v, size %v of least %v, counts %v, best gain %v", at, when, n.Leaf(), size,
			least, counts, best)
	}
	if n.Leaf() {
		return
	}
	if got, _ := w.gain(when, n.Attr, size); math.Abs(got-best) > mrrClose {
		t.Fatalf("node %d at %v tests column %d of gain %v, the best is %v", at, when, n.Attr, got, best)
	}
	free = slices.DeleteFunc(slices.Clone(free), func(j int) bool { return j == n.Attr })
	for v, k := range n.Branch {
		below := append(slices.Clone(when), transition.Value{Column: n.Attr, Code: int32(v)})
		if _, size := w.counts(below); size > mrrClose {
			w.check(t, tr, n.Kids[k], below, free)
		} else if kid := &tr.Nodes[n.Kids[k]]; size < -mrrClose &&
			(!kid.Leaf() || kid.Label != n.Label || floats.Sum(kid.Counts) > 0) {
			t.Fatalf("node %d at %v: the branch %d is empty and has %+v", at, when, v, kid)
		}
	}
}

// root compares what the learner estimates of every division of all records.
func (w *twin) root(t *rapid.T) {
	g := newGrower(t.Context(), w.t, w.class, w.groups)
	classes := len(w.t.Attr(w.class).Labels)
	for j := range w.class {
		for k, got := range g.estimate(g.members(), 0, j) {
			if want := w.share([]transition.Value{{Column: j, Code: int32(k / classes)}}, int32(k%classes)); math.Abs(
				got-want,
			) > mrrClose {
				t.Fatalf("column %d, value %d, class %d: %v, expected %v", j, k/classes, k%classes, got, want)
			}
		}
	}
}

// The tree is what conjunctions say that are estimated one by one over all records, for groups with the class and
// without, no group at all, attributes of more categories, and missing values.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(1, 60).Draw(r, "rows")
		sizes := []int{2, 2, 2, 2, 3, rapid.IntRange(2, 3).Draw(r, "classes")}
		var cols []table.Column
		for j, k := range sizes {
			codes := make([]int32, rows)
			for i := range codes {
				codes[i] = int32(rapid.IntRange(-1, 4*k).Draw(r, "code"))
				if codes[i] >= 0 {
					codes[i] %= int32(k)
				}
			}
			cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"x", "y", "z"}[:k], codes))
		}
		cols[5].Role, cols[5].Cat[0] = table.Class, 0
		tab := tabletest.Of(r, cols...)
		l := New()
		l.MinShare, l.MinRecords, l.Delta = 0, float64(rapid.IntRange(0, 6).Draw(r, "least")), 0.1
		choices := []string{"a+b=0.8", "c=0.1", "d+a=0.7,b+c=0.9", "a=1,b=0", "a+b+c+d=0.75"}
		if sizes[5] == 2 {
			choices = append(choices, "a+f=0.8", "f=0.7", "f+a+b+c+d=0.9", "a+b=0.8,f+c=0.9")
		}
		must.NoError(r, l.Params().Apply(map[string]string{"groups": rapid.SampledFrom(choices).Draw(r, "groups")}))
		groups := must.Get(l.groups(tab))(r)
		tr := grown(t, l, tab)
		w := &twin{l: l, t: tab, groups: groups, class: 5}
		for _, c := range tab.Cat(5) {
			if c >= 0 {
				w.n++
			}
		}
		w.root(r)
		w.check(r, tr, 0, nil, []int{0, 1, 2, 3, 4})
	})
}
