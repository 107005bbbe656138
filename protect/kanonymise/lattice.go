package kanonymise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/internal/system/parallel"
)

// largest is how many nodes a lattice may have that is searched.
const largest = 1 << 22

// lattice is all combinations of levels. A node is the mixed-radix number of its levels.
type lattice struct {
	heights []int
	stride  []int32
	bound   []int64 // by node: the loss without suppression, which never falls from levels to higher ones
}

func newLattice(f *frame) (*lattice, error) {
	l := &lattice{}
	size := 1
	for _, a := range f.axes {
		levels := len(a.groups)
		l.heights, l.stride = append(l.heights, levels-1), append(l.stride, int32(size))
		if size *= levels; size > largest {
			return nil, fmt.Errorf("the hierarchies of the %d quasi-identifiers have more than %d combinations of levels; "+
				"expected fewer "+
				"(parameter %q), or lower hierarchies, or search=mondrian", len(f.axes), largest, "columns")
		}
	}
	l.bound = make([]int64, 1, size)
	for _, a := range f.axes {
		lower := l.bound
		for _, t := range a.total[1:] {
			for _, b := range lower {
				l.bound = append(l.bound, b+t)
			}
		}
		for k := range lower {
			l.bound[k] += a.total[0]
		}
	}
	return l, nil
}

func (l *lattice) level(node int32, j int) int { return int(node/l.stride[j]) % (l.heights[j] + 1) }

// level returns the level of a hierarchy at a node.
func (s *search) level(node int32, j int) int { return s.f.axes[j].lowest + s.lat.level(node, j) }

func (l *lattice) levels(node int32, out []int) []int {
	for j := range out {
		out[j] = l.level(node, j)
	}
	return out
}

// What is known of a node.
const (
	evaluated = 1 << iota
	refused   // even k or distinct l costs more than the limit, here and below
)

// search looks for the nodes of the least loss among those that meet the goals with no more records suppressed than the
// limit.
//
// Suppression for the sake of k alone never rises from a node to those above it (judge.forSize), and no goal is met
// with less: so where k costs more than the limit, all nodes below are refused. The same holds of the records in
// classes of too few values (judge.scarce). What other goals cost may rise, so beyond that every node is evaluated that
// may be better than the last of the best ones found: the loss of a node is at least its bound.
type search struct {
	f       *frame
	goals   Goals
	most    int
	lat     *lattice
	order   []int32 // the nodes by bound
	known   []atomic.Uint32
	mu      sync.Mutex
	found   []result     // the best ones, ascending by loss and node
	best    atomic.Int64 // the loss of the last of them, once they are as many as are looked for
	stored  atomic.Pointer[[]snapshot]
	storing sync.Mutex
}

// listed is how many nodes are looked for: the best one is taken, and people see what the others cost.
const listed = 10

// result is a node that meets the goals.
type result struct {
	node    int32
	loss    int64
	lost    int // records suppressed
	classes int // that are kept
}

func newSearch(f *frame, g Goals, most int) (*search, error) {
	lat, err := newLattice(f)
	if err != nil {
		return nil, err
	}
	s := &search{f: f, goals: g, most: most, lat: lat, known: make([]atomic.Uint32, len(lat.bound))}
	s.best.Store(math.MaxInt64)
	s.order = make([]int32, len(lat.bound))
	for k := range s.order {
		s.order[k] = int32(k)
	}
	slices.SortFunc(s.order,
		func(a, b int32) int { return cmp.Or(cmp.Compare(lat.bound[a], lat.bound[b]), cmp.Compare(a, b)) })
	s.stored.Store(&[]snapshot{{levels: make([]int, len(f.axes)), classes: &f.base}})
	return s, nil
}

// run searches, from the least bound up, on all cores. The result does not depend on which core takes which path: of
// equal losses the lowest node wins.
func (s *search) run(ctx context.Context) ([]result, error) {
	w := s.newWalker()
	if !w.evaluate(int32(len(s.order) - 1)) {
		return s.found, nil
	}
	_, err := parallel.With(ctx, len(s.order), s.newWalker, func(w *walker, k int) error {
		w.from(s.order[k])
		return nil
	})
	return s.found, err
}

// walker is one core's part of the search.
type walker struct {
	*search
	roller *roller
	judge  *judge
	levels []int
	path   []int32
	stack  []int32
}

func (s *search) newWalker() *walker {
	return &walker{search: s, roller: s.f.newRoller(), judge: s.f.newJudge(s.goals), levels: make([]int, len(s.f.axes))}
}

// from looks at a node that may be better than the best one found, and those on a path up from it: at the highest
// first, since that is refused where all are, then by halving where refusal ends.
func (w *walker) from(node int32) {
	if !w.promising(node) {
		return
	}
	w.path = append(w.path[:0], node)
	for next := w.above(node); next >= 0; next = w.above(next) {
		w.path = append(w.path, next)
	}
	lo, hi := 0, len(w.path)-1 // the lowest node that k is met at, if any, is path[lo..hi+1]
	for at := hi; lo <= hi; at = (lo + hi) / 2 {
		if w.evaluate(w.path[at]) {
			hi = at - 1
		} else {
			lo = at + 1
		}
	}
}

