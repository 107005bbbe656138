package bayes_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/bayes"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

var columns = []joint.Column{
	{Name: "ward", Values: []string{"a", "b", "c"}}, {Name: "age", Max: 99, Decimals: 1},
	{Name: "ill", Values: []string{"no", "yes"}, Role: joint.Class},
}

// person is one of a test: ward -1 and age NaN are missing.
type person struct {
	ward int32
	age  float64
	ill  int32
}

func people(n int, seed uint64) []person {
	draw := rand.New(rand.NewPCG(seed, 5))
	out := make([]person, n)
	for i := range out {
		p := person{draw.Int32N(2), float64(200+draw.IntN(600)) / 10, 0}
		if p.age > 60 && draw.IntN(4) > 0 {
			p.ill = 1
		}
		switch draw.IntN(12) {
		case 0:
			p.ward = -1
		case 1:
			p.age = math.NaN()
		case 2:
			p.ward = 2 // rare: below the minimum cell in one class
		}
		out[i] = p
	}
	return out
}

func tableOf(list []person, which ...string) *table.Table {
	wards, ages, ills := make([]int32, len(list)), make([]float64, len(list)), make([]int32, len(list))
	for i, p := range list {
		wards[i], ages[i], ills[i] = p.ward, p.age, p.ill
	}
	cols := []table.Column{table.CatColumn("ward", columns[0].Values, wards), table.NumColumn("age", 0.1, ages),
		table.CatColumn("ill", columns[2].Values, ills)}
	t, err := table.New(slices.DeleteFunc(cols, func(c table.Column) bool { return !slices.Contains(which, c.Name) })...)
	if err != nil {
		panic(err)
	}
	return t
}

// shown says whether the guard shows a count of records of parties: there are 5, without any party's own, too. Those of
// one list are in one place.
func shown(count []int64) bool {
	n, most := int64(0), int64(0)
	for _, c := range count {
		n, most = n+c, max(most, c)
	}
	return n >= 5 && (len(count) == 1 || n-most >= 5)
}

func sum(count []int64) (n int64) {
	for _, c := range count {
		n += c
	}
	return n
}

// plain is the classifier by counting, with numbers or without, of parties' lists.
func plain(numbers bool, lists ...[]person) *joint.Result {
	classes := joint.ResultTable{Name: "classes", Columns: []string{"class", "records"}}
	cats := joint.ResultTable{Name: "categories", Columns: []string{"class", "column", "value", "probability"}}
	nums := joint.ResultTable{Name: "numbers", Columns: []string{"class", "column", "mean", "variance"}}
	few := joint.Withheld{Why: joint.BelowCell}
	for ill, name := range columns[2].Values {
		var of []person
		count := [3][]int64{}
		for w := range count {
			count[w] = make([]int64, len(lists))
		}
		for k, list := range lists {
			for _, p := range list {
				if p.ill != int32(ill) {
					continue
				}
				if of = append(of, p); p.ward >= 0 {
					count[p.ward][k]++
				}
			}
		}
		classes.Rows = append(classes.Rows, []any{name, int64(len(of))})
		all, first, square, n := int64(0), 0.0, 0.0, 0.0
		for _, p := range of {
			if p.age == p.age {
				first, square, n = first+p.age, square+p.age*p.age, n+1
			}
		}
		for _, c := range count {
			if shown(c) {
				all += sum(c)
			}
		}
		for v, c := range count {
			cell := any(few)
			if shown(c) {
				cell = float64(sum(c)+1) / float64(all+3)
			}
			cats.Rows = append(cats.Rows, []any{name, "ward", columns[0].Values[v], cell})
		}
		nums.Rows = append(nums.Rows, []any{name, "age", first / n, square/n - first/n*first/n})
	}
	r := &joint.Result{Tables: []joint.ResultTable{classes, cats}}
	if numbers {
		r.Tables = append(r.Tables, nums)
	}
	return r
}

