package joint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/rng"
)

// Party is one party of a run, as the code of its protocol sees it.
type Party struct {
	*Random // all randomness

	machine *Machine
	group   []int // the parties' numbers in the plan
	me      int   // the position there
}

// Group returns the same party as one of a group of them: numbers of parties are positions in the group, from 0, and a
// building block works among them alone. The party must be one of the group.
func (p *Party) Group(parties []int) *Party {
	g := *p
	g.group, g.me = make([]int, len(parties)), slices.Index(parties, p.me)
	for k, q := range parties {
		g.group[k] = p.group[q]
	}
	if g.me < 0 {
		panic("joint: the party is not one of its group")
	}
	return &g
}

// Plan is what all parties agreed. It is not to be changed.
func (p *Party) Plan() *Plan { return p.machine.session.Plan }

// Session is the number of the run, for domain separation: the same at all parties, new in every run.
func (p *Party) Session() [32]byte { return p.machine.session.ID }

// Own is where the randomness of what this party makes of its own records alone comes from. No message may depend on
// it.
func (p *Party) Own() rng.Source {
	if own := p.machine.session.Own; own.Seeded() == nil {
		return own
	}
	return rng.New([32]byte(p.Bytes(32)))
}

// Me is this party's number, from 0, in the order of the plan.
func (p *Party) Me() int { return p.me }

// Parties is how many there are.
func (p *Party) Parties() int { return len(p.group) }

// Name is that of a party.
func (p *Party) Name(party int) string { return p.Plan().Parties[p.group[party]].Name }

// Others returns the numbers of all other parties, in order.
func (p *Party) Others() []int {
	var out []int
	for k := range p.Parties() {
		if k != p.me {
			out = append(out, k)
		}
	}
	return out
}

// WithRole returns the numbers of the parties of a role, in order. A party of the plan without a role has the first of
// the protocol's, which the caller names.
func (p *Party) WithRole(role, first string) []int {
	var out []int
	for k, q := range p.group {
		if m := p.Plan().Parties[q]; m.Role == role || m.Role == "" && role == first {
			out = append(out, k)
		}
	}
	return out
}

// Send tells another party something. The payload is not to be changed afterwards. It does not wait.
func (p *Party) Send(to int, kind string, payload []byte) error {
	switch {
	case to < 0 || to >= p.Parties() || to == p.me:
		return p.fault(p.me, Defect, fmt.Errorf("%s is sent to party %d", kind, to))
	case kind == "" || len(kind) > mostKind:
		return p.fault(p.me, Defect, fmt.Errorf("%q is no kind of message", kind))
	case len(payload) > p.Plan().Limits.Frame:
		return p.fault(p.me, Oversized, fmt.Errorf("%s has %d bytes; raise limits: frame of the plan, which is %d", kind,
			len(payload), p.Plan().Limits.Frame))
	}
	to = p.group[to]
	l := &p.machine.links[to]
	m := Message{Session: p.Session(), From: p.machine.me, To: to, Seq: l.sent, Round: uint32(p.machine.round + 1),
		Kind: kind, Payload: payload}
	m.Tag = l.out.Next(&m)
	l.sent++
	p.machine.out = append(p.machine.out, m)
	return nil
}

// SendAll tells all other parties the same.
func (p *Party) SendAll(kind string, payload []byte) error {
	for _, k := range p.Others() {
		if err := p.Send(k, kind, payload); err != nil {
			return err
		}
	}
	return nil
}

var errStopped = errors.New("the run has ended")

// Receive waits for the next message of a party, which must be of this kind. The payload is the caller's.
func (p *Party) Receive(from int, kind string) ([]byte, error) {
	m := p.machine
	if from < 0 || from >= p.Parties() || from == p.me {
		return nil, p.fault(p.me, Defect, fmt.Errorf("%s is expected of party %d", kind, from))
	}
	l := &m.links[p.group[from]]
	for len(l.inbox) == 0 {
		if l.gone != nil {
			return nil, l.gone
		}
		m.waits = p.group[from]
		if !m.yield(struct{}{}) {
			return nil, p.fault(p.me, Stopped, errStopped)
		}
	}
	in := l.inbox[0]
	l.inbox = slices.Delete(l.inbox, 0, 1)
	l.ahead -= in.FrameSize()
	l.read.Next(&in)
	l.lastRead = in.Round
	m.round = max(m.round, int(in.Round))
	if in.Kind != kind {
		return nil, p.Blame(from, fmt.Errorf("a message %q where %q is expected", in.Kind, kind))
	}
	return in.Payload, nil
}

// Tolerate says that the protocol works without parties that go: from now on a party that is gone or silent does not
// end the run, but is the error of what is received from it, a Fault with the cause Gone or Silent. Messages it sent
// before are still received.
func (p *Party) Tolerate() { p.machine.tolerant = true }

// Exclude says that all who are left agree to end without a party.
func (p *Party) Exclude(party int) { p.machine.links[p.group[party]].excluded = true }

// ReceiveWords waits for n numbers of a party.
func (p *Party) ReceiveWords(from int, kind string, n int) ([]uint64, error) {
	b, err := p.Receive(from, kind)
	if err != nil {
		return nil, err
	}
	r := NewReader(b)
	words := r.Words(n)
	if err := r.End(); err != nil {
		return nil, p.Blame(from, err)
	}
	return words, nil
}

// Blame is the error for a message of another party that is not what the protocol sends. err quotes no value.
func (p *Party) Blame(party int, err error) error {
	f := p.fault(party, Garbled, err)
	f.Round = int(p.machine.links[p.group[party]].lastRead)
	return f
}

// Lost is the error for a party without which the protocol cannot go on; p.Tolerate lets it go on without others.
func (p *Party) Lost(party int, err error) error {
	f := p.fault(party, Gone, err)
	f.Round = int(p.machine.links[p.group[party]].lastRead) + 1
	return f
}

// Mine is the error for what does not fit the plan in the own table or parameters.
func (p *Party) Mine(err error) error { return p.fault(p.me, Refused, err) }

func (p *Party) fault(party int, c Cause, err error) *Fault {
	return &Fault{Party: p.Name(party), Round: p.machine.round, Cause: c, Err: err}
}
