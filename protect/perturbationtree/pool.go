package perturbationtree

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/portable/exact"
)

// pool finds, for confidential columns with missing values, which groups are averaged together because one has known
// values of too few people.
func (b *block) pool(known [][]float64, least int) {
	var centres []float64
	for c, v := range known {
		if !slices.ContainsFunc(b.rows, func(i int32) bool { return v[i] != v[i] }) {
			continue
		}
		own := headcount.Several(b.groups, b.whose)
		for r, i := range b.rows {
			if v[i] == v[i] {
				own[b.group[r]].Add(r)
			}
		}
		if centres == nil {
			centres = centroids(b.points, b.dims, b.group, b.groups)
			b.of = make([][]int32, len(known))
			for k := range b.of {
				b.of[k] = apart(b.groups)
			}
		}
		b.of[c] = join(centres, b.dims, own, least)
	}
}

// apart lets every group stand for itself.
func apart(groups int) []int32 {
	out := make([]int32, groups)
	for g := range out {
		out[g] = int32(g)
	}
	return out
}

// centroids returns the means of groups of points, one after another.
func centroids(points []float64, dims int, group []int32, groups int) []float64 {
	centres, sums, count := make([]float64, groups*dims), make([]exact.Sum, groups*dims), make([]int, groups)
	for i, g := range group {
		count[g]++
		for k, v := range points[i*dims : (i+1)*dims] {
			sums[int(g)*dims+k].Add(v)
		}
	}
	for at := range centres {
		centres[at] = sums[at].Mean(max(1, count[at/dims]))
	}
	return centres
}

// join lets every group that is of somebody, but of fewer than least people, join the one with the nearest centroid
// that is of somebody, and so on. It returns the group that every group has become part of. Cost: O(groups) for every
// group that is short, and dims.
func join(centres []float64, dims int, own []headcount.Tally, least int) []int32 {
	into := apart(len(own))
	for g := range own {
		if n := own[g].Size(); n == 0 || n >= least {
			continue
		}
		to := nearest(centres, dims, own, g)
		if to < 0 {
			continue
		}
		own[to].Join(&own[g])
		own[g].Clear()
		for h := range into {
			if into[h] == int32(g) {
				into[h] = int32(to)
			}
		}
	}
	return into
}

// nearest returns the group with the nearest centroid of those that are of somebody, the first of equal ones; -1
// without.
func nearest(centres []float64, dims int, own []headcount.Tally, g int) int {
	best, least := -1, math.Inf(1)
	for h := range own {
		if h == g || own[h].Size() == 0 {
			continue
		}
		d := 0.0
		for k := range dims {
			e := centres[g*dims+k] - centres[h*dims+k]
			d += float64(e * e)
		}
		if best < 0 || d < least {
			best, least = h, d
		}
	}
	return best
}
