package anonymity

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// items are the different rows of a release as an intruder sees them, each of whom it is.
type items struct {
	codes    [][]int32 // by column and row: a value, from 0; -1 where it is missing
	distinct []int32   // by column: values
	owner    []int32   // by row: the one person who has it; -1 where several have
}

// unique is a minimal sample unique of a row: columns in which it agrees with nobody else's, though it does in all but
// any one of them.
type unique struct {
	row     int32
	columns uint64
}

// seeker finds the minimal sample uniques. It walks through the sets of columns so that every set comes after its
// subsets, and refines the classes of one set into those of the next: a class of one person is unique, and needs no
// more columns. A row that is unique without one of the columns has an entry for the fewer ones already.
type seeker struct {
	*items
	order []int // of the columns, those with few values first: these refine what others left over
	size  int
	found []unique
	last  []int32 // by row: its latest entry of found; -1 for none
	next  []int32 // by entry of found: the one before it of the same row

	levels []level
	groups []group // by value; all empty between calls
}

// level is the classes of a set of columns, which differ in how many rows of one person only they have.
type level struct {
	rows []int32 // class by class
	ends []int32
}

// group is what a class has of one value.
type group struct {
	rows, at int32
	single   bool  // some of the rows are of one person
	owner    int32 // of all the rows, or -1
}

// seek returns the minimal sample uniques of up to size of at most 64 columns, by set of columns.
func seek(ctx context.Context, t *items, size int) ([]unique, error) {
	n := len(t.owner)
	s := seeker{items: t, size: size, last: slices.Repeat([]int32{-1}, n), levels: make([]level, size+1)}
	for j := range t.codes {
		s.order = append(s.order, j)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(t.distinct[a], t.distinct[b]) })
	s.groups = make([]group, slices.Max(append(t.distinct, 0)))
	all := level{rows: make([]int32, n), ends: []int32{int32(n)}}
	for i := range all.rows {
		all.rows[i] = int32(i)
	}
	s.levels[0] = all
	err := s.descend(ctx, 0, 0, len(t.codes))
	for e := range s.found {
		s.found[e].columns = s.named(s.found[e].columns)
	}
	return s.found, err
}

// named returns a set of places in the order as one of columns.
func (s *seeker) named(places uint64) (columns uint64) {
	for ; places != 0; places &= places - 1 {
		columns |= 1 << s.order[bits.TrailingZeros64(places)]
	}
	return columns
}

// descend refines the classes of a set of depth columns by each of those at places before below, and so on. Sets come
// in the order of their bits as a number, in which every set follows its subsets.
func (s *seeker) descend(ctx context.Context, depth int, set uint64, below int) error {
	if depth == s.size || len(s.levels[depth].rows) == 0 {
		return ctx.Err()
	}
	for j := range below {
		s.refine(depth, j, set|1<<j)
		if err := s.descend(ctx, depth+1, set|1<<j, j); err != nil {
			return err
		}
	}
	return nil
}

// refine makes the classes of the next level, into which the column at place j splits those of this one.
func (s *seeker) refine(depth, j int, set uint64) {
	from, to := &s.levels[depth], &s.levels[depth+1]
	to.rows, to.ends = to.rows[:0], to.ends[:0]
	start, codes := int32(0), s.codes[s.order[j]]
	for _, end := range from.ends {
		if end-start == 2 && depth > 0 {
			s.splitPair(from.rows[start], from.rows[start+1], codes, set, to)
		} else {
			s.split(from.rows[start:end], codes, set, to)
		}
		start = end
	}
}

// splitPair is split for two rows of different people, which most classes have.
func (s *seeker) splitPair(a, b int32, codes []int32, set uint64, to *level) {
	if codes[a] == codes[b] {
		if codes[a] >= 0 {
			to.rows = append(to.rows, a, b)
			to.ends = append(to.ends, int32(len(to.rows)))
		}
		return
	}
	for _, i := range [2]int32{a, b} {
		if codes[i] >= 0 && s.owner[i] >= 0 {
			s.keep(i, set)
		}
	}
}

// split adds the classes of two people or more that rows fall into by their values, and keeps the rows of those of one.
func (s *seeker) split(rows, codes []int32, set uint64, to *level) {
	for _, i := range rows {
		if v := codes[i]; v >= 0 {
			g := &s.groups[v]
			if g.rows == 0 {
				g.owner = s.owner[i]
			} else if g.owner != s.owner[i] {
				g.owner = -1
			}
			g.rows++
			g.single = g.single || s.owner[i] >= 0
		}
	}
	for _, i := range rows {
		v := codes[i]
		if v < 0 {
			continue
		}
		switch g := &s.groups[v]; {
		case g.owner >= 0:
			s.keep(i, set)
		case !g.single: // whatever the columns, nobody in it is unique
		default:
			if g.at == 0 {
				g.at = int32(len(to.rows)) + 1
				to.rows = slices.Grow(to.rows, int(g.rows))[:len(to.rows)+int(g.rows)]
				to.ends = append(to.ends, int32(len(to.rows)))
			}
			to.rows[g.at-1] = i
			g.at++
		}
	}
	for _, i := range rows {
		if v := codes[i]; v >= 0 {
			s.groups[v] = group{}
		}
	}
}

// keep notes that a row is unique in a set of columns, unless it is in some of them.
func (s *seeker) keep(row int32, set uint64) {
	for e := s.last[row]; e >= 0; e = s.next[e] {
		if s.found[e].columns&^set == 0 {
			return
		}
	}
	s.next = append(s.next, s.last[row])
	s.last[row] = int32(len(s.found))
	s.found = append(s.found, unique{row, set})
}

// Len returns the number of columns.
func (u unique) len() int { return bits.OnesCount64(u.columns) }
