package distributions

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func marginsTake(t tabletest.T, m measure.Measure, r *measure.Release, set map[string]string) measure.Value {
	meter := m.New()
	must.NoError(t, meter.Params().Apply(set))
	v := must.Get(meter.Measure(context.Background(), r, rng.Source{}))(t)
	return v
}

func marginsNear(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestByHand: of four records with (a, x), (a, x), (b, y), (b, y) the release has (a, x), (a, y), (b, y), (b, y).
func TestByHand(t *testing.T) {
	of := func(x, y []int32) *table.Table {
		return tabletest.Of(t, table.CatColumn("p", []string{"a", "b"}, x), table.CatColumn("q", []string{"x", "y"}, y))
	}
	r := &measure.Release{Original: of([]int32{0, 0, 1, 1}, []int32{0, 0, 1, 1}),
		Released: of([]int32{0, 0, 1, 1}, []int32{0, 1, 1, 1})}
	v := marginsTake(t, KMarginal, r, nil)
	d := v.Detail.(*KMarginalDetail)
	if v.Score != 0.25 || v.Part("way-1") != 0.125 || v.Part("way-2") != 0.25 || v.Part("nist") != 750 ||
		d.Columns[0].Distance != 0 || d.Columns[1].Distance != 0.25 {
		t.Errorf("%+v, %+v", v, d)
	}
	// shares 1/2, 1/2 and 1/4, 3/4: 1 - sqrt(1/8) - sqrt(3/8) is the square
	v = marginsTake(t, Hellinger, r, nil)
	if want := math.Sqrt(1 - math.Sqrt(0.125) - math.Sqrt(0.375)); !marginsNear(v.Parts[1].Score, want) ||
		v.Parts[0].Score != 0 ||
		!marginsNear(v.Score, want/2) {
		t.Errorf("%+v, expected %v", v.Parts, want)
	}
}

// TestBins: 20 bins of the declared domain; what is outside is in the end bins, and what is missing apart.
func TestBins(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("a", 0, []float64{-5, 0, 4.99, 5, 99.9, 100, 200, math.NaN()}))
	a := *tab.Attr(0)
	a.Domain, a.Declared = table.Interval{Lo: 0, Hi: 100}, true
	tab = tab.WithAttr(0, a)
	got := codes(tab, tab, 0, bins)
	for i, want := range []int32{0, 0, 0, 1, 19, 19, 19, 20} {
		if got[i] != want {
			t.Errorf("value %d is in bin %d, expected %d", i, got[i], want)
		}
	}
}

// TestEqualsTwin counts cells by their values, in maps.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 4).Draw(t, "columns")
		of := func(n int) (*table.Table, [][]int32) {
			cols, values := make([]table.Column, columns), make([][]int32, columns)
			for j := range cols {
				values[j] = rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n).Draw(t, "codes")
				cols[j] = table.CatColumn(string(rune('p'+j)), []string{"a", "b", "c"}, values[j])
			}
			return tabletest.Of(t, cols...), values
		}
		n, m := rapid.IntRange(1, 12).Draw(t, "records"), rapid.IntRange(1, 12).Draw(t, "released")
		original, a := of(n)
		released, b := of(m)
		v := marginsTake(t, KMarginal, &measure.Release{Original: original, Released: released}, nil)
		count := func(values [][]int32, n int, set ...int) map[[3]int32]float64 {
			out := map[[3]int32]float64{}
			for i := range n {
				var cell [3]int32
				for k, j := range set {
					cell[k] = values[j][i]
				}
				out[cell] += 1 / float64(n)
			}
			return out
		}
		distance := func(set ...int) (d float64) {
			x, y := count(a, n, set...), count(b, m, set...)
			for cell := range x {
				d += math.Abs(x[cell]-y[cell]) / 2
			}
			for cell := range y {
				if _, ok := x[cell]; !ok {
					d += y[cell] / 2
				}
			}
			return d
		}
		var sum, number [4]float64
		for i := range columns {
			sum[1], number[1] = sum[1]+distance(i), number[1]+1
			for j := range i {
				sum[2], number[2] = sum[2]+distance(j, i), number[2]+1
				for k := range j {
					sum[3], number[3] = sum[3]+distance(k, j, i), number[3]+1
				}
			}
		}
		for _, w := range v.Detail.(*KMarginalDetail).Ways {
			if want := sum[w.Columns] / number[w.Columns]; math.Abs(w.Distance-want) > 1e-9 ||
				w.Tables != int(number[w.Columns]) {
				t.Fatalf("%+v, expected %v of %v tables", w, want, number[w.Columns])
			}
		}
	})
}

