package framework

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// two returns a table of continuous x, y and z with correlations that differ in two leaves, x <= 0 and x > 0, far from
// each other and from the ends of the domains, so that nothing is clipped; and its tree.
func two(t testing.TB, rows int) (*table.Table, *tree.Tree) {
	r := rand.New(rand.NewPCG(1, 2))
	var num [3][]float64
	class := make([]int32, rows)
	for i := range rows {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		side := float64(1 - 2*(i%2))
		num[0] = append(num[0], 100*side+5*a)
		num[1] = append(num[1], 30*side+2*(side*0.9*a+0.4*b))
		num[2] = append(num[2], a-b+0.1*c)
		class[i] = int32(i % 2)
	}
	var cols []table.Column
	for k, name := range []string{"x", "y", "z"} {
		c := table.NumColumn(name, 0, num[k])
		c.Domain, c.Declared = table.Interval{Lo: -1000, Hi: 1000}, true
		cols = append(cols, c)
	}
	c := table.CatColumn("class", []string{"a", "b"}, class)
	c.Role = table.Class
	tab := tabletest.Of(t, append(cols, c)...)
	tr := &tree.Tree{
		Attrs: tab.Attrs(),
		Class: 3,
		Nodes: []tree.Node{{Attr: 0, Kids: []int32{1, 2}}, {Attr: -1}, {Attr: -1}},
	}
	tr.Recount(tab)
	return tab, tr
}

// handed fits the technique to a tree handed over.
func handed(t testing.TB, tab *table.Table, tr *tree.Tree, set map[string]string) *ExtFrameworkPlan {
	q := NewExtFramework()
	must.NoError(t, q.Params().Apply(set))
	q.Tree = tr
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	return p.(*ExtFrameworkPlan)
}

// drift returns, over the leaves, the largest change of a mean, in standard deviations, and of a correlation or
// variance, as a share.
func drift(tab, out *table.Table, leaf []int32, leaves int) (mean, cov float64) {
	for l := range int32(leaves) {
		var rows []int
		for i := range leaf {
			if leaf[i] == l {
				rows = append(rows, i)
			}
		}
		a, b := tab.Gather(rows), out.Gather(rows)
		for j := range 3 {
			sd := stat.StdDev(a.Num(j), nil)
			mean = max(mean, math.Abs(stat.Mean(a.Num(j), nil)-stat.Mean(b.Num(j), nil))/sd)
			for k := range j + 1 {
				diff := stat.Covariance(a.Num(j), a.Num(k), nil) - stat.Covariance(b.Num(j), b.Num(k), nil)
				cov = max(cov, math.Abs(diff)/sd/stat.StdDev(a.Num(k), nil))
			}
		}
	}
	return mean, cov
}

// TestSectionSevenTwo: the moments of a leaf are kept, exactly by EGADP, whose values are off by half a step of a grid
// of 2^40 values across the domain at most, and up to the sampling error of the leaf's 500 records by GADP and C-GADP:
// 5 standard errors of a mean are 0.224, of a variance 0.316 (48 means and 96 covariances: false alarm 9e-5), and the
// interpolation of C-GADP adds 1/500.
func TestSectionSevenTwo(t *testing.T) {
	tab, tr := two(t, 1000)
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := handed(t, tab, tr, map[string]string{"technique": technique})
		for seed := range byte(4) {
			out := extFrameworkRelease(t, p, tab, seed)
			mean, cov := drift(tab, out, extFrameworkLeaves(tr, tab), 2)
			switch exact := technique == EGADP; {
			case exact && (mean > 1e-9 || cov > 1e-9):
				t.Errorf("EGADP: means are off by %v standard deviations, covariances by %v", mean, cov)
			case !exact && (mean > 0.226 || cov > 0.318 || mean < 1e-6):
				t.Errorf("%s: means are off by %v standard deviations, covariances by %v", technique, mean, cov)
			}
			same := 0
			for j := range 3 {
				for i, v := range out.Num(j) {
					if v == tab.Num(j)[i] {
						same++
					}
				}
			}
			if same > 3 {
				t.Errorf("%s: %d values are those of the original", technique, same)
			}
		}
	}
}

