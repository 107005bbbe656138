package joint

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

func planOf(names ...string) *Plan {
	p := &Plan{Version: 1}
	for _, n := range names {
		p.Parties = append(p.Parties, Member{Name: n})
	}
	Fill(p)
	return p
}

// machinesOf are parties that run one body, with the random numbers of a seed.
func machinesOf(p *Plan, seed byte, body Body) (out []*Machine) {
	for k := range p.Parties {
		s := &Session{Plan: p, ID: [32]byte{seed}, Random: rand.NewChaCha8([32]byte{seed, byte(k)})}
		out = append(out, NewMachine(context.Background(), s, k, body))
	}
	return out
}

// hello says hello to all and waits for theirs.
func hello(_ context.Context, p *Party) (*Result, error) {
	if err := p.SendAll("hello", []byte{byte(p.Me())}); err != nil {
		return nil, err
	}
	for _, k := range p.Others() {
		b, err := p.Receive(k, "hello")
		if err != nil {
			return nil, err
		}
		if len(b) != 1 || int(b[0]) != k {
			return nil, p.Blame(k, errors.New("wrong"))
		}
	}
	return &Result{}, nil
}

func start(t *testing.T, m *Machine) []Message {
	t.Helper()
	return must.Get(m.Start())(t)
}

// Each fault of a message has its cause, and ends the run for good.
func TestCauses(t *testing.T) {
	p := planOf("ada", "bob")
	p.Limits.Frame = 1024
	for name, c := range map[string]struct {
		cause Cause
		frame func(m *Message) []byte
	}{
		"session":  {Replayed, func(m *Message) []byte { m.Session[3]++; return m.AppendFrame(nil) }},
		"sequence": {Lost, func(m *Message) []byte { m.Seq++; return m.AppendFrame(nil) }},
		"payload":  {Garbled, func(m *Message) []byte { m.Payload = []byte{9}; return m.AppendFrame(nil) }},
		"kind":     {Garbled, func(m *Message) []byte { m.Kind = "hallo"; return m.AppendFrame(nil) }},
		"round":    {Garbled, func(m *Message) []byte { m.Round++; return m.AppendFrame(nil) }},
		"from":     {Garbled, func(m *Message) []byte { m.From = 0; return m.AppendFrame(nil) }},
		"short":    {Garbled, func(m *Message) []byte { b := m.AppendFrame(nil); return b[:len(b)-1] }},
		"empty":    {Garbled, func(*Message) []byte { return nil }},
		"large":    {Oversized, func(m *Message) []byte { m.Payload = make([]byte, 4096); return m.AppendFrame(nil) }},
	} {
		both := machinesOf(p, 1, hello)
		start(t, both[0])
		out := start(t, both[1])
		_, err := both[0].Deliver(1, c.frame(&out[0]))
		var f *Fault
		if !errors.As(err, &f) || f.Cause != c.cause || f.Party != "bob" || f.Round != 1 {
			t.Errorf("%s: %v, expected %s of bob in round 1", name, err, c.cause)
		}
		if r, again := both[0].Result(); r != nil || again != err || !both[0].Done() {
			t.Errorf("%s: the machine goes on: %v, %v", name, r, again)
		}
	}
	both := machinesOf(p, 1, hello)
	start(t, both[0])
	frame := start(t, both[1])[0].AppendFrame(nil)
	must.Get(both[0].Deliver(1, frame))(t)
	var f *Fault
	if _, err := both[0].Deliver(1, frame); !errors.As(err, &f) || f.Cause != Replayed {
		t.Errorf("a frame that comes again: %v", err)
	}
}

