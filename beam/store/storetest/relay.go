package storetest

import (
	"errors"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// Relay carries connections. Where the network is Bad, it holds one piece in so many back, for up to a second, and cuts
// one connection in so many pieces, in the middle of what it carries.
type Relay struct {
	Bad           atomic.Bool
	HoldOne, Drop int // in so many pieces

	Carried, Held, Dropped atomic.Int64 // connections; pieces; connections
}

// Carry relays from an address to another until the test ends, and returns the first, which may end in port 0.
func (r *Relay) Carry(t *testing.T, from, to string) string {
	t.Helper()
	l, err := net.Listen("tcp", from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				continue
			}
			r.Carried.Add(1)
			go r.pass(in, out)
			go r.pass(out, in)
		}
	}()
	return l.Addr().String()
}

// pass copies what comes from one side to the other until either ends. A connection that is cut carries half a piece.
func (r *Relay) pass(from, to net.Conn) {
	defer func() { _ = errors.Join(from.Close(), to.Close()) }()
	piece := make([]byte, 16<<10)
	for {
		n, err := from.Read(piece)
		cut := n > 0 && r.Bad.Load() && rand.IntN(r.Drop) == 0
		if cut {
			n /= 2
		}
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		switch {
		case cut:
			r.Dropped.Add(1)
			return
		case err != nil:
			return
		case r.Bad.Load() && rand.IntN(r.HoldOne) == 0:
			r.Held.Add(1)
			time.Sleep(rand.N(time.Second))
		}
	}
}
