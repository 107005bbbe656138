package itemwise

import (
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Operator is what is done to a record.
type Operator struct {
	add  float64
	gaps *gaps
	keep func(w *rng.Turns, dst, items []int32) []int32
}

// NewOperator returns the operator that keeps of the items of a record those that keep appends to dst, ascending, and
// adds every item that the record did not have with probability add. Keep draws what it needs from the record's own
// words.
func NewOperator(add float64, keep func(w *rng.Turns, dst, items []int32) []int32) *Operator {
	return &Operator{add, newGaps(add), keep}
}

// Release returns the sets of column j, each released by the operator for records of so many items. Of is called by
// several cores at once. Cost: about 20 ns for each item drawn, on all cores.
func Release(t *table.Table, j int, s rng.Stream, of func(items int) *Operator) *table.Sets {
	old, labels := t.Sets(j), len(t.Attr(j).Labels)
	out := &table.Sets{Unknown: old.Unknown, Missing: old.Missing}
	start := make([]int, 1, t.Rows()+1)
	added := 0.0
	for i := range t.Rows() {
		if !old.MissingAt(i) {
			added += of(len(old.Present.Row(i))).add
		}
	}
	codes := make([]int32, 0, len(old.Present.All())+int(added*float64(labels)*1.05))
	var parts [wave]part
	for from := 0; from < t.Rows(); from += wave * grain {
		n := min(wave, (t.Rows()-from+grain-1)/grain)
		parallel.Do(n, func(k int) {
			lo := from + k*grain
			parts[k].release(t, j, lo, min(lo+grain, t.Rows()), s.Turns(), of)
		})
		for k := range parts[:n] {
			for _, end := range parts[k].ends {
				start = append(start, len(codes)+end)
			}
			codes = append(codes, parts[k].codes...)
		}
	}
	out.Present = table.Lists{Start: start, Codes: codes}
	return out
}

// Records are released in parts of so many, and so many parts at a time: what is not in its place yet takes little
// memory.
const (
	grain = 1 << 11
	wave  = 32
)

// part is consecutive records.
type part struct {
	codes, kept []int32
	ends        []int // in codes, by record
}

func (p *part) release(t *table.Table, j, from, to int, w *rng.Turns, of func(items int) *Operator) {
	p.codes, p.ends = p.codes[:0], p.ends[:0]
	old, labels := t.Sets(j), len(t.Attr(j).Labels)
	ids, first := t.NoiseKeys(j)
	for i := from; i < to; i++ {
		if !old.MissingAt(i) {
			id := first + table.RecordID(i)
			if ids != nil {
				id = ids[i]
			}
			w.Of(uint64(id))
			items := old.Present.Row(i)
			now := of(len(items))
			p.kept = now.keep(w, p.kept[:0], items)
			p.codes = merge(p.codes, p.kept, items, old.Unknown.Row(i), labels, func() int { return now.gaps.draw(w, labels) })
		}
		p.ends = append(p.ends, len(p.codes))
	}
}

// merge appends to dst, ascending, what is kept of the items, and of all that are neither among them nor unknown the
// ones that gaps lead to.
func merge(dst, kept, items, unknown []int32, labels int, gap func() int) []int32 {
	for at := gap(); ; at += 1 + gap() {
		for len(items) > 0 || len(unknown) > 0 { // what the record has is passed over
			if mine := len(items) > 0 && (len(unknown) == 0 || items[0] < unknown[0]); mine {
				if int(items[0]) > at {
					break
				}
				if len(kept) > 0 && kept[0] == items[0] {
					dst, kept = append(dst, kept[0]), kept[1:]
				}
				items = items[1:]
			} else {
				if int(unknown[0]) > at {
					break
				}
				unknown = unknown[1:]
			}
			at++
		}
		if at >= labels {
			return dst
		}
		dst = append(dst, int32(at))
	}
}
