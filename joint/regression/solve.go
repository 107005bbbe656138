// Package regression fits linear regressions to several parties' records: to records of each (horizontally
// partitioned) by secure sums of products, and to columns of each (vertically partitioned) by secure scalar products,
// or, for the paper, by line searches from which each party learns its own coefficients.
//
// References: A. F. Karr, X. Lin, A. P. Sanil and J. P. Reiter, "Secure regression on distributed databases", J.
// Computational and Graphical Statistics 14, 2005; A. P. Sanil, A. F. Karr, X. Lin and J. P. Reiter, "Privacy
// preserving regression modelling via distributed computation", KDD 2004; W. Du, Y. Han and S. Chen, SDM 2004.
package regression

import (
	"errors"
	"math"
	"math/big"

	"github.com/dither-data/dither/joint"
)

// moments are sums of products of the columns of a plan, in its units: of the constant 1, and of its columns in order.
type moments struct {
	columns []joint.Column
	sums    [][]int64 // upper triangle
}

func newMoments(columns []joint.Column) *moments {
	m := &moments{columns: columns, sums: make([][]int64, len(columns)+1)}
	for i := range m.sums {
		m.sums[i] = make([]int64, len(columns)+1)
	}
	return m
}

// flat is the upper triangle, row by row.
func (m *moments) flat() (out []int64) {
	for i := range m.sums {
		out = append(out, m.sums[i][i:]...)
	}
	return out
}

func (m *moments) fill(flat []int64) {
	for i := range m.sums {
		n := copy(m.sums[i][i:], flat)
		flat = flat[n:]
	}
}

func (m *moments) at(i, j int) *big.Rat {
	if i > j {
		i, j = j, i
	}
	return new(big.Rat).SetInt64(m.sums[i][j])
}

var errSingular = errors.New("the columns depend on each other: one of them can be computed from the others, so that " +
	"there are many regressions; leave it out of the plan")

// fit solves the normal equations without rounding, and gives coefficients with their standard errors.
func (m *moments) fit() (*joint.Result, error) {
	y := m.target()
	var x []int // rows of the explaining columns, with the constant first
	for i := range m.sums {
		if i != y {
			x = append(x, i)
		}
	}
	n, k := m.sums[0][0], len(x)
	a := make([][]*big.Rat, k) // X'X | X'y | 1
	for i := range a {
		for j := range x {
			a[i] = append(a[i], m.at(x[i], x[j]))
		}
		a[i] = append(a[i], m.at(x[i], y))
		for j := range x {
			a[i] = append(a[i], new(big.Rat).SetInt64(map[bool]int64{true: 1}[i == j]))
		}
	}
	if !eliminate(a) {
		return nil, errSingular
	}
	rest := m.at(y, y) // y'y - b'X'y
	for i := range x {
		rest.Sub(rest, new(big.Rat).Mul(a[i][k], m.at(x[i], y)))
	}
	unit := m.unit(y)
	square := ratio(rest) / (unit * unit)
	r := &joint.Result{Figures: []joint.Figure{
		{Name: "records", Value: n}, {Name: "sum of squared residuals", Value: square},
	}}
	free := n - int64(k)
	out := joint.ResultTable{Name: "coefficients", Columns: []string{"column", "coefficient"}}
	if free > 0 {
		r.Figures = append(r.Figures, joint.Figure{Name: "residual variance", Value: square / float64(free)})
		out.Columns = append(out.Columns, "standard error")
	}
	for i, c := range x {
		name, scale := "constant", 1/unit
		if c > 0 {
			name, scale = m.columns[c-1].Name, m.unit(c)/unit
		}
		row := []any{name, float64(ratio(a[i][k]) * scale)}
		if free > 0 {
			of := ratio(a[i][k+1+i]) * ratio(rest) / float64(free)
			row = append(row, float64(math.Sqrt(of)*scale))
		}
		out.Rows = append(out.Rows, row)
	}
	r.Tables = []joint.ResultTable{out}
	return r, nil
}

// target is the row of the column that is explained.
func (m *moments) target() int {
	for k, c := range m.columns {
		if c.Role == joint.Class {
			return k + 1
		}
	}
	return -1
}

// unit is how many units of the plan make 1.
func (m *moments) unit(row int) float64 { return math.Pow10(m.columns[row-1].Decimals) }

func ratio(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// eliminate brings the left square of a matrix to the identity (Gauss-Jordan); false where it has no inverse.
func eliminate(a [][]*big.Rat) bool {
	for c := range a {
		p := c
		for p < len(a) && a[p][c].Sign() == 0 {
			p++
		}
		if p == len(a) {
			return false
		}
		a[c], a[p] = a[p], a[c]
		inverse := new(big.Rat).Inv(a[c][c])
		for j := c; j < len(a[c]); j++ {
			a[c][j].Mul(a[c][j], inverse)
		}
		for i := range a {
			if i == c || a[i][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(a[i][c])
			for j := c; j < len(a[i]); j++ {
				a[i][j].Sub(a[i][j], new(big.Rat).Mul(f, a[c][j]))
			}
		}
	}
	return true
}
