package perturbationtree

import "math"

// pool finds, for confidential columns with missing values, which groups are averaged together because one has too few known values.
func (b *block) pool(known [][]float64, least int) {
	var centres []float64
	for c, v := range known {
		count := make([]int, b.groups)
		missing := false
		for r, i := range b.rows {
			if v[i] == v[i] {
				count[b.group[r]]++
			} else {
				missing = true
			}
		}
		if !missing {
			continue
		}
		if centres == nil {
			centres, _ = centroids(b.points, b.dims, b.group, b.groups)
			b.of = make([][]int32, len(known))
			for k := range b.of {
				b.of[k] = apart(b.groups)
			}
		}
		b.of[c] = join(centres, b.dims, count, least)
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

// centroids returns the means of groups of points, one after another, and how many points each has.
func centroids(points []float64, dims int, group []int32, groups int) (centres []float64, count []int) {
	centres, count = make([]float64, groups*dims), make([]int, groups)
	for i, g := range group {
		count[g]++
		for k, v := range points[i*dims : (i+1)*dims] {
			centres[int(g)*dims+k] += v
		}
	}
	for g, n := range count {
		for k := range dims {
			centres[g*dims+k] /= float64(max(1, n))
		}
	}
	return centres, count
}

// join lets every group that counts something, but less than least, join the one with the nearest centroid that counts something, and so
// on. It returns the group that every group has become part of. Cost: O(groups) for every group that is short, and dims.
func join(centres []float64, dims int, count []int, least int) []int32 {
	into := apart(len(count))
	for g := range count {
		if count[g] == 0 || count[g] >= least {
			continue
		}
		to := nearest(centres, dims, count, g)
		if to < 0 {
			continue
		}
		count[to] += count[g]
		count[g] = 0
		for h := range into {
			if into[h] == int32(g) {
				into[h] = int32(to)
			}
		}
	}
	return into
}

// nearest returns the group with the nearest centroid of those that count something, the first of equal ones; -1 without.
func nearest(centres []float64, dims int, count []int, g int) int {
	best, least := -1, math.Inf(1)
	for h := range count {
		if h == g || count[h] == 0 {
			continue
		}
		d := 0.0
		for k := range dims {
			e := centres[g*dims+k] - centres[h*dims+k]
			d += e * e
		}
		if best < 0 || d < least {
			best, least = h, d
		}
	}
	return best
}
