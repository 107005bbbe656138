package microaggregation

import (
	"github.com/dither-data/dither/internal/neighbour"
)

// crowd is whose some records are, with how many of them each person has there.
type crowd struct {
	whose []int32
	have  []int32 // by person
	here  int     // people with a record
}

// newCrowd returns the crowd of all records.
func newCrowd(whose []int32) *crowd {
	c := &crowd{whose: whose}
	for _, p := range whose {
		for int(p) >= len(c.have) {
			c.have = append(c.have, 0)
		}
		if c.have[p]++; c.have[p] == 1 {
			c.here++
		}
	}
	return c
}

func (c *crowd) remove(record int) {
	p := c.whose[record]
	if c.have[p]--; c.have[p] == 0 {
		c.here--
	}
}

// tally counts whose some records are; it is as many as there are records where nobody has several.
type tally struct {
	whose   []int32 // nil where every record is a person's
	records int
	seen    map[int32]bool
}

// add adds a record, and returns how many people there are.
func (a *tally) add(record int) int {
	a.records++
	if a.whose != nil {
		if a.seen == nil {
			a.seen = map[int32]bool{}
		}
		a.seen[a.whose[record]] = true
	}
	return a.size()
}

func (a *tally) size() int {
	if a.whose != nil {
		return len(a.seen)
	}
	return a.records
}

// known adds those of some records that have a value.
func (a *tally) known(v []float64, records []int32) {
	for _, i := range records {
		if v[i] == v[i] {
			a.add(int(i))
		}
	}
}

// clear forgets the records.
func (a *tally) clear() {
	a.records = 0
	clear(a.seen)
}

// among tallies the records of a group.
func (c *crowd) among(near []closest) *tally {
	own := &tally{}
	if c != nil {
		own.whose = c.whose
	}
	for _, n := range near {
		own.add(n.record)
	}
	return own
}

// around returns the records left that are nearest to one and make k with it: k people, where people have several records. There are so many.
func (l *left) around(record, k int) []neighbour.Hit {
	if l.crowd == nil {
		return l.index.nearest(l.row(record), k-1, record)
	}
	for ask := 2 * k; ; ask *= 2 {
		hits := l.index.nearest(l.row(record), ask, record)
		own := tally{whose: l.crowd.whose}
		if own.add(record) == k {
			return hits[:0]
		}
		for n, h := range hits {
			if own.add(h.Record) == k {
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
