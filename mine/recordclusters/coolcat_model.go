package recordclusters

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// COOLCATModel is a clustering of records, plain data.
type COOLCATModel struct {
	Columns  []int                 `json:"columns"` // positions of the attributes it clusters by
	Values   []int                 `json:"values"`  // how many values each has
	Placed   [][][]int32           `json:"placed"`  // by cluster, attribute and value: records that were placed
	Label    []int32               `json:"labels"`  // by record of the fitted table
	Entropy  float64               `json:"entropy"` // expected, of the labelled records, in bits
	Profiles []categorical.Profile `json:"profiles"`
}

// offsets returns where the values of every attribute start, and their number at the end.
func offsets(values []int) []int32 {
	at := make([]int32, len(values)+1)
	for j, n := range values {
		at[j+1] = at[j] + int32(n)
	}
	return at
}

// keep takes the clusters over.
func (m *COOLCATModel) keep(p *placer) {
	m.Placed = make([][][]int32, p.k)
	for c := range m.Placed {
		for j := range p.columns {
			m.Placed[c] = append(m.Placed[c], p.count[c*p.values+int(p.offset[j]):c*p.values+int(p.offset[j+1])])
		}
	}
}

// Clusters returns the number of clusters, in the order in which their first records were chosen.
func (m *COOLCATModel) Clusters() int { return len(m.Placed) }

// Labels returns the number of the cluster of every record of the fitted table, -1 for a record of which nothing is
// known.
func (m *COOLCATModel) Labels() []int32 { return m.Label }

// Assign writes for every record the cluster in which one more like it would add least to the expected entropy, the
// first in a tie, -1 when nothing is known of it. Cost: O(k p) a record, for k clusters and p attributes, on all cores.
func (m *COOLCATModel) Assign(t *table.Table, dst []int32) {
	_ = m.assign(context.Background(), t, dst)
}

func (m *COOLCATModel) assign(ctx context.Context, t *table.Table, dst []int32) error {
	offset, k, columns := offsets(m.Values), len(m.Placed), len(m.Columns)
	unseen := offset[columns] // stands for a value that a new table has and the fitted one had not
	values := int(unseen) + 1
	base, more := make([]float64, k*columns), make([]float64, k*values)
	for c, placed := range m.Placed {
		for j, counts := range placed {
			n := 0
			for v, x := range counts {
				n += int(x)
				more[c*values+int(offset[j])+v] = step(int(x))
			}
			base[c*columns+j] = step(n)
		}
	}
	return parallel.Ranges(ctx, t.Rows(), 4096, func(lo, hi int) error {
		index, column := make([]int32, 0, columns), make([]int32, 0, columns)
		for i := lo; i < hi; i++ {
			index, column = index[:0], column[:0]
			for j, col := range m.Columns {
				if v := t.Cat(col)[i]; v >= 0 {
					at := unseen
					if int(v) < m.Values[j] {
						at = offset[j] + v
					}
					index, column = append(index, at), append(column, int32(j))
				}
			}
			dst[i] = -1
			if len(index) > 0 && k > 0 {
				dst[i] = int32(coolcatNearest(base, more, column, index, k, columns, values))
			}
		}
		return nil
	})
}

// expected returns the expected entropy of clusters in bits: the entropies of their attributes, each weighted by its
// known values, over the records that are in a cluster.
func expected(t *table.Table, cols []int, labels []int32, k int) float64 {
	sum, records := 0.0, 0
	for _, c := range labels {
		if c >= 0 {
			records++
		}
	}
	for _, j := range cols {
		values := len(t.Attr(j).Labels)
		count, known := make([]int, k*values), make([]int, k)
		for i, v := range t.Cat(j) {
			if c := int(labels[i]); c >= 0 && v >= 0 {
				count[c*values+int(v)]++
				known[c]++
			}
		}
		for _, n := range known {
			sum += phi(n)
		}
		for _, n := range count {
			sum -= phi(n)
		}
	}
	return max(0, sum) / float64(max(1, records))
}

// phi returns n log2 n.
func phi(n int) float64 { return float64(float64(n) * portable.Log2(float64(max(1, n)))) }

// Text prints the clusters with the values that at least half of their records share.
func (m *COOLCATModel) Text() string {
	return fmt.Sprintf("COOLCAT: %d clusters of %d records, expected entropy %.6g bits\n", len(m.Placed), len(m.Label),
		m.Entropy) +
		categorical.Text(m.Profiles)
}
