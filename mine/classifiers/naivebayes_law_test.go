package classifiers

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// randomised returns records of two classes and what is released of them: x with uniform noise, z another category for
// some.
func randomised(rows int) (original, released *table.Table, law *modelfile.Model) {
	r := rand.New(rand.NewPCG(7, 8))
	x, w, y, z, v := make(
		[]float64,
		rows,
	), make([]float64, rows), make([]int32, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		y[i] = int32(r.IntN(2))
		x[i] = float64(r.IntN(50) + 25*int(y[i]))
		z[i] = int32(r.IntN(3))
		if r.Float64() < 0.3 {
			z[i] = y[i]
		}
		w[i], v[i] = math.Round(x[i]+60*(2*r.Float64()-1)), z[i]
		if r.Float64() < 0.5 {
			v[i] = (z[i] + 1 + int32(r.IntN(2))) % 3
		}
	}
	class := table.CatColumn("y", []string{"no", "yes"}, y)
	class.Role = table.Class
	of := func(x []float64, z []int32) *table.Table {
		t, err := table.New(table.NumColumn("x", 1, x), table.CatColumn("z", []string{"a", "b", "c"}, z), class)
		if err != nil {
			panic(err)
		}
		return t
	}
	return of(x, z), of(w, v), &modelfile.Model{Parts: []modelfile.Part{
		{Columns: []string{"x"}, Number: &modelfile.Number{High: 74, Step: 1, Uniform: 60}},
		{Columns: []string{"z"}, Category: &modelfile.Category{Categories: 3, Keep: 0.5}},
	}}
}

// By the law of a release a model is nearly that of its original: counts within five standard errors, and predictions
// that are as good.
func TestByLaw(t *testing.T) {
	const rows = 20_000
	original, released, law := randomised(rows)
	l := NaiveBayesNew()
	l.Numeric, l.Bins = Bins, 10
	fit := func(tab *table.Table, law *modelfile.Model) (*NaiveBayesModel, float64) {
		l.ByLaw(law)
		m := must.Get(l.Fit(t.Context(), tab, rng.Source{}))(t)
		predicted, right := make([]int32, rows), 0.0
		m.(*NaiveBayesModel).Predict(original, predicted)
		for i, c := range original.Cat(2) {
			if c == predicted[i] {
				right += 1.0 / rows
			}
		}
		return m.(*NaiveBayesModel), right
	}
	own, truth := fit(original, nil)
	by, told := fit(released, law)
	_, face := fit(released, nil)
	for at, n := range by.Columns[1].Counts {
		// keep 1/2 of three: inverting divides by 1/4, so a standard error is at most 4 sqrt(n/4)
		if want := own.Columns[1].Counts[at]; math.Abs(n-want) > 5*4*math.Sqrt(rows/2/4) {
			t.Errorf("%v records of category and class %d, expected %v", n, at, want)
		}
	}
	if n := len(by.Columns[0].Cuts) + 1; n != 75 {
		t.Errorf("%d intervals of the 75 numbers", n)
	}
	if told < truth-0.02 || face > told-0.05 {
		t.Errorf("accuracy %v of the original, %v by the law, %v at face value", truth, told, face)
	}
}

func TestWeightsAndLaw(t *testing.T) {
	_, released, law := randomised(10)
	a := *released.Attr(0)
	a.Role = table.Weight
	ones := make([]float64, 10)
	for i := range ones {
		ones[i] = 1
	}
	law.Parts = law.Parts[1:]
	l := NaiveBayesNew()
	l.ByLaw(law)
	if _, err := l.Fit(t.Context(), released.WithNum(0, ones).WithAttr(0, a), rng.Source{}); err == nil ||
		!strings.Contains(err.Error(), "weighted records") {
		t.Error(err)
	}
}
