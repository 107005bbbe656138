package main

import (
	"sync"
	"time"

	"github.com/dither-data/dither/report"
)

// beats is when the lines of a log are due. It lasts as long as the program, so that many short pieces of work are told
// of too.
type beats struct {
	sync.Mutex
	every time.Duration // between lines; 0 takes a minute
	next  time.Time     // zero before the first piece of work
}

// due returns when the next line is.
func (b *beats) due() time.Time {
	b.Lock()
	defer b.Unlock()
	if b.every == 0 {
		b.every = time.Minute
	}
	if b.next.IsZero() {
		b.next = time.Now().Add(b.every)
	}
	return b.next
}

// take reports whether a line is due now, and if so sets when the next one is.
func (b *beats) take() bool {
	b.Lock()
	defer b.Unlock()
	if time.Now().Before(b.next) {
		return false
	}
	b.next = time.Now().Add(b.every)
	return true
}

// heartbeat says in a log, where there is no terminal to draw on, how far one piece of work is: a line a minute, the
// first after a minute, so that what is short says nothing.
type heartbeat struct {
	a           *app
	what        string
	mu          sync.Mutex
	done, total int64
	stop, ended chan struct{}
}

func (a *app) heartbeat(what string) *heartbeat {
	h := &heartbeat{a: a, what: report.Printable(what), stop: make(chan struct{}), ended: make(chan struct{})}
	a.beats.due()
	go h.beat()
	return h
}

// Done reports how much of a total is done.
func (h *heartbeat) Done(done, total int64) {
	h.mu.Lock()
	h.done, h.total = done, total
	h.mu.Unlock()
}

// End waits for a line that is being written.
func (h *heartbeat) End() {
	close(h.stop)
	<-h.ended
}

func (h *heartbeat) beat() {
	defer close(h.ended)
	for {
		wait := time.NewTimer(time.Until(h.a.beats.due()))
		select {
		case <-h.stop:
			wait.Stop()
			return
		case <-wait.C:
		}
		if h.a.beats.take() {
			h.say()
		}
	}
}

func (h *heartbeat) say() {
	if h.a.silent {
		return
	}
	h.mu.Lock()
	done, total := h.done, h.total
	h.mu.Unlock()
	if total > 0 {
		say(h.a.err, "%s: %d %%", h.what, 100*done/total)
	} else {
		say(h.a.err, "%s", h.what)
	}
}
