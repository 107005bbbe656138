package pair

import (
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/joint"
)

// sender has two pads of every transfer.
type sender struct {
	seeds  [base]cipher.Stream // those that were chosen
	choice [2]uint64           // by these bits
	done   uint64              // transfers so far
}

func (s *sender) bit(j int) int { return int(s.choice[j/64] >> (j % 64) & 1) }

// receiver has of every transfer the pad that it chose.
type receiver struct {
	seeds [base][2]cipher.Stream
	done  uint64
}

// most is how many transfers one message extends.
const most = 1 << 20

// pads are those of the sender of transfers.
type pads struct{ zero, one []uint64 }

// give makes transfers with the other party, which chooses: n pairs of uniform words, of which it learns one each and
// this party does not learn which. n is a multiple of 64.
func (c *Pair) give(n int) (out pads, err error) {
	out.zero, out.one = make([]uint64, 0, n), make([]uint64, 0, n)
	for lo := 0; lo < n; lo += most {
		part, err := c.givePart(min(most, n-lo))
		if err != nil {
			return out, err
		}
		out.zero, out.one = append(out.zero, part.zero...), append(out.one, part.one...)
	}
	return out, nil
}

func (c *Pair) givePart(n int) (out pads, err error) {
	told, err := c.p.ReceiveWords(c.other, "pair.extend", base*n/64)
	if err != nil {
		return out, err
	}
	columns := make([][]uint64, base)
	parallel.Do(base, func(j int) {
		columns[j] = words(c.send.seeds[j], n/64)
		mask := -uint64(c.send.bit(j))
		for w := range columns[j] {
			columns[j][w] ^= told[j*(n/64)+w] & mask
		}
	})
	out = pads{make([]uint64, n), make([]uint64, n)}
	s, first := c.send.choice, c.send.done
	rows(columns, n, func(i int, lo, hi uint64) {
		out.zero[i] = pad(first+uint64(i), lo, hi)
		out.one[i] = pad(first+uint64(i), lo^s[0], hi^s[1])
	})
	c.send.done += uint64(n)
	return out, nil
}

// choose tells what is needed for transfers in which this party chooses: n, by packed bits. The pads are those of the
// bits. n is a multiple of 64. It does not wait.
func (c *Pair) choose(choice []uint64, n int) ([]uint64, error) {
	out := make([]uint64, 0, n)
	for lo := 0; lo < n; lo += most {
		part, err := c.choosePart(choice[lo/64:], min(most, n-lo))
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

func (c *Pair) choosePart(choice []uint64, n int) ([]uint64, error) {
	columns, tell := make([][]uint64, base), make([]uint64, base*n/64)
	parallel.Do(base, func(j int) {
		columns[j] = words(c.take.seeds[j][0], n/64)
		other := words(c.take.seeds[j][1], n/64)
		for w := range other {
			tell[j*(n/64)+w] = columns[j][w] ^ other[w] ^ choice[w]
		}
	})
	if err := c.p.Send(c.other, "pair.extend", joint.AppendWords(nil, tell)); err != nil {
		return nil, err
	}
	out, first := make([]uint64, n), c.take.done
	rows(columns, n, func(i int, lo, hi uint64) { out[i] = pad(first+uint64(i), lo, hi) })
	c.take.done += uint64(n)
	return out, nil
}

// pad is the word that a row of the extension stands for, of transfer number i.
func pad(i, lo, hi uint64) uint64 {
	var b [24]byte
	binary.LittleEndian.PutUint64(b[:], i)
	binary.LittleEndian.PutUint64(b[8:], lo)
	binary.LittleEndian.PutUint64(b[16:], hi)
	h := sha256.Sum256(b[:])
	return binary.LittleEndian.Uint64(h[:])
}

// rows visits the rows of a matrix of 128 columns of n bits, on all cores.
func rows(columns [][]uint64, n int, visit func(i int, lo, hi uint64)) {
	parallel.Do(n/64, func(w int) {
		var lo, hi [64]uint64
		for j := range 64 {
			lo[j], hi[j] = columns[j][w], columns[64+j][w]
		}
		transpose(&lo)
		transpose(&hi)
		for i := range 64 {
			visit(64*w+i, lo[i], hi[i])
		}
	})
}

// transpose turns a matrix of 64 x 64 bits, with the first column in the lowest places (Warren, Hacker's Delight,
// section 7-3).
func transpose(a *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for j := 32; j > 0; j >>= 1 {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (a[k]>>j ^ a[k+j]) & mask
			a[k] ^= t << j
			a[k+j] ^= t
		}
		mask ^= mask << (j >> 1)
	}
}

// whole is n, rounded up to a multiple of 64.
func whole(n int) int { return (n + 63) &^ 63 }

// pack packs the lowest bits of words.
func pack(words []uint64) []uint64 {
	out := make([]uint64, len(words)/64)
	for i, w := range words {
		out[i/64] |= w & 1 << (i % 64)
	}
	return out
}

// Count is how many of packed bits are set.
func Count(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
