// Package assignment matches the rows and the columns of a square matrix one to one so that the matched weights have
// the largest sum: the assignment problem (Kuhn 1955). Measures use it to find which cluster of a release is which
// cluster of the original.
//
// The solver takes in one row after the other along a shortest augmenting path over reduced weights (Jonker & Volgenant
// 1987). Weights are whole numbers, so the answer is exact.
//
// References: H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2,
// 1955; R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
// problems", Computing 38, 1987.
package assignment

import (
	"fmt"
	"math"
)

// Largest returns the column of every row in the matching of the largest sum of weights. The matrix is k x k, row by
// row. Where several matchings have the same sum it takes one of them, always the same. Weights may be negative; the
// sum of the k largest sizes must stay below 2^61. It fails when the number of weights is not k squared. Cost: O(k^3)
// time and O(k) memory.
func Largest(weights []int, k int) ([]int, error) {
	if k < 0 || len(weights) != k*k {
		return nil, fmt.Errorf("a matrix of %d weights is not one of %d x %d", len(weights), k, k)
	}
	s := solver{k: k, weights: weights, row: make([]int, k), column: make([]int, k), owner: make([]int, k),
		dist: make([]int, k), via: make([]int, k), done: make([]bool, k)}
	for j := range s.owner {
		s.owner[j] = none
	}
	for r := range k {
		s.take(r)
	}
	match := make([]int, k)
	for j, i := range s.owner {
		match[i] = j
	}
	return match, nil
}

const none = -1

// solver holds the matching of the rows taken so far. The reduced cost row[i]+column[j]-weight of a pair is never
// negative, and 0 for a matched one: that makes the matching the best of these rows.
type solver struct {
	k           int
	weights     []int
	row, column []int // what the reduced costs add
	owner       []int // the row matched with a column, or none

	// Of the search for the row at hand, by column: length of the shortest path, the column before it, whether the path is
	// final.
	dist, via []int
	done      []bool
}

// take matches row r, too, and rematches others on the way.
func (s *solver) take(r int) {
	for j := range s.dist {
		s.dist[j], s.done[j] = math.MaxInt, false
	}
	end, length := s.search(r)
	s.row[r] -= length
	for j, done := range s.done {
		if done && j != end {
			s.row[s.owner[j]] -= length - s.dist[j]
			s.column[j] += length - s.dist[j]
		}
	}
	for j := end; ; j = s.via[j] {
		if s.via[j] == none {
			s.owner[j] = r
			return
		}
		s.owner[j] = s.owner[s.via[j]]
	}
}

// search finds the nearest column that no row owns, by reduced costs from row r (Dijkstra 1959), and the length of the
// path to it.
func (s *solver) search(r int) (end, length int) {
	for i, last := r, none; ; i, last = s.owner[end], end {
		weights, base := s.weights[i*s.k:(i+1)*s.k], length+s.row[i]
		end = none
		for j, w := range weights {
			if s.done[j] {
				continue
			}
			if d := base + s.column[j] - w; d < s.dist[j] {
				s.dist[j], s.via[j] = d, last
			}
			if end == none || s.dist[j] < s.dist[end] {
				end = j
			}
		}
		length, s.done[end] = s.dist[end], true
		if s.owner[end] == none {
			return end, length
		}
	}
}
