package recordclusters

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// COREModel is a clustering of records. It is plain data.
type COREModel struct {
	Attributes []Domain `json:"attributes"`
	Delta      float64  `json:"delta"` // the correlation above which values attract
	Kinds      []Kind   `json:"kinds"` // the different records, in the order of their codes
	N          int      `json:"clusters"`
	Members    []int32  `json:"members"` // the cluster of every record it was fitted on, -1 for none
}

// Domain is an attribute with its categories, by code.
type Domain struct {
	Name   string   `json:"name"`
	Labels []string `json:"labels"`
}

// Kind is a record that occurs.
type Kind struct {
	Values  []int32 `json:"values"` // the code of each attribute, -1 where it is missing
	Records int     `json:"records"`
	Cluster int32   `json:"cluster"`
}

// Clusters returns the number of clusters.
func (m *COREModel) Clusters() int { return m.N }

// Labels returns the cluster of every record the model was fitted on.
func (m *COREModel) Labels() []int32 { return m.Members }

// Assign writes the cluster of every record: that of the fitted record with the same values; else the most similar
// cluster, the first of equal ones, -1 where all repel it. A value that no fitted record has repels. Cost: O(p) for a
// record with values that occur together, else O(p v) and the number of values in the clusters.
func (m *COREModel) Assign(t *table.Table, dst []int32) {
	known := make(map[string]int32, len(m.Kinds))
	var key []byte
	for _, k := range m.Kinds {
		key = encode(key[:0], k.Values)
		known[string(key)] = k.Cluster
	}
	cols := make([][]int32, len(m.Attributes))
	for k, a := range m.Attributes {
		cols[k] = t.Cat(t.Find(a.Name))
	}
	f := m.forces(m.Delta)
	clusters := m.contents(f)
	_ = parallel.Ranges(context.Background(), t.Rows(), 1<<14, func(lo, hi int) error {
		d := f.field()
		met := map[string]int32{} // records that were not fitted
		values := make([]int32, len(cols))
		var key []byte
		for i := lo; i < hi; i++ {
			for k := range cols {
				values[k] = cols[k][i]
			}
			key = encode(key[:0], values)
			c, ok := known[string(key)]
			if !ok {
				if c, ok = met[string(key)]; !ok {
					c = d.pull(f, clusters, values)
					met[string(key)] = c
				}
			}
			dst[i] = c
		}
		return nil
	})
}

func encode(dst []byte, values []int32) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// contents returns the values of every cluster.
func (m *COREModel) contents(f *forces) [][]item {
	out := make([][]item, m.N)
	var own []item
	for _, k := range m.Kinds {
		own = f.items(own[:0], k)
		out[k.Cluster] = union(out[k.Cluster], own)
	}
	return out
}

// pull returns the cluster that attracts a record most, -1 when none does.
func (d *field) pull(f *forces, clusters [][]item, values []int32) int32 {
	record := Kind{Values: slices.Clone(values), Records: 1}
	strange := make([]bool, len(values)) // attributes of which the value is not in the domain
	strangers := 0.0
	for j, c := range values {
		if c >= f.first[j+1]-f.first[j] {
			record.Values[j], strange[j] = -1, true
			strangers++
		}
	}
	d.of(f, f.items(nil, record))
	for v, j := range f.of {
		n := strangers
		if strange[j] {
			n--
		}
		d.force[v] -= float64(n * f.delta)
		d.pairs[v] += n
	}
	best, most := int32(-1), equal
	for k, c := range clusters {
		if s := d.on(c); s > most {
			best, most = int32(k), s
		}
	}
	return best
}

// shown is how many clusters Text shows.
const shown = 50

// Text lists the largest clusters with the most frequent value of every attribute.
func (m *COREModel) Text() string {
	size := make([]int, m.N)
	for _, k := range m.Kinds {
		size[k.Cluster] += k.Records
	}
	order := make([]int, m.N)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(x, y int) int { return size[y] - size[x] })
	f := m.forces(m.Delta)
	contents := m.contents(f)
	var b strings.Builder
	fmt.Fprintf(&b, "%d clusters of %d records; values attract above correlation %.4g\n", m.N, len(m.Members), m.Delta)
	if m.N == 1 && len(m.Kinds) > 1 {
		b.WriteString("no split found: raise delta, or give clusters=\n")
	}
	for _, c := range order[:min(shown, len(order))] {
		top := make([]item, len(m.Attributes))
		for _, x := range contents[c] {
			if j := f.of[x.value]; x.n > top[j].n {
				top[j] = x
			}
		}
		var parts []string
		for j, x := range top {
			if x.n > 0 {
				parts = append(
					parts,
					fmt.Sprintf("%s %s (%.0f%%)", m.Attributes[j].Name, m.Attributes[j].Labels[x.value-f.first[j]],
						100*x.n/float64(size[c])),
				)
			}
		}
		text := fmt.Sprintf("cluster %d, %d records: %s", c, size[c], strings.Join(parts, ", "))
		if r := []rune(text); len(r) > 160 {
			text = string(r[:157]) + "..."
		}
		b.WriteString(text + "\n")
	}
	if n := len(order) - shown; n > 0 {
		fmt.Fprintf(&b, "and %d smaller clusters\n", n)
	}
	return b.String()
}
