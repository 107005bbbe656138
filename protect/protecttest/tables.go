package protecttest

import (
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Mixed returns a table with every kind of column: integers with a declared and with an observed domain, cents, tenths
// below zero, a continuous attribute, missing values, an ordered and two plain categorical attributes, a sampling
// weight, and a class of three values, some missing, that depends on the others. It is the same at every call.
func Mixed(rows int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	num := make([][]float64, 7)
	for j := range num {
		num[j] = make([]float64, rows)
	}
	city, sex, size, class := make([]int32, rows), make([]int32, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		age := float64(17 + r.IntN(60))
		num[0][i] = age
		num[1][i] = math.Round(100*(500+40*age+300*r.NormFloat64())) / 100
		num[2][i] = math.Round(10*(r.Float64()*10-7)) / 10
		num[3][i] = r.ExpFloat64()
		num[4][i] = float64(1 + r.IntN(10))
		num[5][i] = float64(r.IntN(80))
		num[6][i] = 1 + r.Float64()
		city[i], sex[i], size[i] = int32(r.IntN(7)), int32(r.IntN(2)), int32(r.IntN(4))
		switch {
		case age > 50 && num[4][i] > 4:
			class[i] = 2
		case city[i] < 3 || num[3][i] > 1.5:
			class[i] = 1
		}
		if r.IntN(8) == 0 {
			class[i] = int32(r.IntN(3))
		}
		blank(r, 10, &num[5][i])
		blank(r, 25, &num[3][i])
		if r.IntN(12) == 0 {
			city[i] = -1
		}
		if r.IntN(40) == 0 {
			class[i] = -1
		}
	}
	age := table.NumColumn("age", 1, num[0])
	age.Domain, age.Declared = table.Interval{Lo: 0, Hi: 120}, true
	weight := table.NumColumn("weight", 0, num[6])
	weight.Role = table.Weight
	band := table.CatColumn("size", []string{"S", "M", "L", "XL"}, size)
	band.Ordered = true
	target := table.CatColumn("risk", []string{"low", "middle", "high"}, class)
	target.Role = table.Class
	return tabletest.Must(age, table.NumColumn("income", 0.01, num[1]), table.NumColumn("temperature", 0.1, num[2]),
		table.NumColumn("ratio", 0, num[3]), table.CatColumn("city", letters(7), city), table.NumColumn("score", 1, num[4]),
		table.NumColumn("hours", 1, num[5]), table.CatColumn("sex", letters(2), sex), weight, band, target)
}

func blank(r *rand.Rand, one int, v *float64) {
	if r.IntN(one) == 0 {
		*v = math.NaN()
	}
}

func letters(n int) []string {
	out := make([]string, n)
	for k := range out {
		out[k] = string(rune('a' + k))
	}
	return out
}

// named is a table with the reason it is odd.
type named struct {
	name string
	t    *table.Table
}

// oddities returns the tables at the edges.
func oddities() []named {
	mixed := Mixed(60)
	class := mixed.Column(mixed.Width() - 1)
	missing := make([]float64, 60)
	codes := make([]int32, 60)
	for i := range missing {
		missing[i], codes[i] = math.NaN(), -1
	}
	constant := table.NumColumn("constant", 1, make([]float64, 60))
	one := table.CatColumn("risk", []string{"low"}, make([]int32, 60))
	one.Role = table.Class
	none := table.CatColumn("risk", nil, codes)
	none.Role = table.Class
	dirty := table.NumColumn("dirty", 1, mixed.Num(1))
	dirty.Domain = table.Interval{Lo: 1000, Hi: 2000}
	unclassed := class
	unclassed.Role = 0
	age := mixed.Column(0)
	return []named{
		{"zero rows", mixed.Slice(0, 0)},
		{"one row", mixed.Slice(0, 1)},
		{"two rows", mixed.Slice(0, 2)},
		{"one column and the class", tabletest.Must(age, class)},
		{"the class alone", tabletest.Must(class)},
		{"one numeric column without a class", tabletest.Must(age)},
		{"one categorical column without a class", tabletest.Must(unclassed)},
		{"a constant column", tabletest.Must(constant, age, class)},
		{"an all-missing numeric column", tabletest.Must(table.NumColumn("void", 1, missing), age, class)},
		{"an all-missing categorical column", tabletest.Must(table.CatColumn("void", letters(3), codes), age, class)},
		{"a class of one value", tabletest.Must(age, mixed.Column(4), one)},
		{"a class all missing", tabletest.Must(age, mixed.Column(4), none)},
		{"values off the grid and outside the domain", tabletest.Must(dirty, class)},
	}
}

// Tree returns a tree made by hand for any table that has a class, nil for another one: a test of the first numeric
// attribute, on its left one of the first categorical attribute, on its right one of the last numeric attribute.
// Attributes that the table lacks are not tested. The counts are those of the table.
func Tree(t *table.Table) *tree.Tree {
	tr := &tree.Tree{Attrs: t.Attrs(), Class: t.WithRole(table.Class)}
	if tr.Class < 0 || t.Attr(tr.Class).Kind != table.Categorical {
		return nil
	}
	var num, cat []int
	for j := range t.Width() {
		switch a := t.Attr(j); {
		case a.Role&(table.Class|table.Weight) != 0:
		case a.Kind == table.Numeric && a.Domain.Lo < a.Domain.Hi:
			num = append(num, j)
		case a.Kind == table.Categorical && len(a.Labels) > 1:
			cat = append(cat, j)
		}
	}
	tr.Nodes = []tree.Node{{Attr: -1}}
	if len(num) > 0 {
		cut(tr, 0, num[0])
		left := kid(tr, 0, 0)
		if len(cat) > 0 {
			fan(tr, left, cat[0])
			kid(tr, left, 0)
			kid(tr, left, 1)
		}
		right := kid(tr, 0, 1)
		if len(num) > 1 {
			cut(tr, right, num[len(num)-1])
			kid(tr, right, 0)
			kid(tr, right, 1)
		}
	}
	tr.Recount(t)
	return tr
}

// Forest returns a forest made by hand for any table that has a class, nil for another one: Tree, and two trees that
// test, with other cuts, the attributes the other way round. Their leaves meet in up to 36 intersections.
func Forest(t *table.Table) *tree.Forest {
	first := Tree(t)
	if first == nil {
		return nil
	}
	f := tree.One(first)
	for _, share := range []float64{0.3, 0.7} {
		tr := &tree.Tree{Attrs: t.Attrs(), Class: first.Class, Nodes: []tree.Node{{Attr: -1}}}
		at := 0
		for j := t.Width() - 1; j >= 0 && len(tr.Nodes) < 7; j-- {
			switch a := t.Attr(j); {
			case a.Role&(table.Class|table.Weight) != 0:
				continue
			case a.Kind == table.Numeric && a.Domain.Lo < a.Domain.Hi:
				cut(tr, at, j)
				tr.Nodes[at].Cut = a.Snap(a.Domain.Lo + share*(a.Domain.Hi-a.Domain.Lo))
			case a.Kind == table.Categorical && len(a.Labels) > 1:
				fan(tr, at, j)
			default:
				continue
			}
			kid(tr, at, 0)
			at = kid(tr, at, 1)
		}
		tr.Recount(t)
		f.Trees = append(f.Trees, tr)
	}
	return f
}

// cut gives a leaf a test in the middle of a numeric domain.
func cut(tr *tree.Tree, n, j int) {
	d := tr.Attrs[j].Domain
	tr.Nodes[n] = tree.Node{Attr: j, Cut: tr.Attrs[j].Snap((d.Lo + d.Hi) / 2), Kids: make([]int32, 2)}
}

// fan gives a leaf a categorical test with two branches: the first label, and the others.
func fan(tr *tree.Tree, n, j int) {
	branch := make([]int32, len(tr.Attrs[j].Labels))
	for k := range branch[1:] {
		branch[k+1] = 1
	}
	tr.Nodes[n] = tree.Node{Attr: j, Branch: branch, Kids: make([]int32, 2), Heavy: 1}
}

// kid appends a leaf as kid k of node n.
func kid(tr *tree.Tree, n, k int) int {
	tr.Nodes = append(tr.Nodes, tree.Node{Attr: -1})
	tr.Nodes[n].Kids[k] = int32(len(tr.Nodes) - 1)
	return len(tr.Nodes) - 1
}
