package c45

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) {
	minetest.Run(t, Miner, minetest.Large(map[string]string{"minLeaf": "0"}))
	t.Run("see5", func(t *testing.T) {
		minetest.Run(
			t,
			Miner,
			minetest.Set(
				map[string]string{"minGainRule": "c50", "globalPrune": "true", "mergeSameClassLeaves": "true", "minLeaf": "0"},
			),
		)
	})
}

// noisy makes a table whose class depends on some attributes, with many distinct values and missing ones.
func noisy(seed uint64, rows int, missing float64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 1))
	classes := 2 + int(seed%3)
	cols := make([]table.Column, 7)
	class := make([]int32, rows)
	for j := range cols {
		if j%2 == 0 {
			v := make([]float64, rows)
			for i := range v {
				v[i] = r.NormFloat64()
				if j == 2 {
					v[i] = math.Round(4 * v[i])
				}
				if v[i] > 0.3 && r.IntN(3) > 0 {
					class[i] = int32(j/2) % int32(classes)
				}
				if r.Float64() < missing {
					v[i] = math.NaN()
				}
			}
			cols[j] = table.NumColumn("n"+strconv.Itoa(j), 0, v)
			continue
		}
		v := make([]int32, rows)
		labels := 1 << j
		for i := range v {
			v[i] = int32(r.IntN(labels))
			if v[i] == 1 && r.IntN(3) > 0 {
				class[i] = int32(j) % int32(classes)
			}
			if r.Float64() < missing {
				v[i] = -1
			}
		}
		cols[j] = table.CatColumn("c"+strconv.Itoa(j), names(labels), v)
	}
	c := table.CatColumn("class", names(classes), class)
	c.Role = table.Class
	return tabletest.Must(append(cols, c)...)
}

// On larger tables than the property test draws, with sorts, shared work and small frames.
func TestLikeTwinLarger(t *testing.T) {
	for seed := range long.Of[uint64](4, 18) {
		tab := noisy(seed, 120+int(seed)*20, []float64{0, 0.02, 0.2}[seed%3])
		l := New()
		l.MinLeaf, l.NoPrune, l.Workers = 1+int(seed%4), seed%8 == 7, 2
		if seed%2 == 1 {
			l.MinGainRule = "c50"
		}
		got := must.Get(l.Grow(context.Background(), tab, 7))(t)
		if diff := cmp.Diff(growTwin(l, tab, 7).Nodes, got.Nodes); diff != "" {
			t.Fatalf("seed %d: twin -, learner +\n%.2000s", seed, diff)
		}
	}
}

// A split needs minLeaf records in two branches: twice as many records are split into two pure leaves, one record less
// is a leaf.
func TestTwiceMinLeaf(t *testing.T) {
	for least := 1; least <= 6; least++ {
		for rows, leaves := range map[int]int{2 * least: 2, 2*least - 1: 1} {
			v, codes := make([]float64, rows), make([]int32, rows)
			for i := range codes {
				if i >= least {
					v[i], codes[i] = 1, 1
				}
			}
			class := table.CatColumn("class", []string{"a", "b"}, codes)
			class.Role = table.Class
			for _, c := range []table.Column{table.NumColumn("number", 1, v),
				table.CatColumn("code", []string{"x", "y"}, codes)} {
				l := New()
				l.MinLeaf, l.NoPrune = least, true
				tr := must.Get(l.Grow(context.Background(), tabletest.Must(c, class), 1))(t)
				if got := len(tr.Leaves()); got != leaves {
					t.Errorf("%d records and a minLeaf of %d, by a %s: %d leaves, expected %d", rows, least, c.Name, got, leaves)
				}
			}
		}
	}
}

