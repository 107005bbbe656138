package forestframework

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

//go:embed testdata/forest_intersections.json
var golden []byte

// input is a case of testdata: a schema, trees and records.
type input struct {
	protecttest.Facts
	Forest []*protecttest.Branching
}

type answer struct {
	Intersections []struct {
		Leaves []string
		Box    map[string]struct {
			Tested bool
			Lo, Hi float64
			IntLo  *float64 `json:"int_lo"`
			IntHi  *float64 `json:"int_hi"`
		}
	}
	Members map[string][]int
}

// build returns the forest and the records of a case.
func (in *input) build() (*tree.Forest, *table.Table) {
	f := &tree.Forest{}
	var tab *table.Table
	for _, b := range in.Forest {
		one := in.Facts
		one.Tree = b
		var tr *tree.Tree
		tab, tr = one.Table()
		f.Trees = append(f.Trees, tr)
	}
	return f, tab
}

// Section 3, steps 2 to 4: which records meet in an intersection, and inside which limits their numbers move; after
// noise each is in the same leaf of every tree.
func TestSection3Intersections(t *testing.T) {
	for _, c := range protecttest.Cases[input, answer](t, golden, "forest_intersections") {
		f, tab := c.Input.build()
		p := fit(t, tab, f, nil)
		keys := must.Get(p.Group(tab))(t)
		members := map[string][]int{}
		for i, k := range keys {
			members[name(f, k)] = append(members[name(f, k)], i)
		}
		if got, want := fmt.Sprint(members), fmt.Sprint(c.Expected.Members); got != want {
			t.Errorf("%s: members %s, expected %s", c.Name, got, want)
		}
		number := make([]int32, len(keys))
		distinct := tree.Number(keys, number)
		for _, want := range c.Expected.Intersections {
			at := slices.IndexFunc(keys, func(k uint64) bool { return name(f, k) == strings.Join(want.Leaves, "+") })
			if at < 0 {
				continue // no record is in it
			}
			for _, j := range p.Numeric {
				a, box := tab.Attr(j), want.Box[tab.Attr(j).Name]
				d := p.Steps()[0].(*noise).domains(j, distinct)[number[at]]
				if d.Size() == 0 {
					continue // one value
				}
				lo, hi := d.Limits()
				if a.Step == 1 && (lo != *box.IntLo || hi != *box.IntHi) {
					t.Errorf("%s: %s of %s is within %v and %v, expected %v and %v", c.Name, a.Name, want.Leaves, lo, hi,
						*box.IntLo, *box.IntHi)
				}
				if a.Step == 0 && d.Size() != box.Hi-box.Lo {
					t.Errorf("%s: %s of %s is %v wide, expected %v", c.Name, a.Name, want.Leaves, d.Size(), box.Hi-box.Lo)
				}
			}
		}
		for seed := range byte(50) {
			out := release(t, p, tab, seed)
			if got, _ := p.Group(out); !slices.Equal(got, keys) {
				t.Fatalf("%s: intersections %v, after the release %v", c.Name, keys, got)
			}
		}
	}
}

func name(f *tree.Forest, key uint64) string {
	var ids []string
	for _, l := range f.Leaves(key) {
		ids = append(ids, fmt.Sprint("L", l+1))
	}
	return strings.Join(ids, "+")
}

// Section 3, step 5: every arrangement of the values of an intersection is equally likely, and attributes are permuted
// independently: of two attributes with the values 0, 1, 1 each of the 9 pairs of arrangements. A right program fails
// once in a million.
func TestSection3Step5(t *testing.T) {
	const runs = 9000
	class := table.CatColumn("class", []string{"x", "y"}, []int32{0, 1, 1})
	class.Role = table.Class
	tab := tabletest.Of(t, table.CatColumn("city", []string{"a", "b"}, []int32{0, 1, 1}), class)
	tr := &tree.Tree{Attrs: tab.Attrs(), Class: 1, Nodes: []tree.Node{{Attr: -1}}}
	tr.Recount(tab)
	p := fit(t, tab, tree.One(tr), nil)
	seen := map[string]float64{}
	for run := range runs {
		out := must.Get(p.Apply(tab, protecttest.Seed(7).Fork(fmt.Sprint(run))))(t)
		seen[fmt.Sprint(out.Cat(0), out.Cat(1))]++
	}
	chi := 0.0
	for _, n := range seen {
		chi += (n - runs/9) * (n - runs/9) / (runs / 9)
	}
	if q := (distuv.ChiSquared{K: 8}).Survival(chi); len(seen) != 9 || q < 1e-6 {
		t.Errorf("%d pairs of arrangements with chi-square %.1f: %v", len(seen), chi, seen)
	}
}

