package ruletypes

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// member is a released rule in a group of rules that are equal but for one attribute.
type member struct {
	rule int // position in the released rules
	at   int // position of the attribute's condition in the rule
}

// combine finds the released rules that, joined with their like over one attribute, stand for an original rule, and
// tells found of each: the rule and the original. Rules that differ in one attribute only share the key of all other
// conditions, so they meet in one group, and no pair is ever compared.
func (m *matcher) combine(released []keyed, found func(rule, original int)) {
	groups := map[gap][]member{}
	var order []gap
	for i := range released {
		k := &released[i]
		for p, c := range k.conds {
			g := gap{c.attr, k.key(k.exact, p)}
			if len(groups[g]) == 1 {
				order = append(order, g)
			}
			groups[g] = append(groups[g], member{i, p})
		}
	}
	for _, g := range order {
		switch m.attrs[g.attr].Kind {
		case table.Numeric:
			m.joinNumeric(released, groups[g], found)
		case table.Categorical:
			m.joinCategorical(released, groups[g], found)
		case table.SetValued: // is not among the columns
		}
	}
}

// joinNumeric joins neighbouring intervals. What a run of neighbours stands for depends on its two ends only, so the
// widest run with each pair of ends covers all shorter ones.
func (m *matcher) joinNumeric(released []keyed, group []member, found func(rule, original int)) {
	at := func(g member) *cond { return &released[g.rule].conds[g.at] }
	sorting.Stable(group, func(a, b member) int { return cmp.Compare(at(a).interval().Lo, at(b).interval().Lo) })
	step := m.attrs[at(group[0]).attr].Step
	for len(group) > 0 {
		n := 1
		for n < len(group) && touch(at(group[n-1]).interval(), at(group[n]).interval(), step) {
			n++
		}
		m.claimRun(released, group[:n], found)
		group = group[n:]
	}
}

// touch reports whether no value of the grid lies between the end of a and the start of b.
func touch(a, b table.Interval, step float64) bool {
	between := table.Interval{Lo: a.Hi, OpenLo: !a.OpenHi, Hi: b.Lo, OpenHi: !b.OpenLo}
	return between.OnGrid(step).Empty()
}

// claimRun tells found of the members of one gapless run of intervals, in ascending order.
func (m *matcher) claimRun(released []keyed, run []member, found func(rule, original int)) {
	if len(run) < 2 {
		return
	}
	at := func(i int) *cond { return &released[run[i].rule].conds[run[i].at] }
	last := len(run) - 1
	domain := m.attrs[at(0).attr].Domain
	if covers(at(0).interval(), at(last).interval(), domain) {
		m.claimAll(&released[run[0].rule], run, nil, found)
	}
	for _, lo := range []op{free, strict, weak} {
		for _, hi := range []op{free, strict, weak} {
			i := 0
			for i <= last && at(i).lo.op != lo {
				i++
			}
			j := last
			for j >= 0 && at(j).hi.op != hi {
				j--
			}
			if i < j {
				union := &cond{attr: at(i).attr, lo: at(i).lo, hi: at(j).hi}
				m.claimAll(&released[run[i].rule], run[i:j+1], union, found)
			}
		}
	}
}

// covers reports whether a run from the interval first to the interval last holds the whole domain.
func covers(first, last, domain table.Interval) bool {
	whole := table.Interval{Lo: first.Lo, OpenLo: first.OpenLo, Hi: last.Hi, OpenHi: last.OpenHi}
	return whole.Intersect(domain) == domain
}

// claimAll tells found of all members when the rule like, with its condition at the members' attribute replaced by
// their union, has the form of an original rule. A nil union is the whole domain: the condition drops out.
func (m *matcher) claimAll(like *keyed, members []member, union *cond, found func(rule, original int)) {
	joined := rule{then: like.then}
	for p, c := range like.conds {
		switch {
		case p != members[0].at:
			joined.conds = append(joined.conds, c)
		case union != nil:
			joined.conds = append(joined.conds, *union)
		}
	}
	k := m.number(&joined)
	originals := m.forms[k.key(k.form, -1)]
	if len(originals) == 0 {
		return
	}
	o := m.nearest(&joined, originals)
	for _, g := range members {
		found(g.rule, o)
	}
}

// joinCategorical joins sets of categories: those inside the set of an original rule when they fill it, and all of them
// when they fill the domain.
func (m *matcher) joinCategorical(released []keyed, group []member, found func(rule, original int)) {
	like := &released[group[0].rule]
	attr := like.conds[group[0].at].attr
	codes := func(g member) []int32 { return released[g.rule].conds[g.at].codes }
	labels := len(m.attrs[attr].Labels)
	all := newSet(labels)
	for _, g := range group {
		all.add(codes(g))
	}
	if all.size == labels {
		m.claimAll(like, group, nil, found)
	}
	for _, o := range m.gaps[gap{attr, like.key(like.form, group[0].at)}] {
		p := slices.IndexFunc(m.original[o].conds, func(c cond) bool { return c.attr == attr })
		target, filled := newSet(labels), newSet(labels)
		target.add(m.original[o].conds[p].codes)
		var inside []member
		for _, g := range group {
			if target.holds(codes(g)) {
				inside = append(inside, g)
				filled.add(codes(g))
			}
		}
		if len(inside) > 1 && filled.size == target.size {
			m.claimAll(like, inside, &m.original[o].conds[p], found)
		}
	}
}

// set is a set of categories, one bit each.
type set struct {
	bits []uint64
	size int
}

func newSet(labels int) *set { return &set{bits: make([]uint64, (labels+63)/64)} }

func (s *set) add(codes []int32) {
	for _, c := range codes {
		if bit := uint64(1) << (c % 64); s.bits[c/64]&bit == 0 {
			s.bits[c/64] |= bit
			s.size++
		}
	}
}

func (s *set) holds(codes []int32) bool {
	return !slices.ContainsFunc(codes, func(c int32) bool { return s.bits[c/64]>>(c%64)&1 == 0 })
}
