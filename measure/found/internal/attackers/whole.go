package attackers

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Who knows all records of a unit, and sees which released records are one unit's (Groups), compares whole units: a
// group gets the sum of the scores of the records known, each of them with another record of the group, the pairs with
// the highest scores first. A group of other size than the unit loses as much for each record as the sizes tell.
// Groups of too few records are none, nor are those of so many that little of them can be the unit's. The group with
// the highest sum is taken for the unit's.

// manyEqual is how many groups with one sum are so many that it does not matter how many more there are.
const manyEqual = 200

// Unit is a unit that is looked for: the places of its records in the team, or of some of them.
type Unit struct {
	Places []int
	Size   int // records
}

// Whole lets an attack claim groups for units, by their records, each of which the team looks for by itself
// (Options.Each). Without sure it stops at a group that is better than the unit's: of the claims only the credits then
// hold. Cost: O(n) for every clue to lay the records out group by group; for a unit, that of Claims for one of its
// records, and that of comparing it with the groups in which that one may be.
func (t *Team) Whole(ctx context.Context, c *Choice, g *Groups, units []Unit, sure bool, b *Budget) (*Claims, error) {
	out, order := &Claims{make([]claim, len(units))}, t.quick(c)
	laid, err := t.laid(ctx, c.By, order, g.rows.Codes)
	if err != nil {
		return nil, err
	}
	states, err := parallel.With(
		ctx,
		len(units),
		func() *matcher { return t.matcher(c, g, laid, order) },
		func(m *matcher, i int) error {
			out.all[i] = m.claim(&units[i], sure)
			return nil
		},
	)
	for _, m := range states {
		for _, s := range m.members {
			b.spent += s.Visited
		}
		b.spent += m.visited
	}
	return out, err
}

// matcher compares one unit after another with all groups. Records are known by their places where they are laid out
// group by group. Every goroutine needs its own.
type matcher struct {
	t       *Team
	c       *Choice
	g       *Groups
	laid    *arranged
	members []*scanner // by record of the unit
	most    []float64  // the highest score, by record of the unit
	all     float64    // their sum
	hits    [][]hit    // by record of the unit: the records of a group that may be its own
	pairs   []hit      // room for those of a group
	seen    []int32    // by place: the last pairing that used the record
	pairing int32
	order   []int   // of the clues: first the one that tells the most records apart
	tried   []int32 // by group: the last unit it was compared with
	unit    int32
	visited float64
	acc     []float64
	at      []int32

	best, second, ties, own float64 // own: the sum of the shares of the best groups that are the unit's
}

func (t *Team) matcher(c *Choice, g *Groups, laid *arranged, order []int) *matcher {
	return &matcher{t: t, c: c, g: g, laid: laid, order: order, seen: make([]int32, len(g.of)),
		tried: make([]int32, len(g.rows.Start))}
}

// hit is a pair of a record known and a released one.
type hit struct {
	member, record int32
	score          float64
}

// claim looks through the groups for a unit, its own first.
func (m *matcher) claim(u *Unit, sure bool) claim {
	m.turn(u.Places)
	mine := m.mine(u)
	m.unit++
	m.best, m.second, m.ties, m.own = math.Inf(-1), math.Inf(-1), 0, 0
	for _, k := range slices.Sorted(maps.Keys(mine)) {
		m.tried[k] = m.unit
		m.group(u, int(k), math.Inf(-1), mine[k])
	}
	if m.ties == 0 {
		return claim{}
	}
	own := m.best
	m.others(u, own, sure)
	c := claim{ties: m.ties, sure: m.best - max(m.second, m.best-distant)}
	if m.best <= own+tied(own) {
		c.credit = m.own / m.ties
	}
	return c
}

// mostLookedUp is about how many records are looked up for a unit at most. To go through more of them as they lie is
// quicker.
const mostLookedUp = 1 << 14

