package valueclusters

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// graph counts how many records have two values of different attributes. Vertices are the values that occur, attribute
// by attribute by code.
type graph struct {
	codes [][]int32 // by attribute: those that occur, ascending
	of    []int     // by vertex: its attribute
	first []int     // by attribute: its first vertex
	n     int
	edge  []float64 // n x n
}

// count counts the edges.
func count(ctx context.Context, t *table.Table, cols []int, most int) (*graph, error) {
	g := &graph{}
	at := make([][]int, len(cols)) // by attribute and code: the vertex, -1 for none
	for k, j := range cols {
		occurs := make([]bool, len(t.Attr(j).Labels))
		for _, c := range t.Cat(j) {
			if c >= 0 {
				occurs[c] = true
			}
		}
		g.first, g.codes, at[k] = append(g.first, g.n), append(g.codes, nil), make([]int, len(occurs))
		for c, ok := range occurs {
			if at[k][c] = -1; ok {
				at[k][c] = g.n
				g.codes[k], g.of = append(g.codes[k], int32(c)), append(g.of, k)
				g.n++
			}
		}
	}
	if g.n > most {
		return nil, tooMany(g.n, most)
	}
	g.edge = make([]float64, g.n*g.n)
	here := make([]int, 0, len(cols))
	for i := range t.Rows() {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		here = here[:0]
		for k, j := range cols {
			if c := t.Cat(j)[i]; c >= 0 {
				here = append(here, at[k][c])
			}
		}
		for a, v := range here {
			for _, w := range here[:a] {
				g.edge[v*g.n+w]++
				g.edge[w*g.n+v]++
			}
		}
	}
	return g, nil
}

// similarities returns those of every two values of an attribute, by attribute, by the neighbours' vertices: every
// value its own, without a division of them.
func (g *graph) similarities(ctx context.Context, vertex []int) ([][][]float64, error) {
	width := g.n
	weight := g.edge
	if vertex != nil {
		width = 0
		for _, v := range vertex {
			width = max(width, v+1)
		}
		weight = make([]float64, g.n*width)
		for i := range g.n {
			for z, v := range vertex {
				weight[i*width+v] += g.edge[i*g.n+z]
			}
		}
	}
	root := make([]float64, len(weight))
	degree := make([]float64, g.n)
	for i := range g.n {
		for z := range width {
			w := weight[i*width+z]
			degree[i] += w
			root[i*width+z] = math.Sqrt(w)
		}
	}
	out := make([][][]float64, len(g.codes))
	for k, codes := range g.codes {
		s := make([][]float64, len(codes))
		for i := range s {
			s[i] = make([]float64, len(codes))
		}
		err := parallel.Each(ctx, len(codes), func(i int) error {
			v := g.first[k] + i
			for j := range i {
				w := g.first[k] + j
				if degree[v] == 0 || degree[w] == 0 {
					continue
				}
				sum := 0.0
				for z, r := range root[v*width : (v+1)*width] {
					sum += float64(r * root[w*width+z])
				}
				sum = min(sum/math.Sqrt(degree[v]*degree[w]), 1)
				s[i][j], s[j][i] = sum, sum
			}
			s[i][i] = 1
			return nil
		})
		if err != nil {
			return nil, err
		}
		out[k] = s
	}
	return out, nil
}

// vertices numbers the values of each attribute that chains of similarities above a limit connect.
func (g *graph) vertices(s [][][]float64, above float64) []int {
	vertex := make([]int, g.n)
	next := 0
	for k := range s {
		n := len(s[k])
		seen := make([]bool, n)
		for i := range n {
			if seen[i] {
				continue
			}
			chain := []int{i}
			seen[i] = true
			for len(chain) > 0 {
				v := chain[0]
				chain = chain[1:]
				vertex[g.first[k]+v] = next
				for w := range n {
					if !seen[w] && s[k][v][w] > above {
						seen[w] = true
						chain = append(chain, w)
					}
				}
			}
			next++
		}
	}
	return vertex
}

// merge groups values: of two groups with the largest mean similarity, the first in a tie, it makes one, as long as it
// is at least so large. Groups are numbered by their first values. Cost: O(v^3) at worst.
func merge(s [][]float64, least float64) []int32 {
	n := len(s)
	sum := make([][]float64, n) // of the similarities of two groups
	size := make([]float64, n)
	group := make([]int32, n)
	for i := range n {
		sum[i], size[i], group[i] = append([]float64(nil), s[i]...), 1, int32(i)
	}
	alive := make([]int, n)
	for i := range alive {
		alive[i] = i
	}
	for len(alive) > 1 {
		a, b, most := -1, -1, least
		for x, i := range alive {
			for _, j := range alive[x+1:] {
				if v := sum[i][j] / (size[i] * size[j]); v > most || a < 0 && v >= most {
					a, b, most = i, j, v
				}
			}
		}
		if a < 0 {
			break
		}
		for _, k := range alive {
			sum[a][k] += sum[b][k]
			sum[k][a] = sum[a][k]
		}
		size[a] += size[b]
		for i := range group {
			if group[i] == int32(b) {
				group[i] = int32(a)
			}
		}
		for x, i := range alive {
			if i == b {
				alive = append(alive[:x], alive[x+1:]...)
				break
			}
		}
	}
	number := map[int32]int32{}
	for i, g := range group {
		if _, ok := number[g]; !ok {
			number[g] = int32(len(number))
		}
		group[i] = number[g]
	}
	return group
}
