// Package nearesttest makes tables for the tests of measures that look for nearest records.
package nearesttest

import (
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// People returns a table of n different people, some of whose values are missing.
func People(t tabletest.T, n int) *table.Table {
	r := rand.New(rand.NewPCG(7, 1))
	age, pay, town := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		age[i], town[i] = float64(18+r.IntN(60)), int32(r.IntN(6)-1)
		pay[i] = table.Snap(1000+40*age[i]+300*r.NormFloat64(), 0.01)
		if r.IntN(20) == 0 {
			age[i] = math.NaN()
		}
	}
	return tabletest.Of(t, table.NumColumn("age", 1, age), table.NumColumn("pay", 0.01, pay),
		table.CatColumn("town", []string{"a", "b", "c", "d", "e"}, town))
}

// Moved returns a table whose numbers are moved by a little.
func Moved(t *table.Table) *table.Table {
	out, r := t, rand.New(rand.NewPCG(1, 2))
	for j := range t.Width() {
		if x := t.Num(j); x != nil {
			v := make([]float64, len(x))
			for i := range v {
				v[i] = x[i] + 5*r.NormFloat64()
			}
			out = out.WithNum(j, v)
		}
	}
	return out
}
