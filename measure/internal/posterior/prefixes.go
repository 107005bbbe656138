package posterior

import (
	"context"
	"math"
	"sync"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/segment"
)

// Prefixes studies targets as what the intruder knows becomes known one attribute after another: study k is of the
// first k of view.Known, and has the targets, H and the classes only. Every level of the product is the evidence of one
// more attribute, so that all of them together cost little more than the last, which is for Match and Study to tell. A
// study is nil where it takes more: where the law of the noise fits no record for some target, and all are where
// attributes enter together or some people have several records. Cost: 3 ns for every target, attribute and different
// released record.
func Prefixes(
	ctx context.Context,
	r *measure.Release,
	view *intruder.View,
	trees Trees,
	o Options,
	targets measure.Targets,
) ([]*Study, error) {
	out := make([]*Study, len(view.Known))
	m, leaf, err := newMatcher(r, view, trees, o)
	if err != nil {
		return nil, err
	}
	facts, joints, err := m.gather()
	if err != nil || len(joints) > 0 || m.people != nil || len(out) == 0 {
		return out, err
	}
	for k, f := range facts[:len(out)-1] {
		f.at = k
		m.divide(f, f.code, int32(len(f.values)))
	}
	m.settle(leaf)
	n := len(targets.Rows)
	for k := range out {
		out[k] = &Study{Targets: targets, H: make([]float64, n), Class: make([]float64, n*m.classes), Classes: m.classes}
	}
	c := &curve{m: m, studies: out, steps: m.steps(), first: len(m.levels) - len(out) + 1, fits: len(out)}
	return out, c.draw(ctx, targets.Rows)
}

// curve is studies in the making.
type curve struct {
	m       *Matcher
	studies []*Study
	steps   []step // by level
	first   int    // the level of the attribute known first
	sync.Mutex
	fits int // so many studies have a record that fits, for every target
}

// step is the nodes of a level as outcomes.
type step struct {
	count []int32 // released records of a node
	// first node of every leaf of the class tree, in the order of the first level: nodes are ordered by leaf
	starts []int32
}

// steps returns the steps of the levels.
func (m *Matcher) steps() []step {
	out := make([]step, len(m.levels))
	count := make([]int32, m.Profiles())
	for e, n := range m.count {
		count[e] = int32(n)
	}
	for l := len(out) - 1; l >= 0; l-- {
		out[l].count = count
		if parent := m.levels[l].parent; parent != nil && l > 0 {
			above := make([]int32, len(m.levels[l-1].code))
			for e, p := range parent {
				above[p] += count[e]
			}
			count = above
		}
	}
	if m.classes == 0 {
		return out
	}
	starts := make([]int32, len(m.levels[0].code))
	for e := range starts {
		starts[e] = int32(e)
	}
	out[0].starts = starts
	for l := 1; l < len(out); l++ {
		if parent := m.levels[l].parent; parent != nil {
			below := make([]int32, len(starts))
			for j, e := 0, int32(0); j < len(starts); e++ {
				if parent[e] >= starts[j] {
					below[j] = e
					j++
				}
			}
			starts = below
		}
		out[l].starts = starts
	}
	return out
}

// draw works out the studies.
func (c *curve) draw(ctx context.Context, rows []int) error {
	for k := range rows { // nothing is known
		s := c.studies[0]
		s.H[k] = portable.Log2(float64(len(c.m.profile)))
		copy(s.Class[k*s.Classes:(k+1)*s.Classes], c.m.base)
	}
	err := c.m.spread(ctx, rows, func(w *worker, k int) {
		fits := c.walk(w, k, &w.b.segments[w.b.of[k]], 1)
		if fits < len(c.studies) && c.m.guide != nil {
			fits = c.walk(w, k, &segment.Segment{}, fits)
		}
		c.Lock()
		defer c.Unlock()
		c.fits = min(c.fits, fits)
	})
	clear(c.studies[c.fits:])
	return err
}

// walk tells the target at place k by one attribute after another from the study from on, and returns the first study
// in which no record fits.
func (c *curve) walk(w *worker, k int, in *segment.Segment, from int) int {
	next := 1
	w.weigh(k, in, func(l int, here []float64, alive []int32) bool {
		if l < c.first {
			return true
		}
		s := c.studies[next]
		h, ok := w.tally(here, alive, &c.steps[l])
		if !ok {
			return false
		}
		if next >= from {
			s.H[k] = h
			w.belief.spread(s.Class[k*s.Classes : (k+1)*s.Classes])
		}
		next++
		return next < len(c.studies)
	})
	return max(next, from)
}

// tally makes probabilities of likelihoods by node, of those listed where alive is not nil, gathers them by leaf and
// returns their entropy in bits; ok is false when all are 0.
func (w *worker) tally(here []float64, alive []int32, s *step) (h float64, ok bool) {
	sum := 0.0
	if alive == nil {
		for e, v := range here {
			sum += float64(v * float64(s.count[e]))
		}
	}
	for _, e := range alive {
		sum += float64(here[e] * float64(s.count[e]))
	}
	if !(sum > 0) {
		return 0, false
	}
	clear(w.belief.mass)
	leaf := -1
	add := func(e int32) {
		v := here[e] / sum
		if here[e] = v; v < 1e-30 {
			return // as in Belief.take
		}
		v, p := float64(v*float64(s.count[e])), v
		h -= float64(v * portable.Log(p))
		for ; leaf+1 < len(s.starts) && s.starts[leaf+1] <= e; leaf++ {
		}
		if leaf >= 0 {
			w.belief.mass[w.m.levels[0].code[leaf]] += v
		}
	}
	if alive == nil {
		for e := range here {
			if here[e] != 0 {
				add(int32(e))
			}
		}
	}
	for _, e := range alive {
		add(e)
	}
	return max(h/math.Ln2, 0), true
}
