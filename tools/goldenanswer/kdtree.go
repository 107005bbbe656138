package main

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/mining/kdpartition"
	"github.com/dither-data/dither/protect/perturbationtree"
)

var perturbationTrees = map[string]answer{
	"kdtree": on(func(in kdIn) (any, error) {
		if len(in.Rows) == 0 {
			return nil, errors.New("there are no rows")
		}
		cols, err := columnsOf(in.Rows)
		if err != nil || len(cols) != len(in.Columns) {
			return nil, errors.New("every row must have a value of every column")
		}
		split, err := in.named(cols, in.SplitColumns)
		if err != nil {
			return nil, err
		}
		confidential, err := in.named(cols, in.Confidential)
		if err != nil {
			return nil, err
		}
		t, leaf, err := kdpartition.Build(context.Background(), split,
			kdpartition.Options{Largest: in.MaxLeaf, Smallest: 1, Median: in.Split == "median"})
		if err != nil {
			return nil, err
		}
		return in.answer(t, leaf, confidential), nil
	}),
}

type kdIn struct {
	Columns      []string
	Rows         [][]float64
	SplitColumns []string `json:"split_columns"`
	Confidential []string
	MaxLeaf      int `json:"max_leaf"`
	Split        string
}

// named returns the columns of the given names.
func (in *kdIn) named(cols [][]float64, names []string) ([][]float64, error) {
	out := make([][]float64, len(names))
	for k, n := range names {
		j := slices.Index(in.Columns, n)
		if j < 0 {
			return nil, errors.New("a column is named that does not exist")
		}
		out[k] = cols[j]
	}
	if len(out) == 0 {
		return nil, errors.New("no column is named")
	}
	return out, nil
}

func (in *kdIn) answer(t *kdpartition.Tree, leaf []int32, confidential [][]float64) object {
	leaves := make([][]int, t.Leaves())
	for i, l := range leaf {
		leaves[l] = append(leaves[l], i)
	}
	perturbed, mean, before, after := object{}, []float64{}, []float64{}, []float64{}
	for k, x := range confidential {
		y := make([]float64, len(x))
		perturbationtree.Replace(y, x, nil, leaf, t.Leaves())
		perturbed[in.Confidential[k]] = y
		mean, before, after = append(
			mean,
			stat.Mean(y, nil),
		), append(
			before,
			stat.Variance(x, nil),
		), append(
			after,
			stat.Variance(y, nil),
		)
	}
	return object{"tree": in.node(t, leaves, 0), "leaves": leaves, "perturbed": perturbed, "mean": mean,
		"variance_before": before, "variance_after": after}
}

// node returns a node with what hangs on it.
func (in *kdIn) node(t *kdpartition.Tree, leaves [][]int, i int32) object {
	n := t.Nodes[i]
	if n.Attr == kdpartition.Leaf {
		return object{"records": leaves[n.Next]}
	}
	return object{
		"attr":      in.SplitColumns[n.Attr],
		"threshold": n.Cut,
		"left":      in.node(t, leaves, i+1),
		"right":     in.node(t, leaves, i+n.Next),
	}
}
