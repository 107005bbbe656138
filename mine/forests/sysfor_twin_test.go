package forests

import (
	"context"
	"math"
	"slices"
	"sort"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// sysForTwin chooses the tests of SysFor as Islam & Giggins 2011 tell it, cut by cut and record by record.
type sysForTwin struct {
	*SysForLearner
	t       *table.Table
	minLeaf float64
}

// share is a record with the part of it that counts.
type share struct {
	row int
	w   float64
}

func (d *sysForTwin) class() int { return d.t.Width() - 1 }

// split divides records by a test; those with a missing value are in the last group.
func (d *sysForTwin) split(s []share, j int, cut float64) [][]share {
	branches := 2
	if d.t.Attr(j).Kind == table.Categorical {
		branches = len(d.t.Attr(j).Labels)
	}
	groups := make([][]share, branches+1)
	for _, r := range s {
		k := branches
		if d.t.MissingAt(r.row, j) {
		} else if d.t.Attr(j).Kind == table.Categorical {
			k = int(d.t.Cat(j)[r.row])
		} else if k = 0; d.t.Num(j)[r.row] > cut {
			k = 1
		}
		groups[k] = append(groups[k], r)
	}
	return groups
}

func (d *sysForTwin) counts(s []share) []float64 {
	f := make([]float64, len(d.t.Attr(d.class()).Labels))
	for _, r := range s {
		f[d.t.Cat(d.class())[r.row]] += r.w
	}
	return f
}

func weight(s []share) (w float64) {
	for _, r := range s {
		w += r.w
	}
	return w
}

// ratio returns the gain ratio of a test and whether two branches have minLeaf records.
func (d *sysForTwin) ratio(s []share, j int, cut float64) (float64, bool) {
	groups := d.split(s, j, cut)
	var known []share
	for _, g := range groups[:len(groups)-1] {
		known = append(known, g...)
	}
	gain := criterion.Spread(d.counts(known))
	var sizes []float64
	large := 0
	for k, g := range groups {
		sizes = append(sizes, weight(g))
		if k == len(groups)-1 {
			break
		}
		gain -= criterion.Spread(d.counts(g))
		if weight(g) >= d.minLeaf {
			large++
		}
	}
	info := criterion.Spread(sizes)
	if large < 2 || info <= 0 {
		return 0, false
	}
	return float64(max(0, gain)) / float64(info), true
}

// cuts returns all cuts of a numeric attribute.
func (d *sysForTwin) cuts(s []share, j int) []float64 {
	var v []float64
	for _, r := range s {
		if !d.t.MissingAt(r.row, j) {
			v = append(v, d.t.Num(j)[r.row])
		}
	}
	slices.Sort(v)
	v = slices.Compact(v)
	var out []float64
	for k := 1; k < len(v); k++ {
		out = append(out, (v[k-1]+v[k])/2)
	}
	return out
}

// good lists the good tests of some records.
func (d *sysForTwin) good(s []share) []test {
	var found []test
	for j := range d.class() {
		if d.t.Attr(j).Kind == table.Categorical {
			if r, ok := d.ratio(s, j, 0); ok {
				found = append(found, test{j, 0, r})
			}
			continue
		}
		lo, hi := table.Range(d.t.Num(j))
		var open []test
		for _, cut := range d.cuts(s, j) {
			if r, ok := d.ratio(s, j, cut); ok {
				open = append(open, test{j, cut, r})
			}
		}
		for len(open) > 0 {
			best := open[0]
			for _, c := range open {
				if c.ratio > best.ratio {
					best = c
				}
			}
			found = append(found, best)
			open = slices.DeleteFunc(open, func(c test) bool { return math.Abs(c.cut-best.cut)/(hi-lo) <= d.Separation })
		}
	}
	found = slices.DeleteFunc(found, func(c test) bool { return c.ratio < d.MinGainRatio })
	sort.SliceStable(found, func(x, y int) bool { return found[x].ratio > found[y].ratio })
	return slices.DeleteFunc(slices.Clone(found), func(c test) bool { return found[0].ratio-c.ratio > d.Goodness })
}

// skeletons returns the forced tests of the forest's trees, in order.
func (d *sysForTwin) skeletons(s []share) (out []*c45.Test) {
	good := d.good(s)
	if len(good) == 0 {
		return []*c45.Test{nil}
	}
	for i := 0; i < len(good) && len(out) < d.Trees; i++ {
		out = append(out, &c45.Test{Attr: good[i].attr, Cut: good[i].cut})
	}
	for i := 0; i < len(good) && len(out) < d.Trees; i++ {
		branches := d.branches(s, good[i])
		var goods [][]test
		sum, all := 0.0, 0.0
		for _, b := range branches {
			goods = append(goods, d.good(b))
			sum += float64(len(goods[len(goods)-1])) * weight(b)
			all += weight(b)
		}
		for x := 1; x <= int(math.Floor(sum/all)) && len(out) < d.Trees; x++ {
			root := &c45.Test{Attr: good[i].attr, Cut: good[i].cut}
			for _, g := range goods {
				below := &c45.Test{Attr: -1}
				if len(g) > x {
					below = &c45.Test{Attr: g[x].attr, Cut: g[x].cut}
				} else if len(g) > 0 {
					below = &c45.Test{Attr: g[0].attr, Cut: g[0].cut}
				}
				root.Below = append(root.Below, below)
			}
			out = append(out, root)
		}
	}
	return out
}

// branches returns the records below a test; those with a missing value are shared out.
func (d *sysForTwin) branches(s []share, root test) [][]share {
	groups := d.split(s, root.attr, root.cut)
	missing, groups := groups[len(groups)-1], groups[:len(groups)-1]
	known := 0.0
	for _, g := range groups {
		known += weight(g)
	}
	out := slices.Clone(groups)
	for k, g := range groups {
		for _, r := range missing {
			if w := math.RoundToEven(r.w*(weight(g)/known)*(1<<24)) / (1 << 24); w > 0 {
				out[k] = append(slices.Clip(out[k]), share{r.row, w})
			}
		}
	}
	return out
}

func sysForDrawTable(t *rapid.T) *table.Table {
	rows, classes := rapid.IntRange(1, 80).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "classes")
	gaps := rapid.SampledFrom([]int{0, 0, 10}).Draw(t, "gaps")
	missing := func() bool { return rapid.IntRange(1, 100).Draw(t, "missing") <= gaps }
	class := make([]int32, rows)
	for i := range class {
		class[i] = int32(rapid.IntRange(0, classes-1).Draw(t, "class"))
		if i > 0 && missing() {
			class[i] = -1
		}
	}
	var cols []table.Column
	for j := range rapid.IntRange(0, 4).Draw(t, "attributes") {
		name, top := "a"+strconv.Itoa(j), rapid.IntRange(1, 12).Draw(t, "top")
		noise := rapid.IntRange(0, 4).Draw(t, "noise")
		num, cat := make([]float64, rows), make([]int32, rows)
		for i := range rows {
			v := rapid.IntRange(0, top).Draw(t, "v")
			if rapid.IntRange(0, 4).Draw(t, "like the class") > noise {
				v = min(top, int(max(0, class[i]))*4)
			}
			num[i], cat[i] = float64(v), int32(v)
			if missing() {
				num[i], cat[i] = math.NaN(), -1
			}
		}
		if rapid.Bool().Draw(t, "numeric") {
			cols = append(cols, table.NumColumn(name, 1, num))
		} else {
			cols = append(cols, table.CatColumn(name, names(top+2), cat))
		}
	}
	return tabletest.Of(t, append(cols, table.CatColumn("class", names(classes), class))...)
}

