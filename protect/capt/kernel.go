package capt

import (
	"slices"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// kernel is the law of one column in one leaf of its tree. With influential=keep a draw that leaves the sub-domain of
// the record's leaf in the class tree is turned away, and the value stays.
type kernel struct {
	part        *part
	leaf, class int32 // leaf of the attribute's tree, and of the class tree; -1 where nothing is kept
}

// P returns the probability that code x is released as code y. Cost: O(log values); where influential=keep turns draws
// away and y is x, O(values of the leaf), and O(values of the attribute) the first time a leaf is asked for.
func (k kernel) P(x, y float64) float64 {
	if n := float64(k.part.law.values); x < 0 || y < 0 || x >= n || y >= n {
		return 0
	}
	old, v := int32(x), int32(y)
	law := k.part.law
	switch {
	case k.class < 0:
		return law.prob(int(k.leaf), old, v)
	case v != old && !k.part.allows(k.class, v):
		return 0
	case v != old:
		return law.prob(int(k.leaf), old, v)
	}
	stays := law.prob(int(k.leaf), old, old)
	for c, p := range law.others(int(k.leaf), old) {
		if !k.part.allows(k.class, c) {
			stays += p
		}
	}
	return stays
}

// Law returns the law of a column: the intruder is taken to know the trees of the plan, which is more than one can
// know, so the risk is not understated.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	at := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Column == j })
	if at < 0 {
		return nil, false
	}
	p.prepare()
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		k := kernel{part: &p.parts[at], class: -1}
		if k.part.walk != nil {
			k.leaf = k.part.walk.Leaf(t, row)
		}
		if p.Class != nil && k.part.allowed != nil {
			k.class = p.classes.Leaf(t, row)
		}
		return k
	}, true
}
