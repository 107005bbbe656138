package localsuppression

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func two(t *testing.T, a, b []float64) *table.Table {
	t.Helper()
	return tabletest.Of(t, table.NumColumn("a", 1, a), table.NumColumn("b", 1, b))
}

// The two semantics on tables that can be checked by eye; with k = 2 and missing=any one cell hides both of two
// neighbours.
func TestByHand(t *testing.T) {
	na := math.NaN()
	for _, c := range []struct {
		a, b    []float64
		missing string
		cells   string
	}{
		{[]float64{1, 1, 2}, []float64{5, 5, 5}, Value, "[3 0]"}, // the third cannot be alone in missing a
		{[]float64{1, 1, 2}, []float64{5, 5, 5}, Anything, "[1 0]"},
		{[]float64{1, 1, 2, 3}, []float64{5, 5, 5, 5}, Value, "[2 0]"},
		{[]float64{1, 1, 2, 3}, []float64{5, 5, 5, 5}, Anything, "[1 0]"},
		{[]float64{1, na, na}, []float64{5, 5, 5}, Value, "[1 0]"}, // it joins those that miss a
		{[]float64{1, na, na}, []float64{5, 5, 5}, Anything, "[0 0]"},
		{[]float64{1, 2}, []float64{5, 6}, Value, "[2 2]"},
		{[]float64{1, 2}, []float64{5, 6}, Anything, "[1 1]"},
	} {
		p, _ := release(t, two(t, c.a, c.b), map[string]string{"k": "2", "missing": c.missing})
		if got := fmt.Sprint(p.Cells); got != c.cells {
			t.Errorf("%v %v, missing=%s: cells %s, expected %s", c.a, c.b, c.missing, got, c.cells)
		}
	}
}

// A key is named that loses more than a third of its values, not of the records: of four values in b, two go.
func TestHeavyKeys(t *testing.T) {
	na := math.NaN()
	a := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	b := []float64{1, 1, 2, 3, na, na, na, na, na, na}
	p, _ := release(t, two(t, a, b), map[string]string{"k": "2"})
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes,
		`third of the values are suppressed of "b";`) {
		t.Errorf("cells %v, notes %q", p.Cells, notes)
	}
	b = []float64{1, 1, 1, 1, 1, 1, 1, 1, 2, 3}
	if p, _ = release(t, two(t, a, b), map[string]string{"k": "2"}); len(p.Notes()) != 1 {
		t.Errorf("cells %v, notes %q", p.Cells, p.Notes())
	}
	if p.Known = p.Known[1:]; p.Check() == nil {
		t.Error("a plan with counts of one key only passes")
	}
}

func TestKeys(t *testing.T) {
	tab := protecttest.Mixed(200)
	for _, j := range []int{4, 7} {
		a := *tab.Attr(j)
		a.Role = table.Quasi
		tab = tab.WithAttr(j, a)
	}
	if p, _ := release(t, tab, nil); !slices.Equal(p.Changes(), []string{"city", "sex"}) {
		t.Errorf("the keys are %q", p.Changes())
	}
	p, out := release(t, tab, map[string]string{"keys": "age,sex"})
	if !slices.Equal(p.Changes(), []string{"age", "sex"}) || out.Attr(0).Domain != tab.Attr(0).Domain {
		t.Errorf("the keys are %q", p.Changes())
	}
	if notes := strings.Join(message.Written(p.Notes()), ""); !strings.Contains(notes, "of 200 records") {
		t.Error(notes)
	}
	if p, _ := release(t, tab, map[string]string{"keys": "sex"}); !strings.Contains(p.Notes()[0].String(), "no cell") {
		t.Error(p.Notes())
	}
	if p, _ := release(t, tab.Select(10), nil); !strings.Contains(p.Notes()[0].String(), "no keys") {
		t.Error(p.Notes())
	}
}

func TestRefusals(t *testing.T) {
	tab := protecttest.Mixed(200)
	for want, set := range map[string]map[string]string{
		`column "age" is not a key`:    {"keys": "sex", "importance": "age=2"},
		`the weight of "sex" is "0"`:   {"keys": "sex", "importance": "sex=0"},
		`the weight of "sex" is "NaN"`: {"keys": "sex", "importance": "sex=NaN"},
		`it is the class`:              {"keys": "risk"},
		`has 200 records`:              {"keys": "sex", "k": "201"},
	} {
		q := New()
		must.NoError(t, q.Params().Apply(set))
		if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: the error is %v", set, err)
		}
	}
	var wide []table.Column
	for j := range 33 {
		wide = append(wide, table.NumColumn(fmt.Sprint("x", j), 1, tab.Num(0)))
	}
	for n, want := range map[int]string{33: "33 keys", 32: "128 bits"} {
		tab := tabletest.Of(t, wide[:n]...)
		if _, err := New().Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d keys: the error is %v", n, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(p *Plan){
		"ascending": func(p *Plan) { p.Columns[1] = 0 },
		"positions": func(p *Plan) { p.Columns[1] = 99 },
		"weights":   func(p *Plan) { p.Weights = nil },
		"a weight":  func(p *Plan) { p.Weights[0] = math.NaN() },
		"k is":      func(p *Plan) { p.K = 1 },
		"missing":   func(p *Plan) { p.Missing = "" },
	} {
		p, _ := release(t, protecttest.Mixed(50), map[string]string{"keys": "age,sex"})
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
}
