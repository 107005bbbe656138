package segments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

var columns = []joint.Column{
	{Name: "age", Min: 18, Max: 90}, {Name: "sex", Values: []string{"f", "m"}},
	{Name: "ward", Values: []string{"a", "b", "c", "d"}}, {Name: "dose", Max: 10, Decimals: 1},
	{Name: "ill", Values: []string{"no", "yes"}, Role: joint.Class},
}

// people draws records whose class follows from age and ward as a rule; some values are missing. They have a name, too,
// which the plan does not have.
func people(n int, seed uint64) *table.Table {
	draw := rand.New(rand.NewPCG(seed, 2))
	age, dose := make([]float64, n), make([]float64, n)
	var cat [3][]int32
	names, who := make([]string, n), make([]int32, n)
	for i := range n {
		age[i], dose[i] = float64(18+draw.IntN(73)), float64(draw.IntN(101))/10
		sex, ward, ill := draw.Int32N(2), draw.Int32N(4), int32(0)
		if age[i] > 60 && ward != 3 || draw.IntN(12) == 0 {
			ill = 1
		}
		if draw.IntN(30) == 0 {
			age[i] = math.NaN()
		}
		if draw.IntN(30) == 0 {
			ward = -1
		}
		for k, v := range []int32{sex, ward, ill} {
			cat[k] = append(cat[k], v)
		}
		names[i], who[i] = fmt.Sprintf("name %d of %d", i, seed), int32(i)
	}
	t, err := table.New(table.CatColumn("name", names, who), table.NumColumn("age", 1, age),
		table.CatColumn("sex", columns[1].Values, cat[0]), table.CatColumn("ward", columns[2].Values, cat[1]),
		table.NumColumn("dose", 0.1, dose), table.CatColumn("ill", columns[4].Values, cat[2]))
	if err != nil {
		panic(err)
	}
	return t
}

func testCase(name string, sizes ...int) jointtest.Case {
	c := jointtest.Case{Name: name, Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: columns,
		Parameters: map[string]string{"minLeaf": "60", "bins": "24", "depth": "4"}}}
	for k, n := range sizes {
		c.Tables = append(c.Tables, people(n, uint64(k+1)))
	}
	return c
}

// of is a case of tables.
func (p *grown) of(name string, least joint.Least, columns []joint.Column, tables ...*table.Table) {
	c := testCase(name)
	c.Plan.Columns, c.Plan.Least, c.Tables, c.Plain = columns, least, tables, true
	c.Plan.Parameters = map[string]string{"minLeaf": "6", "bins": "12", "depth": "5"}
	*p = append(*p, c)
}

type grown []jointtest.Case

// where are the people of a table in a ward.
func where(t *table.Table, ward int32) *table.Table {
	var rows []int
	for i, w := range t.Cat(t.Find("ward")) {
		if w == ward {
			rows = append(rows, i)
		}
	}
	return t.Gather(rows)
}

// twice has age and ward once more.
func twice(t *table.Table) *table.Table {
	age, ward := t.Column(t.Find("age")), t.Column(t.Find("ward"))
	age.Name, ward.Name = "age again", "ward again"
	cols := []table.Column{age, ward}
	for j := range t.Width() {
		cols = append(cols, t.Column(j))
	}
	out, err := t.WithColumns(cols)
	if err != nil {
		panic(err)
	}
	return out
}

// The tree is that which the same algorithm grows on the records of all in one place: the same nodes, with the same
// cuts and counts, of random records, of parties without records, with the same ones, with none of a ward in common,
// and where two columns are equally good. With the guard, of the counts that it shows; without, of all.
func TestConformance(t *testing.T) {
	again := append([]joint.Column{{Name: "age again", Min: 18, Max: 90},
		{Name: "ward again", Values: columns[2].Values}}, columns...)
	cases := grown{testCase("small", 120, 60, 90)}
	a, b, c, none := people(260, 1), people(140, 2), people(200, 3), people(0, 4)
	large := people(900, 5)
	for name, least := range map[string]joint.Least{"": {}, ", no guard": {Cell: 1, Contributors: 1}} {
		cases.of("random"+name, least, columns, a, b, c)
		cases.of("one empty"+name, least, columns, a, none, c)
		cases.of("empty"+name, least, columns, none, none, none)
		cases.of("identical"+name, least, columns, a, a, a)
		cases.of("disjoint"+name, least, columns, where(large, 0), where(large, 1), where(large, 3))
		cases.of("ties"+name, least, again, twice(a), twice(b), twice(c))
	}
	for i := range cases {
		c := &cases[i]
		jointtest.Fill(&c.Plan, Protocols[0].Name)
		var trees []*tree.Tree
		var tables []*table.Table
		q := Protocols[0]
		q.New = func() joint.Computation { return param.Default(&watched{trees: &trees, tables: &tables}) }
		jointtest.Results(t, &q, *c, 0)
		want := plainTree(c, parametersOf(t, c))
		if n := len(want.Nodes); (n < 3) != (c.Tables[0].Rows() == 0) {
			t.Errorf("%s: a tree of %d nodes", c.Name, n)
		}
		for k, got := range trees {
			if !reflect.DeepEqual(got.Nodes, want.Nodes) {
				t.Errorf("%s: party %d grows\n%v\nthe tree of all records is\n%v", c.Name, k, rules(got), rules(want))
			}
		}
		c.Want = jointtest.Results(t, &Protocols[0], *c, 0) // how each party protects its records is its own
		for _, w := range c.Want {
			w.Tables = []joint.ResultTable{rules(want)}
			w.Figures = []joint.Figure{{Name: "leaves", Value: int64(len(want.Leaves()))}}
		}
	}
	jointtest.Family(t, Protocols, map[string][]jointtest.Case{"jointframework": cases})
}

