package rng

import "testing"

// The words are those of the blocks, from wherever one goes on.
func TestWordsAreThoseOfTheBlocks(t *testing.T) {
	s := New([32]byte{3}).Stream()
	w := s.Words()
	for _, first := range []uint64{0, 7, 1 << 32, 0} {
		if w.From(first); first == 7 {
			w.Next()
			w.From(first)
		}
		for k := range uint64(5000) {
			b := s.At(first + k/2)
			if got := w.Next(); got != []uint64{b.A, b.B}[k%2] {
				t.Fatalf("word %d from block %d is %x, the block is %x", k, first, got, b)
			}
		}
	}
	if got := s.Words().Next(); got != s.At(0).A {
		t.Errorf("the first word is %x, expected %x", got, s.At(0).A)
	}
}

func TestWordsTakeNoMemory(t *testing.T) {
	w := New([32]byte{3}).Stream().Words()
	if n := testing.AllocsPerRun(10_000, func() { w.Next() }); n != 0 {
		t.Errorf("%v allocations a word", n)
	}
}
