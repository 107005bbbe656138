package localsuppression

import (
	"container/heap"
	"context"
	"slices"
)

// asAnything suppresses where a missing value agrees with every value. Suppressing a cell never makes the records that
// agree with another fewer.
//
// The records that agree with one are counted without looking at pairs. A record that agrees with it lacks some of the
// keys that it shows, a set B, and shares the others. So the records that show, of these keys, exactly the same values
// but B are looked up for every B that occurs.
type asAnything struct {
	*records
	lacks  map[set]bool          // the sets of keys that records lack
	counts map[combination]int32 // records by what they show; nil where people have several
	// where people have several, by set of keys: whose the records are that show what of these
	crowds  map[set]map[combination]bag
	seen    map[int32]bool                     // people who are being counted
	tables  map[set]map[combination]int32      // by set of keys: records by what they show of these
	blanks  map[set][]combination              // by set of keys: what is shared by records that lack some of them
	fringe  []int32                            // records that were not hidden at the start
	near    map[[2]set]map[combination][]int32 // index of fringe, for restore
	lacking map[set][]int32                    // the fringe by the sets of keys that records lack when restore starts
}

func (w *asAnything) suppress(ctx context.Context, levels [][]option) error {
	w.start()
	for i := range w.state {
		if !w.hidden(int32(i)) {
			w.fringe = append(w.fringe, int32(i))
		}
	}
	pending := slices.Clone(w.fringe)
	var order []int32
	for _, level := range levels {
		if err := ctx.Err(); err != nil {
			return err
		}
		if pending = slices.DeleteFunc(pending, w.hidden); len(pending) == 0 {
			break
		}
		w.forget()
		order = append(order, w.level(ctx, pending, level)...)
	}
	w.forget()
	w.restore(ctx, order)
	return ctx.Err()
}

func (w *asAnything) start() {
	w.lacks, w.counts = map[set]bool{}, map[combination]int32{}
	w.tables, w.blanks = map[set]map[combination]int32{}, map[set][]combination{}
	if w.whose != nil {
		w.startOfPeople()
		return
	}
	for _, s := range w.state {
		w.counts[s]++
	}
	for s := range w.counts {
		w.lacks[w.all()&^w.shown(s)] = true
	}
}

// hidden reports whether records of k people agree with a record, itself among them.
func (w *asAnything) hidden(i int32) bool { return w.agreeing(w.state[i]) >= w.k }

// agreeing returns how many records agree with what is shown, or of how many people where they have several; no more
// than k are counted.
func (w *asAnything) agreeing(shows combination) int32 {
	if w.whose != nil {
		return w.agreeingPeople(shows)
	}
	keys := w.shown(shows)
	t, sum := w.table(keys), int32(0)
	for _, shared := range w.shared(keys) {
		if sum += t[shows.and(shared)]; sum >= w.k {
			break
		}
	}
	return sum
}

// table returns how many records show what of some keys.
func (w *asAnything) table(keys set) map[combination]int32 {
	if keys == w.all() {
		return w.counts
	}
	t := w.tables[keys]
	if t == nil {
		t = make(map[combination]int32)
		only := w.only(keys)
		for s, n := range w.counts {
			t[s.and(only)] += n
		}
		w.tables[keys] = t
	}
	return t
}

// shared returns the bits of what remains of some keys without those that records lack, for every set that is lacked.
func (w *asAnything) shared(keys set) []combination {
	if out, ok := w.blanks[keys]; ok {
		return out
	}
	seen := map[set]bool{}
	var out []combination
	for b := range w.lacks {
		if left := keys &^ b; !seen[left] {
			seen[left] = true
			out = append(out, w.only(left))
		}
	}
	w.blanks[keys] = out
	return out
}

// show makes a record show something else.
func (w *asAnything) show(i int32, shows combination, lost set) {
	was := w.state[i]
	w.state[i], w.lost[i] = shows, lost
	if w.whose != nil {
		w.move(w.whose[i], was, shows)
	} else {
		w.counts[was]--
		w.counts[shows]++
	}
	for keys, t := range w.tables {
		only := w.only(keys)
		if before, after := was.and(only), shows.and(only); before != after {
			t[before]--
			t[after]++
		}
	}
	if lacks := w.all() &^ w.shown(shows); !w.lacks[lacks] {
		w.lacks[lacks] = true
		clear(w.blanks)
	}
}

// level suppresses one record after the other by the sets of a level, until no group has a member that is not hidden or
// itself hides one. The record is one of the largest group, which it then hides. It returns the records. It stops where
// ctx is done.
func (w *asAnything) level(ctx context.Context, pending []int32, level []option) (order []int32) {
	var q queue
	for _, g := range w.groups(pending, level) {
		if ctx.Err() != nil {
			return order
		}
		if w.agreeing(g.shows) >= w.k {
			g.price = -float64(len(g.members))
			q = append(q, g)
		}
	}
	heap.Init(&q)
	for len(q) > 0 && ctx.Err() == nil {
		g := q[0]
		g.members = slices.DeleteFunc(g.members, w.hidden)
		switch n := len(g.members); {
		case n == 0:
			heap.Pop(&q)
			continue
		case -float64(n) == g.price:
			i := g.members[0]
			w.show(i, g.shows, g.set&w.shown(w.state[i]))
			order = append(order, i)
		default:
			g.price = -float64(n)
		}
		heap.Fix(&q, 0)
	}
	return order
}

// restore gives suppressed cells back that turn out not to be needed, the last suppressed record first: where it stays
// hidden and so do those it was counted for. Other records than the fringe's were hidden from the start. It stops where
// ctx is done.
func (w *asAnything) restore(ctx context.Context, order []int32) {
	w.near, w.lacking = map[[2]set]map[combination][]int32{}, map[set][]int32{}
	start := slices.Clone(w.state)
	for _, i := range w.fringe {
		lacks := w.all() &^ w.shown(start[i])
		w.lacking[lacks] = append(w.lacking[lacks], i)
	}
	for _, i := range slices.Backward(order) {
		if ctx.Err() != nil {
			return
		}
		for k := range w.fields {
			was, lost := w.state[i], w.lost[i]
			if lost>>k&1 == 0 {
				continue
			}
			shows := was.or(w.first[i].and(w.fields[k]))
			if w.agreeing(shows) < w.k {
				continue // so many agree with it before and after, itself among them
			}
			w.show(i, shows, lost&^(1<<k))
			if w.stranded(start, start[i]) {
				w.show(i, was, lost)
			}
		}
	}
}

// stranded reports whether a record of the fringe that agreed with what was shown at the start of restore is not
// hidden.
func (w *asAnything) stranded(start []combination, shown combination) bool {
	own := w.shown(shown)
	for lacks, members := range w.lacking {
		keys := own &^ lacks
		id := [2]set{lacks, keys}
		x := w.near[id]
		if x == nil {
			x = map[combination][]int32{}
			only := w.only(keys)
			for _, i := range members {
				s := start[i].and(only)
				x[s] = append(x[s], i)
			}
			w.near[id] = x
		}
		for _, i := range x[shown.and(w.only(keys))] {
			if !w.hidden(i) {
				return true
			}
		}
	}
	return false
}
