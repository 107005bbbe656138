package forests

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/mining/discretise"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/table"
)

// data is the training table, every attribute divided into few values.
type data struct {
	ctx     context.Context
	s       float64
	rows    []int32 // records that have a class
	class   []int32 // by record
	classes int
	attrs   []attr
}

// attr is an attribute that has at least two values, coded from 0.
type attr struct {
	column int
	codes  []int32   // by record
	size   int       // number of codes
	cuts   []float64 // numeric: code c has the values in (cuts[c-1], cuts[c]]
	labels []int32   // categorical: the category of every code
	width  int       // categorical: number of categories, with those that no record has
}

// each calls f(0), ..., f(n-1) on so many goroutines.
func each(workers, n int, f func(k int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
				f(int(k))
			}
		})
	}
	group.Wait()
}

// code divides the input columns; those of one value are dropped.
func (d *data) code(t *table.Table, workers int, input func(j int) bool) {
	attrs := make([]attr, t.Width())
	terms := criterion.Terms(len(d.rows))
	each(workers, len(attrs), func(j int) {
		if !input(j) || d.ctx.Err() != nil {
			return
		}
		switch a := t.Attr(j); a.Kind {
		case table.Numeric:
			attrs[j] = d.numeric(t.Num(j), terms)
		case table.Categorical:
			attrs[j] = d.categorical(t.Cat(j), len(a.Labels))
		case table.SetValued: // no input
		}
		attrs[j].column = j
	})
	d.attrs = slices.DeleteFunc(attrs, func(a attr) bool { return a.size < 2 })
}

// numeric cuts a numeric attribute. Missing values count as the mean.
func (d *data) numeric(values []float64, terms []int64) attr {
	var sum exact.Sum
	known := 0
	for _, i := range d.rows {
		if v := values[i]; v == v {
			known++
			sum.Add(v)
		}
	}
	if known == 0 {
		return attr{}
	}
	mean := sum.Mean(known)
	filled := func(i int32) float64 {
		if v := values[i]; v == v {
			return v
		}
		return mean
	}
	m := discretise.MDL{Points: make([]discretise.Point, len(d.rows)), Terms: terms, Classes: d.classes}
	for k, i := range d.rows {
		m.Points[k] = discretise.Point{Value: filled(i), Class: d.class[i]}
	}
	a := attr{cuts: m.Cuts(), codes: make([]int32, len(values))}
	a.size = len(a.cuts) + 1
	for _, i := range d.rows {
		c, _ := slices.BinarySearch(a.cuts, filled(i))
		a.codes[i] = int32(c)
	}
	return a
}

// categorical numbers the categories that records have. Missing values count as the most frequent one, the first of
// equal ones.
func (d *data) categorical(codes []int32, width int) attr {
	count := make([]int, width)
	for _, i := range d.rows {
		if c := codes[i]; c >= 0 {
			count[c]++
		}
	}
	a := attr{codes: make([]int32, len(codes)), width: width}
	mode, number := 0, make([]int32, width)
	for c, n := range count {
		if n > count[mode] {
			mode = c
		}
		if n > 0 {
			number[c] = int32(len(a.labels))
			a.labels = append(a.labels, int32(c))
		}
	}
	if a.size = len(a.labels); a.size < 2 {
		return attr{}
	}
	for _, i := range d.rows {
		c := codes[i]
		if c < 0 {
			c = int32(mode)
		}
		a.codes[i] = number[c]
	}
	return a
}

// rank returns the positions of the attributes of positive gain, the best first.
func (d *data) rank() []int {
	s := newScratch(d)
	gain := make([]float64, len(d.attrs))
	var order []int
	counts := d.count(d.rows)
	for k := range d.attrs {
		if gain[k] = s.gain(&d.attrs[k], d.rows, counts); gain[k] > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(gain[y], gain[x]) })
	return order
}

// count returns the class counts of records.
func (d *data) count(rows []int32) []float64 {
	counts := make([]float64, d.classes)
	for _, i := range rows {
		counts[d.class[i]]++
	}
	return counts
}
