package transport

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/relay"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/table"
)

// party is one of three in a test.
type party struct {
	Options
	plan   joint.Plan // its own copy
	relay  *relay.Relay
	result *joint.Result
	err    error
	met    [32]byte
	// protocol is the number of the protocol of sums; 0 is taken for that of shares
	protocol int
	// run replaces the run of the machine, for a party that does not do what it should
	run func(m *Meeting)
}

var keys = sync.OnceValue(func() (out [4]tls.Certificate) {
	for k := range out {
		file, err := NewKey(fmt.Sprint("party ", k), time.Now())
		if err == nil {
			out[k], err = ReadKey(file)
		}
		if err != nil {
			panic(err)
		}
	}
	return out
})

// three returns three parties that add numbers, each behind a relay.
func three(t *testing.T, what relay.Trouble, from int64) []*party {
	t.Helper()
	plan := joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: []joint.Column{{Name: "x", Max: 100}}}
	jointtest.Fill(&plan, "sharedsum")
	plan.Limits.Silence, plan.Limits.Total = 20, 50
	out := make([]*party, 3)
	for k := range out {
		out[k] = &party{relay: relay.New(t)}
		plan.Parties[k].Address = out[k].relay.Addr()
		plan.Parties[k].Certificate = Fingerprint(keys()[k])
	}
	out[0].relay.What, out[0].relay.From = what, from
	for k, p := range out {
		p.plan = plan
		p.plan.Parties = slices.Clone(plan.Parties)
		p.plan.Columns = slices.Clone(plan.Columns)
		p.Options = Options{Plan: &p.plan, Me: k, Key: keys()[k], Listen: "127.0.0.1:0", Wait: 20 * time.Second,
			Listening: func(at net.Addr) { p.relay.Target <- at.String() }}
	}
	return out
}

