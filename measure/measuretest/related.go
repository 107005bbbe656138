package measuretest

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Stays returns stays in a hospital, always the same, and what holds in every one of them: dates in their order, the
// days between them, completed years, a sum, a product, a code with its text, and what comes with a state.
func Stays(n int) (*table.Table, []relation.Relation) {
	r := rand.New(rand.NewPCG(3, 9))
	num := func(f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	born := num(func(int) float64 { return -float64(r.IntN(20000)) })
	in := num(func(int) float64 { return float64(15000 + r.IntN(2000)) })
	days := num(func(int) float64 { return math.Floor(r.ExpFloat64() * 9) })
	out := num(func(i int) float64 { return in[i] + days[i] })
	age := num(func(i int) float64 { return float64(calendar.Year.Completed(int(born[i]), int(in[i]))) })
	care := num(func(int) float64 { return float64(r.IntN(900)) })
	drugs := num(func(int) float64 { return float64(r.IntN(90)) })
	total := num(func(i int) float64 { return care[i] + drugs[i] })
	price := num(func(int) float64 { return float64(1 + r.IntN(9)) })
	cost := num(func(i int) float64 { return price[i] * days[i] })
	code, state := make([]int32, n), make([]int32, n)
	fee := num(func(i int) float64 {
		code[i], state[i] = int32(r.IntN(12)), int32(r.IntN(3))
		if state[i] != 0 {
			return math.NaN()
		}
		return float64(1 + r.IntN(50))
	})
	codes, texts := make([]string, 12), make([]string, 12)
	for k := range codes {
		codes[k], texts[k] = "C"+strconv.Itoa(k), "illness "+strconv.Itoa(k)
	}
	cols := []table.Column{
		table.NumColumn("born", 1, born), table.NumColumn("in", 1, in), table.NumColumn("out", 1, out),
		table.NumColumn("days", 1, days), table.NumColumn("age", 1, age), table.NumColumn("care", 1, care),
		table.NumColumn("drugs", 1, drugs), table.NumColumn("total", 1, total), table.NumColumn("price", 1, price),
		table.NumColumn("cost", 1, cost), table.NumColumn("fee", 1, fee), table.CatColumn("code", codes, code),
		table.CatColumn("text", texts, code), table.CatColumn("state", []string{"due", "paid", "none"}, state),
	}
	for j := range 3 {
		cols[j].Dates = "yyyy-mm-dd"
	}
	return tabletest.Must(cols...), Relations("in <= out", "days = out - in", "age = years(born, in)",
		"total = care + drugs", "cost = price * days", "code -> text", "fee if state = due",
		"never code = C99 and state = due")
}

// Relations reads relations.
func Relations(texts ...string) []relation.Relation {
	out := make([]relation.Relation, len(texts))
	for k, text := range texts {
		var err error
		if out[k], err = relation.Parse(text); err != nil {
			panic(err)
		}
	}
	return out
}

// Blanked returns a table of which every second value of every second column is missing.
func Blanked(t *table.Table) *table.Table {
	cols := t.Columns()
	for j := range cols {
		c := &cols[j]
		if j%2 == 0 {
			continue
		}
		c.Num, c.Cat = append([]float64(nil), c.Num...), append([]int32(nil), c.Cat...)
		for i := 0; i < t.Rows(); i += 2 {
			if c.Kind == table.Numeric {
				c.Num[i] = math.NaN()
			} else {
				c.Cat[i] = -1
			}
		}
	}
	out, err := t.WithColumns(cols)
	if err != nil {
		panic(err)
	}
	return out
}
