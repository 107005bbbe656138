package rng

import (
	"encoding/binary"
	"testing"
)

// FIPS 197, appendix C.3: AES-256. A record's blocks are the cipher in counter mode: the encryptions of turn and
// identity.
func TestBlocksAreAES(t *testing.T) {
	var key [32]byte
	for i := range key {
		key[i] = byte(i)
	}
	l := lane{block: New(key).Stream().block}
	b := l.at(0x0011223344556677, 0x8899aabbccddeeff)
	a, c := binary.LittleEndian.AppendUint64(nil, b.A), binary.LittleEndian.AppendUint64(nil, b.B)
	if got, want := [2]uint64{binary.BigEndian.Uint64(a), binary.BigEndian.Uint64(c)},
		[2]uint64{0x8ea2b7ca516745bf, 0xeafc49904b496089}; got != want {
		t.Errorf("the block is %x, expected %x", got, want)
	}
	if l.at(0, 7) != New(key).Stream().At(7) {
		t.Error("turn 0 is not the block of Stream.At")
	}
}
