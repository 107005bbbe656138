package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/generate/as2000"
	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/noise/reassign"
)

// randomisedTrees are trees from randomised records, and the people by which they are compared.
var randomisedTrees = map[string]answer{
	"as2000_label": on(func(in struct{ Records []as2000.Person }) (any, error) {
		out := map[string][]string{}
		for f := 1; f <= as2000.Functions; f++ {
			name := fmt.Sprintf("F%d", f)
			for _, p := range in.Records {
				group := as2000.Groups[1]
				if p.InA(f) {
					group = as2000.Groups[0]
				}
				out[name] = append(out[name], group)
			}
		}
		return out, nil
	}),
	"assign_intervals": on(func(in reassigned) (any, error) {
		counts, interval := in.assign()
		return object{"counts": counts, "interval": interval}, nil
	}),
	"reconstructed_splits": on(func(in reassigned) (any, error) {
		_, interval := in.assign()
		splits, best := in.splits(interval)
		taken := make([]int32, len(in.W)) // at face value; a value on a limit is below it
		for i, w := range in.W {
			k, _ := slices.BinarySearch(in.Edges, w)
			taken[i] = int32(min(max(k-1, 0), len(in.Edges)-2))
		}
		face, bestOfFace := in.splits(taken)
		return object{
			"interval":   interval,
			"splits":     splits,
			"best":       best,
			"randomised": object{"splits": face, "best": bestOfFace},
		}, nil
	}),
}

// reassigned are randomised records with the shares of the intervals, by class or, under *, of all.
type reassigned struct {
	W     []float64
	Class []string
	Edges []float64
	Mode  string
	F     map[string][]float64
}

func (in *reassigned) assign() (map[string][]int, []int32) {
	counts, interval := map[string][]int{}, make([]int32, len(in.W))
	for group, f := range in.F {
		var rows []int32
		for i, c := range in.Class {
			if in.Mode == "global" || c == group {
				rows = append(rows, int32(i))
			}
		}
		counts[group] = reassign.Counts(len(rows), f)
		reassign.Ordered(rows, in.W, counts[group], interval)
	}
	return counts, interval
}

// splits divides the records at every limit between intervals.
func (in *reassigned) splits(interval []int32) (out []object, best any) {
	labels := slices.Compact(slices.Sorted(slices.Values(in.Class)))
	cells := make([]float64, (len(in.Edges)-1)*len(labels))
	for i, k := range interval {
		cells[int(k)*len(labels)+slices.Index(labels, in.Class[i])]++
	}
	least := math.Inf(1)
	criterion.Cuts(cells, len(labels), func(s criterion.Cut) {
		side := func(counts []float64) (object, float64) {
			o, n := object{}, 0.0
			for c, v := range counts {
				o[labels[c]] = v
				n += v
			}
			return o, n
		}
		left, l := side(s.Left)
		right, r := side(s.Right)
		cut := in.Edges[s.Behind+1]
		out = append(out, object{"cut": cut, "left": left, "right": right, "gini": s.Gini})
		if l > 0 && r > 0 && s.Gini < least-1e-12 {
			best, least = cut, s.Gini
		}
	})
	return out, best
}
