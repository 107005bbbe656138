package nearest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var ctx = context.Background()

// normals returns a table of normal numbers.
func normals(t testing.TB, rows, cols int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 7))
	var out []table.Column
	for j := range cols {
		v := make([]float64, rows)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		out = append(out, table.NumColumn(string(rune('a'+j)), 0, v))
	}
	return tabletest.Of(t, out...)
}

// On every axis two persons drawn at random are at a mean squared distance of 1 when it holds numbers, or an order; of
// categories, as often as they differ.
func TestAxesCountAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 400
	v, c, o := make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range n {
		v[i], c[i], o[i] = 1e6+300*r.ExpFloat64(), int32(r.IntN(5)), int32(r.IntN(3))
	}
	school := table.CatColumn("school", []string{"low", "middle", "high"}, o)
	school.Ordered = true
	tab := tabletest.Of(t, table.NumColumn("v", 0, v), table.CatColumn("c", []string{"a", "b", "c", "d", "e"}, c), school)
	s := must.Get(NewSpace(ctx, tab, Everything(tab)))(t)
	points, sums := s.Records(tab, nil), make([]float64, 3)
	for i := range n {
		for k := range n {
			for d := range 3 {
				e := points[3*i+d] - points[3*k+d]
				if d == 1 && e != 0 {
					e = 1
				}
				sums[d] += e * e / (n * (n - 1))
			}
		}
	}
	if want := []float64{1, 0.8, 1}; math.Abs(sums[0]-want[0]) > 1e-9 || math.Abs(sums[1]-want[1]) > 0.02 ||
		math.Abs(sums[2]-want[2]) > 1e-9 {
		t.Errorf("the mean squared distances are %v, expected %v", sums, want)
	}
	if got, want := s.axes[0].scale, math.Sqrt2*stat.StdDev(v, nil); math.Abs(got-want) > 1e-9*want {
		t.Errorf("numbers are scaled by %v, expected %v", got, want)
	}
}

// Attributes in which the originals are equal, or all missing, are no axes; where none is left all distances are 0.
func TestNoAxis(t *testing.T) {
	nan := math.NaN()
	tab := tabletest.Of(t, table.NumColumn("constant", 0.1, []float64{0.1, 0.1, 0.1}),
		table.NumColumn("missing", 1, []float64{nan, nan, nan}),
		table.CatColumn("same", []string{"x", "y"}, []int32{1, -1, 1}),
		table.CatColumn("none", []string{"x"}, []int32{-1, -1, -1}),
		table.CatColumn("grouped", []string{"x", "y"}, []int32{0, 1, 0}))
	known := Everything(tab)
	known[4].Groups = []int32{3, 3}
	l := must.Get(Distance{Pairs: 10}.Link(ctx, tab, tab, known, nil))(t)
	third := 1.0 / 3
	first, second := []float64{third, third, third}, []float64{2 * third, 2 * third, 2 * third}
	if len(l.Axes) != 0 || !slices.Equal(l.First, first) || !slices.Equal(l.Second, second) {
		t.Errorf("axes %v, links %v and %v", l.Axes, l.First, l.Second)
	}
}

// Categories are placed by how often they occur, those of a group together.
func TestPlaces(t *testing.T) {
	codes := []int32{2, 2, 2, 0, 1, 1, -1, 4}
	if got := places(codes, 5, &intruder.Known{}); !slices.Equal(got, []float64{2, 1, 0, 4, 3}) {
		t.Errorf("places %v", got)
	}
	got := places(codes, 5, &intruder.Known{Groups: []int32{7, 7, 1, 1, 7}})
	if got[0] != 0 || got[1] != 0 || got[4] != 0 || got[2] != got[3] || got[2] == 0 {
		t.Errorf("places of groups %v", got)
	}
}

// A sample depends on the number of records alone, is ascending, and as large as asked for.
func TestRows(t *testing.T) {
	for _, c := range [][2]int{{0, 5}, {5, 5}, {5, 9}, {1000, 1}, {1000, 400}} {
		rows := measure.Drawn(c[0], c[1])
		if len(rows) != min(c[0], c[1]) || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != len(rows) {
			t.Errorf("%v: %v", c, rows)
		}
		if n := len(rows); n > 0 && rows[n-1] >= c[0] || !slices.Equal(rows, measure.Drawn(c[0], c[1])) {
			t.Errorf("%v: %v", c, rows)
		}
	}
}

// Where the index would have to look at too many pairs a sample is judged, and its share is near that of all: within 5
// standard errors, a false alarm once in 1.7 million draws, and the draw is fixed.
func TestSampled(t *testing.T) {
	a := normals(t, 3000, 3, 1)
	b := a
	for j := range 3 {
		v := slices.Clone(a.Num(j))
		for i, e := range normals(t, 3000, 3, 2).Num(j) {
			v[i] += 0.1 * e
		}
		b = b.WithNum(j, v)
	}
	share := func(pairs int) (float64, int) {
		l := must.Get(Distance{Pairs: pairs}.Link(ctx, a, b, Everything(a), nil))(t)
		return stat.Mean(l.First, nil), len(l.First)
	}
	all, n := share(math.MaxInt)
	some, m := share(20_000)
	if n != 3000 || m < least || m > 1500 {
		t.Fatalf("%d of %d persons are judged", m, n)
	}
	if math.Abs(some-all) > 5*math.Sqrt(all*(1-all)/float64(m)) || all < 0.1 || all > 0.9 {
		t.Errorf("a share of %v in a sample of %d, expected about %v", some, m, all)
	}
}
