package attackers

import (
	"math"
	"slices"
)

// scanner compares one person after another with all records. Every goroutine needs its own.
type scanner struct {
	t       *Team
	a       *Attacker
	place   []int32 // of a record where they are in another order; nil where they are not
	of      []int32 // whose it is; nil where every record is a person's
	gaps    bool
	clues   []scored
	person  int     // place
	record  int     // the own one
	mine    []int32 // all records of the person, where there are several
	owns    []float64
	acc     []float64
	at      []int32
	codes   []int32 // room for those of a block
	best    []coded // room for those of a clue
	crowd   float64 // somebody of so many equals, or more, is not found
	lean    bool    // scores of many values are not kept
	Visited float64 // sums of a record and a clue that were taken, and scores that were worked out
}

// scored is the scores of a clue for the person. They are worked out when they are asked for; once that are as many as
// there are codes, all at once.
type scored struct {
	*clue
	of    scorer
	table []float64 // by code; valid where full is true
	full  bool
	asked int  // scores, one by one
	done  bool // the person has been turned to
	says  bool // there is something to compare
	most  float64
	own   float64
	owns  []float64 // by record of the person, where there are several
}

func newScanner(t *Team, a *Attacker, gaps bool) *scanner {
	s := &scanner{
		t:     t,
		a:     a,
		of:    t.of,
		gaps:  gaps,
		clues: make([]scored, len(a.clues)),
		acc:   make([]float64, block),
		at:    make([]int32, block),
		codes: make([]int32, 0, block),
		crowd: math.Inf(1),
	}
	for k := range a.clues {
		s.clues[k].clue, s.clues[k].of = &a.clues[k], a.clues[k].scorer()
	}
	return s
}

// perScore is how many comparisons working out a score is worth.
const perScore = 8

// block is how many records are taken through the clues at a time.
const block = 2048

// look turns to the person at a place.
func (s *scanner) look(person int) {
	for k := range s.clues {
		s.clues[k].done = false
	}
	s.person, s.record, s.mine = person, s.t.Rows[person], nil
	if s.t.of != nil {
		if rows := s.t.mine[s.t.of[s.record]]; len(rows) > 1 {
			s.mine = rows
		}
	}
	if s.place != nil {
		s.record, s.mine = int(s.place[s.record]), picked(s.place, s.mine)
	}
}

// code returns what a record shows of a clue.
func (c *clue) code(record int) int {
	switch {
	case c.small != nil:
		return int(c.small[record])
	case c.codes == nil:
		return record
	}
	return int(c.codes[record])
}

// scores makes sure that scores of a clue can be asked for, and reports whether it says anything of the person.
func (s *scanner) scores(k int) bool {
	c := &s.clues[k]
	if c.done {
		return c.says
	}
	c.done, c.full, c.asked = true, false, 0
	if c.most, c.says = c.of.person(s.person, s.gaps); c.says {
		s.Visited += perScore
		if c.share == nil { // a density, which is worked out for all records
			s.Visited += perScore * float64(c.values)
		}
		s.codes = append(s.codes[:0], int32(c.code(s.record)))
		own := []float64{0}
		c.of.add(own, s.codes)
		c.own = own[0]
		if s.mine != nil {
			s.codes = s.codes[:0]
			for _, r := range s.mine {
				s.codes = append(s.codes, int32(c.code(int(r))))
			}
			c.owns = slices.Grow(c.owns[:0], len(s.mine))[:len(s.mine)]
			clear(c.owns)
			c.of.add(c.owns, s.codes)
			s.Visited += perScore * float64(len(s.mine)-1)
		}
	}
	return c.says
}

// ready makes ready for so many scores, and reports whether the table has them all.
func (s *scanner) ready(c *scored, scores int) bool {
	if c.full {
		return true
	}
	if c.asked += scores; c.asked <= c.values || s.lean && c.values > block {
		s.Visited += perScore * float64(scores)
		return false
	}
	if c.table == nil {
		c.table = make([]float64, c.values)
	}
	clear(c.table)
	for from := 0; from < c.values; from += block {
		to := min(from+block, c.values)
		s.codes = s.codes[:0]
		for code := from; code < to; code++ {
			s.codes = append(s.codes, int32(code))
		}
		c.of.add(c.table[from:to], s.codes)
	}
	s.Visited += perScore * float64(c.values)
	c.full = true
	return true
}

// tied is how far sums of scores may be apart, for their size, and be equal: they are taken in one order, so they
// differ by rounding.
func tied(v float64) float64 { return float64(1e-9 * (1 + math.Abs(v))) }

