package main

import (
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// joint is what becomes of the relations among the perturbed attributes: Cramér's V of every pair of them, of the
// original, with one of the two released, and with both, by table and release.
type joint struct {
	names []string
	pairs []pair
}

type pair struct {
	a, b                string
	original, one, both []float64
}

func newJoint(names []string, n int) *joint {
	j := &joint{names: names}
	for k, a := range names {
		for _, b := range names[k+1:] {
			j.pairs = append(j.pairs, pair{a, b, make([]float64, n), make([]float64, n), make([]float64, n)})
		}
	}
	return j
}

// take measures one release; with one of the two released the mean of both ways.
func (j *joint) take(t, out *table.Table, at int) {
	for k := range j.pairs {
		p := &j.pairs[k]
		a, b := t.Find(p.a), t.Find(p.b)
		p.original[at] = cramer(t.Cat(a), t.Cat(b))
		p.one[at] = (cramer(out.Cat(a), t.Cat(b)) + cramer(t.Cat(a), out.Cat(b))) / 2
		p.both[at] = cramer(out.Cat(a), out.Cat(b))
	}
}

// cramer returns Cramér's V of two columns of codes, of records that have both: 0 for independence, 1 where one decides
// the other.
func cramer(x, y []int32) float64 {
	rows, cols := make([]float64, slices.Max(x)+1), make([]float64, slices.Max(y)+1)
	cells := make([]float64, len(rows)*len(cols))
	n := 0.0
	for i := range x {
		if x[i] >= 0 && y[i] >= 0 {
			cells[int(x[i])*len(cols)+int(y[i])]++
			rows[x[i]]++
			cols[y[i]]++
			n++
		}
	}
	square := 0.0
	for a, r := range rows {
		for b, c := range cols {
			if r*c > 0 {
				d := cells[a*len(cols)+b] - r*c/n
				square += d * d / (r * c)
			}
		}
	}
	return math.Sqrt(square / float64(min(present(rows), present(cols))-1))
}

// present counts the categories that occur.
func present(counts []float64) int {
	n := 0
	for _, c := range counts {
		if c > 0 {
			n++
		}
	}
	return n
}
