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

// Table returns a table of n records with relations of every kind, and the relations. A share of the values is missing
// where that leaves them whole.
func Table(n int, missing float64, seed uint64) (*table.Table, []relation.Relation) {
	b := &builder{n: n, r: rand.New(rand.NewPCG(seed, 7))}
	b.amounts()
	b.codes()
	b.people(b.stays())
	for _, names := range [][]string{{"a", "total"}, {"code", "text"}, {"days"}} {
		for i := range n {
			if b.r.Float64() < missing {
				b.blank(i, names...)
			}
		}
	}
	for k := range b.cols {
		if c := &b.cols[k]; c.Kind == table.Numeric {
			lo, hi := table.Range(c.Num)
			c.Domain = table.Interval{Lo: lo, Hi: hi}
		}
	}
	t, err := table.New(b.cols...)
	if err != nil {
		panic(err)
	}
	return t, b.rels
}

type builder struct {
	n    int
	r    *rand.Rand
	cols []table.Column
	rels []relation.Relation
}

// num adds a column of numbers.
func (b *builder) num(name string, step float64, f func(i int) float64) []float64 {
	c := table.Column{Attribute: table.Attribute{Name: name, Step: step}, Num: make([]float64, b.n)}
	for i := range c.Num {
		c.Num[i] = c.Snap(f(i))
	}
	b.cols = append(b.cols, c)
	return c.Num
}

// day adds a column of dates.
func (b *builder) day(name string, f func(i int) float64) []float64 {
	v := b.num(name, 1, f)
	b.cols[len(b.cols)-1].Dates = "yyyy-mm-dd"
	return v
}

// cat adds a column of categories.
func (b *builder) cat(name string, labels []string, f func(i int) int) []int32 {
	c := table.Column{Attribute: table.Attribute{Name: name, Kind: table.Categorical, Labels: labels}}
	c.Cat = make([]int32, b.n)
	for i := range c.Cat {
		c.Cat[i] = int32(f(i))
	}
	b.cols = append(b.cols, c)
	return c.Cat
}

// holds adds relations.
func (b *builder) holds(texts ...string) {
	for _, s := range texts {
		r, err := relation.Parse(s)
		if err != nil {
			panic(err)
		}
		b.rels = append(b.rels, r)
	}
}

// blank takes values away.
func (b *builder) blank(i int, names ...string) {
	for k := range b.cols {
		for _, name := range names {
			switch c := &b.cols[k]; {
			case c.Name != name:
			case c.Kind == table.Numeric:
				c.Num[i] = math.NaN()
			default:
				c.Cat[i] = -1
			}
		}
	}
}

// amounts adds a sum and a ratio.
func (b *builder) amounts() {
	x := b.num("a", 0.01, func(int) float64 { return b.r.ExpFloat64() * 100 })
	y := b.num("b", 0.01, func(int) float64 { return b.r.Float64() * 50 })
	b.num("total", 0.01, func(i int) float64 { return x[i] + y[i] })
	w := b.num("weight", 0.1, func(int) float64 { return 50 + b.r.Float64()*60 })
	h := b.num("height", 1, func(int) float64 { return 150 + float64(b.r.IntN(50)) })
	b.num("bmi", 0.1, func(i int) float64 { return 10000 * w[i] / (h[i] * h[i]) })
	b.holds("total = a + b", "bmi = 10000 * weight / height^2")
}

// codes adds a code with its label, and a number that determines a category.
func (b *builder) codes() {
	codes, texts := make([]string, 12), make([]string, 12)
	for k := range codes {
		codes[k], texts[k] = "C"+strconv.Itoa(k), "text "+strconv.Itoa(k)
	}
	code := b.cat("code", codes, func(int) int { return b.r.IntN(12) })
	b.cat("text", texts, func(i int) int { return int(code[i]) })
	post := b.num("post", 1, func(int) float64 { return float64(1000 + 10*b.r.IntN(30)) })
	b.cat("town", []string{"A", "B", "C", "D"}, func(i int) int { return int(post[i]) / 10 % 4 })
	b.holds("code -> text", "post -> town")
}

// stays adds dates in their order, their difference and an age, and returns the last dates.
func (b *builder) stays() (out []float64) {
	born := b.day("born", func(int) float64 { return float64(b.r.IntN(20000)) - 20000 })
	in := b.day("in", func(i int) float64 { return born[i] + float64(b.r.IntN(15000)) })
	out = b.day("out", func(i int) float64 { return in[i] + math.Floor(b.r.ExpFloat64()*8) })
	b.num("days", 1, func(i int) float64 { return out[i] - in[i] })
	b.num("age", 1, func(i int) float64 { return float64(calendar.Year.Completed(int(born[i]), int(in[i]))) })
	b.holds("born <= in", "in <= out", "days = out - in", "age = years(born, in)")
	return out
}

// people adds categories that never come together, and values that come only with one.
func (b *builder) people(out []float64) {
	sex := b.cat("sex", []string{"f", "m"}, func(int) int { return b.r.IntN(2) })
	b.cat("role", []string{"wife", "husband", "child"}, func(i int) int {
		if b.r.IntN(3) == 0 {
			return 2
		}
		return int(sex[i])
	})
	state := b.cat("state", []string{"alive", "moved", "dead"}, func(int) int { return b.r.IntN(3) })
	b.day("died", func(i int) float64 {
		if state[i] != 2 {
			return math.NaN()
		}
		return out[i] + float64(b.r.IntN(900))
	})
	b.num("paid", 1, func(i int) float64 {
		if sex[i] == 0 {
			return 0
		}
		return 1 + float64(b.r.IntN(500))
	})
	b.holds("out <= died", "never role = wife and sex = m", "never role = husband and sex = f", "died if state = dead",
		"paid above 0 if sex = m")
}
