package joint

import (
	"bufio"
	"encoding/binary"
	"io"
	"math/bits"
)

// Random draws what a party needs from its source. A source that ends is a programming error and panics: the machine
// turns it into a Fault.
type Random struct{ r *bufio.Reader }

// NewRandom draws from a reader.
func NewRandom(r io.Reader) *Random { return &Random{bufio.NewReaderSize(r, 1<<12)} }

// Read fills p, so that Random serves as a reader of other packages.
func (r *Random) Read(p []byte) (int, error) { return io.ReadFull(r.r, p) }

// Bytes returns n random bytes.
func (r *Random) Bytes(n int) []byte {
	b := make([]byte, n)
	if _, err := r.Read(b); err != nil {
		panic("joint: the source of randomness: " + err.Error())
	}
	return b
}

// Word returns a uniform number of 64 bits.
func (r *Random) Word() uint64 {
	b, err := r.r.Peek(8)
	if err != nil {
		panic("joint: the source of randomness: " + err.Error())
	}
	_, _ = r.r.Discard(8) // they are buffered
	return binary.LittleEndian.Uint64(b)
}

// Next is Word, so that Random serves as a stream of samplers of noise.
func (r *Random) Next() uint64 { return r.Word() }

// Words returns n uniform numbers of 64 bits.
func (r *Random) Words(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Word()
	}
	return out
}

// Below returns a uniform number below m, which is 1 or more, by rejection: no residue is more likely than another.
func (r *Random) Below(m uint64) uint64 {
	for {
		hi, lo := bits.Mul64(r.Word(), m)
		if lo >= -m%m {
			return hi
		}
	}
}

// Shuffle puts n things in a uniformly random order.
func (r *Random) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(r.Below(uint64(i)+1)))
	}
}
