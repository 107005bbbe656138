// Package audit bounds from below the epsilon of what is claimed to be differentially private, by an attack that tells
// two neighbouring tables apart (Jagielski, Ullman & Oprea 2020). A bound above the claim refutes it; one below proves
// nothing, for another attack may be better.
package audit

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/confidence"
)

// Attack is a mechanism on either of two neighbouring tables, and what an intruder makes of its output: a number that
// is larger, or smaller, or another one, the surer the intruder is that the output is of the first table.
type Attack struct {
	First, Second func(run int) float64
	Runs          int     // of each
	Delta         float64 // that of the claim
	FalseAlarm    float64 // with which chance a bound may be above the true epsilon
}

// Epsilon returns the lower bound, at least 0. The first half of the runs chooses by which outputs to tell the tables
// apart, the second half counts them, so that the choice costs nothing. Cost: all runs, and O(runs log runs).
func (a *Attack) Epsilon() float64 {
	return a.best(func(p, q float64) float64 {
		if p <= a.Delta {
			return 0
		}
		return portable.Log((p - a.Delta) / q)
	})
}

// Mu returns a lower bound, at least 0, on how far the tables are apart, in standard deviations of normal noise (Dong,
// Roth & Su 2022). Where the noise is normal, of a length that the claim bounds, it refutes a claim by far fewer runs
// than Epsilon, which is at most the logarithm of half of them (Nasr et al. 2023). It does not look at Delta.
func (a *Attack) Mu() float64 {
	return a.best(func(p, q float64) float64 {
		if p <= 0 || q >= 1 {
			return 0
		}
		return portable.Quantile(p) - portable.Quantile(q)
	})
}

// best returns the bound of the outputs that tell the tables apart best: a function of the lower limit of the share of
// one and the upper limit of that of the other.
func (a *Attack) best(bound func(p, q float64) float64) float64 {
	half := a.Runs / 2
	run := func(f func(int) float64) (choose, count []float64) {
		all := make([]float64, 2*half)
		for i := range all {
			all[i] = f(i)
		}
		slices.Sort(all[:half])
		slices.Sort(all[half:])
		return all[:half], all[half:]
	}
	choose1, count1 := run(a.First)
	choose2, count2 := run(a.Second)
	of := func(more, less int) float64 {
		level := 1 - a.FalseAlarm/2
		p, _ := confidence.ClopperPearson(float64(more), float64(half), level)
		_, q := confidence.ClopperPearson(float64(less), float64(half), level)
		return bound(p, q)
	}
	best, found := 0.0, 0.0
	for _, e := range events(choose1, choose2) {
		for _, ways := range [][4][]float64{{choose1, choose2, count1, count2}, {choose2, choose1, count2, count1}} {
			if tried := of(e.in(ways[0]), e.in(ways[1])); tried > best {
				best, found = tried, of(e.in(ways[2]), e.in(ways[3]))
			}
		}
	}
	return max(0, found)
}

// event is a set of outputs: those in [lo, hi].
type event struct{ lo, hi float64 }

// in counts the outputs of a sorted list that are in it.
func (e event) in(sorted []float64) int {
	from, _ := slices.BinarySearch(sorted, e.lo)
	to, _ := slices.BinarySearch(sorted, math.Nextafter(e.hi, math.Inf(1)))
	return max(0, to-from)
}

// events are those that an attack tries: every output on its own, and all from it on in either direction, for outputs
// at most 100 in each of both lists, evenly by rank.
func events(lists ...[]float64) (out []event) {
	var values []float64
	for _, list := range lists {
		for k := range min(100, len(list)) {
			values = append(values, list[k*len(list)/min(100, len(list))])
		}
	}
	slices.Sort(values)
	for _, v := range slices.Compact(values) {
		out = append(out, event{v, v}, event{math.Inf(-1), v}, event{v, math.Inf(1)})
	}
	return out
}
