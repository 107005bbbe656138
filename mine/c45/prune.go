package c45

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
)

// pessimist returns the pessimistic errors of a leaf: those it makes and those to be feared.
func (g *grower) pessimist(counts []int64, label int32) float64 {
	n := sum(counts)
	e := n - counts[heaviest(counts, label)]
	return g.fine.float(e) + extra(g.fine.float(n), g.fine.float(e), g.CF/100)
}

// noBetter reports whether branches with so many training errors are no better than a leaf (the collapse before
// pruning).
func (g *grower) noBetter(below, leaf int64) bool {
	if g.c50 {
		return g.fine.float(below) >= 0.999*g.fine.float(leaf)
	}
	return g.fine.float(below) >= g.fine.float(leaf)-epsilon
}

// settle decides whether a node whose branches are settled becomes a leaf, is replaced by its largest branch, or
// stays (Quinlan 1993, section 4.2).
func (g *grower) settle(nd *node, f *frame, c cases, d *division) {
	leaf := g.pessimist(nd.counts, nd.label)
	tree := g.estimate(nd, d, func(k int) float64 { return nd.kids[k].est },
		func(k int) []int64 { return nd.kids[k].counts })
	nd.exact = len(d.unknown) == 0 && !slices.ContainsFunc(nd.kids, func(k *node) bool { return !k.exact })
	branch, big := math.Inf(1), d.biggest()
	if !g.c50 || g.mayRise(nd, nd.kids[big], d.part[big]) {
		branch = g.raised(nd, f, c, d, big)
	}
	switch {
	case leaf <= branch+0.1 && leaf <= tree+0.1:
		nd.cutOff()
		nd.est = leaf
	case branch <= tree+0.1:
		kid := nd.kids[big]
		g.reprune(kid, f, c)
		*nd = *kid
	default:
		nd.est = tree
	}
}

// estimate sums the estimated errors of a node's branches that have cases. As See5 does, with its rule of gain, it
// takes the branches of fewer cases than a leaf needs as one leaf.
func (g *grower) estimate(nd *node, d *division, of func(k int) float64, counts func(k int) []int64) float64 {
	tree, pool := 0.0, []int64(nil)
	for k := range nd.kids {
		switch {
		case d.part[k] == 0:
		case g.c50 && g.fine.float(d.part[k]) < g.minLeaf:
			if pool == nil {
				pool = make([]int64, g.classes)
			}
			for c, w := range counts(k) {
				pool[c] += w
			}
		default:
			tree += of(k)
		}
	}
	if pool != nil {
		tree += g.pessimist(pool, 0)
	}
	return tree
}

// mayRise reports whether See5 considers putting a branch in its parent's place: a subtree of a tenth of the cases
// that does not test the same numeric attribute.
func (g *grower) mayRise(nd, kid *node, part int64) bool {
	return !kid.leaf() && 10*part >= sum(nd.counts) && (kid.slot != nd.slot || !g.cols[nd.slot].numeric())
}

// raised estimates the errors of the largest branch if all cases of the node went down there.
func (g *grower) raised(nd *node, f *frame, c cases, d *division, big int) float64 {
	kid := nd.kids[big]
	if len(d.unknown) == 0 && kid.exact && !g.c50 {
		lo, hi := d.start[big], d.start[big+1]
		others := cases{rows: without(g.space, d.rows, lo, hi), own: without(g.space, d.own, lo, hi), made: true}
		defer others.free(g.space)
		if est, ok := g.added(kid, f, others); ok {
			return est
		}
	}
	return g.pushed(kid, f, c)
}

// without returns a copy, in a space, of values but for those from lo to hi-1; nil of nil.
func without[T any](in *mmap.Space, v []T, lo, hi int) []T {
	if v == nil {
		return nil
	}
	return append(append(mmap.Make[T](in, len(v)-(hi-lo))[:0], v[:lo]...), v[hi:]...)
}

// added estimates the errors of a subtree when cases come on top of its own. It gives up on a missing value, which
// would change how other cases divide.
func (g *grower) added(nd *node, f *frame, c cases) (float64, bool) {
	if len(c.rows) == 0 {
		return nd.est, true
	}
	if nd.leaf() {
		counts := slices.Clone(nd.counts)
		f.count(counts, c)
		return g.pessimist(counts, nd.label), true
	}
	d := g.divide(nd, f, c)
	defer d.free(g.space)
	if len(d.unknown) > 0 {
		return 0, false
	}
	tree := 0.0
	for k, kid := range nd.kids {
		est, ok := g.added(kid, f, d.kid(g.space, f, k))
		if !ok {
			return 0, false
		}
		tree += est
	}
	return tree, true
}

// pushed estimates the errors of a subtree on the given cases alone.
func (g *grower) pushed(nd *node, f *frame, c cases) float64 {
	if !nd.leaf() {
		d := g.divide(nd, f, c)
		defer d.free(g.space)
		if d.whole > 0 {
			return g.estimate(nd, d, func(k int) float64 {
				kid := d.kid(g.space, f, k)
				defer kid.free(g.space)
				return g.pushed(nd.kids[k], f, kid)
			}, func(k int) []int64 {
				kid := d.kid(g.space, f, k)
				defer kid.free(g.space)
				return g.count(f, kid)
			})
		}
	}
	return g.pessimist(g.count(f, c), nd.label)
}

func (g *grower) count(f *frame, c cases) []int64 {
	counts := make([]int64, g.classes)
	f.count(counts, c)
	return counts
}

// reprune counts a subtree anew on the given cases and prunes it again.
func (g *grower) reprune(nd *node, f *frame, c cases) {
	nd.counts = g.count(f, c)
	nd.label = heaviest(nd.counts, nd.label)
	nd.est = g.pessimist(nd.counts, nd.label)
	if nd.leaf() {
		return
	}
	d := g.divide(nd, f, c)
	defer d.free(g.space)
	if d.whole == 0 {
		nd.cutOff()
		return
	}
	for k, kid := range nd.kids {
		if d.part[k] > 0 {
			own := d.kid(g.space, f, k)
			g.reprune(kid, f, own)
			own.free(g.space)
		}
	}
	g.settle(nd, f, c, d)
}
