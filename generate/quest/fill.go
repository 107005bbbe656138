package quest

import (
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
)

// filler fills transactions. It belongs to one core.
type filler struct {
	*patterns
	lengths alias
	limit   []uint64 // of each pattern: a word above it drops an item
	words   *rng.Words
	codes   []int32  // of the block, one transaction after the other
	seen    []uint32 // of each item: the last transaction that it went into
	now     uint32   // the transaction that is being filled, counted from 1
	held    int      // the pattern that was put back; none is -1
}

func newFiller(p *patterns, lengths alias, s rng.Stream, items int) *filler {
	f := &filler{
		patterns: p,
		lengths:  lengths,
		limit:    make([]uint64, len(p.confidence)),
		seen:     make([]uint32, items),
		words:    s.Words(),
	}
	for i, c := range p.confidence {
		if f.limit[i] = math.MaxUint64; c < 1 {
			f.limit[i] = uint64(c * 0x1p64)
		}
	}
	return f
}

// block returns the items of the transactions of a block, and writes how many each has.
func (f *filler) block(number uint64, lengths []int) []int32 {
	f.words.From(number << 32) // a block has the words of 2^32 blocks
	f.codes, f.held = f.codes[:0], -1
	for i := range lengths {
		from := len(f.codes)
		for len(f.codes) == from { // one without items is drawn anew
			f.transaction(from)
		}
		slices.Sort(f.codes[from:])
		lengths[i] = len(f.codes) - from
	}
	return slices.Clone(f.codes)
}

// patience is behind how many patterns in a row that add nothing a transaction ends.
const patience = 100

// transaction fills the transaction whose items stand from there on.
func (f *filler) transaction(from int) {
	if f.now++; f.now == 0 { // after 2^32 of them
		clear(f.seen)
		f.now = 1
	}
	end := from + 1 + f.lengths.draw(f.words.Next())
	for idle := 0; len(f.codes) < end && idle < patience; idle++ {
		i := f.held
		if f.held = -1; i < 0 {
			i = f.choice.draw(f.words.Next())
		}
		pattern := f.items.Row(i)
		kept := len(pattern)
		for kept > 0 && f.words.Next() > f.limit[i] {
			kept--
		}
		if len(f.codes)+kept > end && f.words.Next()>>63 == 0 {
			f.held = i
			return
		}
		if f.add(pattern, kept) {
			idle = -1
		}
	}
}

// add puts so many items of a pattern, at random, into the transaction; it is false where all were there.
func (f *filler) add(pattern []int32, kept int) (added bool) {
	for k := 0; kept > 0; k++ {
		if left := len(pattern) - k; kept < left && rng.Below(f.words.Next(), left) >= kept {
			continue
		}
		kept--
		if v := pattern[k]; f.seen[v] != f.now {
			f.seen[v] = f.now
			f.codes = append(f.codes, v)
			added = true
		}
	}
	return added
}
