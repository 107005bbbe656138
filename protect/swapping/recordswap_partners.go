package swapping

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// division is the records by their values of some columns; a missing value is a value of its own.
type division struct {
	of     []int32 // by record: its group, -1 where nobody is like it
	groups int
	open   []int32 // the records in groups, ascending: more columns divide no others
}

// divided divides the groups by some more columns.
func (d division) divided(t *table.Table, columns []int) division {
	for _, j := range columns {
		d = d.by(t, j)
	}
	return d
}

// undivided returns n records in one group.
func undivided(n int) division {
	d := division{of: make([]int32, n), groups: 1, open: make([]int32, n)}
	for i := range d.open {
		d.open[i] = int32(i)
	}
	if n < 2 {
		return division{of: slices.Repeat([]int32{-1}, n)}
	}
	return d
}

// by divides the groups by one more column.
func (d division) by(t *table.Table, j int) division {
	codes, keys := make([]int32, len(d.open)), make([]uint64, len(d.open))
	switch t.Attr(j).Kind {
	case table.Categorical:
		col := t.Cat(j)
		for k, i := range d.open {
			codes[k] = col[i]
		}
	case table.Numeric:
		col := t.Num(j)
		for k, i := range d.open {
			keys[k] = math.Float64bits(col[i] + 0) // minus zero becomes zero
			if col[i] != col[i] {
				keys[k] = math.Float64bits(math.NaN())
			}
		}
		tree.Number(keys, codes)
	case table.SetValued: // is not among the columns
	}
	for k, c := range codes {
		keys[k] = uint64(c+1)*uint64(d.groups) + uint64(d.of[d.open[k]])
	}
	return d.regroup(codes, len(tree.Number(keys, codes)))
}

// regroup returns the groups that the numbers of the open records make, those of one record left out.
func (d division) regroup(number []int32, numbers int) division {
	group := make([]int32, numbers) // by number: first how many records have it
	for _, c := range number {
		group[c]++
	}
	out := division{of: slices.Repeat([]int32{-1}, len(d.of))}
	for c, records := range group {
		if group[c] = -1; records > 1 {
			group[c] = int32(out.groups)
			out.groups++
		}
	}
	for k, i := range d.open {
		if g := group[number[k]]; g >= 0 {
			out.of[i] = g
			out.open = append(out.open, i)
		}
	}
	return out
}

// numbers returns a number for every record, the same for those of one group only.
func (d division) numbers() []int32 {
	out, next := slices.Clone(d.of), int32(d.groups)
	for i, g := range out {
		if g < 0 {
			out[i] = next
			next++
		}
	}
	return out
}

// risky marks the records whose combination of keys and columns to swap fewer than k people share, and that miss no
// column to swap. Alike is the records by all similar columns.
func (p *RecordPlan) risky(t *table.Table, alike division) []bool {
	rest, d := without(p.Keys, p.Columns), undivided(t.Rows())
	if len(without(p.Similar, rest)) == 0 { // these are divided by them already
		rest, d = without(rest, p.Similar), alike
	}
	d = d.divided(t, append(rest, p.Columns...))
	counts := d.people(t)
	out := make([]bool, len(d.of))
	for i, g := range d.of {
		count := 1
		if g >= 0 {
			count = counts[g]
		}
		out[i] = count < p.K && !p.lacks(t, i)
	}
	return out
}

// people returns of how many people the records of each group are.
func (d division) people(t *table.Table) []int {
	counts := make([]int, d.groups)
	whose, _ := t.People()
	if whose == nil {
		for _, i := range d.open {
			counts[d.of[i]]++
		}
		return counts
	}
	type member struct{ group, who int32 }
	met := map[member]bool{}
	for _, i := range d.open {
		if m := (member{d.of[i], whose[i]}); !met[m] {
			met[m] = true
			counts[m.group]++
		}
	}
	return counts
}

// lacks reports whether a record misses a column to swap.
func (p *RecordPlan) lacks(t *table.Table, i int) bool {
	for _, j := range p.Columns {
		if t.MissingAt(i, j) {
			return true
		}
	}
	return len(p.Columns) == 0
}

// recordSwapper matches records.
type recordSwapper struct {
	place    []int32 // by record: the number of its values to swap
	whose    []int32 // by record; nil where every record is a person's
	from     []int32 // by record: whose values it gets
	done     []bool  // swapped, or not to be
	risky    []bool
	order    []int32 // the records, in random order
	profiles []profile
	random   *rand.Rand
}

// profile is the records by their values of some of the similar columns.
type profile struct {
	of      []int32 // by record: its group, -1 where nobody is like it
	start   []int32 // by group, and the end of the last
	records []int32 // group after group, each in random order
	mixed   []bool  // by group: not all that are left are of one place
}

// partners returns for every record the one whose values it gets, the other of its pair or itself.
func (p *RecordPlan) partners(t *table.Table, src rng.Source) (from []int32) {
	s := p.swapper(t, src)
	swapped := s.first()
	s.swap(s.of(false), int(math.Ceil(p.Rate*float64(t.Rows())))-swapped)
	return s.from
}