// others looks through the groups in which the first record of the unit may be, the likeliest ones first.
func (m *matcher) others(u *Unit, own float64, sure bool) {
	room, start := 0.0, m.g.rows.Start
	if sure {
		room = distant
	}
	bar := func() float64 { return m.best - tied(m.best) - room }
	ends := func(k int32) bool {
		if m.tried[k] == m.unit {
			return false
		}
		m.tried[k] = m.unit
		if need := bar() + m.less(u, start[k+1]-start[k]); m.all >= need {
			m.group(u, int(k), need, 0)
		}
		return !sure && (m.best > own+tied(own) || m.ties >= manyEqual)
	}
	if m.lookedUp(bar, ends) {
		return
	}
	k, last := m.fitting(u)
	for from := start[k]; from < start[last]; from += block {
		for _, place := range m.first(from, min(block, start[last]-from), bar()) {
			for start[k+1] <= int(place) {
				k++
			}
			if ends(k) {
				return
			}
		}
	}
}

// fitting returns the first group that may be a unit's by its size, and the one after the last.
func (m *matcher) fitting(u *Unit) (from, to int32) {
	start := m.g.rows.Start
	of := func(size int) int32 {
		return int32(sort.Search(len(start)-1, func(k int) bool { return start[k+1]-start[k] >= size }))
	}
	return of(len(u.Places)), of(mostTimes*u.Size + 1)
}

// lookedUp goes through the records that may be the first of the unit by the clue that tells the most apart, the
// likeliest first, until the search ends with the group of one, and reports whether that was all. Where they are many
// it stops.
func (m *matcher) lookedUp(bar func() float64, ends func(group int32) bool) bool {
	s := m.members[0]
	at, ok := s.first(m.order)
	if !ok {
		return false
	}
	c, looked := &s.clues[m.order[at]], 0
	lists, rest := m.c.By.clues[m.order[at]].index(), m.all-c.most
	for _, l := range s.likeliest(c, bar()-rest) {
		if l.score < bar()-rest {
			return true
		}
		rows := lists.Row(int(l.code))
		if looked += len(rows); looked > mostLookedUp {
			return false
		}
		m.visited += float64(len(rows))
		for _, r := range rows {
			if ends(m.g.of[r]) {
				return true
			}
		}
	}
	return true
}

// first returns which of so many places, from one on, have a record that may be the first of the unit, ascending, where
// its group must reach the bar.
func (m *matcher) first(from, n int, bar float64) []int32 {
	s, rest, fresh := m.members[0], m.most[0], true
	acc, at := s.acc[:n], s.at[:n]
	need := bar - (m.all - rest)
	for _, c := range m.order {
		if cl := &s.clues[c]; cl.says {
			rest -= cl.most
			left := s.take(cl, acc, at, need-rest, from, fresh)
			acc, at, fresh = acc[:left], at[:left], false
		}
	}
	if fresh { // nothing is known of it
		for i := range at {
			at[i] = int32(from + i)
		}
	}
	return at
}

// turn turns to the records of a unit.
func (m *matcher) turn(places []int) {
	for len(m.members) < len(places) {
		s := newScanner(m.t, m.laid.Attacker, m.c.Gaps)
		s.place, s.lean = m.laid.place, len(m.members) > 0 // all records are compared with the first alone
		m.members = append(m.members, s)
		m.most, m.hits = append(m.most, 0), append(m.hits, nil)
	}
	m.all = 0
	for k, p := range places {
		s := m.members[k]
		s.look(p)
		m.most[k] = 0
		for _, c := range m.order {
			if s.scores(c) {
				m.most[k] += s.clues[c].most
			}
		}
		m.all += m.most[k]
	}
}

// mine returns the groups with records of a unit that is looked for, and the share of each that is the unit's.
func (m *matcher) mine(u *Unit) map[int32]float64 {
	out := map[int32]float64{}
	for _, p := range u.Places {
		k := m.g.of[m.t.Rows[p]]
		rows := m.g.rows.Row(int(k))
		out[k] = min(1, out[k]+float64(u.Size)/float64(len(u.Places)*len(rows)))
	}
	return out
}

// less is what a group loses by its size.
func (m *matcher) less(u *Unit, size int) float64 {
	return float64(m.g.wrong * math.Abs(float64(size-u.Size)))
}