func names(n int) (s []string) {
	for i := range n {
		s = append(s, strconv.Itoa(i))
	}
	return s
}

// The forest's trees begin with the tests that the twin chooses and agree in every node below.
func TestSysForLikeTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, l := sysForDrawTable(t), SysForNew()
		l.Trees = rapid.IntRange(1, 12).Draw(t, "trees")
		l.Goodness = rapid.SampledFrom([]float64{0, 0.1, 0.3, 0.5, 1}).Draw(t, "goodness")
		l.Separation = rapid.SampledFrom([]float64{0, 0.1, 0.25, 0.3, 1}).Draw(t, "separation")
		l.MinGainRatio = rapid.SampledFrom([]float64{0, 0.01, 0.2, 0.4}).Draw(t, "minGainRatio")
		l.CF = rapid.SampledFrom([]float64{25, 100}).Draw(t, "cf")
		l.MinLeaf = rapid.IntRange(1, 5).Draw(t, "minLeaf")
		l.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		got := must.Get(l.Grow(context.Background(), tab, tab.Width()-1))(t)
		d := &sysForTwin{l, tab, float64(l.MinLeaf)}
		var all []share
		for r, c := range tab.Cat(tab.Width() - 1) {
			if c >= 0 {
				all = append(all, share{r, 1})
			}
		}
		want := d.skeletons(all)
		if len(got.Trees) != len(want) {
			t.Fatalf("%d trees, expected %d", len(got.Trees), len(want))
		}
		c := c45.New()
		c.CF, c.MinLeaf = l.CF, l.MinLeaf
		data := must.Get(c.Code(context.Background(), tab, tab.Width()-1))(t)
		for k, root := range want {
			tr := must.Get(data.Grow(root))(t)
			if diff := cmp.Diff(tr.Nodes, got.Trees[k].Nodes); diff != "" {
				t.Fatalf("tree %d: twin -, forest +\n%s", k, diff)
			}
		}
	})
}

// TestSysForDrawsAreNotDull looks at fixed draws: comparing with the twin shows something only on several trees of both
// levels.
func TestSysForDrawsAreNotDull(t *testing.T) {
	tables := rapid.Custom(sysForDrawTable)
	most, second := 0, 0
	for seed := range 300 {
		tab, l := tables.Example(seed), SysForNew()
		l.Trees, l.Goodness, l.MinLeaf = 12, 1, 1
		var all []share
		for r, c := range tab.Cat(tab.Width() - 1) {
			if c >= 0 {
				all = append(all, share{r, 1})
			}
		}
		roots := (&sysForTwin{l, tab, 1}).skeletons(all)
		for _, root := range roots {
			if root != nil && root.Below != nil {
				second++
			}
		}
		most = max(most, len(roots))
	}
	if most < 3 || second == 0 {
		t.Errorf("the largest forest has %d trees, %d trees are of the second level: the draws are too dull", most, second)
	}
}
