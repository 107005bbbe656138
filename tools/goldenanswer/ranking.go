package main

import (
	"cmp"
	"math"
	"slices"

	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/study/search"
)

// candidacy is a candidate: figures by criterion, with half the width of their intervals.
type candidacy struct {
	Name string
	V    map[string]float64
	Half map[string]float64 // 0 where it is not said
}

// bound limits a criterion at the pessimistic end of its interval.
type bound struct {
	Criterion string
	Min, Max  *float64
}

// excess says by how much a candidate is beyond a limit.
type excess struct {
	Criterion string  `json:"criterion"`
	By        float64 `json:"by"`
}

// ranked is what follows from figures, limits and weights.
type ranked struct {
	rejected [][]excess // by candidate; nil for one that keeps every limit
	scores   []float64  // the weighted sum, of less is better
	ranking  []int      // those that keep every limit, by score; ties in the order of the candidates
	// lexicographic ranks them by the criteria in the owner's order instead.
	lexicographic []int
	winShare      []float64 // the share of all weights with which a candidate comes first
}

// rank judges candidates by criteria of which less is better (methodology of Nai Fovino & Masera 2008, section 6.1):
// those that break a limit at the pessimistic end fall out, the others are ranked. Cost: O(k^2) for three criteria,
// else O(draws k).
func rank(candidates []candidacy, criteria, order []string, weights map[string]float64, limits []bound) ranked {
	k := len(candidates)
	r := ranked{rejected: make([][]excess, k), scores: make([]float64, k), winShare: make([]float64, k)}
	var vectors [][]float64
	for k, c := range candidates {
		if r.rejected[k] = c.beyond(limits); r.rejected[k] != nil {
			continue
		}
		var v []float64
		for _, name := range criteria {
			v = append(v, c.V[name])
			r.scores[k] += weights[name] * c.V[name]
		}
		vectors = append(vectors, v)
		r.ranking = append(r.ranking, k)
	}
	for n, share := range search.WinShares(vectors) {
		r.winShare[r.ranking[n]] = share
	}
	r.lexicographic = slices.Clone(r.ranking)
	slices.SortStableFunc(r.ranking, func(a, b int) int { return level(r.scores[a], r.scores[b]) })
	slices.SortStableFunc(r.lexicographic, func(a, b int) int {
		for _, name := range order {
			if c := level(candidates[a].V[name], candidates[b].V[name]); c != 0 {
				return c
			}
		}
		return 0
	})
	return r
}

// beyond returns the limits that a candidate breaks.
func (c *candidacy) beyond(limits []bound) (out []excess) {
	for _, l := range limits {
		by := math.Inf(-1)
		if l.Max != nil {
			by = c.V[l.Criterion] + c.Half[l.Criterion] - *l.Max
		}
		if l.Min != nil {
			by = max(by, *l.Min-(c.V[l.Criterion]-c.Half[l.Criterion]))
		}
		if by > 1e-9 {
			out = append(out, excess{l.Criterion, by})
		}
	}
	return out
}

// level compares two figures; those that differ by next to nothing are equal.
func level(a, b float64) int {
	if math.Abs(a-b) <= 1e-12 {
		return 0
	}
	return cmp.Compare(a, b)
}
