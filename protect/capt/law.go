package capt

import (
	"iter"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
)

// draws makes the released values of one attribute, leaf by leaf. Its slices are flat and it is never written after it
// is built, but for what kernels remember.
type draws struct {
	p      float64
	values int // size of the domain
	// unrelated attributes have no leaves: with probability p another value of the domain.
	unrelated bool

	leaves []leaf
	codes  []int32   // of the values that occur, leaf after leaf
	counts []float64 // cumulative within the leaf
	family []int32   // majority values of the leaves, family after family
	shares []float64 // cumulative weights of the leaves within the family

	spreads []atomic.Pointer[spread] // by leaf, what kernels have asked for
}

// spread is the law of a leaf without what depends on the value there: the codes that are drawn, ascending, with their
// probabilities.
type spread struct {
	codes []int32
	p     []float64
	stays float64 // probability that a value of its own stays
}

// leaf is where one leaf's values and siblings stand in the flat slices.
type leaf struct {
	lo, hi       int32 // codes and counts
	first, after int32 // family and shares; all the leaves of the family, this one included
	at           int32 // this leaf's own place there; -1 in an empty leaf, which belongs to no family
}

// siblings returns the number of the leaf's siblings.
func (l *leaf) siblings() int {
	n := int(l.after - l.first)
	if l.at >= 0 {
		n--
	}
	return n
}

func (l *leaf) heterogeneous() bool { return l.hi-l.lo > 1 }

// newLaw reads the law off the clusters. Cost: O(values in all leaves).
func newLaw(c *detective.Clusters, p float64, proportional bool) *draws {
	w := &draws{
		p:         p,
		values:    len(c.Labels),
		unrelated: c.Unrelated(),
		leaves:    make([]leaf, len(c.Leaves)),
		spreads:   make([]atomic.Pointer[spread], len(c.Leaves)),
	}
	for i := range c.Leaves {
		l := &w.leaves[i]
		l.lo = int32(len(w.codes))
		sum := 0.0
		for _, v := range c.Leaves[i].Values {
			sum += v.Count
			w.codes = append(w.codes, v.Code)
			w.counts = append(w.counts, sum)
		}
		l.hi = int32(len(w.codes))
		l.at = -1
	}
	places := map[int32][2]int32{} // of a parent's family
	for _, fam := range c.Families() {
		first, sum := int32(len(w.family)), 0.0
		for _, i := range fam {
			w.leaves[i].at = int32(len(w.family))
			if proportional {
				sum += c.Leaves[i].Weight()
			} else {
				sum++
			}
			w.family = append(w.family, c.Leaves[i].Majority)
			w.shares = append(w.shares, sum)
		}
		places[c.Leaves[fam[0]].Parent] = [2]int32{first, int32(len(w.family))}
	}
	for i := range w.leaves {
		f := places[c.Leaves[i].Parent]
		w.leaves[i].first, w.leaves[i].after = f[0], f[1]
	}
	return w
}

// unrelated is the law of an attribute without a tree.
func unrelated(values int, p float64) *draws { return &draws{p: p, values: values, unrelated: true} }

// draw returns the value released for old, which is not missing, in the numbered leaf. Cost: O(log(values + siblings)).
func (w *draws) draw(number, old int32, b rng.Block) int32 {
	if w.unrelated {
		return redraw.Another(old, w.values, w.p, b)
	}
	l := &w.leaves[number]
	switch {
	case l.siblings() > 0 && rng.Unit(b.A) < w.p:
		return w.sibling(l, rng.Unit(b.B))
	case l.heterogeneous():
		k := choose(w.counts[l.lo:l.hi], float64(rng.Unit(b.B)*w.counts[l.hi-1]))
		return w.codes[int(l.lo)+k]
	}
	return old
}

// sibling returns the majority value of a sibling of l: the weights of the family with l's own left out.
func (w *draws) sibling(l *leaf, u float64) int32 {
	own, skip := 0.0, 0.0 // l's weight, and the weight before it
	shares := w.shares[l.first:l.after]
	if l.at >= 0 {
		if k := l.at - l.first; k > 0 {
			skip = shares[k-1]
		}
		own = w.shares[l.at] - skip
	}
	x := float64(u * (shares[len(shares)-1] - own))
	if l.at >= 0 && x >= skip {
		x += own
	}
	k := choose(shares, x)
	if k == int(l.at-l.first) && l.at >= 0 { // rounding at the edge of l's own weight
		if k++; k == len(shares) {
			k -= 2
		}
	}
	return w.family[int(l.first)+k]
}

