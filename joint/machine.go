package joint

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
)

// Body is the code of one party.
type Body func(ctx context.Context, p *Party) (*Result, error)

// Machine is one party of one run: Start and Deliver return the messages that it sends, in order, and it is done when
// Done says so. It is for one goroutine at a time. After the first error it is done, and gives the same error again.
type Machine struct {
	session  *Session
	me       int
	party    *Party
	links    []link // by party
	tolerant bool   // a party that goes does not end the run

	yield func(struct{}) bool
	step  func() (struct{}, bool)
	stop  func()

	round  int // of the latest message that was read
	out    []Message
	waits  int // the party whose message the code waits for; -1: none
	result *Result
	err    error
	done   bool
	cost   Cost
}

// link is what was said between this party and another.
type link struct {
	sent, got        uint32 // messages
	out, in          Chain  // of all that were sent and delivered
	read             Chain  // of those that the code has read
	inbox            []Message
	ahead            int    // bytes of what was delivered and not read
	lastIn, lastRead uint32 // rounds
	gone             error  // why no more comes, where the protocol tolerates it
	excluded         bool   // the others end without it
}

// Cost is what a party sent and received.
type Cost struct {
	Sent     int `json:"sent"`     // messages
	Received int `json:"received"` // messages
	// BytesSent and BytesReceived count frames.
	BytesSent     int `json:"bytes_sent"`
	BytesReceived int `json:"bytes_received"`
	Rounds        int `json:"rounds"` // the longest chain of messages that led to the result
}

// NewMachine returns party number me of a session. Its code ends early where ctx does.
func NewMachine(ctx context.Context, s *Session, me int, body Body) *Machine {
	m := &Machine{session: s, me: me, links: make([]link, len(s.Plan.Parties)), waits: -1}
	all := make([]int, len(m.links))
	for k := range m.links {
		all[k] = k
		m.links[k].out = NewChain(s.ID, me, k)
		m.links[k].in = NewChain(s.ID, k, me)
		m.links[k].read = m.links[k].in
	}
	m.party = &Party{Random: NewRandom(s.Random), machine: m, group: all, me: me}
	m.step, m.stop = iter.Pull(func(yield func(struct{}) bool) {
		m.yield = yield
		m.result, m.err = m.run(ctx, body)
	})
	return m
}

// run is the coroutine: the protocol, and the agreement of all that nothing was lost.
func (m *Machine) run(ctx context.Context, body Body) (r *Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			r, err = nil, m.party.fault(m.party.me, Defect, fmt.Errorf("%v", v))
		}
	}()
	if r, err = body(ctx, m.party); err == nil && r == nil {
		err = m.party.fault(m.party.me, Defect, errors.New("the protocol ended without a result"))
	}
	if err == nil {
		err = m.acknowledge()
	}
	if err != nil {
		if f := (*Fault)(nil); !errors.As(err, &f) {
			err = m.party.Mine(err)
		}
		return nil, err
	}
	return r, nil
}

const acknowledged = "joint.done"

// acknowledge tells every other party which messages were sent to it and read of it, and waits for the same.
func (m *Machine) acknowledge() error {
	p := m.party
	type pair struct{ out, read [32]byte }
	was := make([]pair, len(m.links))
	for k := range m.links {
		was[k] = pair{m.links[k].out.Tag(), m.links[k].read.Tag()}
	}
	for k := range m.links {
		if k != m.me && !m.links[k].excluded {
			if err := p.Send(k, acknowledged, append(was[k].out[:], was[k].read[:]...)); err != nil {
				return err
			}
		}
	}
	for k := range m.links {
		if k == m.me || m.links[k].excluded {
			continue
		}
		b, err := p.Receive(k, acknowledged)
		if err != nil {
			return err
		}
		if len(b) != 2*sha256.Size || [32]byte(b) != was[k].read || [32]byte(b[sha256.Size:]) != was[k].out {
			return p.fault(k, Differs, errors.New("its messages and ours are not those that the other side saw"))
		}
	}
	return nil
}

// Start runs the code until it waits, and returns the messages it sent.
func (m *Machine) Start() ([]Message, error) { return m.resume() }

