package jaccard

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Index finds the sets that are similar to a set by at least a threshold. It does not depend on the number of cores.
//
// Sets that differ in at most d attributes agree entirely in one of d+1 blocks of attributes. How far similar sets may
// differ follows from the threshold and from their sizes, so the index groups the sets by the values of each block and
// compares within groups. Where that saves nothing, as with a low threshold on few attributes, there is one block of no
// attributes and one group of all sets.
type Index struct {
	width  int
	order  []int   // the attributes, those first in which two sets agree least often
	rows   []int32 // the sets, their attributes in that order
	size   []int32 // by set, its number of values
	limit  []int32 // by the sum of two sizes, the largest symmetric difference of similar sets; -1 for none
	reach  []int32 // by the size of a set, in how many attributes a similar set of the index may differ from it
	blocks []block
	all    []int32 // the numbers of all sets
}

// block is some attributes with the sets grouped by their values.
type block struct {
	attrs  []int // positions in Index.order
	group  map[string]int32
	start  []int32 // by group, where its members start; one more at the end
	member []int32
}

func (b *block) members(g int32) []int32 { return b.member[b.start[g]:b.start[g+1]] }

// NewIndex returns an index of sets for a threshold theta in (0, 1]. Cost: O(n p d) for n sets of p attributes and d+1
// blocks.
func NewIndex(ctx context.Context, s *Sets, theta float64) (*Index, error) {
	n := s.Len()
	x := &Index{
		width: s.Width,
		limit: limits(theta, 2*s.Width),
		size:  make([]int32, n),
		rows:  make([]int32, len(s.Codes)),
		all:   make([]int32, n),
	}
	agree := agreements(s)
	x.order = make([]int, s.Width)
	for j := range x.order {
		x.order[j] = j
	}
	slices.SortStableFunc(x.order, func(a, b int) int { return cmp.Compare(agree[a], agree[b]) })
	sizes := make([]bool, s.Width+1)
	for i := range n {
		x.all[i] = int32(i)
		x.size[i] = x.arrange(s.Row(i), x.row(int32(i)))
		sizes[x.size[i]] = true
	}
	x.reach = reaches(x.limit, sizes)
	return x, x.divide(ctx, sizes, agree)
}

func (x *Index) row(i int32) []int32 { return x.rows[int(i)*x.width : (int(i)+1)*x.width] }

// arrange writes the codes in the order of the index and returns how many are known.
func (x *Index) arrange(from, to []int32) (size int32) {
	for k, j := range x.order {
		to[k] = from[j]
		if from[j] >= 0 {
			size++
		}
	}
	return size
}

// limits returns, for two sets of m values together, how many values only one of them may have for their similarity to
// be theta. With o values in common the similarity is o/(m-o), and m-2o values are in one set only. The quotient is
// compared and not a product: it rounds to the same number as a theta that is written in decimals.
func limits(theta float64, most int) []int32 {
	limit := make([]int32, most+1)
	for m := range limit {
		limit[m] = -1
		for o := 1; 2*o <= m; o++ {
			if float64(o)/float64(m-o) >= theta {
				limit[m] = int32(m - 2*o)
				break
			}
		}
	}
	return limit
}

// reaches returns, by the size of a set, the largest number of attributes in which a similar set of one of the sizes
// present differs. An attribute that is missing in one of the two counts once in the symmetric difference, any other
// that differs twice.
func reaches(limit []int32, present []bool) []int32 {
	width := len(present) - 1
	reach := make([]int32, width+1)
	for a := range reach {
		for b, here := range present {
			if !here || limit[a+b] < 0 || limit[a+b] < int32(max(a-b, b-a)) {
				continue
			}
			missing := min(int32(2*width-a-b), limit[a+b])
			reach[a] = max(reach[a], (limit[a+b]+missing)/2)
		}
	}
	return reach
}

// agreements returns the share of pairs of sets that agree in each attribute.
func agreements(s *Sets) []float64 {
	agree := make([]float64, s.Width)
	n := s.Len()
	for j := range agree {
		count := map[int32]int{}
		for i := range n {
			count[s.Codes[i*s.Width+j]]++
		}
		for _, c := range count {
			agree[j] += float64(c * c) // a sum of whole numbers below 2^53 does not depend on the order of the map
		}
		agree[j] /= max(1, float64(n)*float64(n))
	}
	return agree
}

// divide deals the attributes to blocks, each to the block in which sets agree most often so far, and groups the sets
// in each.
func (x *Index) divide(ctx context.Context, sizes []bool, agree []float64) error {
	n := 1
	for size, here := range sizes {
		if here {
			n = max(n, int(x.reach[size])+1)
		}
	}
	if n <= x.width {
		x.blocks = make([]block, n)
		share := slices.Repeat([]float64{1}, n) // of pairs of sets that agree in the block, were its attributes independent
		for k, j := range x.order {
			b := slices.Index(share, slices.Max(share))
			x.blocks[b].attrs = append(x.blocks[b].attrs, k)
			share[b] = float64(share[b] * agree[j])
		}
		if err := parallel.Each(ctx, n, func(b int) error { x.group(&x.blocks[b]); return nil }); err != nil {
			return err
		}
	}
	compared := 0.0
	for b := range x.blocks {
		for g := range len(x.blocks[b].start) - 1 {
			m := float64(len(x.blocks[b].members(int32(g))))
			compared += float64(m * m)
		}
	}
	if rows := float64(len(x.all)); x.blocks == nil || compared >= rows*rows {
		x.blocks = []block{{group: map[string]int32{"": 0}, start: []int32{0, int32(len(x.all))}, member: x.all}}
	}
	return ctx.Err()
}

// group groups the sets by the values of a block, in the order of their numbers.
func (x *Index) group(b *block) {
	of := make([]int32, len(x.all))
	var key []byte
	b.group = map[string]int32{}
	for i := range of {
		key = x.key(b, x.row(int32(i)), key[:0])
		g, ok := b.group[string(key)]
		if !ok {
			g = int32(len(b.group))
			b.group[string(key)] = g
		}
		of[i] = g
	}
	b.start = make([]int32, len(b.group)+1)
	for _, g := range of {
		b.start[g+1]++
	}
	for g := range len(b.group) {
		b.start[g+1] += b.start[g]
	}
	b.member = make([]int32, len(of))
	at := slices.Clone(b.start)
	for i, g := range of {
		b.member[at[g]] = int32(i)
		at[g]++
	}
}

func (x *Index) key(b *block, row []int32, key []byte) []byte {
	for _, k := range b.attrs {
		key = appendKey(key, row[k:k+1])
	}
	return key
}

// difference returns the size of the symmetric difference of two sets, or some number above limit where it is above.
func difference(a, b []int32, limit int32) int32 {
	d := int32(0)
	for k, c := range a {
		if e := b[k]; c != e {
			d += 2 + c>>31 + e>>31 // a missing value is -1 and so is its sign
			if d > limit {
				break
			}
		}
	}
	return d
}

// similar reports whether two sets of the index are neighbours.
func (x *Index) similar(a, b int32) bool {
	limit := x.limit[x.size[a]+x.size[b]]
	return difference(x.row(a), x.row(b), limit) <= limit
}
