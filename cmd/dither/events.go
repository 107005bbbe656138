package main

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

// An event is a line of standard error for a program that calls this one (--events): a note, how far a piece of work
// is, a complaint, or the announcement that the document fills the rest.
type event struct {
	Event string `json:"event"`           // note, progress, error or document
	Says  string `json:"says,omitempty"`  // of a note and a complaint: the sentence; of progress: the piece of work
	Field string `json:"field,omitempty"` // of a note: what of the request would have it otherwise
	Done  int64  `json:"done,omitempty"`  // of progress
	Total int64  `json:"total,omitempty"` // of progress; absent when the work is over
	Code  int    `json:"code,omitempty"`  // of a complaint: the exit status
}

// tell writes an event.
func (a *app) tell(e event) {
	e.Says = report.Printable(e.Says)
	_ = json.NewEncoder(a.err).Encode(e) // a caller that has closed its end does not read on
}

// teller tells how far a piece of work is, at most so often that a caller is not kept busy by reading it.
type teller struct {
	a    *app
	what string
	mu   sync.Mutex
	last time.Time
}

// pause is the time between two events of a piece of work.
const pause = 100 * time.Millisecond

// Done reports how much of a total is done.
func (t *teller) Done(done, total int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); now.Sub(t.last) >= pause {
		t.last = now
		t.a.tell(event{Event: "progress", Says: t.what, Done: done, Total: total})
	}
}

// End tells that the work is over.
func (t *teller) End() { t.a.tell(event{Event: "progress", Says: t.what}) }

var _ desk.Progress = (*teller)(nil)
