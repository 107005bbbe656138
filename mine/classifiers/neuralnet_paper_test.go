package classifiers

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Islam 2007, section 9.2: two hidden layers of four neurons. His first has as many weights as the table of eight
// variables prints, with the thresholds, and his second too.
func TestArchitecture(t *testing.T) {
	var cols []table.Column
	for _, name := range []string{"2", "3", "4", "5", "6", "7", "8", "9"} {
		cols = append(cols, table.NumColumn(name, 1, []float64{1, 2, 3}))
	}
	cols = append(cols, netClassColumn(0, 1, 0))
	m := netFit(t, NeuralNetNew(), tabletest.Of(t, cols...))
	if !slices.Equal(m.Sizes, []int{8, 4, 4, 2}) {
		t.Fatalf("layers %v, expected 8, 4, 4 and the classes", m.Sizes)
	}
	for k, printed := range map[int]int{1: 9 * 4, 2: 5 * 4} {
		thresholds, w := layer(m.Sizes, m.Weights, k)
		if got := len(thresholds) + len(w.Data); got != printed {
			t.Errorf("layer %d has %d weights, expected %d", k, got, printed)
		}
	}
}

// Islam 2007, table 9.4: a network trained on 350 records of Wisconsin Breast Cancer errs in 1.71 % of the other 350,
// one of which is in both. Which records is not said; with the first 350 the bound is three standard errors above.
func TestNeuralNetBreastCancer(t *testing.T) {
	tab := read(t, "wbc/wbc.csv", "class").Select(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	if e := netWrong(netFit(t, NeuralNetNew(), tab.Slice(0, 350)), tab.Slice(349, 699)); e > 0.0171+3*0.0069 {
		t.Errorf("error %.4f, expected at most 0.038", e)
	}
}

// By ten folds networks err in 2 to 5 % of the records of Iris, which two of its classes' overlap sets; the bound is
// three standard errors above. Guessing errs in 67 %.
func TestNeuralNetIris(t *testing.T) {
	tab := read(t, "iris/iris.csv", "class")
	errors := 0.0
	for fold := range 10 {
		var train, test []int
		for i := range tab.Rows() {
			if i%10 == fold {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		errors += netWrong(netFit(t, NeuralNetNew(), tab.Gather(train)), tab.Gather(test)) * float64(len(test))
	}
	if e := errors / float64(tab.Rows()); e > 0.05+3*0.018 {
		t.Errorf("error %.4f, expected at most 0.1", e)
	}
}

// On Adult without missing values, in the split of its authors, a network of five epochs errs in 14.93 % of the 15,060
// test records: that is what was measured here. A network of another seed errs in as many within three standard errors
// of 0.3 points.
func TestNeuralNetAdult(t *testing.T) {
	train, test := complete(read(t, "adult/adult.csv", "income")), complete(read(t, "adult/adult-test.csv", "income"))
	test = must.Get(test.Conform(train.Attrs(), true))(t)
	l := NeuralNetNew()
	l.Epochs = 5
	if e := 100 * netWrong(netFit(t, l, train), test); math.Abs(e-14.93) > 0.9 {
		t.Errorf("error %.2f %%, expected 14.93 %%", e)
	}
}

func netFit(t testing.TB, l *NeuralNetLearner, tab *table.Table) *NeuralNetModel {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{1})))(t)
	return m.(*NeuralNetModel)
}

// netWrong returns the share of records whose class is not the predicted one.
func netWrong(m *NeuralNetModel, t *table.Table) float64 {
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
