package rng

import (
	"crypto/cipher"
	"encoding/binary"
)

// Words are the words of a stream one after the other, for draws of which it is not known beforehand how many there
// will be. A value serves one goroutine.
type Words struct {
	stream Stream
	ctr    cipher.Stream
	buf    [8 << 10]byte
	at     int // of the next word in buf
}

// Words returns the words of the blocks 0, 1, ... of the stream, A before B.
func (s Stream) Words() *Words {
	w := &Words{stream: s}
	w.From(0)
	return w
}

// From goes to the first word of a block.
func (w *Words) From(block uint64) {
	var iv [16]byte
	binary.BigEndian.PutUint64(iv[8:], block)
	w.ctr, w.at = cipher.NewCTR(w.stream.block, iv[:]), len(w.buf)
}

// Next returns the next word. Cost: half an AES block, about 2 ns, and no memory.
func (w *Words) Next() uint64 {
	if w.at == len(w.buf) {
		clear(w.buf[:])
		w.ctr.XORKeyStream(w.buf[:], w.buf[:])
		w.at = 0
	}
	v := binary.LittleEndian.Uint64(w.buf[w.at:])
	w.at += 8
	return v
}
