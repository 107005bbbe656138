package learned

import (
	"context"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/segment/tree"
)

// made is the release as the technique saw it, of the records that are judged; nil where that is not known of them.
func (g *game) made() *measure.Release {
	made := g.r.AsMade()
	if made.Original.Rows() != g.r.Original.Rows() {
		made = made.OfThose()
	}
	if made.Original.Rows() != g.r.Original.Rows() || made.Released.Rows() != g.r.Released.Rows() {
		return nil
	}
	return made
}

// segmented says whether the intruder can tell the segment of a person: who knows the technique, and every column by
// which it divides. Who knows a column that was restated is taken to know what it was restated to, as its distance from
// another one.
func (g *game) segmented(made *measure.Release, keys []uint64) bool {
	if !g.view.Technique {
		return false
	}
	known := func(j int) bool {
		at := g.r.Original.Find(made.Original.Attr(j).Name)
		return at >= 0 && slices.Contains(g.view.Columns(), at)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(keys)))
	if len(distinct) > 1000 {
		distinct = distinct[:1000]
	}
	segments := make([]func(j int) bool, len(distinct))
	if f, ok := made.Segments.(*tree.Forest); ok {
		all := f.Segments(distinct...)
		for k := range all {
			segments[k] = all[k].Influential
		}
	} else {
		for k, key := range distinct {
			s := made.Segments.Segment(key)
			segments[k] = s.Influential
		}
	}
	for j := range made.Original.Width() {
		if !known(j) && slices.ContainsFunc(segments, func(in func(int) bool) bool { return in(j) }) {
			return false
		}
	}
	return true
}

// routed returns the segments of people and of all released records; ok is false where nobody can tell them.
func (g *game) routed(p *people) (keys, records []uint64, ok bool) {
	made := g.made()
	if made == nil || made.Segments == nil {
		return nil, nil, false
	}
	t := made.Original
	if p.t == g.r.Holdout {
		t = made.Holdout
	}
	keys, records = make([]uint64, len(p.rows)), make([]uint64, made.Released.Rows())
	ok = t != nil && made.Segments.Route(t.Gather(p.rows), keys) == nil && g.segmented(made, keys) &&
		made.Segments.Route(made.Released, records) == nil
	return keys, records, ok
}

// divideAll plays the attack by segments; where it cannot be played its tallies are taken away.
func (g *game) divideAll(ctx context.Context, p *people, inside bool, out [][]*tally) error {
	at := slices.IndexFunc(g.attacks, func(a attack) bool { return a.kind == divided })
	if !slices.ContainsFunc(out, func(t []*tally) bool { return t[at] != nil }) {
		return nil
	}
	keys, records, ok := g.routed(p)
	if !ok {
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
