package jointtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/joint"
)

// A fault is what happens to one frame of a run.
type fault int

const (
	none fault = iota
	lose
	repeat
	cut
	change
	delay
	lie // other content, with the right tag: the sender says something else
)

func (f fault) String() string {
	return [...]string{"none", "lose", "repeat", "cut", "change", "delay", "lie"}[f]
}

// A trial is a run over wires in memory.
type trial struct {
	c        *Case
	protocol *joint.Protocol
	order    uint64 // seeds the order of deliveries of different pairs
	what     fault  // happens to frame number at of all that are sent
	at       int
	kill     int // this party stops after so many deliveries; -1: none
	after    int
}

// run is what a trial leaves.
type run struct {
	machines []*joint.Machine
	frames   [][][]byte // all that were sent, by from*n+to
	sent     int
	from     int // the sender of the frame that something happened to
	steps    []int
	queues   [][][]byte
	held     []bool
	dead     []bool
	dropped  []bool
	told     []bool        // that nothing more comes on a wire
	chains   []joint.Chain // of wires on which a lie was told
	lying    []bool
}

// SessionID is the number of all runs of a case.
func SessionID(c *Case) [32]byte { return sha256.Sum256([]byte("jointtest " + c.Name)) }

// session is the session of all trials of a case.
func session(c *Case, me int) *joint.Session {
	id := SessionID(c)
	seed := sha256.Sum256(fmt.Append(id[:], me, c.seed))
	return &joint.Session{Plan: &c.Plan, ID: id, Random: rand.NewChaCha8(seed)}
}

// run runs a trial until every machine that lives is done.
func (tr *trial) run() (*run, error) {
	n := len(tr.c.Plan.Parties)
	r := &run{frames: make([][][]byte, n*n), queues: make([][][]byte, n*n), held: make([]bool, n*n), steps: make([]int, n),
		dead: make([]bool, n), dropped: make([]bool, n*n), told: make([]bool, n*n),
		chains: make([]joint.Chain, n*n), lying: make([]bool, n*n)}
	draw := rand.New(rand.NewPCG(tr.order, 1))
	for me := range n {
		m, err := tr.protocol.Machine(context.Background(), session(tr.c, me), me, tr.c.Tables[me])
		if err != nil {
			return nil, err
		}
		r.machines = append(r.machines, m)
	}
	for _, me := range draw.Perm(n) {
		if me == tr.kill && tr.after < 0 {
			r.dead[me] = true
			continue
		}
		out, err := r.machines[me].Start()
		r.send(tr, out)
		r.tell(err)
	}
	for {
		var ready, late []int
		for w := range r.queues {
			switch {
			case len(r.queues[w]) == 0 || r.dead[w%n]:
			case r.held[w]:
				late = append(late, w)
			default:
				ready = append(ready, w)
			}
		}
		switch {
		case len(ready) > 0:
			r.deliver(tr, ready[draw.IntN(len(ready))])
		case len(late) > 0:
			r.deliver(tr, late[draw.IntN(len(late))])
		case !r.quiet(tr):
			return r, nil
		}
	}
}

// send puts messages on their wires.
func (r *run) send(tr *trial, out []joint.Message) {
	n := len(tr.c.Plan.Parties)
	for _, m := range out {
		w := m.From*n + m.To
		frame := m.AppendFrame(nil)
		what := none
		if r.sent == tr.at {
			what, r.from = tr.what, m.From
		}
		if what == lie || r.lying[w] {
			frame = r.lie(m, w, what == lie, tr.order)
		}
		r.frames[w] = append(r.frames[w], frame)
		r.sent++
		pick := rand.New(rand.NewPCG(tr.order, uint64(r.sent)))
		switch what {
		case none, lie:
			r.queues[w] = append(r.queues[w], frame)
		case lose:
			r.dropped[w] = true
		case repeat:
			r.queues[w] = append(r.queues[w], frame, frame)
		case cut:
			r.queues[w] = append(r.queues[w], frame[:pick.IntN(len(frame))])
		case change:
			other := slices.Clone(frame)
			other[pick.IntN(len(other))] ^= 1 << pick.IntN(8)
			r.queues[w] = append(r.queues[w], other)
		case delay:
			r.queues[w] = append(r.queues[w], frame)
			r.held[w] = true
		}
	}
}

// lie changes the content of a message, and the tags of it and of all that follow.
func (r *run) lie(m joint.Message, w int, content bool, seed uint64) []byte {
	if !r.lying[w] {
		r.lying[w] = true
		n := len(r.steps)
		c := joint.NewChain(m.Session, w/n, w%n)
		for _, f := range r.frames[w] {
			if was, err := joint.ParseFrame(f, joint.MaxFrame); err == nil {
				c.Next(&was)
			}
		}
		r.chains[w] = c
	}
	if content {
		draw := rand.New(rand.NewPCG(seed, 2))
		b := slices.Clone(m.Payload)
		switch {
		case len(b) == 0 || draw.IntN(4) == 0:
			b = append(b, byte(draw.Uint32()), 255, 255, 255, 255)
		case draw.IntN(3) == 0:
			b = b[:draw.IntN(len(b))]
		default:
			for range 1 + len(b)/4 {
				b[draw.IntN(len(b))] = [...]byte{0, 1, 127, 255, byte(draw.Uint32())}[draw.IntN(5)]
			}
		}
		m.Payload = b
	}
	m.Tag = r.chains[w].Next(&m)
	return m.AppendFrame(nil)
}

// deliver takes the first frame of a wire to its machine.
func (r *run) deliver(tr *trial, w int) {
	n := len(r.steps)
	frame := r.queues[w][0]
	r.queues[w] = r.queues[w][1:]
	to := w % n
	out, err := r.machines[to].Deliver(w/n, frame)
	r.steps[to]++
	if to == tr.kill && r.steps[to] > tr.after {
		r.dead[to] = true // what it would have sent on this one is never sent
		return
	}
	r.send(tr, out)
	r.tell(err)
}

// tell ends all other machines, as a party that fails tells them.
func (r *run) tell(err error) {
	var f *joint.Fault
	if !errors.As(err, &f) {
		return
	}
	for k, m := range r.machines {
		if !r.dead[k] && !m.Done() {
			_ = m.End(f)
		}
	}
}

// quiet is what happens when nothing is under way: of a frame that was lost the receiver learns by the next sign of
// life, of a party that was killed by the end of its connections, and of the rest when time is up. It reports whether
// anybody was told anything.
func (r *run) quiet(tr *trial) bool {
	for _, pass := range []joint.Cause{joint.Lost, joint.Gone, joint.Silent} {
		for w := range r.queues {
			from, m := w/len(r.steps), r.machines[w%len(r.steps)]
			if waits, ok := m.Waiting(); r.dead[w%len(r.steps)] || !ok || r.told[w] ||
				pass == joint.Lost && !r.dropped[w] || pass == joint.Gone && !r.dead[from] ||
				pass == joint.Silent && waits != from {
				continue
			}
			r.told[w] = true
			out, err := m.Fail(from, pass, errors.New("nothing more comes"))
			r.send(tr, out)
			r.tell(err)
			return true
		}
	}
	return false
}
