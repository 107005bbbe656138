// Package transport carries the messages of a run between machines: TLS 1.3 with a certificate on both sides, each of
// which the plan names by its hash; no authority vouches for any, and no server stands between.
//
// Meet connects a party with all others, compares the plans and agrees the number of the session; nothing was read of
// any table then. Meeting.Run runs the machine of the party. A message above the limit of the plan, a wrong one, one
// that came before, a connection that ends and a party that gives no sign of life end the run at all parties: who finds
// it tells the others. No message is ever sent again.
//
// On a connection goes, both ways: a hello with the plan and a nonce, a ready with the number of the session, messages
// (package joint), signs of life while a party computes, and at last a bye, or an abort with what went wrong.
package transport

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/dither-data/dither/joint"
)

// What goes on a connection: one byte says what follows, then its length and, of all but messages, JSON.
const (
	helloFrame   = 'H'
	readyFrame   = 'R'
	messageFrame = 'M'
	beatFrame    = 'B'
	abortFrame   = 'A'
	byeFrame     = 'E'
)

// How large what is no message may be, in bytes.
const (
	mostHello = 8 << 20
	mostOther = 4 << 10
)

// protocolName is what TLS agrees on, with the version of what goes on a connection.
const protocolName = "dither-joint/1"

type hello struct {
	Program string      `json:"program"` // its version
	Plan    *joint.Plan `json:"plan"`
	Nonce   []byte      `json:"nonce"`
}

// abort is a joint.Fault, without its words: these may be about a table.
type abort struct {
	Party string      `json:"party"`
	Round int         `json:"round"`
	Cause joint.Cause `json:"cause"`
	By    string      `json:"by,omitempty"` // the party that said so first, where it is not the one that sends this
}

// frame is what was read of a connection.
type frame struct {
	kind byte
	body []byte // of a message: all that joint.ParseFrame takes
}

// link is the connection with one party.
type link struct {
	conn    *tls.Conn
	silence time.Duration
	limit   int // bytes of a message

	mu     sync.Mutex
	wake   *sync.Cond
	queue  [][]byte
	closed bool          // nothing more is to be written
	done   chan struct{} // closed when the writer has ended
	read   chan struct{} // closed when the reader has ended
}

func newLink(conn *tls.Conn, p *joint.Plan) *link {
	l := &link{conn: conn, silence: time.Duration(p.Limits.Silence) * time.Second, limit: p.Limits.Frame,
		done: make(chan struct{}), read: make(chan struct{})}
	l.wake = sync.NewCond(&l.mu)
	go l.writes()
	go l.beats()
	return l
}

// put queues bytes to be written. It never waits.
func (l *link) put(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.queue = append(l.queue, b)
		l.wake.Signal()
	}
}

// say queues what is no message.
func (l *link) say(kind byte, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("transport: " + err.Error()) // of our own types
	}
	l.put(append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(b))), b...))
}

func (l *link) message(m *joint.Message) {
	l.put(m.AppendFrame(append(make([]byte, 0, 1+m.FrameSize()), messageFrame)))
}

func (l *link) writes() {
	defer close(l.done)
	for {
		l.mu.Lock()
		for len(l.queue) == 0 && !l.closed {
			l.wake.Wait()
		}
		batch := l.queue
		l.queue = nil
		l.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		for _, b := range batch {
			if _, err := l.conn.Write(b); err != nil {
				l.mu.Lock()
				l.closed, l.queue = true, nil
				l.mu.Unlock()
				return
			}
		}
	}
}

// beats give signs of life until the writer ends: several in the time after which a party counts as silent.
func (l *link) beats() {
	t := time.NewTicker(l.silence / 5)
	defer t.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-t.C:
			l.say(beatFrame, nil)
		}
	}
}

// end writes what is queued, waits for the other side to end, too, and closes the connection. It takes no longer than
// patience. What is not read when a connection is closed would keep the other side from what was written last.
func (l *link) end(patience time.Duration) {
	l.mu.Lock()
	l.closed = true
	l.wake.Signal()
	l.mu.Unlock()
	_ = l.conn.SetWriteDeadline(time.Now().Add(patience))
	<-l.done
	_ = l.conn.CloseWrite()
	select {
	case <-l.read:
	case <-time.After(patience):
	}
	_ = l.conn.Close()
}

// Read reads of the connection, and gives up when nothing comes for too long.
func (l *link) Read(p []byte) (int, error) {
	if err := l.conn.SetReadDeadline(time.Now().Add(l.silence)); err != nil {
		return 0, err
	}
	return l.conn.Read(p)
}

// next reads one frame.
func (l *link) next(r io.Reader) (f frame, err error) {
	var head [1 + joint.Preamble]byte
	if _, err = io.ReadFull(r, head[:5]); err != nil {
		return f, err
	}
	f.kind = head[0]
	if f.kind != messageFrame {
		n, most := binary.BigEndian.Uint32(head[1:]), mostOther
		if f.kind == helloFrame {
			most = mostHello
		}
		if int64(n) > int64(most) {
			return f, fmt.Errorf("%w: %d bytes that are no message", joint.ErrOversized, n)
		}
		f.body = make([]byte, n)
		_, err = io.ReadFull(r, f.body)
		return f, inside(err)
	}
	if _, err = io.ReadFull(r, head[5:]); err != nil {
		return f, inside(err)
	}
	n, err := joint.FrameLength(head[1:], l.limit)
	if err != nil {
		return f, &badFrame{err}
	}
	b := bytes.NewBuffer(make([]byte, 0, min(joint.Preamble+n, 1<<20)))
	b.Write(head[1:])
	_, err = io.CopyN(b, r, int64(n)) // grows with what comes, not with what is announced
	f.body = b.Bytes()
	return f, inside(err)
}

// inside is the error of a frame that ends early.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// badFrame is the error of bytes that are no frame.
type badFrame struct{ err error }

func (b *badFrame) Error() string { return b.err.Error() }
func (b *badFrame) Unwrap() error { return b.err }

// causeOf says what an error of a connection is.
func causeOf(err error) (joint.Cause, error) {
	var bad *badFrame
	var op *net.OpError
	switch {
	case errors.Is(err, joint.ErrOversized):
		return joint.Oversized, err
	case errors.As(err, &bad):
		return joint.Garbled, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return joint.Silent, errors.New("no sign of life within limits.silence of the plan")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return joint.Gone, errors.New("the connection ended: its program, machine or network stopped")
	case errors.As(err, &op) && op.Op == "remote error", isTLS(err):
		return joint.Garbled, fmt.Errorf("the connection was damaged on its way: %w", err)
	}
	return joint.Gone, fmt.Errorf("the connection ended: %w", err)
}

// isTLS reports whether TLS found what was received to be damaged.
func isTLS(err error) bool {
	var alert tls.AlertError
	var header tls.RecordHeaderError
	var op *net.OpError
	return errors.As(err, &alert) || errors.As(err, &header) || errors.As(err, &op) && op.Op == "local error"
}
