package itemset

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// upright are the transactions as bits, both ways: a mask a transaction, and for every code, the most frequent first,
// which transactions have it. Where items are common this is quicker than lists: how often two are together is counted
// 64 transactions at a time.
type upright struct {
	items []int32 // by code
	masks [2][]uint64
	in    [][]uint64 // by code
}

// widest is how many items upright transactions have at most.
const widest = 128

// sparse is how many times as many places as items a transaction has on the average are too many for upright
// transactions: their bits would take more memory than lists do.
const sparse = 64

// standsUpright reports whether the transactions are better upright: fewer items fit into a word, and equal
// transactions can be merged at once.
func (r *ranking) standsUpright(t *Transactions) bool {
	return len(r.items) > 64 && len(r.items) <= widest && t.Len()*len(r.items) <= sparse*r.total()
}

// upright returns the transactions as bits, in a space.
func (r *ranking) upright(ctx context.Context, t *Transactions, in *mmap.Space) (*upright, error) {
	v := &upright{items: r.items}
	words := (t.Len() + 63) / 64
	all := mmap.Make[uint64](in, words*len(r.items))
	for range r.items {
		v.in, all = append(v.in, all[:words:words]), all[words:]
	}
	for k := range v.masks {
		v.masks[k] = mmap.Make[uint64](in, t.Len())
	}
	const grain = 64 * 64 // so that no two write to a word of bits
	err := parallel.Ranges(ctx, t.Len(), grain, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			var m [2]uint64
			for _, c := range t.Row(i) {
				if k := r.code[c] - 1; k >= 0 {
					m[k/64&1] |= 1 << (k % 64)
					v.in[k][i/64] |= 1 << (i % 64)
				}
			}
			v.masks[0][i], v.masks[1][i] = m[0], m[1]
		}
		return nil
	})
	return v, err
}

// node is a set at hand by its upright transactions.
type node struct {
	who    []uint64 // the transactions
	codes  []int32  // frequent with the set: those that may extend it, and those that extend it elsewhere in the tree
	counts []int32  // of the codes
	ext    int      // how many may extend it
}

// root returns the empty set.
func (v *upright) root() *node {
	n := &node{ext: len(v.items)}
	for c := range v.items {
		n.codes = append(n.codes, int32(c))
	}
	return n
}

// node returns the scratch of a depth.
func (s *search) node(d int) *node {
	for len(s.nodes) <= d {
		s.nodes = append(s.nodes, new(node))
	}
	return s.nodes[d]
}

// meet makes a node, in a space, of what the transactions of another, nil for all, and those with a code have in
// common, and returns how many these are.
func (n *node) meet(in *mmap.Space, of, with []uint64) (support int) {
	n.who = append(roomy(in, n.who, len(with)), with...)
	for w, m := range of {
		n.who[w] &= m
	}
	for _, m := range n.who {
		support += bits.OnesCount64(m)
	}
	return support
}

// common counts what two sets of transactions have in common.
func both(a, b []uint64) (n int32) {
	b = b[:len(a)]
	for w, m := range a {
		n += int32(bits.OnesCount64(m & b[w]))
	}
	return n
}

// raise looks at the set at hand, at node from, with its k-th code, and all that extend it.
func (s *search) raise(v *upright, from *node, k, d int) {
	n := s.node(d)
	support := n.meet(s.space, from.who, v.in[from.codes[k]])
	chosen, free := len(s.chosen), len(s.free)
	s.chosen = append(s.chosen, v.items[from.codes[k]])
	if s.gauge(v, n, from, k, support) {
		if len(n.codes) <= 64 {
			s.lower(v, n, support, d)
		} else {
			if s.kind != Maximal {
				s.sink.found(s.chosen, s.free, support)
			}
			for e := n.ext - 1; e >= 0 && !s.stop.Load(); e-- {
				s.raise(v, n, e, d+1)
			}
		}
	}
	s.chosen, s.free = s.chosen[:chosen], s.free[:free]
}

// gauge finds the codes that go on with the transactions of n, and takes those into the set that all of these have. It
// returns false when the sets with code k are found elsewhere in the tree.
func (s *search) gauge(v *upright, n, from *node, k, support int) bool {
	n.codes, n.counts, n.ext = n.codes[:0], n.counts[:0], 0
	end := len(from.codes)
	if s.kind == All {
		end = k
	}
	for j, o := range from.codes[:end] {
		if j == k {
			n.ext = len(n.codes)
			continue
		}
		switch c := both(n.who, v.in[o]); {
		case int(c) < s.min:
		case int(c) == support && j > k:
			return false
		case int(c) == support && s.kind == All:
			s.free = append(s.free, v.items[o])
		case int(c) == support:
			s.chosen = append(s.chosen, v.items[o])
		default:
			n.codes, n.counts = append(n.codes, o), append(n.counts, c)
		}
	}
	if s.kind == All {
		n.ext = len(n.codes)
	}
	return true
}

// lower looks at all that extends the set at hand, with a mask of one word a transaction.
func (s *search) lower(v *upright, n *node, support, d int) {
	next := s.level(d)
	next.reset()
	next.ext, next.width, next.support = n.ext, len(n.codes), support
	order := s.kept[:0]
	for k := range n.codes {
		order = append(order, int32(k))
	}
	slices.SortFunc(order[:n.ext],
		func(a, b int32) int { return cmp.Or(cmp.Compare(n.counts[b], n.counts[a]), cmp.Compare(a, b)) })
	s.kept = order
	var bit [widest]uint64
	for k, from := range order {
		next.items[k], next.counts[k] = v.items[n.codes[from]], n.counts[from]
		bit[n.codes[from]] = 1 << k
	}
	s.report(next)
	if s.looked(next) {
		s.masks, s.weights = s.masks[:0], s.weights[:0]
		s.squeeze(v, n, &bit)
		s.room(len(s.masks))
		alike := s.alike(low(next.ext))
		for k, m := range s.masks {
			s.add(next, alike, m, s.weights[k])
		}
		s.clear(next, alike)
	}
	s.descend(next, d)
}

// squeeze makes masks of one word of the transactions of a node, by the bit of every code, those that have nothing that
// may extend the set left out.
func (s *search) squeeze(v *upright, n *node, bit *[widest]uint64) {
	if s.wide == nil {
		s.wide = new([widest / 8][256]uint64)
	}
	p := s.wide
	for b := range p {
		for v := 1; v < 256; v++ {
			p[b][v] = p[b][v&(v-1)] | bit[8*b+bits.TrailingZeros8(uint8(v))]
		}
	}
	ext := low(n.ext)
	for w, who := range n.who {
		for ; who != 0; who &= who - 1 {
			i := 64*w + bits.TrailingZeros64(who)
			a, b := v.masks[0][i], v.masks[1][i]
			m := p[0][a&255] | p[1][a>>8&255] | p[2][a>>16&255] | p[3][a>>24&255] | p[4][a>>32&255] | p[5][a>>40&255] |
				p[6][a>>48&255] | p[7][a>>56] |
				p[8][b&255] | p[9][b>>8&255] | p[10][b>>16&255] | p[11][b>>24&255] | p[12][b>>32&255] | p[13][b>>40&255] |
				p[14][b>>48&255] | p[15][b>>56]
			if m&ext != 0 {
				s.masks, s.weights = push(s.space, s.masks, m), push(s.space, s.weights, 1)
			}
		}
	}
}
