package delaunay

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/table"
)

// Model is a clustering of points, plain data. It holds the coordinates of all points, and so is as confidential as the
// table.
type Model struct {
	Columns []int     `json:"columns"` // positions of both coordinates
	Names   [2]string `json:"names"`
	X       []float64 `json:"x"` // by point
	Y       []float64 `json:"y"`
	Cluster []int32   `json:"cluster"` // by point, -1 for none
	K       int       `json:"clusters"`
	Label   []int32   `json:"labels"` // by record of the fitted table
	Levels  int       `json:"levels"` // rounds of taking edges out
}

// Model returns the clusters that the edges that are kept leave: components of fewer than smallest records are
// outliers.
func (g *Graph) Model(t *table.Table, kept []bool, smallest, levels int) Model {
	of, n := g.Components(kept)
	size := make([]int, n)
	for _, p := range g.Of {
		if p >= 0 {
			size[of[p]]++
		}
	}
	m := Model{
		Columns: g.Columns,
		X:       g.X,
		Y:       g.Y,
		Cluster: make([]int32, len(of)),
		Label:   make([]int32, len(g.Of)),
		Levels:  levels,
	}
	for k, j := range g.Columns {
		m.Names[k] = t.Attr(j).Name
	}
	number := make([]int32, n)
	for c := range number {
		if number[c] = -1; size[c] >= smallest {
			number[c] = int32(m.K)
			m.K++
		}
	}
	for p, c := range of {
		m.Cluster[p] = number[c]
	}
	for i, p := range g.Of {
		if m.Label[i] = -1; p >= 0 {
			m.Label[i] = m.Cluster[p]
		}
	}
	return m
}

// Clusters returns how many clusters there are. They are numbered by their first points, from the left.
func (m *Model) Clusters() int { return m.K }

// Labels returns the number of the cluster of every record of the fitted table, -1 for none.
func (m *Model) Labels() []int32 { return m.Label }

// Assign writes the cluster of the nearest point of every record into dst, -1 where that has none or a coordinate is
// missing. Cost: O(log n) a record, on all cores.
func (m *Model) Assign(t *table.Table, dst []int32) {
	points := make([]float64, 0, 2*len(m.X))
	for p := range m.X {
		points = append(points, m.X[p], m.Y[p])
	}
	x, y := t.Num(m.Columns[0]), t.Num(m.Columns[1])
	var queries []float64
	var rows []int
	for i := range dst {
		if dst[i] = -1; finite(x[i]) && finite(y[i]) && len(m.X) > 0 {
			queries, rows = append(queries, x[i], y[i]), append(rows, i)
		}
	}
	if len(rows) == 0 {
		return
	}
	index := neighbour.Build(points, 2)
	hits, _ := index.All(context.Background(), queries, 1) // it never ends
	for k, i := range rows {
		if hits[k].Record >= 0 {
			dst[i] = m.Cluster[hits[k].Record]
		}
	}
}

// text prints the clusters with their boxes.
func (m *Model) Text(head string) string {
	type box struct {
		n              int
		x0, x1, y0, y1 float64
	}
	boxes := make([]box, m.K)
	for c := range boxes {
		boxes[c] = box{0, math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	}
	outliers := 0
	for _, l := range m.Label {
		if l < 0 {
			outliers++
		} else {
			boxes[l].n++
		}
	}
	for p, c := range m.Cluster {
		if c >= 0 {
			b := &boxes[c]
			b.x0, b.x1, b.y0, b.y1 = min(b.x0, m.X[p]), max(b.x1, m.X[p]), min(b.y0, m.Y[p]), max(b.y1, m.Y[p])
		}
	}
	cut := func(s string) string {
		if r := []rune(s); len(r) > 30 {
			return string(r[:27]) + "..."
		}
		return s
	}
	a, b := cut(m.Names[0]), cut(m.Names[1])
	var w strings.Builder
	fmt.Fprintf(&w, "%s: %d clusters of %d records, %d outliers\n", head, m.K, len(m.Label), outliers)
	const shown = 50
	for c := range boxes {
		if c == shown {
			fmt.Fprintf(&w, "and %d more\n", m.K-shown)
			break
		}
		x := boxes[c]
		fmt.Fprintf(&w, "cluster %d: %d records, %s %.6g to %.6g, %s %.6g to %.6g\n", c, x.n, a, x.x0, x.x1, b, x.y0, x.y1)
	}
	return w.String()
}
