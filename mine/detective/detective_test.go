package detective

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// figure is the tree of the golden case, whose leaf 3 is leaf 1 of figure 6.9: 132 Ford, 62 Toyota, 48 Nissan, 5
// Holden.
func figure(domain []string, counts map[string]map[string]float64) *tree.Tree {
	tr := &tree.Tree{Class: 2, Attrs: []table.Attribute{
		{Name: "Country", Kind: table.Categorical, Labels: []string{"AU", "US", "UK"}},
		{Name: "Grade", Step: 1},
		{Name: "Car Make", Kind: table.Categorical, Labels: domain},
	}, Nodes: []tree.Node{
		{Attr: 0, Branch: []int32{0, 1, 2}, Kids: []int32{1, 4, 5}},
		{Attr: 1, Cut: 2, Kids: []int32{2, 3}},
		{Attr: -1}, {Attr: -1}, {Attr: -1}, {Attr: -1},
	}}
	for k, i := range tr.Leaves() {
		tr.Nodes[i].Counts = make([]float64, len(domain))
		for v, n := range counts["L"+string(rune('1'+k))] {
			tr.Nodes[i].Counts[slices.Index(domain, v)] = n
		}
	}
	return tr
}

// TestDETECTIVEGolden is the example of section 6.6.1 with independently computed similarities: Ford-Toyota 8184,
// Ford-Nissan 6336, Toyota-Nissan 2976.
func TestDETECTIVEGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/detective.json"))(t)
	var cases []struct {
		Input struct {
			LeafCounts map[string]map[string]float64 `json:"leaf_counts"`
			Domain     []string
		}
		Expected struct {
			Strong map[string]map[string]float64
			Weak   map[string][]string
		}
	}
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, g := range cases {
		c := Of(figure(g.Input.Domain, g.Input.LeafCounts))
		name := func(p Pair) string { return c.Labels[p.A] + "|" + c.Labels[p.B] }
		leaf := func(k int) string { return "L" + string(rune('1'+k)) }
		strong, weak := map[string]map[string]float64{}, map[string][]string{}
		for k := range c.Leaves {
			for _, s := range c.Strong(k) {
				if strong[leaf(k)] == nil {
					strong[leaf(k)] = map[string]float64{}
				}
				strong[leaf(k)][name(s.Pair)] = s.Similarity
			}
		}
		for _, family := range c.Families() {
			for i, a := range family {
				for _, b := range family[i+1:] {
					for _, p := range c.Weak(a, b) {
						weak[leaf(a)+"+"+leaf(b)] = append(weak[leaf(a)+"+"+leaf(b)], name(p))
					}
					slices.Sort(weak[leaf(a)+"+"+leaf(b)])
				}
			}
		}
		if !reflect.DeepEqual(strong, g.Expected.Strong) {
			t.Errorf("strong similarities %v, expected %v", strong, g.Expected.Strong)
		}
		if !reflect.DeepEqual(weak, g.Expected.Weak) {
			t.Errorf("weak similarities %v, expected %v", weak, g.Expected.Weak)
		}
	}
}

// TestFigure65 is the illustration of section 6.4.4: Sydney and Melbourne are similar within leaves 19 and 20, Sydney
// and Armidale within leaves 22 and 23, more so within leaf 22, which is heterogeneous.
func TestFigure65(t *testing.T) {
	const sydney, melbourne, armidale = 0, 1, 2
	c := &Clusters{Labels: []string{"Sydney", "Melbourne", "Armidale"}, Leaves: []Leaf{
		{Parent: 1, Values: []Value{{sydney, 4}}},
		{Parent: 1, Values: []Value{{melbourne, 2}}},
		{Parent: 4, Values: []Value{{sydney, 1}, {armidale, 4}}},
		{Parent: 4, Values: []Value{{sydney, 3}}},
	}}
	if got := c.Weak(0, 1); !slices.Equal(got, []Pair{{sydney, melbourne}}) {
		t.Errorf("leaves 19 and 20: %v", got)
	}
	if got := c.Weak(3, 2); !slices.Equal(got, []Pair{{sydney, armidale}}) {
		t.Errorf("leaves 22 and 23: %v", got)
	}
	if got := c.Strong(2); !slices.Equal(got, []Strength{{Pair{sydney, armidale}, 4}}) {
		t.Errorf("leaf 22: %v", got)
	}
	if c.Strong(0) != nil || c.Weak(1, 2) != nil || c.Weak(2, 2) != nil {
		t.Error("a homogeneous leaf, strangers or a leaf and itself are similar")
	}
}

