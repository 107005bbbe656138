package valueclusters

import (
	"encoding/binary"
	"math/bits"
)

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

// sets returns empty sets of the numbers below n.
func sets(count, n int) []set {
	out := make([]set, count)
	for k := range out {
		out[k] = newSet(n)
	}
	return out
}

func (s set) add(v int)      { s[v/64] |= 1 << (v % 64) }
func (s set) has(v int) bool { return s[v/64]>>(v%64)&1 == 1 }

func (s set) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// and returns what both sets have, and how much that is.
func (s set) and(o set) (both set, n int) {
	both = make(set, len(s))
	for k, w := range s {
		both[k] = w & o[k]
		n += bits.OnesCount64(both[k])
	}
	return both, n
}

// common returns how much both sets have.
func (s set) common(o set) (n int) {
	for k, w := range s {
		n += bits.OnesCount64(w & o[k])
	}
	return n
}

// in reports whether o has all of s.
func (s set) in(o set) bool {
	for k, w := range s {
		if w&^o[k] != 0 {
			return false
		}
	}
	return true
}

// each calls f with every number of the set, ascending.
func (s set) each(f func(v int)) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			f(64*k + bits.TrailingZeros64(w))
		}
	}
}

// appendTo appends the set as bytes that are equal when sets are.
func (s set) appendTo(dst []byte) []byte {
	for _, w := range s {
		dst = binary.BigEndian.AppendUint64(dst, w)
	}
	return dst
}
