package c45

import "github.com/dither-data/dither/internal/mining/criterion"

// Part is a set of records of Data: all, or those that reach a branch, where records of which a tested value is
// missing count with a share of their weight. Data and its parts serve one goroutine at a time; the work is shared out
// inside.
type Part struct {
	g     *grower
	frame *frame
	rows  []int32
	live  []int32 // attributes that can be tested
}

// All returns the part of all records.
func (d *Data) All() *Part {
	return &Part{d.g, d.frame, identity(nil, len(d.frame.class)), identity(nil, len(d.g.cols))}
}

// Weight returns the weight of the part, in records.
func (p *Part) Weight() float64 { return p.g.fine.float(sum(p.g.count(p.frame, cases{rows: p.rows}))) }

// Divide returns the parts that a test on a column sends down its branches: one per category, or the values up to cut
// and those above. Parts of branches that no record reaches have weight 0.
func (p *Part) Divide(attr int, cut float64) []*Part {
	nd := new(node)
	p.g.test(nd, attr, cut)
	rows, live := append([]int32(nil), p.rows...), p.g.below(nd, p.live)
	p.g.sprout(nd, p.frame, rows)
	parts := make([]*Part, len(nd.kids))
	for k := range parts {
		parts[k] = &Part{g: p.g, frame: p.frame, live: live}
	}
	p.g.branch(nd, p.frame, rows, live, func(k int, f *frame, rows []int32) {
		parts[k].frame, parts[k].rows = f, rows
	})
	return parts
}

// Rated is a test with its plain gain ratio: without the cost of a threshold, and without the rule of average gain.
type Rated struct {
	Cut   float64 // of a numeric attribute: half way between two neighbouring values of the part
	Ratio float64
}

// Rate calls visit with the tests possible on every column, in any order and from several goroutines: the one test of
// a categorical attribute of which two values have at least minLeaf records, the cuts, ascending, of a numeric one
// that have at least minLeaf records on either side. Columns without tests are left out. Missing values count as in
// the learner: gain is that of the known values, scaled by their share; split information counts the missing as a
// branch. Visit may not keep tests. Cost: O(rows) per column.
func (p *Part) Rate(visit func(attr int, tests []Rated)) {
	if len(p.rows) == 0 {
		return
	}
	own := p.g.borrow()
	defer p.g.giveBack(own)
	n := &spot{frame: p.frame, rows: p.rows, counts: make([]int64, p.g.classes)}
	p.g.look(n, own)
	p.g.places.each(len(p.live), func(k int) {
		if p.g.ctx.Err() != nil {
			return
		}
		s := p.g.borrow()
		if tests := p.g.rate(s, n, p.live[k]); len(tests) > 0 {
			visit(p.g.cols[p.live[k]].index, tests)
		}
		p.g.giveBack(s)
	})
}

func (g *grower) rate(s *scratch, n *spot, slot int32) []Rated {
	c := g.cells(s, n, slot)
	if len(c.keys) == 0 {
		return nil
	}
	if col := &g.cols[slot]; col.numeric() {
		return g.rateCuts(s, n, col, c)
	}
	if gain, info, ok := g.fan(s, n, c); ok && info > 0 {
		return []Rated{{Ratio: ratio(gain, info)}}
	}
	return nil
}

// rateCuts measures all cuts that leave enough records on both sides.
func (g *grower) rateCuts(s *scratch, n *spot, col *column, c cells) []Rated {
	t := n.terms
	counts := room(s, &s.counts, len(n.counts))
	known := c.known(counts)
	least := t.atLeast(g.minLeaf)
	out := room(s, &s.rated, len(col.values))[:0]
	at := newSweep(s, t, counts, known)
	whole := t.of(n.total) - t.of(n.total-known)
	prev := c.keys[0] >> 32
	for i, key := range c.keys {
		if code := key >> 32; code != prev {
			if low := at.sizeLow; low >= least && known-low >= least {
				info := whole - t.of(low) - t.of(known-low)
				out = append(out, Rated{criterion.Midpoint(col.values[prev], col.values[code]), ratio(at.gain(), info)})
			}
			prev = code
		}
		at.move(uint32(key), c.weight(i))
	}
	return out
}

// ratio returns gain / info; a gain below 0 is one of rounding.
func ratio(gain, info int64) float64 { return float64(max(0, gain)) / float64(info) }
