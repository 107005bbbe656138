//go:build unix

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/relay"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/planfile"
	"github.com/dither-data/dither/joint/transport"
)

// right checks that a party of custodians ended with the sum of all.
func (c *custodian) right(t *testing.T) {
	t.Helper()
	if c.code != exitDone || !strings.Contains(c.out.String(), "records: 24\n") ||
		!strings.Contains(c.out.String(), "cost    80\n") {
		t.Errorf("%s ended with status %d: %s%s", c.name, c.code, c.out.String(), c.err.String())
	}
	content(t, c.file(".json"))
}

// trouble is what happens to a run when north says a record of TLS.
type trouble struct {
	network relay.Trouble  // with the connection of it
	signal  syscall.Signal // or to a party's process
	victim  int
	record  int
	causes  []string
}

func (c *trouble) String() string {
	if c.signal != 0 {
		return fmt.Sprint(c.signal, " of ", c.victim, " at ", c.record)
	}
	return fmt.Sprint("network ", c.network, " at ", c.record)
}

// troubles are tried at records that north says in a run. A quick run kills a party in the middle, and cuts a
// connection; a long one kills a party at every ninth record, and with DITHER_LONG=every each party at every one, and
// has what is waited for. What is damaged in a handshake ends no run: the party is called again.
func troubles(records int) (out []trouble) {
	if !long.Enabled() {
		gone := []string{"gone"}
		return []trouble{{signal: syscall.SIGKILL, victim: 1, record: records / 2, causes: gone},
			{network: relay.Cuts, record: records / 2, causes: gone}}
	}
	var steps []int
	parties, apart := 1, 9
	if long.Every() {
		parties, apart = 3, 1
	}
	for k := 0; k < records; k += apart {
		steps = append(steps, k+1)
	}
	damaged := []string{"garbled", "silent", "gone"}
	for k, at := range steps {
		for victim := range parties {
			out = append(out, trouble{signal: syscall.SIGKILL, victim: (k + victim) % 3, record: at, causes: []string{"gone"}})
		}
		if k%3 == 0 {
			out = append(out, trouble{network: relay.Loses, record: at, causes: damaged},
				trouble{network: relay.Changes, record: at, causes: damaged},
				trouble{network: relay.Cuts, record: at, causes: []string{"gone"}},
				trouble{network: relay.Hushes, record: at, causes: []string{"silent", "gone"}})
		}
	}
	for victim := range 3 {
		out = append(out, trouble{signal: syscall.SIGSTOP, victim: victim, record: records / 2, causes: []string{"silent"}})
	}
	return out
}

// Whatever happens to a network or to the program of a party, at any time, ends the run at all parties in their time,
// with one line that names a party and the cause; nothing is written then. Delays end nothing.
func TestJointTrouble(t *testing.T) {
	t.Parallel()
	slow := custodians(t, 45) // with few signs of life among the records that are counted
	for _, c := range slow {
		c.relay.What = relay.Pauses
	}
	together(t, slow)
	for _, c := range slow {
		c.right(t)
	}
	records := slow[0].relay.Records()
	var tried, spared atomic.Int64 // in the middle of a run; what a party has said by then may be all that others need
	t.Run("at", func(t *testing.T) {
		for _, c := range troubles(records) {
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				ended := c.try(t)
				if c.record == records/2 {
					tried.Add(1)
					if ended == 0 {
						spared.Add(1)
					}
				}
			})
		}
	})
	if tried.Load() == 0 || spared.Load() > tried.Load()/2 {
		t.Errorf("%d of %d troubles in the middle of a run end nothing", spared.Load(), tried.Load())
	}
}

// try returns how many parties ended without a result.
func (c *trouble) try(t *testing.T) (ended int) {
	t.Helper()
	silence := 20
	if slices.Contains(c.causes, "silent") { // which is waited for
		silence = 5
	}
	parties := custodians(t, silence)
	at := parties[0].relay
	at.What, at.Record = c.network, c.record
	victim, group := parties[c.victim], make(chan int, 1)
	about := []string{"north", "south", "west"}
	if c.signal != 0 {
		about = []string{victim.name}
		if at.What = relay.Notes; c.victim == 0 {
			at.What = relay.Tells
		}
		at.Told = func() { _ = syscall.Kill(-<-group, c.signal) } // and who supervises it
	}
	for k, p := range parties {
		cmd := p.command(t)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: k == c.victim}
		if p.start(t, cmd); k == c.victim {
			group <- cmd.Process.Pid
		}
	}
	for k, p := range parties {
		if c.signal == 0 || k != c.victim {
			p.end()
		}
	}
	if c.signal != 0 {
		_ = syscall.Kill(-victim.cmd.Process.Pid, syscall.SIGKILL)
		victim.end()
	}
	for k, p := range parties {
		switch {
		case c.signal != 0 && k == c.victim:
		case p.code == exitDone:
			p.right(t) // all was said
		default:
			ended++
			last := p.complaint(t)
			has := func(word string) bool { return strings.Contains(last, word) }
			if !slices.ContainsFunc(about, has) || !slices.ContainsFunc(c.causes, has) {
				t.Errorf("%s: %s", p.name, last)
			}
		}
	}
	return ended
}

