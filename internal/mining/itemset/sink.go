package itemset

import (
	"slices"
	"sync/atomic"
)

// sink takes what a search finds, task by task: it counts, or hands the sets over in chunks, each as its length, its
// count and its items.
type sink struct {
	out   chan<- []int32 // nil to count only
	best  *best          // when it counts only: nil for no sets
	stop  *atomic.Bool
	sets  []int32
	room  int // numbers of the next chunk
	set   []int32
	tally Tally
}

// begin is before a task.
func (o *sink) begin(out chan<- []int32) { o.out, o.room = out, firstChunk }

// end is after a task.
func (o *sink) end() {
	if o.out == nil {
		return
	}
	if len(o.sets) > 0 {
		o.out <- o.sets
		o.sets = nil
	}
	close(o.out)
}

// found takes the itemset of chosen, and with it every one that has some of the free items besides, which all are in
// the same transactions.
func (o *sink) found(chosen, free []int32, count int) {
	if o.out != nil {
		o.set = append(o.set[:0], chosen...)
		o.with(free, count)
		return
	}
	sets := Tally(1).doubled(len(free))
	if len(chosen) == 0 && sets != Endless {
		sets--
	}
	o.tally = o.tally.plus(sets)
	o.offer(chosen, free, count)
}

// offer keeps those of them that are among the commonest, and counts none.
func (o *sink) offer(chosen, free []int32, count int) {
	if o.best.wants(max(1, len(chosen)), count) {
		o.set = append(o.set[:0], chosen...)
		o.keep(free, count)
	}
}

// keep takes the set at hand with every choice of the free items, as far as these can be among the commonest.
func (o *sink) keep(free []int32, count int) {
	n := len(o.set)
	switch {
	case o.stop.Load() || !o.best.wants(max(1, n), count):
	case len(free) > 0:
		o.keep(free[1:], count)
		o.set = append(o.set, free[0])
		o.keep(free[1:], count)
		o.set = o.set[:n]
	case n > 0:
		o.best.take(o.set, count)
	}
}

// with hands over the set at hand with every choice of the free items.
func (o *sink) with(free []int32, count int) {
	n := len(o.set)
	switch {
	case o.stop.Load():
	case len(free) > 0:
		o.with(free[1:], count)
		o.set = append(o.set, free[0])
		o.with(free[1:], count)
		o.set = o.set[:n]
	case n > 0:
		o.tally = o.tally.plus(1)
		if len(o.sets)+n+2 > cap(o.sets) {
			if len(o.sets) > 0 {
				o.out <- o.sets
			}
			o.sets = make([]int32, 0, max(o.room, n+2))
			o.room = min(2*o.room, chunk)
		}
		o.sets = append(append(o.sets, int32(n), int32(count)), o.set...)
		slices.Sort(o.sets[len(o.sets)-n:])
	}
}