// Deliver hands over a frame as a party's connection gave it, and returns the messages that the code sent on it. Frames
// of one party must be delivered in the order they were sent.
func (m *Machine) Deliver(from int, frame []byte) ([]Message, error) {
	if m.done {
		return nil, m.err
	}
	if m.links[from].excluded {
		return nil, nil
	}
	in, err := m.accept(from, frame)
	if err != nil {
		return nil, m.end(err)
	}
	l := &m.links[from]
	l.inbox = append(l.inbox, in)
	if m.waits != from {
		return nil, nil
	}
	return m.resume()
}

// mostAhead is how many bytes a party may be ahead of what is read of it, besides four messages of the largest size.
var mostAhead = 256 << 20

// accept looks at what every message must be. It believes nothing of a message before its tag is right.
func (m *Machine) accept(from int, frame []byte) (in Message, err error) {
	p, l := m.party, &m.links[from]
	blame := func(c Cause, err error) (Message, error) {
		return in, &Fault{Party: p.Name(from), Round: int(l.lastIn) + 1, Cause: c, Err: err}
	}
	if in, err = ParseFrame(frame, p.Plan().Limits.Frame); errors.Is(err, ErrOversized) {
		return blame(Oversized, err)
	} else if err != nil {
		return blame(Garbled, err)
	}
	switch {
	case in.Session != m.session.ID:
		return blame(Replayed, errors.New("a message of another session"))
	case in.From != from || in.To != m.me:
		return blame(Garbled, errors.New("a message between other parties"))
	case in.Seq < l.got:
		return blame(Replayed, fmt.Errorf("message %d came again", in.Seq+1))
	case in.Seq > l.got:
		return blame(Lost, fmt.Errorf("message %d came after message %d", in.Seq+1, l.got))
	case l.in.Next(&in) != in.Tag:
		return blame(Garbled, fmt.Errorf("message %d is not the one that was sent", in.Seq+1))
	case in.Round == 0 || in.Round < l.lastIn:
		return blame(Garbled, errors.New("its rounds do not grow"))
	}
	if l.ahead += len(frame); l.ahead > 4*p.Plan().Limits.Frame+mostAhead {
		return blame(Oversized, errors.New("it sends more than the protocol reads"))
	}
	l.got++
	l.lastIn = in.Round
	m.cost.Received++
	m.cost.BytesReceived += len(frame)
	return in, nil
}

func (m *Machine) resume() ([]Message, error) {
	if m.done {
		return nil, m.err
	}
	m.waits = -1
	_, more := m.step()
	out := m.out
	m.out = nil
	for i := range out {
		m.cost.Sent++
		m.cost.BytesSent += out[i].FrameSize()
	}
	if !more {
		m.done = true
	}
	return out, m.err
}

// end ends the run with an error.
func (m *Machine) end(err error) error {
	if m.done {
		return m.err
	}
	m.done = true
	m.stop() // the code sees errStopped
	m.result, m.err, m.out = nil, err, nil
	return err
}

// Fail says that nothing more comes of a party: its connection broke, it said nothing for too long, or what it said was
// lost. That ends the run, unless the protocol tolerates a party that is gone or silent and goes on with the messages
// that are returned.
func (m *Machine) Fail(party int, cause Cause, err error) ([]Message, error) {
	if m.done {
		return nil, m.err
	}
	l := &m.links[party]
	f := &Fault{Party: m.party.Name(party), Round: int(l.lastIn) + 1, Cause: cause, Err: err}
	switch {
	case l.excluded:
		return nil, nil
	case !m.tolerant || cause != Gone && cause != Silent:
		return nil, m.end(f)
	}
	l.gone = f
	if m.waits != party {
		return nil, nil
	}
	return m.resume()
}

// End ends the run with an error that others found.
func (m *Machine) End(f *Fault) error { return m.end(f) }

// Waiting returns the party whose message the code waits for; false where it is done, or was not started.
func (m *Machine) Waiting() (party int, ok bool) { return m.waits, !m.done && m.waits >= 0 }

// Got is how many messages of a party were delivered.
func (m *Machine) Got(party int) int { return int(m.links[party].got) }

// Done says whether the run is over: with a result, or with an error.
func (m *Machine) Done() bool { return m.done }

// Result returns the result of a run that is done, or its error.
func (m *Machine) Result() (*Result, error) {
	if !m.done {
		return nil, errors.New("the run is not over")
	}
	return m.result, m.err
}

// Round is the round the party is in: that of the latest message it read.
func (m *Machine) Round() int { return m.round }

// Cost is what was sent and received so far.
func (m *Machine) Cost() Cost {
	c := m.cost
	c.Rounds = m.round
	return c
}
