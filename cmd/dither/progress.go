package main

import (
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

// progress draws how far a piece of work is, which it names, on a terminal.
type progress struct {
	mu   sync.Mutex
	pool *mpb.Progress
	bar  *mpb.Bar
}

func (a *app) progress(what string) desk.Progress {
	if a.events {
		return &teller{a: a, what: what}
	}
	if !terminal(a.err) {
		return a.heartbeat(what)
	}
	p := &progress{}
	p.pool = mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(40))
	p.bar = p.pool.AddBar(0, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(report.Printable(what)+" ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Name("  "), decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), "")))
	return p
}

// Done reports how much of a total is done.
func (p *progress) Done(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.SetTotal(total, false)
	p.bar.SetCurrent(done)
}

// End removes the bar.
func (p *progress) End() {
	p.bar.Abort(true)
	p.pool.Wait()
}
