// Package relay stands between programs on a network and makes trouble, for tests.
package relay

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Trouble is what a relay does to what the called program says, from a byte of the first connection on, or from a
// record of TLS.
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
	Notes           // calls Told, and goes on
)

// Relay stands between a program that is called and those that call it.
type Relay struct {
	Target chan string // takes the address where the called program listens, once
	What   Trouble
	From   int64 // the byte of what it says
	Record int   // or the record of TLS, from 1, of any connection that it begins with; 0: From counts
	Told   func()

	at      net.Listener
	said    atomic.Int64
	records int
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
	select {
	case <-r.Target: // of one that nobody called
	default:
	}
}

// Addr is where the program is called.
func (r *Relay) Addr() string { return r.at.Addr().String() }

// Said is how many bytes the called program said on the first connection.
func (r *Relay) Said() int64 { return r.said.Load() }

// Records is how many records of TLS the called program said, on all connections.
func (r *Relay) Records() int {
	r.held.Lock()
	defer r.held.Unlock()
	return r.records
}

// records are those of TLS in one direction: a head of five bytes, of which the last two are the length of the rest.
type records struct {
	head []byte
	left int // bytes of the rest
}

// begin calls back with every place in the next bytes at which a record begins.
func (r *records) begin(b []byte, at func(i int)) {
	for i := 0; i < len(b); {
		if r.left > 0 {
			rest := min(r.left, len(b)-i)
			r.left, i = r.left-rest, i+rest
			continue
		}
		if len(r.head) == 0 {
			at(i)
		}
		if r.head = append(r.head, b[i]); len(r.head) == 5 {
			r.left, r.head = int(binary.BigEndian.Uint16(r.head[3:])), r.head[:0]
		}
		i++
	}
}

// due returns where the trouble begins in the next bytes that the called program says on a connection; -1 where it does
// not.
func (r *Relay) due(b []byte, c *records, first bool) int {
	r.held.Lock()
	defer r.held.Unlock()
	at := -1
	c.begin(b, func(i int) {
		if r.records++; r.records == r.Record {
			at = i
		}
	})
	if first {
		before := r.said.Add(int64(len(b))) - int64(len(b))
		if k := r.From - before; r.Record == 0 && k >= 0 && k < int64(len(b)) {
			at = int(k)
		}
	}
	return at
}

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

// copy carries one direction; back is that of what the called program says, first that of its first connection.
func (r *Relay) copy(from, to net.Conn, hushed *atomic.Bool, back, first bool) {
	b, c := make([]byte, 512), records{}
	for {
		n, err := from.Read(b)
		part := b[:n]
		if back {
			if k := r.due(part, &c, first); k >= 0 {
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
				case Notes:
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
