package attackers

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/table"
)

// An attacker who goes through the records that show the likeliest value first, and leaves out those whose value cannot
// be made up for, finds the same record as one who goes through all, and sooner: who is not found loses to one of the
// first, and for who is found only few are looked at.

// index lists the records by code, once they are asked for.
type index func() *table.Lists

func newIndex(codes []int32, values int) index {
	return sync.OnceValue(func() *table.Lists {
		out := &table.Lists{Start: make([]int, values+1), Codes: make([]int32, len(codes))}
		for _, c := range codes {
			out.Start[c+1]++
		}
		for c := range values {
			out.Start[c+1] += out.Start[c]
		}
		next := slices.Clone(out.Start)
		for i, c := range codes {
			out.Codes[next[c]] = int32(i)
			next[c]++
		}
		return out
	})
}

// coded is a code with its score.
type coded struct {
	code  int32
	score float64
}

// first returns the place of the first clue of an order that says something of the person, if records can be looked up
// by it.
func (s *scanner) first(order []int) (at int, ok bool) {
	for k, c := range order {
		if s.clues[c].says {
			return k, s.clues[c].index != nil
		}
	}
	return 0, false
}

// likeliest returns the codes of a clue with the scores that a record needs, the highest first.
func (s *scanner) likeliest(c *scored, need float64) []coded {
	s.ready(c, c.values+1) // more than there are: all at once
	s.best = s.best[:0]
	for code, v := range c.table {
		if v >= need {
			s.best = append(s.best, coded{int32(code), v})
		}
	}
	slices.SortFunc(s.best, func(a, b coded) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.code, b.code))
	})
	return s.best
}

// lookUp is through for all records that can be as good as the own one, by the first clue that says something. Of what
// comes before it nothing tells the records apart.
func (s *scanner) lookUp(order []int, at, last int, own, need, ties, hers []float64, alive []bool) {
	records := s.t.release.Released.Rows()
	for k := range at {
		s.equal(k, records, ties, hers, alive)
	}
	last = s.lastOf(alive, last, order, own, need)
	if last < at {
		return
	}
	c := &s.clues[order[at]]
	lists := c.index()
	for _, l := range s.likeliest(c, need[at]) {
		for rows := lists.Row(int(l.code)); len(rows) > 0 && l.score >= need[at]; {
			n := min(block, len(rows))
			acc, rec := s.acc[:n], s.at[:n]
			copy(rec, rows)
			for i := range acc {
				acc[i] = l.score
			}
			rows = rows[n:]
			s.Visited += float64(n)
			s.on(order[:last+1], at, acc, rec, own, need, ties, hers, alive)
			if last = s.lastOf(alive, last, order, own, need); last < at {
				return
			}
		}
	}
}

// quick returns an order of the clues of an attack in which records are looked up by the one that tells the most apart.
func (t *Team) quick(c *Choice) []int {
	order := slices.Clone(c.clues)
	best, fewest := 0, math.Inf(1)
	for k, at := range order {
		cl := &c.By.clues[at]
		if cl.index == nil {
			continue
		}
		same := perScore * float64(cl.values) / float64(t.release.Released.Rows()) // and what it takes to find them
		for _, share := range cl.share {
			same += float64(share * share)
		}
		if same < fewest {
			best, fewest = k, same
		}
	}
	return slices.Insert(slices.Delete(order, best, best+1), 0, c.clues[best])
}
