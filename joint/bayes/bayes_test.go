package bayes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/joint"
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

// plain is the classifier by counting, with numbers or without.
func plain(list []person, numbers bool) *joint.Result {
	classes := joint.ResultTable{Name: "classes", Columns: []string{"class", "records"}}
	cats := joint.ResultTable{Name: "categories", Columns: []string{"class", "column", "value", "probability"}}
	nums := joint.ResultTable{Name: "numbers", Columns: []string{"class", "column", "mean", "variance"}}
	few := joint.Withheld{Why: joint.BelowCell}
	for ill, name := range columns[2].Values {
		var of []person
		for _, p := range list {
			if p.ill == int32(ill) {
				of = append(of, p)
			}
		}
		classes.Rows = append(classes.Rows, []any{name, int64(len(of))})
		var count [3]int64
		shown, sum, square, n := int64(0), 0.0, 0.0, 0.0
		for _, p := range of {
			if p.ward >= 0 {
				count[p.ward]++
			}
			if p.age == p.age {
				sum, square, n = sum+p.age, square+p.age*p.age, n+1
			}
		}
		for _, c := range count {
			if c >= 5 {
				shown += c
			}
		}
		for v, c := range count {
			cell := any(few)
			if c >= 5 {
				cell = float64(c+1) / float64(shown+3)
			}
			cats.Rows = append(cats.Rows, []any{name, "ward", columns[0].Values[v], cell})
		}
		nums.Rows = append(nums.Rows, []any{name, "age", sum / n, square/n - sum/n*sum/n})
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
	if !slices.ContainsFunc(plain(all, false).Tables[1].Rows, few) {
		t.Fatal("no count is below the minimum cell")
	}
	every := []string{"ward", "age", "ill"}
	three := []*table.Table{tableOf(all[:50], every...), tableOf(all[50:51], every...), tableOf(all[51:], every...)}
	plan := joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: columns}
	two := joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: []joint.Column{columns[0], columns[2]}}
	two.Columns[0].Owner, two.Columns[1].Owner = "bob", "ada"
	tree := joint.Plan{Parties: plan.Parties, Columns: []joint.Column{columns[0], columns[2]}}
	cases := map[string][]jointtest.Case{
		"naivebayes": {{Name: "three", Plan: plan, Tables: three, Want: []*joint.Result{plain(all, true)}, Tolerance: 1e-9}},
		"verticalbayes": {{Name: "two", Plan: two, Tables: []*table.Table{tableOf(all, "ill"), tableOf(all, "ward")},
			Want: []*joint.Result{plain(all, false)}, Tolerance: 1e-12}},
		"bayesnetwork": {{Name: "two columns", Plan: tree, Tables: three, Tolerance: 1e-12,
			Want: []*joint.Result{treeOf(all)}}},
	}
	// Parties of which one has no records, that have the same ones, and that have no ward in common.
	var wards [3][]person
	for _, p := range all {
		wards[max(0, p.ward)] = append(wards[max(0, p.ward)], p)
	}
	for name, parts := range map[string][3][]person{"one empty": {nil, all[:70], all[70:]}, "disjoint": wards,
		"identical": {all[:60], all[:60], all[:60]}} {
		union := slices.Concat(parts[:]...)
		var tables []*table.Table
		for _, part := range parts {
			tables = append(tables, tableOf(part, every...))
		}
		classes, tree := plain(union, true), treeOf(union)
		if name == "disjoint" { // no count of a ward has two contributors
			for _, row := range classes.Tables[1].Rows {
				if !few(row) {
					row[3] = joint.Withheld{Why: joint.FewContributors}
				}
			}
			tree.Tables[0].Rows[0][2] = 0.0
		}
		for protocol, want := range map[string]*joint.Result{"naivebayes": classes, "bayesnetwork": tree} {
			c := cases[protocol][0]
			c.Name, c.Plain, c.Tables, c.Want = name, true, tables, []*joint.Result{want}
			cases[protocol] = append(cases[protocol], c)
		}
	}
	jointtest.Family(t, Protocols[:3], cases)
}

// treeOf is the tree of the two columns.
func treeOf(list []person) *joint.Result {
	return &joint.Result{Tables: []joint.ResultTable{{Name: "tree",
		Columns: []string{"column", "with", "mutual information, bits"}, Rows: [][]any{{"ward", "ill", mutual(list)}}}}}
}

// mutual is the information by its definition, of counts that are shown.
func mutual(list []person) (bits float64) {
	var n [3][2]float64
	for _, p := range list {
		if p.ward >= 0 {
			n[p.ward][p.ill]++
		}
	}
	all := 0.0
	for w := range n {
		for i := range n[w] {
			if n[w][i] < 5 {
				n[w][i] = 0
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
		tab, err := table.New(part(0), part(1), part(2))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, tab)
	}
	c := jointtest.Case{Name: "chain", Tables: tables, Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"),
		Columns: []joint.Column{{Name: "a", Values: values}, {Name: "c", Values: values}, {Name: "b", Values: values}}}}
	rows := jointtest.Results(t, &Protocols[2], c, 1)[0].Tables[0].Rows
	for _, r := range rows {
		if r[0] != "b" && r[1] != "b" {
			t.Errorf("%v stands beside %v", r[0], r[1])
		}
	}
	if len(rows) != 2 {
		t.Errorf("%d pairs", len(rows))
	}
}
