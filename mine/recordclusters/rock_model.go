package recordclusters

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// ROCKModel is a clustering of records, plain data.
type ROCKModel struct {
	Columns []int   `json:"columns"` // positions of the attributes it clusters by
	Theta   float64 `json:"theta"`
	K       int     `json:"clusters"`
	// sum over the clusters of the sample of n * links within / n^(1+2f): what ROCK means to maximise
	Criterion float64               `json:"criterion"`
	Sample    jaccard.Sets          `json:"sample"` // the clustered records
	IDs       []table.RecordID      `json:"ids"`    // of the sample
	Of        []int32               `json:"of"`     // by record of the sample, its cluster; -1 for an outlier
	Marks     [][]int               `json:"marks"`  // by cluster, the records of the sample that label others
	Label     []int32               `json:"label"`  // by record of the fitted table
	Profiles  []categorical.Profile `json:"profiles"`
}

// Clusters returns the number of clusters. They are numbered by their first records in the sample.
func (m *ROCKModel) Clusters() int { return m.K }

// Labels returns the number of the cluster of every record of the fitted table, -1 for an outlier.
func (m *ROCKModel) Labels() []int32 { return m.Label }

// Assign writes the numbers of the records' clusters. Cost: O(p) for each marked record that a record is compared with,
// for p attributes, on all cores.
func (m *ROCKModel) Assign(t *table.Table, dst []int32) { _ = m.assign(context.Background(), t, dst) }

func (m *ROCKModel) assign(ctx context.Context, t *table.Table, dst []int32) error {
	sets, of := jaccard.Distinct(t, m.Columns)
	label := make([]int32, sets.Len())
	if err := m.label(ctx, sets, label); err != nil {
		return err
	}
	known := make(map[table.RecordID]int, len(m.IDs))
	for k, id := range m.IDs {
		known[id] = k
	}
	for i, s := range of {
		dst[i] = label[s]
		if k, ok := known[t.ID(i)]; ok && slices.Equal(m.Sample.Row(k), sets.Row(int(s))) {
			dst[i] = m.Of[k]
		}
	}
	return nil
}

// label finds the clusters of sets by their neighbours among the marked records; the lowest of the best in a tie.
func (m *ROCKModel) label(ctx context.Context, sets *jaccard.Sets, dst []int32) error {
	marked := &jaccard.Sets{Width: m.Sample.Width}
	var cluster []int32
	weight := make([]float64, m.K)
	f := (1 - m.Theta) / (1 + m.Theta)
	for c, marks := range m.Marks {
		weight[c] = portable.Pow(float64(len(marks)+1), f)
		for _, k := range marks {
			marked.Codes = append(marked.Codes, m.Sample.Row(k)...)
			cluster = append(cluster, int32(c))
		}
	}
	x, err := jaccard.NewIndex(ctx, marked, m.Theta)
	if err != nil {
		return err
	}
	return parallel.Ranges(ctx, sets.Len(), 1024, func(lo, hi int) error {
		search, count := x.Search(), make([]int32, m.K)
		var met []int32
		visit := func(k int32, _ float64) {
			c := cluster[k]
			if count[c] == 0 {
				met = append(met, c)
			}
			count[c]++
		}
		for s := lo; s < hi; s++ {
			met = met[:0]
			search.Each(sets.Row(s), visit)
			dst[s] = -1
			best := 0.0
			for _, c := range met {
				if v := float64(count[c]) / weight[c]; v > best || v == best && c < dst[s] {
					dst[s], best = c, v
				}
				count[c] = 0
			}
		}
		return nil
	})
}

// Text prints the clusters with the values that at least half of their records share.
func (m *ROCKModel) Text() string {
	outliers := 0
	for _, l := range m.Label {
		if l < 0 {
			outliers++
		}
	}
	return fmt.Sprintf("ROCK, theta %g: %d clusters of %d records, %d outliers; criterion %.6g\n", m.Theta, m.K,
		len(m.Label), outliers, m.Criterion) +
		categorical.Text(m.Profiles)
}
