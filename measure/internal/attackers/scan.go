package attackers

import (
	"math"
	"slices"
)

// scanner compares one person after another with all records. Every goroutine needs its own.
type scanner struct {
	t       *Team
	a       *Attacker
	gaps    bool
	rowers  []func(dst []float64, k int, gaps bool) bool
	rows    [][]float64 // by clue: the scores by code; valid where done is true
	done    []bool
	says    []bool // by clue: the person has something to compare
	most    []float64
	own     []float64
	person  int // place
	record  int // the own one
	acc     []float64
	at      []int32
	Visited float64 // sums of a record and a clue that were taken, and scores of codes
}

func newScanner(t *Team, a *Attacker, gaps bool) *scanner {
	n := len(a.clues)
	s := &scanner{t: t, a: a, gaps: gaps, rows: make([][]float64, n), done: make([]bool, n), says: make([]bool, n), most: make([]float64, n),
		own: make([]float64, n), acc: make([]float64, block), at: make([]int32, block)}
	for k := range a.clues {
		s.rowers = append(s.rowers, a.clues[k].row())
	}
	return s
}

// perScore is how many comparisons working out a score is worth.
const perScore = 8

// block is how many records are taken through the clues at a time.
const block = 2048

// look turns to the person at a place.
func (s *scanner) look(person int) {
	clear(s.done)
	s.person, s.record = person, s.t.Rows[person]
}

// code returns what a record shows of a clue.
func (c *clue) code(record int) int {
	if c.codes == nil {
		return record
	}
	return int(c.codes[record])
}

// scores makes sure that the scores of a clue are there, and reports whether it says anything of the person.
func (s *scanner) scores(k int) bool {
	if s.done[k] {
		return s.says[k]
	}
	c := &s.a.clues[k]
	if s.rows[k] == nil {
		s.rows[k] = make([]float64, c.values)
	}
	s.done[k] = true
	if s.says[k] = s.rowers[k](s.rows[k], s.person, s.gaps); s.says[k] {
		s.Visited += perScore * float64(c.values)
		s.most[k] = slices.Max(s.rows[k])
		s.own[k] = s.rows[k][c.code(s.record)]
	}
	return s.says[k]
}

// tied is how far sums of scores may be apart, for their size, and be equal: they are taken in one order, so they differ by rounding.
func tied(v float64) float64 { return 1e-9 * (1 + math.Abs(v)) }

// nested writes the credit for the person into dst for every subset that the clues of an order, from the first on, make up; with only, for the last.
func (s *scanner) nested(dst []float64, order []int, only bool) {
	n := len(order)
	own, ties, need := make([]float64, n), make([]float64, n), make([]float64, n)
	alive, sum := make([]bool, n), 0.0
	for k, c := range order {
		if s.scores(c) {
			sum += s.own[c]
		}
		own[k], alive[k] = sum, (!s.a.strict || sum > mismatch/2) && (!only || k == n-1)
	}
	last := lastOf(alive)
	s.needs(need, own, order, last)
	records := s.t.release.Released.Rows()
	for from := 0; from < records && last >= 0; from += block {
		s.through(order[:last+1], from, min(block, records-from), own, need, ties, alive)
		if l := lastOf(alive); l < last {
			last = l
			s.needs(need, own, order, last)
		}
	}
	for k := range dst {
		if dst[k] = 0; alive[k] {
			dst[k] = 1 / max(1, ties[k])
		}
	}
}

func lastOf(alive []bool) int {
	for k := len(alive) - 1; k >= 0; k-- {
		if alive[k] {
			return k
		}
	}
	return -1
}

// needs writes the sums that a record must have after each clue to be as good as the own one after the last, or after any before.
func (s *scanner) needs(need, own []float64, order []int, last int) {
	short := 0.0 // what the own record lacks of the most from the next clue on
	for k := last; k >= 0; k-- {
		need[k] = own[k] - short
		need[k] -= tied(need[k])
		if c := order[k]; s.says[c] {
			short += s.most[c] - s.own[c]
		}
	}
}

