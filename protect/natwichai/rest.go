package natwichai

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// rest rebuilds one attribute other than the class.
type rest struct {
	chunk           *table.Table
	leaf            []int32
	leaves, classes int
	keys            []rng.Block
}

// rebuild replaces the values of a column: permuted inside the leaf, or drawn from what the records of the leaf that
// have the given class had. Values are ranks here, so that the order of the records does not matter.
func (r *rest) rebuild(col *table.Column, classes, given []int32, how string) {
	if col.Kind == table.Categorical {
		col.Cat = r.replace(col.Cat, len(col.Labels), classes, given, how)
		return
	}
	known := slices.Clone(col.Num)
	ranks, distinct := rank.Dense(known)
	for i, v := range known {
		if !col.Domain.Contains(v) || col.Snap(v) != v { // another record must not get it
			ranks[i] = -1
		}
	}
	for i, v := range r.replace(ranks, len(distinct), classes, given, how) {
		if v >= 0 {
			known[i] = distinct[v]
		}
	}
	col.Num = known
}

func (r *rest) replace(codes []int32, labels int, classes, given []int32, how string) []int32 {
	if how == Marginals {
		return r.draw(codes, classes, given)
	}
	return leafwise.Deal(codes, r.leaf, r.leaves, labels, r.keys)
}

// draw draws for every record from the codes of the records of its leaf that had the class that it is given, or from
// all of the leaf where none had.
func (r *rest) draw(codes, classes, given []int32) []int32 {
	cell := func(i int, classes []int32) int { return int(r.leaf[i])*(r.classes+1) + int(classes[i]) + 1 }
	start := make([]int, r.leaves*(r.classes+1)+1)
	var rows []int32
	for i, c := range codes {
		if c >= 0 {
			rows = append(rows, int32(i))
			start[cell(i, classes)+1]++
		}
	}
	for g := range len(start) - 1 {
		start[g+1] += start[g]
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(cell(int(a), classes), cell(int(b), classes)), cmp.Compare(codes[a], codes[b]))
	})
	out := slices.Clone(codes)
	for i, c := range codes {
		if c < 0 {
			continue
		}
		g := cell(i, given)
		from, to := start[g], start[g+1]
		if from == to || given[i] < 0 {
			from, to = start[int(r.leaf[i])*(r.classes+1)], start[(int(r.leaf[i])+1)*(r.classes+1)]
		}
		out[i] = codes[rows[from+rng.Below(r.keys[i].A, to-from)]]
	}
	return out
}
