package forests

import (
	"context"
	"slices"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

func TestSysForConformance(t *testing.T) {
	minetest.Run(t, SysFor)
	t.Run("second level", func(t *testing.T) {
		minetest.Run(t, SysFor, minetest.Set(map[string]string{"trees": "25", "minLeaf": "5", "voting": "v2"}))
	})
}

// The settings of Fletcher & Islam 2015, section 7.
func TestDefaults(t *testing.T) {
	l := SysForNew()
	if l.Trees != 3 || l.Goodness != 0.5 || l.Separation != 0.3 || l.MinGainRatio != 0.01 || l.CF != 25 ||
		l.Voting != "credal" {
		t.Errorf("defaults %+v", l)
	}
	if err := l.Params().Apply(map[string]string{"voting": "loudest"}); err == nil {
		t.Error("an unknown voting is taken")
	}
}

// sysForWeather is the table of Quinlan 1993, table 2-1: 14 days.
func sysForWeather(t *testing.T) *table.Table {
	tab := must.Get(table.New(
		table.CatColumn("outlook", []string{"sunny", "overcast", "rain"}, []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2}),
		table.NumColumn("temperature", 1, []float64{75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70}),
		table.NumColumn("humidity", 1, []float64{70, 90, 85, 95, 70, 90, 86, 65, 75, 91, 70, 80, 80, 96}),
		table.CatColumn("windy", []string{"false", "true"}, []int32{1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0}),
		table.CatColumn("class", []string{"don't play", "play"}, []int32{1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1})))(t)
	return tab
}

func grow(t *testing.T, l *SysForLearner, tab *table.Table) *tree.Forest {
	t.Helper()
	f := must.Get(l.Grow(context.Background(), tab, tab.Width()-1))(t)
	return f
}

// roots returns what the trees test first, in words.
func roots(f *tree.Forest) (out []string) {
	for _, t := range f.Trees {
		if n := t.Nodes[0]; n.Leaf() {
			out = append(out, "leaf")
		} else {
			c := tree.Cond{Attr: n.Attr, Op: "<=", Value: n.Cut}
			if n.Branch != nil {
				out = append(out, t.Attrs[n.Attr].Name)
				continue
			}
			out = append(out, string(c.AppendTo(nil, t.Attrs)))
		}
	}
	return out
}

// Cuts of one attribute are separated by a share of its range: of humidity, range 31, at most two with 0.3.
func TestSeparation(t *testing.T) {
	l := SysForNew()
	l.Trees, l.MinLeaf, l.Goodness, l.MinGainRatio = 1000, 2, 1, 0
	for _, c := range []struct{ separation float64 }{{0}, {0.1}, {0.3}, {1}} {
		l.Separation = c.separation
		var humidity []float64
		f := grow(t, l, sysForWeather(t))
		seen := map[string]bool{}
		for k, r := range roots(f) {
			if seen[r] {
				break // the second level
			}
			seen[r] = true
			if n := f.Trees[k].Nodes[0]; n.Attr == 2 {
				humidity = append(humidity, n.Cut)
			}
		}
		slices.Sort(humidity)
		for k := 1; k < len(humidity); k++ {
			if humidity[k]-humidity[k-1] <= c.separation*31 {
				t.Errorf("separation %v: cuts %v", c.separation, humidity)
			}
		}
		if c.separation == 0 && len(humidity) != 7 || c.separation == 1 && len(humidity) != 1 {
			t.Errorf("separation %v: cuts %v, expected all 7 or the best", c.separation, humidity)
		}
	}
}

// A table without a good test gives one tree of C4.5.
func TestNoGoodTest(t *testing.T) {
	l := SysForNew()
	l.MinGainRatio, l.MinLeaf = 1, 2
	f := grow(t, l, sysForWeather(t))
	c := c45.New()
	want := must.Get(c.Grow(context.Background(), sysForWeather(t), 4))(t)
	if len(f.Trees) != 1 || !f.Trees[0].Equal(want) {
		t.Errorf("%d trees, the first\n%s expected\n%s", len(f.Trees), f.Trees[0].Text(), want.Text())
	}
}

// On the second level a branch without a good test is a leaf, though C4.5 would divide it (Islam & Giggins 2011).
func TestSecondLevelLeaf(t *testing.T) {
	const rows = 400
	a, b, c, class := make([]int32, rows), make([]int32, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		if i < 300 { // c tells the class
			a[i], c[i], class[i] = 1, int32(i%2), int32(i%2)
		} else if b[i] = int32(i % 40); b[i]%10 == 0 { // b tells it, by many values
			class[i] = 1
		}
	}
	tab := must.Get(table.New(table.CatColumn("a", names(2), a), table.CatColumn("b", names(40), b),
		table.CatColumn("c", names(2), c), table.CatColumn("copy of c", names(2), c),
		table.CatColumn("class", names(2), class)))(t)
	l := SysForNew()
	l.Trees, l.Goodness, l.MinGainRatio, l.CF, l.MinLeaf = 100, 1, 0.1, 100, 2
	f := grow(t, l, tab)
	var below [][2]int // what trees with a at the root test in its branches
	for _, tr := range f.Trees {
		if n := tr.Nodes[0]; n.Attr == 0 {
			below = append(below, [2]int{tr.Nodes[n.Kids[0]].Attr, tr.Nodes[n.Kids[1]].Attr})
		}
	}
	if want := [][2]int{{1, 2}, {-1, 3}}; !slices.Equal(below, want) {
		t.Errorf("the branches of a test columns %v, expected %v; roots %v", below, want, roots(f))
	}
}

// On the data sets of Fletcher & Islam 2015, table 3, the forests have the three trees asked for, with different
// roots, and no forced leaf below the smallest size.
func TestPaperForests(t *testing.T) {
	for _, c := range []struct {
		file, class string
		minLeaf     int
		drop        string
	}{
		{"wine/wine.csv", "class", 10, ""},
		{"wbc/wbc.csv", "class", 45, "id"},
		{"crx/crx.csv", "class", 30, ""},
		{"cmc/cmc.csv", "contraceptive_method", 60, ""},
		{"abalone/abalone.csv", "rings", 180, ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			tab, _, err := format.Read(context.Background(), dataset.File(t, c.file), format.Options{})
			must.NoError(t, err)
			class := tab.Find(c.class)
			if class < 0 {
				t.Fatalf("no column %s", c.class)
			}
			if tab, err = tab.AsCategorical(class, 1000); err != nil {
				t.Fatal(err)
			}
			l := SysForNew()
			l.MinLeaf = c.minLeaf
			var without []int
			if j := tab.Find(c.drop); j >= 0 {
				without = append(without, j)
			}
			f := must.Get(l.Grow(context.Background(), tab, class, without...))(t)
			names := roots(f)
			t.Log(names)
			slices.Sort(names)
			if len(f.Trees) != 3 || len(slices.Compact(names)) != 3 {
				t.Errorf("%d trees with roots %v, expected 3 different ones", len(f.Trees), names)
			}
		})
	}
}
