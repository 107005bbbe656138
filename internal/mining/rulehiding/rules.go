package rulehiding

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// Verykios et al. 2004 (Dasseni et al. 2001) hide rules: 1.a raises the support of the beginning, 1.b lowers that of
// the end, 2.a lowers that of the rule.

// Strategy is which rules are hidden how.
type Strategy int

// The strategies.
const (
	Raise     Strategy = iota // 1.a: add the beginning to transactions that lack a part of both sides
	LowerEnd                  // 1.b: delete an item of the end
	LowerRule                 // 2.a: delete an item of either side
)

// Rules hides rules one after the other, then all again until nothing changes: hiding one may show another. With
// fallback those that 1.a cannot hide for want of transactions are hidden by 1.b from then on. It returns whether it
// fell back. Cost: O(n log n) for each rule, and for each deletion the frequent itemsets with an item of the rule; that
// of mining the transactions once, but for 1.a.
func Rules(
	ctx context.Context,
	d *Data,
	patterns []basket.Pattern,
	l Limits,
	how Strategy,
	fallback bool,
) (fell bool, err error) {
	w := &rules{d: d, l: l, how: how, patterns: patterns}
	if how == Raise {
		w.watch()
	}
	for changed := true; changed; {
		changed = false
		for k, p := range patterns {
			before := d.edits
			if err := w.hide(ctx, k, p); err != nil {
				return fell, err
			}
			if w.stuck && fallback {
				fell, w.stuck, w.how = true, false, LowerEnd
				if err := w.hide(ctx, k, p); err != nil {
					return fell, err
				}
			}
			w.stuck = false
			changed = changed || d.edits > before
		}
	}
	return fell, nil
}

// rules is rules being hidden.
type rules struct {
	d        *Data
	l        Limits
	how      Strategy
	patterns []basket.Pattern
	sides    []sides // by pattern, while beginnings are raised
	impact   *impact // nil until it is needed
	stuck    bool    // the last rule is visible, and no transaction is left to hide it
}

// Hides reports whether a rule is hidden that both of n transactions have, and with of them its beginning.
func (l *Limits) Hides(both, with, n int) bool {
	return l.Support.Above(both, n) || with > 0 && l.Confidence.Above(both, with)
}

func (w *rules) hide(ctx context.Context, k int, p basket.Pattern) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.how == Raise {
		w.raise(p, &w.sides[k])
		return nil
	}
	z := p.Items()
	support := w.d.with(z)
	both, with, n := len(support), w.d.Count(p.If), w.d.Len()
	if w.l.Hides(both, with, n) {
		return nil
	}
	if err := w.measure(ctx); err != nil {
		return err
	}
	from := p.Then
	if w.how == LowerRule {
		from = z
	}
	w.d.shortest(support)
	for _, i := range support {
		if w.l.Hides(both, with, n) {
			break
		}
		item := w.impact.least(w.d, i, from)
		w.d.delete(i, item)
		both--
		if slices.Contains(p.If, item) {
			with--
		}
	}
	return nil
}

// measure mines what deletions may hurt.
func (w *rules) measure(ctx context.Context) (err error) {
	if w.impact == nil {
		w.impact, err = newImpact(ctx, w.d, w.patterns, w.l.Least)
	}
	return err
}

// sides is how much of both sides of a rule every transaction has.
type sides struct {
	begun, ended []uint16 // items
	with, both   int      // transactions with the whole beginning, and with the whole rule
	first, last  uint16   // items of the beginning and of the end
}

// of is what a transaction counts for in with and both.
func (s *sides) of(i int32) (with, both int) {
	if s.begun[i] == s.first {
		with = 1
		if s.ended[i] == s.last {
			both = 1
		}
	}
	return with, both
}

// watch counts both sides of all rules, and keeps the counts as items come and go: raising one rule changes others, so
// that all are looked at many times.
func (w *rules) watch() {
	type part struct {
		rule int
		end  bool
	}
	of := map[int32][]part{}
	w.sides = make([]sides, len(w.patterns))
	for k, p := range w.patterns {
		w.sides[k] = sides{
			begun: make([]uint16, w.d.Len()),
			ended: make([]uint16, w.d.Len()),
			first: uint16(len(p.If)),
			last:  uint16(len(p.Then)),
		}
		for _, v := range p.If {
			of[v] = append(of[v], part{k, false})
		}
		for _, v := range p.Then {
			of[v] = append(of[v], part{k, true})
		}
	}
	w.d.watch = func(i, item int32, change int8) {
		for _, p := range of[item] {
			s := &w.sides[p.rule]
			with, both := s.of(i)
			count := s.begun
			if p.end {
				count = s.ended
			}
			count[i] += uint16(change)
			after, all := s.of(i)
			s.with, s.both = s.with+after-with, s.both+all-both
		}
	}
	for v := range of {
		for _, i := range w.d.tids[v] {
			w.d.watch(i, v, 1)
		}
	}
}

