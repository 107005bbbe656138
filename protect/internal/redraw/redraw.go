// Package redraw draws categories anew, value by value: the part that randomised response and its relatives share.
//
// Every value draws from the block of its own record, so a release does not depend on order, chunks or cores. A missing
// value stays missing.
package redraw

import (
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Codes returns the codes of categorical column j with every value that is not missing replaced by what draw returns
// for its row, its code and the record's own random block. Cost: about 4 ns a value besides draw.
func Codes(t *table.Table, j int, s rng.Stream, draw func(row int, old int32, b rng.Block) int32) []int32 {
	ids, first := t.NoiseKeys(j)
	return By(t.Cat(j), ids, first, s, draw)
}

// By is Codes for codes whose blocks are those of other identities, of the form of table.Table.IDs.
func By(
	old []int32,
	ids []table.RecordID,
	first table.RecordID,
	s rng.Stream,
	draw func(row int, old int32, b rng.Block) int32,
) []int32 {
	batch := min(4096, len(old))
	blocks := make([]rng.Block, batch)
	out := make([]int32, len(old))
	for lo := 0; lo < len(old); lo += batch {
		n := min(batch, len(old)-lo)
		var run []table.RecordID
		if ids != nil {
			run = ids[lo : lo+n]
		}
		rng.Blocks(s, blocks[:n], run, first+table.RecordID(lo))
		for i := lo; i < lo+n; i++ {
			out[i] = old[i]
			if old[i] >= 0 {
				out[i] = draw(i, old[i], blocks[i-lo])
			}
		}
	}
	return out
}

// Another returns, with probability p, one of the other codes below n, each as likely, else the old one.
func Another(old int32, n int, p float64, b rng.Block) int32 {
	if n < 2 || rng.Unit(b.A) >= p {
		return old
	}
	v := int32(rng.Below(b.B, n-1))
	if v >= old {
		v++
	}
	return v
}