// choose returns the first place whose cumulative weight is above x, the last one when rounding leaves none.
func choose(cumulative []float64, x float64) int {
	n := len(cumulative)
	if n > 8 {
		return min(sort.Search(n, func(k int) bool { return cumulative[k] > x }), n-1)
	}
	for k, c := range cumulative {
		if c > x {
			return k
		}
	}
	return n - 1
}

// Law returns the exact probabilities, by code, of what is released for the value old in a leaf of the clusters:
// section 6.5 of Islam 2007, before influential=keep turns draws away. Siblings share p equally or in proportion to
// their records. Cost: O(all values).
func Law(c *detective.Clusters, p float64, proportional bool, number int, old int32) []float64 {
	return newLaw(c, p, proportional).of(number, old)
}

// of returns the probabilities, by code, of what is drawn for old in the numbered leaf.
func (w *draws) of(number int, old int32) []float64 {
	out := make([]float64, w.values)
	if w.unrelated {
		for v := range out {
			out[v] = w.p / float64(w.values-1)
		}
		out[old] = 1 - w.p
		if w.values < 2 {
			out[old] = 1
		}
		return out
	}
	out[old] += w.drawn(out, number)
	return out
}

// drawn adds the probabilities, by code, of what is drawn in the numbered leaf whatever is there, and returns that with
// which the value stays.
func (w *draws) drawn(out []float64, number int) (stays float64) {
	l := &w.leaves[number]
	rest := 1.0
	if l.siblings() > 0 {
		rest = 1 - w.p
		w.addSiblings(out, l)
	}
	if !l.heterogeneous() {
		return rest
	}
	before := 0.0
	for k := l.lo; k < l.hi; k++ {
		out[w.codes[k]] += rest * (w.counts[k] - before) / w.counts[l.hi-1]
		before = w.counts[k]
	}
	return 0
}

// spread returns what is drawn in the numbered leaf, worked out once. Two who ask at the same time both work it out,
// and get the same.
func (w *draws) spread(number int) *spread {
	if s := w.spreads[number].Load(); s != nil {
		return s
	}
	out, s := make([]float64, w.values), &spread{}
	s.stays = w.drawn(out, number)
	for c, p := range out {
		if p != 0 {
			s.codes, s.p = append(s.codes, int32(c)), append(s.p, p)
		}
	}
	w.spreads[number].Store(s)
	return s
}

// prob returns the probability with which v is drawn for old in the numbered leaf. Cost: O(log values) once the leaf
// was asked for.
func (w *draws) prob(number int, old, v int32) float64 {
	if w.unrelated {
		switch {
		case v != old:
			return w.p / float64(w.values-1)
		case w.values < 2:
			return 1
		}
		return 1 - w.p
	}
	s, out := w.spread(number), 0.0
	if at, ok := slices.BinarySearch(s.codes, v); ok {
		out = s.p[at]
	}
	if v == old {
		out += s.stays
	}
	return out
}

// others ranges over the values that are drawn for old and are another, ascending, with their probabilities.
func (w *draws) others(number int, old int32) iter.Seq2[int32, float64] {
	return func(yield func(int32, float64) bool) {
		if w.unrelated {
			for c := range int32(w.values) {
				if c != old && !yield(c, w.p/float64(w.values-1)) {
					return
				}
			}
			return
		}
		s := w.spread(number)
		for k, c := range s.codes {
			if c != old && !yield(c, s.p[k]) {
				return
			}
		}
	}
}

// addSiblings adds the probability p, shared by the siblings of l.
func (w *draws) addSiblings(out []float64, l *leaf) {
	total, before := 0.0, 0.0
	weight := make([]float64, l.after-l.first)
	for k := range weight {
		weight[k] = w.shares[int(l.first)+k] - before
		before += weight[k]
		if int(l.first)+k != int(l.at) {
			total += weight[k]
		}
	}
	for k, v := range weight {
		if int(l.first)+k != int(l.at) {
			out[w.family[int(l.first)+k]] += w.p * v / total
		}
	}
}