// With C-GADP the values of a leaf keep their distribution: the distance of Kolmogorov and Smirnov exceeds 3/sqrt(500)
// with probability 3e-8 for each of 6 columns, and interpolation adds 1/500. None lies outside those of the leaf.
func TestDistributionOfLeaf(t *testing.T) {
	tab, tr := two(t, 1000)
	leaf := extFrameworkLeaves(tr, tab)
	out := extFrameworkRelease(t, handed(t, tab, tr, map[string]string{"technique": CGADP}), tab, 1)
	for l := range int32(2) {
		for j := range 3 {
			var a, b []float64
			for i := range leaf {
				if leaf[i] == l {
					a, b = append(a, tab.Num(j)[i]), append(b, out.Num(j)[i])
				}
			}
			slices.Sort(a)
			slices.Sort(b)
			if d := stat.KolmogorovSmirnov(a, nil, b, nil); d > 3/math.Sqrt(500)+1.0/500 {
				t.Errorf("leaf %d, column %d: the distributions are %v apart", l, j, d)
			}
			if step := 2000.0 / (1 << 39); floats.Min(b) < floats.Min(a)-step || floats.Max(b) > floats.Max(a)+step {
				t.Errorf("leaf %d, column %d: values outside those of the leaf", l, j)
			}
		}
	}
}

// Half of the records are -1, half 1, the ends of the domain, so GADP draws standard normals. Clipped, a share of
// Phi(-1) = 0.1587 is at each end; drawn again, the law is that of the normal truncated at one standard deviation, with
// the variance 0.2911. Five standard errors of 4,000 records are 0.029 of the share and 0.021 of the variance, whose
// fourth moment is 0.153.
func TestOutside(t *testing.T) {
	const rows = 4000
	v, class := make([]float64, rows), make([]int32, rows)
	for i := range v {
		v[i] = float64(1 - 2*(i%2))
	}
	c := table.CatColumn("class", []string{"a"}, class)
	c.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("x", 0.001, v), c)
	clip := extFrameworkRelease(t, extFrameworkFit(t, tab, map[string]string{"technique": GADP}), tab, 1).Num(0)
	for _, technique := range []string{GADP, EGADP} {
		again := extFrameworkRelease(t,
			extFrameworkFit(t, tab, map[string]string{"technique": technique, "outside": fence.OutsideRedraw}), tab, 1).Num(0)
		if s := stat.Variance(again, nil); math.Abs(s-0.2911) > 0.021 {
			t.Errorf("%s, drawn again: variance %v", technique, s)
		}
		for i, v := range clip {
			if math.Abs(v) < 0.999 && technique == GADP && again[i] != v {
				t.Fatalf("row %d is drawn again though it was inside", i)
			}
		}
	}
	for _, end := range []float64{-1, 1} {
		if n := floats.Count(func(v float64) bool { return v == end }, clip); math.Abs(float64(n)/rows-0.1587) > 0.029 {
			t.Errorf("clipped: %d of %d records are at %v", n, rows, end)
		}
	}
}

// A small leaf is drawn by the moments of the leaves under its parent, inside its own range, and these keep theirs.
// Leaf x > 0 has 7 of 507 records: one less than 2k+2, and less than the 13 of EGADP.
func TestPooled(t *testing.T) {
	tab, tr := two(t, 1000)
	var rows []int
	for i := range 1000 {
		if i%2 == 1 || i < 14 {
			rows = append(rows, i)
		}
	}
	tab = tab.Gather(rows)
	tr.Recount(tab)
	need := map[string]int{GADP: 8, CGADP: 8, EGADP: 13}
	for _, technique := range []string{GADP, CGADP, EGADP} {
		for _, outside := range []string{fence.OutsideClip, fence.OutsideRedraw} {
			p := handed(t, tab, tr, map[string]string{"technique": technique, "outside": outside})
			if f := p.Facts; f.Pooled != (Count{1, 7}) || f.Noised.Leaves != 0 || f.Need != need[technique] ||
				!slices.Equal(p.Pools, []int32{0}) {
				t.Fatalf("pools %v, facts %+v", p.Pools, f)
			}
			out := extFrameworkRelease(t, p, tab, 1)
			near := 0
			for i := range tab.Rows() {
				if tab.Num(0)[i] > 0 && out.Num(0)[i] <= 0 {
					t.Errorf("%s: row %d left its leaf", technique, i)
				}
				if tab.Num(0)[i] > 0 && math.Abs(out.Num(1)[i]+30) < 15 { // 97 % of the pool is at y = -30, the small leaf at 30
					near++
				}
			}
			if near == 0 {
				t.Errorf("%s: the small leaf keeps moments of its own", technique)
			}
		}
	}
}

