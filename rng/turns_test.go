package rng

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// A record's words are the encryptions of its identity and a counter, whatever was drawn before, and however many there
// are.
func TestTurnsAreAES(t *testing.T) {
	s := New([32]byte{3}).Stream()
	turns := s.Turns()
	for _, id := range []uint64{0, 7, 1 << 40, 7} {
		turns.Of(id)
		for turn := range uint64(100) {
			var in, out [16]byte
			binary.BigEndian.PutUint64(in[:8], id)
			binary.BigEndian.PutUint64(in[8:], turn)
			s.block.Encrypt(out[:], in[:])
			if a, b := turns.Next(), turns.Next(); a != binary.LittleEndian.Uint64(out[:8]) ||
				b != binary.LittleEndian.Uint64(out[8:]) {
				t.Fatalf("record %d: block %d is another one", id, turn)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { turns.Of(9); turns.Next() }); n != 0 {
		t.Errorf("a first word takes %v allocations", n)
	}
}

// 1,000,000 words: of records that take 10 each 0.15 of the yardstick, 100 each 0.08.
func BenchmarkTurns(b *testing.B) {
	for _, each := range []int{10, 20, 40, 100} {
		b.Run(fmt.Sprint(each), func(b *testing.B) {
			turns, sum := New([32]byte{1}).Stream().Turns(), uint64(0)
			for b.Loop() {
				for id := range uint64(1_000_000 / each) {
					turns.Of(id)
					for range each {
						sum ^= turns.Next()
					}
				}
			}
			yardstick.Report(b)
			if sum == 1 {
				b.Log(sum)
			}
		})
	}
}
