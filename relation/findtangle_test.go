package relation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// tangle makes a small table whose columns are made of those before them in random ways.
func tangle(seed uint64) *twin {
	w := &twin{maker: maker{rand.New(rand.NewPCG(seed, 9)), 0}}
	w.n = 150 + w.IntN(350)
	w.cols = append(w.cols, w.below("n0", 30), w.below("n1", 8), w.any("c0", 5), w.any("c1", 12),
		w.date("d0", func(int) float64 { return 15_000 + 2000*w.Float64() }))
	pick := func(kind func(c *table.Column) bool) *table.Column {
		for {
			if c := &w.cols[w.IntN(len(w.cols))]; kind(c) {
				return c
			}
		}
	}
	number := func() *table.Column { return pick(func(c *table.Column) bool { return c.Num != nil && c.Dates == "" }) }
	date := func() *table.Column { return pick(func(c *table.Column) bool { return c.Dates != "" }) }
	category := func() *table.Column { return pick(func(c *table.Column) bool { return c.Num == nil }) }
	for k := range 6 {
		w.cols = append(w.cols, w.made(fmt.Sprint("m", k), number(), number(), date(), category(), category()))
		if w.IntN(4) == 0 {
			w.gaps(0.1, w.cols[len(w.cols)-1:]...)
		}
	}
	w.t = tabletest.Must(w.cols...)
	return w
}

// made makes a column of others.
func (w *twin) made(name string, a, b, d, c, e *table.Column) table.Column {
	k := float64(w.IntN(5))
	category := func(values int, of func(x, y int32) int32) table.Column {
		return w.cat(name, values, func(i int) int {
			if c.Cat[i] < 0 || e.Cat[i] < 0 {
				return -1
			}
			return int(of(c.Cat[i], e.Cat[i])) % values
		})
	}
	switch w.IntN(13) {
	case 0:
		return w.num(name, 1, func(i int) float64 { return a.Num[i] + b.Num[i] + k })
	case 1:
		return w.num(name, 1, func(i int) float64 { return a.Num[i] - k })
	case 2:
		return w.num(name, 1, func(i int) float64 { return a.Num[i] * b.Num[i] })
	case 3:
		return w.num(name, 0.01, func(i int) float64 { return 100 * a.Num[i] / (b.Num[i] + 1) })
	case 4:
		return w.num(name, 1, func(i int) float64 { return a.Num[i] + float64(w.IntN(20)) })
	case 5:
		return w.date(name, func(i int) float64 { return d.Num[i] + 900*w.Float64() })
	case 6:
		return w.num(name, 1, func(i int) float64 {
			if d.Num[i] != d.Num[i] {
				return d.Num[i]
			}
			return float64(calendar.Month.Completed(int(d.Num[i]), 18_000))
		})
	case 7:
		return category(5, func(x, _ int32) int32 { return x * 2 })
	case 8:
		return category(7, func(x, y int32) int32 { return x*3 + y*5 })
	case 9:
		return category(4, func(x, _ int32) int32 {
			if v := w.Int32N(4); v != x {
				return v
			}
			return (x + 1) % 4
		})
	case 10:
		return w.num(name, 1, func(i int) float64 {
			if c.Cat[i] != 1 {
				return math.NaN()
			}
			return float64(w.IntN(50))
		})
	case 11:
		return w.num(name, 0.5, func(i int) float64 {
			if c.Cat[i] != 0 {
				return 0
			}
			return 1 + 50*w.Float64()
		})
	}
	return w.below(name, 2+w.IntN(60))
}