// nested writes the credit for the person into dst for every subset that the clues of an order, from the first on, make
// up; with only, for the last.
func (s *scanner) nested(dst []float64, order []int, only bool) {
	n := len(order)
	own, ties, need, hers := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	alive, sum := make([]bool, n), 0.0
	s.turn()
	for k, c := range order {
		sum = s.sum(c, sum)
		own[k], alive[k] = sum, (!s.a.strict || sum > mismatch/2) && (!only || k == n-1)
	}
	last := s.lastOf(alive, n, order, own, need)
	if at, ok := s.first(order); ok {
		s.lookUp(order, at, last, own, need, ties, hers, alive)
	} else {
		records := s.t.release.Released.Rows()
		for from := 0; from < records && last >= 0; from += block {
			s.through(order[:last+1], from, min(block, records-from), own, need, ties, hers, alive)
			last = s.lastOf(alive, last, order, own, need)
		}
	}
	for k := range dst {
		if dst[k] = 0; alive[k] {
			dst[k] = 1 / max(1, ties[k])
			if s.mine != nil {
				dst[k] = hers[k] / max(1, ties[k])
			}
		}
	}
}

// turn begins the sums of the own records.
func (s *scanner) turn() {
	s.owns = slices.Grow(s.owns[:0], len(s.mine))[:len(s.mine)]
	clear(s.owns)
}

// sum adds the score of a clue to the sum of the own record; of several it returns that of the best.
func (s *scanner) sum(clue int, sum float64) float64 {
	if !s.scores(clue) {
		return sum
	}
	if s.mine == nil {
		return sum + s.clues[clue].own
	}
	for i, v := range s.clues[clue].owns {
		s.owns[i] += v
	}
	return slices.Max(s.owns)
}

// lastOf returns the last subset by which somebody may still be found, -1 for none, and what records need for it where
// it is not the one before.
func (s *scanner) lastOf(alive []bool, before int, order []int, own, need []float64) int {
	last := len(alive) - 1
	for last >= 0 && !alive[last] {
		last--
	}
	if last != before && last >= 0 {
		s.needs(need, own, order, last)
	}
	return last
}

// needs writes the sums that a record must have after each clue to be as good as the own one after the last, or after
// any before.
func (s *scanner) needs(need, own []float64, order []int, last int) {
	short := 0.0 // what the own record lacks of the most from the next clue on
	for k := last; k >= 0; k-- {
		need[k] = own[k] - short
		need[k] -= tied(need[k])
		switch c := &s.clues[order[k]]; {
		case !c.says:
		case s.mine == nil:
			short += c.most - c.own
		case k > 0:
			short += c.most - (own[k] - own[k-1])
		}
	}
}

// through takes a block of records through the clues, drops those that cannot be as good as the own one any more, and
// counts those that are as good. Of a subset for which one is better the person is not found: it is not alive.
func (s *scanner) through(order []int, from, n int, own, need, ties, hers []float64, alive []bool) {
	acc, at := s.acc[:n], s.at[:n]
	for k, c := range order {
		if s.clues[c].says {
			left := s.take(&s.clues[c], acc, at, need[k], from, true)
			s.on(order, k, acc[:left], at[:left], own, need, ties, hers, alive)
			return
		}
		s.equal(k, n, ties, hers, alive) // nothing known says anything: all are equal
	}
}

// equal counts so many records among which a subset does not tell.
func (s *scanner) equal(k, n int, ties, hers []float64, alive []bool) {
	if ties[k] += float64(n); ties[k] >= s.crowd {
		alive[k] = false
	}
	hers[k] = float64(len(s.mine))
}

// on takes records on from a clue that they have the scores of.
func (s *scanner) on(order []int, from int, acc []float64, at []int32, own, need, ties, hers []float64, alive []bool) {
	for k := from; k < len(order) && len(at) > 0; k++ {
		if c := &s.clues[order[k]]; k > from && c.says {
			left := s.take(c, acc, at, need[k], 0, false)
			acc, at = acc[:left], at[:left]
		}
		if !alive[k] {
			continue
		}
		margin, equal := tied(own[k]), 0.0
		for i, v := range acc {
			if v >= own[k]-margin {
				if s.mine != nil && s.of[at[i]] == s.of[s.record] {
					hers[k]++
				} else if v > own[k]+margin {
					alive[k] = false
					break
				}
				equal++
			}
		}
		if ties[k] += equal; ties[k] >= s.crowd {
			alive[k] = false
		}
	}
}

