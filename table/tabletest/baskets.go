package tabletest

import (
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/table"
)

// Baskets returns a set-valued column, the same at every call: up to four of six items, some empty, some missing, and
// some items not known. It stands for every kind that a technique does not know.
func Baskets(name string, rows int) table.Column {
	r := rand.New(rand.NewPCG(3, 5))
	present, unknown := make([][]int32, rows), make([][]int32, rows)
	for i := range rows {
		if r.IntN(10) == 0 {
			continue
		}
		present[i] = []int32{}
		for _, v := range r.Perm(6)[:r.IntN(5)] {
			if r.IntN(8) == 0 {
				unknown[i] = append(unknown[i], int32(v))
			} else {
				present[i] = append(present[i], int32(v))
			}
		}
	}
	return table.SetColumn(name, []string{"tea", "milk", "bread", "eggs", "jam", "salt"}, table.SetsOf(present, unknown))
}

// Insert returns the table with one more column, before column at; its records keep their identities.
func Insert(t *table.Table, at int, c table.Column) *table.Table {
	n, err := t.WithColumns(slices.Insert(t.Columns(), at, c))
	if err != nil {
		panic(err)
	}
	return n
}
