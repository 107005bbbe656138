package transport

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/dither-data/dither/joint"
)

// Options say how a party takes part in a run.
type Options struct {
	Plan    *joint.Plan
	Me      int             // the number of the party in the plan
	Key     tls.Certificate // that of the party
	Listen  string          // host:port to listen at; empty: the party's address in the plan
	Wait    time.Duration   // how long to wait for the others to come
	Program string          // the version of the program, the same at all parties
	// Listening is told where calls of others are answered, Came who came; nil for nobody.
	Listening func(at net.Addr)
	Came      func(party int)
}

// Meeting is a party connected with all others, which have the same plan.
type Meeting struct {
	o       Options
	links   []*link // by party; nil at this party's own
	nonce   [joint.NonceSize]byte
	session [32]byte
	events  chan event
	early   []event // messages of parties that were ready before we knew that all are
	over    chan struct{}
	end     sync.Once
}

// event is what came of a party: a frame, or the end of its connection.
type event struct {
	from int
	frame
	err error
}

// arrival is a connection that was made, or that cannot be.
type arrival struct {
	party int
	conn  *tls.Conn
	fault *joint.Fault
}

// Meet connects with all other parties and agrees the session. The error is a *joint.Fault that names the party at
// fault; all who are connected are told.
func Meet(ctx context.Context, o Options) (*Meeting, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	n := len(o.Plan.Parties)
	m := &Meeting{o: o, links: make([]*link, n), events: make(chan event, 16), over: make(chan struct{})}
	_, _ = rand.Read(m.nonce[:]) // it never fails
	if err := m.meet(ctx); err != nil {
		m.Abort(err)
		return nil, err
	}
	return m, nil
}

// check looks at what can be wrong before anybody is asked.
func (o *Options) check() error {
	me := o.Plan.Parties[o.Me]
	refuse := func(format string, args ...any) error {
		return &joint.Fault{Party: me.Name, Cause: joint.Refused, Err: fmt.Errorf(format, args...)}
	}
	for k, p := range o.Plan.Parties {
		switch {
		case p.Certificate == "":
			return refuse("the plan has no certificate of %s: dither joint keys prints its fingerprint", p.Name)
		case k != o.Me && p.Address == "" && me.Address == "":
			return refuse("neither %s nor %s has an address in the plan", p.Name, me.Name)
		}
	}
	if shown := Fingerprint(o.Key); shown != me.Certificate {
		return refuse("the certificate of the key file is %s; the plan has %s for this party", shown, me.Certificate)
	}
	return nil
}

// dials reports whether this party calls another, or waits for its call.
func (o *Options) dials(k int) bool {
	if k < o.Me {
		return o.Plan.Parties[k].Address != ""
	}
	return o.Plan.Parties[o.Me].Address == ""
}

func (m *Meeting) meet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, m.o.Wait)
	defer cancel()
	arrivals := make(chan arrival)
	calls := &callers{last: make([]error, len(m.links))}
	var listens bool
	for k := range m.links {
		switch {
		case k == m.o.Me:
		case m.o.dials(k):
			go m.dial(ctx, k, arrivals, calls)
		default:
			listens = true
		}
	}
	if listens {
		if err := m.listen(ctx, arrivals, calls); err != nil {
			return err
		}
	}
	err := m.gather(ctx, arrivals)
	var f *joint.Fault
	if errors.As(err, &f) {
		m.await(ctx, arrivals, f)
		k := m.o.Plan.Party(f.Party)
		if why := calls.why(k); f.Cause == joint.Gone && m.links[k] == nil && why != nil {
			f.Err = fmt.Errorf("%w; last: %w", f.Err, why)
		}
	}
	return err
}

// grace is how long those who come late may take to hear that the run cannot be.
const grace = 2 * time.Second

// await lets those who did not come yet come for a while, when it is known already that the run cannot be: they hear
// why, instead of calling somebody who has left. A party that is at fault is waited for if it is there and calls us.
func (m *Meeting) await(ctx context.Context, arrivals <-chan arrival, f *joint.Fault) {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	for k, l := range m.links {
		if l != nil || k == m.o.Me || m.name(k) == f.Party && (f.Cause == joint.Gone || m.o.dials(k)) {
			continue
		}
		select {
		case a := <-arrivals:
			if a.fault == nil {
				_ = m.arrived(a)
			}
		case <-ctx.Done():
			return
		}
	}
}

// agreement is what was heard of all parties.
type agreement struct {
	nonces [][joint.NonceSize]byte
	heard  []bool   // who said hello
	ready  [][]byte // the sessions that parties are ready for
	told   bool     // all are told that we are ready
}

