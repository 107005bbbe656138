package rules

import (
	"slices"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
)

// tally adds over parties what only the first and the last get, in shares, and tells all how sums compare with zero.
type tally struct {
	p    *joint.Party
	ends *pair.Pair // of the first and the last party; nil at those between
}

func newTally(p *joint.Party) (t tally, err error) {
	t.p = p
	if last := p.Parties() - 1; p.Me() == 0 || p.Me() == last {
		t.ends, err = pair.New(p.Group([]int{0, last}))
	}
	return t, err
}

// sum returns shares of the sums of the parties' numbers at the first and the last party, zeros at the others: a masked
// sum goes from the first to the last, which keep the mask and the masked sum (Kantarcioglu & Clifton 2002).
//
// Cost: a vector from each party to the next.
func (t tally) sum(x []int64) ([]uint64, error) {
	const partial = "rules.partial"
	n, me, last := len(x), t.p.Me(), t.p.Parties()-1
	share := make([]uint64, n)
	for i, v := range x {
		share[i] = uint64(v)
	}
	if me == 0 {
		mask := t.p.Words(n)
		for i := range share {
			share[i] += mask[i]
			mask[i] = -mask[i]
		}
		return mask, t.p.Send(1, partial, joint.AppendWords(nil, share))
	}
	before, err := t.p.ReceiveWords(me-1, partial, n)
	if err != nil {
		return nil, err
	}
	for i := range share {
		share[i] += before[i]
	}
	if me == last {
		return share, nil
	}
	return make([]uint64, n), t.p.Send(me+1, partial, joint.AppendWords(nil, share))
}

// larger returns shares of shared numbers, or of a public one where that is larger.
//
// Cost: a comparison and a product for each number.
func (t tally) larger(x []uint64, least int64) ([]uint64, error) {
	if t.ends == nil {
		return x, nil
	}
	public, d := make([]uint64, len(x)), make([]uint64, len(x))
	for i := range x {
		if t.p.Me() == 0 {
			public[i] = uint64(least)
		}
		d[i] = x[i] - public[i]
	}
	below, err := t.ends.Negative(d)
	if err != nil {
		return nil, err
	}
	return t.ends.Choose(below, x, public)
}

// block is how many numbers are compared at once.
const block = 1 << 14

// reached tells all parties which of shared numbers are zero or more, and nothing else of them.
//
// Cost: one comparison for each number.
func (t tally) reached(x []uint64) ([]bool, error) {
	const told = "rules.reached"
	n, me, last := len(x), t.p.Me(), t.p.Parties()-1
	if t.ends == nil {
		below, err := t.p.ReceiveWords(0, told, (n+63)/64)
		return not(below, n), err
	}
	var below []uint64
	for part := range slices.Chunk(x, block) {
		signs, err := t.ends.Negative(part)
		if err != nil {
			return nil, err
		}
		if signs, err = t.ends.OpenBits(signs); err != nil {
			return nil, err
		}
		below = append(below, signs...)
	}
	if me == 0 {
		for k := 1; k < last; k++ {
			if err := t.p.Send(k, told, joint.AppendWords(nil, below)); err != nil {
				return nil, err
			}
		}
	}
	return not(below, n), nil
}

// not are the bits that are not set.
func not(packed []uint64, n int) []bool {
	if packed == nil {
		return nil
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = packed[i/64]>>(i%64)&1 == 0
	}
	return out
}
