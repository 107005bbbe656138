// Package relationtest has a table with relations of every kind, for tests of what is to keep them.
package relationtest

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// Table returns a table with relations of every kind; a share of the values is missing where that leaves them whole.
func Table(n int, missing float64, seed uint64) (*table.Table, []relation.Relation) {
	r := rand.New(rand.NewPCG(seed, 7))
	num := func(name string, step float64, f func(i int) float64) table.Column {
		c := table.Column{Attribute: table.Attribute{Name: name, Step: step}, Num: make([]float64, n)}
		for i := range c.Num {
			c.Num[i] = c.Snap(f(i))
		}
		return c
	}
	day := func(name string, f func(i int) float64) table.Column {
		c := num(name, 1, f)
		c.Dates = "yyyy-mm-dd"
		return c
	}
	cat := func(name string, labels []string, f func(i int) int) table.Column {
		a := table.Attribute{Name: name, Kind: table.Categorical, Labels: labels}
		c := table.Column{Attribute: a, Cat: make([]int32, n)}
		for i := range c.Cat {
			c.Cat[i] = int32(f(i))
		}
		return c
	}
	a := num("a", 0.01, func(int) float64 { return r.ExpFloat64() * 100 })
	b := num("b", 0.01, func(int) float64 { return r.Float64() * 50 })
	total := num("total", 0.01, func(i int) float64 { return a.Num[i] + b.Num[i] })
	born := day("born", func(int) float64 { return float64(r.IntN(20000)) - 20000 })
	in := day("in", func(i int) float64 { return born.Num[i] + float64(r.IntN(15000)) })
	out := day("out", func(i int) float64 { return in.Num[i] + math.Floor(r.ExpFloat64()*8) })
	days := num("days", 1, func(i int) float64 { return out.Num[i] - in.Num[i] })
	weight := num("weight", 0.1, func(int) float64 { return 50 + r.Float64()*60 })
	height := num("height", 1, func(int) float64 { return 150 + float64(r.IntN(50)) })
	bmi := num("bmi", 0.1, func(i int) float64 { return 10000 * weight.Num[i] / (height.Num[i] * height.Num[i]) })
	codes, texts := make([]string, 12), make([]string, 12)
	for k := range codes {
		codes[k], texts[k] = "C"+strconv.Itoa(k), "text "+strconv.Itoa(k)
	}
	code := cat("code", codes, func(int) int { return r.IntN(12) })
	text := cat("text", texts, func(i int) int { return int(code.Cat[i]) })
	post := num("post", 1, func(int) float64 { return float64(1000 + 10*r.IntN(30)) })
	town := cat("town", []string{"A", "B", "C", "D"}, func(i int) int { return int(post.Num[i]) / 10 % 4 })
	sex := cat("sex", []string{"f", "m"}, func(int) int { return r.IntN(2) })
	role := cat("role", []string{"wife", "husband", "child"}, func(i int) int {
		if r.IntN(3) == 0 {
			return 2
		}
		return int(sex.Cat[i])
	})
	state := cat("state", []string{"alive", "moved", "dead"}, func(int) int { return r.IntN(3) })
	died := day("died", func(i int) float64 {
		if state.Cat[i] != 2 {
			return math.NaN()
		}
		return out.Num[i] + float64(r.IntN(900))
	})
	age := num("age", 1, func(i int) float64 {
		return float64(calendar.Year.Completed(int(born.Num[i]), int(in.Num[i])))
	})
	paid := num("paid", 1, func(i int) float64 {
		if sex.Cat[i] == 0 {
			return 0
		}
		return 1 + float64(r.IntN(500))
	})
	for i := range n {
		if r.Float64() < missing {
			a.Num[i], total.Num[i] = math.NaN(), math.NaN()
		}
		if r.Float64() < missing {
			code.Cat[i], text.Cat[i] = -1, -1
		}
		if r.Float64() < missing {
			days.Num[i] = math.NaN()
		}
	}
	var rels []relation.Relation
	for _, s := range []string{
		"total = a + b", "born <= in", "in <= out", "out <= died", "days = out - in", "bmi = 10000 * weight / height^2",
		"code -> text", "post -> town", "never role = wife and sex = m", "never role = husband and sex = f",
		"died if state = dead", "age = years(born, in)", "paid above 0 if sex = m",
	} {
		rel, err := relation.Parse(s)
		if err != nil {
			panic(err)
		}
		rels = append(rels, rel)
	}
	cols := []table.Column{a, b, total, born, in, out, days, weight, height, bmi, code, text, post, town, sex, role, state,
		died, age, paid}
	for k := range cols {
		if cols[k].Kind == table.Numeric {
			lo, hi := table.Range(cols[k].Num)
			cols[k].Domain = table.Interval{Lo: lo, Hi: hi}
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t, rels
}
