// Package boosting learns to predict a class or a number from binned columns by gradient boosting of small trees
// (Friedman 2001).
//
// Every round adds a tree that is fitted to the gradient of the loss: squared error for a number, the logistic loss for
// classes, with Newton's step in the leaves (Chen & Guestrin 2016). A split of an ordered column is a threshold on its
// bins; one of a nominal column a set of bins, the best that there is in the order of their mean gradient (Fisher
// 1958). What is learned depends on the rows and their order alone, never on chance or the number of cores.
//
// Cost: O(rows * columns * depth) for a tree, and a tree a round for a number or two classes, one a class for more.
//
// References: J. H. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
// 2001; T. Chen and C. Guestrin, "XGBoost: a scalable tree boosting system", KDD 2016; W. D. Fisher, "On grouping for
// maximum homogeneity", JASA 53, 1958.
package boosting

import (
	"context"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
)

// Most is the largest number of bins of a column.
const Most = 256

// Columns are binned columns: by column the bin of every row, how many bins there are (at most Most), and whether they
// have no order.
type Columns struct {
	Bins    [][]uint8
	Count   []int
	Nominal []bool
}

// Options are the sizes of what is learned.
type Options struct {
	Rounds int     // trees, one after another
	Depth  int     // splits from the root to a leaf
	Leaf   int     // fewest rows of a leaf
	Rate   float64 // what of a tree's step is taken
	Ridge  float64 // added to the weight of a leaf, against leaves of few rows
}

// Defaults are sizes that learn most of what there is in tens of thousands of rows in a second.
var Defaults = Options{Rounds: 30, Depth: 4, Leaf: 5, Rate: 0.3, Ridge: 1}

// Model predicts.
type Model struct {
	start []float64 // by output
	trees [][]tree  // by output
}

// Outputs returns how many figures a prediction has: 1 for a number and for two classes, else one a class.
func (m *Model) Outputs() int { return len(m.start) }

// Predict writes the outputs for row i of the columns into dst: a number, the log odds of the second of two classes, or
// a score a class, of which the largest is the likeliest class.
func (m *Model) Predict(c *Columns, i int, dst []float64) {
	for k := range dst {
		dst[k] = m.start[k]
		for t := range m.trees[k] {
			dst[k] += m.trees[k][t].at(c, i)
		}
	}
}

// Number learns a number: y of all rows that are listed.
func Number(ctx context.Context, c *Columns, rows []int32, y []float64, o Options) (*Model, error) {
	var sum exact.Sum
	for _, r := range rows {
		sum.Add(y[r])
	}
	mean := sum.Mean(len(rows))
	m := &Model{start: []float64{mean}, trees: make([][]tree, 1)}
	g := newGrower(c, len(y), o)
	fitted := make([]float64, len(y))
	for range o.Rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, r := range rows {
			g.grad[r], g.hess[r] = mean+fitted[r]-y[r], 1
		}
		m.trees[0] = append(m.trees[0], g.grow(rows, fitted))
	}
	return m, nil
}

// Classes learns classes, y of the rows that are listed, from 0.
func Classes(ctx context.Context, c *Columns, rows []int32, y []int32, classes int, o Options) (*Model, error) {
	outputs := classes
	if classes == 2 {
		outputs = 1
	}
	m := &Model{start: make([]float64, outputs), trees: make([][]tree, outputs)}
	count := make([]float64, classes)
	for _, r := range rows {
		count[y[r]]++
	}
	for k := range m.start {
		if m.start[k] = portable.Log(count[k] + 1); outputs == 1 {
			m.start[k] = portable.Log(count[1]+1) - portable.Log(count[0]+1)
		}
	}
	g := newGrower(c, len(y), o)
	fitted := make([][]float64, outputs)
	for k := range fitted {
		fitted[k] = make([]float64, len(y))
	}
	sums := make([]float64, len(y))
	for range o.Rounds {
		if outputs > 1 {
			m.sum(rows, fitted, sums)
		}
		for k := range outputs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, r := range rows {
				p := 0.0
				if outputs == 1 {
					p = 1 / (1 + portable.Exp(-m.start[0]-fitted[0][r]))
				} else {
					p = portable.Exp(m.start[k]+fitted[k][r]) / sums[r]
				}
				is := 0.0
				if y[r] == int32(k+classes-outputs) {
					is = 1
				}
				g.grad[r], g.hess[r] = p-is, max(p*(1-p), 1e-6)
			}
			m.trees[k] = append(m.trees[k], g.grow(rows, fitted[k]))
		}
	}
	return m, nil
}

// sum writes the sum of the exponentials of the scores of every row.
func (m *Model) sum(rows []int32, fitted [][]float64, dst []float64) {
	for _, r := range rows {
		dst[r] = 0
		for k := range fitted {
			dst[r] += portable.Exp(m.start[k] + fitted[k][r])
		}
	}
}
