package pair

import "github.com/dither-data/dither/joint"

// triples are shared bits with c = a and b, packed.
type triples struct{ a, b, c []uint64 }

// triples makes n words of them. What one party multiplies with the other's is the pads of transfers: the sender's
// difference times the receiver's choice, shared (Asharov et al. 2013). Cost: a round, 16 bytes each way for a bit.
func (c *Pair) triples(n int) (t triples, err error) {
	t.b = c.p.Words(n)
	chosen, err := c.choose(t.b, 64*n)
	if err != nil {
		return t, err
	}
	mine, err := c.give(64 * n)
	if err != nil {
		return t, err
	}
	zero, own := pack(mine.zero), pack(chosen)
	t.a, t.c = pack(mine.one), make([]uint64, n)
	for w := range t.a {
		t.a[w] ^= zero[w]
		t.c[w] = t.a[w]&t.b[w] ^ zero[w] ^ own[w]
	}
	return t, nil
}

// And returns shares of the bits that are set in both of two shared vectors of packed bits. Cost: two rounds, 16 bytes
// each way for a bit.
func (c *Pair) And(x, y []uint64) ([]uint64, error) {
	n := len(x)
	t, err := c.triples(n)
	if err != nil {
		return nil, err
	}
	open := make([]uint64, 2*n)
	for w := range x {
		open[w], open[n+w] = x[w]^t.a[w], y[w]^t.b[w]
	}
	if err := c.p.Send(c.other, "pair.and", joint.AppendWords(nil, open)); err != nil {
		return nil, err
	}
	theirs, err := c.p.ReceiveWords(c.other, "pair.and", 2*n)
	if err != nil {
		return nil, err
	}
	for w := range x {
		d, e := open[w]^theirs[w], open[n+w]^theirs[n+w]
		t.c[w] ^= d&t.b[w] ^ e&t.a[w]
		if c.first() {
			t.c[w] ^= d & e
		}
	}
	return t.c, nil
}

// OpenBits tells both parties shared bits.
func (c *Pair) OpenBits(x []uint64) ([]uint64, error) {
	if err := c.p.Send(c.other, "pair.open", joint.AppendWords(nil, x)); err != nil {
		return nil, err
	}
	theirs, err := c.p.ReceiveWords(c.other, "pair.open", len(x))
	if err != nil {
		return nil, err
	}
	for w := range theirs {
		theirs[w] ^= x[w]
	}
	return theirs, nil
}

// Open tells both parties shared numbers.
func (c *Pair) Open(x []uint64) ([]uint64, error) {
	if err := c.p.Send(c.other, "pair.numbers", joint.AppendWords(nil, x)); err != nil {
		return nil, err
	}
	theirs, err := c.p.ReceiveWords(c.other, "pair.numbers", len(x))
	if err != nil {
		return nil, err
	}
	for w := range theirs {
		theirs[w] += x[w]
	}
	return theirs, nil
}

// planes turns words into packed bits by place: all bits of place 0, then of place 1, to 63. Words beyond the last are
// zero.
func planes(x []uint64) [][]uint64 {
	w := whole(len(x)) / 64
	out := make([][]uint64, 64)
	for j := range out {
		out[j] = make([]uint64, w)
	}
	for k := range w {
		var block [64]uint64
		copy(block[:], x[64*k:])
		transpose(&block)
		for j := range out {
			out[j][k] = block[j]
		}
	}
	return out
}

// Negative returns shares of the bits that say which of shared numbers are below zero, packed. The bits of the numbers
// are added by a tree of carries: the sign is the top bits of the shares and the carry into them. Cost: 14 rounds, some
// 190 bits by And for a number: 3 kB each way.
func (c *Pair) Negative(x []uint64) ([]uint64, error) {
	mine := planes(x)
	width, zero := len(mine[0]), make([]uint64, len(mine[0]))
	var left, right, carries []uint64 // a carry starts where both shares have the bit
	for _, plane := range mine[:63] {
		if c.first() {
			left, right = append(left, plane...), append(right, zero...)
		} else {
			left, right = append(left, zero...), append(right, plane...)
		}
		carries = append(carries, plane...) // one goes on where one share has it
	}
	starts, err := c.And(left, right)
	if err != nil {
		return nil, err
	}
	for n := 63; n > 1; n = (n + 1) / 2 {
		if starts, carries, err = c.merge(starts, carries, n, width); err != nil {
			return nil, err
		}
	}
	out := mine[63]
	for w := range out {
		out[w] ^= starts[w]
	}
	return out, nil
}

// merge joins neighbours of n ranges of places: a carry comes out of two where the higher starts one, or lets the one
// of the lower through.
func (c *Pair) merge(starts, carries []uint64, n, width int) (s, g []uint64, err error) {
	at := func(v []uint64, k int) []uint64 { return v[k*width : (k+1)*width] }
	var left, right []uint64
	for k := 0; k+1 < n; k += 2 {
		left = append(append(left, at(carries, k+1)...), at(carries, k+1)...)
		right = append(append(right, at(starts, k)...), at(carries, k)...)
	}
	both, err := c.And(left, right)
	if err != nil {
		return nil, nil, err
	}
	for k := 0; k < n; k += 2 {
		if k+1 == n {
			s, g = append(s, at(starts, k)...), append(g, at(carries, k)...)
			break
		}
		through := at(both, k)
		for w, b := range at(starts, k+1) {
			s = append(s, b^through[w])
		}
		g = append(g, at(both, k+1)...)
	}
	return s, g, nil
}
