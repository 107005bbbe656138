package learned

import (
	"context"
	"slices"

	"github.com/dither-data/dither/segment/tree"
)

// segmented says whether the intruder can tell the segment of a person: who knows the technique, and every column by
// which it divides.
func (g *game) segmented(keys []uint64) bool {
	if g.r.Segments == nil || !g.view.Technique {
		return false
	}
	known := g.view.Columns()
	distinct := slices.Compact(slices.Sorted(slices.Values(keys)))
	if len(distinct) > 1000 {
		distinct = distinct[:1000]
	}
	segments := make([]func(j int) bool, len(distinct))
	if f, ok := g.r.Segments.(*tree.Forest); ok {
		all := f.Segments(distinct...)
		for k := range all {
			segments[k] = all[k].Influential
		}
	} else {
		for k, key := range distinct {
			s := g.r.Segments.Segment(key)
			segments[k] = s.Influential
		}
	}
	for j := range g.r.Original.Width() {
		if !slices.Contains(known, j) && slices.ContainsFunc(segments, func(in func(int) bool) bool { return in(j) }) {
			return false
		}
	}
	return true
}

// divideAll plays the attack by segments; where it cannot be played its tallies are taken away.
func (g *game) divideAll(ctx context.Context, p *people, inside bool, out [][]*tally) error {
	at := slices.IndexFunc(g.attacks, func(a attack) bool { return a.kind == divided })
	if !slices.ContainsFunc(out, func(t []*tally) bool { return t[at] != nil }) {
		return nil
	}
	keys := make([]uint64, len(p.rows))
	playable := g.r.Segments != nil && g.r.Segments.Route(p.t.Gather(p.rows), keys) == nil && g.segmented(keys)
	var records []uint64
	if playable {
		records = make([]uint64, g.r.Released.Rows())
		playable = g.r.Segments.Route(g.r.Released, records) == nil
	}
	if !playable {
		for s := range out {
			out[s][at] = nil
		}
		return ctx.Err()
	}
	of := map[uint64][]int32{}
	for _, k := range keys {
		of[k] = nil
	}
	for i, k := range records {
		if rows, ok := of[k]; ok {
			of[k] = append(rows, int32(i))
		}
	}
	for k, rows := range of {
		of[k] = thinned(rows)
	}
	var r room
	for i, k := range keys {
		b := ballot{with: of[k], without: of[k]}
		mine := g.owned.records(int32(p.rows[i]))
		if inside && g.control == leftOut && slices.ContainsFunc(of[k], mine) {
			if len(of[k]) > largest {
				b = halved(of[k], int32(p.rows[i]), mine)
			} else {
				b.without, b.own = slices.DeleteFunc(slices.Clone(of[k]), mine), true
			}
		}
		for s, q := range g.secrets {
			if out[s][at] != nil {
				g.note(out[s][at], q, p, i, inside, b, &r)
			}
		}
	}
	return ctx.Err()
}

// thinned returns a part of very many records, by a hash of their row: what most of them have is what most of all have.
func thinned(rows []int32) []int32 {
	for level := ^uint64(0); len(rows) > 5*crowded; {
		level /= 2
		rows = slices.DeleteFunc(rows, func(r int32) bool { return mix(int(r)) > level })
	}
	return rows
}
