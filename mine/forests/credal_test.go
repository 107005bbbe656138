package forests

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/mining/discretise"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestCredalConformance(t *testing.T) {
	minetest.Run(t, Credal)
	t.Run("two trees", func(t *testing.T) {
		minetest.Run(t, Credal, minetest.Set(map[string]string{"trees": "2", "s": "2.5", "voting": "majority"}))
	})
}

// dumb grows credal trees as Abellan & Moral 2003 tell it, record by record, with maps. A record's place in a tree is
// written down as the tests on its way with the codes it has there.
type dumb struct {
	s       float64
	codes   map[int][]int // by input column: a code per record
	class   []int32
	classes int
}

func (d *dumb) counts(rows []int) []float64 {
	f := make([]float64, d.classes)
	for _, i := range rows {
		f[d.class[i]]++
	}
	return f
}

func (d *dumb) divide(rows []int, j int) map[int][]int {
	by := map[int][]int{}
	for _, i := range rows {
		by[d.codes[j][i]] = append(by[d.codes[j][i]], i)
	}
	return by
}

func (d *dumb) gain(rows []int, j int) float64 {
	g := criterion.UpperEntropy(d.counts(rows), d.s)
	for _, part := range d.divide(rows, j) {
		g -= float64(len(part)) / float64(len(rows)) * criterion.UpperEntropy(d.counts(part), d.s)
	}
	return g
}

// ranked returns the columns of positive gain, the best first.
func (d *dumb) ranked(rows []int, tested []int) []int {
	var out []int
	gain := map[int]float64{}
	for _, j := range slices.Sorted(maps.Keys(d.codes)) {
		if gain[j] = d.gain(rows, j); gain[j] > 1e-12 && !slices.Contains(tested, j) {
			out = append(out, j)
		}
	}
	slices.SortStableFunc(out, func(x, y int) int {
		switch {
		case gain[x] > gain[y]+1e-11:
			return -1
		case gain[x] < gain[y]-1e-11:
			return 1
		}
		return 0
	})
	return out
}

// places notes where records go below a node that tests column j first.
func (d *dumb) places(out []string, rows []int, j int, tested []int) {
	if j < 0 {
		r := d.ranked(rows, tested)
		if len(r) == 0 {
			return
		}
		j = r[0]
	}
	for code, part := range d.divide(rows, j) {
		for _, i := range part {
			out[i] += strconv.Itoa(j) + "=" + strconv.Itoa(code) + " "
		}
		d.places(out, part, -1, append(slices.Clip(tested), j))
	}
}

// fill replaces missing values as training does.
func fill(tab *table.Table, rows []int) *table.Table {
	for j := range tab.Width() - 1 {
		if tab.Attr(j).Kind == table.Numeric {
			sum, n, v := 0.0, 0.0, slices.Clone(tab.Num(j))
			for _, i := range rows { // whole numbers: exact, or a filled record may fall on the other side of a cut
				if v[i] == v[i] {
					n++
					sum += v[i]
				}
			}
			for i := range v {
				if v[i] != v[i] && n > 0 {
					v[i] = sum / n
				}
			}
			tab = tab.WithNum(j, v)
			continue
		}
		c := slices.Clone(tab.Cat(j))
		count := make([]int, len(tab.Attr(j).Labels))
		for _, i := range rows {
			if c[i] >= 0 {
				count[c[i]]++
			}
		}
		mode := int32(slices.Index(count, slices.Max(count)))
		for i := range c {
			if c[i] < 0 {
				c[i] = mode
			}
		}
		tab = tab.WithCat(j, c)
	}
	return tab
}

// cutTwin cuts by the description length, trying every cut.
func cutTwin(p []discretise.Point, classes int) []float64 {
	spread := func(p []discretise.Point) (h, k float64) {
		f := make([]float64, classes)
		for _, x := range p {
			f[x.Class]++
		}
		for _, n := range f {
			if n > 0 {
				k++
			}
		}
		return criterion.Entropy(f), k
	}
	values := map[float64]bool{}
	for _, x := range p {
		values[x.Value] = true
	}
	v := slices.Sorted(maps.Keys(values))
	n, best := float64(len(p)), -1.0
	h, k := spread(p)
	var cut, need float64
	var low, high []discretise.Point
	for i := 1; i < len(v); i++ {
		var l, r []discretise.Point
		for _, x := range p {
			if x.Value < v[i] {
				l = append(l, x)
			} else {
				r = append(r, x)
			}
		}
		h1, k1 := spread(l)
		h2, k2 := spread(r)
		if gain := h - float64(len(l))/n*h1 - float64(len(r))/n*h2; gain > best+1e-10 {
			best, cut, low, high = gain, midway(v[i-1], v[i]), l, r
			need = (math.Log2(n-1) + math.Log2(math.Pow(3, k)-2) - (k*h - k1*h1 - k2*h2)) / n
		}
	}
	if len(v) < 2 || best <= need {
		return nil
	}
	return slices.Concat(cutTwin(low, classes), []float64{cut}, cutTwin(high, classes))
}

