package kanonymise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/diversity"
	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/table"
)

// mondrian partitions records. A rank is the position of a value: among the distinct ones for numbers, in the order of the axis for
// categories.
type mondrian struct {
	ctx   context.Context
	goals Goals
	f     *frame
	attrs []*table.Attribute
	axes  []Axis
	ranks [][]int32   // by axis and record; -1 for missing
	at    [][]float64 // by axis and rank: where widths are measured
}

// newRegions partitions the records of a table.
func newRegions(ctx context.Context, p *Plan, t *table.Table, given hierarchy.Set) (*Regions, error) {
	f, err := newFrame(ctx, t, p.Quasi, p.Secret, nil, "")
	if err != nil {
		return nil, err
	}
	m := &mondrian{ctx: ctx, goals: p.Goals, f: f, axes: make([]Axis, len(p.Quasi)),
		ranks: make([][]int32, len(p.Quasi)), at: make([][]float64, len(p.Quasi))}
	for k, j := range p.Quasi {
		c := t.Column(j)
		m.attrs = append(m.attrs, &p.Attrs[j])
		if err := m.setAxis(k, &c, given[c.Name]); err != nil {
			return nil, err
		}
	}
	r := &Regions{Axes: m.axes}
	for _, s := range m.starts() {
		tree := m.grow(s.rows, 3)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.Roots = append(r.Roots, Root{Missing: s.missing, Node: r.flatten(tree)})
	}
	return r, nil
}

// setAxis ranks the values of a quasi-identifier.
func (m *mondrian) setAxis(k int, c *table.Column, h *hierarchy.Hierarchy) error {
	a, x := m.f.axes[k], &m.axes[k]
	m.ranks[k] = make([]int32, m.f.rows)
	if c.Kind == table.Numeric {
		x.Domain = c.Domain
		if !c.Declared || math.IsInf(c.Domain.Lo, 0) || math.IsInf(c.Domain.Hi, 0) {
			x.Domain.Lo, x.Domain.Hi = table.Range(c.Num)
		}
		for i, code := range a.codes {
			m.ranks[k][i] = code - 1
		}
		m.at[k] = a.values
		return nil
	}
	x.Order = make([]int32, len(c.Labels))
	for code := range x.Order {
		x.Order[code] = int32(code)
	}
	if h != nil && !c.Ordered {
		if err := x.arrange(c, h); err != nil {
			return err
		}
	}
	ranks := x.ranks()
	for i, code := range c.Cat {
		if m.ranks[k][i] = -1; code >= 0 {
			m.ranks[k][i] = ranks[code]
		}
	}
	m.at[k] = make([]float64, len(x.Order))
	for r := range m.at[k] {
		m.at[k][r] = float64(r)
	}
	return nil
}

// arrange puts categories in the order of a hierarchy: groups next to each other, on every level.
func (x *Axis) arrange(c *table.Column, h *hierarchy.Hierarchy) error {
	if h.Numeric() {
		return fmt.Errorf("column %q is categorical, and its hierarchy cuts numbers into intervals", c.Name)
	}
	if err := h.Check(); err != nil {
		return err
	}
	if _, err := h.Groups(c, 0); err != nil {
		return err
	}
	x.Hierarchy = h
	levels := make([][]int32, h.Height()+1)
	for l := range levels {
		levels[l] = x.groups(&c.Attribute, l)
	}
	slices.SortStableFunc(x.Order, func(a, b int32) int {
		for l := h.Height(); l >= 0; l-- {
			if d := cmp.Compare(uint32(levels[l][a]), uint32(levels[l][b])); d != 0 { // what is not listed comes last
				return d
			}
		}
		return 0
	})
	return nil
}

// start is the records that lack the same quasi-identifiers.
type start struct {
	missing []int
	rows    []int32
}

// starts returns them in the order of their first record.
func (m *mondrian) starts() []start {
	var out []start
	at := map[string]int{}
	for i := range int32(m.f.rows) {
		row := m.f.row(i)
		key := pattern(len(row), func(k int) bool { return row[k] == 0 })
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key] = n
			s := start{}
			for k, code := range row {
				if code == 0 {
					s.missing = append(s.missing, k)
				}
			}
			out = append(out, s)
		}
		out[n].rows = append(out[n].rows, i)
	}
	return out
}

// branch is a region while it is divided.
type branch struct {
	axis int
	cut  float64
	kids [2]*branch
}

// flatten appends a tree, a region before its parts, and returns the position of its root.
func (r *Regions) flatten(b *branch) int {
	n := len(r.Nodes)
	r.Nodes = append(r.Nodes, Region{Axis: b.axis, Cut: b.cut})
	if b.axis >= 0 {
		for k, kid := range b.kids {
			at := r.flatten(kid)
			r.Nodes[n].Kids[k] = at
		}
	}
	return n
}

// grow divides records, which it reorders; the parts of the first regions, so many deep, are grown on all cores.
func (m *mondrian) grow(rows []int32, deep int) *branch {
	w := &divider{mondrian: m}
	for _, s := range m.f.secrets {
		w.counts = append(w.counts, make([]int32, s.Values()))
	}
	return w.grow(rows, deep)
}