// raise adds the beginning of a rule to transactions, those that have most of it first.
func (w *rules) raise(p basket.Pattern, s *sides) {
	for most := int(s.first) - 1; most >= 0; most-- {
		for i := range s.begun {
			if s.begun[i] != uint16(most) || s.ended[i] == s.last || !w.d.open(i) || !w.d.free(int32(i), p.If) {
				continue
			}
			if w.l.Hides(s.both, s.with, w.d.Len()) {
				return
			}
			for _, v := range p.If {
				w.d.add(int32(i), v)
			}
		}
	}
	w.stuck = !w.l.Hides(s.both, s.with, w.d.Len())
}

// impact is the frequent itemsets of the original that are not sensitive, by the sensitive items in them.
type impact struct {
	of     map[int32][][]int32
	marked []bool // by item, of the transaction that is looked at
}

// newImpact mines the original transactions. Sets that contain all items of a sensitive pattern are left out, and only
// those with a sensitive item are kept.
func newImpact(ctx context.Context, d *Data, patterns []basket.Pattern, least int) (*impact, error) {
	m := &impact{of: map[int32][][]int32{}, marked: make([]bool, len(d.count))}
	hidden := sets(patterns)
	for _, z := range hidden {
		for _, v := range z {
			m.of[v] = nil
		}
	}
	err := frequent(ctx, d.origin, least, hidden, most, func(items []int32, _ int) bool {
		var own []int32
		for _, v := range items {
			if list, ok := m.of[v]; ok {
				if own == nil {
					own = slices.Clone(items)
				}
				m.of[v] = append(list, own)
			}
		}
		return own != nil
	})
	return m, err
}

// TooMany is the error of the algorithms that weigh a deletion by what it loses, where more sets could be lost than
// they hold.
type TooMany struct{ Least int }

// Error tells what helps.
func (e *TooMany) Error() string {
	return fmt.Sprintf("too many itemsets are in at least %d records for this technique to weigh what it loses: raise "+
		"the support, or take one that loses patterns unseen, such as hide2b or swa", e.Least)
}

// room is how many sets are held, and how many are visited for them.
type room struct{ held, visited int }

// most holds some 200 MB of sets. They are looked at for every deletion, so that more would take hours before they
// filled the memory.
var most = room{1_000_000, 100_000_000}

// frequent visits the frequent itemsets that contain none of the hidden ones, in a fixed order; what visit holds is
// counted. It returns TooMany where there is no room.
func frequent(
	ctx context.Context,
	t *itemset.Transactions,
	least int,
	hidden [][]int32,
	left room,
	visit func(items []int32, support int) (held bool),
) error {
	_, err := itemset.LCM(ctx, t, itemset.Query{Least: least, Visit: func(items []int32, support int) bool {
		left.visited--
		if !slices.ContainsFunc(hidden, func(z []int32) bool { return itemset.Contains(items, z) }) && visit(items, support) {
			left.held--
		}
		return left.held >= 0 && left.visited >= 0
	}})
	if err == nil && (left.held < 0 || left.visited < 0) {
		return &TooMany{max(1, least)}
	}
	return err
}

// least returns the item whose deletion from a transaction takes the fewest of the sets from it, of equal ones the
// commonest, of these the lower.
func (m *impact) least(d *Data, i int32, items []int32) int32 {
	for _, v := range d.rows[i] {
		m.marked[v] = true
	}
	best, fewest := int32(-1), 0
	for _, v := range items {
		hurt := 0
		for _, set := range m.of[v] {
			inside := true
			for _, u := range set {
				if !m.marked[u] {
					inside = false
					break
				}
			}
			if inside {
				hurt++
			}
		}
		if best < 0 || hurt < fewest || hurt == fewest && d.count[v] > d.count[best] {
			best, fewest = v, hurt
		}
	}
	for _, v := range d.rows[i] {
		m.marked[v] = false
	}
	return best
}
