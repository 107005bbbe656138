package rulehiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
)

// choice says how many transactions go each way, by the number of the way among those of all classes.
type choice struct {
	taken       []int
	lost, cells int
}

// search is branch and bound: class by class and way by way, how many transactions go it.
type search struct {
	ctx    context.Context
	p      *problem
	cost   price
	best   *choice // the best known solution
	least  int64   // what it costs
	nodes  int     // left
	full   bool    // all was tried that could be better
	steps  []step
	taken  []int
	need   []int // transactions that still must lose a set
	avail  []int // transactions that have a set, of classes that are not decided
	unmet  int
	hits   []int
	lost   int
	cells  int
	value  int64   // the bound of what is decided so far, in units
	rebate []int64 // by pattern: what a lost one costs more than its toll, in units
}

// step is a class with its ways by their cost in the relaxation.
type step struct {
	class *class
	ways  []int   // of the class
	cost  []int64 // by place in ways, in units; one more at the end, of staying as it is
}

// branch looks for a cheaper solution than the best known until none is left or the nodes are used up. Classes whose
// way is clearest in the relaxation come first, so that the doubtful ones are tried in many ways.
func branch(ctx context.Context, u *dual, best *choice, nodes int) *search {
	p := u.p
	s := &search{
		ctx:    ctx,
		p:      p,
		cost:   u.cost,
		best:   best,
		least:  u.cost.of(best.lost, best.cells),
		nodes:  nodes,
		full:   true,
		taken:  make([]int, p.ways),
		need:   slices.Clone(p.need),
		avail:  slices.Clone(p.has),
		unmet:  len(p.need),
		hits:   make([]int, len(p.slack)),
		value:  u.value,
		rebate: make([]int64, len(p.slack)),
	}
	for z, n := range p.over {
		s.rebate[z] = u.cost.lost*unit - u.toll[z]*int64(n)
	}
	for k := range p.classes {
		c := &p.classes[k]
		if c.cut {
			s.full = false
			least, _ := u.least(c)
			s.value -= least * int64(len(c.rows)) // only the ways that are listed are tried
		}
		t := step{class: c}
		cost := make([]int64, len(c.ways))
		for w := range c.ways {
			t.ways, cost[w] = append(t.ways, w), u.of(&c.ways[w])
		}
		slices.SortStableFunc(t.ways, func(a, b int) int { return cmp.Compare(cost[a], cost[b]) })
		for _, w := range t.ways {
			t.cost = append(t.cost, min(0, cost[w]))
			if len(t.cost) == 1 && c.cut {
				s.value += t.cost[0] * int64(len(c.rows))
			}
		}
		t.cost = append(t.cost, 0)
		s.steps = append(s.steps, t)
	}
	sorting.Stable(s.steps, func(a, b step) int { return cmp.Compare(a.cost[0], b.cost[0]) })
	if s.hopeful() && len(s.steps) > 0 {
		s.visit(0, 0, len(s.steps[0].class.rows), u)
	}
	return s
}

// hopeful reports whether what is not decided may still make a better solution.
func (s *search) hopeful() bool {
	return s.value <= (s.least-1)*unit && s.cost.of(s.lost, s.cells) < s.least
}

// visit decides how many of the rest of a class go its k-th way, and all that comes after it.
func (s *search) visit(at, k, rest int, u *dual) {
	if s.unmet == 0 {
		if cost := s.cost.of(s.lost, s.cells); cost < s.least {
			s.best, s.least = &choice{slices.Clone(s.taken), s.lost, s.cells}, cost
		}
		return
	}
	if at == len(s.steps) {
		return
	}
	t := &s.steps[at]
	if k == len(t.ways) || rest == 0 {
		s.leave(t.class, rest)
		if at+1 < len(s.steps) && s.enough(t.class) {
			s.visit(at+1, 0, len(s.steps[at+1].class.rows), u)
		}
		s.leave(t.class, -rest)
		return
	}
	w := &t.class.ways[t.ways[k]]
	most := 0
	for _, j := range w.breaks {
		most = max(most, s.need[j])
	}
	most = min(most, rest)
	own := u.of(w)
	for try := range most + 1 {
		n := try
		if own <= 0 { // what the relaxation takes is tried first
			n = most - try
		}
		if s.nodes--; s.nodes < 0 || s.nodes%4096 == 0 && s.ctx.Err() != nil {
			s.nodes, s.full = -1, false
			return
		}
		before := s.value
		s.value += own*int64(n) + t.cost[k+1]*int64(rest-n) - t.cost[k]*int64(rest)
		s.take(t.class, w, n)
		s.taken[t.class.from+t.ways[k]] += n
		if s.hopeful() && s.enough(t.class) {
			s.visit(at, k+1, rest-n, u)
		}
		s.taken[t.class.from+t.ways[k]] -= n
		s.take(t.class, w, -n)
		s.value = before
		if s.nodes < 0 {
			return
		}
	}
}

// leave decides that so many transactions of a class stay as they are.
func (s *search) leave(c *class, n int) {
	for _, j := range c.has {
		s.avail[j] -= n
	}
}

// enough reports whether the sets of a class can still be hidden.
func (s *search) enough(c *class) bool {
	for _, j := range c.has {
		if s.need[j] > s.avail[j] {
			return false
		}
	}
	return true
}

// take lets so many transactions of a class go a way, or come back where n is negative.
func (s *search) take(c *class, w *way, n int) {
	s.leave(c, n)
	for _, j := range w.breaks {
		before := s.need[j]
		s.need[j] -= n
		if before > 0 && s.need[j] <= 0 {
			s.unmet--
		} else if before <= 0 && s.need[j] > 0 {
			s.unmet++
		}
	}
	for _, z := range w.hits {
		before := s.hits[z] > s.p.slack[z]
		s.hits[z] += n
		if now := s.hits[z] > s.p.slack[z]; now && !before {
			s.lost++
			s.value += s.rebate[z]
		} else if before && !now {
			s.lost--
			s.value -= s.rebate[z]
		}
	}
	s.cells += n * len(w.items)
}
