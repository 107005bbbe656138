package relation

import (
	"cmp"
	"math"
	"slices"
)

// apportionment divides totals among parts, each on a grid of its own, of which each is whole steps of the finest.
type apportionment struct {
	steps  []float64 // of the grids, in finest steps; 0 where there is no grid
	finest float64   // 0: there is no grid
	usual  []float64
	weight []float64 // of the record at hand; the last one is that of the parts it lacks
	gone   []bool    // parts that it lacks
	units  []float64 // of the finest grid
	rest   []float64
	order  []int // the parts on coarser grids, coarsest first
	fine   []int // the others, and the one for what the record lacks
}

func newApportionment(steps, usual []float64) *apportionment {
	n := len(steps)
	a := &apportionment{
		steps: slices.Clone(steps), finest: slices.Min(steps), usual: usual, weight: make([]float64, n+1),
		gone: make([]bool, n), units: make([]float64, n+1), rest: make([]float64, n+1),
	}
	for k := range n {
		if a.steps[k] = round(steps[k] / a.finest); a.steps[k] > 1 {
			a.order = append(a.order, k)
		} else {
			a.fine = append(a.fine, k)
		}
	}
	slices.SortStableFunc(a.order, func(x, y int) int { return cmp.Compare(a.steps[y], a.steps[x]) })
	a.fine = append(a.fine, n)
	return a
}

// read reads the shares of a record, and reports whether it has all those that the original has.
func (a *apportionment) read(shares, had [][]float64, i int) bool {
	n, sum, some := len(a.gone), 0.0, false
	for k := range n {
		a.gone[k], a.weight[k] = had[k] == nil || had[k][i] != had[k][i], 0
		if a.gone[k] {
			some = true
			continue
		}
		if shares[k] == nil || shares[k][i] != shares[k][i] {
			return false
		}
		a.weight[k] = max(shares[k][i], 0)
		sum += a.weight[k]
	}
	a.weight[n] = 0
	switch {
	case some:
		a.weight[n] = max(1-sum, 0)
	case sum == 0:
		copy(a.weight, a.usual)
	}
	return true
}

// of returns the parts of a total, by the shares that were read.
func (a *apportionment) of(total float64) []float64 {
	n := len(a.gone)
	sum := 0.0
	for _, w := range a.weight {
		sum += w
	}
	if !(sum > 0) || a.finest == 0 {
		for k, w := range a.weight {
			if a.units[k] = float64(total*w) / sum; !(sum > 0) {
				a.units[k] = 0
			}
		}
		return a.units[:n]
	}
	left := round(abs(total) / a.finest)
	for _, k := range a.order {
		share := float64(left*a.weight[k]) / sum / a.steps[k]
		if !(sum > 0) {
			share = 0
		}
		a.units[k] = float64(min(round(share), math.Floor(left/a.steps[k])) * a.steps[k])
		left -= a.units[k]
		sum -= a.weight[k]
	}
	a.remainders(left)
	for k := range n {
		a.units[k] = math.Copysign(float64(a.units[k]*a.finest), total)
	}
	return a.units[:n]
}

// ties is how many remainders are told apart: those that rounding alone makes differ are tied.
const ties = 1 << 20

// remainders divides whole steps among the parts on the finest grid by largest remainder; ties go to the first. What
// parts on coarser grids leave to parts without a share, the first of these has.
func (a *apportionment) remainders(left float64) {
	sum := 0.0
	for _, k := range a.fine {
		sum += a.weight[k]
	}
	over := left
	for _, k := range a.fine {
		share := 0.0
		if a.weight[k] > 0 {
			share = float64(left*a.weight[k]) / sum
		}
		a.units[k] = math.Floor(share)
		a.rest[k] = round((share - a.units[k]) * ties)
		over -= a.units[k]
	}
	if !(sum > 0) {
		a.units[a.fine[0]], over = left, 0
	}
	for range int(over) {
		best := a.fine[0]
		for _, k := range a.fine[:len(a.fine)-1] {
			if a.rest[k] > a.rest[best] {
				best = k
			}
		}
		if last := len(a.gone); a.weight[last] > 0 && a.rest[last] > a.rest[best] {
			best = last
		}
		a.units[best]++
		a.rest[best] = -1
	}
}
