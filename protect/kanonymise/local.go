package kanonymise

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/kanonymise/internal/rounds"
	"github.com/dither-data/dither/table"
)

const (
	leastTaken = 0.05 // share of the records at hand that a round takes at least, if it can
	mostRounds = 100
)

// localise searches the lattice again and again, each time for the records that were in no class which meets the goals:
// the classes of the best node that do are done, at its levels, and the others go into the next round. Every round may
// leave as many records as it likes, for they are not lost yet; what is suppressed in the end is decided once all are
// generalised, as for whole columns.
func (q *Technique) localise(ctx context.Context, p *Plan, t *table.Table) error {
	if q.T < 1 {
		return fmt.Errorf("parameter %q: classes of rounds are not held to %q; expected 1, or local=false", "local", "t")
	}
	l := &localiser{Technique: q, p: p, t: t, cost: make([]int64, t.Rows())}
	var err error
	if l.hs, err = q.hierarchiesFor(p, t); err != nil {
		return err
	}
	if l.pins, err = q.localPins(p, t, l.hs); err != nil {
		return err
	}
	if l.weights, err = q.weights(p, t); err != nil {
		return err
	}
	l.local = &rounds.Recoding{Hierarchies: l.hs}
	rows := make([]int, t.Rows())
	for i := range rows {
		rows[i] = i
	}
	for len(rows) > 0 && len(l.local.Rounds) < mostRounds {
		left, err := l.round(ctx, rows)
		if err != nil {
			return err
		}
		if len(left) == len(rows) {
			break
		}
		rows = left
	}
	return l.finish(ctx)
}

// localiser is a local recoding that is being made.
type localiser struct {
	*Technique
	p       *Plan
	t       *table.Table
	hs      []*hierarchy.Hierarchy
	pins    []int
	weights []float64
	local   *rounds.Recoding
	cost    []int64 // by record: the loss of its cells
	full    []int64 // by quasi-identifier: that of a cell of which nothing is left
}

// round generalises those of some records that are in classes which meet the goals at the best levels, and returns the
// others. It adds no round where there are none.
func (l *localiser) round(ctx context.Context, rows []int) (left []int, err error) {
	some := l.t
	if len(rows) < l.t.Rows() {
		some = l.t.Gather(rows)
	}
	f, err := l.p.frame(ctx, some, l.hs, l.pins, l.Loss)
	if err != nil {
		return nil, err
	}
	f.weigh(l.weights)
	s, err := newSearch(f, l.Goals, int(float64(len(rows))*(1-leastTaken)))
	if err != nil {
		return nil, err
	}
	best, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	first := len(l.local.Rounds) == 0
	if first {
		for _, a := range f.axes {
			l.full = append(l.full, a.full)
		}
	}
	if len(best) == 0 {
		if first {
			return nil, l.unmet(s, l.p, l.t)
		}
		return rows, nil
	}
	if first {
		l.p.solution = s.solution(l.p, l.t, best, l.weights)
	}
	return l.take(s, best[0].node, some, rows)
}

// take adds a round of the classes that meet the goals at a node, and returns the records that are in none.
func (l *localiser) take(s *search, node int32, some *table.Table, rows []int) (left []int, err error) {
	w := s.newWalker()
	levels := w.lat.levels(node, w.levels)
	records := s.f.records()
	w.roller.roll(levels, &records)
	c := w.roller.join(&records)
	if len(s.f.sets) > 0 {
		w.judge.settle(c, w.judge.looks())
	} else {
		w.judge.below(c, func(class int) bool {
			return int(c.count[class]) >= l.K && w.judge.diverse(&w.judge.goals, c, class)
		})
	}
	round := rounds.Round{Levels: make([]int, len(levels))}
	groups := make([][]int32, len(levels))
	for k := range levels {
		round.Levels[k] = s.level(node, k)
		column := some.Column(l.p.Quasi[k])
		if groups[k], err = l.hs[k].Groups(&column, round.Levels[k]); err != nil {
			return nil, err
		}
	}
	classes := 0
	for class, out := range w.judge.out {
		if out > 0 || c.rep[class] == s.f.void {
			continue
		}
		classes++
		for k := range groups {
			round.Takes = append(round.Takes, groups[k][c.rep[class]]+1)
		}
	}
	if classes == 0 {
		return rows, nil
	}
	for i, class := range w.roller.of {
		l.cost[rows[i]] = 0
		for k, code := range s.f.row(int32(i)) {
			l.cost[rows[i]] += s.f.axes[k].cost[levels[k]][code]
		}
		if w.judge.out[class] > 0 || c.rep[class] == s.f.void {
			left = append(left, rows[i])
		}
	}
	l.local.Rounds = append(l.local.Rounds, round)
	l.p.solution.Rounds = append(l.p.solution.Rounds, protect.SolutionRound{Levels: slices.Clone(round.Levels),
		Records: len(rows) - len(left), Classes: classes})
	return left, nil
}

// finish makes the release once, for what becomes of the records.
func (l *localiser) finish(ctx context.Context) error {
	if len(l.local.Rounds) == 0 { // a table without records
		l.local.Rounds = []rounds.Round{{Levels: l.lowest()}}
	}
	l.p.Local = l.local
	out, found, err := l.p.release(ctx, l.t)
	if err != nil {
		return err
	}
	if found.Suppressed > l.most(l.t) {
		return l.beyond(found.Suppressed, l.p, l.t, "local recoding")
	}
	sum := int64(0)
	for i, own := range l.cost {
		lost := int64(0)
		for k, j := range l.p.Quasi {
			switch {
			case l.t.MissingAt(i, j):
			case !out.MissingAt(i, j):
				lost = -1
			case lost >= 0:
				lost += l.full[k]
			}
		}
		if lost < 0 {
			lost = own
		}
		sum += lost
	}
	found.Loss = float64(sum) / unit / float64(max(1, l.t.Rows()*len(l.p.Quasi)))
	l.p.Found = found
	return l.p.Check()
}

// lowest returns the lowest levels.
func (l *localiser) lowest() []int {
	out := make([]int, len(l.hs))
	for k, h := range l.hs {
		if out[k] = h.Lowest(); l.pins[k] >= 0 {
			out[k] = l.pins[k]
		}
	}
	return out
}

// localPins is pins where records have levels of their own: a number that is cut into intervals cannot stay exact in
// some and be an interval in others.
func (q *Technique) localPins(p *Plan, t *table.Table, hs []*hierarchy.Hierarchy) ([]int, error) {
	pins, err := q.pins(p, t, hs)
	if err != nil {
		return nil, err
	}
	for k, h := range hs {
		switch {
		case h.Lowest() == 0:
		case pins[k] == free:
			pins[k] = coarse
		case pins[k] == 0:
			return nil, fmt.Errorf("parameter %q: with local=true numbers of column %q become intervals; expected a level "+
				"from 1", "levels", t.Attr(p.Quasi[k]).Name)
		}
	}
	return pins, nil
}
