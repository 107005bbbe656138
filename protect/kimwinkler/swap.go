package kimwinkler

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/neighbour"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// rounds is how often records at risk are looked for and swapped.
const rounds = 3

// linkage links the originals to the masked rows of numbers, as an intruder does.
type linkage struct {
	dims     int
	original []float64        // record after record, standardised
	masked   []float64        // the same
	index    *neighbour.Index // of the masked rows
	from     []int32          // by record: whose masked row it carries
	risky    []bool           // by record: the row that it carries is the only nearest one to its original
	linkable []bool           // by record: it has a value to be linked by
}

// link builds the linkage of the columns before any swap.
func (p *Plan) link(x, y [][]float64) *linkage {
	sd := p.deviations()
	n := len(x[0])
	l := &linkage{dims: len(x), original: neighbour.Points(x, p.Mean, sd), masked: neighbour.Points(y, p.Mean, sd),
		from: make([]int32, n), risky: make([]bool, n), linkable: make([]bool, n)}
	l.index = neighbour.Build(l.masked, l.dims)
	for i := range l.from {
		l.from[i] = int32(i)
		for _, col := range x {
			l.linkable[i] = l.linkable[i] || !isMissing(col[i])
		}
	}
	return l
}

// assess works out the risk of the records for which due holds, and returns how many of all are at risk. The masked rows are the same
// whoever carries them, so that of the others does not change.
func (l *linkage) assess(due func(i int) bool) int {
	p := l.dims
	_ = l.index.Own(context.Background(), func(s *neighbour.Search, i int, _ []float64) {
		if !l.linkable[i] || !due(i) {
			return
		}
		x, y := l.original[i*p:i*p+p], l.masked[int(l.from[i])*p:][:p]
		l.risky[i] = s.Count(x, neighbour.Squared(x, y), 2) == 1
	})
	n := 0
	for _, r := range l.risky {
		if r {
			n++
		}
	}
	return n
}

// swap returns for every record whose masked row it carries in the release. Cost: O(n log n) for few attributes.
func (p *Plan) swap(t *table.Table, x, y [][]float64, g *groups, src rng.Source) []int32 {
	l := p.link(x, y)
	if len(p.parted()) == 0 {
		return l.from // whole rows would change places: the release would be the same but for its order, and every measure of risk take a person's row for a stranger's
	}
	swapped := make([]bool, t.Rows())
	for round := range rounds {
		risky := l.assess(func(i int) bool { return round == 0 || swapped[i] })
		if float64(risky)*100 <= p.Target*float64(t.Rows()) {
			break
		}
		c := g.partner
		if round == 0 {
			c = g.near
		}
		clear(swapped)
		lots := shuffle(t, c, src.Fork(fmt.Sprint("round ", round)).Stream())
		for cell := range c.n {
			l.pair(lots.of(cell), swapped)
		}
	}
	return l.from
}

// pair lets every record at risk exchange rows with the next record of its cell, which is in random order; the last one with one
// that was passed over. Each swaps once at most.
func (l *linkage) pair(lots []int32, swapped []bool) {
	passed := int32(-1)
	for at := 0; at < len(lots); at++ {
		i := lots[at]
		if !l.risky[i] {
			if passed < 0 {
				passed = i
			}
			continue
		}
		other := passed
		if at+1 < len(lots) {
			at++
			other = lots[at]
		}
		if other >= 0 {
			l.from[i], l.from[other] = l.from[other], l.from[i]
			swapped[i], swapped[other] = true, true
		}
	}
}
