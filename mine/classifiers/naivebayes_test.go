package classifiers

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func bayesClassColumn(codes ...int32) table.Column {
	c := table.CatColumn("class", []string{"no", "yes"}, codes)
	c.Role = table.Class
	return c
}

func letters(codes ...int32) table.Column {
	return table.CatColumn("a", []string{"x", "y", "z"}, codes)
}

// A record of weight 3 counts as three records.
func TestWeights(t *testing.T) {
	once := minetest.Mixed(200, 0.1)
	weight, rows := make([]float64, once.Rows()), []int{}
	for i := range weight {
		weight[i] = float64(1 + i%3)
		for range 1 + i%3 {
			rows = append(rows, i)
		}
	}
	j := once.WithRole(table.Weight)
	weighted, ones := once.WithNum(j, weight), once.Gather(rows)
	same := make([]float64, ones.Rows())
	for i := range same {
		same[i] = 1
	}
	for _, numeric := range []string{Gaussian, Bins} {
		l := &NaiveBayesLearner{Laplace: 1, Numeric: numeric, Bins: 1}
		a, b := bayesFit(t, l, weighted), bayesFit(t, l, ones.WithNum(j, same))
		p, q := make([]float64, 3*once.Rows()), make([]float64, 3*once.Rows())
		a.Probabilities(once, p)
		b.Probabilities(once, q)
		for i := range p {
			protecttest.Near(t, "probability", p[i], q[i], 1e-9)
		}
	}
}

// What is missing, what no record has and what never varies says nothing.
func TestSaysNothing(t *testing.T) {
	tab := tabletest.Of(t, letters(0, 0, 1, -1), table.NumColumn("n", 1, []float64{7, 7, 7, math.NaN()}),
		bayesClassColumn(0, 1, 1, 0))
	p := make([]float64, 8)
	bayesFit(
		t,
		NaiveBayesNew(),
		tab,
	).Probabilities(tab.WithCat(0, []int32{-1, 2, -1, 0}).WithNum(1, []float64{7, 8, math.NaN(), math.NaN()}), p)
	want := []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, (2.0 / 3) / (2.0/3 + 2.0/4), (2.0 / 4) / (2.0/3 + 2.0/4)}
	for i := range p {
		protecttest.Near(t, "probability", p[i], want[i], 1e-12)
	}
}

// A label that Conform appends is ignored.
func TestNaiveBayesUnseenCategory(t *testing.T) {
	train := tabletest.Of(t, letters(0, 1, 1), bayesClassColumn(0, 1, 1))
	test := must.Get(tabletest.Of(
		t,
		table.CatColumn("a", []string{"new", "x"}, []int32{0, 1}),
		bayesClassColumn(-1, -1),
	).Conform(train.Attrs(), true))(t)
	dst := make([]int32, 2)
	bayesFit(t, NaiveBayesNew(), train).Predict(test, dst)
	if !slices.Equal(dst, []int32{1, 0}) {
		t.Errorf("classes %v, expected the most frequent, then that of x", dst)
	}
}

// Without smoothing one value excludes a class, and where all are excluded their shares remain.
func TestExclusion(t *testing.T) {
	train := tabletest.Of(t, letters(0, 1, 1), table.CatColumn("b", []string{"u", "v"}, []int32{0, 1, 1}),
		bayesClassColumn(0, 1, 1))
	m := bayesFit(t, &NaiveBayesLearner{Numeric: Gaussian}, train)
	asked := train.Slice(0, 2).WithCat(1, []int32{1, 1})
	p, dst := make([]float64, 4), make([]int32, 2)
	m.Probabilities(asked, p)
	m.Predict(asked, dst)
	if !slices.Equal(dst, []int32{1, 1}) || p[2] != 0 || p[3] != 1 {
		t.Errorf("classes %v with probabilities %v, expected class 1, without doubt for the second record", dst, p)
	}
	protecttest.Near(t, "share", p[0], 1.0/3, 1e-12)
}

// A class of one value keeps a density as wide as the grid's rounding, one on a continuous attribute a billionth of the
// variance.
func TestLeastVariance(t *testing.T) {
	for step, want := range map[float64]float64{1: 1.0 / 12, 0: 12.75e-9} {
		m := bayesFit(
			t,
			NaiveBayesNew(),
			tabletest.Of(t, table.NumColumn("n", step, []float64{3, 3, 9, 11}), bayesClassColumn(0, 0, 1, 1)),
		)
		if got := m.Columns[0]; math.Abs(got.Variance[0]-want) > 1e-9*want || got.Variance[1] != 1 || got.Mean[1] != 10 {
			t.Errorf("step %v: means %v, variances %v", step, got.Mean, got.Variance)
		}
	}
}

