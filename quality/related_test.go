package quality

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

const sums = `asset:
  accounts:
    attributes: {a: {aw: 1}, b: {aw: 1}, total: {aw: 1}, code: {aw: 1}, text: {aw: 1}}
    constraints:
      sum: {relation: "total = a + b", weight: 2}
      label: {relation: "code -> text"}
    complex:
      either: {op: or, of: [{relation: "a <= b"}, {on: total, expr: "total <= 10"}]}
`

// accounts returns a table of sums and of codes with their texts.
func accounts(a, b, total []float64, code, text []int32) *table.Table {
	return tabletest.Must(table.NumColumn("a", 1, a), table.NumColumn("b", 1, b), table.NumColumn("total", 1, total),
		table.CatColumn("code", []string{"x", "y"}, code), table.CatColumn("text", []string{"ex", "why"}, text))
}

// TestRelations: a relation is looked at where any of its columns changed, and counted once per record; a missing
// value breaks nothing.
func TestRelations(t *testing.T) {
	nan := math.NaN()
	was := accounts([]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 9}, []float64{6, 8, 10, 12, 14},
		[]int32{0, 1, 0, 1, 0}, []int32{0, 1, 0, 1, 0})
	is := accounts([]float64{2, 2, 9, nan, 5}, []float64{5, 6, 7, 8, 9}, []float64{7, 9, 16, 12, 14},
		[]int32{0, 1, 0, 1, 1}, []int32{0, 1, 1, 1, 1})
	m := mustParse(t, sums)
	r := must.Get(Evaluate(context.Background(), m, Pair{Original: was, Released: is}))(t)
	p := r.Purposes[0]
	for k, want := range []Count{
		{Name: "sum", On: []string{"total", "a", "b"}, Expr: "total = a + b", Weight: 2, Checked: 4, Violated: 1, Records: 1},
		{Name: "label", On: []string{"code", "text"}, Expr: "code -> text", Weight: 1, Checked: 2, Violated: 1, Records: 1},
	} {
		if got := p.Constraints[k]; got.Name != want.Name || !slices.Equal(got.On, want.On) || got.Expr != want.Expr ||
			got.Weight != want.Weight || got.Checked != want.Checked || got.Violated != want.Violated ||
			got.Records != want.Records || got.Unjudged != 0 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if c := p.Complex[0]; c.Records != 1 || c.Violated != 2 || c.Checked != 4 ||
		!slices.Equal(c.On, []string{"a", "b", "total"}) {
		t.Errorf("complex: %+v", c)
	}
	tuples, err := TuplesOf(context.Background(), m, Pair{Original: was, Released: is})
	if want := []bool{true, false, false, true, true}; err != nil || !slices.Equal(tuples.Consistent, want) {
		t.Errorf("consistent %v, want %v; %v", tuples.Consistent, want, err)
	}
	var b strings.Builder
	must.NoError(t, m.Write(&b))
	if read := mustParse(t, b.String()); read.Purposes[0].Constraints[0].Relation != "total = a + b" {
		t.Errorf("written as\n%s", b.String())
	}
}

// TestRelationOfGroups: what a group of values leaves open cannot be judged.
func TestRelationOfGroups(t *testing.T) {
	was := accounts([]float64{1, 2}, []float64{1, 2}, []float64{2, 4}, []int32{0, 1}, []int32{0, 1})
	is := must.Get(was.WithColumn(0, table.CatColumn("a", []string{"[0, 5]"}, []int32{0, 0})))(t)
	r := must.Get(Evaluate(context.Background(), mustParse(t, sums), Pair{Original: was, Released: is, Groups: true}))(t)
	if c := r.Purposes[0].Constraints[0]; c.Unjudged != 2 || c.Records != 0 {
		t.Errorf("%+v", c)
	}
}

// TestRelationFaults: what is wrong with a relation is told with its place.
func TestRelationFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"total = a + b"`, `"total = a +"`, `m.yaml:5:23: relation "total = a +"`},
		{`"total = a + b"`, `"total = a + c"`, `m.yaml:5:23: the relation is on "c", which is not an attribute`},
		{`{relation: "code -> text"}`, `{on: code, relation: "code -> text"}`,
			`m.yaml:6:35: a constraint has a relation, or on and expr`},
	} {
		_, err := Parse("m.yaml", []byte(strings.Replace(sums, c.old, c.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	other := accounts(nil, nil, nil, nil, nil).WithAttr(2, table.Attribute{Name: "sum", Step: 1})
	err := mustParse(t, sums).Fit(other.Attrs())
	if err == nil {
		t.Error("a column is missing")
	}
	err = mustParse(t, strings.Replace(sums, "total = a + b", "total = a + code", 1)).
		Fit(accounts(nil, nil, nil, nil, nil).Attrs())
	if err == nil || !strings.Contains(err.Error(), `column "code" holds no numbers`) {
		t.Errorf("a sum of categories: %v", err)
	}
}

// TestProposeRelations: the relations are proposed as one purpose, but for those of columns that no purpose is about,
// and what they say of two columns is not said again value by value.
func TestProposeRelations(t *testing.T) {
	n := 200
	a, b, total, code := make([]float64, n), make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		a[i], b[i], code[i] = float64(i%7), float64(i%11), int32(i%2)
		total[i] = a[i] + b[i]
	}
	tab := accounts(a, b, total, code, code)
	var relations []relation.Relation
	for _, text := range []string{"total = a + b", "code -> text", "total <= gone"} {
		r := must.Get(relation.Parse(text))(t)
		relations = append(relations, r)
	}
	m, err := Propose(context.Background(), tab, nil, relations)
	must.NoError(t, err)
	var names []string
	for _, p := range m.Purposes {
		names = append(names, p.Name)
	}
	if c := m.Purposes[0].Constraints; m.Purposes[0].Name != "what holds between columns" || len(c) != 2 ||
		c[1].Relation != "code -> text" || slices.Contains(names, "code with text") {
		t.Errorf("%q, %+v", names, c)
	}
	if m, err = Propose(context.Background(), tab, nil, nil); err != nil || len(m.Purposes) != 1 ||
		m.Purposes[0].Name != "code with text" {
		t.Errorf("without relations: %+v, %v", m.Purposes, err)
	}
}
