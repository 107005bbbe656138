package nearest

import (
	"context"
	"math"
)

// assign returns the column of every one of n rows in a matching of least total cost; no column is taken twice. There
// are m >= n columns, and cost holds row after row. It is the Hungarian method with shortest augmenting paths (Jonker &
// Volgenant 1987). Cost: O(n² m) at worst, mostly far less, and O(m) memory.
func assign(ctx context.Context, cost []float64, n, m int) ([]int, error) {
	h := &hungarian{cost: cost, m: m, price: make([]float64, n+1), worth: make([]float64, m+1), row: make([]int, m+1),
		way: make([]int, m+1), slack: make([]float64, m+1), done: make([]bool, m+1)}
	for i := 1; i <= n; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h.augment(i)
	}
	out := make([]int, n)
	for j, i := range h.row[1:] {
		if i > 0 {
			out[i-1] = j
		}
	}
	return out, nil
}

// hungarian is a matching of the rows so far. Rows and columns count from 1; 0 is nobody.
type hungarian struct {
	cost         []float64
	m            int
	price, worth []float64 // potentials of rows and columns: cost - price - worth is never negative, and 0 where matched
	row          []int     // by column: the row matched with it
	way          []int     // by column: the one before it on the path
	slack        []float64 // by column: the length of the path to it
	done         []bool    // by column: the path to it is the shortest
}

// augment matches row i: it follows the shortest path from the row to a free column and exchanges along it.
func (h *hungarian) augment(i int) {
	h.row[0] = i
	at := 0
	for j := range h.slack {
		h.slack[j], h.done[j] = math.Inf(1), false
	}
	for h.row[at] != 0 {
		h.done[at] = true
		at = h.step(at)
	}
	for at != 0 {
		before := h.way[at]
		h.row[at] = h.row[before]
		at = before
	}
}

// step lengthens the paths by what is next to column at, and returns the nearest column to go on from: of several a
// free one.
func (h *hungarian) step(at int) int {
	i := h.row[at]
	costs := h.cost[(i-1)*h.m : i*h.m]
	delta, next := math.Inf(1), 0
	for j := 1; j <= h.m; j++ {
		if h.done[j] {
			continue
		}
		if c := costs[j-1] - h.price[i] - h.worth[j]; c < h.slack[j] {
			h.slack[j], h.way[j] = c, at
		}
		if s := h.slack[j]; s < delta || s == delta && h.row[j] == 0 {
			delta, next = s, j
		}
	}
	for j, done := range h.done {
		if done {
			h.price[h.row[j]] += delta
			h.worth[j] -= delta
		} else {
			h.slack[j] -= delta
		}
	}
	return next
}
