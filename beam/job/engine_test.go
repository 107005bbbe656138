//go:build faults

package job

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// engine gives the elements of stages to workers, which are processes of this program.
type engine struct {
	free                   chan *worker
	mu                     sync.Mutex
	busy                   map[*worker]bool
	all                    sync.WaitGroup // workers that have not ended
	reasons                sync.Map       // with which jobs failed
	killed, stopped, twice atomic.Int64
}

// worker is a process that does errands.
type worker struct {
	c    *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	dead chan bool // closed when it is taken for dead
	once sync.Once
}

func newEngine(t *testing.T, workers int) *engine {
	t.Helper()
	e := &engine{free: make(chan *worker, workers), busy: map[*worker]bool{}}
	for range workers {
		if err := e.start(); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// start starts a worker.
func (e *engine) start() error {
	w := &worker{c: exec.Command(os.Args[0]), dead: make(chan bool)}
	w.c.Env, w.c.Stderr = append(os.Environ(), "DITHER_FAULTS_WORKER=yes", "GOMAXPROCS=1"), os.Stderr
	in, err := w.c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := w.c.StdoutPipe()
	if err != nil {
		return err
	}
	w.in, w.out = in, bufio.NewScanner(out)
	if err := w.c.Start(); err != nil {
		return err
	}
	e.free <- w
	return nil
}

// lost takes a worker for dead.
func (w *worker) lost() { w.once.Do(func() { close(w.dead) }) }

// give gives an errand to the next free worker. The error is that of the engine; that of the errand is in what was
// done. A worker that is lost is replaced; one that is taken for dead, and is not, goes on with its errand.
func (e *engine) give(o errand) (done, error) {
	w := <-e.free
	e.mu.Lock()
	e.busy[w] = true
	e.mu.Unlock()
	answered, silent := make(chan done, 1), make(chan bool)
	go func() {
		defer close(silent)
		var d done
		text, _ := json.Marshal(o)
		_, err := w.in.Write(append(text, '\n'))
		if err == nil && w.out.Scan() && json.Unmarshal(w.out.Bytes(), &d) == nil {
			answered <- d
		}
	}()
	select {
	case <-silent:
	case <-w.dead:
	}
	e.mu.Lock()
	delete(e.busy, w)
	e.mu.Unlock()
	select {
	case <-w.dead:
	default:
		select {
		case d := <-answered:
			e.free <- w
			return d, nil
		default:
		}
	}
	e.all.Go(func() {
		<-silent
		_ = errors.Join(w.in.Close(), w.c.Wait())
	})
	return done{}, cmp.Or(e.start(), errLost)
}

// errLost is the end of a worker.
var errLost = errors.New("the worker is lost")

// attempts is how often an element is tried that ends with an error; one whose worker is lost is always tried again.
const attempts = 4

// element has an element done.
func (e *engine) element(o errand) (done, error) {
	for failed := 0; ; {
		d, err := e.give(o)
		switch {
		case err == errLost:
			continue
		case err != nil:
			return d, err
		case d.Err == "":
			return d, nil
		}
		if failed++; failed == attempts {
			return d, errors.New(d.Err)
		}
	}
}

// run runs a job as dither-beam does: stage after stage, the elements of each at once.
func (e *engine) run(ctx context.Context, q *Job, output string) (r *Result, err error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	folder, err := Begin(q, output)
	if folder != "" {
		defer func() {
			if ended := End(folder); ended != nil {
				e.reasons.Store(ended.Error(), true) // it is told, and the release stays
			}
		}()
	}
	if err != nil {
		return nil, err
	}
	columns := 0
	for k, s := range stagesOf(ctx, q, folder) {
		n := s.n()
		if s.name == "hash" {
			n = columns
		}
		d, err := e.stage(errand{Folder: folder, Method: q.Method, Plan: q.Plan, Shards: len(q.Shards), Stage: k}, n)
		if err != nil {
			return nil, cmp.Or(Failure(folder), err)
		}
		if s.name == "merge" {
			columns = d.Columns
		}
	}
	if r, err = Outcome(folder); err != nil {
		return nil, err
	}
	return r, Place(folder, output)
}

// stage has all elements of a stage done, some of them twice, and returns what came of one.
func (e *engine) stage(o errand, n int) (d done, err error) {
	var elements sync.WaitGroup
	var mu sync.Mutex
	for k := range n {
		o := o
		o.Element = k
		for again := range 1 + rand.IntN(5)/4 {
			e.twice.Add(int64(again))
			elements.Go(func() {
				one, wrong := e.element(o)
				mu.Lock()
				defer mu.Unlock()
				if wrong != nil {
					err = cmp.Or(err, fmt.Errorf("element %d: %w", k, wrong))
				} else {
					d = one
				}
			})
		}
	}
	elements.Wait()
	return d, err
}

// trouble kills one worker after the other that is at work, or stops it for a while and takes it for dead.
func (e *engine) trouble(end time.Time) {
	for time.Now().Before(end) {
		time.Sleep(rand.N(600 * time.Millisecond))
		e.mu.Lock()
		for w := range e.busy { // in random order
			if rand.IntN(2) == 0 {
				e.killed.Add(1)
				_ = w.c.Process.Kill()
				w.lost()
				break
			}
			e.stopped.Add(1)
			_ = w.c.Process.Signal(syscall.SIGSTOP)
			w.lost()
			time.AfterFunc(rand.N(4*time.Second), func() { _ = w.c.Process.Signal(syscall.SIGCONT) })
			break
		}
		e.mu.Unlock()
	}
}

// stop ends all workers, when those that were taken for dead have done their last errand.
func (e *engine) stop() {
	for range cap(e.free) {
		w := <-e.free
		_ = w.in.Close()
		_ = w.c.Wait()
	}
	e.all.Wait()
}

// named reports whether an error named what is left behind.
func (e *engine) named(left string) (found bool) {
	e.reasons.Range(func(reason, _ any) bool {
		_, rest, _ := strings.Cut(left, ".working-")
		token, _, _ := strings.Cut(rest, "/")
		found = strings.Contains(reason.(string), ".working-"+token)
		return !found
	})
	return found
}
