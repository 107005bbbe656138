package rulehiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
)

// Goal is what an optimum is of.
type Goal struct {
	Hide int // a sensitive set is hidden that fewer transactions have
	// a set of items that no sensitive one is in is a pattern where so many transactions have it, and lost where fewer do
	Keep  int
	Items int  // the most items of a pattern; 0 for any number
	Nodes int  // the work that branch and bound may do, of a place where it decides; 0 for none
	Cells bool // fewest deletions come first, and of equally many the fewest lost patterns; else the other way round
	all   bool // of equally good deletions from a transaction none is left out
}

// Optimum is the best release that deletes items and hides everything, as far as it is known, and what no such release
// does better.
type Optimum struct {
	Patterns int // that may stay: sets of items that reach Keep and have no sensitive one in them
	Lost     int // of them, by the best release known
	// no release loses fewer, whatever it deletes; among those of the fewest deletions where these come first
	LeastLost  int
	Cells      int // deletions of the best release known
	LeastCells int // no release that loses as few has fewer
	Nodes      int // places where branch and bound decided
	Sensitive  int // transactions with a sensitive set that is not hidden
	Deleted    []Cell
}

// Proved reports whether no release loses fewer patterns.
func (o *Optimum) Proved() bool { return o.Lost == o.LeastLost }

// Cell is an item of a transaction.
type Cell struct{ Row, Item int32 }

// Exact returns the deletions that hide all sensitive sets and lose the fewest patterns, and of such the fewest
// deletions. It is the inline formulation of Gkoulalas-Divanis & Verykios 2006 on all patterns instead of their border,
// so that its relaxation counts what is lost. Hiding falls into problems that have nothing to do with each other, and
// transactions that are equal in what counts are taken together; a problem is bounded by a relaxation and solved by
// branch and bound from the best of three heuristics and two of its own. What is not proved within the nodes keeps its
// bound. The work is counted, not timed, so equal transactions give equal results. Cost: that of BBA, MaxMin and
// MaxMin2, and the nodes, each of which costs the sets and tight patterns that a deletion meets.
func Exact(ctx context.Context, d *Data, patterns []basket.Pattern, g Goal) (*Optimum, error) {
	v, err := divide(ctx, d, patterns, g)
	if err != nil {
		return nil, err
	}
	starts, err := v.starts(ctx, patterns)
	if err != nil {
		return nil, err
	}
	o := &Optimum{Patterns: v.others}
	left := g.Nodes
	for k, p := range v.problems {
		own := left / (len(v.problems) - k)
		s, err := p.solve(ctx, g, starts, own)
		if err != nil {
			return nil, err
		}
		left -= s.nodes
		o.Nodes += s.nodes
		o.Lost, o.LeastLost = o.Lost+s.best.lost, o.LeastLost+s.leastLost
		o.LeastCells += s.leastCells
		for c := range p.classes {
			o.Sensitive += len(p.classes[c].rows)
		}
		o.Deleted = p.cells(s.best, o.Deleted)
	}
	v.tidy(o)
	return o, nil
}

// Delete makes the deletions.
func (o *Optimum) Delete(d *Data) {
	for _, c := range o.Deleted {
		d.delete(c.Row, c.Item)
	}
}

// starts returns the deletions of the heuristics, by transaction.
func (v *division) starts(ctx context.Context, patterns []basket.Pattern) (out []map[int32][]int32, err error) {
	if len(v.problems) == 0 {
		return nil, nil
	}
	for _, run := range []func(context.Context, *Data, []basket.Pattern, int) error{BBA, MaxMin2, MaxMin} {
		d := NewData(v.d.origin)
		if err := run(ctx, d, patterns, max(1, v.g.Hide)); err != nil {
			return nil, err
		}
		gone := map[int32][]int32{}
		for i := range d.rows {
			if was := d.origin.Row(i); len(d.rows[i]) < len(was) {
				for _, item := range was {
					if _, there := slices.BinarySearch(d.rows[i], item); !there {
						gone[int32(i)] = append(gone[int32(i)], item)
					}
				}
			}
		}
		out = append(out, gone)
	}
	return out, nil
}

// solved is the outcome of a problem.
type solved struct {
	best                  *choice
	leastLost, leastCells int
	nodes                 int
}

// solve solves a problem for one price after the other: that of what comes first alone, then that of both, where what
// comes first outweighs the other.
func (p *problem) solve(ctx context.Context, g Goal, starts []map[int32][]int32, nodes int) (*solved, error) {
	first := price{lost: 1}
	if g.Cells {
		first = price{cell: 1}
	}
	var best *choice
	for _, gone := range starts {
		best = first.better(p.like(gone), best)
	}
	s := &solved{}
	if !g.Cells { // a bound by itself is closer where many patterns are tight
		s.leastCells = int(newDual(p, price{cell: 1}, int64(best.cells)).bound())
	}
	for round := range 2 {
		cost := first
		if round == 1 {
			cost = price{int64(best.cells + 1), 1}
			if g.Cells {
				cost = price{1, int64(best.lost + 1)}
			}
		}
		known := cost.of(best.lost, best.cells)
		u := newDual(p, cost, known)
		for _, tolled := range []bool{true, false} {
			best = cost.better(p.greedy(u, tolled), best)
		}
		least := u.bound()
		if least < cost.of(best.lost, best.cells) {
			own := nodes - s.nodes
			if round == 0 {
				own = nodes / 2
			}
			b := branch(ctx, u, best, own)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s.nodes += own - max(0, b.nodes)
			if best = b.best; b.full {
				least = b.least
			}
		}
		s.learn(g, round, cost, min(least, cost.of(best.lost, best.cells)), best)
	}
	s.best = best
	return s, nil
}

// learn takes what a round proves: no solution costs less. Of the second round what comes first is taken off, which
// leaves the other.
func (s *solved) learn(g Goal, round int, cost price, least int64, best *choice) {
	if g.Cells {
		cost.lost = 0
	} else {
		cost.cell = 0
	}
	first, other := &s.leastLost, &s.leastCells
	if g.Cells {
		first, other = other, first
	}
	if round == 0 {
		*first = int(least)
	} else {
		*other = max(*other, int(least-cost.of(best.lost, best.cells)))
	}
}

// better returns the cheaper of two choices, of equal ones that of the smaller numbers; nil is none.
func (c price) better(a, b *choice) *choice {
	if b == nil ||
		cmp.Or(cmp.Compare(c.of(a.lost, a.cells), c.of(b.lost, b.cells)), cmp.Compare(a.lost+a.cells, b.lost+b.cells)) < 0 {
		return a
	}
	return b
}
