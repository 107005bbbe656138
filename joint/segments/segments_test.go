package segments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

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

func TestConformance(t *testing.T) {
	c := testCase("small", 120, 60, 90)
	empty := testCase("one empty", 150, 0, 120)
	empty.Plain = true
	cases := []jointtest.Case{c, empty}
	for i := range cases {
		want := jointtest.Results(t, &Protocols[0], cases[i], 0)
		for k := range want[1:] {
			if fmt.Sprint(want[k+1].Tables) != fmt.Sprint(want[0].Tables) {
				t.Fatal("two parties have other trees")
			}
		}
		cases[i].Want = want
	}
	jointtest.Family(t, Protocols, map[string][]jointtest.Case{"jointframework": cases})
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
	q.New = func() joint.Computation {
		return param.Default(&watched{trees: &trees, tables: &tables})
	}
	c := testCase("large", 1500, 700, 1100)
	jointtest.Results(t, &q, c, 0)
	all, right, rows, changed := map[[2]int32]int{}, 0, 0, 0
	for k, tr := range trees {
		own, release := tables[2*k], tables[2*k+1]
		was, is := counts(tr, own), counts(tr, release)
		if !maps.Equal(was, is) {
			t.Errorf("party %d: %v in the table, %v in the release", k, was, is)
		}
		for leaf, n := range was {
			all[leaf] += n
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
			if got := all[[2]int32{int32(n), int32(class)}]; told != float64(got) && (told > 0 || got >= 5) {
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
	union, err := table.New(whole...)
	if err != nil {
		t.Fatal(err)
	}
	learner := param.Default(&c45.Learner{})
	learner.MinLeaf = 60
	best, err := learner.Grow(t.Context(), union, len(columns)-1)
	if err != nil {
		t.Fatal(err)
	}
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
