package attackers

import (
	"context"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// Records that are looked up by a clue lie all over a table, and of one that is larger than the cache the memory is
// waited for at every comparison. Where many people are looked for, the codes are laid side by side in the order in
// which records are looked up. Nothing else changes: the records are compared in the same order.

// arranged is an attacker on records in the order in which they are looked up by one clue.
type arranged struct {
	*Attacker
	place []int32 // of every record
	of    []int32 // whose the record at a place is; nil where every record is a person's
}

// Fewer records are in the cache, and of fewer people laying out is not worth it.
const leastArranged, leastLookedFor = 1 << 16, 64

// arrange lays out what an attacker compares of some clues, the first of which finds the records; it returns nil where
// this is not worth it. Cost: O(n) for every clue, and room for so many codes as long as they are in use.
func (t *Team) arrange(ctx context.Context, a *Attacker, order []int, people int) (*arranged, error) {
	first := &a.clues[order[0]]
	if first.index == nil || people < leastLookedFor || t.release.Released.Rows() < leastArranged {
		return nil, nil
	}
	return t.laid(ctx, a, order, first.index().Codes)
}

// laid lays out what an attacker compares of some clues in an order of the released records.
func (t *Team) laid(ctx context.Context, a *Attacker, order []int, rows []int32) (*arranged, error) {
	out := &arranged{Attacker: &Attacker{a.Name, slices.Clone(a.clues), a.strict}, place: make([]int32, len(rows))}
	for place, row := range rows {
		out.place[row] = int32(place)
	}
	if t.of != nil {
		out.of = picked(t.of, rows)
	}
	err := parallel.Each(ctx, len(order), func(k int) error {
		c := &out.clues[order[k]]
		c.index = moved(c.index, out.place) // who has nothing in the first is looked up by another
		switch {
		case c.small != nil:
			c.small = picked(c.small, rows)
		case c.codes != nil:
			c.codes = picked(c.codes, rows)
		default:
			c.codes = rows
		}
		return nil
	})
	return out, err
}

// picked returns the codes of some records; nil where there are none.
func picked[C uint8 | int32](codes []C, rows []int32) []C {
	if codes == nil || rows == nil {
		return nil
	}
	out := make([]C, len(rows))
	for place, row := range rows {
		out[place] = codes[row]
	}
	return out
}

// moved returns an index with the places of the records.
func moved(by index, place []int32) index {
	if by == nil {
		return nil
	}
	return sync.OnceValue(func() *table.Lists {
		lists := by()
		return &table.Lists{Start: lists.Start, Codes: picked(place, lists.Codes)}
	})
}
