package joint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Message is what one party tells another.
type Message struct {
	Session [32]byte
	From    int // numbers of parties in the plan, from 0
	To      int
	Seq     uint32 // how many messages the sender sent this receiver before
	// Round is one more than that of the latest message that the sender had read, from 1: the length of the longest chain
	// of messages that led to it.
	Round   uint32
	Kind    string // what it is, at most 63 bytes
	Payload []byte
	// Tag chains it to all earlier ones from this sender to this receiver.
	Tag [32]byte
}

// The first bytes of a frame: what it is, and the version of its layout.
var magic = [4]byte{'D', 'J', 0, 1}

// header is what a frame has before its payload, besides the kind: magic, length of what follows, session, from, to,
// seq, round, length of the kind.
const (
	preamble = 4 + 4
	header   = 32 + 2 + 2 + 4 + 4 + 1
	trailer  = sha256.Size
	mostKind = 63
)

// Overhead is by how many bytes a frame is longer than its payload, at most.
const Overhead = preamble + header + mostKind + trailer

// AppendFrame appends the bytes of a message.
func (m *Message) AppendFrame(dst []byte) []byte {
	dst = append(dst, magic[:]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(header+len(m.Kind)+len(m.Payload)+trailer))
	dst = m.appendHeader(dst)
	dst = append(dst, m.Payload...)
	return append(dst, m.Tag[:]...)
}

// FrameSize is how many bytes AppendFrame appends.
func (m *Message) FrameSize() int { return preamble + header + len(m.Kind) + len(m.Payload) + trailer }

func (m *Message) appendHeader(dst []byte) []byte {
	dst = append(dst, m.Session[:]...)
	dst = binary.BigEndian.AppendUint16(dst, uint16(m.From))
	dst = binary.BigEndian.AppendUint16(dst, uint16(m.To))
	dst = binary.BigEndian.AppendUint32(dst, m.Seq)
	dst = binary.BigEndian.AppendUint32(dst, m.Round)
	dst = append(dst, byte(len(m.Kind)))
	return append(dst, m.Kind...)
}

// Preamble is how many bytes say how long a frame is.
const Preamble = preamble

// ErrOversized is the error for a frame above the limit of the plan.
var ErrOversized = errors.New("a frame is too large")

// FrameLength returns how many bytes follow the first Preamble bytes of a frame. Frames with a payload above the limit
// are refused, before anything is read for them.
func FrameLength(first []byte, limit int) (int, error) {
	if len(first) < preamble || !bytes.Equal(first[:4], magic[:]) {
		return 0, errors.New("this is not a frame of version 1")
	}
	n := int64(binary.BigEndian.Uint32(first[4:]))
	switch {
	case n < header+trailer:
		return 0, errors.New("a frame is too short")
	case n > int64(limit)+header+mostKind+trailer:
		return 0, fmt.Errorf("%w: %d bytes, where limits.frame is %d", ErrOversized, n, limit)
	}
	return int(n), nil
}

// ParseFrame reads what AppendFrame wrote, all of it. The payload is part of b.
func ParseFrame(b []byte, limit int) (m Message, err error) {
	n, err := FrameLength(b, limit)
	if err != nil {
		return m, err
	}
	if b = b[preamble:]; len(b) != n {
		return m, fmt.Errorf("a frame has %d bytes where %d are announced", len(b), n)
	}
	copy(m.Session[:], b)
	m.From = int(binary.BigEndian.Uint16(b[32:]))
	m.To = int(binary.BigEndian.Uint16(b[34:]))
	m.Seq = binary.BigEndian.Uint32(b[36:])
	m.Round = binary.BigEndian.Uint32(b[40:])
	kind := int(b[44])
	if kind > mostKind || header+kind+trailer > n {
		return m, errors.New("a frame is too short for the name of its kind")
	}
	m.Kind = string(b[header : header+kind])
	m.Payload = b[header+kind : n-trailer : n-trailer]
	copy(m.Tag[:], b[n-trailer:])
	return m, nil
}

// Chain is the transcript of one direction between two parties: each tag is the hash of the one before and the message.
type Chain struct{ tag [32]byte }

// NewChain starts the transcript of a session from one party to another.
func NewChain(session [32]byte, from, to int) Chain {
	h := sha256.New()
	h.Write([]byte("dither joint transcript 1\n"))
	h.Write(session[:])
	var b [4]byte
	binary.BigEndian.PutUint16(b[:], uint16(from))
	binary.BigEndian.PutUint16(b[2:], uint16(to))
	h.Write(b[:])
	return Chain{[32]byte(h.Sum(nil))}
}

// Next adds a message and returns its tag.
func (c *Chain) Next(m *Message) [32]byte {
	h := sha256.New()
	h.Write(c.tag[:])
	head := m.appendHeader(make([]byte, 0, header+mostKind))
	h.Write(binary.BigEndian.AppendUint64(head, uint64(len(m.Payload))))
	h.Write(m.Payload)
	c.tag = [32]byte(h.Sum(nil))
	return c.tag
}

// Tag is the hash of all so far.
func (c *Chain) Tag() [32]byte { return c.tag }