// take runs the parties until all have ended.
func take(t *testing.T, parties []*party) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // more than their plan gives them
	defer cancel()
	var wait sync.WaitGroup
	for _, p := range parties {
		wait.Go(func() {
			m, err := Meet(ctx, p.Options)
			if err != nil {
				p.err = err
				return
			}
			if p.met = m.Session(); p.run != nil {
				p.run(m)
				return
			}
			machine, err := sums.Protocols[max(1, p.protocol)].Machine(ctx,
				&joint.Session{Plan: p.Plan, ID: m.Session(), Random: rand.Reader}, p.Me, numbers(p.Me))
			if err != nil {
				t.Error(err)
				return
			}
			p.result, p.err = m.Run(ctx, machine)
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		t.Fatal("the parties did not end in time")
	}
}

func numbers(k int) *table.Table {
	t, err := table.New(table.NumColumn("x", 1, []float64{float64(k), 10, 20}))
	if err != nil {
		panic(err)
	}
	return t
}

// right checks that a party has the right result.
func right(t *testing.T, p *party) {
	t.Helper()
	if p.err != nil {
		t.Errorf("%v", p.err)
	} else if got, want := fmt.Sprint(p.result.Figures, p.result.Tables),
		"[{records 9}] [{totals [column total] [[x 93]]}]"; got != want {
		t.Errorf("the result is %s", got)
	}
}

// fails checks that a party ended with a fault of one of the parties, for one of the reasons.
func fails(t *testing.T, p *party, about string, causes ...joint.Cause) {
	t.Helper()
	var f *joint.Fault
	if !errors.As(p.err, &f) || !strings.Contains(about, f.Party) || !slices.Contains(causes, f.Cause) ||
		p.result != nil || strings.Contains(p.err.Error(), "\n") {
		t.Errorf("%s ended with %v, expected %v of %s", p.plan.Parties[p.Me].Name, p.err, causes, about)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	var before [32]byte
	for range 2 {
		parties := three(t, relay.Nothing, 0)
		take(t, parties)
		for _, p := range parties {
			right(t, p)
			if p.met != parties[0].met || p.met == before {
				t.Error("a session is not that of all, or that of an earlier run")
			}
		}
		before = parties[0].met
	}
}

func TestSlowNetwork(t *testing.T) {
	t.Parallel()
	parties := three(t, relay.Pauses, 0)
	take(t, parties)
	for _, p := range parties {
		right(t, p)
	}
}

// What a network does to a connection ends the run at all parties, and names a party of that connection. Ada is called
// by both others.
func TestTroubledNetwork(t *testing.T) {
	t.Parallel()
	whole := three(t, relay.Nothing, 0)
	take(t, whole)
	said := whole[0].relay.Said()
	for _, c := range []struct {
		what   relay.Trouble
		causes []joint.Cause
	}{
		{relay.Loses, []joint.Cause{joint.Garbled, joint.Silent, joint.Gone}},
		{relay.Changes, []joint.Cause{joint.Garbled, joint.Silent, joint.Gone}},
		{relay.Cuts, []joint.Cause{joint.Gone}},
		{relay.Hushes, []joint.Cause{joint.Silent, joint.Gone}},
	} {
		if c.what == relay.Hushes && !long.Enabled() {
			continue // which is waited for
		}
		for _, share := range []int64{1, 30, 60, 75, 90} {
			t.Run(fmt.Sprint(c.what, " at ", share), func(t *testing.T) {
				t.Parallel()
				parties := three(t, c.what, said*share/100)
				for _, p := range parties {
					if c.what == relay.Hushes {
						p.plan.Limits.Silence, p.Wait = 2, 3*time.Second
					}
				}
				take(t, parties)
				if (share == 60 || share == 75) && parties[0].err == nil {
					t.Error("nothing happened to ada")
				}
				for _, p := range parties {
					if p.err == nil {
						right(t, p) // the connection was opened anew, or all was said
						continue
					}
					fails(t, p, "ada bob cyd", c.causes...)
				}
			})
		}
	}
}

func TestPlansThatDiffer(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(p *joint.Plan){
		"least.cell":     func(p *joint.Plan) { p.Least.Cell = 3 },
		"columns.0.max":  func(p *joint.Plan) { p.Columns[0].Max = 99 },
		"parameters.k":   func(p *joint.Plan) { p.Parameters = map[string]string{"k": "2"} },
		"protocol":       func(p *joint.Plan) { p.Protocol = "ringsum" },
		"parties.2.role": func(p *joint.Plan) { p.Parties[2].Role = "custodian" },
	} {
		if field != "parameters.k" && !long.Enabled() {
			continue // each ends a second after it began
		}
		parties := three(t, relay.Nothing, 0)
		change(&parties[1].plan)
		take(t, parties)
		named := 0
		for _, p := range parties {
			fails(t, p, "ada bob cyd", joint.Differs)
			if strings.Contains(p.err.Error(), " "+field+" is ") {
				named++
			}
		}
		if named < 2 {
			t.Errorf("%s is named at %d parties: %v; %v; %v", field, named, parties[0].err, parties[1].err, parties[2].err)
		}
	}
}

func TestWrongCertificates(t *testing.T) {
	long.Only(t, "seconds for parties that are waited for")
	t.Parallel()
	other := Fingerprint(keys()[3])
	t.Run("of the called", func(t *testing.T) {
		t.Parallel()
		parties := three(t, relay.Nothing, 0)
		parties[1].plan.Parties[0].Certificate = other // bob calls ada
		take(t, parties)
		for _, p := range parties {
			fails(t, p, "ada bob cyd", joint.Differs)
		}
	})
	t.Run("of a caller", func(t *testing.T) {
		t.Parallel()
		parties := three(t, relay.Nothing, 0)
		parties[0].plan.Parties[1].Certificate = other
		take(t, parties)
		fails(t, parties[1], "ada cyd", joint.Differs)
		fails(t, parties[0], "ada bob cyd", joint.Differs, joint.Gone)
		fails(t, parties[2], "ada bob", joint.Differs)
	})
	t.Run("of its own key", func(t *testing.T) {
		t.Parallel()
		parties := three(t, relay.Nothing, 0)
		parties[2].Key = keys()[3]
		for _, p := range parties {
			p.Wait = 3 * time.Second
		}
		take(t, parties)
		fails(t, parties[2], "cyd", joint.Refused)
		for _, p := range parties[:2] {
			fails(t, p, "ada bob cyd", joint.Gone)
		}
	})
}

func TestAbsentParty(t *testing.T) {
	long.Only(t, "three seconds for a party that does not come")
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	parties[1].Wait, parties[2].Wait = 3*time.Second, 3*time.Second
	take(t, parties[1:])
	for _, p := range parties[1:] {
		fails(t, p, "ada", joint.Gone)
	}
}

// A party that has the right key and sends what it should not ends the run at the others.
func TestRogueParty(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cause joint.Cause
		does  func(m *Meeting, l *link, first joint.Message)
	}{
		"replay": {joint.Replayed, func(_ *Meeting, l *link, first joint.Message) {
			l.message(&first)
			l.message(&first)
		}},
		"another session": {joint.Replayed, func(_ *Meeting, l *link, first joint.Message) {
			first.Session[0] ^= 1
			l.message(&first)
		}},
		"oversized": {joint.Oversized, func(m *Meeting, l *link, first joint.Message) {
			first.Payload = make([]byte, 10*m.o.Plan.Limits.Frame)
			l.message(&first)
		}},
		"announced": {joint.Oversized, func(m *Meeting, l *link, first joint.Message) { // and nothing of it comes
			first.Payload = make([]byte, 10*m.o.Plan.Limits.Frame)
			l.put(append([]byte{messageFrame}, first.AppendFrame(nil)[:joint.Preamble]...))
		}},
		"no frame": {joint.Garbled, func(_ *Meeting, l *link, _ joint.Message) { l.put([]byte("Mnonsense, nonsense")) }},
		"unknown":  {joint.Garbled, func(_ *Meeting, l *link, _ joint.Message) { l.put([]byte("?\x00\x00\x00\x01x")) }},
		"long":     {joint.Oversized, func(_ *Meeting, l *link, _ joint.Message) { l.put([]byte("A\xff\x00\x00\x01x")) }},
		"early":    {joint.Gone, func(_ *Meeting, l *link, _ joint.Message) { l.say(byeFrame, nil) }},
		"no abort": {joint.Garbled, func(_ *Meeting, l *link, _ joint.Message) { l.say(abortFrame, "because") }},
		"gone":     {joint.Gone, func(_ *Meeting, l *link, _ joint.Message) { _ = l.conn.NetConn().Close() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parties := three(t, relay.Nothing, 0)
			for _, p := range parties {
				p.plan.Limits.Frame = 2048
			}
			parties[2].run = func(m *Meeting) {
				machine, err := sums.Protocols[1].Machine(context.Background(),
					&joint.Session{Plan: m.o.Plan, ID: m.Session(), Random: rand.Reader}, 2, numbers(2))
				if err != nil {
					t.Error(err)
					return
				}
				out, _ := machine.Start()
				for i := range out {
					c.does(m, m.links[out[i].To], out[i])
				}
				for k := 0; k < 2; { // it stays until the others have ended
					if e := <-m.events; e.err != nil {
						k++
					}
				}
				m.Abort(errors.New("the others have ended"))
			}
			take(t, parties)
			for _, p := range parties[:2] {
				fails(t, p, "cyd", c.cause)
			}
		})
	}
}

// A protocol that tolerates a party that goes gives the others their result.
func TestDropout(t *testing.T) {
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	for _, p := range parties {
		p.plan.Protocol, p.protocol, p.plan.Least.Cell = "maskedsum", 2, 3 // each of two sees the other's records
	}
	parties[2].run = func(m *Meeting) {
		begun := map[int]bool{} // it goes when the others are at work
		for len(begun) < 2 {
			if e, err := m.next(context.Background()); err == nil && e.kind == messageFrame {
				begun[e.from] = true
			}
		}
		for _, l := range m.links[:2] {
			_ = l.conn.NetConn().Close()
		}
	}
	take(t, parties)
	for _, p := range parties[:2] {
		if p.err != nil {
			t.Fatal(p.err)
		}
		if got, want := fmt.Sprint(p.result.Figures, p.result.Tables),
			"[{records 6} {without cyd}] [{totals [column total] [[x 61]]}]"; got != want {
			t.Errorf("the result is %s", got)
		}
	}
}

// A party that is there and says nothing, not even that it is alive, counts as silent.
func TestSilentParty(t *testing.T) {
	long.Only(t, "five seconds of silence")
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	for _, p := range parties {
		p.plan.Limits.Silence = 5
	}
	parties[2].run = func(m *Meeting) {
		for _, l := range m.links[:2] {
			l.mu.Lock() // neither writer nor signs of life get on
		}
		for k := 0; k < 2; {
			if e := <-m.events; e.err != nil {
				k++
			}
		}
		for _, l := range m.links[:2] {
			l.mu.Unlock()
		}
	}
	take(t, parties)
	for _, p := range parties[:2] {
		fails(t, p, "cyd", joint.Silent)
	}
}

// A program in the place of a party that does not have its key is not talked to.
func TestImpostor(t *testing.T) {
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	l := must.Get(tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{keys()[3]},
		NextProtos: []string{protocolName}, MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAnyClientCert}))(t)
	defer l.Close()
	var mu sync.Mutex
	heard := 0
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				n, _ := c.Read(make([]byte, 100)) // of what comes after the handshake
				mu.Lock()
				heard += n
				mu.Unlock()
				_ = c.Close()
			}()
		}
	}()
	parties[0].relay.Target <- l.Addr().String()
	take(t, parties[1:])
	for _, p := range parties[1:] {
		fails(t, p, "ada", joint.Differs)
	}
	if mu.Lock(); heard > 0 {
		t.Errorf("an impostor heard %d bytes", heard)
	}
	mu.Unlock()
}

// A stranger that calls is told so, and ends nothing; who calls is known by the key and by nothing else.
func TestStranger(t *testing.T) {
	long.Only(t, "six seconds for parties that do not come")
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	ada := parties[0]
	ada.Wait = 6 * time.Second
	strange := make(chan string, 1)
	ada.Listening = func(at net.Addr) {
		go func() {
			c, err := tls.Dial("tcp", at.String(), config(keys()[3], func(string) error { return nil }))
			if err != nil {
				strange <- err.Error()
				return
			}
			l := newLink(c, ada.Plan)
			l.say(helloFrame, hello{"", ada.Plan, make([]byte, joint.NonceSize)})
			f, err := l.next(l)
			strange <- fmt.Sprintf("%c %v", f.kind, err)
			_ = c.Close()
		}()
	}
	take(t, parties[:1])
	fails(t, ada, "bob", joint.Gone)
	if got := <-strange; got != "A <nil>" {
		t.Errorf("a stranger hears %s", got)
	}
	if !strings.Contains(ada.err.Error(), "which no party of the plan has") {
		t.Error(ada.err)
	}
}
