package tree

import (
	"slices"

	"github.com/dither-data/dither/table"
)

// hop is an inner node prepared for routing: where a value leads, as the position of another hop or, when negative,
// as the complement of a leaf's number.
type hop struct {
	num    []float64 // the tested column, nil for a categorical test
	cut    float64
	le, gt int32
	none   int32 // where missing and unseen values lead: the heaviest branch

	cat   []int32 // the tested column, nil for a numeric test
	kids  []int32
	way   []int32 // by code, a position in kids
	heavy int32
	count []int32 // scratch, by position in kids
}

// hops prepares the inner nodes for a table; start is where the root stands.
func (t *Tree) hops(tab *table.Table) (hops []hop, start int32) {
	at := make([]int32, len(t.Nodes))
	inner, leaves := int32(0), int32(0)
	for i := range t.Nodes {
		if t.Nodes[i].Leaf() {
			at[i] = ^leaves
			leaves++
		} else {
			at[i] = inner
			inner++
		}
	}
	hops = make([]hop, 0, inner)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Leaf() {
			continue
		}
		h := hop{none: at[n.Kids[n.Heavy]]}
		if n.Branch == nil {
			h.num, h.cut, h.le, h.gt = tab.Num(n.Attr), n.Cut, at[n.Kids[0]], at[n.Kids[1]]
		} else {
			h.cat, h.way, h.heavy = tab.Cat(n.Attr), slices.Clone(n.Branch), n.Heavy
			h.kids, h.count = make([]int32, len(n.Kids)), make([]int32, len(n.Kids))
			for k, kid := range n.Kids {
				h.kids[k] = at[kid]
			}
			for code, k := range n.Branch {
				if k < 0 {
					h.way[code] = n.Heavy
				}
			}
		}
		hops = append(hops, h)
	}
	return hops, at[0]
}

// Route writes the leaf number of every record into dst, which has length tab.Rows(). The table must conform to
// t.Attrs. Cost: O(rows x depth).
func (t *Tree) Route(tab *table.Table, dst []int32) {
	r := router{dst: dst}
	var start int32
	r.hops, start = t.hops(tab)
	rows := make([]int32, min(len(dst), block))
	r.spare = make([]int32, len(rows))
	for from := 0; from < len(dst); from += block {
		rows = rows[:min(block, len(dst)-from)]
		for k := range rows {
			rows[k] = int32(from + k)
		}
		r.send(start, rows)
	}
}

const (
	block = 8192 // records routed together: their columns stay in the cache
	few   = 32   // records that are faster routed one by one
)

// router sends blocks of records down the tree, dividing them at every test. Dividing does not guess at branches as
// walking down record by record makes the processor do.
type router struct {
	hops  []hop
	dst   []int32
	spare []int32
}

// send routes records from a hop on. It permutes rows.
func (r *router) send(at int32, rows []int32) {
	if at < 0 {
		for _, i := range rows {
			r.dst[i] = ^at
		}
		return
	}
	if len(rows) < few {
		for _, i := range rows {
			to := at
			for to >= 0 {
				to = r.hops[to].next(int(i))
			}
			r.dst[i] = ^to
		}
		return
	}
	h := &r.hops[at]
	if h.cat != nil {
		r.fan(h, rows)
		return
	}
	le := h.cutRows(rows, r.spare)
	r.send(h.le, rows[:le])
	r.send(h.gt, rows[le:])
}

// cutRows divides records by a cut, in place, and returns how many go to the low side.
func (h *hop) cutRows(rows, spare []int32) int {
	low, high, missing := 0, 0, 0
	if h.none == h.le {
		missing = 1
	}
	for _, i := range rows {
		v := h.num[i]
		side := missing
		if v <= h.cut {
			side = 1
		}
		if v > h.cut {
			side = 0
		}
		rows[low], spare[high] = i, i
		low += side
		high += 1 - side
	}
	copy(rows[low:], spare[:high])
	return low
}

// fan divides records by category and sends the groups on.
func (r *router) fan(h *hop, rows []int32) {
	clear(h.count)
	for _, i := range rows {
		h.count[h.kid(i)]++
	}
	at := int32(0)
	for k, n := range h.count {
		h.count[k] = at
		at += n
	}
	copy(r.spare, rows)
	for _, i := range r.spare[:len(rows)] {
		k := h.kid(i)
		rows[h.count[k]] = i
		h.count[k]++
	}
	from := int32(0)
	for k, to := range h.kids {
		if end := h.count[k]; end > from {
			r.send(to, rows[from:end])
			from = end
		}
	}
}

// kid returns the position of the branch of record i.
func (h *hop) kid(i int32) int32 {
	if c := h.cat[i]; uint(c) < uint(len(h.way)) {
		return h.way[c]
	}
	return h.heavy
}

func (h *hop) next(r int) int32 {
	if h.cat != nil {
		return h.kids[h.kid(int32(r))]
	}
	v := h.num[r]
	if v <= h.cut {
		return h.le
	}
	if v > h.cut {
		return h.gt
	}
	return h.none // NaN
}
