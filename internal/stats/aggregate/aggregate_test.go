package aggregate_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

const rows = 1000

var source = rng.New([32]byte{7})

// mixed is a table of fractions, whole numbers that repeat, and categories, all with gaps.
func mixed() *table.Table {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, c, d := make([]float64, rows), make([]float64, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		x[i], y[i] = math.Exp(3*r.NormFloat64())-1, float64(r.IntN(30)-5)
		c[i], d[i] = int32(r.IntN(4)), int32(r.IntN(3))
		switch r.IntN(40) {
		case 0:
			x[i] = math.NaN()
		case 1:
			c[i] = -1
		}
	}
	return tabletest.Must(table.NumColumn("x", 0, x), table.NumColumn("y", 1, y),
		table.CatColumn("c", []string{"a", "b", "c", "d"}, c), table.CatColumn("d", []string{"u", "v", "w"}, d))
}

// stump is a tree of one test.
func stump(t *table.Table) *tree.Tree {
	return &tree.Tree{Attrs: t.Attrs(), Class: 3, Nodes: []tree.Node{
		{Attr: 1, Cut: 7, Kids: []int32{1, 2}}, {Attr: -1}, {Attr: -1},
	}}
}

// every is one aggregate of every kind, with the source of nothing.
func every(t *table.Table) []aggregate.Aggregate {
	ranges := moments.Ranges([][]float64{t.Num(0), t.Num(1)})
	for range 3 {
		ranges = append(ranges, moments.Range{Lo: 0, Hi: 1})
	}
	return []aggregate.Aggregate{&aggregate.Extremes{Columns: []int{0, 1}},
		&aggregate.Moments{Columns: []int{0, 1}, Given: []int{2}, Ranges: ranges}, &aggregate.Sums{Columns: []int{0, 1}},
		&aggregate.Sums{Columns: []int{0, 1}, About: []float64{0.3, 4}},
		&aggregate.Near{Columns: []int{0, 1}, Shift: []float64{0, -3}, Limit: []float64{0.1, 2}},
		&aggregate.Categories{Columns: []int{2, 3}, Enough: 5}, &aggregate.Leaves{Trees: []*tree.Tree{stump(t)}},
		&aggregate.Segments{By: tree.One(stump(t))},
		&aggregate.Cells{Columns: []int{2, 3}, Radix: []uint64{4, 1}, Most: 100},
		&aggregate.Spans{Columns: []int{1}, Spans: [][]aggregate.Span{{{Lo: 1 << 63, Shift: 55, Cells: 200}}}, Most: 100},
		&aggregate.Sample{Rows: 60, Fork: "sample"}, &aggregate.Sample{Rows: 60, Head: true}}
}

// parts cuts a table into n parts of uneven lengths, the last of which is not forgotten.
func parts(t *table.Table, n int) (out []aggregate.Part) {
	of, _ := t.People()
	for k := range n {
		lo, hi := rows*k*k/(n*n), rows*(k+1)*(k+1)/(n*n)
		p := aggregate.Part{Table: t.Slice(lo, hi), First: lo, Source: source}
		if of != nil {
			p.Units = of[lo:hi]
		}
		out = append(out, p)
	}
	return out
}

// over takes aggregates of parts, which are merged in a random order and two by two.
func over(t *testing.T, of []aggregate.Aggregate, parts []aggregate.Part, r *rand.Rand) {
	t.Helper()
	var open [][]aggregate.Aggregate
	for _, p := range parts {
		own := make([]aggregate.Aggregate, len(of))
		for k, a := range of {
			own[k] = a.Fresh()
		}
		must.NoError(t, aggregate.Add(own, p))
		open = append(open, own)
	}
	for len(open) > 1 {
		r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		must.NoError(t, aggregate.Merge(open[0], open[1]))
		open = slices.Delete(open, 1, 2)
	}
	must.NoError(t, aggregate.Merge(of, open[0]))
}

// TestParts: every kind of aggregate is the same of a table in one part and in several, merged in whatever order, for
// records with and without owners.
func TestParts(t *testing.T) {
	whose := make([]int32, rows)
	for i := range whose {
		whose[i] = int32(i * 7 % 211)
	}
	for name, tab := range map[string]*table.Table{"people": mixed(), "records of people": mixed().Owned(whose)} {
		want := every(tab)
		if err := aggregate.Add(want, parts(tab, 1)[0]); err != nil { // nothing is merged
			t.Fatal(err)
		}
		for _, n := range []int{2, 7, 20} {
			got := every(tab)
			over(t, got, parts(tab, n), rand.New(rand.NewPCG(1, uint64(n))))
			for k := range want {
				a, b := shown(t, want[k], tab), shown(t, got[k], tab)
				if !reflect.DeepEqual(a, b) {
					t.Errorf("%s, %d parts: %T is %v, expected %v", name, n, want[k], b, a)
				}
			}
		}
	}
}

// shown is what an aggregate found.
func shown(t *testing.T, a aggregate.Aggregate, tab *table.Table) any {
	t.Helper()
	switch a := a.(type) {
	case *aggregate.Sample:
		some := must.Get(a.Table(tab.Slice(0, 0)))(t)
		ids, _ := some.IDs()
		return fmt.Sprint(ids, some.Columns(), some.Owners())
	case *aggregate.Sums:
		return []any{a.Known, fmt.Sprintf("%x", []float64{a.Sums[0].Float64(), a.Sums[1].Float64()})}
	case *aggregate.Categories: // which of the units are kept does not matter
		return []any{a.Counts, a.Common(0, 4), a.Common(1, 3)}
	}
	return a
}