// No party gives its result before all have said that they saw the same.
func TestAllOrNone(t *testing.T) {
	both := machinesOf(planOf("ada", "bob"), 1, hello)
	a, b := start(t, both[0]), start(t, both[1])
	last, err := both[0].Deliver(1, b[0].AppendFrame(nil))
	if err != nil || len(last) != 1 || both[0].Done() {
		t.Fatalf("ada has all of the protocol: %d messages, %v, done %v", len(last), err, both[0].Done())
	}
	ends, err := both[1].Deliver(0, a[0].AppendFrame(nil))
	if err != nil || both[1].Done() {
		t.Fatal("bob is done before ada said what it saw")
	}
	if _, err := both[0].Deliver(1, ends[0].AppendFrame(nil)); err != nil || !both[0].Done() {
		t.Errorf("ada is not done: %v", err)
	}
	c := NewChain([32]byte{1}, 0, 1) // ada, as bob sees it, says it saw something else
	c.Next(&a[0])
	last[0].Payload[0]++
	last[0].Tag = c.Next(&last[0])
	var f *Fault
	if _, err := both[1].Deliver(0, last[0].AppendFrame(nil)); !errors.As(err, &f) || f.Cause != Differs {
		t.Errorf("bob takes it that ada saw something else: %v", err)
	}
}

// What a party sends and nobody reads is a fault, not left over.
func TestUnreadMessages(t *testing.T) {
	_, err := Together(machinesOf(planOf("ada", "bob"), 1, func(_ context.Context, p *Party) (*Result, error) {
		return &Result{}, p.SendAll("more", nil)
	}), nil)
	var f *Fault
	if !errors.As(err, &f) {
		t.Errorf("a message that nobody reads: %v", err)
	}
}

func TestBodiesThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		cause Cause
		body  Body
	}{
		"panic": {Defect, func(context.Context, *Party) (*Result, error) { panic("x") }},
		"none":  {Defect, func(context.Context, *Party) (*Result, error) { return nil, nil }},
		"own":   {Refused, func(context.Context, *Party) (*Result, error) { return nil, errors.New("no such column") }},
		"self":  {Defect, func(_ context.Context, p *Party) (*Result, error) { return nil, p.Send(p.Me(), "x", nil) }},
		"random": {Defect, func(_ context.Context, p *Party) (*Result, error) {
			p.Random = NewRandom(bytes.NewReader(nil))
			p.Word()
			return &Result{}, nil
		}},
	} {
		_, err := Together(machinesOf(planOf("ada", "bob"), 1, c.body), nil)
		var f *Fault
		if !errors.As(err, &f) || f.Cause != c.cause || f.Party != "ada" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Together(machinesOf(planOf("ada", "bob"), 1, func(_ context.Context, p *Party) (*Result, error) {
		_, err := p.Receive(1-p.Me(), "never")
		return nil, err
	}), nil)
	var f *Fault
	if !errors.As(err, &f) || f.Cause != Silent {
		t.Errorf("all wait for each other: %v", err)
	}
}

// A party that sends on and on, and is not read, ends the run; one that is read may send as much as it likes.
func TestFlood(t *testing.T) {
	defer func(was int) { mostAhead = was }(mostAhead)
	mostAhead = 1000
	p := planOf("ada", "bob")
	p.Limits.Frame = 1024
	_, err := Together(machinesOf(p, 1, func(_ context.Context, p *Party) (*Result, error) {
		for range 20 {
			if p.Me() == 1 {
				if err := p.Send(0, "flood", make([]byte, 1000)); err != nil {
					return nil, err
				}
			} else if _, err := p.Receive(1, "flood"); err != nil {
				return nil, err
			}
		}
		return &Result{}, nil
	}), nil)
	if err != nil {
		t.Errorf("a party that is read: %v", err)
	}
	both := machinesOf(p, 1, func(_ context.Context, p *Party) (*Result, error) {
		if p.Me() == 1 {
			for range 20 {
				if err := p.Send(0, "flood", make([]byte, 1000)); err != nil {
					return nil, err
				}
			}
		}
		_, err := p.Receive(1-p.Me(), "never")
		return nil, err
	})
	both[0].waits = 0 // it is at work and reads nothing
	for _, m := range start(t, both[1]) {
		if _, err = both[0].Deliver(1, m.AppendFrame(nil)); err != nil {
			break
		}
	}
	var f *Fault
	if !errors.As(err, &f) || f.Cause != Oversized || both[0].Got(1) > 5 {
		t.Errorf("a flood of %d messages: %v", both[0].Got(1), err)
	}
}