func TestConformance(t *testing.T) {
	all := people(120, 2)
	few := func(row []any) bool { _, is := row[3].(joint.Withheld); return is }
	if !slices.ContainsFunc(plain(false, all).Tables[1].Rows, few) {
		t.Fatal("no count is below the minimum cell")
	}
	every := []string{"ward", "age", "ill"}
	parts := [][]person{all[:50], all[50:51], all[51:]}
	three := []*table.Table{tableOf(parts[0], every...), tableOf(parts[1], every...), tableOf(parts[2], every...)}
	plan := joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: columns}
	two := joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: []joint.Column{columns[0], columns[2]}}
	two.Columns[0].Owner, two.Columns[1].Owner = "bob", "ada"
	tree := joint.Plan{Parties: plan.Parties, Columns: []joint.Column{columns[0], columns[2]}}
	cases := map[string][]jointtest.Case{
		"naivebayes": {{Name: "three", Plan: plan, Tables: three, Tolerance: 1e-9,
			Want: []*joint.Result{plain(true, parts...)}}},
		"verticalbayes": {{Name: "two", Plan: two, Tables: []*table.Table{tableOf(all, "ill"), tableOf(all, "ward")},
			Want: []*joint.Result{plain(false, all)}, Tolerance: 1e-12}},
		"bayesnetwork": {{Name: "two columns", Plan: tree, Tables: three, Tolerance: 1e-12,
			Want: []*joint.Result{treeOf(parts...)}}},
	}
	// Parties of which one has no records, that have the same ones, and that have no ward in common.
	var wards [3][]person
	for _, p := range all {
		wards[max(0, p.ward)] = append(wards[max(0, p.ward)], p)
	}
	for name, parts := range map[string][3][]person{"one empty": {nil, all[:70], all[70:]}, "disjoint": wards,
		"identical": {all[:60], all[:60], all[:60]}} {
		var tables []*table.Table
		for _, part := range parts {
			tables = append(tables, tableOf(part, every...))
		}
		results := map[string]*joint.Result{"naivebayes": plain(true, parts[:]...), "bayesnetwork": treeOf(parts[:]...)}
		for protocol, want := range results {
			c := cases[protocol][0]
			c.Name, c.Plain, c.Tables, c.Want = name, true, tables, []*joint.Result{want}
			cases[protocol] = append(cases[protocol], c)
		}
	}
	jointtest.Family(t, bayes.Protocols[:3], cases)
}

// treeOf is the tree of the two columns.
func treeOf(lists ...[]person) *joint.Result {
	return &joint.Result{Tables: []joint.ResultTable{{Name: "tree",
		Columns: []string{"column", "with", "mutual information, bits"}, Rows: [][]any{{"ward", "ill", mutual(lists)}}}}}
}

// mutual is the information by its definition, of counts that are shown.
func mutual(lists [][]person) (bits float64) {
	var of [3][2][]int64
	for w := range of {
		for i := range of[w] {
			of[w][i] = make([]int64, len(lists))
		}
	}
	for k, list := range lists {
		for _, p := range list {
			if p.ward >= 0 {
				of[p.ward][p.ill][k]++
			}
		}
	}
	var n [3][2]float64
	all := 0.0
	for w := range n {
		for i := range n[w] {
			if shown(of[w][i]) {
				n[w][i] = float64(sum(of[w][i]))
			}
			all += n[w][i]
		}
	}
	for w := range n {
		for i, c := range n[w] {
			if c > 0 {
				row, col := n[w][0]+n[w][1], n[0][i]+n[1][i]+n[2][i]
				bits += c / all * math.Log2(c*all/(row*col))
			}
		}
	}
	return bits
}

// A chain of columns is found as a chain: the third is a noisy copy of the second, and that of the first.
func TestChain(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	values := []string{"x", "y"}
	var cols [3][]int32
	for range 900 {
		v := draw.Int32N(2)
		for c := range cols {
			if c > 0 && draw.IntN(5) == 0 {
				v = 1 - v
			}
			cols[c] = append(cols[c], v)
		}
	}
	var tables []*table.Table
	for k := range 3 {
		part := func(c int) table.Column {
			return table.CatColumn(string(rune('a'+c)), values, cols[c][300*k:300*k+300])
		}
		tab := must.Get(table.New(part(0), part(1), part(2)))(t)
		tables = append(tables, tab)
	}
	c := jointtest.Case{Name: "chain", Tables: tables, Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"),
		Columns: []joint.Column{{Name: "a", Values: values}, {Name: "c", Values: values}, {Name: "b", Values: values}}}}
	rows := jointtest.Results(t, &bayes.Protocols[2], c, 1)[0].Tables[0].Rows
	for _, r := range rows {
		if r[0] != "b" && r[1] != "b" {
			t.Errorf("%v stands beside %v", r[0], r[1])
		}
	}
	if len(rows) != 2 {
		t.Errorf("%d pairs", len(rows))
	}
}
