package microaggregation

import (
	"cmp"
	"math"
	"slices"
)

// rim finds the record farthest from the centre. It holds the outermost records, as seen from an earlier centre; by the
// triangle inequality a distance changes by no more than the centre has moved, so the first few of them decide, and
// when they do not a new rim is drawn.
type rim struct {
	l     *left
	gone  []bool  // by record: no more left
	alive []int32 // the records left when the rim was drawn, ascending
	from  []float64
	runs  []run
	order []int32 // the records of the runs
	cut   float64 // how far the records outside the rim were from that centre at most
}

// run is identical records. They leave in the order of their numbers, for ties go to the lowest.
type run struct {
	away   float64 // their distance from the centre the rim was drawn about
	lo, hi int32   // positions in order
}

const (
	share, least = 32, 64 // a rim has some 1/32 of all records, and no fewer than 64
	sampled      = 1024   // records that it is estimated by which ones these are
	doubt        = 1e-9   // more than rounding changes a distance by, relatively
	speck        = 1e-150 // and for distances whose squares vanish
)

func newRim(l *left, n int) rim {
	m := rim{l: l, gone: make([]bool, n), alive: make([]int32, n)}
	for i := range m.alive {
		m.alive[i] = int32(i)
	}
	return m
}

// farthest returns the record farthest from a point, the lowest of several. There must be one.
func (m *rim) farthest(c []float64) int {
	if m.from != nil {
		if record, sure := m.first(c); sure {
			return record
		}
	}
	m.draw(c)
	record, _ := m.first(c) // of a rim about c itself
	return record
}

// first returns the farthest of the rim, and whether no record outside it can be farther. Runs of which nothing is left
// are dropped.
func (m *rim) first(c []float64) (record int, sure bool) {
	moved := float64(math.Sqrt(m.l.squared(c, m.from)) * (1 + doubt))
	record, squared := -1, -1.0
	beyond := math.Inf(-1) // who is less far is no rival
	kept, seen := 0, 0
	for ; seen < len(m.runs) && !sure; seen++ {
		r := m.runs[seen]
		for r.lo < r.hi && m.gone[m.order[r.lo]] {
			r.lo++
		}
		if r.lo == r.hi {
			continue
		}
		m.runs[kept] = r
		kept++
		if sure = r.away+moved < beyond; sure {
			continue
		}
		i := int(m.order[r.lo])
		if d := m.l.squared(m.l.row(i), c); d > squared || d == squared && i < record {
			record, squared = i, d
			beyond = float64(math.Sqrt(d)*(1-doubt)) - speck
		}
	}
	copy(m.runs[seen-kept:seen], m.runs[:kept])
	m.runs = m.runs[seen-kept:]
	return record, sure || m.cut+moved < beyond
}

// draw makes the rim about a point.
func (m *rim) draw(c []float64) {
	m.from = append(m.from[:0], c...)
	m.alive = slices.DeleteFunc(m.alive, func(i int32) bool { return m.gone[i] })
	away := m.l.distances(c, m.alive)
	limit, inside := threshold(away), math.Inf(-1)
	var at []int32 // positions in alive
	for i, d := range away {
		if d >= limit {
			at = append(at, int32(i))
		} else {
			inside = max(inside, d)
		}
	}
	m.cut = math.Sqrt(max(inside, 0))
	if len(at) == len(away) {
		m.cut = math.Inf(-1)
	}
	slices.SortFunc(at, func(a, b int32) int {
		if c := cmp.Compare(away[b], away[a]); c != 0 {
			return c
		}
		return cmp.Or(slices.Compare(m.l.row(int(m.alive[a])), m.l.row(int(m.alive[b]))), cmp.Compare(a, b))
	})
	m.order, m.runs = m.order[:0], nil
	for k, i := range at {
		record := m.alive[i]
		m.order = append(m.order, record)
		if k > 0 && away[at[k-1]] == away[i] && slices.Equal(m.l.row(int(m.order[k-1])), m.l.row(int(record))) {
			m.runs[len(m.runs)-1].hi++
			continue
		}
		m.runs = append(m.runs, run{away: math.Sqrt(away[i]), lo: int32(k), hi: int32(k + 1)})
	}
}

// threshold returns a squared distance that about 1/share of the given ones reach; 0 where they are few.
func threshold(squared []float64) float64 {
	n := len(squared)
	if n <= least {
		return 0
	}
	var some []float64
	for i := 0; i < n; i += max(1, n/sampled) {
		some = append(some, squared[i])
	}
	slices.Sort(some)
	return some[len(some)-1-len(some)*max(least, n/share)/n]
}