// midway lies between two values, and parts them: the mean of two neighbouring floats is one of them.
func midway(low, high float64) float64 {
	if m := (low + high) / 2; m < high {
		return m
	}
	return low
}

func credalDrawTable(t *rapid.T) *table.Table {
	rows, classes := rapid.IntRange(1, 120).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "classes")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	gaps := rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "gaps")
	class := make([]int32, rows)
	for i := range class {
		if class[i] = r.Int32N(int32(classes)); i > 0 && r.Float64() < gaps {
			class[i] = -1
		}
	}
	var cols []table.Column
	for j := range rapid.IntRange(0, 5).Draw(t, "attributes") {
		top, noise := rapid.IntRange(1, 30).Draw(t, "top"), r.Float64()
		num, cat := make([]float64, rows), make([]int32, rows)
		for i := range rows {
			v := r.IntN(top + 1)
			if r.Float64() > noise {
				v = min(top, int(max(0, class[i]))*5)
			}
			if num[i], cat[i] = float64(v), int32(v); r.Float64() < gaps {
				num[i], cat[i] = math.NaN(), -1
			}
		}
		if rapid.Bool().Draw(t, "numeric") {
			cols = append(cols, table.NumColumn("a"+strconv.Itoa(j), 1, num))
		} else {
			cols = append(cols, table.CatColumn("a"+strconv.Itoa(j), names(top+2), cat))
		}
	}
	return tabletest.Of(t, append(cols, table.CatColumn("class", names(classes), class))...)
}

// The forest's trees divide the records as the twin's do, by the same attributes, and count them.
func TestCredalLikeTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, l := credalDrawTable(t), CredalNew()
		l.S = rapid.SampledFrom([]float64{0.5, 1, 2}).Draw(t, "s")
		l.Trees = rapid.IntRange(0, 3).Draw(t, "trees")
		l.Workers = rapid.IntRange(1, 2).Draw(t, "workers")
		class := tab.Width() - 1
		d := &dumb{s: l.S, codes: map[int][]int{}, class: tab.Cat(class), classes: len(tab.Attr(class).Labels)}
		var rows []int
		for i, c := range d.class {
			if c >= 0 {
				rows = append(rows, i)
			}
		}
		got := must.Get(l.Grow(context.Background(), tab, class))(t)
		tab = fill(tab, rows)
		for j := range class {
			d.codes[j] = d.code(tab, j, rows)
		}
		roots := d.ranked(rows, nil)
		if l.Trees > 0 {
			roots = roots[:min(l.Trees, len(roots))]
		}
		if len(roots) == 0 {
			roots = []int{-1}
		}
		if len(got.Trees) != len(roots) {
			t.Fatalf("%d trees, expected %d", len(got.Trees), len(roots))
		}
		for k, root := range roots {
			places := make([]string, tab.Rows())
			d.places(places, rows, root, nil)
			compare(t, got.Trees[k], tab, rows, places)
		}
	})
}

// TestCredalDrawsAreNotDull looks at fixed draws: comparing with the twins shows something only on deep trees and
// several cuts.
func TestCredalDrawsAreNotDull(t *testing.T) {
	tables, clouds := rapid.Custom(credalDrawTable), rapid.Custom(drawPoints)
	deepest, most := 0, 0
	for seed := range 300 {
		tab := tables.Example(seed)
		f := must.Get(CredalNew().Grow(context.Background(), tab, tab.Width()-1))(t)
		for _, tr := range f.Trees {
			deepest = max(deepest, tr.Depth())
		}
		c := clouds.Example(seed)
		m := discretise.MDL{Points: slices.Clone(c.points), Terms: criterion.Terms(len(c.points)), Classes: c.classes}
		most = max(most, len(m.Cuts()))
	}
	if deepest < 4 || most < 2 {
		t.Errorf("the deepest tree has depth %d and an attribute has at most %d cuts: the draws are too dull", deepest, most)
	}
}

