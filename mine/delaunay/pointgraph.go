// Package delaunay clusters the records of a table as points of a map, by AMOEBA and AUTOCLUST (Estivill-Castro & Lee
// 2000).
//
// Two numeric columns are coordinates. Records at the same place are one point; the points are joined by their Delaunay
// triangulation; a miner takes edges out, and what chains of the others still connect is a cluster.
package delaunay

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// Miners are the catalogue entries.
func Miners() []mine.Miner { return []mine.Miner{AMOEBA, AUTOCLUST} }

// Graph is the triangulation of the records of a table.
type Graph struct {
	Columns []int // positions of both coordinates
	X, Y    []float64
	Of      []int32    // by record: its point, -1 where a coordinate is missing
	Edges   [][2]int32 // of points
	Length  []float64  // by edge
}

// Columns returns the positions of the two numeric columns that are named; without names, of the only two that are
// neither identifier, weight nor class.
func Columns(t *table.Table, names []string) ([]int, error) {
	var cols []int
	for _, name := range names {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("parameter \"attributes\": the table has no column %q", name)
		}
		if k := t.Attr(j).Kind; k != table.Numeric {
			return nil, fmt.Errorf("parameter \"attributes\": column %q is %s, expected numeric", name, k)
		}
		if slices.Contains(cols, j) {
			return nil, fmt.Errorf("parameter \"attributes\": column %q stands there twice", name)
		}
		cols = append(cols, j)
	}
	if len(names) == 0 {
		for j := range t.Width() {
			if a := t.Attr(j); a.Kind == table.Numeric && a.Role&(table.Identifier|table.Weight|table.Class) == 0 {
				cols = append(cols, j)
			}
		}
	}
	if len(cols) != 2 {
		return nil, errors.New("points of a map have two coordinates: name two numeric columns (attributes)")
	}
	return cols, nil
}

// New triangulates the records. Cost: O(n log n).
func New(t *table.Table, cols []int) *Graph {
	g := &Graph{Columns: cols, Of: make([]int32, t.Rows())}
	x, y := t.Num(cols[0]), t.Num(cols[1])
	var rows []int32
	for i := range g.Of {
		if g.Of[i] = -1; finite(x[i]) && finite(y[i]) {
			rows = append(rows, int32(i))
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	var points []Point
	for _, i := range rows {
		p := Point{X: x[i] + 0, Y: y[i] + 0} // minus zero is zero
		if n := len(points); n == 0 || points[n-1] != p {
			points = append(points, p)
			g.X, g.Y = append(g.X, p.X), append(g.Y, p.Y)
		}
		g.Of[i] = int32(len(points) - 1)
	}
	g.Edges = Edges(points)
	for _, e := range g.Edges {
		a, b := points[e[0]], points[e[1]]
		g.Length = append(g.Length, portable.Hypot(a.X-b.X, a.Y-b.Y))
	}
	return g
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// At returns the edges of every point.
func (g *Graph) At() [][]int32 {
	at := make([][]int32, len(g.X))
	for k, e := range g.Edges {
		at[e[0]] = append(at[e[0]], int32(k))
		at[e[1]] = append(at[e[1]], int32(k))
	}
	return at
}

// Components numbers, by point, what chains of the edges that are kept connect, in the order of the first points.
func (g *Graph) Components(kept []bool) (of []int32, n int) {
	root := make([]int32, len(g.X))
	for p := range root {
		root[p] = int32(p)
	}
	find := func(p int32) int32 {
		for root[p] != p {
			root[p] = root[root[p]]
			p = root[p]
		}
		return p
	}
	for k, e := range g.Edges {
		if kept[k] {
			a, b := find(e[0]), find(e[1])
			root[max(a, b)] = min(a, b)
		}
	}
	of = make([]int32, len(root))
	for p := range root {
		if r := find(int32(p)); r == int32(p) {
			of[p] = int32(n)
			n++
		} else {
			of[p] = of[r]
		}
	}
	return of, n
}
