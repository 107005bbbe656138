package itemset

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	firstChunk = 1 << 9  // numbers that a task hands over at first: many find little
	chunk      = 1 << 14 // and later, at a time
	early      = 64      // tasks that may be done before the one whose sets are visited
)

// spread divides a search into tasks and takes them on all cores: work returns what does a task, for a goroutine, which
// gets its tasks in ascending order. What they find is visited in their order, whatever the number of cores, on the
// goroutine of the caller; a task that is far ahead waits. Without visit it is counted.
func spread(ctx context.Context, q *Query, tasks int, work func(s *search) func(task int)) (Tally, error) {
	visit := q.Visit
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var next atomic.Int64
	found := make([]chan []int32, tasks)
	for k := range found {
		found[k] = make(chan []int32, 2)
	}
	// A worker waits for room before it takes a task, so that the first task not visited is always one that is worked on.
	room := make(chan struct{}, early)
	workers := make([]*search, max(1, min(runtime.GOMAXPROCS(0), tasks)))
	var group sync.WaitGroup
	for w := range workers {
		s := &search{
			kind:  q.Kind,
			min:   max(1, q.Least),
			stop:  &stop,
			space: q.space,
			sink:  sink{stop: &stop, best: q.best.fresh()},
		}
		workers[w] = s
		group.Go(func() {
			do := work(s)
			for {
				if visit != nil {
					room <- struct{}{}
				}
				k := int(next.Add(1)) - 1
				if k >= tasks {
					if visit != nil {
						<-room
					}
					return
				}
				if visit != nil {
					s.sink.begin(found[k])
				}
				if !stop.Load() {
					do(k)
				}
				s.sink.end()
			}
		})
	}
	if visit != nil {
		deliver(found, room, visit, &stop)
	}
	group.Wait()
	total := Tally(0)
	for _, s := range workers {
		total = total.plus(s.sink.tally)
		q.best.join(s.sink.best)
	}
	return total, ctx.Err()
}

// deliver visits what tasks found, in their order, until visit returns false.
func deliver(found []chan []int32, room chan struct{}, visit Visit, stop *atomic.Bool) {
	for _, c := range found {
		for sets := range c {
			for len(sets) > 0 && !stop.Load() {
				n := sets[0]
				if !visit(sets[2:2+n], int(sets[1])) {
					stop.Store(true)
				}
				sets = sets[2+n:]
			}
		}
		<-room
	}
}
