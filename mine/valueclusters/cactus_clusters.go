package valueclusters

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// clusters finds the clusters; none, and a note, when there are more than MaxClusters candidates.
func (s *summary) clusters(ctx context.Context) ([]Cluster, error) {
	if len(s.cols) < 2 {
		return nil, ctx.Err()
	}
	candidates, ok, err := s.candidates(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		s.note("there are more than maxClusters %d candidates: no clusters are given; leave out columns, or raise delta",
			s.MaxClusters)
		return nil, nil
	}
	support, complete, err := s.support(ctx, candidates)
	if err != nil {
		return nil, err
	}
	var found []Cluster
	for k, c := range candidates {
		expected := float64(complete)
		for i, v := range c {
			expected = float64(expected * (float64(v.len()) / float64(len(s.cols[i].labels))))
		}
		if float64(support[k]) > s.Delta*expected {
			found = append(found, Cluster{Values: s.name(c), Support: support[k], Expected: expected})
		}
	}
	slices.SortStableFunc(found, func(x, y Cluster) int { return cmp.Compare(y.Support, x.Support) })
	return found, nil
}

// family is a list of different sets.
type family struct {
	sets []set
	seen map[string]bool
}

func (f *family) add(s set) {
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	if key := string(s.appendTo(nil)); !f.seen[key] {
		f.seen[key] = true
		f.sets = append(f.sets, s)
	}
}

// projections returns what are taken for the projections of clusters on column i with respect to column j: every set of
// at most Kappa mutually similar values, extended by all values that are similar to all of them.
func (s *summary) projections(i, j int) []set {
	rows := s.rel[i][j]
	similar := sets(len(rows), len(rows))
	for v := range rows {
		for w := range rows {
			if rows[v].common(rows[w]) > 0 {
				similar[v].add(w)
			}
		}
	}
	var found family
	for v := range rows {
		if !similar[v].has(v) { // it is strongly connected to nothing
			continue
		}
		found.add(similar[v])
		if s.Kappa < 2 {
			continue
		}
		for w := range v {
			if similar[v].has(w) {
				e, _ := similar[v].and(similar[w])
				found.add(e)
			}
		}
	}
	return found.sets
}

// projectAll returns the intersections of the projections on column i with respect to all other columns; ok is false
// when there are too many.
func (s *summary) projectAll(i int) (all []set, ok bool) {
	ok = true
	for j := range s.cols {
		if j == i {
			continue
		}
		p := s.projections(i, j)
		if all == nil {
			all = p
		} else if all, ok = s.meet(all, p); !ok {
			return nil, false
		}
		if len(all) == 0 {
			break
		}
	}
	return all, true
}

// meet returns the intersections of the sets of two families, without the empty one; ok is false when there are too
// many.
func (s *summary) meet(x, y []set) (all []set, ok bool) {
	var f family
	for _, a := range x {
		for _, b := range y {
			if both, n := a.and(b); n > 0 {
				f.add(both)
			}
		}
		if len(f.sets) > s.MaxClusters {
			return nil, false
		}
	}
	return f.sets, true
}

// closed returns the sets of values of column i that all values of some set of other values are strongly connected to:
// the projections of all clusters are among them. ok is false when there are too many.
func (s *summary) closed(i int) (all []set, ok bool) {
	var f family
	for j := range s.cols {
		if j == i {
			continue
		}
		for _, row := range s.rel[j][i] {
			if row.len() > 0 {
				f.add(row)
			}
		}
	}
	base := f.sets[:len(f.sets):len(f.sets)]
	for k := 0; k < len(f.sets); k++ {
		for _, b := range base {
			if both, n := f.sets[k].and(b); n > 0 {
				f.add(both)
			}
		}
		if len(f.sets) > s.MaxClusters {
			return nil, false
		}
	}
	return f.sets, true
}

// candidates builds the clusters attribute by attribute and extends each until it is maximal; ok is false when there
// are too many.
func (s *summary) candidates(ctx context.Context) (found [][]set, ok bool, err error) {
	grown := [][]set{nil}
	for i := range s.cols {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		project := s.projectAll
		if s.Projections == All {
			project = s.closed
		}
		p, ok := project(i)
		if !ok {
			return nil, false, nil
		}
		reach := make([][]set, len(p))
		for k, x := range p {
			reach[k] = s.reach(i, x)[:i]
		}
		var next [][]set
		for _, c := range grown {
			for k, x := range p {
				if within(c, reach[k]) {
					next = append(next, slices.Concat(c, []set{x}))
				}
			}
			if len(next) > s.MaxClusters || ctx.Err() != nil {
				return nil, false, ctx.Err()
			}
		}
		grown = next
	}
	seen := map[string]bool{}
	for _, c := range grown {
		s.extend(c)
		var key []byte
		for _, v := range c {
			key = v.appendTo(key)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			found = append(found, c)
		}
	}
	return found, true, nil
}

// reach returns, by column, the values that all values of x in column i are strongly connected to; nothing for column i
// itself. x is not empty.
func (s *summary) reach(i int, x set) []set {
	out := make([]set, len(s.cols))
	for j := range s.cols {
		if j == i {
			continue
		}
		x.each(func(v int) {
			if out[j] == nil {
				out[j] = slices.Clone(s.rel[i][j][v])
				return
			}
			for k, w := range s.rel[i][j][v] {
				out[j][k] &= w
			}
		})
	}
	return out
}

// within reports whether every set of c is in the one of its column.
func within(c, of []set) bool {
	for j, x := range c {
		if !x.in(of[j]) {
			return false
		}
	}
	return true
}

// extend adds values to a candidate, those of the first column first, until none can be added. What is added to one
// column leaves less to add to the others, so one pass is enough.
func (s *summary) extend(c []set) {
	for i := range c {
		// the values connected to all values of the other columns; those of c are among them
		wider := newSet(len(s.cols[i].labels))
		for v := range s.cols[i].labels {
			ok := true
			for j := range c {
				ok = ok && (j == i || c[j].in(s.rel[i][j][v]))
			}
			if ok {
				wider.add(v)
			}
		}
		c[i] = wider
	}
}

// support counts the records of every candidate, and the complete ones.
func (s *summary) support(ctx context.Context, candidates [][]set) (of []int, complete int, err error) {
	members := make([][]set, len(s.cols)) // by column and value, the candidates that have it
	for i, c := range s.cols {
		members[i] = sets(len(c.labels), len(candidates))
		for k := range candidates {
			candidates[k][i].each(func(v int) { members[i][v].add(k) })
		}
	}
	const grain = 1 << 16
	part := make([]struct {
		of       []int
		complete int
	}, (s.rows+grain-1)/grain)
	err = parallel.Ranges(ctx, s.rows, grain, func(lo, hi int) error {
		p := &part[lo/grain]
		p.of = make([]int, len(candidates))
		in := newSet(len(candidates))
	record:
		for r := lo; r < hi; r++ {
			for _, c := range s.cols {
				if c.codes[r] < 0 {
					continue record
				}
			}
			p.complete++
			copy(in, members[0][s.cols[0].codes[r]])
			for i, c := range s.cols[1:] {
				for k, w := range members[i+1][c.codes[r]] {
					in[k] &= w
				}
			}
			for k, w := range in {
				for ; w != 0; w &= w - 1 {
					p.of[64*k+bits.TrailingZeros64(w)]++
				}
			}
		}
		return nil
	})
	of = make([]int, len(candidates))
	for _, p := range part {
		complete += p.complete
		for k, n := range p.of {
			of[k] += n
		}
	}
	return of, complete, err
}