// through takes a block of records through the clues, drops those that cannot be as good as the own one any more, and counts those that are as good. Of a
// subset for which one is better the person is not found: it is not alive.
func (s *scanner) through(order []int, from, n int, own, need, ties []float64, alive []bool) {
	acc, at, fresh := s.acc[:n], s.at[:n], true
	for k, c := range order {
		if s.says[c] {
			s.Visited += float64(len(at))
			left := s.take(c, acc, at, need[k], from, fresh)
			acc, at, fresh = acc[:left], at[:left], false
		}
		if !alive[k] {
			continue
		}
		if fresh { // nothing known says anything: all are equal
			ties[k] += float64(n)
			continue
		}
		margin, equal := tied(own[k]), 0.0
		for _, v := range acc {
			if v >= own[k]-margin {
				if v > own[k]+margin {
					alive[k] = false
					break
				}
				equal++
			}
		}
		ties[k] += equal
		if len(at) == 0 {
			return
		}
	}
}

// take adds the scores of a clue and keeps the records that have what they need; it returns how many. The first clue of a block, where the records
// are still fresh, finds them from one on.
func (s *scanner) take(clue int, acc []float64, at []int32, need float64, from int, fresh bool) int {
	c, row, left := &s.a.clues[clue], s.rows[clue], 0
	switch {
	case fresh && c.codes == nil:
		for i, v := range row[from : from+len(acc)] {
			if acc[left], at[left] = v, int32(from+i); v >= need {
				left++
			}
		}
	case fresh:
		for i, code := range c.codes[from : from+len(acc)] {
			v := row[code]
			if acc[left], at[left] = v, int32(from+i); v >= need {
				left++
			}
		}
	case c.codes == nil:
		for i, r := range at {
			v := acc[i] + row[r]
			if acc[left], at[left] = v, r; v >= need {
				left++
			}
		}
	default:
		for i, r := range at {
			v := acc[i] + row[c.codes[r]]
			if acc[left], at[left] = v, r; v >= need {
				left++
			}
		}
	}
	return left
}

// claim is whom an attacker takes for a person.
type claim struct {
	credit float64 // 1/t when the own record is one of t best, else 0
	ties   float64 // the best records; 0 for no claim
	sure   float64 // the probability of one of the best as the scores have it or, by distance, how much farther the next record is
}

// claims looks through all records: whom the attacker takes for the person, and how sure.
func (s *scanner) claims(subset []int) claim {
	own, most := 0.0, 0.0
	for _, c := range subset {
		if s.scores(c) {
			own, most = own+s.own[c], most+s.most[c]
		}
	}
	best, second, total, ties := math.Inf(-1), math.Inf(-1), 0.0, 0.0 // total is the sum of exp(score-best)
	records := s.t.release.Released.Rows()
	for from := 0; from < records; from += block {
		n := min(block, records-from)
		acc, at, fresh := s.acc[:n], s.at[:n], true
		short := most
		for _, c := range subset {
			if !s.says[c] {
				continue
			}
			s.Visited += float64(len(at))
			short -= s.most[c]
			left := s.take(c, acc, at, best-negligible-short, from, fresh)
			acc, at, fresh = acc[:left], at[:left], false
		}
		if fresh {
			clear(acc)
		}
		for _, v := range acc {
			switch margin := tied(best); {
			case math.IsInf(best, -1) || v > best+margin:
				total, ties, second, best = total*math.Exp(best-v)+1, 1, best, v
			case v >= best-margin:
				ties, total, second = ties+1, total+1, best
			default:
				total, second = total+math.Exp(v-best), max(second, v)
			}
		}
	}
	c := claim{ties: ties, sure: 1 / total}
	if s.a.metric {
		c.sure = best - max(second, best-negligible)
	}
	if s.a.strict && best < mismatch/2 {
		return claim{}
	}
	if own >= best-tied(best) {
		c.credit = 1 / ties
	}
	return c
}

// negligible is how far below the best a score may be and count for how sure an attacker is.
const negligible = 25
