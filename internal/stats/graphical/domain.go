// Package graphical fits graphical models of discrete attributes to noisy marginal tables, and draws records from them.
//
// A marginal table over some attributes, its scope, is a flat list of cells: the last attribute of the scope varies
// fastest, and scopes ascend. Inference is exact, on a junction tree: cost and memory grow with the cells of its
// cliques. Results are the same on every processor and any number of cores.
package graphical

import "slices"

// A Domain holds the number of values of every attribute, each at least 1.
type Domain []int

// MostCells is how many cells a table may have: indices of cells are 32 bits wide.
const MostCells = 1 << 30

// Cells returns how many cells the table of a scope has, as a float, which does not overflow.
func (d Domain) Cells(scope []int) float64 {
	n := 1.0
	for _, v := range scope {
		n = float64(n * float64(d[v]))
	}
	return n
}

// cells is Cells for a scope whose table is known to be small.
func (d Domain) cells(scope []int) int { return int(d.Cells(scope)) }

// strides returns by how many cells of the table of scope, whose last attribute varies fastest, the index moves when
// the attribute of each place of from goes up by one; 0 for those that scope lacks.
func (d Domain) strides(from, scope []int) []int {
	out := make([]int, len(from))
	step := 1
	for _, v := range slices.Backward(scope) {
		if k := slices.Index(from, v); k >= 0 {
			out[k] = step
		}
		step *= d[v]
	}
	return out
}

// onto returns, for every cell of the table of from, the cell of the table of to that it belongs to; to is a part of
// from.
func (d Domain) onto(from, to []int) []int32 { return d.along(from, d.strides(from, to)) }

// along returns, for every cell of the table of from, the sum of its values times the steps of their attributes.
func (d Domain) along(from, steps []int) []int32 {
	out := make([]int32, 0, d.cells(from))
	out = append(out, 0)
	// attributes from the slowest on: every cell becomes one for each value
	for k, v := range from {
		grown := make([]int32, 0, len(out)*d[v])
		for _, at := range out {
			for x := range d[v] {
				grown = append(grown, at+int32(x*steps[k]))
			}
		}
		out = grown
	}
	return out
}

// Sum returns the table over to, a part of from, of the sums of a table over from.
func (d Domain) Sum(table []float64, from, to []int) []float64 {
	out := make([]float64, d.cells(to))
	for i, k := range d.onto(from, to) {
		out[k] += table[i]
	}
	return out
}

// Count returns how many records each cell of the table of a scope has. columns[v][i] is the value of record i in
// attribute v, from 0 to d[v]-1. Cost: 1 ns per record and attribute of the scope.
func (d Domain) Count(columns [][]int32, scope []int) []int64 {
	out := make([]int64, d.cells(scope))
	switch len(scope) {
	case 0:
		if len(columns) > 0 {
			out[0] = int64(len(columns[0]))
		}
	case 1:
		for _, x := range columns[scope[0]] {
			out[x]++
		}
	case 2:
		a, b, n := columns[scope[0]], columns[scope[1]], int32(d[scope[1]])
		for i, x := range a {
			out[x*n+b[i]]++
		}
	case 3:
		a, b, c := columns[scope[0]], columns[scope[1]], columns[scope[2]]
		n, m := int32(d[scope[1]]), int32(d[scope[2]])
		for i, x := range a {
			out[(x*n+b[i])*m+c[i]]++
		}
	default:
		for _, k := range d.groups(columns, scope, len(columns[scope[0]])) {
			out[k]++
		}
	}
	return out
}

// groups returns the cell of each of n records in the table of a scope.
func (d Domain) groups(columns [][]int32, scope []int, n int) []int32 {
	out := make([]int32, n)
	for _, v := range scope {
		size, column := int32(d[v]), columns[v]
		for i := range out {
			out[i] = out[i]*size + column[i]
		}
	}
	return out
}

// Within reports whether every attribute of part is in whole; both ascend.
func Within(part, whole []int) bool {
	k := 0
	for _, v := range part {
		for k < len(whole) && whole[k] < v {
			k++
		}
		if k == len(whole) || whole[k] != v {
			return false
		}
	}
	return true
}

// Union returns the attributes of either scope; both ascend.
func Union(a, b []int) []int {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// common returns the attributes of both scopes.
func common(a, b []int) []int {
	var out []int
	for _, v := range a {
		if slices.Contains(b, v) {
			out = append(out, v)
		}
	}
	return out
}

// without returns the attributes of a that b lacks.
func without(a, b []int) []int {
	var out []int
	for _, v := range a {
		if !slices.Contains(b, v) {
			out = append(out, v)
		}
	}
	return out
}
