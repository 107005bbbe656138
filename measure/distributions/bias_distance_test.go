package distributions

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// twin takes the largest difference of the two distribution functions at every value.
func twin(x, y []float64) float64 {
	far := 0.0
	for _, v := range slices.Concat(x, y) {
		below := func(w []float64) float64 {
			n := 0.0
			for _, u := range w {
				if u <= v {
					n++
				}
			}
			return n / float64(len(w))
		}
		far = max(far, math.Abs(below(x)-below(y)))
	}
	return far
}

// TestKolmogorovSmirnovEqualsTwin takes the distance by sorting, and by few cells of which some hold one value and some
// several.
func TestKolmogorovSmirnovEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Map(rapid.IntRange(-6, 6), func(v int) float64 { return float64(v) / 2 }), 1, 12)
		x, y := sample.Draw(t, "x"), sample.Draw(t, "y")
		want := twin(x, y)
		if got := kolmogorovSmirnov(x, y, nil); got != want || got != kolmogorovSmirnov(y, x, nil) {
			t.Fatalf("distance %v, expected %v", got, want)
		}
		n, m := float64(len(x)), float64(len(y))
		lo, hi := min(slices.Min(x), slices.Min(y)), max(slices.Max(x), slices.Max(y))
		for _, number := range []int{1, 2, 3, 5, 20} {
			if got := newCells(x, y, lo, hi, number).distance(x, y, n, m, nil); got != want {
				t.Fatalf("distance by %d cells %v, expected %v", number, got, want)
			}
		}
		slices.Sort(x)
		slices.Sort(y)
		if far := stat.KolmogorovSmirnov(x, nil, y, nil); math.Abs(far-want) > 1e-12 {
			t.Fatalf("distance %v, gonum has %v", want, far)
		}
	})
}

// TestLargeSamples has enough values for cells: smooth, skewed with an outlier, whole, permuted, and with missing
// values.
func TestLargeSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	draw := func(n int, law func() float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = law()
		}
		return out
	}
	skewed := func() float64 { return math.Exp(3 * r.NormFloat64()) }
	whole := func() float64 { return float64(r.IntN(90)) }
	gaps := func() float64 {
		if r.IntN(3) == 0 {
			return math.NaN()
		}
		return r.NormFloat64()
	}
	x := draw(6000, r.NormFloat64)
	permuted := slices.Clone(x)
	r.Shuffle(len(permuted), func(i, j int) { permuted[i], permuted[j] = permuted[j], permuted[i] })
	for name, c := range map[string][2][]float64{
		"smooth": {x, draw(5000, func() float64 { return 0.1 + r.NormFloat64() })},
		"skewed": {draw(5000, skewed), append(draw(4000, skewed), 1e12)},
		"whole":  {draw(5000, whole), draw(7000, whole)}, "permuted": {x, permuted},
		"gaps":      {draw(5000, gaps), draw(5000, gaps)},
		"infinite":  {draw(4000, whole), append(draw(4000, whole), math.Inf(1))},
		"one value": {make([]float64, 5000), make([]float64, 100)},
		"tiny": {draw(5000, func() float64 { return 1e-310 * r.Float64() }),
			draw(5000, func() float64 { return 1.2e-310 * r.Float64() })},
	} {
		known := func(v []float64) []float64 {
			return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(v), math.IsNaN)))
		}
		a, b := known(c[0]), known(c[1])
		want := biasFarthest(a, b, 0, 0, float64(len(a)), float64(len(b)))
		if got := kolmogorovSmirnov(c[0], c[1], nil); got != want || want == 0 && name != "permuted" && name != "one value" {
			t.Errorf("%s: distance %v, expected %v", name, got, want)
		}
	}
}

func TestDistances(t *testing.T) {
	na := math.NaN()
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, 0},
		{[]float64{1, 2, 3, 4}, []float64{1, 2, 3, 9}, 0.25},
		{[]float64{1, 2, na, na}, []float64{1, na, 1, 2}, 1. / 6},
		{[]float64{1, 2}, []float64{3, 4}, 1},
		{[]float64{1, 2}, []float64{na, na}, 1},
		{[]float64{0, 1}, []float64{math.Copysign(0, -1), 1}, 0},
	} {
		if got := distance(tabletest.Of(t, tabletest.Numbers(0, c.x)...), tabletest.Of(t, tabletest.Numbers(0, c.y)...),
			0); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v and %v: distance %v, expected %v", c.x, c.y, got, c.want)
		}
	}
	if d := distance(tabletest.Of(t, tabletest.Numbers(0, []float64{na})...),
		tabletest.Of(t, tabletest.Numbers(0, []float64{1})...), 0); !math.IsNaN(d) {
		t.Errorf("nothing lies at the distance %v, expected NaN", d)
	}
	for _, c := range []struct {
		p, q []float64
		want float64
	}{
		{[]float64{0.25, 0.25, 0.5}, []float64{0.5, 0.25, 0.25}, 0.25},
		{[]float64{1, 0}, []float64{0, 1}, 1},
		{[]float64{1, 0}, nil, 1},
	} {
		if got := totalVariation(c.p, c.q); got != c.want {
			t.Errorf("%v and %v: total variation %v, expected %v", c.p, c.q, got, c.want)
		}
	}
}

// TestDistributionsWithoutNumbers: the distributions of categories are judged however few numeric columns there are.
func TestDistributionsWithoutNumbers(t *testing.T) {
	column := func(codes ...int32) table.Column { return table.CatColumn("rel", []string{"A", "B"}, codes) }
	number := table.NumColumn("age", 1, []float64{1, 2, 3, 4})
	for _, with := range [][]table.Column{nil, {number}} {
		r := &measure.Release{
			Original: tabletest.Of(t, append(with[:len(with):len(with)], column(0, 0, 0, 1))...),
			Released: tabletest.Of(t, append(with[:len(with):len(with)], column(0, 1, 1, 1))...),
		}
		if _, err := (&Meter{}).Measure(t.Context(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
			t.Fatal(err)
		}
		uses, err := Bias.Otherwise(t.Context(), r)
		if err != nil || len(uses) != 1 {
			t.Fatal(uses, err)
		}
		if k := slices.Index(uses[0].Columns, "rel"); k != len(with) || uses[0].Losses[k] != 0.5 {
			t.Errorf("%+v", uses)
		}
	}
}