// TestManyCells: a table of more cells than are kept in a list has the distance of one of fewer.
func TestManyCells(t *testing.T) {
	const n = 3000
	labels := make([]string, 2000)
	for k := range labels {
		labels[k] = string(rune('a'+k%26)) + string(rune('a'+k/26%26)) + string(rune('a'+k/676))
	}
	of := func(labels []string) *measure.Release {
		r := rand.New(rand.NewPCG(3, 4))
		var tables [2]*table.Table
		for k := range tables {
			x, y := make([]int32, n), make([]int32, n)
			for i := range x {
				x[i], y[i] = int32(r.IntN(3)), int32(r.IntN(3))
			}
			tables[k] = tabletest.Of(t, table.CatColumn("x", labels, x), table.CatColumn("y", labels, y))
		}
		return &measure.Release{Original: tables[0], Released: tables[1]}
	}
	few, many := marginsTake(t, KMarginal, of(labels[:3]), nil), marginsTake(t, KMarginal, of(labels), nil)
	if few.Score != many.Score || few.Part("way-2-floor") != many.Part("way-2-floor") || few.Score == 0 {
		t.Errorf("%v and %v", few.Parts, many.Parts)
	}
}

// TestFloor: another sample of the population is as far away as halves of the original are by a factor of about the
// root of 2. Each of the 20 means of columns has a relative standard deviation of some 0.08.
func TestFloor(t *testing.T) {
	people := protecttest.AdultLike(t, 4000)
	order := people.Order(rng.New([32]byte{5}))
	r := &measure.Release{Original: people.Gather(order[:2000]), Released: people.Gather(order[2000:])}
	v := marginsTake(t, KMarginal, r, nil)
	if ratio := v.Part("way-3-floor") / v.Score; ratio < 1.2 || ratio > 1.6 {
		t.Errorf("the floor is %v of %v", ratio, v.Score)
	}
}

// TestSampled: a sample of the tables has an interval that holds the mean of all, and a note. With a fixed table and a
// fixed seed nothing is left to chance.
func TestSampled(t *testing.T) {
	r := measuretest.Release(true)
	all, some := marginsTake(t, KMarginal, r, nil), marginsTake(t, KMarginal, r, map[string]string{"sets": "8"})
	if all.Lo != all.Hi || some.Lo > all.Score || some.Hi < all.Score || len(some.Notes) != 2 || some.Lo == some.Hi {
		t.Errorf("%v in %v to %v, of all %v; notes %v", some.Score, some.Lo, some.Hi, all.Score, some.Notes)
	}
}

// BenchmarkMarginsMeasure compares up to a hundred tables of two and of three columns of records like Adult's. For
// 30,162 of them kmarginal takes 0.3 of the yardstick and hellinger 0.05, for 1,000,000 5 and 0.7.
func BenchmarkMarginsMeasure(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_162, "1M": 1_000_000} {
		t := protecttest.AdultLike(b, rows)
		for _, m := range marginsMeasures {
			b.Run(m.Name+"/"+name, func(b *testing.B) {
				for b.Loop() { // a release of its own, for it remembers
					r := &measure.Release{Original: t, Released: t}
					meter := m.New()
					must.NoError(b, meter.Params().Apply(m.Bounds))
					must.Get(meter.Measure(context.Background(), r, rng.Source{}))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
