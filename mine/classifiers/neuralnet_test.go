package classifiers

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func netClassColumn(codes ...int32) table.Column {
	c := table.CatColumn("class", []string{"no", "yes"}, codes)
	c.Role = table.Class
	return c
}

// The classes of XOR are no half-spaces: without hidden layers, or where they learn nothing, half of the records are
// wrong.
func TestXOR(t *testing.T) {
	a, b, class := make([]float64, 80), make([]int32, 80), make([]int32, 80)
	for i := range a {
		a[i], b[i] = float64(i&1), int32(i>>1&1)
		class[i] = int32(i&1 ^ i>>1&1)
	}
	tab := tabletest.Of(
		t,
		table.NumColumn("a", 1, a),
		table.CatColumn("b", []string{"u", "v"}, b),
		netClassColumn(class...),
	)
	for _, layers := range []int{1, 2} {
		l := NeuralNetNew()
		l.Layers, l.Hidden, l.Holdout, l.Epochs, l.Rate = layers, 8, 0, 100, 0.03
		if e := netWrong(netFit(t, l, tab), tab); e > 0 {
			t.Errorf("%d layers: error %v, expected none", layers, e)
		}
	}
}

// The source decides; who is held out depends on the record and not on its place.
func TestSource(t *testing.T) {
	tab := tabletest.Of(t, randomColumns(300)...)
	l := NeuralNetNew()
	l.Epochs = 2
	other := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{9})))(t)
	if slices.Equal(netFit(t, l, tab).Weights, other.(*NeuralNetModel).Weights) {
		t.Error("two sources give the same network")
	}
	held := func(tab *table.Table) (ids []table.RecordID) {
		m := must.Get(l.begin(context.Background(), tab))(t)
		tr := must.Get(l.prepare(m, tab, rng.New([32]byte{1})))(t)
		if len(tr.held)+len(tr.rows) != tab.Rows() {
			t.Errorf("%d and %d records, expected %d", len(tr.held), len(tr.rows), tab.Rows())
		}
		for _, i := range tr.held {
			ids = append(ids, tab.ID(int(i)))
		}
		slices.Sort(ids)
		return ids
	}
	backwards := make([]int, tab.Rows())
	for i := range backwards {
		backwards[i] = len(backwards) - 1 - i
	}
	// 30 of 300 are expected, with a standard deviation of 5.2: outside 5 to 55 by one in a million
	if a, b := held(tab), held(tab.Gather(backwards)); !slices.Equal(a, b) || len(a) < 5 || len(a) > 55 {
		t.Errorf("held out are %v, in another order %v", a, b)
	}
}

// Training stops when the records held out get no better, and keeps the weights that were best for them.
func TestEarlyStopping(t *testing.T) {
	cols := randomColumns(120)
	for i := range cols[3].Cat { // noise, which a large network learns by heart
		if i%3 == 0 {
			cols[3].Cat[i] = 1 - cols[3].Cat[i]
		}
	}
	tab := tabletest.Of(t, cols...)
	l := NeuralNetNew()
	l.Hidden, l.Holdout, l.Epochs, l.Patience = 30, 30, 400, 5
	m := netFit(t, l, tab)
	if m.Epochs > 200 || m.Held <= 0 {
		t.Errorf("%d epochs, loss of the records held out %v", m.Epochs, m.Held)
	}
	l.Epochs = m.Epochs
	if again := netFit(t, l, tab); !slices.Equal(again.Weights, m.Weights) || again.Loss != m.Loss ||
		again.Held != m.Held {
		t.Errorf("ended at epoch %d training gives another network", m.Epochs)
	}
}

// A number that is missing or never varies, and a category that is missing or unknown, enter as 0.
func TestEncode(t *testing.T) {
	tab := tabletest.Of(t,
		table.NumColumn("n", 1, []float64{1, 3, math.NaN(), 1e300}),
		table.CatColumn("c", []string{"u", "v", "w"}, []int32{0, 1, -1, 2}),
		table.NumColumn("constant", 1, []float64{5, 5, 5, 7}))
	inputs := []Input{
		{Attribute: 0, Neurons: 1, Centre: 2, Scale: 2},
		{Attribute: 1, Neurons: 2},
		{Attribute: 2, Neurons: 1, Centre: 5},
	}
	dst := matrix(shard, 4)
	for i := range dst.Data {
		dst.Data[i] = 9
	}
	encode(inputs, tab, []int32{3, 0, 2, 1}, dst)
	want := []float64{extreme, 0, 0, 0, -0.5, 1, 0, 0, 0, 0, 0, 0, 0.5, 0, 1, 0}
	if !slices.Equal(dst.Data[:16], want) {
		t.Errorf("inputs %v, expected %v", dst.Data[:16], want)
	}
}

// A label that Conform appends is unknown to the network and enters as nothing.
func TestNeuralNetUnseenCategory(t *testing.T) {
	train := tabletest.Of(t, randomColumns(100)...)
	m := netFit(t, NeuralNetNew(), train)
	asked := train.Slice(0, 1)
	test, err := asked.WithColumn(2, table.CatColumn("z", []string{"new"}, []int32{0}))
	must.NoError(t, err)
	if test, err = test.Conform(train.Attrs(), true); err != nil {
		t.Fatal(err)
	}
	p, q := make([]float64, 2), make([]float64, 2)
	m.Probabilities(test, p)
	m.Probabilities(asked.WithCat(2, []int32{-1}), q)
	if !slices.Equal(p, q) {
		t.Errorf("probabilities %v, with a missing category %v", p, q)
	}
}

