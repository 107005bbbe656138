package proximity

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table"
)

// twin lays the interval around released value y by the definition: the released values whose rank differs from the
// middle rank of y's by at most width/200 of their number, and those equal to y.
func twin(x, y float64, released []float64, width int) bool {
	if x != x || y != y {
		return false
	}
	sorted := slices.DeleteFunc(slices.Clone(released), math.IsNaN)
	slices.Sort(sorted)
	first, last := slices.Index(sorted, y), 0
	for k, v := range sorted {
		if v == y {
			last = k
		}
	}
	lo, hi := y, y
	for k, v := range sorted {
		if 100*math.Abs(float64(2*k-first-last)) <= float64(width*len(sorted)) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo <= x && x <= hi
}

func numbers(t *rapid.T, name string, n int) []float64 {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
		if v := rapid.IntRange(-1, 12).Draw(t, "value"); v >= 0 {
			return float64(v)
		}
		return math.NaN()
	}), n, n).Draw(t, name)
}

// TestRanksEqualTwin compares shares, narrowest widths and the chance with the definition; the chance is the mean over
// all rotations of the original column, which pair every record with every value equally often.
func TestRanksEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "records")
		x, y := numbers(t, "original", n), numbers(t, "released", n)
		width := rapid.IntRange(1, 100).Draw(t, "width")
		r := RankColumn(x, y)
		held, any, present := 0.0, 0.0, 0.0
		for i := range x {
			if x[i] != x[i] {
				if !math.IsNaN(r.Narrowest[i]) {
					t.Fatalf("record %d has no value and the width %v", i, r.Narrowest[i])
				}
				continue
			}
			present++
			if w := r.Narrowest[i]; w > 1 && w < 1000 && (!twin(x[i], y[i], y, int(w)) || twin(x[i], y[i], y, int(w)-1)) {
				t.Fatalf("record %d: the narrowest width is not %v", i, w)
			}
			want := twin(x[i], y[i], y, width)
			if got := r.Narrowest[i] <= float64(width); got != want {
				t.Fatalf("record %d: narrowest width %v, disclosed at %d is %v", i, r.Narrowest[i], width, want)
			}
			if want {
				held++
			}
			for k := range y {
				if twin(x[i], y[k], y, width) {
					any++
				}
			}
		}
		if present == 0 {
			if r.Share(width) != 0 || r.Chance(width) != 0 {
				t.Fatal("a column without values is disclosed")
			}
			return
		}
		if got := r.Share(width); got != held/present {
			t.Fatalf("share %v, expected %v", got, held/present)
		}
		if got, want := r.Chance(width), any/present/float64(n); math.Abs(got-want) > 1e-12 {
			t.Fatalf("chance %v, expected %v", got, want)
		}
	})
}

// TestRanksByHand has ten released values 0, 10, ..., 90: an interval of 20 % reaches one rank to either side, one of
// 19 % none.
func TestRanksByHand(t *testing.T) {
	released := []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}
	original := []float64{0, 15, 21, 41, 29, 49, math.NaN(), 59, 91, -5}
	r := RankColumn(original, released)
	// 15 lies between 10 and 20, one rank above 10; 21 lies before 30, one rank above 20; 41 two ranks above 30 lies
	// before 50; 29 two ranks below 40; 49 one rank below 50; 59 two ranks below 70; 91 and -5 beyond all.
	want := []float64{1, 20, 20, 40, 40, 20, math.NaN(), 40, math.Inf(1), math.Inf(1)}
	for i, w := range want {
		if got := r.Narrowest[i]; got != w && !(math.IsNaN(got) && math.IsNaN(w)) {
			t.Errorf("record %d: narrowest width %v, expected %v", i, got, w)
		}
	}
	if got := r.Share(20); got != 4./9 {
		t.Errorf("share %v, expected 4/9", got)
	}
}

func TestDeviationsEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "records")
		x, y := numbers(t, "original", n), numbers(t, "released", n)
		k := rapid.Float64Range(0, 2).Draw(t, "k")
		var there []float64
		for _, v := range y {
			if v == v {
				there = append(there, v)
			}
		}
		sd := 0.0
		if len(there) > 1 {
			sd = math.Sqrt(stat.Variance(there, nil))
		}
		for i, got := range Deviations(x, y, k) {
			want := 0.0
			if x[i] != x[i] {
				want = math.NaN()
			} else if y[i] == y[i] && math.Abs(x[i]-y[i]) <= k*sd {
				want = 1
			}
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("record %d: %v, expected %v", i, got, want)
			}
		}
	})
}

func TestDegenerate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name                string
		original, released  []float64
		share, chance, near float64
	}{
		{"no records", nil, nil, 0, 0, nan},
		{"one record, equal", []float64{3}, []float64{3}, 1, 1, 1},
		{"one record, other", []float64{3}, []float64{4}, 0, 0, 0},
		{"constant", []float64{3, 3}, []float64{3, 3}, 1, 1, 1},
		{"released constant", []float64{2, 3}, []float64{3, 3}, 0.5, 0.5, 0.5},
		{"all suppressed", []float64{2, 3}, []float64{nan, nan}, 0, 0, 0},
		{"none known", []float64{nan, nan}, []float64{1, 2}, 0, 0, nan},
	} {
		r := RankColumn(c.original, c.released)
		if r.Share(10) != c.share || r.Chance(10) != c.chance {
			t.Errorf("%s: share %v, chance %v, expected %v and %v", c.name, r.Share(10), r.Chance(10), c.share, c.chance)
		}
		if got := stat.Mean(slices.DeleteFunc(Deviations(c.original, c.released, 0.05), math.IsNaN), nil); got != c.near &&
			!(math.IsNaN(got) && math.IsNaN(c.near)) {
			t.Errorf("%s: by deviation %v, expected %v", c.name, got, c.near)
		}
	}
}

func TestChanged(t *testing.T) {
	num := func(v ...float64) table.Column { return table.NumColumn("a", 1, v) }
	cat := func(v ...int32) table.Column { return table.CatColumn("a", []string{"u", "v"}, v) }
	for k, c := range []struct {
		a, b table.Column
		want bool
	}{
		{num(1, math.NaN()), num(1, math.NaN()), false}, {num(1, 2), num(1, math.NaN()), true}, {num(1), num(2), true},
		{cat(0, -1), cat(0, -1), false}, {cat(0), cat(-1), true}, {cat(0), cat(1), true},
	} {
		if got := Changed(c.a, c.b); got != c.want {
			t.Errorf("%d: %v, expected %v", k, got, c.want)
		}
	}
}

// BenchmarkRankColumn compares a continuous column of 1,000,000 values.
func BenchmarkRankColumn(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, 1_000_000), make([]float64, 1_000_000)
	for i := range x {
		x[i] = r.NormFloat64()
		y[i] = x[i] + 0.1*r.NormFloat64()
	}
	for b.Loop() {
		RankColumn(x, y)
	}
	yardstick.Report(b)
}