// code returns the codes of a column: categories, or the intervals of its cuts.
func (d *dumb) code(tab *table.Table, j int, rows []int) []int {
	out := make([]int, tab.Rows())
	if tab.Attr(j).Kind == table.Categorical {
		for i, c := range tab.Cat(j) {
			out[i] = int(c)
		}
		return out
	}
	var p []discretise.Point
	for _, i := range rows {
		if v := tab.Num(j)[i]; v == v {
			p = append(p, discretise.Point{Value: v, Class: d.class[i]})
		}
	}
	for _, cut := range cutTwin(p, d.classes) {
		for i, v := range tab.Num(j) {
			if v > cut {
				out[i]++
			}
		}
	}
	return out
}

// compare checks that two records share a leaf just when they share a place, that leaves have their records' class
// counts and label, and inner nodes the sums.
func compare(t *rapid.T, tr *tree.Tree, tab *table.Table, rows []int, places []string) {
	leaf := make([]int32, tab.Rows())
	tr.Route(tab, leaf)
	leafAt, placeAt := map[string]int32{}, map[int32]string{}
	for _, i := range rows {
		if l, ok := leafAt[places[i]]; ok && l != leaf[i] {
			t.Fatalf("place %q is divided\n%s", places[i], tr.Text())
		}
		if p, ok := placeAt[leaf[i]]; ok && p != places[i] {
			t.Fatalf("places %q and %q share a leaf\n%s", p, places[i], tr.Text())
		}
		leafAt[places[i]], placeAt[leaf[i]] = leaf[i], places[i]
	}
	recounted := &tree.Tree{Attrs: tr.Attrs, Class: tr.Class, Nodes: slices.Clone(tr.Nodes)}
	recounted.Recount(tab)
	for k := range tr.Nodes {
		n := &tr.Nodes[k]
		if !slices.Equal(n.Counts, recounted.Nodes[k].Counts) {
			t.Fatalf("node %d counts %v, expected %v", k, n.Counts, recounted.Nodes[k].Counts)
		}
		if n.Weight() > 0 && n.Counts[n.Label] != slices.Max(n.Counts) {
			t.Fatalf("node %d has counts %v, label %d", k, n.Counts, n.Label)
		}
		for b, kid := range n.Kids {
			if w, most := tr.Nodes[kid].Weight(), tr.Nodes[n.Kids[n.Heavy]].Weight(); w > most || w == most && b < int(n.Heavy) {
				t.Fatalf("node %d: branch %d is heavier than %d, or as heavy and before it", k, b, n.Heavy)
			}
		}
	}
}

// Cuts are those of trying all.
func TestCutsLikeTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		c := drawPoints(t)
		p, classes := c.points, c.classes
		m := discretise.MDL{Points: slices.Clone(p), Terms: criterion.Terms(len(p)), Classes: classes}
		got, want := m.Cuts(), cutTwin(p, classes)
		if !slices.Equal(got, want) {
			t.Fatalf("cuts %v, expected %v", got, want)
		}
	})
}

// cloud is the values of one attribute with their classes.
type cloud struct {
	points  []discretise.Point
	classes int
}

// drawPoints draws values whose class changes with them, but for some noise.
func drawPoints(t *rapid.T) cloud {
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	p := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) discretise.Point {
		v := rapid.IntRange(0, 20).Draw(t, "v")
		c := min(classes-1, v/4)
		if rapid.IntRange(0, 5).Draw(t, "noise") == 0 {
			c = rapid.IntRange(0, classes-1).Draw(t, "class")
		}
		return discretise.Point{Value: float64(v), Class: int32(c)}
	}), 1, 150).Draw(t, "points")
	return cloud{p, classes}
}

// The tests of one attribute's eight intervals are halved: three on every way, with the seven cuts between the values.
func TestNest(t *testing.T) {
	v, class := make([]float64, 800), make([]int32, 800)
	for i := range v {
		v[i], class[i] = float64(i%8), int32(i%8)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 1, v), table.CatColumn("class", names(8), class))
	f := must.Get(CredalNew().Grow(context.Background(), tab, 1))(t)
	want := `x <= 3.5:
|   x <= 1.5:
|   |   x <= 0.5: 0 (100)
|   |   x > 0.5: 1 (100)
|   x > 1.5:
|   |   x <= 2.5: 2 (100)
|   |   x > 2.5: 3 (100)
x > 3.5:
|   x <= 5.5:
|   |   x <= 4.5: 4 (100)
|   |   x > 4.5: 5 (100)
|   x > 5.5:
|   |   x <= 6.5: 6 (100)
|   |   x > 6.5: 7 (100)
`
	if got := f.Trees[0].Text(); got != want || len(f.Trees) != 1 {
		t.Errorf("%d trees, the first\n%s expected\n%s", len(f.Trees), got, want)
	}
}