func TestNaiveBayesErrors(t *testing.T) {
	number := table.NumColumn("class", 0, []float64{1, 2})
	number.Role = table.Class
	weight := func(a, b float64) table.Column {
		c := table.NumColumn("w", 0, []float64{a, b})
		c.Role = table.Weight
		return c
	}
	word := letters(0, 1)
	word.Role = table.Weight
	for _, c := range []struct {
		cols []table.Column
		want string
	}{
		{[]table.Column{letters(0, 1)}, mine.ErrNoClass.Error()},
		{[]table.Column{number}, `class "class" is numeric, expected categorical`},
		{[]table.Column{letters(0, 1), bayesClassColumn(-1, -1)}, `class "class" has no value in the 2 records`},
		{[]table.Column{weight(0, 1), bayesClassColumn(0, 1)}, `column "w" of weights: 1 values are missing, not positive or infinite`},
		{[]table.Column{weight(1.5e308, 1.5e308), bayesClassColumn(0, 1)}, `column "w" of weights: the sum is too large`},
		{[]table.Column{word, bayesClassColumn(0, 1)}, `column "a" has the role weight but is categorical, expected numeric`},
		{[]table.Column{table.NumColumn("n", 0, []float64{1e200, 0}), bayesClassColumn(0, 1)}, `column "n": the numbers are too large for a variance`},
	} {
		m, err := NaiveBayesNew().Fit(context.Background(), tabletest.Of(t, c.cols...), rng.Source{})
		if err == nil || err.Error() != c.want || m != nil {
			t.Errorf("model %v, error %v, expected %q", m, err, c.want)
		}
	}
}

// A record alone, and no attribute at all, leave the shares of the classes.
func TestNaiveBayesFewest(t *testing.T) {
	for _, tab := range []*table.Table{tabletest.Of(t, letters(2), bayesClassColumn(1)),
		tabletest.Of(t, bayesClassColumn(1, 0, 1))} {
		m := bayesFit(t, NaiveBayesNew(), tab)
		dst := make([]int32, tab.Rows())
		m.Predict(tab, dst)
		if dst[0] != 1 {
			t.Errorf("class %d, expected 1", dst[0])
		}
	}
}

// Check finds every way in which a decoded model can be at odds with itself.
func TestNaiveBayesCheck(t *testing.T) {
	for name, spoil := range map[string]func(m *NaiveBayesModel){
		"":               func(*NaiveBayesModel) {},
		"class":          func(m *NaiveBayesModel) { m.Class = 1 },
		"classes":        func(m *NaiveBayesModel) { m.Weights = m.Weights[1:] },
		"no records":     func(m *NaiveBayesModel) { clear(m.Weights) },
		"negative":       func(m *NaiveBayesModel) { m.Weights[0] = -1 },
		"laplace":        func(m *NaiveBayesModel) { m.Laplace = -1 },
		"unknown column": func(m *NaiveBayesModel) { m.Columns[0].Attribute = 99 },
		"kind":           func(m *NaiveBayesModel) { m.Columns[0].Attribute = 3 },
		"variances":      func(m *NaiveBayesModel) { m.Columns[0].Variance = m.Columns[0].Variance[1:] },
		"zero":           func(m *NaiveBayesModel) { m.Columns[0].Variance[1] = 0 },
		"counts":         func(m *NaiveBayesModel) { m.Columns[2].Counts = m.Columns[2].Counts[1:] },
		"no counts":      func(m *NaiveBayesModel) { m.Columns[2].Counts[0] = math.Inf(1) },
	} {
		m := bayesFit(t, NaiveBayesNew(), minetest.Mixed(50, 0.1))
		spoil(m)
		if err := m.Check(); (err == nil) != (name == "") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNaiveBayesText(t *testing.T) {
	for numeric, want := range map[string]string{Gaussian: "\nage: normal\n  mean ", Bins: "\nage: 10 bins\n"} {
		l := NaiveBayesNew()
		l.Numeric = numeric
		text := bayesFit(t, l, minetest.Mixed(500, 0.1)).Text()
		if !strings.HasPrefix(text, "naive Bayes on 5 attributes\n") || !strings.Contains(text, want) ||
			!strings.Contains(text, "\ntown: 13 categories\n") {
			t.Errorf("text is\n%s", text)
		}
	}
}

// The mean of days is shown as a day, in the notation of the column.
func TestNaiveBayesTextOfDates(t *testing.T) {
	class := table.CatColumn("class", []string{"a", "b"}, []int32{0, 0, 1, 1})
	class.Role = table.Class
	l := NaiveBayesNew()
	l.Numeric = Gaussian
	text := bayesFit(t, l,
		tabletest.Of(t, table.DateColumn("seen", calendar.ISO, []float64{0, 2, 19_000, 19_003}), class)).Text()
	if !strings.Contains(text, "mean 1970-01-02, standard deviation ") ||
		!strings.Contains(text, " days where the class is b") ||
		strings.Contains(text, "19001") {
		t.Errorf("the means of days are not shown as days:\n%s", text)
	}
}
