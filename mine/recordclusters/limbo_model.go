package recordclusters

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// LIMBOModel is a clustering of records and of values, plain data.
type LIMBOModel struct {
	Columns  []int                 `json:"columns"` // positions of the attributes it clusters by
	Values   []int                 `json:"values"`  // how many values each has
	Mass     [][]float64           `json:"mass"`    // by cluster and value: the parts that its records have of it
	Label    []int32               `json:"labels"`  // by record of the fitted table
	Has      float64               `json:"has"`     // bits that a record tells of its values
	Keeps    float64               `json:"keeps"`   // bits that its cluster tells of them
	Profiles []categorical.Profile `json:"profiles"`
	Pairs    []mine.Alike          `json:"pairs"`
}

// Clusters returns the number of clusters, in the order of the first records that formed them.
func (m *LIMBOModel) Clusters() int { return len(m.Mass) }

// Labels returns the number of the cluster of every record of the fitted table, -1 for a record of which nothing is
// known.
func (m *LIMBOModel) Labels() []int32 { return m.Label }

// Similar returns the similar values, by attribute, the strongest first.
func (m *LIMBOModel) Similar() []mine.Alike { return m.Pairs }

// Assign writes for every record the cluster where it loses least information, the first in a tie, -1 when nothing is
// known of it. Cost: O(k p) a record, for k clusters and p attributes, on all cores.
func (m *LIMBOModel) Assign(t *table.Table, dst []int32) { _ = m.assign(context.Background(), t, dst) }

func (m *LIMBOModel) assign(ctx context.Context, t *table.Table, dst []int32) error {
	s := newSpace(t, m.Columns, m.Values)
	clusters := make([]*feature, len(m.Mass))
	for c, mass := range m.Mass {
		clusters[c] = s.empty()
		for v, x := range mass {
			if x > 0 {
				clusters[c].put(int32(v), x)
				clusters[c].size += x
			}
		}
		clusters[c].whole = h(clusters[c].size)
	}
	return parallel.Ranges(ctx, t.Rows(), 1<<12, func(lo, hi int) error {
		one := s.empty()
		for i := lo; i < hi; i++ {
			dst[i] = -1
			if s.read(i, -1, one); one.size == 0 {
				continue
			}
			least := math.Inf(1)
			for c, f := range clusters {
				if loss := f.loss(one); loss < least {
					dst[i], least = int32(c), loss
				}
			}
		}
		return nil
	})
}

// kept returns how many bits the clusters of the records tell of their values.
func (s *space) kept(label []int32, k int) float64 {
	clusters, one, records := make([]*feature, k), s.empty(), 0
	for c := range clusters {
		clusters[c] = s.empty()
	}
	for i, c := range label {
		if c >= 0 {
			s.read(i, -1, one)
			clusters[c].add(one)
			records++
		}
	}
	return information(clusters) / float64(max(1, records))
}

// Text prints the clusters with the values that at least half of their records share, and the similar values.
func (m *LIMBOModel) Text() string {
	kept := 0.0
	if m.Has > 0 {
		kept = 100 * m.Keeps / m.Has
	}
	text := fmt.Sprintf("LIMBO: %d clusters of %d records keep %.4g of the %.4g bits that a record tells of its values, "+
		"%.1f %%\n", len(m.Mass), len(m.Label), m.Keeps, m.Has, kept) + categorical.Text(m.Profiles)
	var pairs []string
	for _, p := range m.Pairs {
		pairs = append(pairs, fmt.Sprintf("%s: %s and %s (%.2f)", p.Attribute, p.A, p.B, p.Strength))
	}
	if pairs != nil {
		text += categorical.List("similar values: ", pairs)
	}
	return text
}
