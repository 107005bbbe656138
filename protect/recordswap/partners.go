package recordswap

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/internal/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// number numbers the records by their values of some columns, those with the same alike; a missing value is a value of its own. It returns how
// many numbers there are.
func number(t *table.Table, columns []int) (of []int32, numbers int) {
	of, numbers = make([]int32, t.Rows()), min(1, t.Rows())
	for _, j := range columns {
		if numbers == len(of) {
			break // all have a number of their own
		}
		numbers = refine(of, numbers, t, j)
	}
	return of, numbers
}

// refine divides the numbers of records by their values of one more column.
func refine(of []int32, numbers int, t *table.Table, j int) int {
	codes, keys := make([]int32, len(of)), make([]uint64, len(of))
	switch t.Attr(j).Kind {
	case table.Categorical:
		copy(codes, t.Cat(j))
	case table.Numeric:
		for i, v := range t.Num(j) {
			keys[i] = math.Float64bits(v + 0) // minus zero becomes zero
			if v != v {
				keys[i] = math.Float64bits(math.NaN())
			}
		}
		tree.Number(keys, codes)
	case table.SetValued: // is not among the columns
	}
	for i, c := range codes {
		keys[i] = uint64(c+1)*uint64(numbers) + uint64(of[i])
	}
	return len(tree.Number(keys, of))
}

// risky marks the records whose combination of keys and columns to swap fewer than k share, and that miss no column to swap.
func (p *Plan) risky(t *table.Table) []bool {
	of, numbers := number(t, append(without(p.Keys, p.Columns), p.Columns...))
	counts := make([]int, numbers)
	for _, c := range of {
		counts[c]++
	}
	out := make([]bool, len(of))
	for i, c := range of {
		out[i] = counts[c] < p.K && !p.lacks(t, i)
	}
	return out
}

// lacks reports whether a record misses a column to swap.
func (p *Plan) lacks(t *table.Table, i int) bool {
	for _, j := range p.Columns {
		if t.MissingAt(i, j) {
			return true
		}
	}
	return len(p.Columns) == 0
}

// swapper matches records.
type swapper struct {
	place    []int32 // by record: the number of its values to swap
	from     []int32 // by record: whose values it gets
	done     []bool  // swapped, or not to be
	order    []int32 // the records, in random order
	profiles []profile
	random   *rand.Rand
}

// profile is the records by their values of some of the similar columns.
type profile struct {
	of      []int32 // by record: its group
	start   []int32 // by group, and the end of the last
	records []int32 // group after group, each in random order
	mixed   []bool  // by group: not all that are left are of one place
}

// partners returns for every record the one whose values it gets, the other of its pair or itself, and whether it is risky.
func (p *Plan) partners(t *table.Table, src rng.Source) (from []int32, risky []bool) {
	n := t.Rows()
	s := &swapper{from: make([]int32, n), done: make([]bool, n), random: src.Fork("partner").Rand()}
	var of [][]int32 // by profile and record: the group
	var groups []int
	steps := []func(){
		func() { of, groups = p.alike(t) },
		func() { risky = p.risky(t) },
		func() { s.place, _ = number(t, p.Columns); s.shuffle(t, src) },
	}
	parallel.Do(len(steps), func(k int) { steps[k]() })
	s.profiles = make([]profile, len(of))
	parallel.Do(len(of), func(k int) { s.profiles[k] = s.profile(of[k], groups[k]) })
	var first, rest []int32
	for _, i := range s.order {
		s.from[i], s.done[i] = i, p.lacks(t, int(i))
		switch {
		case risky[i]:
			first = append(first, i)
		default:
			rest = append(rest, i)
		}
	}
	swapped := s.swap(first, n)
	s.swap(rest, int(math.Ceil(p.Rate*float64(n)))-swapped)
	return s.from, risky
}

// alike returns the groups of the records by all similar columns, by all but the last, and so on, and how many groups there are.
func (p *Plan) alike(t *table.Table) (of [][]int32, groups []int) {
	last, n := number(t, nil)
	of, groups = append(of, last), append(groups, n)
	for _, j := range p.Similar {
		last = slices.Clone(last)
		if n = refine(last, n, t, j); n == t.Rows() {
			break // nobody is like another one, nor in more columns
		}
		of, groups = append(of, last), append(groups, n)
	}
	slices.Reverse(of)
	slices.Reverse(groups)
	return of, groups
}

// shuffle puts the records into an order that is drawn for each of them.
func (s *swapper) shuffle(t *table.Table, src rng.Source) {
	n := t.Rows()
	blocks, draws := make([]rng.Block, n), make([]float64, n)
	ids, first := t.IDs()
	rng.Blocks(src.Fork("order").Stream(), blocks, ids, first)
	for i, b := range blocks {
		draws[i] = rng.Unit(b.A)
	}
	s.order, _ = rank.Order(draws)
}

// profile sorts the records by their groups.
func (s *swapper) profile(of []int32, groups int) profile {
	p := profile{of: of, start: make([]int32, groups+1), records: make([]int32, len(of)), mixed: make([]bool, groups)}
	for _, g := range of {
		p.start[g+1]++
	}
	for g := range groups {
		p.start[g+1] += p.start[g]
	}
	next := append([]int32(nil), p.start...)
	for _, i := range s.order {
		g := of[i]
		p.records[next[g]] = i
		p.mixed[g] = p.mixed[g] || s.place[i] != s.place[p.records[p.start[g]]]
		next[g]++
	}
	return p
}

// swap lets records change places, until so many have. It returns how many have. A record that finds no one like it in all similar columns waits
// until all others have been asked, and is content with fewer then.
func (s *swapper) swap(records []int32, most int) (swapped int) {
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

// draws is how often a partner is drawn before those left are looked for.
const draws = 16

// partner returns a record of the same group that is elsewhere and not swapped, -1 for none. A group without one has none for any other record
// either, now or later: all that are left are of one place. It is not looked through again, so the records of a group are looked at O(m log m)
// times for all m of them.
func (s *swapper) partner(p profile, i int32) int32 {
	g := p.of[i]
	if !p.mixed[g] {
		return -1
	}
	group := p.records[p.start[g]:p.start[g+1]]
	may := func(k int32) bool { return !s.done[k] && s.place[k] != s.place[i] }
	for range draws {
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
	p.mixed[g] = false
	return -1
}