func TestSameOnAnyCores(t *testing.T) {
	for _, missing := range []float64{0, 0.05} {
		tab := noisy(5, long.Of(8_000, 20_000), missing)
		var first *tree.Tree
		for _, workers := range []int{1, 3, 8} {
			l := New()
			l.Workers = workers
			tr := must.Get(l.Grow(context.Background(), tab, 7))(t)
			if first == nil {
				first = tr
			}
			if !first.Equal(tr) {
				t.Errorf("missing %v: the tree of %d workers differs", missing, workers)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	tab := minetest.Mixed(50, 0)
	gone := make([]int32, 50)
	for i := range gone {
		gone[i] = -1
	}
	for _, c := range []struct {
		t     *table.Table
		class int
		want  string
	}{
		{tab, 99, "class column 99 is outside the table's 8 columns"},
		{tab, 1, `class "age" is numeric, expected categorical`},
		{tab.Slice(0, 0), 7, "the table has no records to learn from"},
		{tab.WithCat(7, gone), 7, `class "class" is missing in every record`},
	} {
		if _, err := New().Grow(context.Background(), c.t, c.class); err == nil || err.Error() != c.want {
			t.Errorf("error %v, expected %s", err, c.want)
		}
	}
}

func grow(t *testing.T, tab *table.Table, without ...int) *tree.Tree {
	t.Helper()
	tr := must.Get(New().Grow(context.Background(), tab, tab.Width()-1, without...))(t)
	return tr
}

func TestSingleLeaf(t *testing.T) {
	tab := minetest.Mixed(50, 0)
	one := make([]int32, 50)
	for name, x := range map[string]*table.Table{"one class": tab.WithCat(7, one), "one record": tab.Slice(3, 4),
		"only the class": tab.Select(7)} {
		if tr := grow(t, x); len(tr.Nodes) != 1 || tr.Nodes[0].Weight() != float64(x.Rows()) {
			t.Errorf("%s: %d nodes, expected a leaf of %d records", name, len(tr.Nodes), x.Rows())
		}
	}
	if tr := grow(t, tab, 1, 2, 3, 4, 5); len(tr.Nodes) != 1 {
		t.Errorf("without all attributes, identifier and weight left: %d nodes, expected 1", len(tr.Nodes))
	}
}

// An attribute of a million categories costs time and memory in the order of the records.
func TestManyCategories(t *testing.T) {
	n := long.Of(300_000, 1_000_000)
	code, class, other := make([]int32, n), make([]int32, n), make([]float64, n)
	for i := range code {
		code[i], class[i], other[i] = int32(i), int32(i%7), float64(i%2)
	}
	tab := tabletest.Of(t, table.CatColumn("id", make([]string, n), code), table.NumColumn("odd", 1, other),
		table.CatColumn("class", names(7), class))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	tr := grow(t, tab)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 400 {
		t.Errorf("%d MB allocated for 1,000,000 categories", mb)
	}
	t.Logf("%v, %d nodes", time.Since(start), len(tr.Nodes))
}

func TestManyColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const width, rows = 10_000, 60
	cols := make([]table.Column, width+1)
	class := make([]int32, rows)
	for j := range width {
		v := make([]float64, rows)
		for i := range v {
			v[i] = r.Float64()
		}
		cols[j] = table.NumColumn(strconv.Itoa(j), 0, v)
	}
	for i := range class {
		class[i] = int32(i) % 2
		cols[width/2].Num[i] = float64(i % 2)
	}
	cols[width] = table.CatColumn("class", names(2), class)
	tab := tabletest.Of(t, cols...)
	if tr := grow(t, tab); len(tr.Nodes) != 3 || tr.Nodes[0].Attr != width/2 {
		t.Errorf("%d nodes, the root tests column %d, expected one test of column %d", len(tr.Nodes), tr.Nodes[0].Attr,
			width/2)
	}
}

func TestInfiniteValues(t *testing.T) {
	inf := math.Inf(1)
	tab := must.Get(table.New(table.NumColumn("v", 0, []float64{-inf, -inf, -inf, 1, 1, 1, inf, inf, inf}),
		table.CatColumn("class", names(2), []int32{0, 0, 0, 1, 1, 1, 0, 0, 0})))(t)
	l := New()
	l.NoPrune = true
	must.Get(l.Grow(context.Background(), tab, 1))(t)
}

// asked is a context that ends when it was asked so often, and counts on.
type asked struct {
	context.Context
	left atomic.Int64
}

func (c *asked) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A cancelled context ends a long fit soon: the whole fit asks it all the time, and one that ends few times more.
func TestCancel(t *testing.T) {
	tab := noisy(4, long.Of(10_000, 30_000), 0.1)
	const ever = 1 << 40
	ctx := &asked{Context: context.Background()}
	ctx.left.Store(ever)
	must.Get(New().Grow(ctx, tab, 7))(t)
	all := ever - ctx.left.Load()
	ctx.left.Store(all / 20)
	if _, err := New().Grow(ctx, tab, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
	if after := -ctx.left.Load(); all < 1000 || after > all/10 {
		t.Errorf("asked %d times after the end, of %d in all", after, all)
	}
}

// TestLabelsThatDoNotOccur grows the same tree whether or not the class has labels that no record has: a hold-out that
// knows one more class must not change the tree of the original.
func TestLabelsThatDoNotOccur(t *testing.T) {
	tab := load(t, "wbc/wbc.csv", "class", true, "id")
	class := tab.Find("class")
	want := must.Get(New().Grow(context.Background(), tab, class))(t)
	c := tab.Column(class)
	c.Labels = append(slices.Clone(c.Labels), "another", "yet another")
	more := must.Get(tab.WithColumn(class, c))(t)
	got := must.Get(New().Grow(context.Background(), more, class))(t)
	if got.Text() != want.Text() {
		t.Errorf("another tree:\n%s\n%s", got.Text(), want.Text())
	}
}
