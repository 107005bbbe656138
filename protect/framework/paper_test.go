package framework

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// frameworkGolden is the case of testdata/framework.json.
type frameworkGolden struct {
	Input struct {
		Tree      json.RawMessage
		Records   []map[string]any
		SigmaFrac float64 `json:"sigma_frac"`
	}
	Expected struct {
		Routes          []string
		LeafClassCounts map[string]map[string]int `json:"leaf_class_counts"`
		Correct         int
		Mean            float64 `json:"changed_class_mean"`
		Var             float64 `json:"changed_class_var"`
	}
}

// frameworkSchema is that of section 7.3: P, Q and R in 1..10, S of three values, the class C of two.
const frameworkSchema = `{"schema":[{"name":"P","type":"numeric","min":1,"max":10,"step":1},{"name":"Q","type":"numeric","min":1,"max":10,"step":1},
{"name":"R","type":"numeric","min":1,"max":10,"step":1},{"name":"S","type":"categorical","values":["s1","s2","s3"]},
{"name":"C","type":"categorical","role":"class","values":["c1","c2"]}],"class":"C","tree":`

func frameworkReadGolden(t *testing.T) (*frameworkGolden, *tree.Tree, *table.Table) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/framework.json"))(t)
	var gs []frameworkGolden
	must.NoError(t, json.Unmarshal(data, &gs))
	g := &gs[0]
	var tr tree.Tree
	must.NoError(t, json.Unmarshal([]byte(frameworkSchema+string(g.Input.Tree)+"}"), &tr))
	var cols []table.Column
	for _, a := range tr.Attrs {
		c := table.Column{Attribute: a}
		for _, r := range g.Input.Records {
			if a.Kind == table.Numeric {
				c.Num = append(c.Num, r[a.Name].(float64))
			} else {
				c.Cat = append(c.Cat, a.Code(r[a.Name].(string)))
			}
		}
		cols = append(cols, c)
	}
	tab := tabletest.Of(t, cols...)
	return g, &tr, tab
}

// TestFrameworkGolden checks the facts of sections 7.1 and 7.4 on the tree of section 7.3: in each of 500 releases
// every record is in its old leaf and every leaf has its old classes, so the original tree is right as often as before;
// the number of changed classes has the mean of RPT's law, within 5 standard errors (false alarm 6e-7), and its
// variance, within 5 standard errors of a variance of 500 near-normal values (32 %).
func TestFrameworkGolden(t *testing.T) {
	g, tr, tab := frameworkReadGolden(t)
	q := NewFramework()
	q.Tree, q.Except, q.Spread = tr, []string{"S"}, 100*g.Input.SigmaFrac
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	const runs = 500
	var changed, square float64
	for seed := range runs {
		out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{byte(seed), byte(seed >> 8)}),
			protect.Options{}))(t)
		frameworkFacts(t, g, p.(*FrameworkPlan), out)
		n := 0.0
		for i, c := range tab.Cat(4) {
			if out.Cat(4)[i] != c {
				n++
			}
		}
		changed += n / runs
		square += n * n / runs
	}
	mean, variance := 0.0, 0.0
	in := p.(*FrameworkPlan).InLeaves
	for _, c := range in.Count(tab, frameworkLeaves(tr, tab)) {
		m, v := classnoise.RPTMoments(c)
		mean += m
		variance += v
	}
	if math.Abs(mean-g.Expected.Mean) > 1e-9 || math.Abs(variance-g.Expected.Var) > 1e-9 {
		t.Errorf("the law of the changed classes has mean %v and variance %v, expected %v and %v", mean, variance,
			g.Expected.Mean, g.Expected.Var)
	}
	if math.Abs(changed-mean) > 5*math.Sqrt(variance/runs) {
		t.Errorf("%v classes changed on average, expected %v", changed, mean)
	}
	if got := square - changed*changed; math.Abs(got/variance-1) > 0.32 {
		t.Errorf("the number of changed classes has variance %v, expected %v", got, variance)
	}
}

