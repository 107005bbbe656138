package kanonymise

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// intervals is how many the numbers of a column are cut into at the finest, about.
const intervals = 100

// strand is the part of a chromosome that generalises one column. The column is divided into leaves, in an order: the
// values of a hierarchy, so that every group has neighbours only, ordered categories, or narrow intervals. A gene
// stands between two neighbouring leaves and says that they are in different groups.
type strand struct {
	first  int     // the place of its first gene
	leaves int     // one more than genes
	of     []int32 // by code of the axis but that of a missing value: its leaf
	before []int   // by leaf: how many values that occur are before it

	edges  []float64            // of numbers: the limits of the intervals, with the ends of the domain
	domain table.Interval       // of numbers
	labels []string             // of ordered categories without a hierarchy
	tree   *hierarchy.Hierarchy // of others
	groups [][]int32            // by level of the tree and leaf
	values []int32              // by leaf: the value of the tree
	spans  [][]float64          // by level and group
}

// run is the leaves lo to hi-1, which become one group: on a level of the tree, if there is one.
type run struct{ lo, hi, level int }

// newStrand divides a column, whose hierarchy may be given, into leaves.
func newStrand(c *table.Column, given *hierarchy.Hierarchy, first int) (*strand, error) {
	s := &strand{first: first}
	var err error
	switch {
	case c.Kind == table.Numeric && (given == nil || given.Numeric()):
		s.slice(c, given)
	case given == nil && c.Ordered:
		s.labels, s.leaves = c.Labels, len(c.Labels)
		_, s.of = categories(c.Cat, len(c.Labels))
	case given == nil:
		err = s.plant(c, hierarchy.Build(c))
	default:
		err = s.plant(c, given)
	}
	if err == nil {
		s.count()
	}
	return s, err
}

// slice makes intervals leaves: those of the lowest level of a hierarchy, or of round limits.
func (s *strand) slice(c *table.Column, given *hierarchy.Hierarchy) {
	limits, domain := hierarchy.Limits(c, intervals)
	if given == nil && c.Dates != "" {
		given = hierarchy.Build(c)
	}
	if given != nil {
		limits, domain = given.Cuts, given.Domain
	}
	s.edges, s.domain, s.leaves = []float64{domain.Lo}, domain, len(limits)+1
	s.edges = append(append(s.edges, limits...), domain.Hi)
	_, values := rank.Dense(c.Num)
	for _, v := range values {
		at, exact := slices.BinarySearch(limits, v)
		if exact {
			at++
		}
		s.of = append(s.of, int32(at))
	}
}

// plant makes the values of a hierarchy leaves.
func (s *strand) plant(c *table.Column, h *hierarchy.Hierarchy) error {
	distinct := table.Column{Attribute: c.Attribute}
	switch c.Kind {
	case table.Numeric:
		_, distinct.Num = rank.Dense(c.Num)
	case table.Categorical:
		_, distinct.Cat = categories(c.Cat, len(c.Labels))
	case table.SetValued: // is not among the columns
	}
	values, err := h.Groups(&distinct, 0)
	if errors.Is(err, hierarchy.ErrNotCovered) {
		_, err = h.Groups(c, 0) // names the record
	}
	if err != nil {
		return err
	}
	s.tree, s.leaves = h, len(h.Names[0])
	raised := make([][]int32, h.Height()+1)
	for level := range raised {
		raised[level], s.spans = h.Raise(0, level), append(s.spans, h.Spans(level))
	}
	for v := range s.leaves {
		s.values = append(s.values, int32(v))
	}
	slices.SortFunc(s.values, func(a, b int32) int {
		for level := h.Height(); level >= 0; level-- {
			if x, y := raised[level][a], raised[level][b]; x != y {
				return int(x - y)
			}
		}
		return 0
	})
	s.groups = make([][]int32, len(raised))
	place := make([]int32, s.leaves)
	for leaf, v := range s.values {
		place[v] = int32(leaf)
		for level := range raised {
			s.groups[level] = append(s.groups[level], raised[level][v])
		}
	}
	for _, v := range values {
		s.of = append(s.of, place[v])
	}
	return nil
}

