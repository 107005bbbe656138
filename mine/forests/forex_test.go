package forests

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// pool is rules of two classes, of 100 records, with the figures of which the paper's averages are worked out by hand.
func pool() []Rule {
	rule := func(then int32, covered, right, length int) Rule {
		r := Rule{Then: then, Strength: Strength{Covered: covered, Right: right, Records: 100}}
		for k := range length {
			r.If = append(r.If, tree.Cond{Attr: k, Op: "<=", Value: float64(covered)})
		}
		return r
	}
	return []Rule{
		rule(0, 40, 36, 2), // 0.9, 0.40, 2: worth showing
		rule(0, 20, 20, 3), // 1.0, 0.20, 3: covers too few
		rule(0, 30, 15, 1), // 0.5, 0.30, 1: too often wrong
		rule(0, 30, 30, 6), // 1.0, 0.30, 6: too long
		rule(1, 10, 8, 2),  // the only one of its class is its own average
	}
}

// The averages of the first class are 0.85, 0.30 and 3.
func TestThreeSets(t *testing.T) {
	bars := Bars(pool(), 3)
	if b := bars[0]; math.Abs(b.Coverage-0.30) > 1e-9 || b.Length != 3 || b.Accuracy < 0.8499 || b.Accuracy > 0.8501 {
		t.Errorf("averages %+v", b)
	}
	got := Worth(pool(), bars)
	if len(got) != 2 || got[0].Covered != 40 || got[1].Then != 1 {
		t.Errorf("rules worth showing %+v", got)
	}
}

// Rules that are all alike are worth showing: each is the average, whatever the sum of their shares is rounded to.
func TestAverageOfEqualRules(t *testing.T) {
	rules := []Rule{pool()[4], pool()[4], pool()[4]}
	if got := Worth(rules, Bars(rules, 2)); len(got) != 3 {
		t.Errorf("%d of 3 equal rules are worth showing", len(got))
	}
}

// Of rules of one class the first is the one whose records are of the class most often beyond chance.
func TestStrongest(t *testing.T) {
	rules := pool()[:4]
	Strongest(rules, []float64{0.6, 0.4})
	var covered []int
	for _, r := range rules {
		covered = append(covered, r.Covered)
	}
	if !slices.Equal(covered, []int{40, 30, 20, 30}) { // 0.12, 0.12, 0.08, -0.03; equal ones stay in their order
		t.Errorf("order %v", covered)
	}
}

// Two rules are one whatever the order of their conditions.
func TestSame(t *testing.T) {
	a, b := pool()[0], pool()[0]
	slices.Reverse(b.If)
	a.If, b.If = inOrder(a.If), inOrder(b.If)
	c := pool()[0]
	c.If[1].Value++
	c.If = inOrder(c.If)
	if !a.Same(&b) || a.Same(&c) {
		t.Error("rules are told apart by the order of conditions, or not by a limit")
	}
}

// Of iris, the rule on setosa is worth showing: it is right about all 50. Rules are few of many, and short.
func TestForExIris(t *testing.T) {
	tab, _, err := format.Read(t.Context(), dataset.File(t, "iris/iris.csv"), format.Options{})
	must.NoError(t, err)
	at := tab.Width() - 1
	a := *tab.Attr(at)
	a.Role = table.Class
	m := must.Get(ForExNew().Fit(t.Context(), tab.WithAttr(at, a), rng.Source{}))(t)
	model := m.(*Model)
	if len(model.Rules) == 0 || len(model.Rules) >= model.All {
		t.Fatalf("%d of %d rules are worth showing", len(model.Rules), model.All)
	}
	whole := false
	for k := range model.Rules {
		conditions, then := model.Rules[k].Words(tab.Attrs(), at)
		whole = whole || strings.Contains(strings.ToLower(then), "setosa") && len(conditions) == 1 &&
			model.Rules[k].Covered == 50 && model.Rules[k].Right == 50
	}
	if !whole {
		t.Errorf("no rule is right about the 50 setosas:\n%s", model.Text())
	}
	if text := model.Text(); !strings.Contains(text, "covers 33.3 % (50 records)") {
		t.Errorf("the text does not tell a rule's coverage:\n%s", text)
	}
}
