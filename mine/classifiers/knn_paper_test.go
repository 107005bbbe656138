package classifiers

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Peters 2011, section 4.2 and figure A.5: 1-NN on suppressed records.
func TestOneNN(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/classifier_metrics.json"))(t)
	type in struct {
		Train        [][]string
		TrainClasses []string `json:"train_classes"`
		Test         [][]string
	}
	type out struct{ Predicted []string }
	for _, c := range protecttest.Cases[in, out](t, text, "one_nn") {
		rows := slices.Concat(c.Input.Train, c.Input.Test)
		var cols []table.Column
		for j := range rows[0] {
			column := make([]string, len(rows))
			for i := range rows {
				column[i] = rows[i][j]
			}
			cols = append(cols, words(string(rune('a'+j)), column))
		}
		class := words("class", append(slices.Clone(c.Input.TrainClasses), make([]string, len(c.Input.Test))...))
		class.Role = table.Class
		tab := tabletest.Of(t, append(cols, class)...)
		l := KNNNew()
		l.Distance = Overlap
		got := predict(t, l, tab.Slice(0, len(c.Input.Train)), tab.Slice(len(c.Input.Train), len(rows)))
		for i, want := range c.Expected.Predicted {
			if label := class.Labels[got[i]]; label != want {
				t.Errorf("%s: record %d is predicted %q, expected %q", c.Name, i, label, want)
			}
		}
	}
}

// words returns a column of words, "?" and "" missing.
func words(name string, values []string) table.Column {
	labels := slices.Compact(slices.Sorted(slices.Values(values)))
	labels = slices.DeleteFunc(labels, func(l string) bool { return l == "?" || l == "" })
	codes := make([]int32, len(values))
	for i, v := range values {
		codes[i] = int32(slices.Index(labels, v))
	}
	return table.CatColumn(name, labels, codes)
}

// On Adult without missing values, in the split of its authors, 1-NN errs in 3,225 of the 15,060 test records. That is
// what was measured here: the notes on the data set, which have figures of other programs, are not at hand.
func TestKNNAdult(t *testing.T) {
	train, test := complete(read(t, "adult/adult.csv", "income")), complete(read(t, "adult/adult-test.csv", "income"))
	test = must.Get(test.Conform(train.Attrs(), true))(t)
	if n := knnWrong(predict(t, KNNNew(), train, test), test) * float64(test.Rows()); math.Abs(n-3225) > 1e-6 {
		t.Errorf("%v errors, expected 3225", n)
	}
}

// On Iris and on Wisconsin Breast Cancer, each record predicted by all others, 1-NN errs in some 4.7 % of the records,
// however numbers are scaled; the bounds are three standard errors away.
func TestSmallSets(t *testing.T) {
	for file, e := range map[string]float64{"iris/iris.csv": 0.052, "wbc/wbc.csv": 0.024} {
		tab := read(t, file, "class")
		if j := tab.Find("id"); j >= 0 {
			a := *tab.Attr(j)
			a.Role = table.Identifier
			tab = tab.WithAttr(j, a)
		}
		got := must.Get(KNNNew().LeaveOneOut(context.Background(), tab))(t)
		if w := knnWrong(got, tab); math.Abs(w-0.047) > e {
			t.Errorf("%s: error %.4f, expected 0.047 within %v", file, w, e)
		}
	}
}

// Leave-one-out is what is left when each record is taken out of the table and predicted, up to the scale, which the
// record at hand sets no limit of.
func TestLeaveOneOutIsLeavingOut(t *testing.T) {
	tab := read(t, "iris/iris.csv", "class")
	l := KNNNew()
	l.Distance, l.Bins = Overlap, 0
	got := must.Get(l.LeaveOneOut(context.Background(), tab))(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		i := r.IntN(tab.Rows())
		var others []int
		for k := range tab.Rows() {
			if k != i {
				others = append(others, k)
			}
		}
		if want := predict(t, l, tab.Gather(others), tab.Slice(i, i+1))[0]; got[i] != want {
			t.Errorf("record %d is predicted %d, expected %d", i, got[i], want)
		}
	}
}

func predict(t testing.TB, l *KNNLearner, train, test *table.Table) []int32 {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), train, rng.Source{}))(t)
	dst := make([]int32, test.Rows())
	m.(*KNNModel).Predict(test, dst)
	return dst
}

// knnWrong returns the share of records whose class is not the predicted one.
func knnWrong(predicted []int32, t *table.Table) float64 {
	n := 0
	for i, c := range t.Cat(t.WithRole(table.Class)) {
		if predicted[i] != c {
			n++
		}
	}
	return float64(n) / float64(t.Rows())
}

func read(t testing.TB, file, class string) *table.Table {
	t.Helper()
	tab, _, err := format.Read(context.Background(), dataset.File(t, file), format.Options{})
	must.NoError(t, err)
	j := tab.Find(class)
	if tab, err = tab.AsCategorical(j, 0); err != nil {
		t.Fatal(err)
	}
	a := *tab.Attr(j)
	a.Role = table.Class
	return tab.WithAttr(j, a)
}

// complete returns the records without missing values.
func complete(t *table.Table) *table.Table {
	var rows []int
	for i := range t.Rows() {
		whole := true
		for j := range t.Width() {
			whole = whole && !t.MissingAt(i, j)
		}
		if whole {
			rows = append(rows, i)
		}
	}
	return t.Gather(rows)
}
