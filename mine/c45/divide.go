package c45

import (
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
)

// division is how a test divides cases among its branches. Cases whose value is known stand grouped by branch in
// rows; a case with a missing value goes down every branch that has known ones, with a share of its weight.
type division struct {
	rows    []int32 // known, grouped by branch, then unknown
	own     []int64 // their weights where they are not the frame's
	start   []int   // of branch k in rows; start[len(kids)] is where the unknown begin
	part    []int64 // known weight per branch, in units of 2^-24
	whole   int64   // known weight in all
	unknown []int64 // weights of the unknown
}

// divide divides cases by the test of a node.
func (g *grower) divide(nd *node, f *frame, c cases) *division {
	size := g.cols[nd.slot].size()
	ways := mmap.Make[int32](g.space, len(c.rows))
	switch k := &f.codes[nd.slot]; {
	case k.b != nil:
		route(ways, nd, k.b, c.rows, size)
	case k.w != nil:
		route(ways, nd, k.w, c.rows, size)
	default:
		route(ways, nd, k.i, c.rows, size)
	}
	branches := len(nd.kids)
	d := &division{
		rows:  mmap.Make[int32](g.space, len(c.rows)),
		start: make([]int, branches+2),
		part:  make([]int64, branches),
	}
	for _, w := range ways {
		d.start[w+1]++
	}
	for k := range branches {
		d.start[k+1] += d.start[k]
	}
	d.start = d.start[:branches+1]
	at := slices.Clone(d.start)
	if c.own != nil {
		d.own = mmap.Make[int64](g.space, len(c.rows))
	}
	for i, w := range ways {
		d.rows[at[w]] = c.rows[i]
		if d.own != nil {
			d.own[at[w]] = c.own[i]
		}
		at[w]++
	}
	mmap.Free(g.space, ways)
	d.measure(g.space, f)
	return d
}

// free gives the memory of the division back; branches that are parts of it are gone with it.
func (d *division) free(in *mmap.Space) {
	mmap.Free(in, d.rows)
	mmap.Free(in, d.own)
	mmap.Free(in, d.unknown)
}

// route finds the branch of every case; cases with a missing value get the number after the last branch.
func route[T code](ways []int32, nd *node, codes []T, rows []int32, size int) {
	unknown := int32(len(nd.kids))
	if nd.branch == nil {
		low := nd.low
		for i, r := range rows {
			switch c := int32(codes[r]); {
			case c <= low:
				ways[i] = 0
			case int(c) < size:
				ways[i] = 1
			default:
				ways[i] = unknown
			}
		}
		return
	}
	for i, r := range rows {
		ways[i] = unknown
		if c := int(codes[r]); c < size {
			ways[i] = nd.branch[c]
		}
	}
}

// measure sums the weights of the branches.
func (d *division) measure(in *mmap.Space, f *frame) {
	all := cases{rows: d.rows, own: d.own}
	for k := range d.part {
		lo, hi := d.start[k], d.start[k+1]
		if d.own == nil && f.weight == nil {
			d.part[k] = int64(hi-lo) << unitBits
		} else {
			for i := lo; i < hi; i++ {
				d.part[k] += f.fineWeight(all, i)
			}
		}
		d.whole += d.part[k]
	}
	d.unknown = mmap.Make[int64](in, len(d.rows)-d.start[len(d.part)])[:0]
	for i := d.start[len(d.part)]; i < len(d.rows); i++ {
		d.unknown = append(d.unknown, f.fineWeight(all, i))
	}
}

// biggest returns the branch of the largest known weight, the last of equal ones.
func (d *division) biggest() int {
	big := 0
	for k, w := range d.part {
		if w >= d.part[big] {
			big = k
		}
	}
	return big
}

// kid returns the cases of branch k: the known ones of the branch and, with a part of their weight, the unknown, which
// makes a copy in a space.
func (d *division) kid(in *mmap.Space, f *frame, k int) cases {
	lo, hi := d.start[k], d.start[k+1]
	c := cases{rows: d.rows[lo:hi:hi]}
	if d.own != nil {
		c.own = d.own[lo:hi:hi]
	}
	if len(d.unknown) == 0 || lo == hi {
		return c
	}
	most := len(c.rows) + len(d.unknown)
	own := mmap.Make[int64](in, most)[:len(c.rows)]
	for i := range own {
		own[i] = f.fineWeight(c, i)
	}
	c = cases{append(mmap.Make[int32](in, most)[:0], c.rows...), own, true}
	first := d.start[len(d.part)]
	for i, w := range d.unknown {
		if w = share(w, float64(d.part[k]), float64(d.whole)); w > 0 {
			c.rows, c.own = append(c.rows, d.rows[first+i]), append(c.own, w)
		}
	}
	return c
}
