package minetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Towns draws three towns of people, one of them in a ring around another, and one who lives far out: record i is of
// town i%3, and record 0 is the hermit.
func Towns(rows int) *table.Table {
	r := rand.New(rand.NewPCG(3, 5))
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		switch a := 2 * math.Pi * r.Float64(); i % 3 {
		case 0:
			x[i], y[i] = 2*r.Float64(), 2*r.Float64()
		case 1: // around it
			x[i], y[i] = 1+(8+r.Float64())*math.Cos(a), 1+(8+r.Float64())*math.Sin(a)
		default:
			x[i], y[i] = 30+3*r.Float64(), 3*r.Float64()
		}
	}
	x[0], y[0] = 100, 100
	return tabletest.Must(tabletest.Numbers(0, x, y)...)
}

// FindsTowns checks of a clustering of 1,500 people of Towns that the towns are found, one of them a ring that no
// centre describes, and that who lives alone is an outlier.
func FindsTowns(t *testing.T, m mine.Clusterer) {
	t.Helper()
	of := map[int]map[int32]int{}
	for i, l := range m.Labels() {
		if of[i%3] == nil {
			of[i%3] = map[int32]int{}
		}
		of[i%3][l]++
	}
	biggest := map[int32]bool{}
	for town, labels := range of {
		best, most := int32(-1), 0
		for l, n := range labels {
			if n > most {
				best, most = l, n
			}
		}
		if biggest[best] = true; most < 450 || best < 0 {
			t.Errorf("town %d is divided into %v", town, labels)
		}
	}
	if len(biggest) != 3 || m.Labels()[0] != -1 {
		t.Errorf("%d towns, the hermit has label %d", len(biggest), m.Labels()[0])
	}
}
