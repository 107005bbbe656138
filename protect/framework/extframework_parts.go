package framework

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// part is records whose moments are kept together: those of a leaf, or of all leaves under a node.
type part struct {
	node   int32
	lo, hi int // its records lo..hi-1, when they stand leaf by leaf
	// their values, of the columns to regenerate and then the given ones; those outside their domain are moved to its end
	u [][]float64
	// joint holds the columns of u that are drawn together, ascending; the other ones get noise. It is nil for a small
	// leaf.
	joint []int
	taken []int32 // leaves whose records are released from here; the others only lend their moments
	lent  int     // small leaves that the node lends its moments to; 0 for a leaf's own part
}

// division is records in parts. Their values stand leaf by leaf, in a space.
type division struct {
	in    *mmap.Space
	u     [][]float64
	start []int // of every leaf, and where the last one ends
	parts []*part
}

func (d *division) free() { mmap.Release(d.in, d.u...) }

// records returns how many records are released from a part.
func (d *division) records(p *part) int {
	n := 0
	for _, l := range p.taken {
		n += d.start[l+1] - d.start[l]
	}
	return n
}

// need returns how many records a leaf must have for moments of its own: 2k+2, so many that EGADP can turn its noise
// freely, and 5 for each given column, or the regression on these would explain the columns by chance, and so release
// them. With EGADP they are at least 10 more than the columns, for exact moments of a few records tell them.
func (s *numbers) need() int {
	k, q := len(s.columns), len(s.given)
	n := 2*k + 5*q + 2
	if s.technique == EGADP {
		return max(n, 10+k+q)
	}
	return n
}

// read are the positions of the columns that are looked at: what is regenerated, and what it is drawn given.
func (s *numbers) read() []int { return slices.Concat(s.columns, s.given) }

// divide divides records, of which t holds the columns that are read, into parts. Every record is taken by one: its
// leaf's or, where that is small, that of the lowest node above it, inside a pool, with records enough. The records of
// a leaf keep their order, on which sums depend in their last digits.
func (s *numbers) divide(t *table.Table, leaf []int32) *division {
	d := &division{in: t.Space()}
	if len(s.columns) == 0 {
		return d
	}
	nodes := s.Tree.Leaves()
	d.start = starts(leaf, len(nodes))
	d.u = s.levelled(t, leaf, d.start)
	under := func(n int32) *part {
		p := &part{node: n, lo: d.start[s.spans[n].lo], hi: d.start[s.spans[n].hi]}
		p.u = rank.Cut(d.u, p.lo, p.hi)
		p.joint = s.joint(p.u)
		return p
	}
	own := make([]*part, len(nodes))
	parallel.Do(len(own), func(l int) { own[l] = under(nodes[l]) })
	shared := map[int32]*part{} // of inner nodes
	lender := func(n int32) *part {
		for n = s.parent[n]; n >= 0 && s.pooled[n]; n = s.parent[n] {
			if shared[n] == nil {
				shared[n] = under(n)
			}
			if shared[n].joint != nil {
				return shared[n]
			}
		}
		return nil
	}
	for l, p := range own {
		if p.lo == p.hi {
			continue
		}
		if p.joint == nil {
			if q := lender(p.node); q != nil {
				p = q
				p.lent++
			}
		}
		if p.taken == nil {
			d.parts = append(d.parts, p)
		}
		p.taken = append(p.taken, int32(l))
	}
	return d
}

// starts returns where each leaf starts when records stand leaf by leaf, and where the last one ends.
func starts(leaf []int32, leaves int) []int {
	start := make([]int, leaves+1)
	for _, l := range leaf {
		start[l+1]++
	}
	for l := range leaves {
		start[l+1] += start[l]
	}
	return start
}

// levelled returns the values of the columns that are read, leaf by leaf, those outside their domain moved to its end.
// Each column is walked over once, in order.
func (s *numbers) levelled(t *table.Table, leaf []int32, start []int) [][]float64 {
	out := mmap.Columns(t.Space(), t.Width(), t.Rows())
	parallel.Do(len(out), func(k int) {
		next := slices.Clone(start)
		var whole table.Interval // of a given column
		if k >= len(s.columns) {
			whole = s.Tree.Attrs[s.given[k-len(s.columns)]].Domain
		}
		for i, v := range t.Num(k) {
			l := leaf[i]
			lo, hi := whole.Lo, whole.Hi
			if k < len(s.columns) {
				lo, hi = s.cells[k][l].lo, s.cells[k][l].hi
			}
			out[k][next[l]] = min(max(v, lo), hi)
			next[l]++
		}
	})
	return out
}

// joint returns the columns with values enough for moments, provided that every two of them share records enough; nil
// otherwise.
func (s *numbers) joint(u [][]float64) []int {
	if len(u[0]) < s.need() {
		return nil
	}
	var out []int
	complete := true
	for k, col := range u {
		if n := extFrameworkKnown(col); n >= s.need() {
			out = append(out, k)
			complete = complete && n == len(col)
		}
	}
	if len(out) == 0 || out[0] >= len(s.columns) {
		return nil
	}
	if !complete {
		m, err := moments.Of(context.Background(), pick(u, out))
		if err != nil || slices.Min(m.Records) < uint64(max(0, s.need())) {
			return nil
		}
	}
	return out
}

func extFrameworkKnown(col []float64) int {
	n := 0
	for _, v := range col {
		if v == v {
			n++
		}
	}
	return n
}

// fresh returns how many of the columns that a part draws together are to be regenerated.
func (s *numbers) fresh(p *part) int {
	k, _ := slices.BinarySearch(p.joint, len(s.columns))
	return k
}

func pick(cols [][]float64, at []int) [][]float64 {
	out := make([][]float64, len(at))
	for n, k := range at {
		out[n] = cols[k]
	}
	return out
}

// gather returns the given rows of columns, in a space.
func gather(in *mmap.Space, cols [][]float64, rows []int32) [][]float64 {
	out := mmap.Columns(in, len(cols), len(rows))
	for c, col := range cols {
		for n, r := range rows {
			out[c][n] = col[r]
		}
	}
	return out
}

// scatter writes columns to the given rows.
func scatter(dst [][]float64, rows []int32, cols [][]float64) {
	for c, col := range cols {
		for n, r := range rows {
			dst[c][r] = col[n]
		}
	}
}
