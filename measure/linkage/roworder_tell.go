package linkage

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The ways to tell a value from a place, in the order of the credits. Those by rank are for numbers.
var ways = []string{"beside", "near", "around", "rank", "rankFromEnd"}

var reaches = []int{1, 8, 64}

// ranked is how many released values are enough to know their quantiles by.
const ranked = 10_000

// file is a released file in its order, and in a random one. At is the place by row, row the row by place.
type file struct {
	at, row                 []int32
	shuffledAt, shuffledRow []int32
}

func newFile(places []int32, t *table.Table, src rng.Source) *file {
	n := t.Rows()
	f := &file{at: places}
	if places == nil {
		f.at = make([]int32, n)
		for i := range f.at {
			f.at[i] = int32(i)
		}
	}
	f.row = inverse(f.at)
	f.shuffledRow = make([]int32, n)
	for p, i := range t.Order(src) {
		f.shuffledRow[p] = int32(i)
	}
	f.shuffledAt = inverse(f.shuffledRow)
	return f
}

// inverse returns the row at every place.
func inverse(at []int32) []int32 {
	row := make([]int32, len(at))
	for i, p := range at {
		row[p] = int32(i)
	}
	return row
}

// attack tells the values of one column.
type attack struct {
	rows      []int // of the people tried
	truth     table.Column
	released  table.Column
	tolerance float64   // of a number
	sorted    []float64 // some released numbers
}

func (f *file) attack(truth, released table.Column, rows []int, tolerance float64) *attack {
	a := &attack{rows: rows, truth: truth, released: released}
	if truth.Kind == table.Numeric {
		lo, hi := table.Range(truth.Num)
		a.tolerance = float64(tolerance * (hi - lo))
		for _, i := range measure.Drawn(released.Len(), ranked) {
			if v := released.Num[i]; v == v {
				a.sorted = append(a.sorted, v)
			}
		}
		slices.Sort(a.sorted)
	}
	return a
}

// credits returns, by way and person tried, whether the value is told from the places of a file; NaN where there is
// none to tell.
func (a *attack) credits(at, row []int32) [][]float64 {
	n := len(ways)
	if a.truth.Kind != table.Numeric {
		n = len(reaches)
	}
	out := make([][]float64, n)
	for w := range out {
		out[w] = make([]float64, len(a.rows))
	}
	var near neighbours
	for k, i := range a.rows {
		place := int(at[i])
		for w := range out {
			switch {
			case a.truth.MissingAt(i):
				out[w][k] = math.NaN()
			case w >= len(reaches):
				out[w][k] = a.byRank(i, place, w > len(reaches))
			case a.truth.Kind == table.Numeric:
				out[w][k] = a.close(i, near.median(a.released.Num, row, place, reaches[w]))
			default:
				out[w][k] = near.commonest(a.released.Cat, row, place, reaches[w], a.truth.Cat[i])
			}
		}
	}
	return out
}

// byRank tells a number by the one that is as far up among the released ones as the place is in the file, or as far
// down.
func (a *attack) byRank(i, place int, fromTheEnd bool) float64 {
	if len(a.sorted) == 0 {
		return 0
	}
	q := (float64(place) + 0.5) / float64(a.released.Len())
	if fromTheEnd {
		q = 1 - q
	}
	return a.close(i, a.sorted[min(len(a.sorted)-1, int(q*float64(len(a.sorted))))])
}

// close is the credit for a number told; NaN is no number.
func (a *attack) close(i int, told float64) float64 {
	if math.Abs(told-a.truth.Num[i]) <= a.tolerance {
		return 1
	}
	return 0
}

// neighbours is room for the released values beside a place.
type neighbours struct {
	numbers []float64
	counts  []int32 // by category; 0 between calls
}

// each calls f with the rows within reach of a place, but for its own.
func each(row []int32, place, reach int, f func(i int32)) {
	for p := max(0, place-reach); p <= min(len(row)-1, place+reach); p++ {
		if p != place {
			f(row[p])
		}
	}
}

// median returns the median of the numbers beside a place; NaN without any.
func (n *neighbours) median(values []float64, row []int32, place, reach int) float64 {
	n.numbers = n.numbers[:0]
	each(row, place, reach, func(i int32) {
		if v := values[i]; v == v {
			n.numbers = append(n.numbers, v)
		}
	})
	k := len(n.numbers)
	if k == 0 {
		return math.NaN()
	}
	upper := quantile.Nth(n.numbers, k/2)
	if k%2 == 1 {
		return upper
	}
	return slices.Max(n.numbers[:k/2])/2 + upper/2
}

// commonest returns the credit for guessing the commonest category beside a place: of t equally common ones each is
// guessed as often.
func (n *neighbours) commonest(codes, row []int32, place, reach int, truth int32) float64 {
	most, ties := int32(0), 0
	each(row, place, reach, func(i int32) {
		c := codes[i]
		if c < 0 {
			return
		}
		if int(c) >= len(n.counts) {
			n.counts = append(n.counts, make([]int32, int(c)+1-len(n.counts))...)
		}
		n.counts[c]++
		switch {
		case n.counts[c] > most:
			most, ties = n.counts[c], 1
		case n.counts[c] == most:
			ties++
		}
	})
	right := most > 0 && int(truth) < len(n.counts) && n.counts[truth] == most
	each(row, place, reach, func(i int32) {
		if c := codes[i]; c >= 0 {
			n.counts[c] = 0
		}
	})
	if !right {
		return 0
	}
	return 1 / float64(ties)
}
