package detective

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// EXDETECTIVEModel is a clustering of records. It is plain data.
type EXDETECTIVEModel struct {
	Attributes    []Attribute    `json:"attributes"`
	Intersections []Intersection `json:"clusters"`
	Members       []int32        `json:"members"` // the cluster of every record it was fitted on, -1 for none
	// the last step: the clusters divided by numbers; nil where it was not asked for
	Divided *Divided `json:"divided,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Attribute is an attribute that records are clustered by.
type Attribute struct {
	Name   string     `json:"name"`
	Weight float64    `json:"weight"`
	Tree   *tree.Tree `json:"tree"` // takes the attribute as its class, and is pruned by the weight
}

// Intersection is a cluster.
type Intersection struct {
	Leaves  []int32 `json:"leaves"`  // the number of its leaf in the tree of every attribute
	Records int     `json:"records"` // how many it was fitted on
}

// Clusters returns the number of clusters, those of the last step where it was asked for.
func (m *EXDETECTIVEModel) Clusters() int {
	if m.Divided != nil {
		return m.Divided.Clusters
	}
	return len(m.Intersections)
}

// Labels returns the cluster of every record the model was fitted on.
func (m *EXDETECTIVEModel) Labels() []int32 {
	if m.Divided != nil {
		return m.Divided.Labels
	}
	return m.Members
}

// chunk is how many records are routed at once.
const chunk = 1 << 14

// route returns the leaf of every record in every tree.
func (m *EXDETECTIVEModel) route(ctx context.Context, t *table.Table) ([][]int32, error) {
	leaves := make([][]int32, len(m.Attributes))
	for k := range leaves {
		leaves[k] = make([]int32, t.Rows())
	}
	err := parallel.Ranges(ctx, t.Rows(), chunk, func(lo, hi int) error {
		part := t.Slice(lo, hi)
		for k := range leaves {
			m.Attributes[k].Tree.Route(part, leaves[k][lo:hi])
		}
		return nil
	})
	return leaves, err
}

// Assign writes the cluster of every record: that of the records which share its leaves. Cost: O(rows x depth) per
// tree.
func (m *EXDETECTIVEModel) Assign(t *table.Table, dst []int32) {
	at := make(map[string]int32, len(m.Intersections))
	var key []byte
	for c, x := range m.Intersections {
		key = key[:0]
		for _, l := range x.Leaves {
			key = binary.LittleEndian.AppendUint32(key, uint32(l))
		}
		at[string(key)] = int32(c)
	}
	_ = parallel.Ranges(context.Background(), t.Rows(), chunk, func(lo, hi int) error {
		part := t.Slice(lo, hi)
		keys := make([]byte, 4*len(m.Attributes)*(hi-lo))
		leaf := make([]int32, hi-lo)
		for k := range m.Attributes {
			m.Attributes[k].Tree.Route(part, leaf)
			for i, l := range leaf {
				binary.LittleEndian.PutUint32(keys[4*(i*len(m.Attributes)+k):], uint32(l))
			}
		}
		for i := range leaf {
			c, ok := at[string(keys[4*i*len(m.Attributes):4*(i+1)*len(m.Attributes)])]
			if !ok {
				c = -1
			}
			dst[lo+i] = c
		}
		return nil
	})
	if m.Divided != nil {
		m.Divided.assign(t, dst)
	}
}

// shown is how many clusters Text shows.
const shown = 50

// Text describes the attributes and the largest clusters by the tests that lead to their leaves.
func (m *EXDETECTIVEModel) Text() string {
	inside := 0
	for _, x := range m.Intersections {
		inside += x.Records
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d clusters with %d of %d records\n", len(m.Intersections), inside, len(m.Members))
	if d := m.Divided; d != nil {
		line(&b, fmt.Sprintf("divided by %s on %s into %d clusters; %d stayed whole", d.By, strings.Join(d.Columns, ", "),
			d.Clusters, d.Whole))
	}
	rules := make([][]tree.Rule, len(m.Attributes))
	for k, a := range m.Attributes {
		rules[k] = a.Tree.Rules()
		line(&b, fmt.Sprintf("by %s: weight %.4g, a tree of %d leaves", a.Name, a.Weight, len(rules[k])))
	}
	order := make([]int, len(m.Intersections))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(x, y int) int { return m.Intersections[y].Records - m.Intersections[x].Records })
	for _, c := range order[:min(shown, len(order))] {
		x := m.Intersections[c]
		line(&b, fmt.Sprintf("%s, %d records: %s", m.named(c), x.Records, m.conditions(x, rules)))
	}
	if n := len(order) - shown; n > 0 {
		fmt.Fprintf(&b, "and %d smaller clusters\n", n)
	}
	for _, n := range m.Notes {
		line(&b, "note: "+n)
	}
	return b.String()
}

// named says which cluster, or which clusters of the last step, an intersection is.
func (m *EXDETECTIVEModel) named(c int) string {
	if d := m.Divided; d != nil {
		from, to := d.From[c], d.From[c+1]-1
		if to > from {
			return fmt.Sprintf("clusters %d to %d", from, to)
		}
		c = int(from)
	}
	return fmt.Sprintf("cluster %d", c)
}

// conditions are the tests on the ways to a cluster's leaves, each once.
func (m *EXDETECTIVEModel) conditions(x Intersection, rules [][]tree.Rule) string {
	var out []string
	for k, leaf := range x.Leaves {
		for _, c := range rules[k][leaf].If {
			if text := string(c.AppendTo(nil, m.Attributes[k].Tree.Attrs)); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if out == nil {
		return "everywhere"
	}
	return strings.Join(out, " and ")
}

// line writes a line of at most 160 characters.
func line(b *strings.Builder, text string) {
	if r := []rune(text); len(r) > 160 {
		text = string(r[:157]) + "..."
	}
	b.WriteString(text)
	b.WriteByte('\n')
}
