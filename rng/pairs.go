package rng

import (
	"crypto/cipher"
	"encoding/binary"
)

// Name returns the keyed digest of a text: HMAC-SHA-256, its first 128 bits.
func (s Source) Name(text string) Block {
	key := s.Fork(text).key.secret()
	return block(key[:16])
}

// Pairs gives pairs of blocks numbers that look random: CBC-MAC of two blocks, its first half. All messages have one
// length, so it is a pseudorandom function (Bellare, Kilian & Rogaway 1994, theorem 3.1). A value serves one goroutine.
type Pairs struct {
	block   cipher.Block
	in, out [16]byte
}

// Pairs returns the numbers of the stream, which must serve nothing else.
func (s Stream) Pairs() *Pairs { return &Pairs{block: s.block} }

// Of returns the number of a pair. Cost: two AES blocks, about 40 ns.
func (p *Pairs) Of(a, b Block) uint64 {
	a.put(&p.in)
	p.block.Encrypt(p.out[:], p.in[:])
	c := block(p.out[:])
	Block{c.A ^ b.A, c.B ^ b.B}.put(&p.in)
	p.block.Encrypt(p.out[:], p.in[:])
	return block(p.out[:]).A
}

func block(b []byte) Block {
	return Block{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:16])}
}

func (b Block) put(to *[16]byte) {
	binary.LittleEndian.PutUint64(to[:8], b.A)
	binary.LittleEndian.PutUint64(to[8:], b.B)
}