// swapper groups and shuffles the records; nothing is swapped yet.
func (p *RecordPlan) swapper(t *table.Table, src rng.Source) *recordSwapper {
	n := t.Rows()
	s := &recordSwapper{from: make([]int32, n), done: make([]bool, n), random: src.Fork("partner").Rand()}
	s.whose, _ = t.People()
	var alike []division
	steps := []func(){
		func() {
			var finest division
			alike, finest = p.alike(t)
			s.risky = p.risky(t, finest)
		},
		func() { s.place = undivided(n).divided(t, p.Columns).numbers(); s.shuffle(t, src) },
	}
	parallel.Do(len(steps), func(k int) { steps[k]() })
	s.profiles = make([]profile, len(alike))
	parallel.Do(len(alike), func(k int) { s.profiles[k] = s.profile(alike[k]) })
	for i := range s.from {
		s.from[i], s.done[i] = int32(i), p.lacks(t, i)
	}
	return s
}

// first lets the risky records change places, and returns how many records have.
func (s *recordSwapper) first() (swapped int) { return s.swap(s.of(true), len(s.from)) }

// of returns the records that are risky, or the others, in random order.
func (s *recordSwapper) of(risky bool) (out []int32) {
	for _, i := range s.order {
		if s.risky[i] == risky {
			out = append(out, i)
		}
	}
	return out
}

// alike returns the records by all similar columns, by all but the last, and so on; what divides them no further is
// left out, and so is what leaves nobody like another one. The first of them, whether left out or not, is returned as
// finest.
func (p *RecordPlan) alike(t *table.Table) (all []division, finest division) {
	finest = undivided(t.Rows())
	all = []division{finest}
	for _, j := range p.Similar {
		next := finest.by(t, j)
		if next.groups > finest.groups || next.groups > 0 && len(next.open) < len(finest.open) {
			all = append(all, next)
		}
		if finest = next; next.groups == 0 {
			break
		}
	}
	slices.Reverse(all)
	return all, finest
}

// shuffle puts the records into an order that is drawn for each of them.
func (s *recordSwapper) shuffle(t *table.Table, src rng.Source) {
	n := t.Rows()
	blocks, draws := make([]rng.Block, n), make([]float64, n)
	ids, first := t.IDs()
	rng.Blocks(src.Fork("order").Stream(), blocks, ids, first)
	for i, b := range blocks {
		draws[i] = rng.Unit(b.A)
	}
	s.order, _ = rank.Order(draws)
}

// profile sorts the records that have others like them by their groups.
func (s *recordSwapper) profile(d division) profile {
	p := profile{
		of:      d.of,
		start:   make([]int32, d.groups+1),
		records: make([]int32, len(d.open)),
		mixed:   make([]bool, d.groups),
	}
	for _, i := range d.open {
		p.start[d.of[i]+1]++
	}
	for g := range d.groups {
		p.start[g+1] += p.start[g]
	}
	next := slices.Clone(p.start)
	for _, i := range s.order {
		g := d.of[i]
		if g < 0 {
			continue
		}
		p.records[next[g]] = i
		p.mixed[g] = p.mixed[g] || s.place[i] != s.place[p.records[p.start[g]]]
		next[g]++
	}
	return p
}

// swap lets records change places, until so many have. It returns how many have. A record that finds no one like it in
// all similar columns waits until all others have been asked, and is content with fewer then.
func (s *recordSwapper) swap(records []int32, most int) (swapped int) {
	for _, p := range s.profiles {
		for _, i := range records {
			if swapped >= most {
				return swapped
			}
			if s.done[i] {
				continue
			}
			if k := s.partner(p, i); k >= 0 {
				s.done[i], s.done[k] = true, true
				s.from[i], s.from[k] = k, i
				swapped += 2
			}
		}
	}
	return swapped
}

// recordDraws is how often a partner is drawn before those left are looked for.
const recordDraws = 16

// partner returns a record of the same group that is elsewhere, another person's and not swapped, -1 for none. A group
// of which all that are left are of one place has none for any other record either, now or later. It is not looked
// through again, so where every record is a person's those of a group are looked at O(m log m) times for all m of them.
func (s *recordSwapper) partner(p profile, i int32) int32 {
	g := p.of[i]
	if g < 0 || !p.mixed[g] {
		return -1
	}
	group := p.records[p.start[g]:p.start[g+1]]
	elsewhere := func(k int32) bool { return !s.done[k] && s.place[k] != s.place[i] }
	may := func(k int32) bool { return elsewhere(k) && (s.whose == nil || s.whose[k] != s.whose[i]) }
	for range recordDraws {
		if k := group[rng.Below(s.random.Uint64(), len(group))]; may(k) {
			return k
		}
	}
	at := rng.Below(s.random.Uint64(), len(group))
	for _, part := range [][]int32{group[at:], group[:at]} {
		if n := slices.IndexFunc(part, may); n >= 0 {
			return part[n]
		}
	}
	p.mixed[g] = slices.ContainsFunc(group, elsewhere) // the person's own
	return -1
}