// group compares a unit with a group, of which a share is its own.
func (m *matcher) group(u *Unit, k int, bar, share float64) {
	from, to := m.g.rows.Start[k], m.g.rows.Start[k+1]
	if to-from < len(u.Places) || to-from > mostTimes*u.Size || !m.through(len(u.Places), from, to, bar) {
		return
	}
	v := m.sum(len(u.Places)) - m.less(u, to-from)
	switch margin := tied(m.best); {
	case math.IsInf(v, -1):
	case m.ties == 0 || v > m.best+margin:
		m.ties, m.second, m.best, m.own = 1, m.best, v, share
	case v >= m.best-margin:
		m.ties, m.second, m.own = m.ties+1, m.best, m.own+share
	default:
		m.second = max(m.second, v)
	}
}

// through finds for so many records of the unit the records of a group, which are from one place to another, with which
// the sum may still reach the bar; false where there is none for one of them. What the best pair of a record lacks of
// the most there is, the pairs of the next ones must not lack as well.
func (m *matcher) through(members, from, to int, bar float64) bool {
	can := m.all // the sum is no higher
	for k, s := range m.members[:members] {
		can -= m.most[k]
		short := bar - can // what the pair must have
		m.at = m.at[:0]
		for place := from; place < to; place++ {
			m.at = append(m.at, int32(place))
		}
		m.acc = slices.Grow(m.acc[:0], to-from)[:to-from]
		clear(m.acc)
		acc, at, rest := m.acc, m.at, m.most[k]
		for _, c := range m.order {
			cl := &s.clues[c]
			if !cl.says {
				continue
			}
			rest -= cl.most
			left := s.take(cl, acc, at, short-rest, 0, false)
			if acc, at = acc[:left], at[:left]; left == 0 {
				return false
			}
		}
		m.hits[k] = m.hits[k][:0]
		for i, r := range at {
			m.hits[k] = append(m.hits[k], hit{int32(k), r, acc[i]})
		}
		if len(acc) > 0 {
			can += slices.Max(acc)
		}
	}
	return true
}

// sum returns the sum of the scores of pairs of the records of the unit and those of a group; that of nothing is below
// all where a record is left alone.
func (m *matcher) sum(members int) (sum float64) {
	m.pairs = m.pairs[:0]
	for _, some := range m.hits[:members] {
		m.pairs = append(m.pairs, some...)
	}
	m.visited += perScore * float64(len(m.pairs)) // they are put in order
	slices.SortStableFunc(m.pairs, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	m.pairing++
	var alone uint32 = 1<<members - 1
	for _, p := range m.pairs {
		if alone>>p.member&1 == 1 && m.seen[p.record] != m.pairing {
			alone &^= 1 << p.member
			m.seen[p.record] = m.pairing
			sum += p.score
		}
	}
	if alone != 0 {
		return math.Inf(-1)
	}
	return sum
}

// Choices returns the attacks that are tried on whole units: by every attacker all that is known, and the parts that
// others who look for the same intruder chose, whose attackers are those of the team by name.
func (t *Team) Choices(others []*Choice) (out []*Choice) {
	for _, a := range t.Attackers {
		for _, gaps := range []bool{false, true} {
			if gaps == (t.gaps != nil) {
				out = append(out, &Choice{a, gaps, t.clues(a, gaps, t.orders[0])})
			}
		}
		for _, c := range others {
			if c.By.Name == a.Name && len(c.clues) > 0 {
				out = append(out, &Choice{a, c.Gaps, c.clues})
			}
		}
	}
	return out
}

// Lacking returns the attack without a column; nil where nothing else is known.
func (c *Choice) Lacking(column int) *Choice {
	other := &Choice{By: c.By, Gaps: c.Gaps}
	for _, k := range c.clues {
		if !slices.Contains(c.By.clues[k].columns, column) {
			other.clues = append(other.clues, k)
		}
	}
	if other.clues == nil {
		return nil
	}
	return other
}

// Neighbours returns the attacks with one column more or less.
func (t *Team) Neighbours(c *Choice) (out []*Choice) {
	for _, k := range t.clues(c.By, false, t.orders[0]) {
		other := &Choice{c.By, c.Gaps, without(c.clues, k)}
		if len(other.clues) == len(c.clues) {
			other.clues = append(other.clues, k)
		}
		if len(other.clues) > 0 {
			out = append(out, other)
		}
	}
	return out
}
