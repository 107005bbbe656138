package learned

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/measure"
)

// stretch is a few axes in a row, up to a step. Where the records have few values there, it holds what each of them
// shows on all its axes together: what a record loses is then looked up in a table of the person's, once for the whole
// stretch.
type stretch struct {
	from, to int
	codes    []uint8     // by record; nil for an axis of many values, which are compared
	values   [][]float64 // by axis; a code is the place of the record's values, that of the first axis counting the most
	size     int         // of codes there are
}

// mostCodes is how many codes fit.
const mostCodes = math.MaxUint8 + 1

// setStretches divides the axes into stretches.
func (g *game) setStretches() {
	if len(g.axes) == 0 {
		return
	}
	drawn := measure.Drawn(len(g.axes[0].records), sampled)
	for k := range g.axes {
		codes, values := codesOf(g.axes[k].records, drawn)
		if last := len(g.stretches) - 1; last >= 0 && codes != nil && !slices.Contains(g.steps, k) {
			if s := &g.stretches[last]; s.codes != nil && s.size*len(values) <= mostCodes {
				for i, c := range codes {
					s.codes[i] = uint8(int(s.codes[i])*len(values) + int(c))
				}
				s.to, s.size, s.values = k+1, s.size*len(values), append(s.values, values)
				continue
			}
		}
		g.stretches = append(g.stretches,
			stretch{from: k, to: k + 1, codes: codes, values: [][]float64{values}, size: len(values)})
	}
}

// codesOf returns the place of every record's value among the different ones, of which NaN is one; nil where these are
// too many, which a few that are drawn tell of most.
func codesOf(records []float64, drawn []int) ([]uint8, []float64) {
	var some []float64
	for _, row := range drawn {
		if v := records[row]; v == v {
			some = append(some, v)
		}
	}
	slices.Sort(some)
	if len(slices.Compact(some)) > mostCodes {
		return nil, nil // told without a look at them all
	}
	ranks, values := rank.Dense(records)
	if slices.Contains(ranks, -1) {
		values = append(values, math.NaN())
	}
	if len(values) > mostCodes {
		return nil, nil
	}
	codes := make([]uint8, len(records))
	for i, r := range ranks {
		if r < 0 {
			r = int32(len(values) - 1)
		}
		codes[i] = uint8(r)
	}
	return codes, values
}

// tables returns by stretch what records of every code lose for a person by a metric; nil for a stretch whose values
// are compared. Only the first so many axes are asked for. The tables of another person are overwritten.
func (g *game) tables(kept [][]float64, p *people, i int, m metric, axes int) [][]float64 {
	if kept == nil {
		kept = make([][]float64, len(g.stretches))
	}
	for k, s := range g.stretches {
		if s.codes == nil || s.from >= axes {
			continue
		}
		if kept[k] == nil {
			kept[k] = make([]float64, mostCodes) // so that no code is out of range
		}
		table := kept[k][:1]
		table[0] = 0
		for j, values := range s.values {
			at := s.from + j
			a, lo, hi := &g.axes[at], p.lo[i*len(g.axes)+at], p.hi[i*len(g.axes)+at]
			longer := table[:len(table)*len(values)]
			for t := len(table) - 1; t >= 0; t-- { // from the last on, so that none is overwritten before its turn
				lost := table[t]
				for e, v := range values {
					longer[t*len(values)+e] = lost + a.loss(m, v, lo, hi)
				}
			}
			table = longer
		}
	}
	return kept
}

// loss returns what a record with a value loses for a person of whom an interval is known, of NaN nothing.
func (a *axis) loss(m metric, v, lo, hi float64) float64 {
	switch {
	case lo != lo: // all records are alike
		return 0
	case m == distance:
		return a.part(v, lo, hi)
	case v != v:
		return a.absent
	case v >= lo && v <= hi:
		return 0
	}
	return a.differ
}

// lookUpTwo is lookUp of two stretches, one after the other.
func lookUpTwo(d []float64, first, second []uint8, one, two []float64) {
	d, second, s, t := d[:len(first)], second[:len(first)], (*[mostCodes]float64)(one), (*[mostCodes]float64)(two)
	for r, c := range first {
		d[r] = d[r] + s[c] + t[second[r]]
	}
}

// lookUp adds what records lose by their codes.
func lookUp(d []float64, codes []uint8, table []float64) {
	d, t := d[:len(codes)], (*[mostCodes]float64)(table)
	for r, c := range codes {
		d[r] += t[c]
	}
}