// gather waits until every other party is connected, has the same plan and is ready for the same session.
func (m *Meeting) gather(ctx context.Context, arrivals <-chan arrival) error {
	n := len(m.links)
	all := &agreement{nonces: make([][joint.NonceSize]byte, n), heard: make([]bool, n), ready: make([][]byte, n)}
	all.nonces[m.o.Me], all.heard[m.o.Me] = m.nonce, true
	for {
		if !all.told && !slices.Contains(all.heard, false) {
			m.session = m.o.Plan.SessionID(all.nonces)
			all.ready[m.o.Me], all.told = m.session[:], true
			m.sayAll(readyFrame, m.session[:])
		}
		if !slices.ContainsFunc(all.ready, func(id []byte) bool { return id == nil }) {
			return m.same(all)
		}
		select {
		case a := <-arrivals:
			if err := m.arrived(a); err != nil {
				return err
			}
		case e := <-m.events:
			if err := m.heard(e, all); err != nil {
				return err
			}
		case <-ctx.Done():
			return m.absent(ctx)
		}
	}
}

// arrived takes a connection, and says hello.
func (m *Meeting) arrived(a arrival) error {
	switch {
	case a.fault != nil:
		return a.fault
	case m.links[a.party] != nil:
		return a.conn.Close() // it is connected already
	}
	l := newLink(a.conn, m.o.Plan)
	m.links[a.party] = l
	l.say(helloFrame, hello{m.o.Program, m.o.Plan, m.nonce[:]})
	go m.reads(a.party, l)
	if m.o.Came != nil {
		m.o.Came(a.party)
	}
	return nil
}

// heard takes what a party said before the run.
func (m *Meeting) heard(e event, all *agreement) error {
	if err := m.ended(e); err != nil {
		return err
	}
	switch {
	case e.kind == beatFrame:
	case e.kind == helloFrame && !all.heard[e.from]:
		var h hello
		if err := json.Unmarshal(e.body, &h); err != nil || h.Plan == nil || len(h.Nonce) != joint.NonceSize {
			return m.fault(e.from, joint.Garbled, errors.New("its hello is not one of this version"))
		}
		all.heard[e.from], all.nonces[e.from] = true, [joint.NonceSize]byte(h.Nonce)
		if d := m.o.Plan.Differences(h.Plan); len(d) > 0 {
			return m.fault(e.from, joint.Differs, differ(d))
		}
		if h.Program != m.o.Program {
			return m.fault(e.from, joint.Differs, fmt.Errorf("its program is version %s, ours %s: what they say to each other "+
				"may differ; install the same at all parties", printable(h.Program), printable(m.o.Program)))
		}
	case e.kind == readyFrame && all.heard[e.from] && all.ready[e.from] == nil:
		if err := json.Unmarshal(e.body, &all.ready[e.from]); err != nil || all.ready[e.from] == nil {
			return m.fault(e.from, joint.Garbled, errors.New("it is ready for no session"))
		}
	case all.ready[e.from] != nil:
		m.early = append(m.early, e)
	default:
		return m.fault(e.from, joint.Garbled, errors.New("it does not begin as this version does"))
	}
	return nil
}

// same refuses a party that is ready for another session.
func (m *Meeting) same(all *agreement) error {
	for k, id := range all.ready {
		if string(id) != string(m.session[:]) {
			return m.fault(k, joint.Differs, errors.New("it is in another session: it heard other nonces of the parties"))
		}
	}
	return nil
}

func (m *Meeting) sayAll(kind byte, v any) {
	for _, l := range m.links {
		if l != nil {
			l.say(kind, v)
		}
	}
}

// absent is the error for the first party that did not come.
func (m *Meeting) absent(ctx context.Context) error {
	for k, l := range m.links {
		if l != nil || k == m.o.Me {
			continue
		}
		if errors.Is(ctx.Err(), context.Canceled) {
			return m.fault(m.o.Me, joint.Stopped, errors.New("interrupted while waiting for others"))
		}
		return m.fault(k, joint.Gone, fmt.Errorf("it did not come within %v", m.o.Wait))
	}
	return m.stopped(ctx) // all came, and one does not say what it should
}

func (m *Meeting) name(k int) string { return m.o.Plan.Parties[k].Name }

// callers remember why parties are not connected yet.
type callers struct {
	mu       sync.Mutex
	last     []error // by party
	stranger error   // that called and is no party
	telling  bool    // it is about certificates
}

func (c *callers) note(party int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last[party] = err
}

// strange notes a call of somebody who is not known. A call that broke off does not replace what another one told of
// certificates.
func (c *callers) strange(telling bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if telling || !c.telling {
		c.stranger, c.telling = err, telling
	}
}