func frameworkFacts(t *testing.T, g *frameworkGolden, p *FrameworkPlan, out *table.Table) {
	t.Helper()
	number := frameworkLeaves(p.Tree, out)
	for i, l := range number {
		if want := g.Expected.Routes[i]; "L"+string(rune('1'+l)) != want {
			t.Fatalf("record %d is in leaf %d, expected %s", i, l+1, want)
		}
	}
	correct := 0
	nodes := p.Tree.Leaves()
	for l, counts := range p.Count(out, number) {
		for c, n := range counts {
			if want := g.Expected.LeafClassCounts["L"+string(rune('1'+l))][p.Tree.ClassLabels()[c]]; n != want {
				t.Fatalf("leaf %d holds %d records of class %d, expected %d", l+1, n, c, want)
			}
		}
		correct += counts[p.Tree.Nodes[nodes[l]].Label]
	}
	if correct != g.Expected.Correct {
		t.Fatalf("%d records are predicted right, expected %d", correct, g.Expected.Correct)
	}
}

// TestSectionSevenOne checks the steps of section 7.1 on the Credit Risk data set: they read the original records,
// every attribute changes, and a homogeneous leaf keeps its class.
func TestSectionSevenOne(t *testing.T) {
	tab := generate.CR(2000, rng.New([32]byte{1}))
	p := frameworkFit(t, tab, nil)
	if got := p.Changes(); !slices.Equal(got, protect.Names(tab.Attrs(), []int{0, 1, 2, 3, 4, 5})) {
		t.Errorf("the plan changes %q", got)
	}
	out := frameworkRelease(t, p, tab, 1)
	number := frameworkLeaves(p.Tree, tab)
	class := tab.WithRole(table.Class)
	for l, counts := range p.Count(tab, number) {
		if slices.Min(counts) > 0 {
			continue
		}
		for i := range tab.Rows() {
			if number[i] == int32(l) && out.Cat(class)[i] != tab.Cat(class)[i] {
				t.Fatalf("row %d of homogeneous leaf %d has another class", i, l)
			}
		}
	}
}

// TestInfluentialPaper checks the printed technique (section 6.5): CAPT takes records out of their leaf, but only
// those whose leaf tests a categorical attribute.
func TestInfluentialPaper(t *testing.T) {
	tab := generate.CR(2000, rng.New([32]byte{1}))
	p := frameworkFit(t, tab, map[string]string{"influential": "paper"})
	out := frameworkRelease(t, p, tab, 1)
	before, after := frameworkLeaves(p.Tree, tab), frameworkLeaves(p.Tree, out)
	segments := p.Tree.Segments()
	left := 0
	for i := range before {
		if before[i] == after[i] {
			continue
		}
		left++
		if !segments[before[i]].Influential(tab.Find("City")) {
			t.Fatalf("row %d left leaf %d, which tests no categorical attribute", i, before[i])
		}
	}
	if left == 0 {
		t.Error("no record left its leaf")
	}
}

// TestFrameworkExcept checks that columns named in except stay, the class included, and that the class technique is
// then left out.
func TestFrameworkExcept(t *testing.T) {
	tab := generate.CR(500, rng.New([32]byte{1}))
	p := frameworkFit(t, tab, map[string]string{"except": "Income, City, Credit Risk"})
	if got := strings.Join(p.Changes(), ","); got != "House Rent,Job Grade,No of Dependents" {
		t.Errorf("the plan changes %s", got)
	}
	if p.Class != "" {
		t.Errorf("the class technique is %q", p.Class)
	}
}

// TestPlanFile checks that the class tree is stored once: the plan of the whole is smaller than those of its steps.
func TestPlanFile(t *testing.T) {
	tab := generate.CR(2000, rng.New([32]byte{1}))
	p := frameworkFit(t, tab, map[string]string{"minLeaf": "2"})
	whole := must.Get(json.Marshal(p))(t)
	one := must.Get(json.Marshal(p.Tree))(t)
	values := must.Get(json.Marshal(p.Categorical))(t)
	if extra := len(whole) - len(one) - len(values); extra > 300 {
		t.Errorf("beside the class tree (%d bytes) and CAPT's (%d), the plan takes %d bytes", len(one), len(values), extra)
	}
}
