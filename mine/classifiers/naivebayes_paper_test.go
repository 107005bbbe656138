package classifiers

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// weather is the table of Quinlan 1986, table 1: 14 days.
func weather(t *testing.T) *table.Table {
	cols := []table.Column{
		table.CatColumn("outlook", []string{"sunny", "overcast", "rain"}, []int32{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2}),
		table.CatColumn("temperature", []string{"hot", "mild", "cool"}, []int32{0, 0, 0, 1, 2, 2, 2, 1, 2, 1, 1, 1, 0, 1}),
		table.CatColumn("humidity", []string{"high", "normal"}, []int32{0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0}),
		table.CatColumn("wind", []string{"weak", "strong"}, []int32{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1}),
		table.CatColumn("class", []string{"no", "yes"}, []int32{0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0}),
	}
	cols[4].Role = table.Class
	return tabletest.Of(t, cols...)
}

// Mitchell 1997, section 6.9.1: on a sunny, cool day of high humidity and strong wind nobody plays tennis, with a
// probability of 0.795: 0.0206 against 0.0053.
func TestTennis(t *testing.T) {
	tab := weather(t)
	asked := tab.Slice(0, 1).WithCat(1, []int32{2}).WithCat(3, []int32{1})
	m := bayesFit(t, &NaiveBayesLearner{Numeric: Gaussian}, tab)
	p := make([]float64, 2)
	m.Probabilities(asked, p)
	no, yes := 5.0/14*3/5*1/5*4/5*3/5, 9.0/14*2/9*3/9*3/9*3/9
	protecttest.Near(t, "no", no, 0.0206, 5e-5)
	protecttest.Near(t, "yes", yes, 0.0053, 5e-5)
	protecttest.Near(t, "probability of no", p[0], no/(no+yes), 1e-12)
	protecttest.Near(t, "probability of no", p[0], 0.795, 5e-4)

	m = bayesFit(t, NaiveBayesNew(), tab) // Laplace's rule
	m.Probabilities(asked, p)
	no, yes = 5.0/14*4/8*2/8*5/7*4/7, 9.0/14*3/12*4/12*4/11*4/11
	protecttest.Near(t, "probability of no, smoothed", p[0], no/(no+yes), 1e-12)
}

// Normal laws err in 6 of the 150 records of Iris that they are learned from, as every implementation finds.
func TestNaiveBayesIris(t *testing.T) {
	tab := read(t, "iris/iris.csv", "class")
	if n := bayesWrong(bayesFit(t, NaiveBayesNew(), tab), tab) * 150; math.Abs(n-6) > 1e-9 {
		t.Errorf("%v errors, expected 6", n)
	}
}

// On Adult without missing values, in the split of its authors, naive Bayes errs in 2,506 of the 15,060 test records
// with fine bins, and in 2,649 with normal laws, which do not suit its numbers, some of which are mostly 0: less than
// the 3,700 of always predicting the larger class. That is what was measured here: the notes on the data set, which
// have figures of other programs, are not at hand.
func TestNaiveBayesAdult(t *testing.T) {
	train, test := complete(read(t, "adult/adult.csv", "income")), complete(read(t, "adult/adult-test.csv", "income"))
	test = must.Get(test.Conform(train.Attrs(), true))(t)
	l := NaiveBayesNew()
	l.Numeric, l.Bins = Bins, 50
	for want, l := range map[float64]*NaiveBayesLearner{2506: l, 2649: NaiveBayesNew()} {
		if n := bayesWrong(bayesFit(t, l, train), test) * float64(test.Rows()); math.Abs(n-want) > 1e-6 {
			t.Errorf("%s: %v errors, expected %v", l.Numeric, n, want)
		}
	}
}

// On Wisconsin Breast Cancer naive Bayes errs in 2.5 to 4.5 % of the records by ten folds, whatever is made of the
// scores; the bounds are three standard errors wider.
func TestNaiveBayesBreastCancer(t *testing.T) {
	tab := read(t, "wbc/wbc.csv", "class").Select(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	for _, numeric := range []string{Gaussian, Bins} {
		l, errors := NaiveBayesNew(), 0.0
		l.Numeric = numeric
		for fold := range 10 {
			var train, test []int
			for i := range tab.Rows() {
				if i%10 == fold {
					test = append(test, i)
				} else {
					train = append(train, i)
				}
			}
			errors += bayesWrong(bayesFit(t, l, tab.Gather(train)), tab.Gather(test)) * float64(len(test))
		}
		if e := errors / float64(tab.Rows()); e < 0.005 || e > 0.065 {
			t.Errorf("%s: error %.4f, expected 0.005 to 0.065", numeric, e)
		}
	}
}

func bayesFit(t testing.TB, l *NaiveBayesLearner, tab *table.Table) *NaiveBayesModel {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, rng.Source{}))(t)
	return m.(*NaiveBayesModel)
}

// bayesWrong returns the share of records whose class is not the predicted one.
func bayesWrong(m *NaiveBayesModel, t *table.Table) float64 {
	dst := make([]int32, t.Rows())
	m.Predict(t, dst)
	n := 0
	for i, c := range t.Cat(m.Class) {
		if dst[i] != c {
			n++
		}
	}
	return float64(n) / float64(t.Rows())
}
