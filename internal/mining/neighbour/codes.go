package neighbour

import (
	"math"
	"math/bits"
)

// codes are the categories of a mixed index in words, eight to a word, and the sets of those that its nodes hold. Both
// forget: a code is kept modulo 255 or 64, so what differs here differs for certain, and what does not may.
type codes struct {
	nominal []int    // the attributes that hold categories
	words   int      // to a record
	packed  []uint64 // by position
	places  []place  // by attribute: where its bits stand in a set
	setSize int      // words to a set
	sets    []uint64 // by node: a bit for every code of every attribute
}

// place is where the codes of an attribute have their bits in a set: as many as the attribute has codes, and one more
// for what is missing, 64 at most.
type place struct{ word, shift, bits int }

// bit returns the bit that stands for a code; none for one that no record has.
func (p place) bit(v float64) uint64 {
	at := 63
	if v != gone {
		at = int(uint64(v) % 64)
	}
	if at == 63 {
		at = p.bits - 1
	} else if at >= p.bits-1 {
		return 0
	}
	return 1 << (p.shift + at)
}

// newCodes returns the codes of an index that is built, nil where no attribute holds categories. Cost: O(n dims).
func newCodes(x *Index, nominal []bool) *codes {
	c := &codes{}
	for d, is := range nominal {
		if is {
			c.nominal = append(c.nominal, d)
		}
	}
	if c.nominal == nil {
		return nil
	}
	c.words = (len(c.nominal) + 7) / 8
	c.packed = make([]uint64, len(x.record)*c.words)
	for at := range x.record {
		row, words := x.points[at*x.dims:], c.packed[at*c.words:]
		for k, d := range c.nominal {
			words[k/8] |= octet(row[d]) << (k % 8 * 8)
		}
	}
	c.lay(x)
	c.sets = make([]uint64, len(x.nodes)*c.setSize)
	for n := len(x.nodes) - 1; n >= 0; n-- { // children come after their parent
		if right := x.nodes[n].right; right > 0 {
			c.unite(int32(n), int32(n)+1, int32(n)+right)
		} else {
			c.gather(x, int32(n))
		}
	}
	return c
}

// lay gives every attribute its place in a set.
func (c *codes) lay(x *Index) {
	at := place{}
	for _, d := range c.nominal {
		top := -1.0
		for k := d; k < len(x.points); k += x.dims {
			if v := x.points[k]; v != gone {
				top = max(top, v)
			}
		}
		at.bits = int(min(64, top+2))
		if at.shift+at.bits > 64 {
			at.word, at.shift = at.word+1, 0
		}
		c.places = append(c.places, at)
		at.shift += at.bits
	}
	c.setSize = at.word + 1
}

// octet returns the eight bits that stand for a code.
func octet(v float64) uint64 {
	if v == gone {
		return 255
	}
	return uint64(v) % 255
}

// swap exchanges two positions.
func (c *codes) swap(i, j int) {
	if c == nil {
		return
	}
	for w := range c.words {
		a, b := &c.packed[i*c.words+w], &c.packed[j*c.words+w]
		*a, *b = *b, *a
	}
}

// set returns the set of a node.
func (c *codes) set(n int32) []uint64 { return c.sets[int(n)*c.setSize:][:c.setSize] }

// gather makes the set of a leaf.
func (c *codes) gather(x *Index, n int32) {
	if c == nil {
		return
	}
	set, nd := c.set(n), x.nodes[n]
	clear(set)
	for at := nd.start; at < nd.start+nd.size; at++ {
		row := x.points[int(at)*x.dims:]
		for k, d := range c.nominal {
			set[c.places[k].word] |= c.places[k].bit(row[d])
		}
		if nd.right == identical {
			break
		}
	}
}

// unite makes the set of a node that of its children.
func (c *codes) unite(n, left, right int32) {
	if c == nil {
		return
	}
	a, b := c.set(left), c.set(right)
	for k := range c.set(n) {
		c.set(n)[k] = a[k] | b[k]
	}
}

// asked is a question as codes are compared with it.
type asked struct {
	straight bool     // numbers add differences, not their squares
	slack    float64  // below 1 by what adding up in another order may round up
	numbers  []number // of which something is known
	exact    bool     // whether each is one value
	words    []uint64 // the categories, as they are packed
	known    []uint64 // by word: all bits of those that are one code
	members  []uint64 // a set: the bits of the categories that are one code
	single   int      // how many are
}

// number is an attribute of numbers and the ends of what is known of it.
type number struct {
	lo, hi float64
	at     int
}

// apart adds to a sum the parts of the numbers, of a box, in order; it may stop beyond a limit.
func (a *asked) apart(sum float64, low, high []float64, limit float64) float64 {
	high = high[:len(low)]
	for k := range a.numbers {
		q := &a.numbers[k]
		l, h := low[q.at], high[q.at]
		e := l - q.hi
		if e <= 0 {
			if e = q.lo - h; e <= 0 {
				continue
			}
		}
		if !a.straight {
			e = float64(e * e) // no fused multiply-add: the same on every machine
		}
		if e > 1 && (h == gone || q.lo == gone) {
			e = 1
		}
		if sum += e; sum > limit {
			break
		}
	}
	return sum
}

// from is apart of a record. Where all that is known are values, it takes no branches that records go either way at
// random.
func (a *asked) from(sum float64, record []float64, limit float64) float64 {
	if !a.exact {
		return a.apart(sum, record, record, limit)
	}
	for k := range a.numbers {
		q := &a.numbers[k]
		v := record[q.at]
		e := v - q.lo
		if a.straight {
			e = math.Abs(e)
		} else {
			e = float64(e * e)
		}
		if e > 1 && (v == gone || q.lo == gone) {
			e = 1
		}
		if sum += e; sum > limit {
			break
		}
	}
	return sum
}

// set takes a question.
func (a *asked) set(m *Mixed, lo, hi []float64) {
	a.numbers, a.exact, a.straight = a.numbers[:0], true, m.straight
	for d, nominal := range m.nominal {
		if !nominal && lo[d] > -anything {
			a.numbers, a.exact = append(a.numbers, number{lo[d], hi[d], d}), a.exact && lo[d] == hi[d]
		}
	}
	c := m.x.codes
	if a.slack = 1; c == nil {
		return
	}
	a.slack = 1 - float64(4*len(lo))*0x1p-53
	if a.words == nil {
		a.words, a.known, a.members = make([]uint64, c.words), make([]uint64, c.words), make([]uint64, c.setSize)
	}
	a.single = 0
	clear(a.words)
	clear(a.known)
	clear(a.members)
	for k, d := range c.nominal {
		if lo[d] != hi[d] {
			continue
		}
		a.single++
		a.members[c.places[k].word] |= c.places[k].bit(lo[d])
		a.words[k/8] |= octet(lo[d]) << (k % 8 * 8)
		a.known[k/8] |= 255 << (k % 8 * 8)
	}
}

// outside returns how many categories of the question no record of node n has.
func (a *asked) outside(c *codes, n int32) int {
	count := a.single
	for k, set := range c.set(n) {
		count -= bits.OnesCount64(set & a.members[k])
	}
	return count
}

// differing returns in how many categories the record at a position differs from the question.
func (a *asked) differing(c *codes, at int) (count int) {
	const low = 0x7f7f7f7f7f7f7f7f
	for w, word := range c.packed[at*c.words:][:c.words] {
		x := (word ^ a.words[w]) & a.known[w]
		count += bits.OnesCount64((x&low + low | x) &^ low) // the top bit of every octet that is not 0
	}
	return count
}