func (c *callers) why(party int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last[party] != nil {
		return c.last[party]
	}
	return c.stranger
}

// dial calls a party until it answers, time is up, or it answers with another certificate.
func (m *Meeting) dial(ctx context.Context, k int, arrivals chan<- arrival, calls *callers) {
	member := m.o.Plan.Parties[k]
	d := tls.Dialer{Config: config(m.o.Key, func(shown string) error {
		if shown != member.Certificate {
			return &wrongCertificate{shown, member.Certificate}
		}
		return nil
	})}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		attempt, cancel := context.WithTimeout(ctx, m.silence())
		conn, err := d.DialContext(attempt, "tcp", member.Address)
		cancel()
		a := arrival{party: k}
		var wrong *wrongCertificate
		switch {
		case err == nil:
			a.conn = conn.(*tls.Conn)
		case errors.As(err, &wrong):
			a.fault = &joint.Fault{Party: member.Name, Cause: joint.Differs, Err: err}
		default:
			calls.note(k, err)
			select {
			case <-time.After(pause):
				continue
			case <-ctx.Done():
				return
			}
		}
		m.arrive(ctx, a, arrivals)
		return
	}
}

func (m *Meeting) silence() time.Duration {
	return time.Duration(m.o.Plan.Limits.Silence) * time.Second
}

// arrive hands over a connection, or closes it where nobody waits any more.
func (m *Meeting) arrive(ctx context.Context, a arrival, arrivals chan<- arrival) {
	select {
	case arrivals <- a:
	case <-ctx.Done():
		if a.conn != nil {
			_ = a.conn.Close()
		}
	}
}

// listen answers calls until ctx ends.
func (m *Meeting) listen(ctx context.Context, arrivals chan<- arrival, calls *callers) error {
	at := m.o.Listen
	if at == "" {
		at = m.o.Plan.Parties[m.o.Me].Address
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", at)
	if err != nil {
		return &joint.Fault{Party: m.name(m.o.Me), Cause: joint.Refused,
			Err: fmt.Errorf("%w; name another place with --listen", err)}
	}
	context.AfterFunc(ctx, func() { _ = l.Close() })
	if m.o.Listening != nil {
		m.o.Listening(l.Addr())
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // closed
			}
			go m.answer(ctx, conn, arrivals, calls)
		}
	}()
	return nil
}

// answer looks who calls. A stranger is told so, and does not end the meeting.
func (m *Meeting) answer(ctx context.Context, conn net.Conn, arrivals chan<- arrival, calls *callers) {
	party := -1
	var shown string
	c := tls.Server(conn, config(m.o.Key, func(print string) error {
		shown = print
		for k, p := range m.o.Plan.Parties {
			if p.Certificate == print && k != m.o.Me {
				party = k
			}
		}
		return nil
	}))
	attempt, cancel := context.WithTimeout(ctx, m.silence())
	defer cancel()
	if err := c.HandshakeContext(attempt); err != nil {
		var op *net.OpError // with an alert: it does not take our certificate
		alert := errors.As(err, &op) && op.Op == "remote error"
		calls.strange(alert, fmt.Errorf("a call from %s failed: %w", conn.RemoteAddr(), err))
		_ = conn.Close()
		return
	}
	if party < 0 {
		calls.strange(true, fmt.Errorf("a call from %s showed the certificate %s, which no party of the plan has",
			conn.RemoteAddr(), shown))
		l := newLink(c, m.o.Plan)
		go func() { _, _ = io.Copy(io.Discard, l); close(l.read) }()
		l.say(abortFrame, abort{Cause: joint.Differs})
		l.end(m.silence())
		return
	}
	m.arrive(ctx, arrival{party: party, conn: c}, arrivals)
}

// differ names the first field in which plans differ, and what it says; and how many more there are.
func differ(d []joint.Difference) error {
	more := ""
	switch len(d) {
	case 1:
	case 2:
		more = ", and so does " + printable(d[1].Field)
	default:
		more = fmt.Sprintf(", and %d more fields differ", len(d)-1)
	}
	return fmt.Errorf("the plans differ: %s is %s here and %s there%s; every party must have the same plan",
		printable(d[0].Field), printable(d[0].Ours), printable(d[0].Theirs), more)
}

// printable is what another party said, as it may be shown.
func printable(s string) string {
	switch {
	case s == "":
		return "absent"
	case len(s) > 80:
		return "something long"
	case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		return strconv.QuoteToASCII(s)
	}
	return s
}

func (m *Meeting) fault(party int, c joint.Cause, err error) *joint.Fault {
	return &joint.Fault{Party: m.name(party), Cause: c, Err: err}
}