// divide appends the groups that genes make, and mends these where they would part a group of the hierarchy without
// parting it into groups of the level below: its groups are then parted from one another.
func (s *strand) divide(genes []bool, out []run) []run {
	genes = genes[s.first : s.first+s.leaves-1]
	if s.tree == nil {
		lo := 0
		for hi := 1; hi <= s.leaves; hi++ {
			if hi == s.leaves || genes[hi-1] {
				out = append(out, run{lo: lo, hi: hi})
				lo = hi
			}
		}
		return out
	}
	return s.below(genes, run{0, s.leaves, s.tree.Height() + 1}, out)
}

// below appends the groups that genes make of those on the level below a run.
func (s *strand) below(genes []bool, of run, out []run) []run {
	groups := s.groups[of.level-1]
	for lo := of.lo; lo < of.hi; {
		hi := lo + 1
		for hi < of.hi && groups[hi] == groups[lo] {
			hi++
		}
		part := run{lo, hi, of.level - 1}
		if hi < of.hi {
			genes[hi-1] = true
		}
		if slices.Contains(genes[lo:hi-1], true) {
			out = s.below(genes, part, out)
		} else {
			out = append(out, s.lowest(part))
		}
		lo = hi
	}
	return out
}

// lowest is a run on the lowest level that has it as a group.
func (s *strand) lowest(r run) run {
	for r.level > 0 && s.groups[r.level-1][r.lo] == s.groups[r.level-1][r.hi-1] {
		r.level--
	}
	return r
}

// loss returns what a cell of a group loses, in [0, 1] (general loss metric).
func (s *strand) loss(r run) float64 {
	switch {
	case s.tree != nil:
		return s.spans[r.level][s.groups[r.level][r.lo]]
	case s.edges == nil:
		return float64(r.hi-r.lo-1) / float64(max(1, s.leaves-1))
	case !(s.domain.Hi > s.domain.Lo):
		return 0
	}
	inside := func(v float64) float64 { return min(max(v, s.domain.Lo), s.domain.Hi) }
	return (inside(s.edges[r.hi]) - inside(s.edges[r.lo])) / (s.domain.Hi - s.domain.Lo)
}

// special reports whether every value that occurs is in a group of its own.
func (s *strand) special(runs []run) bool {
	return !slices.ContainsFunc(runs, func(r run) bool { return s.before[r.hi]-s.before[r.lo] > 1 })
}

// count sets how many values that occur are before every leaf.
func (s *strand) count() {
	s.before = make([]int, s.leaves+1)
	for _, leaf := range s.of {
		s.before[leaf+1]++
	}
	for leaf := range s.leaves {
		s.before[leaf+1] += s.before[leaf]
	}
}

// hierarchy returns the hierarchy of one level whose groups are those.
func (s *strand) hierarchy(a *table.Attribute, runs []run) (*hierarchy.Hierarchy, error) {
	if s.edges != nil {
		var limits []float64
		for _, r := range runs[1:] {
			limits = append(limits, s.edges[r.lo])
		}
		own := *a
		own.Domain = s.domain
		return hierarchy.Cut(&own, limits)
	}
	values, group, taken := s.labels, make([]string, s.leaves), map[string]bool{}
	if s.tree != nil {
		values = s.tree.Names[0]
	}
	for _, r := range runs {
		label := hierarchy.Top
		switch {
		case s.tree != nil:
			label = s.tree.Names[r.level][s.groups[r.level][r.lo]]
		case r.hi-r.lo < s.leaves:
			label = hierarchy.Run(s.labels[r.lo:r.hi])
		}
		for n, plain := 2, label; taken[label]; n++ { // groups of different levels may have one label
			label = fmt.Sprintf("%s (%d)", plain, n)
		}
		taken[label] = true
		for leaf := r.lo; leaf < r.hi; leaf++ {
			v := leaf
			if s.tree != nil {
				v = int(s.values[leaf])
			}
			group[v] = label
		}
	}
	return hierarchy.Join(a.Name, values, group), nil
}
