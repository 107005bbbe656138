package microaggregation

import (
	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/mining/neighbour"
)

// among tallies the records of a group.
func (l *left) among(near []closest) *headcount.Tally {
	own := headcount.Of(l.whose)
	for _, n := range near {
		own.Add(n.record)
	}
	return own
}

// around returns the records left that are nearest to one and make k with it: k people, where people have several
// records. There are so many.
func (l *left) around(record, k int) []neighbour.Hit {
	if l.whose == nil {
		return l.index.nearest(l.row(record), k-1, record)
	}
	for ask := 2 * k; ; ask *= 2 {
		hits := l.index.nearest(l.row(record), ask, record)
		own := headcount.Of(l.whose)
		if own.Add(record) == k {
			return hits[:0]
		}
		for n, h := range hits {
			if own.Add(h.Record) == k {
				return hits[:n+1]
			}
		}
	}
}

// adoptMany is adopt where people have several records: those left may be many.
func (l *left) adoptMany(g *grouping) {
	var grouped []int32
	for i, gone := range l.rim.gone {
		if gone {
			grouped = append(grouped, int32(i))
		}
	}
	if len(grouped) == len(l.rim.gone) {
		return
	}
	index := newIndex(gather(l.points, l.dims, grouped), l.centre.kinds, nil)
	for i, gone := range l.rim.gone {
		if !gone {
			near := index.nearest(l.row(i), 1, -1)[0]
			g.group[i] = g.group[grouped[near.Record]]
		}
	}
}
