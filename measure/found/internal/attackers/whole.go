package attackers

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

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
// hold. Cost: that of Claims, of the records in groups of the unit's size, for each of its records.
func (t *Team) Whole(ctx context.Context, c *Choice, g *Groups, units []Unit, sure bool, b *Budget) (*Claims, error) {
	out := &Claims{make([]claim, len(units))}
	states, err := parallel.With(
		ctx,
		len(units),
		func() *matcher {
			return &matcher{t: t, c: c, g: g, order: t.quick(c), seen: make([]int32, len(g.of)),
				tried: make([]int32, len(g.rows.Start))}
		},
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

// matcher compares one unit after another with all groups. Every goroutine needs its own.
type matcher struct {
	t       *Team
	c       *Choice
	g       *Groups
	members []*scanner // by record of the unit
	most    []float64  // the highest score, by record of the unit
	all     float64    // their sum
	hits    [][]hit    // by record of the unit: the released records that may be its own, group by group
	pairs   []hit      // room for those of a group
	seen    []int32    // by released record: the last pairing that used it
	pairing int32
	order   []int   // of the clues: first the one by which records are looked up
	tried   []int32 // by group: the last unit it was compared with
	unit    int32
	visited float64
	acc     []float64
	at      []int32

	best, second, ties, own float64 // own: the sum of the shares of the best groups that are the unit's
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

// others looks through the groups with records that may be the first of the unit, the likeliest first.
func (m *matcher) others(u *Unit, own float64, sure bool) {
	s, room := m.members[0], 0.0
	if sure {
		room = distant
	}
	bar := func() float64 { return m.best - tied(m.best) - room }
	done := func(rows []int32) bool {
		m.visited += float64(len(rows))
		for _, r := range rows {
			k := m.g.of[r]
			if m.tried[k] == m.unit {
				continue
			}
			m.tried[k] = m.unit
			size := m.g.rows.Start[k+1] - m.g.rows.Start[k]
			if need := bar() + m.less(u, size); m.all >= need {
				m.group(u, int(k), need, 0)
			}
			if !sure && (m.best > own+tied(own) || m.ties >= manyEqual) {
				return true
			}
		}
		return false
	}
	at, ok := s.first(m.order)
	if !ok {
		done(m.g.rows.Codes)
		return
	}
	c := &s.clues[m.order[at]]
	lists, rest := c.index(), m.all-c.most
	for _, l := range s.likeliest(c, bar()-rest) {
		if l.score < bar()-rest || done(lists.Row(int(l.code))) {
			return
		}
	}
}

// turn turns to the records of a unit.
func (m *matcher) turn(places []int) {
	for len(m.members) < len(places) {
		m.members = append(m.members, newScanner(m.t, m.c.By, m.c.Gaps))
		m.members[len(m.members)-1].lean = len(m.members) > 1 // records are looked up by the first
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
	rows := m.g.rows.Row(k)
	if len(rows) < len(u.Places) || len(rows) > mostTimes*u.Size || !m.through(len(u.Places), rows, bar) {
		return
	}
	v := m.sum(len(u.Places), rows) - m.less(u, len(rows))
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

// through finds for so many records of the unit the released records of a group with which the sum may still reach the
// bar; false where there is none for one of them.
func (m *matcher) through(members int, rows []int32, bar float64) bool {
	for k, s := range m.members[:members] {
		short := bar - (m.all - m.most[k]) // what the pair must have
		m.at = append(m.at[:0], rows...)
		m.acc = slices.Grow(m.acc[:0], len(rows))[:len(rows)]
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
	}
	return true
}

// sum returns the sum of the scores of pairs of the records of the unit and those of a group; that of nothing is below
// all where a record is left alone.
func (m *matcher) sum(members int, rows []int32) (sum float64) {
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