// Plans that differ in one field end the run at all, before a table is read: what the tables here hold is no table.
func TestJointPlansDiffer(t *testing.T) {
	t.Parallel()
	parties := custodians(t, 20)
	write(t, parties[2].file(".yaml"), strings.Replace(content(t, parties[2].file(".yaml")), "cell: 5", "cell: 4", 1))
	for _, c := range parties {
		write(t, c.file(".csv"), "cost\n\"never closed\n")
	}
	together(t, parties)
	named := 0
	for _, c := range parties {
		last := c.complaint(t)
		if strings.Contains(last, "least.cell is 5 here and 4 there") ||
			strings.Contains(last, "least.cell is 4 here and 5 there") {
			named++
		} else if !strings.Contains(last, "differs") {
			t.Errorf("%s: %s", c.name, last)
		}
		if _, err := os.Stat(c.file(".pem.history")); err == nil {
			t.Errorf("%s has read its table", c.name)
		}
	}
	if named < 2 {
		t.Errorf("%d parties name the field", named)
	}
}

func TestJointWrongKey(t *testing.T) {
	t.Parallel()
	parties := custodians(t, 20)
	if code, _, errs := try(t, "joint", "keys", "--party", "west", "-o", parties[2].file(".pem"), "--force"); code != 0 {
		t.Fatal(errs)
	}
	parties[2].begin(t)
	parties[2].end()
	if last := parties[2].complaint(t); !strings.Contains(last, "the certificate of the key file is") {
		t.Error(last)
	}
}

// A party that shows another certificate than the plans of the others have ends the run at all: the others name it.
func TestJointWrongCertificate(t *testing.T) {
	long.Only(t, "six seconds until nobody is called again")
	t.Parallel()
	for _, wrong := range []int{0, 2} { // north is called by the others, west calls them
		t.Run(fmt.Sprint(wrong), func(t *testing.T) {
			t.Parallel()
			parties := custodians(t, 20)
			c := parties[wrong]
			was := must.Get(transport.ReadKey([]byte(content(t, c.file(".pem")))))(t)
			code, fingerprint, errs := try(t, "joint", "keys", "--party", c.name, "-o", c.file(".pem"), "--force")
			if code != exitDone {
				t.Fatal(errs)
			}
			write(t, c.file(".yaml"), strings.Replace(content(t, c.file(".yaml")), transport.Fingerprint(was),
				strings.TrimSpace(fingerprint), 1))
			for _, p := range parties {
				p.begin(t, "--wait", "6s")
			}
			for k, p := range parties {
				p.end()
				if last := p.complaint(t); !strings.Contains(last, "certificate") ||
					k != wrong && !strings.Contains(last, c.name) {
					t.Errorf("%s: %s", p.name, last)
				}
			}
		})
	}
}

// A party that has its key and sends what it should not ends the run at the others, which name it: a message of another
// run that is sent again, and one above the limit of the plan. The party may blame others; it is named as the one that
// said so. joint/transport tries more.
func TestJointRogue(t *testing.T) {
	t.Parallel()
	for cause, does := range map[string]func(p *joint.Plan, session *[32]byte) joint.Body{
		"replayed": func(_ *joint.Plan, session *[32]byte) joint.Body {
			session[0]++ // of the other run
			return func(_ context.Context, p *joint.Party) (*joint.Result, error) {
				return nil, tells(p, "sums.shares", 8)
			}
		},
		"oversized": func(plan *joint.Plan, _ *[32]byte) joint.Body {
			plan.Limits.Frame = 1 << 20
			return func(_ context.Context, p *joint.Party) (*joint.Result, error) {
				return nil, tells(p, "sums.shares", 1<<19)
			}
		},
	} {
		t.Run(cause, func(t *testing.T) {
			t.Parallel()
			parties := custodians(t, 20)
			for _, c := range parties {
				write(t, c.file(".yaml"), strings.Replace(content(t, c.file(".yaml")), "frame: 67108864", "frame: 4096", 1))
			}
			for _, c := range parties[:2] {
				c.begin(t)
			}
			parties[2].rogue(t, does)
			for _, c := range parties[:2] {
				c.end()
				if last := c.complaint(t); !strings.Contains(last, "west") || !strings.Contains(last, cause) {
					t.Errorf("%s: %s", c.name, last)
				}
			}
		})
	}
}

// tells says something to all others and waits for what never comes.
func tells(p *joint.Party, kind string, bytes int) error {
	if err := p.SendAll(kind, make([]byte, bytes)); err != nil {
		return err
	}
	_, err := p.Receive(0, "never")
	return err
}

// rogue is a party that meets the others as it should and then runs something else.
func (c *custodian) rogue(t *testing.T, does func(p *joint.Plan, session *[32]byte) joint.Body) {
	t.Helper()
	plan := must.Get(planfile.Parse(c.file(".yaml"), []byte(content(t, c.file(".yaml")))))(t)
	key := must.Get(transport.ReadKey([]byte(content(t, c.file(".pem")))))(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	m, err := transport.Meet(ctx, transport.Options{Plan: plan, Me: 2, Key: key, Listen: "127.0.0.1:0",
		Program: buildVersion(), Wait: 20 * time.Second, Listening: func(net.Addr) {}})
	must.NoError(t, err)
	other, session := *plan, m.Session()
	body := does(&other, &session)
	_, err = m.Run(ctx, joint.NewMachine(ctx, &joint.Session{Plan: &other, ID: session, Random: rand.Reader}, 2, body))
	if err == nil {
		t.Error("the others go on")
	}
}
