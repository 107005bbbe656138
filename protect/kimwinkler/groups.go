package kimwinkler

import (
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// cells numbers the groups of a partition of the records, in no particular order.
type cells struct {
	of []int32 // by record
	n  int
}

// refine splits every cell by a number of 0..codes-1 that each record has. Cost: O(records), and a map where cells and
// codes are many.
func (c cells) refine(codes int, code func(i int) int) cells {
	out := cells{of: make([]int32, len(c.of))}
	var known []int32 // one more than the new number
	var seen map[int]int32
	if c.n*codes <= 4*len(c.of)+1024 {
		known = make([]int32, c.n*codes)
	} else {
		seen = map[int]int32{}
	}
	for i, old := range c.of {
		at := int(old)*codes + code(i)
		var cell int32
		if known != nil {
			cell = known[at]
		} else {
			cell = seen[at]
		}
		if cell == 0 {
			out.n++
			cell = int32(out.n)
			if known != nil {
				known[at] = cell
			} else {
				seen[at] = cell
			}
		}
		out.of[i] = cell - 1
	}
	return out
}

// groups are the partitions that the steps work in.
type groups struct {
	keys    cells // records with the same keys
	partner cells // that also miss the same values
	alike   []int // how many records a cell of partner holds
	near    cells // that are of the same size, too
}

// group partitions the records.
func (p *Plan) group(t *table.Table) *groups {
	g := &groups{keys: cells{make([]int32, t.Rows()), 1}}
	for _, j := range p.Keys {
		codes := t.Cat(j)
		g.keys = g.keys.refine(len(p.Attrs[j].Labels)+1, func(i int) int { return int(codes[i]) + 1 })
	}
	g.partner = g.keys
	for _, j := range p.Columns {
		v := t.Num(j)
		if !slices.ContainsFunc(v, isMissing) {
			continue
		}
		g.partner = g.partner.refine(2, func(i int) int {
			if isMissing(v[i]) {
				return 1
			}
			return 0
		})
	}
	g.alike = make([]int, g.partner.n)
	for _, c := range g.partner.of {
		g.alike[c]++
	}
	sizes := p.sizes(t)
	g.near = g.partner.refine(len(p.Cuts)+1, func(i int) int {
		bin, found := slices.BinarySearch(p.Cuts, sizes[i])
		if found {
			bin++
		}
		return bin
	})
	return g
}

func isMissing(v float64) bool { return v != v }

// sizes returns the mean of the standardised values that each record has; NaN where it has none.
func (p *Plan) sizes(t *table.Table) []float64 {
	sum, n := make([]float64, t.Rows()), make([]float64, t.Rows())
	sd := p.deviations()
	for k, j := range p.Columns {
		if sd[k] == 0 {
			continue
		}
		for i, v := range t.Num(j) {
			if !isMissing(v) {
				sum[i] += (v - p.Mean[k]) / sd[k]
				n[i]++
			}
		}
	}
	for i := range sum {
		sum[i] /= n[i]
	}
	return sum
}

// deck holds the records cell by cell, those of a cell in random order.
type deck struct {
	lots  []int32
	start []int // the records of cell c are lots[start[c]:start[c+1]]
}

// shuffle returns the records of the cells in an order that depends on their identities and the stream alone. Cost:
// O(n).
func shuffle(t *table.Table, c cells, s rng.Stream) deck {
	blocks, keys := make([]rng.Block, t.Rows()), make([]uint64, t.Rows())
	ids, first := t.IDs()
	rng.Blocks(s, blocks, ids, first)
	for i, b := range blocks {
		keys[i] = b.A
	}
	d := deck{lots: make([]int32, t.Rows()), start: make([]int, c.n+1)}
	for _, cell := range c.of {
		d.start[cell+1]++
	}
	for cell := range c.n {
		d.start[cell+1] += d.start[cell]
	}
	next := slices.Clone(d.start)
	for _, i := range rank.Words(keys) {
		cell := c.of[i]
		d.lots[next[cell]] = i
		next[cell]++
	}
	return d
}

// of returns the records of a cell.
func (d *deck) of(cell int) []int32 { return d.lots[d.start[cell]:d.start[cell+1]] }
