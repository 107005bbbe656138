package study

import "math"

// numbering numbers values as they come: those of a grid by their place on it, so that few are looked up in a map.
type numbering struct {
	values  []float64 // by code
	lo      float64
	step    float64
	onGrid  []int32 // 1 + the code of a value at a place of the grid
	between map[float64]int32
}

// sparse is how many places a grid has for each value at most: more are not worth their memory.
const sparse = 4

// newNumbering returns the numbering of the values of some columns that have one grid, of a step, or none (0).
func newNumbering(step float64, columns ...[]float64) *numbering {
	lo, hi, longest := math.Inf(1), math.Inf(-1), 0
	for _, values := range columns {
		longest += sparse * len(values)
		for _, v := range values {
			if v == v {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	n := &numbering{lo: lo, step: step, between: map[float64]int32{}}
	if places := (hi-lo)/step + 2; step > 0 && places > 0 && places < float64(longest) {
		n.onGrid = make([]int32, int(places))
	}
	return n
}

// codes returns the numbers of values; -1 is missing.
func (n *numbering) codes(values []float64) []int32 {
	out := make([]int32, len(values))
	for i, v := range values {
		out[i] = n.code(v)
	}
	return out
}

func (n *numbering) code(v float64) int32 {
	next := int32(len(n.values))
	if v != v {
		return -1
	}
	if n.onGrid != nil {
		at := &n.onGrid[int((v-n.lo)/n.step+0.5)]
		switch {
		case *at == 0:
			n.values, *at = append(n.values, v), next+1
			return next
		case n.values[*at-1] == v:
			return *at - 1
		}
	}
	c, ok := n.between[v]
	if !ok {
		c, n.between[v] = next, next
		n.values = append(n.values, v)
	}
	return c
}
