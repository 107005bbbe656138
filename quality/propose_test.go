package quality

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// school is a table in which schooling says the years of it in every record, and a ward nearly always the floor.
func school(t *testing.T, n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 9))
	level, years, floor, ward, age := make(
		[]int32,
		n,
	), make([]float64, n), make([]float64, n), make([]int32, n), make([]float64, n)
	for i := range n {
		level[i], ward[i], age[i] = int32(r.IntN(3)), int32(r.IntN(2)), float64(r.IntN(80))
		years[i], floor[i] = float64(8+2*level[i]), float64(ward[i])
		if r.IntN(50) == 0 {
			years[i] = math.NaN()
		}
		if i == n-1 {
			ward[i] = 1 - int32(floor[i]) // the exception
		}
	}
	tab := must.Get(table.New(table.CatColumn("level of school", []string{"o'level", "a", "b"}, level),
		table.NumColumn("years", 1, years), table.NumColumn("floor", 1, floor),
		table.CatColumn("ward", []string{"icu", "er"}, ward), table.NumColumn("age", 1, age)))(t)
	a := *tab.Attr(4)
	a.Role = table.Confidential
	return tab.WithAttr(4, a)
}

// TestPropose: the columns of which one says the other are proposed, one exception among 60,001 records, in no sample,
// breaks what it breaks; the model can be written, read and edited, and the original keeps every condition of it.
func TestPropose(t *testing.T) {
	tab := school(t, 60_001) // the last record is in no sample
	m := must.Get(Propose(context.Background(), tab, nil, nil))(t)
	var names []string
	for _, p := range m.Purposes {
		names = append(names, p.Name)
	}
	if want := []string{"what is confidential", "floor with ward", "level of school with years"}; !slices.Equal(names,
		want) {
		t.Fatalf("purposes are %q, want %q", names, want)
	}
	if c := m.Purposes[1].Complex; len(c) != 2 { // the exception breaks two of four
		t.Errorf("%+v", c)
	}
	if c := m.Purposes[2].Complex; len(c) != 6 || c[0].Operator() != "or" {
		t.Errorf("%+v", c)
	}
	if c := m.Purposes[0].Constraints; len(c) != 1 || c[0].Expr != "age >= 0 and age <= 79" {
		t.Errorf("%+v", c)
	}
	var b strings.Builder
	must.NoError(t, m.Write(&b))
	read, err := Parse("m.yaml", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	own, err := TuplesOf(context.Background(), read, Pair{Original: tab, Released: tab})
	if err != nil || slices.Contains(own.Consistent, false) || own.Unjudged > 0 {
		t.Errorf("the original breaks what was proposed: %v", err)
	}
}

// TestProposeClass: the columns that the tree tests serve the prediction of the class, and where nothing is known all
// columns are one purpose.
func TestProposeClass(t *testing.T) {
	tab := patients(t, []float64{1, 2, 3, 4}, []string{"icu", "er", "icu", "er"}, []float64{4, 3, 1, 2})
	m, err := Propose(context.Background(), tab.Select(0, 2), nil, nil)
	if err != nil || len(m.Purposes) != 1 || m.Purposes[0].Name != "the table as a whole" ||
		m.Purposes[0].Attributes[1] != (Attribute{"dose", 0.5, 0.5}) {
		t.Errorf("%+v, %v", m, err)
	}
	a := *tab.Attr(1)
	a.Role = table.Class
	tab = tab.WithAttr(1, a)
	grown := &tree.Tree{
		Attrs: tab.Attrs(),
		Class: 1,
		Nodes: []tree.Node{{Attr: 2, Kids: []int32{1, 2}, Cut: 2.5}, {Attr: -1}, {Attr: -1}},
	}
	if m, err = Propose(context.Background(), tab, grown, nil); err != nil || m.Purposes[0].Name != "predicting ward" ||
		len(m.Purposes[0].Attributes) != 2 ||
		m.Purposes[0].Attributes[1].Name != "dose" {
		t.Errorf("%+v, %v", m, err)
	}
	id := *tab.Attr(1)
	id.Role = table.Identifier
	if _, err := Propose(context.Background(), tab.WithAttr(1, id).Select(1), nil, nil); err == nil {
		t.Error("identifiers alone serve a purpose")
	}
}
