package minetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/table"
)

// Mixed returns records about people with numeric attributes on three kinds of grid, categorical ones, an identifier,
// a weight and a class of three values that depends on the others. The given share of all values but identifiers is
// missing, in the class too.
func Mixed(rows int, missing float64) *table.Table {
	r := rand.New(rand.NewPCG(7, uint64(rows)))
	age, pay, score, weight := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	id, job, town, class := make([]int32, rows), make([]int32, rows), make([]int32, rows), make([]int32, rows)
	names := make([]string, max(rows, 1))
	for i := range names {
		names[i] = fmt.Sprintf("person %d", i)
	}
	for i := range rows {
		id[i], weight[i] = int32(i), 1+r.Float64()
		age[i], pay[i], score[i] = float64(18+r.IntN(60)), math.Round(r.ExpFloat64()*1e5)/100, r.NormFloat64()
		job[i], town[i] = r.Int32N(5), r.Int32N(12)
		switch {
		case age[i] > 45 && job[i] < 3:
			class[i] = 1
		case pay[i] > 900 || r.IntN(10) == 0:
			class[i] = 2
		}
	}
	for i := range rows {
		for _, v := range [][]float64{age, pay, score} {
			if r.Float64() < missing {
				v[i] = math.NaN()
			}
		}
		for _, c := range [][]int32{job, town, class} {
			if r.Float64() < missing {
				c[i] = -1
			}
		}
	}
	cols := []table.Column{
		table.CatColumn("name", names, id),
		table.NumColumn("age", 1, age),
		table.NumColumn("pay", 0.01, pay),
		table.CatColumn("job", []string{"clerk", "driver", "nurse", "smith", "tailor"}, job),
		table.NumColumn("score", 0, score),
		table.CatColumn("town", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "nobody lives here"},
			town),
		table.NumColumn("weight", 0, weight),
		table.CatColumn("class", []string{"low", "middle", "high"}, class),
	}
	cols[0].Role, cols[6].Role, cols[7].Role = table.Identifier, table.Weight, table.Class
	t, err := table.New(cols...)
	if err != nil {
		panic("minetest: " + err.Error())
	}
	return t
}

// oddTables returns tables at the edges of what a miner may be given, by name.
func oddTables() map[string]*table.Table {
	m := Mixed(60, 0)
	none := make([]float64, 60)
	for i := range none {
		none[i] = math.NaN()
	}
	gone := make([]int32, 60)
	for i := range gone {
		gone[i] = -1
	}
	return map[string]*table.Table{
		"no records":         m.Slice(0, 0),
		"one record":         m.Slice(0, 1),
		"two records":        m.Slice(0, 2),
		"only the class":     m.Select(m.Width() - 1),
		"no class":           m.Select(1, 2, 3),
		"missing numbers":    m.WithNum(1, none),
		"missing categories": m.WithCat(3, gone),
		"missing class":      m.WithCat(m.Width()-1, gone),
		"constant":           m.WithNum(1, make([]float64, 60)).WithCat(3, make([]int32, 60)),
		"one class":          m.WithCat(m.Width()-1, make([]int32, 60)),
		"many gaps":          Mixed(60, 0.6),
	}
}
