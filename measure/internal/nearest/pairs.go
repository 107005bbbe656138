package nearest

import "slices"

// pairs are targets and the released records that they are compared with: those of the same block.
type pairs struct {
	axes      int
	questions []float64   // by target, 2*axes values: the ends of what agrees
	block     []int32     // by target; -1 when it has none
	start     []int       // by block: the position of its first record; one more than there are blocks
	values    [][]float64 // by axis and position
	known     []uint64    // by position: the axes on which the record has a value, a bit each
	record    []int       // by position
}

// chunk is how many records are compared at a time: what is made of them stays in the nearest cache.
const chunk = 1024

// newPairs puts released records into the order of their blocks, and inside of them into the given one. Reach is added
// to both ends of what is known of numbers.
func (s *Space) newPairs(questions, points []float64, blocks blocks, order []int, reach float64) *pairs {
	p := len(s.nominal)
	c := &pairs{axes: p, questions: slices.Clone(questions), block: blocks.target}
	for i := range len(questions) / (2 * p) {
		for d, nominal := range s.nominal {
			if !nominal {
				c.questions[2*p*i+d] -= reach
				c.questions[2*p*i+p+d] += reach
			}
		}
	}
	c.record, c.start = blocks.sort(order)
	for d := range p {
		v := make([]float64, len(c.record))
		for at, j := range c.record {
			v[at] = points[j*p+d]
		}
		c.values = append(c.values, v)
	}
	c.known = make([]uint64, len(c.record))
	for d, v := range c.values {
		for at, y := range v {
			if y == y {
				c.known[at] |= 1 << d
			}
		}
	}
	return c
}

// prefix returns the pairs as the first so many axes show them.
func (c *pairs) prefix(axes int) *pairs {
	if axes == c.axes {
		return c
	}
	out := *c
	out.axes, out.values, out.questions, out.known = axes, c.values[:axes], nil, make([]uint64, len(c.known))
	for q := range slices.Chunk(c.questions, 2*c.axes) {
		out.questions = append(append(out.questions, q[:axes]...), q[c.axes:][:axes]...)
	}
	for at, known := range c.known {
		out.known[at] = known & (1<<axes - 1)
	}
	return &out
}

// candidates returns the positions of the records in the block of a target.
func (c *pairs) candidates(target int) (lo, hi int) {
	b := c.block[target]
	if b < 0 {
		return 0, 0
	}
	return c.start[b], c.start[b+1]
}

// compare sets dst to the agreements of a target with the records at positions lo, lo+1, ... and returns the axes on
// which the target is known.
func (c *pairs) compare(target, lo int, dst []uint64) (known uint64) {
	clear(dst)
	q := c.questions[2*c.axes*target:][:2*c.axes]
	for d := range c.axes {
		low, high := q[d], q[c.axes+d]
		if low != low {
			continue
		}
		known |= 1 << d
		values := c.values[d][lo:][:len(dst)]
		for k, y := range values {
			var above, below uint64 // without branches, which half of the time would be foreseen wrongly
			if y >= low {
				above = 1
			}
			if y <= high {
				below = 1
			}
			dst[k] |= above & below << d
		}
	}
	return known
}

// each calls visit for chunks of the candidates of a target, from position at on, until it returns false.
func (c *pairs) each(target int, room []uint64, visit func(at int, agree []uint64, known uint64) bool) {
	lo, hi := c.candidates(target)
	for ; lo < hi; lo += len(room) {
		part := room[:min(len(room), hi-lo)]
		if !visit(lo, part, c.compare(target, lo, part)) {
			return
		}
	}
}
