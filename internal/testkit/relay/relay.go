// Package relay stands between programs on a network and makes trouble, for tests.
package relay

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Trouble is what a relay does to what the called program says on the first connection, from a byte on.
type Trouble int

// The troubles.
const (
	Nothing Trouble = iota
	Pauses          // before every part
	Loses           // one byte
	Changes         // one bit
	Cuts            // the connection, both ways
	Hushes          // says nothing any more, both ways
	Tells           // calls Told, which stops the program: what it said after this byte does not come any more
)

// Relay stands between a program that is called and those that call it.
type Relay struct {
	Target chan string // takes the address where the called program listens, once
	What   Trouble
	From   int64 // the byte of what it says
	Told   func()

	at      net.Listener
	said    atomic.Int64
	stopped atomic.Bool
	mu      sync.Mutex
	where   string
	held    sync.Mutex
	closers []io.Closer
}

// New returns a relay that answers calls until the test ends.
func New(t testing.TB) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{at: l, Target: make(chan string, 1)}
	r.keep(l)
	t.Cleanup(r.close)
	go func() {
		second := false
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			r.keep(in)
			out, err := net.Dial("tcp", r.target())
			if err != nil {
				_ = in.Close()
				continue
			}
			r.keep(out)
			var hushed atomic.Bool
			go r.copy(in, out, &hushed, false, false)
			go r.copy(out, in, &hushed, true, !second)
			second = true
		}
	}()
	return r
}

// target is where the called program listens. It waits until that is known.
func (r *Relay) target() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.where == "" {
		r.where = <-r.Target
	}
	return r.where
}

// Reset forgets where the called program listens: another one takes its place.
func (r *Relay) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.where = ""
}

// Addr is where the program is called.
func (r *Relay) Addr() string { return r.at.Addr().String() }

// Said is how many bytes the called program said on the first connection.
func (r *Relay) Said() int64 { return r.said.Load() }

func (r *Relay) keep(c io.Closer) {
	r.held.Lock()
	defer r.held.Unlock()
	r.closers = append(r.closers, c)
}

func (r *Relay) close() {
	r.held.Lock()
	defer r.held.Unlock()
	for _, c := range r.closers {
		_ = c.Close()
	}
}

// copy carries one direction; back is that of what the called program says, said the one of it that trouble is made on.
func (r *Relay) copy(from, to net.Conn, hushed *atomic.Bool, back, said bool) {
	b := make([]byte, 512)
	for {
		n, err := from.Read(b)
		part := b[:n]
		if said {
			end := r.said.Add(int64(n))
			if k := r.From - (end - int64(n)); k >= 0 && k < int64(n) {
				switch r.What {
				case Loses:
					part = append(append([]byte{}, part[:k]...), part[k+1:]...)
				case Changes:
					part[k] ^= 4
				case Cuts:
					_, _ = to.Write(part[:k])
					_, _ = to.Close(), from.Close()
					return
				case Hushes:
					hushed.Store(true)
				case Tells:
					r.stopped.Store(true)
					r.Told()
				case Nothing, Pauses:
				}
			}
		}
		if r.What == Pauses {
			time.Sleep(time.Millisecond)
		}
		if n > 0 && !hushed.Load() && !(back && r.stopped.Load()) {
			if _, err := to.Write(part); err != nil {
				_ = from.Close()
				return
			}
		}
		if err != nil {
			if half, ok := to.(*net.TCPConn); ok && !hushed.Load() {
				_ = half.CloseWrite()
			}
			return
		}
	}
}
