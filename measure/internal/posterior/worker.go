package posterior

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
)

// batch is targets with what their workers share.
type batch struct {
	rows     []int             // of the targets in the original
	segments []segment.Segment // that the targets are taken to be in
	of       []int32           // number of a target's segment
}

// Each calls visit with what the intruder believes of every target, given by its row in the original, on all cores: k
// is the target's place in rows. The belief is used again after the call.
func (m *Matcher) Each(ctx context.Context, rows []int, visit func(k int, b *Belief)) error {
	return m.spread(ctx, rows, func(w *worker, k int) { visit(k, w.target(k)) })
}

// spread calls work for every target on all cores: k is its place in rows.
func (m *Matcher) spread(ctx context.Context, rows []int, work func(w *worker, k int)) error {
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
				work(w, k)
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
	alive  []int32      // nodes whose product is not 0, ascending
	below  []int32      // room for those of the next level
	row    []float64
	rows   map[rowKey][]float64
	held   int // numbers in rows
	laws   map[noisemodel.Kernel]*smooth
}

// rowKey names likelihoods that many targets share.
type rowKey struct {
	fact    int
	kernel  noisemodel.Kernel
	value   float64
	segment *segment.Segment // where the law tells nothing
}

// mostRows is how many numbers the rows of a worker hold together before they are given up.
const mostRows = 1 << 23

func newWorker(m *Matcher, b *batch) *worker {
	most := 1
	for _, l := range m.levels {
		most = max(most, len(l.code))
	}
	return &worker{
		m:      m,
		b:      b,
		belief: Belief{m: m, by: m.byPerson(), mass: make([]float64, len(m.shares)/max(1, m.classes))},
		rows:   map[rowKey][]float64{},
		laws:   map[noisemodel.Kernel]*smooth{},
		levels: [2][]float64{make([]float64, most), make([]float64, most)},
	}
}

// space returns room for n numbers, the same at every call.
func (w *worker) space(n int) []float64 {
	w.row = slices.Grow(w.row[:0], n)
	return w.row[:n]
}

// mostLaws is how many laws a worker holds before they are given up.
const mostLaws = 256

// smooth returns a law in the form for many calls; nil for a law that has none.
func (w *worker) smooth(law noisemodel.Kernel) *smooth {
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
	if p, alive := w.weigh(k, &w.b.segments[w.b.of[k]], nil); b.take(p, alive) {
		return b
	}
	if w.m.guide == nil {
		return w.unfit()
	}
	if p, alive := w.weigh(k, &segment.Segment{}, nil); b.take(p, alive) {
		b.Widened = true
		return b
	}
	return w.unfit()
}

// unfit returns the belief in a target that no record fits: all are equally likely.
func (w *worker) unfit() *Belief {
	all := w.levels[0][:w.m.Profiles()]
	for e := range all {
		all[e] = 1
	}
	w.belief.take(all, nil)
	w.belief.Unfit = true
	return &w.belief
}

// weigh returns the likelihood of every profile, up to a factor, and which are not 0; alive is nil where they are not
// listed. Once they are few, only those are looked at, and what a level divides them into. After, where it is given,
// sees the products of every level, and which are not 0 where that is known, and may divide them all; when it returns
// false the rest is left out.
func (w *worker) weigh(
	k int,
	segment *segment.Segment,
	after func(l int, here []float64, alive []int32) bool,
) (here []float64, alive []int32) {
	here, spare := w.levels[0][:1], w.levels[1]
	here[0] = 1
	few := false
	for l, level := range w.m.levels {
		var row []float64
		if level.evidence != nil {
			row = level.evidence.likelihoods(w, w.b.rows[k], segment)
		}
		switch {
		case level.parent != nil:
			below := spare[:len(level.code)]
			if few {
				few = w.descendAlive(below, here, row, &level)
			} else {
				descend(below, here, row, &level)
				few = w.fewAlive(below)
			}
			here, spare = below, here[:cap(here)]
		case row == nil:
		case few:
			w.alive = multiplyAlive(w.alive, here, row, level.code)
		default:
			for e, c := range level.code {
				here[e] = float64(here[e] * row[c])
			}
			few = w.fewAlive(here)
		}
		switch {
		case l%8 == 7 && few:
			rescaleAlive(w.alive, here)
		case l%8 == 7:
			rescale(here)
		}
		if alive = nil; few {
			alive = w.alive
		}
		if after != nil && !after(l, here, alive) {
			break
		}
	}
	return here, alive
}

// descend gives every node the product of the one above and of what it shows itself.
func descend(below, above, row []float64, l *level) {
	if row == nil {
		for e, p := range l.parent {
			below[e] = above[p]
		}
		return
	}
	code := l.code[:len(l.parent)]
	for e, p := range l.parent {
		below[e] = float64(above[p] * row[code[e]])
	}
}

// descendAlive is descend where all but the nodes listed are 0; it lists those below that are not, and reports whether
// they are few.
func (w *worker) descendAlive(below, above, row []float64, l *level) (few bool) {
	clear(below)
	some := w.below[:0]
	for _, p := range w.alive {
		for e := l.first[p]; e < l.first[p+1]; e++ {
			v := above[p]
			if row != nil {
				v = float64(v * row[l.code[e]])
			}
			if v != 0 {
				below[e] = v
				some = append(some, e)
			}
		}
	}
	w.alive, w.below = some, w.alive
	return len(some) <= len(below)/oneOf
}

// few of the nodes are alive where at most one of so many is.
const oneOf = 4

// fewAlive lists the nodes whose product is not 0, unless they are many.
func (w *worker) fewAlive(here []float64) bool {
	most := len(here) / oneOf
	w.alive = slices.Grow(w.alive[:0], most+1)
	for e, p := range here {
		if p != 0 {
			if len(w.alive) == most {
				return false
			}
			w.alive = append(w.alive, int32(e))
		}
	}
	return true
}

// multiplyAlive multiplies the products of the nodes listed and returns those whose product is still not 0.
func multiplyAlive(alive []int32, here, row []float64, code []int32) []int32 {
	left := 0
	for _, e := range alive {
		p := float64(here[e] * row[code[e]])
		here[e], alive[left] = p, e
		if p != 0 {
			left++
		}
	}
	return alive[:left]
}

// rescale divides by the largest, so that long products do not vanish.
func rescale(p []float64) {
	if top := slices.Max(p); vanishing(top) {
		for e := range p {
			p[e] /= top
		}
	}
}

// rescaleAlive is rescale where all but the nodes listed are 0.
func rescaleAlive(alive []int32, p []float64) {
	top := 0.0
	for _, e := range alive {
		top = max(top, p[e])
	}
	if vanishing(top) {
		for _, e := range alive {
			p[e] /= top
		}
	}
}

// vanishing reports whether a largest product is so small that the next ones may be 0.
func vanishing(top float64) bool { return top > 0 && top < 1e-100 }