// TestOfAgainstTwin compares the clusters of learned trees with a count, record by record, of the values in every
// leaf, and with siblings found by looking for the node that has both leaves as kids.
func TestOfAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.Mixed(rapid.IntRange(20, 200).Draw(r, "rows"))
		l := param.Default(&DETECTIVELearner{})
		l.MinLeaf, l.NoPrune = rapid.IntRange(1, 10).Draw(r, "minLeaf"), rapid.Bool().Draw(r, "noPrune")
		j := tab.Find(rapid.SampledFrom([]string{"city", "sex", "size"}).Draw(r, "attribute"))
		tr := must.Get(l.Grow(context.Background(), tab, j))(t)
		tr.Recount(tab)
		c := Of(tr)
		number := make([]int32, tab.Rows())
		tr.Route(tab, number)
		for k, leaf := range c.Leaves {
			count := make([]float64, len(c.Labels))
			for i, v := range tab.Cat(j) {
				if number[i] == int32(k) && v >= 0 {
					count[v]++
				}
			}
			best := int32(-1)
			for v, n := range count {
				at := slices.IndexFunc(leaf.Values, func(x Value) bool { return x.Code == int32(v) })
				if (at >= 0) != (n > 0) || at >= 0 && leaf.Values[at].Count != n {
					t.Fatalf("leaf %d: %v, expected counts %v", k, leaf.Values, count)
				}
				if n > 0 && (best < 0 || n > count[best]) {
					best = int32(v)
				}
			}
			if leaf.Majority != best {
				t.Fatalf("leaf %d: majority %d, expected %d", k, leaf.Majority, best)
			}
		}
		siblings(t, tr, c)
	})
}

func siblings(t *testing.T, tr *tree.Tree, c *Clusters) {
	nodes := tr.Leaves()
	together := map[[2]int]bool{}
	for _, f := range c.Families() {
		for _, a := range f {
			for _, b := range f {
				together[[2]int{a, b}] = true
			}
		}
	}
	for a := range nodes {
		for b := range nodes {
			same := a == b || slices.ContainsFunc(tr.Nodes, func(n tree.Node) bool {
				return slices.Contains(n.Kids, nodes[a]) && slices.Contains(n.Kids, nodes[b])
			})
			want := same && len(c.Leaves[a].Values) > 0 && len(c.Leaves[b].Values) > 0
			if together[[2]int{a, b}] != want {
				t.Fatalf("leaves %d and %d are in one family: %v, expected %v", a, b, !want, want)
			}
		}
	}
}

// TestMiner clusters Customer Status (section 6.6.1): Holden and Toyota are similar in some leaf of Car Make.
func TestMiner(t *testing.T) {
	if err := DETECTIVE.Check(); err != nil {
		t.Error(err)
	}
	tab := generate.CS(399, rng.New([32]byte{1}))
	m := mineAll(t, tab)
	if len(m.Attributes) != 5 {
		t.Fatalf("%d attributes, expected all but the class", len(m.Attributes))
	}
	cars := m.Attributes[2]
	if cars.Attribute != "Car Make" || cars.Unrelated() {
		t.Fatalf("%q, unrelated: %v", cars.Attribute, cars.Unrelated())
	}
	strongest := 0.0
	total := 0.0
	for k := range cars.Leaves {
		total += cars.Leaves[k].Weight()
		for _, s := range cars.Strong(k) {
			strongest = math.Max(strongest, s.Similarity)
		}
	}
	if total != 399 || strongest == 0 {
		t.Errorf("the leaves hold %v records; the strongest similarity is %v", total, strongest)
	}
	data := must.Get(json.Marshal(m))(t)
	var back DETECTIVEModel
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(&back, m) {
		t.Errorf("through JSON the model differs: %v", err)
	}
	if again := mineAll(t, tab); !reflect.DeepEqual(again, m) {
		t.Error("a second fit differs")
	}
}

func mineAll(t *testing.T, tab *table.Table) *DETECTIVEModel {
	t.Helper()
	m := must.Get(DETECTIVE.New().Fit(context.Background(), tab, rng.New([32]byte{1})))(t)
	return m.(*DETECTIVEModel)
}

func TestDETECTIVERefusals(t *testing.T) {
	tab := protecttest.Mixed(50)
	for _, name := range []string{"no such column", "age"} {
		l := DETECTIVE.New()
		must.NoError(t, l.Params().Apply(map[string]string{"attributes": name}))
		if _, err := l.Fit(context.Background(), tab, rng.New([32]byte{})); err == nil {
			t.Errorf("the attribute %q is clustered", name)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := DETECTIVE.New().Fit(ctx, tab, rng.New([32]byte{})); err == nil {
		t.Error("a cancelled fit returns a model")
	}
}
