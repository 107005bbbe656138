package classifiers

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Of equally many votes the class of the nearest record wins, and of records at one distance the first.
func TestTies(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("v", 1, []float64{4, 1, 2, 4, 9}), knnClassColumn([]int32{1, 1, 0, 0, 0}))
	asked := tab.Slice(0, 1) // 4: records 0 and 3 at 0, record 2 at 2, record 1 at 3, record 4 at 5
	for k, want := range map[int]int32{1: 1, 2: 1, 3: 0, 4: 1, 5: 0, 100: 0} {
		l := KNNNew()
		l.K = k
		if got := predict(t, l, tab, asked)[0]; got != want {
			t.Errorf("k = %d: class %d, expected %d", k, got, want)
		}
	}
}

// A missing value is at distance 1 from a missing one too, so a record that lacks the same is no nearer than one that
// differs.
func TestMissingResemblesNothing(t *testing.T) {
	tab := must.Get(table.New(table.CatColumn("a", []string{"x", "y"}, []int32{0, -1, -1}),
		table.NumColumn("b", 1, []float64{0, 1, 1}), knnClassColumn([]int32{0, 1, -1})))(t)
	m := must.Get(KNNNew().Fit(context.Background(), tab, rng.Source{}))(t)
	asked := tab.Slice(2, 3).WithNum(1, []float64{math.NaN()})
	dst := make([]int32, 1)
	m.(*KNNModel).Predict(asked, dst)
	if dst[0] != 0 {
		t.Errorf("class %d, expected that of the first record: both are at distance 2", dst[0])
	}
}

// A category that the model does not know differs from all, and from one that no training record has.
func TestKNNUnseenCategory(t *testing.T) {
	train := must.Get(table.New(table.CatColumn("a", []string{"x", "y", "nobody"}, []int32{0, 1, 1}),
		table.CatColumn("b", []string{"u", "v"}, []int32{0, 1, 0}), knnClassColumn([]int32{0, 0, 1})))(t)
	test, err := table.New(table.CatColumn("b", []string{"v", "w"}, []int32{0, 1}),
		table.CatColumn("a", []string{"new"}, []int32{0, 0}), knnClassColumn([]int32{-1, -1}))
	must.NoError(t, err)
	test = must.Get(test.Conform(train.Attrs(), true))(t)
	if got := predict(t, KNNNew(), train, test); !slices.Equal(got, []int32{0, 0}) {
		t.Errorf("classes %v, expected that of the second record, then of the first", got)
	}
}

func TestKNNErrors(t *testing.T) {
	numbers := func(v ...float64) table.Column { return table.NumColumn("v", 0, v) }
	number := numbers(1, 2)
	number.Name, number.Role = "class", table.Class
	for _, c := range []struct {
		cols []table.Column
		want string
	}{
		{[]table.Column{numbers(1, 2)}, mine.ErrNoClass.Error()},
		{[]table.Column{numbers(1, 2), number}, `class "class" is numeric, expected categorical`},
		{[]table.Column{knnClassColumn([]int32{0, 1})},
			"no column to compare records by: all are class, identifier, weight " +
				"or of another kind"},
		{[]table.Column{numbers(1, 2), knnClassColumn([]int32{-1, -1})}, `class "class" has no value in the 2 records`},
		{[]table.Column{numbers(-1e308, 1e308), knnClassColumn([]int32{0, 1})}, `column "v": the numbers lie too far apart to be scaled`},
	} {
		tab := tabletest.Of(t, c.cols...)
		if m, err := KNNNew().Fit(context.Background(), tab, rng.Source{}); err == nil || err.Error() != c.want || m != nil {
			t.Errorf("model %v, error %v, expected %q", m, err, c.want)
		}
	}
}

// One record has no others.
func TestAlone(t *testing.T) {
	got, err := KNNNew().LeaveOneOut(context.Background(), minetest.Mixed(1, 0))
	if err != nil || got[0] != -1 {
		t.Errorf("class %v, error %v, expected -1", got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := KNNNew().LeaveOneOut(ctx, minetest.Mixed(400, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
}

// Check finds every way in which a decoded model can be at odds with itself.
func TestKNNCheck(t *testing.T) {
	for name, spoil := range map[string]func(m *KNNModel){
		"":               func(*KNNModel) {},
		"class":          func(m *KNNModel) { m.Class = 1 },
		"no class":       func(m *KNNModel) { m.Class = -1 },
		"k":              func(m *KNNModel) { m.K = 0 },
		"no records":     func(m *KNNModel) { m.Classes = nil },
		"no columns":     func(m *KNNModel) { m.Columns = nil },
		"unknown class":  func(m *KNNModel) { m.Classes[0] = 7 },
		"unknown column": func(m *KNNModel) { m.Columns[0].Attribute = 99 },
		"lengths":        func(m *KNNModel) { m.Columns[0].Codes = m.Columns[0].Codes[1:] },
		"unknown code":   func(m *KNNModel) { m.Columns[0].Codes[3] = 1 << 20 },
		"below missing":  func(m *KNNModel) { m.Columns[0].Codes[3] = -2 },
		"order":          func(m *KNNModel) { slices.Reverse(m.Columns[0].Values) },
		"scale":          func(m *KNNModel) { m.Columns[0].Scale = math.NaN() },
		"overlap":        func(m *KNNModel) { m.Columns[2].Overlap = true },
	} {
		fitted := must.Get(KNNNew().Fit(context.Background(), minetest.Mixed(50, 0.1), rng.Source{}))(t)
		m := fitted.(*KNNModel)
		spoil(m)
		if err := m.Check(); (err == nil) != (name == "") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestKNNText(t *testing.T) {
	for _, set := range []map[string]string{{}, {"distance": "overlap"}} {
		l := KNNNew()
		must.NoError(t, l.Params().Apply(set))
		m := must.Get(l.Fit(context.Background(), minetest.Mixed(50, 0.1), rng.Source{}))(t)
		text := m.(*KNNModel).Text()
		if !strings.HasPrefix(text, "the 1 nearest of ") || strings.Count(text, "\n") != 1+5+3 {
			t.Errorf("text is\n%s", text)
		}
	}
}
