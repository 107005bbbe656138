package main

import (
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress shows how far a piece of work is, on a terminal's standard error only.
type progress struct {
	mu   sync.Mutex
	pool *mpb.Progress
	bar  *mpb.Bar
}

func (a *app) progress(what string) *progress {
	p := &progress{}
	if !terminal(a.err) {
		return p
	}
	p.pool = mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(40))
	p.bar = p.pool.AddBar(0, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(printable(what)+" ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Name("  "), decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), "")))
	return p
}

// bytes and steps report how much of a total is done; both may be called from any goroutine.
func (p *progress) bytes(done, total int64) {
	if p.bar == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.SetTotal(total, false)
	p.bar.SetCurrent(done)
}

func (p *progress) steps(done, total int) { p.bytes(int64(done), int64(total)) }

// finish removes the bar.
func (p *progress) finish() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.pool.Wait()
	p.bar = nil
}