// Where no node has records enough, and with small=noise, the release is that of LINFAPT and LINNAPT with the same
// stream.
func TestNoise(t *testing.T) {
	tab, tr := two(t, 1000)
	few, _ := two(t, 7)
	for _, c := range []struct {
		tab *table.Table
		set map[string]string
	}{{few, nil}, {few, map[string]string{"technique": EGADP, "small": Noise, "outside": "redraw"}}} {
		p := handed(t, tab, tr, c.set) // a plan for many records is applied to few
		src := rng.New([32]byte{1})
		got := must.Get(p.Steps()[0].Apply(c.tab, src))(t)
		want, err := (&leafwise.LeafNoise{InLeaves: p.InLeaves, Cells: leafwise.AllCells, Noise: wrap.Noise{Spread: 33.33},
			Columns: []int{0, 1, 2}}).Apply(c.tab, src)
		must.NoError(t, err)
		for j := range 3 {
			if !slices.Equal(got.Num(j), want.Num(j)) {
				t.Errorf("column %d is %v, expected %v", j, got.Num(j), want.Num(j))
			}
		}
	}
}

// Columns named in except are a condition: the others keep their correlation with them, -0.9 and 0.9 in the two leaves
// and not 0, up to 5 standard errors of 500 records, and EGADP's covariances exactly.
func TestGiven(t *testing.T) {
	tab, tr := two(t, 1000)
	leaf := extFrameworkLeaves(tr, tab)
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := handed(t, tab, tr, map[string]string{"technique": technique, "except": "x"})
		need := map[string]int{GADP: 11, CGADP: 11, EGADP: 13}[technique]
		if !slices.Equal(p.Given, []int{0}) || !slices.Equal(p.Numeric, []int{1, 2}) || p.Facts.Need != need {
			t.Fatalf("given %v, regenerated %v, need %d", p.Given, p.Numeric, p.Facts.Need)
		}
		if r := p.Facts.Explained; math.Abs(r-0.81/0.97) > 0.06 ||
			!strings.Contains(strings.Join(message.Written(p.Notes()), "\n"), "left alone explain up to") {
			t.Errorf("the given column explains %v, notes %q", r, p.Notes())
		}
		out := extFrameworkRelease(t, p, tab, 1)
		if !slices.Equal(out.Num(0), tab.Num(0)) {
			t.Error("the given column changes")
		}
		mean, cov := drift(tab, out, leaf, 2)
		if cov > 0.318 || technique == EGADP && max(mean, cov) > 1e-9 {
			t.Errorf("%s: means are off by %v, covariances by %v", technique, mean, cov)
		}
	}
}

// What a leaf has one value of is released as it is, and only counts are told.
func TestConstantColumn(t *testing.T) {
	tab, tr := two(t, 1000)
	v := slices.Clone(tab.Num(2))
	for i := range v {
		if i%2 == 0 {
			v[i] = 7
		}
	}
	tab = tab.WithNum(2, v)
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := handed(t, tab, tr, map[string]string{"technique": technique})
		if f := p.Facts; f.Constant != (Count{1, 500}) {
			t.Fatalf("facts %+v", f)
		}
		out := extFrameworkRelease(t, p, tab, 1)
		for i, w := range out.Num(2) {
			if (i%2 == 0) != (w == 7) {
				t.Fatalf("%s: row %d is %v", technique, i, w)
			}
		}
	}
}
