package c45

import (
	"sync"
	"sync/atomic"
)

// places bounds the goroutines at work. Anyone who works holds a place; anyone who waits gives it back.
type places chan struct{}

func newPlaces(workers int) places {
	c := make(places, workers)
	c <- struct{}{} // the caller's place
	return c
}

// each calls f(0), ..., f(n-1), on as many goroutines as there are free places.
func (c places) each(n int, f func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			f(int(i))
		}
	}
	var helpers sync.WaitGroup
	hired := 0
hire:
	for hired < n-1 {
		select {
		case c <- struct{}{}:
			hired++
			helpers.Go(func() {
				work()
				<-c
			})
		default:
			break hire
		}
	}
	work()
	if hired > 0 {
		<-c
		helpers.Wait()
		c <- struct{}{}
	}
}
