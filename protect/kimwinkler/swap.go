package kimwinkler

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

const (
	rounds = 3  // how often records at risk are looked for and swapped
	asked  = 32 // so many records are asked, at most, before a record at risk finds no partner
	// numbers that stay behind differ when they are further apart, in standard deviations: nearer ones look alike to
	// anyone who knows them roughly
	apart = 0.1
)

// linkage links the originals to the masked rows of numbers, as an intruder does.
type linkage struct {
	dims     int
	original []float64        // record after record, standardised
	masked   []float64        // the same
	index    *neighbour.Index // of the masked rows
	from     []int32          // by record: whose masked row it carries
	risky    []bool           // by record: the row that it carries is the only nearest one to its original
	linkable []bool           // by record: it has a value to be linked by
	behind   []table.Column   // columns that stay where they are, and tell people apart
	near     []float64        // by such a column: numbers so far apart are alike
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

// assess works out the risk of the records for which due holds, and returns how many of all are at risk. The masked
// rows are the same no matter who carries them, so that of the others does not change.
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
	l.stay(t, p.behind())
	if len(l.behind) < 2 {
		return l.from // nobody differs from anybody in two columns that stay behind
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

// stay notes the columns of a table that stay where they are.
func (l *linkage) stay(t *table.Table, columns []int) {
	for _, j := range columns {
		near := 0.0
		if t.Attr(j).Kind == table.Numeric {
			near = float64(apart * deviation(t.Num(j)))
		}
		l.behind, l.near = append(l.behind, t.Column(j)), append(l.near, near)
	}
}

// deviation returns the standard deviation of the values that are there; 0 where there are none.
func deviation(values []float64) float64 {
	known := slices.DeleteFunc(slices.Clone(values), isMissing)
	if len(known) == 0 {
		return 0
	}
	_, variance := vector.PopMeanVariance(known)
	return math.Sqrt(variance)
}

// hides reports whether the row of numbers of one record looks like nobody's whole row beside what stays behind of
// another: that they differ in two columns at least. Of people who differ in fewer, a row that changes places still
// shows all that was known of its owner but for one column, and every measure of risk that goes by records takes it for
// a stranger's.
func (l *linkage) hides(row, record int32) bool {
	differ := 0
	for k := range l.behind {
		c := &l.behind[k]
		alike := false
		if c.Kind == table.Numeric {
			v, w := c.Num[row], c.Num[record]
			alike = math.Abs(v-w) <= l.near[k] || isMissing(v) && isMissing(w)
		} else {
			alike = c.Same(int(row), c, int(record))
		}
		if !alike {
			differ++
		}
	}
	return differ >= 2
}

// pair lets every record at risk exchange rows with the next record of its cell, which is in random order, where the
// exchange hides both; or with the next but one ...; or with one that was passed over. Each swaps once at most. Cost:
// O(1) for each record.
func (l *linkage) pair(lots []int32, swapped []bool) {
	var passed []int32
	for at, i := range lots {
		if swapped[i] {
			continue
		}
		other := int32(-1)
		if l.risky[i] {
			other = l.partner(i, lots[at+1:min(len(lots), at+1+asked)], passed, swapped)
		}
		switch {
		case other >= 0:
			l.from[i], l.from[other] = l.from[other], l.from[i]
			swapped[i], swapped[other] = true, true
		case len(passed) < asked:
			passed = append(passed, i)
		}
	}
}

// partner returns the first record that has not swapped, of several lots, with which a record may exchange rows, or -1.
func (l *linkage) partner(i int32, next, passed []int32, swapped []bool) int32 {
	for _, lots := range [][]int32{next, passed} {
		for _, other := range lots {
			if !swapped[other] && l.hides(l.from[i], other) && l.hides(l.from[other], i) {
				return other
			}
		}
	}
	return -1
}
