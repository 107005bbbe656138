package recordclusters

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// QROCKModel is a clustering of records, plain data.
type QROCKModel struct {
	Columns  []int                 `json:"columns"` // positions of the attributes it clusters by
	Theta    float64               `json:"theta"`
	K        int                   `json:"clusters"`
	Sets     jaccard.Sets          `json:"sets"`   // the different records
	Of       []int32               `json:"of"`     // by set, its cluster; -1 for none
	Label    []int32               `json:"labels"` // by record of the fitted table
	Profiles []categorical.Profile `json:"profiles"`
}

// Clusters returns the number of clusters. They are numbered by their first records.
func (m *QROCKModel) Clusters() int { return m.K }

// Labels returns the number of the cluster of every record of the fitted table, -1 for none.
func (m *QROCKModel) Labels() []int32 { return m.Label }

// number numbers the components, given by the first set of each, that have enough records and values.
func (m *QROCKModel) number(root, of []int32, smallest int) {
	size := make([]int, len(root))
	for _, s := range of {
		size[root[s]]++
	}
	m.Of = make([]int32, len(root))
	for s, r := range root {
		switch {
		case r != int32(s):
			m.Of[s] = m.Of[r]
		case size[r] < smallest || m.empty(s):
			m.Of[s] = -1
		default:
			m.Of[s] = int32(m.K)
			m.K++
		}
	}
}

func (m *QROCKModel) empty(set int) bool {
	for _, c := range m.Sets.Row(set) {
		if c >= 0 {
			return false
		}
	}
	return true
}

// Assign writes the number of the cluster of the set that each record is most similar to, the first in a tie; -1 where
// none is a neighbour. Cost: O(p) for each set that a record is compared with, for p attributes, on all cores.
func (m *QROCKModel) Assign(t *table.Table, dst []int32) {
	sets, of := jaccard.Distinct(t, m.Columns)
	ctx := context.Background() // it never ends, and neither call has another error
	x, _ := jaccard.NewIndex(ctx, &m.Sets, m.Theta)
	label := make([]int32, sets.Len())
	_ = parallel.Ranges(ctx, len(label), 1024, func(lo, hi int) error {
		search := x.Search()
		for s := lo; s < hi; s++ {
			nearest, best := int32(-1), 0.0
			search.Each(sets.Row(s), func(k int32, similarity float64) {
				if similarity > best || similarity == best && k < nearest {
					nearest, best = k, similarity
				}
			})
			label[s] = -1
			if nearest >= 0 {
				label[s] = m.Of[nearest]
			}
		}
		return nil
	})
	for i, s := range of {
		dst[i] = label[s]
	}
}

// Text prints the clusters with the values that at least half of their records share.
func (m *QROCKModel) Text() string {
	outliers := 0
	for _, l := range m.Label {
		if l < 0 {
			outliers++
		}
	}
	return fmt.Sprintf("QROCK, theta %g: %d clusters of %d records, %d outliers\n", m.Theta, m.K, len(m.Label), outliers) +
		categorical.Text(m.Profiles)
}
