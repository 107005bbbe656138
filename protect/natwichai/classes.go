package natwichai

import (
	"cmp"
	"slices"
	"sort"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// mixes is which class mix the leaves have, and which mix sensitive ones borrow.
type mixes struct {
	leaf      []int32 // of the records
	counts    [][]int // by leaf and class
	sensitive []bool  // by leaf
	pool      [][]int // by leaf: what a sensitive one borrows, by class; nil for the others, and where there is nothing
}

// mixes counts the classes of the leaves, and of what lies beside sensitive ones: the smallest part of the tree around
// each with a class other than the rule's end, without the leaves that are sensitive.
func (p *Plan) mixes(t *table.Table, leaf []int32, rules []rule, leaves [][]int32) *mixes {
	m := &mixes{leaf: leaf, counts: p.Count(t, leaf)}
	m.sensitive, m.pool = make([]bool, len(m.counts)), make([][]int, len(m.counts))
	for _, of := range leaves {
		for _, l := range of {
			m.sensitive[l] = true
		}
	}
	nodes := p.Tree.Leaves()
	parent := make([]int32, len(p.Tree.Nodes))
	beside := make([][]int, len(p.Tree.Nodes)) // the classes of a node's leaves that may stay
	for i := range beside {
		beside[i] = make([]int, len(p.Tree.ClassLabels()))
		for _, k := range p.Tree.Nodes[i].Kids {
			parent[k] = int32(i)
		}
	}
	for l, i := range nodes {
		if !m.sensitive[l] {
			copy(beside[i], m.counts[l])
		}
	}
	for i := len(beside) - 1; i > 0; i-- {
		for c, n := range beside[i] {
			beside[parent[i]][c] += n
		}
	}
	for l, i := range nodes {
		end := p.Tree.Nodes[i].Label
		for m.sensitive[l] && m.pool[l] == nil && i > 0 {
			if i = parent[i]; sum(beside[i]) > beside[i][end] {
				m.pool[l] = beside[i]
			}
		}
	}
	return m
}

func sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// apportion divides n in proportion to weights, of which one is positive, by largest remainder; ties go to the lower
// number.
func apportion(n int, weights []int) []int {
	all := sum(weights)
	out, order := make([]int, len(weights)), make([]int, len(weights))
	left := n
	for c, w := range weights {
		out[c], order[c] = n*w/all, c
		left -= out[c]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n*weights[b]%all, n*weights[a]%all) })
	for _, c := range order[:left] {
		out[c]++
	}
	return out
}

// borrow returns the classes with the mix of the pool in every sensitive leaf. As few records change as can be; those
// with the lowest keys of a class that there is too much of do.
func (m *mixes) borrow(classes []int32, keys []rng.Block) []int32 {
	out := slices.Clone(classes)
	for l, rows := range m.members(classes) {
		if m.pool[l] == nil {
			continue
		}
		byKey(rows, keys)
		want := apportion(len(rows), m.pool[l])
		spare := make([]int, len(want))
		for c, n := range m.counts[l] {
			spare[c] = n - want[c]
		}
		var free []int32
		for _, i := range rows {
			if c := classes[i]; spare[c] > 0 {
				spare[c]--
				free = append(free, i)
			}
		}
		for c, n := range spare {
			for ; n < 0; n++ {
				out[free[0]], free = int32(c), free[1:]
			}
		}
	}
	return out
}

// members returns, by leaf, the rows with a class of those that are sensitive.
func (m *mixes) members(classes []int32) [][]int32 {
	out := make([][]int32, len(m.counts))
	for i, l := range m.leaf {
		if m.sensitive[l] && classes[i] >= 0 {
			out[l] = append(out[l], int32(i))
		}
	}
	return out
}

// byKey sorts rows by their keys.
func byKey(rows []int32, keys []rng.Block) {
	slices.SortFunc(rows, func(i, j int32) int {
		return cmp.Or(cmp.Compare(keys[i].A, keys[j].A), cmp.Compare(keys[i].B, keys[j].B), cmp.Compare(i, j))
	})
}

// push moves records of rules that can still be found from the end to other classes, until none is found or nothing
// helps. Every round that goes on moves a record, and none is moved to the end of its leaf, so there are no more rounds
// than records.
func (p *Plan) push(
	c *basket.Coding,
	rules []rule,
	leaves [][]int32,
	m *mixes,
	out *table.Table,
	keys []rng.Block,
) (*table.Table, error) {
	for moved := true; moved; {
		moved = false
		for k := range rules {
			s, err := p.search(c, out)
			if err != nil {
				return nil, err
			}
			hidden, err := s.hidden(&rules[k], nil, out)
			if err != nil {
				return nil, err
			}
			if hidden {
				continue
			}
			next, err := s.bisect(&rules[k], leaves[k], m, out, keys)
			if err != nil {
				return nil, err
			}
			if next != nil {
				out, moved = next, true
			}
		}
	}
	return out, nil
}

// bisect returns the release in which the fewest records of a rule's leaves lost the end that hide it: those with the
// lowest keys. It returns nil where all together do not.
func (s *search) bisect(r *rule, leaves []int32, m *mixes, out *table.Table, keys []rng.Block) (*table.Table, error) {
	classes := out.Cat(s.Tree.Class)
	var rows []int32 // that may lose the end
	for i, l := range m.leaf {
		if classes[i] == r.end && m.pool[l] != nil && slices.Contains(leaves, l) {
			rows = append(rows, int32(i))
		}
	}
	byKey(rows, keys)
	var failed error
	try := func(n int) (*table.Table, bool) {
		next := out.WithCat(s.Tree.Class, m.without(r.end, classes, rows[:n]))
		hidden, err := s.hidden(r, rows[:n], next)
		if err != nil {
			failed = err
		}
		return next, hidden
	}
	if _, hidden := try(len(rows)); !hidden || failed != nil {
		return nil, failed
	}
	n := sort.Search(len(rows), func(n int) bool { _, hidden := try(n); return hidden })
	next, _ := try(n)
	return next, failed
}

// without returns the classes in which the rows, in the order of their keys, have the other classes of what their leaf
// borrows, by largest remainder, instead of the end.
func (m *mixes) without(end int32, classes, rows []int32) []int32 {
	out := slices.Clone(classes)
	of := make([][]int32, len(m.counts))
	for _, i := range rows {
		of[m.leaf[i]] = append(of[m.leaf[i]], i)
	}
	for l, rows := range of {
		if len(rows) == 0 {
			continue
		}
		others := slices.Clone(m.pool[l])
		others[end] = 0
		for c, n := range apportion(len(rows), others) {
			for range n {
				out[rows[0]], rows = int32(c), rows[1:]
			}
		}
	}
	return out
}
