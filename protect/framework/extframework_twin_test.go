package framework

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// twin is step 1 with values clipped, record by record and without regard to cost.
type twin struct {
	p     *ExtFrameworkPlan
	t     *table.Table
	leaf  []int32
	noise *leafwise.LeafNoise
}

// above returns the sets of leaves under the nodes above a leaf, from its parent up, as long as they are in a pool.
func (w *twin) above(leaf int32) [][]int32 {
	number := map[int32]int32{}
	for l, n := range w.p.Tree.Leaves() {
		number[n] = int32(l)
	}
	under := map[int32][]int32{}
	var nodes []int32
	pooled := map[int32]bool{}
	w.p.Tree.Walk(func(path []tree.Step, n int32) {
		if pooled[n] = slices.Contains(w.p.Pools, n); len(path) > 0 {
			pooled[n] = pooled[n] || pooled[path[len(path)-1].Node]
		}
		l, ok := number[n]
		if !ok {
			return
		}
		for _, s := range path {
			under[s.Node] = append(under[s.Node], l)
			if l == leaf {
				nodes = append([]int32{s.Node}, nodes...)
			}
		}
	})
	var out [][]int32
	for _, n := range nodes {
		if pooled[n] {
			out = append(out, under[n])
		}
	}
	return out
}

// rows returns the records of the leaves, by leaf and identity.
func (w *twin) rows(of ...int32) []int {
	var out []int
	for _, l := range of {
		var rows []int
		for i := range w.leaf {
			if w.leaf[i] == l {
				rows = append(rows, i)
			}
		}
		slices.SortFunc(rows, func(a, b int) int { return int(w.t.ID(a)) - int(w.t.ID(b)) })
		out = append(out, rows...)
	}
	return out
}

// value returns the value of a column that counts: one outside its cell counts as the end.
func (w *twin) value(j, i int) float64 {
	d := w.p.Tree.Attrs[j].Domain
	lo, hi := d.Lo, d.Hi
	if c, ok := w.noise.Domain(j, int(w.leaf[i])); ok {
		lo, hi = c.Limits()
	}
	return math.Min(math.Max(w.t.Num(j)[i], lo), hi)
}

// need is how many records it takes to have moments.
func (w *twin) need() int {
	k, q := len(w.p.Numeric), len(w.p.Given)
	if w.p.Technique == EGADP {
		return max(2*k+5*q+2, 10+k+q)
	}
	return 2*k + 5*q + 2
}

// joint returns the columns that records have moments of.
func (w *twin) joint(rows []int) []int {
	need := w.need()
	var out []int
	shared := func(j, k int) (n int) {
		for _, i := range rows {
			if !w.t.MissingAt(i, j) && !w.t.MissingAt(i, k) {
				n++
			}
		}
		return n
	}
	for _, j := range slices.Concat(w.p.Numeric, w.p.Given) {
		if shared(j, j) >= need {
			out = append(out, j)
		}
	}
	for _, j := range out {
		for _, k := range out {
			if shared(j, k) < need {
				return nil
			}
		}
	}
	if !slices.ContainsFunc(out, func(j int) bool { return slices.Contains(w.p.Numeric, j) }) {
		return nil
	}
	return out
}

// release returns what is released in the numeric columns.
func (w *twin) release(t *rapid.T, src rng.Source) map[int][]float64 {
	out, z := map[int][]float64{}, map[int][]float64{}
	noised := must.Get(w.noise.Apply(w.t, src))(t)
	for _, j := range w.p.Numeric {
		out[j], z[j] = slices.Clone(noised.Num(j)), make([]float64, w.t.Rows())
		ids, first := w.t.IDs()
		rng.Normals(src.Fork(w.t.Attr(j).Name).Stream(), z[j], ids, first)
	}
	for l := range int32(len(w.p.Tree.Leaves())) {
		own := w.rows(l)
		rows, joint := own, w.joint(own)
		for _, under := range w.above(l) {
			if joint == nil {
				rows = w.rows(under...)
				joint = w.joint(rows)
			}
		}
		if joint != nil && len(own) > 0 {
			w.draw(t, own, rows, joint, z, out)
		}
	}
	return out
}

// draw writes the records of a leaf, drawn by the moments of rows.
func (w *twin) draw(t *rapid.T, own, rows, joint []int, z, out map[int][]float64) {
	var u, normals, y [][]float64
	for _, j := range joint {
		var x, e []float64
		for _, i := range rows {
			x = append(x, w.value(j, i))
			if v := 0.0; slices.Contains(w.p.Numeric, j) {
				if slices.Contains(own, i) {
					v = z[j][i]
				}
				e = append(e, v)
			}
		}
		u = append(u, x)
		if e != nil {
			normals, y = append(normals, e), append(y, make([]float64, len(e)))
		}
	}
	whole := 0
	for r := range rows {
		if !slices.ContainsFunc(u, func(x []float64) bool { return x[r] != x[r] }) {
			whole++
		}
	}
	replace := func(_ *mmap.Space, y, u, z [][]float64, dial []float64) error {
		return gadp.GADPReplace(y, u, z, dial)
	}
	switch {
	case w.p.Technique == CGADP:
		replace = gadp.CGADPReplace
	case w.p.Technique == EGADP && len(own) == len(rows) && whole >= w.need():
		replace = gadp.EGADPReplace
	}
	must.NoError(t, replace(nil, y, u, normals, make([]float64, len(y))))
	for k := range y {
		j := joint[k]
		for r, i := range rows {
			if slices.Contains(own, i) {
				d, _ := w.noise.Domain(j, int(w.leaf[i]))
				out[j][i] = d.Clip(y[k][r])
			}
		}
	}
}

// Step 1 releases, digit for digit, what its twin does: with small leaves pooled and not, given columns, missing
// values, records in any order.
func TestTwin(t *testing.T) {
	pooled, noised, sparse := 0, 0, 0
	long.Check(t, func(r *rapid.T) {
		tab, set := protecttest.RandomTable(r), extFrameworkRandomSettings(r)
		set["outside"], set["except"] = "clip", rapid.SampledFrom([]string{"", "n0"}).Draw(r, "except")
		p := extFrameworkFit(r, tab, set)
		pooled, noised, sparse = pooled+p.Facts.Pooled.Leaves, noised+p.Facts.Noised.Leaves, sparse+p.Facts.Sparse.Leaves
		if len(p.Numeric) == 0 {
			return
		}
		tab = tab.Gather(rapid.Permutation(count(tab.Rows())).Draw(r, "order"))
		w := &twin{
			p:    p,
			t:    tab,
			leaf: extFrameworkLeaves(p.Tree, tab),
			noise: &leafwise.LeafNoise{InLeaves: p.InLeaves, Cells: leafwise.AllCells,
				Noise: wrap.Noise{Spread: p.Spread}, Columns: p.Numeric},
		}
		src := rng.New([32]byte{3})
		want := w.release(r, src)
		got := must.Get(p.Steps()[0].Apply(tab, src))(r)
		for _, j := range p.Numeric {
			for i, v := range got.Num(j) {
				if v != want[j][i] && (v == v || want[j][i] == want[j][i]) {
					r.Fatalf("column %q, row %d of leaf %d is %v, expected %v (%s)", tab.Attr(j).Name, i, w.leaf[i], v, want[j][i],
						set["technique"])
				}
			}
		}
	})
	t.Logf("%d leaves were pooled, %d got noise, %d in a column", pooled, noised, sparse)
}

func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
