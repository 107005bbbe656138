package extframework

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/moments"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/table"
)

// part is records whose moments are kept together: those of a leaf, or of all leaves under a node.
type part struct {
	node int32
	rows []int32     // of the chunk, leaf by leaf, each in the order of the records' identities: sums depend on the order in their last digits
	u    [][]float64 // their values, of the columns to regenerate and then the given ones; those outside their domain are moved to its end
	// joint holds the columns of u that are drawn together, ascending; the other ones get noise. It is nil for a small leaf.
	joint []int
	taken []int32 // positions in rows of the records that are released from here; the others only lend their moments
	lent  int     // small leaves that the node lends its moments to; 0 for a leaf's own part
}

// need returns how many records a leaf must have for moments of its own: 2k+2, so many that EGADP can turn its noise freely, and 5 for each given
// column, or the regression on these would explain the columns by chance, and so release them. With EGADP they are at least 10 more than the
// columns, for exact moments of a few records tell them.
func (s *numbers) need() int {
	k, q := len(s.columns), len(s.given)
	n := 2*k + 5*q + 2
	if s.technique == EGADP {
		return max(n, 10+k+q)
	}
	return n
}

// divide divides the records into parts. Every record is taken by one: its leaf's or, where that is small, that of the lowest node above
// it, inside a pool, with records enough.
func (s *numbers) divide(t *table.Table, leaf []int32) []*part {
	if len(s.columns) == 0 {
		return nil
	}
	nodes := s.Tree.Leaves()
	rows, start := sorted(t, leaf, len(nodes))
	under := func(n int32) []int32 { return rows[start[s.spans[n].lo]:start[s.spans[n].hi]] }
	own := make([]*part, len(nodes))
	parallel.Do(len(own), func(l int) { own[l] = s.part(t, leaf, nodes[l], under(nodes[l])) })
	shared := map[int32]*part{} // of inner nodes
	lender := func(n int32) *part {
		for n = s.parent[n]; n >= 0 && s.pooled[n]; n = s.parent[n] {
			if shared[n] == nil {
				shared[n] = s.part(t, leaf, n, under(n))
			}
			if shared[n].joint != nil {
				return shared[n]
			}
		}
		return nil
	}
	var out []*part
	for l, p := range own {
		if p.joint == nil && len(p.rows) > 0 {
			if q := lender(p.node); q != nil {
				p = q
				p.lent++
			}
		}
		if len(p.taken) == 0 && start[l] < start[l+1] {
			out = append(out, p)
		}
		for r := start[l]; r < start[l+1]; r++ {
			p.taken = append(p.taken, int32(r-start[s.spans[p.node].lo]))
		}
	}
	return out
}

// sorted returns the rows of a chunk by leaf, those of a leaf by identity, and where each leaf starts.
func sorted(t *table.Table, leaf []int32, leaves int) (rows []int32, start []int) {
	order := make([]int32, t.Rows())
	for i := range order {
		order[i] = int32(i)
	}
	if ids, _ := t.IDs(); !slices.IsSorted(ids) {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(ids[a], ids[b]) })
	}
	start = make([]int, leaves+1)
	for _, l := range leaf {
		start[l+1]++
	}
	for l := range leaves {
		start[l+1] += start[l]
	}
	next := slices.Clone(start)
	rows = make([]int32, len(order))
	for _, i := range order {
		rows[next[leaf[i]]] = i
		next[leaf[i]]++
	}
	return rows, start
}

// part gathers the values of a part, which takes no record yet.
func (s *numbers) part(t *table.Table, leaf []int32, node int32, rows []int32) *part {
	p := &part{node: node, rows: rows, u: matrix(len(s.columns)+len(s.given), len(rows))}
	for k, j := range s.columns {
		x, u := t.Num(j), p.u[k]
		for r, i := range rows {
			c := &s.cells[k][leaf[i]]
			u[r] = min(max(x[i], c.lo), c.hi)
		}
	}
	for k, j := range s.given {
		d := &s.Tree.Attrs[j].Domain
		x, u := t.Num(j), p.u[len(s.columns)+k]
		for r, i := range rows {
			u[r] = min(max(x[i], d.Lo), d.Hi)
		}
	}
	p.joint = s.joint(p.u)
	return p
}

// joint returns the columns with values enough for moments, provided that every two of them share records enough; nil otherwise.
func (s *numbers) joint(u [][]float64) []int {
	if len(u[0]) < s.need() {
		return nil
	}
	var out []int
	complete := true
	for k, col := range u {
		if n := known(col); n >= s.need() {
			out = append(out, k)
			complete = complete && n == len(col)
		}
	}
	if len(out) == 0 || out[0] >= len(s.columns) {
		return nil
	}
	if !complete {
		m, err := moments.Of(context.Background(), pick(u, out))
		if err != nil || slices.Min(m.N) < float64(s.need()) {
			return nil
		}
	}
	return out
}

func known(col []float64) int {
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

// matrix returns k columns of n values.
func matrix(k, n int) [][]float64 {
	flat, out := make([]float64, k*n), make([][]float64, k)
	for j := range out {
		out[j] = flat[j*n : (j+1)*n : (j+1)*n]
	}
	return out
}

func pick(cols [][]float64, at []int) [][]float64 {
	out := make([][]float64, len(at))
	for n, k := range at {
		out[n] = cols[k]
	}
	return out
}

// gather returns the given rows of columns.
func gather(cols [][]float64, rows []int32) [][]float64 {
	out := matrix(len(cols), len(rows))
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
