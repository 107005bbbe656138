package linkage

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/missing"
	"github.com/dither-data/dither/table"
)

// gaps are the patterns of missing values of a release and its original. A pattern has a bit for every column, and then
// one for every column in which the release shows that values were suppressed: that is no gap.
type gaps struct {
	columns   []int   // that are looked at
	starred   []int   // of these, by position, those in which values were suppressed
	changed   []int   // of these, by position, those in which a gap came or went
	original  []int32 // by record: its pattern
	released  []int32
	originals []int32 // by pattern: how many records have it
	releases  []int32
	bits      [2][]string // by table and pattern, bit k%8 of byte k/8 is that of column k
	missing   float64     // share of the released values

	lost, found []float64   // by changed column: the rate at which a value becomes missing, and one appears where none was
	hidden      [][]float64 // by changed column: that at which a value is suppressed, and a gap; nil where none is
	blocks      [2][]string // by table and pattern: the bits of the columns that keep their gaps
	of          map[string][]int32
}

// gapsOf reads the patterns. Cost: O(n p).
func gapsOf(ctx context.Context, r *measure.Release) (*gaps, error) {
	g := &gaps{}
	for j := range r.Original.Width() {
		if r.Original.Attr(j).Kind.Scalar() {
			if slices.Contains(r.Released.Column(j).Suppressed, true) {
				g.starred = append(g.starred, len(g.columns))
			}
			g.columns = append(g.columns, j)
		}
	}
	g.rates(r)
	var err error
	if g.original, g.originals, g.bits[0], err = g.patterns(ctx, r.Original, had); err != nil {
		return nil, err
	}
	if g.released, g.releases, g.bits[1], err = g.patterns(ctx, r.Released, missing.Of); err != nil {
		return nil, err
	}
	g.divide()
	return g, nil
}

// rates finds the columns in which gaps change, and how often.
func (g *gaps) rates(r *measure.Release) {
	gone := 0.0
	for k, j := range g.columns {
		was, is := r.Original.Column(j), r.Released.Column(j)
		n := missing.Count(&was, &is)
		gone += n[0][missing.Gap] + n[1][missing.Gap]
		lost, found, stars := n[0][missing.Gap], n[1][missing.Value], n.Stars()
		if lost+found+stars == 0 {
			continue
		}
		g.changed = append(g.changed, k)
		ways, hidden := 2.0, []float64(nil) // of what may come of it
		if stars > 0 {
			ways = 3
			hidden = []float64{
				(n[0][missing.Suppressed] + 0.5) / (n.Had(0) + 1.5), (n[1][missing.Suppressed] + 0.5) / (n.Had(1) + 1.5),
			}
		}
		g.lost = append(g.lost, (lost+0.5)/(n.Had(0)+ways/2))
		g.found = append(g.found, (found+0.5)/(n.Had(1)+ways/2))
		g.hidden = append(g.hidden, hidden)
	}
	g.missing = gone / float64(max(1, len(g.columns)*r.Original.Rows()))
}

// had is missing.Of of the original, of which an intruder knows no more than whether it has a value.
func had(c *table.Column, row int) missing.Shown { return missing.Shown(missing.Bit(c.MissingAt(row))) }

// patterns numbers the patterns of a table's records by what its columns show.
func (g *gaps) patterns(
	ctx context.Context,
	t *table.Table,
	shown func(c *table.Column, row int) missing.Shown,
) (of, counts []int32, bits []string, err error) {
	columns := make([]table.Column, len(g.columns))
	for k, j := range g.columns {
		columns[k] = t.Column(j)
	}
	number := map[string]int32{}
	of = make([]int32, t.Rows())
	key := make([]byte, g.bytes())
	for i := range of {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, nil, ctx.Err()
		}
		clear(key)
		for k := range columns {
			if shown(&columns[k], i) == missing.Gap {
				key[k/8] |= 1 << (k % 8)
			}
		}
		for s, k := range g.starred {
			if shown(&columns[k], i) == missing.Suppressed {
				at := len(columns) + s
				key[at/8] |= 1 << (at % 8)
			}
		}
		p, ok := number[string(key)]
		if !ok {
			p = int32(len(counts))
			number[string(key)] = p
			counts, bits = append(counts, 0), append(bits, string(key))
		}
		of[i] = p
		counts[p]++
	}
	return of, counts, bits, nil
}