// divider is one core's memory.
type divider struct {
	*mondrian
	sorted  []int32
	axes    []int
	width   []float64
	counts  [][]int32
	runs    []diversity.Run
	scratch []int32
}

func (w *divider) grow(rows []int32, deep int) *branch {
	b := &branch{axis: -1}
	if len(rows) < 2*w.goals.K || w.ctx.Err() != nil {
		return b
	}
	w.widest(rows)
	for _, k := range slices.Clone(w.axes) {
		rank, n := w.halve(rows, k)
		if rank == 0 {
			continue
		}
		b.axis, b.cut = k, w.limit(k, rows, rank)
		parts := [2][]int32{rows[:n], rows[n:]}
		if deep == 0 {
			b.kids = [2]*branch{w.grow(parts[0], 0), w.grow(parts[1], 0)}
			return b
		}
		parallel.Do(2, func(i int) { b.kids[i] = w.mondrian.grow(parts[i], deep-1) })
		return b
	}
	return b
}

// widest sets the axes along which the records differ, the widest first, by their share of the whole.
func (w *divider) widest(rows []int32) {
	w.axes, w.width = w.axes[:0], slices.Grow(w.width[:0], len(w.ranks))[:len(w.ranks)]
	for k, ranks := range w.ranks {
		lo, hi := ranks[rows[0]], ranks[rows[0]]
		for _, i := range rows {
			lo, hi = min(lo, ranks[i]), max(hi, ranks[i])
		}
		if lo == hi {
			continue
		}
		at := w.at[k]
		w.width[k] = (at[hi] - at[lo]) / (at[len(at)-1] - at[0])
		w.axes = append(w.axes, k)
	}
	slices.SortStableFunc(w.axes, func(a, b int) int { return cmp.Compare(w.width[b], w.width[a]) })
}

// halve finds the cut of an axis nearest to the median, of the two around it, that leaves both parts with the goals met. It moves the first
// part to the front and returns the lowest rank of the second one and the size of the first; 0 when there is none.
func (w *divider) halve(rows []int32, k int) (rank int32, n int) {
	ranks := w.ranks[k]
	w.sorted = w.sorted[:0]
	for _, i := range rows {
		w.sorted = append(w.sorted, ranks[i])
	}
	slices.Sort(w.sorted)
	middle := w.sorted[len(rows)/2]
	below, _ := slices.BinarySearch(w.sorted, middle)
	above, _ := slices.BinarySearch(w.sorted, middle+1)
	cuts := [2]int{below, above}
	if 2*above-len(rows) < len(rows)-2*below {
		cuts = [2]int{above, below}
	}
	first := [2]int32{middle, middle}
	for c, n := range cuts {
		if n < len(rows) {
			first[c] = w.sorted[n]
		}
	}
	for c, n := range cuts {
		if n < w.goals.K || len(rows)-n < w.goals.K {
			continue
		}
		rank := first[c]
		w.divide(rows, ranks, rank)
		if w.meets(rows[:n]) && w.meets(rows[n:]) {
			return rank, n
		}
	}
	return 0, 0
}

// divide moves the records below a rank to the front; the order within both parts stays.
func (w *divider) divide(rows, ranks []int32, rank int32) {
	w.sorted = w.sorted[:len(rows)]
	low, high := 0, len(rows)
	for _, i := range rows {
		if ranks[i] < rank {
			rows[low] = i
			low++
		} else {
			high--
			w.sorted[high] = i
		}
	}
	for k := range rows[low:] {
		rows[low+k] = w.sorted[len(rows)-1-k]
	}
}

// limit returns where numbers are cut, on the grid half-way between the largest of the first part and the smallest of the second one; of
// categories the rank.
func (w *divider) limit(k int, rows []int32, rank int32) float64 {
	a := w.attrs[k]
	if a.Kind != table.Numeric {
		return float64(rank)
	}
	last := int32(-1)
	for _, i := range rows {
		if r := w.ranks[k][i]; r < rank {
			last = max(last, r)
		}
	}
	lo, hi := w.at[k][last], w.at[k][rank]
	if cut := a.Snap(lo/2 + hi/2); cut > lo && cut < hi {
		return cut
	}
	return hi
}

// meets reports whether the sensitive values of records meet the goals.
func (w *divider) meets(rows []int32) bool {
	for a, s := range w.f.secrets {
		counts, values := w.counts[a], w.f.values[a]
		w.runs = w.runs[:0]
		for _, i := range rows {
			if v := values[i]; v >= 0 {
				if counts[v] == 0 {
					w.runs = append(w.runs, diversity.Run{Value: v})
				}
				counts[v]++
			}
		}
		for n, r := range w.runs {
			w.runs[n].Count, counts[r.Value] = counts[r.Value], 0
		}
		slices.SortFunc(w.runs, func(a, b diversity.Run) int { return int(a.Value - b.Value) })
		if !w.goals.meets(s, w.runs, &w.scratch) {
			return false
		}
	}
	return true
}