func parametersOf(t *testing.T, c *jointtest.Case) *jointFramework {
	q := param.Default(&jointFramework{})
	must.NoError(t, q.Params().Apply(c.Plan.Parameters))
	return q
}

// watched is the protocol, with what its parties have inside.
type watched struct {
	jointFramework
	trees  *[]*tree.Tree
	tables *[]*table.Table
}

func (q *watched) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := read(p, t)
	if err != nil {
		return nil, err
	}
	tr, err := q.grow(ctx, p, t)
	if err != nil {
		return nil, err
	}
	protection, err := q.fit(ctx, p, t, tr)
	if err != nil {
		return nil, err
	}
	made, err := execute.Plan(ctx, protection.Plan, t, rng.New(rng.SeedOf([32]byte(p.Bytes(32)))), execute.Options{})
	if err != nil {
		return nil, err
	}
	*q.trees, *q.tables = append(*q.trees, tr), append(*q.tables, t, made.Table)
	return &joint.Result{}, nil
}

// counts are the records of each class in each leaf.
func counts(t *tree.Tree, tab *table.Table) map[[2]int32]int {
	leaf, out := make([]int32, tab.Rows()), map[[2]int32]int{}
	t.Route(tab, leaf)
	for i, c := range tab.Cat(t.Class) {
		out[[2]int32{leaf[i], c}]++
	}
	return out
}

// The tree is that of all records: it predicts them nearly as well as one that is grown on all of them together. Every
// leaf has as many records of each class in each release as in the party's table, and so in the union. The releases
// have no column that the plan does not have, and other values.
func TestRulesStay(t *testing.T) {
	var trees []*tree.Tree
	var tables []*table.Table
	q := Protocols[0]
	q.New = func() joint.Computation { return param.Default(&watched{trees: &trees, tables: &tables}) }
	c := testCase("large", 1500, 700, 1100)
	jointtest.Results(t, &q, c, 0)
	all, most, right, rows, changed := map[[2]int32]int{}, map[[2]int32]int{}, 0, 0, 0
	for k, tr := range trees {
		own, release := tables[2*k], tables[2*k+1]
		was, is := counts(tr, own), counts(tr, release)
		if !maps.Equal(was, is) {
			t.Errorf("party %d: %v in the table, %v in the release", k, was, is)
		}
		for leaf, n := range was {
			all[leaf], most[leaf] = all[leaf]+n, max(most[leaf], n)
		}
		if release.Find("name") >= 0 || release.Width() != len(columns) {
			t.Errorf("party %d releases a column that the plan does not have", k)
		}
		labels := make([]int32, own.Rows())
		tr.Predict(own, labels)
		for i, l := range labels {
			if l == own.Cat(tr.Class)[i] {
				right++
			}
			if v := release.Num(0)[i]; v == v && v != own.Num(0)[i] {
				changed++
			}
		}
		rows += own.Rows()
	}
	for n, at := range trees[0].Leaves() {
		for class, told := range trees[0].Nodes[at].Counts {
			at := [2]int32{int32(n), int32(class)}
			if got := all[at]; told != float64(got) && (told > 0 || got-most[at] >= 5) {
				t.Errorf("leaf %d has %d records of class %d, the tree says %v", n, got, class, told)
			}
		}
	}
	if changed < rows/2 {
		t.Errorf("%d of %d ages changed", changed, rows)
	}
	var whole []table.Column
	for j := range columns {
		col := tables[0].Column(j)
		for k := 2; k < len(tables); k += 2 {
			col.Num, col.Cat = append(col.Num, tables[k].Num(j)...), append(col.Cat, tables[k].Cat(j)...)
		}
		whole = append(whole, col)
	}
	union := must.Get(table.New(whole...))(t)
	learner := param.Default(&c45.Learner{})
	learner.MinLeaf = 60
	best := must.Get(learner.Grow(t.Context(), union, len(columns)-1))(t)
	labels, could := make([]int32, rows), 0
	best.Predict(union, labels)
	for i, l := range labels {
		if l == union.Cat(len(columns) - 1)[i] {
			could++
		}
	}
	if float64(right) < 0.98*float64(could) {
		t.Errorf("the common tree predicts %d of %d, one of all records %d", right, rows, could)
	}
}
