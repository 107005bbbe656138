package measuretest

import (
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns a table of made-up persons, always the same.
func people(n int, missing bool) *table.Table {
	r := rand.New(rand.NewPCG(7, 11))
	age, income, hours := make([]float64, n), make([]float64, n), make([]float64, n)
	city, job, class := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range n {
		age[i] = float64(18 + r.IntN(60))
		city[i] = int32(r.IntN(4))
		job[i] = int32(r.IntN(3))
		income[i] = table.Snap(1000+30*age[i]+500*float64(job[i])+200*r.NormFloat64(), 0.01)
		hours[i] = 30 + 10*r.Float64()
		if age[i] > 45 && city[i] != 2 || job[i] == 1 && r.IntN(5) > 0 {
			class[i] = 1
		}
		if !missing {
			continue
		}
		for _, v := range [][]float64{age, income, hours} {
			if r.IntN(10) == 0 {
				v[i] = math.NaN()
			}
		}
		for _, c := range [][]int32{city, job, class} {
			if r.IntN(10) == 0 {
				c[i] = -1
			}
		}
	}
	cols := []table.Column{
		table.NumColumn("age", 1, age), table.NumColumn("income", 0.01, income), table.NumColumn("hours", 0, hours),
		table.CatColumn("city", []string{"north", "east", "south", "west"}, city),
		table.CatColumn("job", []string{"clerk", "nurse", "smith"}, job),
		table.CatColumn("good", []string{"no", "yes"}, class),
	}
	for j, role := range []table.Role{table.Quasi, table.Confidential, 0, table.Quasi, table.Quasi | table.Confidential,
		table.Class} {
		cols[j].Role = role
	}
	return tabletest.Must(cols...)
}

// exchange returns the table with about half of the values of each column permuted among their records.
func exchange(t *table.Table) *table.Table {
	r := rand.New(rand.NewPCG(13, 17))
	for j := range t.Width() {
		var moved []int
		for i := range t.Rows() {
			if r.IntN(2) == 0 {
				moved = append(moved, i)
			}
		}
		to := r.Perm(len(moved))
		switch t.Attr(j).Kind {
		case table.Numeric:
			v := append([]float64(nil), t.Num(j)...)
			for k, i := range moved {
				v[i] = t.Num(j)[moved[to[k]]]
			}
			t = t.WithNum(j, v)
		case table.Categorical:
			v := append([]int32(nil), t.Cat(j)...)
			for k, i := range moved {
				v[i] = t.Cat(j)[moved[to[k]]]
			}
			t = t.WithCat(j, v)
		case table.SetValued: // is not among the columns
		}
	}
	return t
}

// oddTables returns tables that a measure may refuse but must survive.
func oddTables() map[string]*table.Table {
	full := people(40, false)
	noClass := full
	for j := range full.Width() {
		a := *full.Attr(j)
		a.Role &^= table.Class
		noClass = noClass.WithAttr(j, a)
	}
	return map[string]*table.Table{
		"no rows":                  full.Slice(0, 0),
		"one row":                  full.Slice(0, 1),
		"two rows":                 full.Slice(0, 2),
		"constant columns":         filled(full, 30, 1),
		"columns all missing":      filled(full, math.NaN(), -1),
		"one class":                full.WithCat(5, repeat(int32(1), 40)),
		"class all missing":        full.WithCat(5, repeat(int32(-1), 40)),
		"class only":               full.Select(5),
		"no numeric attribute":     full.Select(3, 4, 5),
		"one numeric attribute":    full.Select(0, 5),
		"no categorical but class": full.Select(0, 1, 2, 5),
		"no class":                 noClass,
		"missing values":           people(40, true),
	}
}

// poorTables returns tables with few different values, or few values.
func poorTables() map[string]*table.Table {
	full := people(40, false)
	four, one := make([]int, 40), make([]int, 40)
	for i := range four {
		four[i] = i / 4
	}
	return map[string]*table.Table{
		"missing values":           people(40, true),
		"four of each record":      full.Gather(four),
		"forty of one record":      full.Gather(one),
		"constant columns":         filled(full, 30, 1),
		"columns all missing":      filled(full, math.NaN(), -1),
		"one column all missing":   full.WithNum(1, repeat(math.NaN(), 40)),
		"half of the rows missing": half(full),
	}
}

// filled returns the table with one number in all numeric columns and one code in all others but the class, the last
// column.
func filled(t *table.Table, v float64, c int32) *table.Table {
	for j := range t.Width() - 1 {
		switch t.Attr(j).Kind {
		case table.Numeric:
			t = t.WithNum(j, repeat(v, t.Rows()))
		case table.Categorical:
			t = t.WithCat(j, repeat(c, t.Rows()))
		case table.SetValued: // is not among the columns
		}
	}
	return t
}

// half returns the table with every second record missing all values but the class.
func half(t *table.Table) *table.Table {
	gone := filled(t, math.NaN(), -1)
	for j := range t.Width() - 1 {
		for i := range t.Rows() / 2 {
			switch t.Attr(j).Kind {
			case table.Numeric:
				gone.Num(j)[2*i] = t.Num(j)[2*i]
			case table.Categorical:
				gone.Cat(j)[2*i] = t.Cat(j)[2*i]
			case table.SetValued: // is not among the columns
			}
		}
	}
	return gone
}

func repeat[T any](v T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}
