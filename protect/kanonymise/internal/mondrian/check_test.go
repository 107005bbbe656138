package mondrian

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// two returns a partition of numbers and categories, with missing ones, and its columns.
func two(t testing.TB) (*Partition, []table.Column) {
	cols := []table.Column{table.NumColumn("age", 1, []float64{1, 2, 3, 4, nan, nan, 30, 40}),
		table.CatColumn("city", []string{"a", "b", "c"}, []int32{0, 1, 2, 0, 1, 2, 0, 1})}
	return grown(t, 2, cols...), cols
}

// A tampered partition is refused, and the message says what is wrong with it.
func TestCheckRefuses(t *testing.T) {
	for want, spoils := range map[string][]func(p *Partition){
		"axes, expected 2": {func(p *Partition) { p.Axes = p.Axes[1:] },
			func(p *Partition) { p.Axes = append(p.Axes, Axis{}) }},
		"a root of the partition is out of place": {func(p *Partition) { p.Roots[0].Node = -1 },
			func(p *Partition) { p.Roots[0].Node = len(p.Nodes) },
			func(p *Partition) { p.Roots[0].Missing = []int{1, 0} }, func(p *Partition) { p.Roots[0].Missing = []int{2} },
			func(p *Partition) { p.Roots[0].Missing = []int{-1} }, func(p *Partition) { p.Roots[0].Missing = []int{0, 0} }},
		"divided by no quasi-identifier, or nowhere": {func(p *Partition) { p.Nodes[0].Axis = 2 },
			func(p *Partition) { p.Nodes[0].Cut = nan }},
		"inside none that comes before it": {func(p *Partition) { p.Nodes[0].Kids[1] = 0 },
			func(p *Partition) { p.Nodes[0].Kids[0] = len(p.Nodes) }},
		"inside several others, or inside none": {func(p *Partition) { p.Nodes[0].Kids[1] = p.Nodes[0].Kids[0] },
			func(p *Partition) { p.Nodes = append(p.Nodes, Region{Axis: -1}) },
			func(p *Partition) { p.Roots = append(p.Roots, p.Roots[0]) },
			func(p *Partition) { p.Roots = p.Roots[:1] }},
		"is cut outside its limits": {func(p *Partition) { p.Nodes[0].Cut = math.Inf(1) },
			func(p *Partition) { p.Nodes[0].Axis, p.Nodes[0].Cut = 1, 1.5 },
			func(p *Partition) { p.Nodes[0].Axis, p.Nodes[0].Cut = 1, 0 },
			func(p *Partition) { p.Nodes[0].Axis, p.Nodes[0].Cut = 1, 3 }},
		"is not an order of its categories": {func(p *Partition) { p.Axes[1].Order[0] = 2 },
			func(p *Partition) { p.Axes[1].Order[0] = -1 }, func(p *Partition) { p.Axes[1].Order[0] = 3 }},
		"has 2 categories, expected 3": {func(p *Partition) { p.Axes[1].Order = p.Axes[1].Order[:2] }},
		"numeric and has an order": {func(p *Partition) { p.Axes[0].Order = []int32{0} },
			func(p *Partition) { p.Axes[0].Hierarchy = hierarchy.Flat("age", nil) }},
		"cuts numbers into intervals": {func(p *Partition) {
			c := table.NumColumn("city", 1, []float64{1, 9})
			p.Axes[1].Hierarchy = hierarchy.Build(&c)
		}},
		"has 0 levels": {func(p *Partition) { p.Axes[1].Hierarchy = &hierarchy.Hierarchy{Attribute: "city"} }},
	} {
		for k, spoil := range spoils {
			p, cols := two(t)
			attrs := []table.Attribute{cols[0].Attribute, cols[1].Attribute}
			must.NoError(t, p.Check(attrs))
			spoil(p)
			if err := p.Check(attrs); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("spoilt partition %d: %v, expected %q", k, err, want)
			}
		}
	}
}

// A decoded partition that passes its check takes any record to one of its leaves, or to none, and shows it.
func FuzzPartition(f *testing.F) {
	p, cols := two(f)
	text := must.Get(json.Marshal(p))(f)
	f.Add(text)
	f.Add([]byte(`{"axes":[{},{"order":[2,0,1]}],"roots":[{"missing":[0],"node":0}],"nodes":[{"axis":-1}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := &Partition{}
		if json.Unmarshal(text, p) != nil || p.Check([]table.Attribute{cols[0].Attribute, cols[1].Attribute}) != nil {
			return
		}
		for i, n := range p.Leaves(cols) {
			if n >= 0 && p.Nodes[n].Axis >= 0 {
				t.Fatalf("record %d ends in node %d, which is divided", i, n)
			}
		}
		for k, c := range p.Recode(cols) {
			for i, code := range c.Cat {
				if cols[k].MissingAt(i) != (code < 0) || int(code) >= len(c.Labels) {
					t.Fatalf("column %d shows record %d as %d of %d labels", k, i, code, len(c.Labels))
				}
			}
		}
	})
}