// A message of another kind than the code waits for is refused, and names its sender.
func TestKinds(t *testing.T) {
	_, err := Together(machinesOf(planOf("ada", "bob"), 1, func(_ context.Context, p *Party) (*Result, error) {
		if err := p.SendAll([]string{"one", "two"}[p.Me()], nil); err != nil {
			return nil, err
		}
		_, err := p.Receive(1-p.Me(), "one")
		return &Result{}, err
	}), nil)
	var f *Fault
	if !errors.As(err, &f) || f.Cause != Garbled || f.Party != "bob" || f.Round != 1 {
		t.Errorf("a message of another kind: %v", err)
	}
}

// A group numbers its parties from 0, and a body may be run by a part of the parties.
func TestGroup(t *testing.T) {
	_, err := Together(machinesOf(planOf("ada", "bob", "cyd"), 1, func(ctx context.Context, p *Party) (*Result, error) {
		if p.Me() == 1 {
			return &Result{}, nil
		}
		g := p.Group([]int{2, 0})
		if g.Parties() != 2 || g.Name(g.Me()) != p.Name(p.Me()) || g.Name(0) != "cyd" {
			return nil, errors.New("the group is another")
		}
		return hello(ctx, g)
	}), nil)
	if err != nil {
		t.Error(err)
	}
}

func FuzzFrame(f *testing.F) {
	m := Message{From: 1, To: 2, Seq: 3, Round: 4, Kind: "k", Payload: []byte("payload")}
	f.Add(m.AppendFrame(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseFrame(b, 1<<16)
		if err == nil && !bytes.Equal(m.AppendFrame(nil), b) {
			t.Errorf("%x became %x", b, m.AppendFrame(nil))
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add(append(AppendWords(nil, []uint64{1, 2}), "abc"...), 2)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		r := NewReader(b)
		words := r.Words(n)
		rest := r.Bytes(3)
		if err := r.End(); err == nil && !bytes.Equal(append(AppendWords(nil, words), rest...), b) {
			t.Error("what was read is another")
		}
	})
}

// Below is uniform: 7 cells of 70,000 draws, chi-square with 6 degrees of freedom, once in 10,000 (the seed is fixed).
func TestBelow(t *testing.T) {
	r := NewRandom(rand.NewChaCha8([32]byte{4}))
	seen, chi2 := make([]int, 7), 0.0
	for range 70_000 {
		seen[r.Below(7)]++
	}
	for _, n := range seen {
		chi2 += float64((n-10_000)*(n-10_000)) / 10_000
	}
	if chi2 > 27.9 {
		t.Errorf("chi-square %.1f: %v", chi2, seen)
	}
	for range 1000 {
		if r.Below(1) != 0 || r.Below(1<<63+1) > 1<<63 {
			t.Fatal("a number is not below the limit")
		}
	}
}

// The hash and the session of a plan change with every field and with every nonce; a difference is named.
func TestPlanHash(t *testing.T) {
	p := planOf("ada", "bob")
	for _, c := range []struct {
		field  string
		change func(q *Plan)
	}{
		{"least.cell", func(q *Plan) { q.Least.Cell++ }}, {"parties.1.name", func(q *Plan) { q.Parties[1].Name = "bop" }},
		{"parameters.k", func(q *Plan) { q.Parameters = map[string]string{"k": ""} }},
		{"columns.0.values.1", func(q *Plan) { q.Columns = []Column{{Name: "", Values: []string{"", "b"}}} }},
	} {
		q := planOf("ada", "bob")
		if d := p.Differences(q); len(d) != 0 || p.Hash() != q.Hash() {
			t.Fatalf("the same plan differs: %v", d)
		}
		c.change(q)
		found := false
		for _, d := range p.Differences(q) {
			found = found || d.Field == c.field
		}
		if !found || p.Hash() == q.Hash() {
			t.Errorf("%s: %v", c.field, p.Differences(q))
		}
		nonces := make([][NonceSize]byte, 2)
		if p.SessionID(nonces) == q.SessionID(nonces) {
			t.Errorf("%s: the session is the same", c.field)
		}
		other := [][NonceSize]byte{{}, {1}}
		if p.SessionID(nonces) == p.SessionID(other) {
			t.Error("another nonce makes the same session")
		}
	}
}
