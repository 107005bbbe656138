package capt

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func leaves(tr *tree.Tree, t *table.Table) []int32 {
	out := make([]int32, t.Rows())
	tr.Route(t, out)
	return out
}

// TestInfluential checks that keep leaves every record in its leaf of the class tree, that it changes nothing else of
// the draws, and that the printed technique takes records out.
func TestInfluential(t *testing.T) {
	tab := protecttest.Mixed(3000)
	kept := fit(t, tab, map[string]string{"minLeaf": "5", "p": "0.5"})
	if !slices.Equal(leaves(kept.Class, tab), leaves(kept.Class, release(t, kept, tab, 1))) {
		t.Error("a record left its leaf")
	}
	printed := &Plan{Attrs: kept.Attrs, Values: kept.Values}
	a, b := release(t, kept, tab, 1), release(t, printed, tab, 1)
	if slices.Equal(leaves(kept.Class, tab), leaves(kept.Class, b)) {
		t.Error("the printed technique takes no record out of its leaf")
	}
	segments := kept.Class.Segments()
	number := leaves(kept.Class, tab)
	for _, c := range kept.Columns {
		j := c.Column
		for i, v := range b.Cat(j) {
			allowed, tested := segments[number[i]].Cat[j]
			if tested && v >= 0 && !slices.Contains(allowed, v) {
				v = tab.Cat(j)[i]
			}
			if a.Cat(j)[i] != v {
				t.Fatalf("column %q, row %d: %d, expected %d", tab.Attr(j).Name, i, a.Cat(j)[i], v)
			}
		}
	}
}

// TestWithoutClass checks that a table without a class is perturbed as printed.
func TestWithoutClass(t *testing.T) {
	tab := protecttest.Mixed(300)
	tab = tab.Select(0, 4, 7)
	if p := fit(t, tab, nil); p.Segmentation() != nil || len(p.Changes()) != 2 {
		t.Errorf("segmentation %v, changes %q", p.Segmentation(), p.Changes())
	}
}

// TestManyValues fits a table with an attribute of a million distinct values: no tree may be grown for it, and the
// plan says so.
func TestManyValues(t *testing.T) {
	long.Only(t, "a million values")
	const rows = 1_000_000
	labels, codes, other := make([]string, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		labels[i], codes[i], other[i] = fmt.Sprint("v", i), int32(i), int32(i%3)
	}
	class := table.CatColumn("class", []string{"a", "b", "c"}, other)
	class.Role = table.Class
	tab := tabletest.Of(t, table.CatColumn("many", labels, codes),
		table.CatColumn("few", []string{"x", "y", "z"}, other), class)
	p := fit(t, tab, nil)
	out := release(t, p, tab, 1)
	if c := p.Columns[0]; c.Tree != nil || !strings.Contains(c.Unrelated, "1,000,000 values") {
		t.Errorf("the plan of the column is %+v", c)
	}
	changed := 0
	for i, v := range out.Cat(0) {
		if v != codes[i] {
			changed++
		}
	}
	if changed < 98_500 || changed > 101_500 { // 100,000 with a standard deviation of 300
		t.Errorf("%d values changed", changed)
	}
}

// TestWide checks that the cost of a table is not quadratic in its width: twice the columns take about twice the
// memory.
func TestWide(t *testing.T) {
	bytes := func(width int) float64 {
		cols := make([]table.Column, width)
		for j := range cols {
			cols[j] = table.CatColumn(fmt.Sprint("c", j), []string{"x", "y"}, []int32{0})
		}
		tab := tabletest.Of(t, cols...)
		p := &Plan{Attrs: tab.Attrs(), Values: Values{P: 0.5}}
		for j := range cols {
			p.Columns = append(p.Columns, Column{Column: j, Unrelated: "so it is here"})
		}
		if _, err := p.Apply(tab, rng.New([32]byte{1})); err != nil { // also builds what the plan needs
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		must.Get(p.Apply(tab, rng.New([32]byte{1})))(t)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := bytes(400), bytes(800); many > 3*few {
		t.Errorf("400 columns take %v bytes, 800 take %v", few, many)
	}
}

// TestSample checks that a plan grown on a sample counts all records.
func TestSample(t *testing.T) {
	tab := protecttest.Mixed(4000)
	p := fit(t, tab, map[string]string{"fitRows": "1000", "minLeaf": "20"})
	for _, c := range p.Columns {
		if c.Tree == nil {
			continue
		}
		weight, known := 0.0, 0
		for _, l := range c.Clusters().Leaves {
			weight += l.Weight()
		}
		for _, v := range tab.Cat(c.Column) {
			if v >= 0 {
				known++
			}
		}
		if weight != float64(known) {
			t.Errorf("column %q: the leaves hold %v of %d records", tab.Attr(c.Column).Name, weight, known)
		}
	}
}

// TestTreeHandedOver checks that a tree that was handed over is kept in, and that one of other attributes is refused.
func TestTreeHandedOver(t *testing.T) {
	tab := protecttest.Mixed(500)
	q := New()
	q.Tree = protecttest.Tree(tab)
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	if p.(protect.Segmented).Segmentation().Trees[0] != q.Tree {
		t.Error("another tree was grown")
	}
	if _, err := q.Fit(context.Background(), tab.Select(4, 10), rng.New([32]byte{5})); err == nil {
		t.Error("a tree of other attributes was taken")
	}
}

// TestBrokenPlans checks that an edited plan is refused.
func TestBrokenPlans(t *testing.T) {
	tab := protecttest.Mixed(400)
	good := must.Get(json.Marshal(fit(t, tab, map[string]string{"minLeaf": "2"})))(t)
	for _, edit := range [][2]string{
		{`"p":0.1`, `"p":1.1`}, {`"p":0.1`, `"p":-1`}, {`"column":4`, `"column":0`}, {`"column":4`, `"column":99`}, {`"column":4`, `"column":-1`},
		{`"column":4`, `"column":7`}, {`"class":"city"`, `"class":"size"`}, {`"values":["S"`, `"values":["XS"`}, {`"name":"score"`, `"name":"scores"`},
		{`"name":"score","type":"numeric"`, `"name":"score","type":"categorical"`},
	} {
		text := strings.Replace(string(good), edit[0], edit[1], 1)
		if text == string(good) {
			t.Errorf("the plan does not hold %s", edit[0])
		}
		p := Method.Plan().(*Plan)
		if json.Unmarshal([]byte(text), p) == nil && p.Check() == nil {
			t.Errorf("a plan with %s is taken", edit[1])
		}
	}
}
