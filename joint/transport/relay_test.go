package transport

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// trouble is what a relay does to what the called party says on the first connection, from a byte on.
type trouble int

const (
	nothing trouble = iota
	pauses          // before every part
	loses           // one byte
	changes         // one bit
	cuts            // the connection, both ways
	hushes          // says nothing any more, both ways
)

// relay stands between a party that is called and those that call it.
type relay struct {
	at      net.Listener
	target  chan string // where the party listens
	what    trouble
	from    int64 // this byte of what it says
	said    atomic.Int64
	mu      sync.Mutex
	closers []io.Closer
}

func newRelay(t *testing.T, what trouble, from int64) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{at: l, target: make(chan string, 1), what: what, from: from}
	r.keep(l)
	t.Cleanup(r.close)
	go func() {
		where, second := "", false
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			r.keep(in)
			if where == "" {
				where = <-r.target
			}
			out, err := net.Dial("tcp", where)
			if err != nil {
				_ = in.Close()
				continue
			}
			r.keep(out)
			var hushed atomic.Bool
			go r.copy(in, out, &hushed, false)
			go r.copy(out, in, &hushed, !second)
			second = true
		}
	}()
	return r
}

func (r *relay) keep(c io.Closer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closers = append(r.closers, c)
}

func (r *relay) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.closers {
		_ = c.Close()
	}
}

// copy carries one direction; said is that of the called party.
func (r *relay) copy(from, to net.Conn, hushed *atomic.Bool, said bool) {
	b := make([]byte, 512)
	for {
		n, err := from.Read(b)
		part := b[:n]
		if said {
			end := r.said.Add(int64(n))
			if k := r.from - (end - int64(n)); k >= 0 && k < int64(n) {
				switch r.what {
				case loses:
					part = append(append([]byte{}, part[:k]...), part[k+1:]...)
				case changes:
					part[k] ^= 4
				case cuts:
					_, _ = to.Write(part[:k])
					_, _ = to.Close(), from.Close()
					return
				case hushes:
					hushed.Store(true)
				case nothing, pauses:
				}
			}
		}
		if r.what == pauses {
			time.Sleep(time.Millisecond)
		}
		if n > 0 && !hushed.Load() {
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