// One class is learned and predicted; one record trains a network, held out or not.
func TestNeuralNetFewest(t *testing.T) {
	one := table.CatColumn("class", []string{"only"}, []int32{0, 0})
	one.Role = table.Class
	for _, tab := range []*table.Table{
		tabletest.Of(t, table.NumColumn("n", 1, []float64{1, 2}), one),
		tabletest.Of(t, table.NumColumn("n", 1, []float64{1, 2}), netClassColumn(1, 1)),
		tabletest.Of(t, table.NumColumn("n", 1, []float64{1, 2}), netClassColumn(-1, 1)).Slice(1, 2),
	} {
		for _, holdout := range []float64{0, 90} {
			l := NeuralNetNew()
			l.Holdout, l.Epochs = holdout, 200
			m := netFit(t, l, tab)
			if e := netWrong(m, tab); e > 0 {
				t.Errorf("error %v", e)
			}
		}
	}
}

func TestNeuralNetErrors(t *testing.T) {
	number := table.NumColumn("class", 0, []float64{1, 2})
	number.Role = table.Class
	for _, c := range []struct {
		cols []table.Column
		want string
	}{
		{[]table.Column{table.NumColumn("n", 0, []float64{1, 2})}, mine.ErrNoClass.Error()},
		{[]table.Column{number}, `class "class" is numeric, expected categorical`},
		{[]table.Column{netClassColumn(0, 1)},
			"no column to learn from: all are class, identifier, weight or without values"},
		{[]table.Column{table.NumColumn("n", 0, []float64{1, 2}), netClassColumn(-1, -1)}, `class "class" has no value in the 2 records`},
		{[]table.Column{table.NumColumn("n", 0, []float64{-1e308, 1e308}), netClassColumn(0, 1)}, `column "n": the numbers lie too far apart to be scaled`},
	} {
		m, err := NeuralNetNew().Fit(context.Background(), tabletest.Of(t, c.cols...), rng.Source{})
		if err == nil || err.Error() != c.want || m != nil {
			t.Errorf("model %v, error %v, expected %q", m, err, c.want)
		}
	}
}

// A rate far too large is named.
func TestDivergence(t *testing.T) {
	cols := randomColumns(300)
	for i := range cols[3].Cat {
		cols[3].Cat[i] = int32(i / 7 % 2)
	}
	l := NeuralNetNew()
	l.Rate, l.Hidden = 10, 200
	m, err := l.Fit(context.Background(), tabletest.Of(t, cols...), rng.New([32]byte{1}))
	if err == nil || !strings.HasPrefix(err.Error(), "training diverges in epoch ") ||
		!strings.Contains(err.Error(), "rate 10") ||
		m != nil {
		t.Errorf("model %v, error %v", m, err)
	}
}

// Training ends with its context, between batches too.
func TestCancel(t *testing.T) {
	l := NeuralNetNew()
	tab := tabletest.Of(t, randomColumns(300)...)
	m := must.Get(l.begin(context.Background(), tab))(t)
	tr := must.Get(l.prepare(m, tab, rng.Source{}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tr.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
	if _, err := tr.judge(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
}

// Check finds every way in which a decoded model can be at odds with itself.
func TestNeuralNetCheck(t *testing.T) {
	tab := tabletest.Of(t, randomColumns(50)...)
	for name, spoil := range map[string]func(m *NeuralNetModel){
		"":               func(*NeuralNetModel) {},
		"class":          func(m *NeuralNetModel) { m.Class = 0 },
		"no class":       func(m *NeuralNetModel) { m.Class = -1 },
		"unknown column": func(m *NeuralNetModel) { m.Inputs[0].Attribute = 99 },
		"neurons":        func(m *NeuralNetModel) { m.Inputs[2].Neurons = 2 },
		"inputs":         func(m *NeuralNetModel) { m.Inputs = m.Inputs[1:] },
		"no layers":      func(m *NeuralNetModel) { m.Sizes = nil },
		"empty layer":    func(m *NeuralNetModel) { m.Sizes[1] = 0 },
		"classes":        func(m *NeuralNetModel) { m.Sizes[3] = 3 },
		"weights":        func(m *NeuralNetModel) { m.Weights = m.Weights[1:] },
	} {
		m := netFit(t, &NeuralNetLearner{Layers: 2, Hidden: 4, Epochs: 1, Rate: 0.1, Batch: 10, Patience: 1}, tab)
		spoil(m)
		if err := m.Check(); (err == nil) != (name == "") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNeuralNetText(t *testing.T) {
	text := netFit(t, NeuralNetNew(), tabletest.Of(t, randomColumns(200)...)).Text()
	want := "neural network of 5 inputs, 4 hidden neurons, 4 hidden neurons, 2 classes: 54 weights\ntrained for "
	if !strings.HasPrefix(text, want) || !strings.Contains(text, " on records held out\n  x: number, mean ") ||
		!strings.HasSuffix(text, "\n  z: 3 categories\n") {
		t.Errorf("text is\n%s", text)
	}
}

// The mean of days is shown as a day, in the notation of the column.
func TestNeuralNetTextOfDates(t *testing.T) {
	class := table.CatColumn("class", []string{"a", "b"}, []int32{0, 1, 0, 1})
	class.Role = table.Class
	l := NeuralNetNew()
	l.Epochs = 1
	text := netFit(t, l,
		tabletest.Of(t, table.DateColumn("seen", calendar.ISO, []float64{19_000, 19_002, 19_004, 19_006}), class)).Text()
	if !strings.Contains(text, "  seen: number, mean 2022-01-11, standard deviation ") ||
		!strings.HasSuffix(text, " days\n") {
		t.Errorf("the mean of days is not shown as a day:\n%s", text)
	}
}