// take adds the scores of a clue and keeps the records that have what they need; it returns how many. The first clue of
// a block, where the records are still fresh, finds them from one on.
func (s *scanner) take(c *scored, acc []float64, at []int32, need float64, from int, fresh bool) (left int) {
	s.Visited += float64(len(at))
	full := s.ready(c, len(at))
	switch {
	case !full:
		if fresh {
			clear(acc)
			for i := range at {
				at[i] = int32(from + i)
			}
		}
		s.codes = s.codes[:0]
		for _, r := range at {
			s.codes = append(s.codes, int32(c.code(int(r))))
		}
		c.of.add(acc, s.codes)
		for i, r := range at {
			v := acc[i]
			if acc[left], at[left] = v, r; v >= need {
				left++
			}
		}
		return left
	case fresh && c.small != nil:
		return begun(c.table, c.small, acc, at, need, from)
	case fresh && c.codes != nil:
		return begun(c.table, c.codes, acc, at, need, from)
	case fresh:
		for i, v := range c.table[from : from+len(acc)] {
			if acc[left], at[left] = v, int32(from+i); v >= need {
				left++
			}
		}
		return left
	case c.small != nil:
		return added(c.table, c.small, acc, at, need)
	case c.codes != nil:
		return added(c.table, c.codes, acc, at, need)
	}
	for i, r := range at {
		v := acc[i] + c.table[r]
		if acc[left], at[left] = v, r; v >= need {
			left++
		}
	}
	return left
}

// begun is take for fresh records from one on, by their codes and the scores of these.
func begun[C uint8 | int32](row []float64, codes []C, acc []float64, at []int32, need float64, from int) (left int) {
	for i, code := range codes[from : from+len(acc)] {
		v := row[code]
		if acc[left], at[left] = v, int32(from+i); v >= need {
			left++
		}
	}
	return left
}

// added is take for records that have scores of other clues.
func added[C uint8 | int32](row []float64, codes []C, acc []float64, at []int32, need float64) (left int) {
	for i, r := range at {
		v := acc[i] + row[codes[r]]
		if acc[left], at[left] = v, r; v >= need {
			left++
		}
	}
	return left
}

// claim is whom an attacker takes for a person.
type claim struct {
	credit float64 // 1/t when the own record is one of t best, else 0
	ties   float64 // the best records; 0 for no claim
	sure   float64 // how far the score of the next record is below that of the best, up to distant; 0 for ties
}

// distant is how far below the best the next record may be and tell how sure an attacker is: odds of 3000 to one or, by
// distance, 16 variances.
const distant = 8

// claims looks through all records: whom the attacker takes for the person, and how sure.
func (s *scanner) claims(subset []int) claim {
	own, most := 0.0, 0.0
	s.turn()
	for _, c := range subset {
		own = s.sum(c, own)
		if s.clues[c].says {
			most += s.clues[c].most
		}
	}
	best, second, ties, hers := math.Inf(-1), math.Inf(-1), 0.0, 0.0
	records := s.t.release.Released.Rows()
	for from := 0; from < records; from += block {
		n := min(block, records-from)
		acc, at, fresh := s.acc[:n], s.at[:n], true
		short := most
		for _, c := range subset {
			if !s.clues[c].says {
				continue
			}
			short -= s.clues[c].most
			left := s.take(&s.clues[c], acc, at, s.worth(max(best, own), second)-short, from, fresh)
			acc, at, fresh = acc[:left], at[:left], false
		}
		if fresh {
			clear(acc)
			for i := range at {
				at[i] = int32(from + i)
			}
		}
		for i, v := range acc {
			one := 0.0
			if s.mine != nil && s.of[at[i]] == s.of[s.record] {
				one = 1
			}
			switch margin := tied(best); {
			case math.IsInf(best, -1) || v > best+margin:
				ties, second, best, hers = 1, best, v, one
			case v >= best-margin:
				ties, second, hers = ties+1, best, hers+one
			default:
				second = max(second, v)
			}
		}
	}
	if s.a.strict && best < mismatch/2 {
		return claim{}
	}
	c := claim{ties: ties, sure: best - max(second, best-distant)}
	if own >= best-tied(best) {
		c.credit = 1 / ties
		if s.mine != nil {
			c.credit = max(1, hers) / ties
		}
	}
	return c
}

// worth returns what score a record must have to tell who is the best, which has at least the one given, and how far
// the next is.
func (s *scanner) worth(best, second float64) float64 {
	if s.a.strict {
		return mismatch / 2
	}
	return max(second-tied(second), best-distant)
}