// TestAgainstTable: the figures are those of the plain functions over the whole table.
func TestAgainstTable(t *testing.T) {
	tab := mixed()
	ctx := context.Background()
	r := aggregate.Over(tab, source)
	all := every(tab)
	must.NoError(t, r.Pass(ctx, all...))
	x := tab.Num(0)
	n, mean, squares := vector.Known(x)
	about := &aggregate.Sums{Columns: []int{0}, About: all[2].(*aggregate.Sums).Means()}
	must.NoError(t, r.Pass(ctx, about))
	if m := about.About[0]; m != mean || about.Known[0] != n || about.Sums[0].Float64() != squares {
		t.Errorf("mean %v and squares %v, expected %v and %v", m, about.Sums[0].Float64(), mean, squares)
	}
	if e := all[0].(*aggregate.Extremes).Ranges(); !slices.Equal(e, moments.Ranges([][]float64{x, tab.Num(1)})) {
		t.Errorf("ranges %v", e)
	}
	want := stump(tab)
	want.Recount(tab)
	got := stump(tab)
	(&aggregate.Leaves{Trees: []*tree.Tree{got}, Counts: all[6].(*aggregate.Leaves).Counts}).Recount()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("counts %v, expected %v", got.Nodes, want.Nodes)
	}
	some := must.Get(r.Sample(ctx, 60, "sample"))(t)
	drawn := tab.Gather(tab.Drawn(60, source.Fork("sample")))
	a, _ := some.IDs()
	b, _ := drawn.IDs()
	if !slices.Equal(a, b) || fmt.Sprint(some.Columns()) != fmt.Sprint(drawn.Columns()) {
		t.Errorf("records %v are drawn, expected %v", a, b)
	}
	if whole, err := r.Sample(ctx, rows, "sample"); err != nil || whole != tab {
		t.Errorf("a sample of all records is a copy (%v)", err)
	}
}

// TestLadders: cuts, counts and ranks are those of sorted values, of columns of few values and of many, in tables
// of few records and of many. A table of few is passed over no more than twice.
func TestLadders(t *testing.T) {
	for _, n := range []int{2, 3, 17, 1000, 16_384, 16_385, 200_000}[:long.Of(6, 7)] {
		ladders(t, n)
	}
}

func ladders(t *testing.T, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	cols := make([][]float64, 4)
	for j := range cols {
		cols[j] = make([]float64, n)
		for i := range cols[j] {
			switch v := r.NormFloat64(); j {
			case 0:
				cols[j][i] = v // more values than are counted one by one
			case 1:
				cols[j][i] = math.Round(v)
			case 2:
				cols[j][i] = 1e6 + math.Max(v, 0) // half of them one value
			case 3:
				cols[j][i] = math.NaN()
			}
		}
	}
	tab := tabletest.Must(table.NumColumn("a", 0, cols[0]), table.NumColumn("b", 1, cols[1]),
		table.NumColumn("c", 0, cols[2]), table.NumColumn("d", 0, cols[3]))
	places := []int{0, min(17, n-1), n / 3, n - 2}
	for _, bins := range []int{1, 2, 10} {
		passes := 0
		all := aggregate.New(tab.Slice(0, 0), n, source, func(ctx context.Context, of []aggregate.Aggregate) error {
			passes++
			return aggregate.Over(tab, source).Pass(ctx, of...)
		})
		ladders := must.Get(all.Ladders(context.Background(), []int{0, 1, 2, 3}, func(_ int, l *aggregate.Ladder) []int {
			_, _, open := l.Cuts(bins)
			_, more := l.Ranks(places...)
			return append(open, more...)
		}))(t)
		if passes > 5 || n <= 16_384 && passes > 2 {
			t.Errorf("%d bins of %d records take %d passes", bins, n, passes)
		}
		for j, l := range ladders[:3] {
			sorted := slices.Sorted(slices.Values(cols[j]))
			cuts, counts, _ := l.Cuts(bins)
			if want := quantile.Cuts(sorted, bins); !slices.Equal(cuts, want) {
				t.Errorf("column %d: cuts %v, expected %v", j, cuts, want)
			}
			want := make([]int, len(cuts)+1)
			for _, v := range sorted {
				k, _ := slices.BinarySearch(cuts, v)
				want[k]++
			}
			values, _ := l.Ranks(places...)
			for k, p := range places {
				if values[k] != sorted[p] {
					t.Errorf("column %d: %v is at place %d, expected %v", j, values[k], p, sorted[p])
				}
			}
			if least, most := l.Ends(); !slices.Equal(counts, want) || least != sorted[0] || most != sorted[n-1] {
				t.Errorf("column %d: counts %v from %v to %v, expected %v", j, counts, least, most, want)
			}
		}
		if ladders[3].N != 0 {
			t.Errorf("a column without values has %d", ladders[3].N)
		}
	}
}

// TestOthers: what is of something else is not merged.
func TestOthers(t *testing.T) {
	tab := mixed()
	for k, a := range every(tab) {
		for _, b := range every(tab)[k+1:] {
			if reflect.TypeOf(a) != reflect.TypeOf(b) && a.Merge(b) == nil {
				t.Errorf("%T takes %T in", a, b)
			}
		}
	}
	if aggregate.Merge(every(tab), every(tab)[1:]) == nil {
		t.Error("lists of two lengths are merged")
	}
}
