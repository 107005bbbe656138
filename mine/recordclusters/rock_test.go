package recordclusters

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ mine.Clusterer = (*ROCKModel)(nil)
	_ mine.Described = (*ROCKModel)(nil)
)

func TestROCKEdges(t *testing.T) {
	mixed := minetest.Mixed(60, 0)
	job := mixed.Find("job")
	same := mixed.WithCat(job, make([]int32, 60)).WithCat(mixed.Find("town"), make([]int32, 60))
	empty := slices.Repeat([]int32{-1}, 60)
	for _, c := range []struct {
		name     string
		tab      *table.Table
		k        int
		clusters int
		outliers int
	}{
		{"no records", mixed.Slice(0, 0), 3, 0, 0},
		{"one record", mixed.Slice(0, 1), 3, 0, 1}, // it has no neighbour
		{"identical records", same, 1, 1, 0},
		{"identical records, three clusters", same, 3, 3, 0},
		{"more clusters than records", same.Slice(0, 5), 9, 5, 0},
		{"two identical records", same.Slice(0, 2), 1, 2, 0}, // neighbours, but with no neighbour in common
		{"nothing known", same.WithCat(job, empty).WithCat(mixed.Find("town"), empty), 3, 0, 60},
	} {
		l := NewROCK()
		l.K = c.k
		m := rockFit(t, l, c.tab)
		outliers := 0
		for _, k := range m.Labels() {
			if k < 0 {
				outliers++
			}
		}
		if m.Clusters() != c.clusters || outliers != c.outliers || len(m.Profiles) != c.clusters {
			t.Errorf("%s: %d clusters and %d outliers, expected %d and %d", c.name, m.Clusters(), outliers, c.clusters,
				c.outliers)
		}
		if !strings.HasPrefix(m.Text(), "ROCK, theta 0.5: ") {
			t.Errorf("%s: text %q", c.name, m.Text())
		}
	}
	for _, names := range []string{"age", "no such column"} {
		l := NewROCK()
		must.NoError(t, l.Params().Apply(map[string]string{"attributes": names}))
		if _, err := l.Fit(context.Background(), mixed, rng.Source{}); err == nil {
			t.Errorf("the attribute %q is taken", names)
		}
	}
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

// A fit ends soon after its context: the whole fit asks it all the time, and one that ends few times more.
func TestCancelled(t *testing.T) {
	tab := rockJumble(5_000)
	const ever = 1 << 40
	ctx := &asked{Context: context.Background()}
	ctx.left.Store(ever)
	must.Get(NewROCK().Fit(ctx, tab, rng.Source{}))(t)
	all := ever - ctx.left.Load()
	for _, early := range []int64{1, all / 2} {
		ctx.left.Store(early)
		if _, err := NewROCK().Fit(ctx, tab, rng.Source{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, expected %v", err, context.Canceled)
		}
		if after := -ctx.left.Load(); all < 1000 || after > all/10 {
			t.Errorf("asked %d times after the end, of %d in all", after, all)
		}
	}
}

// rockMushroom reads the first records of Mushroom.
func rockMushroom(t testing.TB, rows int) *table.Table {
	tab, _, err := format.Read(context.Background(), dataset.File(t, "mushroom/mushroom.csv"), format.Options{})
	must.NoError(t, err)
	a := *tab.Attr(0)
	a.Role = table.Class
	return tab.WithAttr(0, a).Slice(0, rows)
}

// The first records of Mushroom with theta = 0.8 are merged as the twin merges them, down to the last pair with links.
func TestROCKMushroom(t *testing.T) {
	l := NewROCK()
	l.Theta, l.K = 0.8, 1
	tab := rockMushroom(t, 120)
	if m, want := rockFit(t, l, tab), rockTwin(tab, l); !slices.Equal(m.Labels(), want) {
		t.Errorf("clusters %v, expected %v", m.Labels(), want)
	}
}

// rockJumble draws records of 12 attributes around 40 types.
func rockJumble(rows int) *table.Table {
	r := rand.New(rand.NewPCG(4, 5))
	kind := make([]int32, 40*12)
	for i := range kind {
		kind[i] = r.Int32N(6)
	}
	codes := make([][]int32, 12)
	for j := range codes {
		codes[j] = make([]int32, rows)
	}
	for i := range rows {
		from := kind[12*r.IntN(40):]
		for j := range codes {
			codes[j][i] = from[j]
			if r.IntN(100) < 15 {
				codes[j][i] = r.Int32N(6)
			}
		}
	}
	var cols []table.Column
	for j := range codes {
		cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"1", "2", "3", "4", "5", "6"}, codes[j]))
	}
	return tabletest.Must(cols...)
}

func rockBench(b *testing.B, tab *table.Table, theta float64, sample int) {
	l := NewROCK()
	l.Theta, l.K, l.Sample = theta, 20, sample
	b.ReportAllocs()
	for b.Loop() {
		m := rockFit(b, l, tab)
		b.ReportMetric(float64(m.Clusters()), "clusters")
	}
	yardstick.Report(b)
}

// BenchmarkROCKMushroom clusters 8,124 records with 3.9 million ordered pairs that have links: 14 times the yardstick.
func BenchmarkROCKMushroom(b *testing.B) { rockBench(b, rockMushroom(b, 8124), 0.8, 10_000) }

// BenchmarkROCK30k takes 2 times the yardstick, BenchmarkROCK1M 14 times: 5,000 records are clustered, the others
// labelled.
func BenchmarkROCK30k(b *testing.B) { rockBench(b, rockJumble(30_000), 0.6, 5000) }

func BenchmarkROCK1M(b *testing.B) { rockBench(b, rockJumble(1_000_000), 0.6, 5000) }