// Section 3, step 4, with the standard deviation of Islam 2007, section 5.2: on a sub-domain of 6 to 8, of three
// integers, the noise of one step is rounded and wrapped; 6 stays with the probability that noise is within half a step
// of a multiple of three. Off by five standard errors once in 1.7 million.
func TestSection3Step4(t *testing.T) {
	const rows = 40_000
	v, class := make([]float64, rows), make([]int32, rows)
	for i := range v {
		v[i] = 6
	}
	a := table.NumColumn("A", 1, v)
	a.Domain, a.Declared = table.Interval{Lo: 1, Hi: 10}, true
	c := table.CatColumn("class", []string{"x"}, class)
	c.Role = table.Class
	tab := tabletest.Of(t, a, c)
	cut := func(at float64) *tree.Tree {
		tr := &tree.Tree{
			Attrs: tab.Attrs(),
			Class: 1,
			Nodes: []tree.Node{{Cut: at, Kids: []int32{1, 2}}, {Attr: -1}, {Attr: -1}},
		}
		tr.Recount(tab)
		return tr
	}
	p := fit(t, tab, &tree.Forest{Trees: []*tree.Tree{cut(5), cut(8)}}, map[string]string{"spread": "33.333333333"})
	same := 0.0
	for _, w := range release(t, p, tab, 1).Num(0) {
		if w < 6 || w > 8 {
			t.Fatalf("6 becomes %v, outside 6 to 8", w)
		}
		if w == 6 {
			same++
		}
	}
	want := 0.0
	for k := -9.0; k <= 9; k++ {
		want += distuv.UnitNormal.CDF(3*k+0.5) - distuv.UnitNormal.CDF(3*k-0.5)
	}
	if math.Abs(same/rows-want) > 5*math.Sqrt(want*(1-want)/rows) {
		t.Errorf("%v of the values stay, expected %v", same/rows, want)
	}
}

// Section 7: three trees by default; step 2 finds no more intersections than records.
func TestSection7(t *testing.T) {
	tab := generate.CR(2000, rng.New([32]byte{1}))
	p := fit(t, tab, nil, nil)
	if n := len(p.Forest.Trees); n != 3 {
		t.Errorf("%d trees, expected 3", n)
	}
	if q := New(); q.MinGainRatio != 0.01 || q.CF != 25 || q.Goodness != 0.5 || q.Separation != 0.3 || q.Spread != 33.33 {
		t.Errorf("defaults %+v", q)
	}
	if got := p.Changes(); !slices.Equal(got, protect.Names(tab.Attrs(), []int{0, 1, 2, 3, 4, 5})) {
		t.Errorf("the plan changes %q", got)
	}
	if p.Intersections < 3 || p.Intersections > tab.Rows() {
		t.Errorf("%d intersections", p.Intersections)
	}
}

// TestExcept checks that columns named in except stay, the class included.
func TestExcept(t *testing.T) {
	tab := generate.CR(500, rng.New([32]byte{1}))
	p := fit(t, tab, nil, map[string]string{"except": "Income, City, Credit Risk"})
	if got := strings.Join(p.Changes(), ","); got != "House Rent,Job Grade,No of Dependents" {
		t.Errorf("the plan changes %s", got)
	}
}

// TestPlanFile checks that the forest is stored once, without its intersections.
func TestPlanFile(t *testing.T) {
	p := fit(t, generate.CR(2000, rng.New([32]byte{1})), nil, map[string]string{"minLeaf": "2"})
	whole := must.Get(json.Marshal(p))(t)
	forest := must.Get(json.Marshal(p.Forest))(t)
	if extra := len(whole) - len(forest); extra > 200 {
		t.Errorf("beside the forest (%d bytes) the plan takes %d bytes", len(forest), extra)
	}
}
