package posterior

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
)

// batch is targets with what their workers share.
type batch struct {
	rows     []int             // of the targets in the original
	segments []segment.Segment // that the targets are taken to be in
	of       []int32           // number of a target's segment
}

// Each calls visit with what the intruder believes of every target, given by its row in the original, on all cores: k is the target's place in
// rows. The belief is used again after the call.
func (m *Matcher) Each(ctx context.Context, rows []int, visit func(k int, b *Belief)) error {
	b, err := m.batch(rows)
	if err != nil {
		return err
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(rows), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			w := newWorker(m, b)
			for k := int(next.Add(1)) - 1; k < len(rows) && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				visit(k, w.target(k))
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// batch finds the segments of the targets.
func (m *Matcher) batch(rows []int) (*batch, error) {
	b := &batch{rows: rows, segments: make([]segment.Segment, 1), of: make([]int32, len(rows))}
	if m.guide != nil {
		keys := make([]uint64, len(rows))
		if err := m.guide.Route(m.release.Original.Gather(rows), keys); err != nil {
			return nil, err
		}
		b.segments = m.guide.Segments(tree.Number(keys, b.of)...)
	}
	return b, nil
}

// worker holds what one goroutine needs to judge targets.
type worker struct {
	m      *Matcher
	b      *batch
	belief Belief
	levels [2][]float64 // products, of a level and of the one above
	row    []float64
	rows   map[rowKey][]float64
	held   int // numbers in rows
	laws   map[law.Kernel]*smooth
}

// rowKey names likelihoods that many targets share.
type rowKey struct {
	fact    int
	kernel  law.Kernel
	value   float64
	segment *segment.Segment // where the law tells nothing
}

// mostRows is how many numbers the rows of a worker hold together before they are given up.
const mostRows = 1 << 23

func newWorker(m *Matcher, b *batch) *worker {
	most := 1
	for _, l := range m.levels {
		most = max(most, len(l.nodes))
	}
	return &worker{m: m, b: b, belief: Belief{m: m, mass: make([]float64, len(m.shares)/max(1, m.classes))},
		rows: map[rowKey][]float64{}, laws: map[law.Kernel]*smooth{},
		levels: [2][]float64{make([]float64, most), make([]float64, most)}}
}

// space returns room for n numbers, the same at every call.
func (w *worker) space(n int) []float64 {
	w.row = slices.Grow(w.row[:0], n)
	return w.row[:n]
}

// mostLaws is how many laws a worker holds before they are given up.
const mostLaws = 256

// smooth returns a law in the form for many calls; nil for a law that has none.
func (w *worker) smooth(law law.Kernel) *smooth {
	s, ok := w.laws[law]
	if !ok {
		if len(w.laws) == mostLaws {
			clear(w.laws)
		}
		s = newSmooth(law)
		w.laws[law] = s
	}
	return s
}

// keep keeps a row for other targets.
func (w *worker) keep(key rowKey, row []float64) {
	if w.held += len(row); w.held > mostRows {
		clear(w.rows)
		w.held = len(row)
	}
	w.rows[key] = row
}

// target returns what the intruder believes of the target at place k.
func (w *worker) target(k int) *Belief {
	b := &w.belief
	b.Widened, b.Unfit = false, false
	if b.take(w.weigh(k, &w.b.segments[w.b.of[k]])) {
		return b
	}
	if w.m.guide != nil && b.take(w.weigh(k, &segment.Segment{})) {
		b.Widened = true
		return b
	}
	all := w.levels[0][:w.m.Profiles()]
	for e := range all {
		all[e] = 1
	}
	b.take(all)
	b.Unfit = true
	return b
}

// weigh returns the likelihood of every profile, up to a factor.
func (w *worker) weigh(k int, segment *segment.Segment) []float64 {
	above := w.levels[1][:1]
	above[0] = 1
	for l, level := range w.m.levels {
		here := w.levels[l%2][:len(level.nodes)]
		var row []float64
		if level.evidence != nil {
			row = level.evidence.likelihoods(w, w.b.rows[k], segment)
		}
		if row == nil {
			for e, n := range level.nodes {
				here[e] = above[n.parent]
			}
		} else {
			for e, n := range level.nodes {
				here[e] = above[n.parent] * row[n.code]
			}
		}
		if above = here; l%8 == 7 {
			rescale(here)
		}
	}
	return above
}

// rescale divides by the largest, so that long products do not vanish.
func rescale(p []float64) {
	if top := slices.Max(p); top > 0 && top < 1e-100 {
		for e := range p {
			p[e] /= top
		}
	}
}