func (w *walker) promising(node int32) bool {
	return w.lat.bound[node] <= w.best.Load() && w.known[node].Load() == 0
}

// above returns the promising node of the least bound among those one level higher; -1 for none.
func (w *walker) above(node int32) int32 {
	up := int32(-1)
	for j, stride := range w.lat.stride {
		if w.lat.level(node, j) < w.lat.heights[j] {
			if n := node + stride; w.promising(n) && (up < 0 || w.lat.bound[n] < w.lat.bound[up]) {
				up = n
			}
		}
	}
	return up
}

// evaluate looks at a node and reports whether it is not refused.
func (w *walker) evaluate(node int32) bool {
	if known := w.known[node].Load(); known != 0 {
		return known&refused == 0
	}
	levels := w.lat.levels(node, w.levels)
	from := w.nearest(levels)
	c := w.roller.roll(levels, from)
	if w.judge.forSize(c) > w.most {
		w.refuse(node)
		if len(w.f.secrets) == 0 {
			w.store(levels, from, c)
		}
		return false
	}
	w.roller.join(from)
	w.store(levels, from, c)
	if w.judge.scarce(c) > w.most {
		w.refuse(node)
		return false
	}
	w.known[node].Or(evaluated)
	if lost := w.judge.goal(c, w.most); lost <= w.most {
		w.offer(result{node: node, lost: lost, loss: w.lat.bound[node] + w.judge.loss(levels, c), classes: w.judge.kept(c)})
	}
	return true
}

// kept returns how many classes are not suppressed altogether.
func (j *judge) kept(c *classes) int {
	n := 0
	for class, size := range c.count {
		if j.out[class] < size && c.rep[class] != j.f.void {
			n++
		}
	}
	return n
}

// summary is what the plan says of the best nodes, of which the first is taken.
func (s *search) summary(best []result) Found {
	cells := float64(max(1, s.f.rows*len(s.f.axes)))
	loss := func(r result) float64 { return float64(r.loss) / unit / cells }
	first := best[0]
	out := Found{Records: s.f.rows, Classes: first.classes, Suppressed: first.lost, Loss: loss(first)}
	for _, r := range best {
		node := Node{Levels: make([]int, len(s.f.axes)), Suppressed: r.lost, Loss: loss(r)}
		for k := range node.Levels {
			node.Levels[k] = s.level(r.node, k)
		}
		out.Best = append(out.Best, node)
	}
	return out
}

func (s *search) offer(r result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, twice := slices.BinarySearchFunc(s.found, r,
		func(a, b result) int { return cmp.Or(cmp.Compare(a.loss, b.loss), cmp.Compare(a.node, b.node)) })
	if twice { // two cores looked at it
		return
	}
	if s.found = slices.Insert(s.found, at, r); len(s.found) >= listed {
		s.found = s.found[:listed]
		s.best.Store(s.found[listed-1].loss)
	}
}

// refuse marks a node and all below it.
func (w *walker) refuse(node int32) {
	w.known[node].Or(refused)
	w.stack = append(w.stack[:0], node)
	for len(w.stack) > 0 {
		node, w.stack = w.stack[len(w.stack)-1], w.stack[:len(w.stack)-1]
		for j, stride := range w.lat.stride {
			if w.lat.level(node, j) > 0 && w.known[node-stride].Or(refused)&refused == 0 {
				w.stack = append(w.stack, node-stride)
			}
		}
	}
}

// snapshot is the classes of a node, kept to make those of higher nodes of.
type snapshot struct {
	levels  []int
	classes *classes
}

// snapshots is how many are kept.
const snapshots = 200

// nearest returns the fewest classes of any snapshot that is nowhere above the levels.
func (s *search) nearest(levels []int) *classes {
	var best *classes
	for _, k := range *s.stored.Load() {
		if (best == nil || len(k.classes.rep) < len(best.rep)) && !higher(k.levels, levels) {
			best = k.classes
		}
	}
	return best
}

// higher reports whether a is above b anywhere.
func higher(a, b []int) bool {
	for j, l := range a {
		if l > b[j] {
			return true
		}
	}
	return false
}

// store keeps classes that are much fewer than those they are made of.
func (s *search) store(levels []int, from, c *classes) {
	if 3*len(c.rep) > len(from.rep) || len(c.rep) < 16 {
		return
	}
	s.storing.Lock()
	defer s.storing.Unlock()
	if old := *s.stored.Load(); len(old) < snapshots {
		kept := c.clone()
		next := append(slices.Clone(old), snapshot{slices.Clone(levels), &kept})
		s.stored.Store(&next)
	}
}
