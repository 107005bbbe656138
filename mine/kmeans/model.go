package kmeans

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// Model is a table divided. It is plain data: through JSON and back it gives the same answers.
type Model struct {
	Attrs   []table.Attribute `json:"attributes"` // the schema of the table
	Columns []int             `json:"columns"`    // positions in it of the columns clustered by
	// Centre and Scale bring the columns to the units of the centroids: v becomes (v - Centre) / Scale; 0 where Scale is
	// 0.
	Centre     []float64   `json:"centre"`
	Scale      []float64   `json:"scale"`
	Centroids  [][]float64 `json:"centroids"` // by cluster and column, in scaled units
	Sizes      []int       `json:"sizes"`     // records by cluster
	Start      []int       `json:"start"`     // rows of the records that began the clusters; none where centroids did
	SSE        float64     `json:"sse"`       // sum of squared distances from the centroids in scaled units, by weight
	Iterations int         `json:"iterations"`
	Settled    bool        `json:"settled"` // labels repeated: every centroid is the mean of its records
	Of         []int32     `json:"of"`      // by record: its cluster; -1: no value is known
}

// fill takes over what was found.
func (m *Model) fill(r *result) {
	dims := len(m.Columns)
	k := len(r.centroids) / dims
	m.Centroids, m.Sizes = make([][]float64, k), make([]int, k)
	for c := range m.Centroids {
		m.Centroids[c] = r.centroids[c*dims:][:dims:dims]
	}
	for _, c := range r.labels {
		if c >= 0 {
			m.Sizes[c]++
		}
	}
	m.Start, m.SSE, m.Iterations, m.Settled, m.Of = r.start, r.sse, r.iterations, r.settled, r.labels
}

// Clusters returns how many clusters there are.
func (m *Model) Clusters() int { return len(m.Centroids) }

// Labels returns the cluster of every record of the table, -1 where no value is known.
func (m *Model) Labels() []int32 { return m.Of }

// Centroid returns the mean of cluster c in the units of the columns.
func (m *Model) Centroid(c int) []float64 {
	out := make([]float64, len(m.Columns))
	for k, v := range m.Centroids[c] {
		out[k] = m.Centre[k] + float64(v*m.Scale[k])
	}
	return out
}

// Assign writes the cluster whose centroid is nearest to every record of t into dst; -1 where no value is known. Cost:
// O(n k p), on all cores.
func (m *Model) Assign(t *table.Table, dst []int32) {
	dims := len(m.Columns)
	centroids := make([]float64, 0, dims*len(m.Centroids))
	for _, c := range m.Centroids {
		centroids = append(centroids, c...)
	}
	_ = parallel.Ranges(context.Background(), t.Rows(), grain, func(lo, hi int) error { // it never fails
		points := make([]float64, (hi-lo)*dims)
		m.points(t, lo, hi, points)
		for i := lo; i < hi; i++ {
			dst[i] = -1
			if x := points[(i-lo)*dims:][:dims]; known(x) {
				c, _, _ := nearestPartial(x, centroids)
				dst[i] = int32(c)
			}
		}
		return nil
	})
}

// points writes the scaled records lo to hi-1 of t into dst, one after another.
func (m *Model) points(t *table.Table, lo, hi int, dst []float64) {
	dims := len(m.Columns)
	for k, j := range m.Columns {
		centre, width := m.Centre[k], m.Scale[k]
		for i, v := range t.Num(j)[lo:hi] {
			dst[i*dims+k] = scaled(v, centre, width)
		}
	}
}

// Check refuses a decoded model whose parts do not fit together.
func (m *Model) Check() error {
	dims := len(m.Columns)
	if dims == 0 || len(m.Centre) != dims || len(m.Scale) != dims {
		return fmt.Errorf("there are %d columns, %d centres and %d scales; expected as many, at least one",
			dims, len(m.Centre), len(m.Scale))
	}
	for k, j := range m.Columns {
		if j < 0 || j >= len(m.Attrs) || m.Attrs[j].Kind != table.Numeric {
			return fmt.Errorf("column %d is not a numeric one of the schema", j)
		}
		if !finite(m.Centre[k]) || !finite(m.Scale[k]) || m.Scale[k] < 0 {
			return fmt.Errorf("column %q has no finite centre and scale of at least 0", m.Attrs[j].Name)
		}
	}
	return m.checkClusters()
}

// checkClusters refuses clusters that do not fit together, or not the columns.
func (m *Model) checkClusters() error {
	clusters := len(m.Centroids)
	if clusters == 0 || len(m.Sizes) != clusters || len(m.Start) > 0 && len(m.Start) != clusters {
		return fmt.Errorf("there are %d centroids, %d sizes and %d starts; expected as many, at least one",
			clusters, len(m.Sizes), len(m.Start))
	}
	for c, x := range m.Centroids {
		if len(x) != len(m.Columns) {
			return fmt.Errorf("centroid %d has %d coordinates, expected %d", c, len(x), len(m.Columns))
		}
		for _, v := range x {
			if !(math.Abs(v) <= 2*limit) {
				return fmt.Errorf("centroid %d has a coordinate that is not a number within %g", c, limit)
			}
		}
	}
	for i, c := range m.Of {
		if c < -1 || int(c) >= clusters {
			return fmt.Errorf("record %d is in cluster %d of %d", i, c, clusters)
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