// bytes returns how many bytes a pattern has.
func (g *gaps) bytes() int { return (len(g.columns) + len(g.starred) + 7) / 8 }

// divide sorts the released patterns by their bits in the columns that keep their gaps: the own record is among those
// of the same.
func (g *gaps) divide() {
	mask := make([]byte, g.bytes())
	for k := range g.columns {
		mask[k/8] |= 1 << (k % 8)
	}
	for _, k := range g.changed {
		mask[k/8] &^= 1 << (k % 8)
	}
	g.of = map[string][]int32{}
	for side := range g.bits {
		g.blocks[side] = make([]string, len(g.bits[side]))
		for p, b := range g.bits[side] {
			kept := []byte(b)
			for i := range kept {
				kept[i] &= mask[i]
			}
			g.blocks[side][p] = string(kept)
			if side == 1 {
				g.of[string(kept)] = append(g.of[string(kept)], int32(p))
			}
		}
	}
}

// most returns how many people to try: all where gaps are kept, for then nothing is compared.
func (g *gaps) most(people, pairs int) int {
	if len(g.changed) == 0 {
		return len(g.original)
	}
	each := 0
	for _, patterns := range g.of {
		each = max(each, len(patterns)*len(g.changed))
	}
	return min(people, max(100, pairs/max(1, each)))
}

// find returns the credit for every row: 1/t where the own record is one of the t with the likeliest gaps, m/t where m
// of these are the person's. Mine returns the records of the person of a row.
func (g *gaps) find(ctx context.Context, rows []int, mine func(row int) []int) ([]float64, error) {
	type likeliest struct {
		best  float64
		count int32
	}
	var tried []int32 // patterns
	at := map[int32]int{}
	for _, i := range rows {
		if p := g.original[i]; at[p] == 0 {
			tried = append(tried, p)
			at[p] = len(tried)
		}
	}
	won := make([]likeliest, len(tried))
	err := parallel.Each(ctx, len(tried), func(k int) error {
		w := likeliest{best: math.Inf(-1)}
		for _, q := range g.of[g.blocks[0][tried[k]]] {
			switch l := g.likelihood(tried[k], q); {
			case l > w.best:
				w = likeliest{l, g.releases[q]}
			case l == w.best:
				w.count += g.releases[q]
			}
		}
		won[k] = w
		return nil
	})
	credit := make([]float64, len(rows))
	for k, i := range rows {
		w, was := won[at[g.original[i]]-1], g.original[i]
		own := 0
		for _, o := range mine(i) {
			if is := g.released[o]; g.blocks[0][was] == g.blocks[1][is] && g.likelihood(was, is) == w.best {
				own++
			}
		}
		if own > 0 {
			credit[k] = float64(own) / float64(w.count)
		}
	}
	return credit, err
}

// likelihood returns the logarithm of the probability that gaps are released as others of the same block.
func (g *gaps) likelihood(was, is int32) float64 {
	sum := 0.0
	a, b := g.bits[0][was], g.bits[1][is]
	for c, k := range g.changed {
		p := g.lost[c]
		lacked, gone := a[k/8]>>(k%8)&1 == 1, b[k/8]>>(k%8)&1 == 1
		if lacked {
			p = g.found[c]
		}
		star, starred := 0.0, false
		if hidden := g.hidden[c]; hidden != nil {
			at := len(g.columns) + slices.Index(g.starred, k)
			star, starred = hidden[missing.Bit(lacked)], b[at/8]>>(at%8)&1 == 1
		}
		switch {
		case starred:
			p = star
		case lacked == gone:
			p = 1 - p - star
		}
		sum += portable.Log(p)
	}
	return sum
}
