// Package jointtest is the suite that every protocol between parties passes: its results are the plain ones, on any
// order of messages; a message that is lost, repeated, cut, changed or delayed, and a party that is killed, never make
// a wrong result or a wait without end, but an error that names party and round.
package jointtest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Case is a run with its plain result.
type Case struct {
	Name string
	// Plan needs its parties, parameters and columns; what else it does not say is the default.
	Plan joint.Plan
	// Tables are those of the parties, nil for a party without one.
	Tables []*table.Table
	// Want are the plain results, by party; a single one is that of all.
	Want []*joint.Result
	// Without are the results when a party goes early and the others end without it, by that party; nil: they never do.
	Without []*joint.Result
	// Tolerance is by how much numbers that are no integers may differ, relative to the larger of 1 and the number.
	Tolerance float64
	// Plain says that faults and other orders of messages are not tried on it: it is large, and others have the same
	// messages.
	Plain bool

	seed uint64 // of the randomness of all parties
}

// Parties returns members of a plan with these names.
func Parties(names ...string) []joint.Member {
	out := make([]joint.Member, len(names))
	for k, n := range names {
		out[k].Name = n
	}
	return out
}

// Family tries all protocols of a family on their cases, by name of the protocol.
func Family(t *testing.T, protocols []joint.Protocol, cases map[string][]Case) {
	for k := range protocols {
		q := &protocols[k]
		t.Run(q.Name, func(t *testing.T) {
			if len(cases[q.Name]) == 0 {
				t.Fatal("the suite has no cases for it")
			}
			Run(t, q, cases[q.Name])
		})
		delete(cases, q.Name)
	}
	for name := range cases {
		t.Errorf("cases of %q, which is no protocol of the family", name)
	}
}

// Run tries a protocol: in a quick run on the first case that faults are tried on.
func Run(t *testing.T, q *joint.Protocol, cases []Case) {
	if err := q.Check(); err != nil {
		t.Error(err)
	}
	if err := parameters(q); err != nil {
		t.Error(err)
	}
	faulty := false
	first := slices.IndexFunc(cases, func(c Case) bool { return !c.Plain })
	for k := range cases {
		c := &cases[k]
		if k != first && !long.Enabled() {
			continue
		}
		Fill(&c.Plan, q.Name)
		faulty = faulty || !c.Plain
		t.Run(c.Name, func(t *testing.T) {
			sent, steps := honest(t, q, c)
			if !c.Plain && !t.Failed() {
				faults(t, q, c, sent)
				kills(t, q, c, steps)
			}
		})
	}
	if !faulty {
		t.Error("faults are tried on no case")
	}
}

// Fill puts the defaults into a plan; where it says nothing else, totals of two contributors are shown, so that cases
// of three parties have totals that pass and totals that do not.
func Fill(p *joint.Plan, protocol string) {
	p.Version, p.Protocol = 1, protocol
	if p.Least.Contributors == 0 {
		p.Least.Contributors = 2
	}
	joint.Fill(p)
}

// honest runs a case in several orders of delivery: the results are the plain ones, the messages the same.
func honest(t *testing.T, q *joint.Protocol, c *Case) (sent int, steps []int) {
	var first *run
	orders := uint64(3)
	if !long.Enabled() {
		orders = 1
	}
	for order := range orders {
		r, err := (&trial{c: c, protocol: q, order: order, at: -1, kill: -1}).run()
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range r.machines {
			got, err := m.Result()
			if err != nil {
				t.Fatalf("%s: %v", c.Plan.Parties[k].Name, err)
			}
			if err := same(got, c.want(k), c.Tolerance); err != nil {
				t.Fatalf("%s: %v", c.Plan.Parties[k].Name, err)
			}
		}
		if first == nil {
			first = r
		}
		for w := range r.frames {
			if !bytes.Equal(bytes.Join(r.frames[w], nil), bytes.Join(first.frames[w], nil)) {
				t.Fatal("another order of deliveries gives other messages")
			}
		}
	}
	return first.sent, first.steps
}

func (c *Case) want(party int) *joint.Result {
	if len(c.Want) == 1 {
		return c.Want[0]
	}
	return c.Want[party]
}

// spread returns at most so many of 0..n-1, the first and the last among them.
func spread(n, most int) (out []int) {
	if n <= most {
		for k := range n {
			out = append(out, k)
		}
		return out
	}
	for k := range most {
		out = append(out, k*(n-1)/(most-1))
	}
	return out
}

// places returns at which of 0..n-1 a trouble is tried: at all of them with DITHER_LONG=every, at many in another long
// test, and else in the middle.
func places(n, many int) []int {
	switch {
	case long.Every():
		return spread(n, n)
	case long.Enabled():
		return spread(n, many)
	}
	return []int{n / 2}
}

// faults lets every fault happen to every message, or to so many of them; in a quick run other content alone, which a
// protocol reads itself: what else happens to a frame is its machine's, which has tests of its own.
func faults(t *testing.T, q *joint.Protocol, c *Case, sent int) {
	for _, what := range long.Of([]fault{lie}, []fault{lose, repeat, cut, change, delay, lie}) {
		for _, at := range places(sent, 10) {
			r, err := (&trial{c: c, protocol: q, order: uint64(at), what: what, at: at, kill: -1}).run()
			if err != nil {
				t.Fatal(err)
			}
			for k, m := range r.machines {
				if err := r.outcome(c, k, m, what); err != nil {
					t.Errorf("%s message %d of %d: %s: %v", what, at+1, sent, c.Plan.Parties[k].Name, err)
				}
			}
		}
	}
}

// outcome says what is wrong with how a run ended at one party.
func (r *run) outcome(c *Case, k int, m *joint.Machine, what fault) error {
	if !m.Done() {
		return errors.New("it waits for ever")
	}
	got, err := m.Result()
	var f *joint.Fault
	switch {
	case err == nil && what == lie:
		return nil // parties that follow the protocol are assumed
	case err == nil && c.Without != nil && what == none && same(got, c.Without[r.from], c.Tolerance) == nil:
		return nil
	case err == nil:
		return same(got, c.want(k), c.Tolerance)
	case !errors.As(err, &f):
		return fmt.Errorf("the error %v names no party", err)
	case f.Cause == joint.Defect:
		return err
	case what == delay:
		return fmt.Errorf("a delay ends it: %w", err)
	case what != lie && (f.Party != c.Plan.Parties[r.from].Name || f.Round < 1):
		return fmt.Errorf("the error %v does not name %s and a round", err, c.Plan.Parties[r.from].Name)
	}
	return nil
}

// kills kills every party at every step, or at so many of them; in a quick run the last one alone.
func kills(t *testing.T, q *joint.Protocol, c *Case, steps []int) {
	without := 0 // runs that go on
	defer func() {
		if c.Without != nil && without == 0 && long.Enabled() && !t.Failed() {
			t.Error("no run goes on without a party")
		}
	}()
	for party := long.Of(len(steps)-1, 0); party < len(steps); party++ {
		for _, at := range places(steps[party]+1, 5) {
			r, err := (&trial{c: c, protocol: q, order: uint64(at), at: -1, kill: party, after: at - 1}).run()
			if err != nil {
				t.Fatal(err)
			}
			r.from = party
			for k, m := range r.machines {
				if k == party {
					continue
				}
				if got, err := m.Result(); err == nil && c.Without != nil && same(got, c.want(k), c.Tolerance) != nil {
					without++
				}
				if err := r.outcome(c, k, m, none); err != nil {
					t.Errorf("%s killed after %d messages: %s: %v", c.Plan.Parties[party].Name, at, c.Plan.Parties[k].Name, err)
				}
			}
		}
	}
}

// parameters checks that every parameter has a help and refuses what it should.
func parameters(q *joint.Protocol) error {
	set := q.New().Params()
	if err := set.Apply(map[string]string{"no such parameter": "1"}); err == nil {
		return errors.New("an unknown parameter is taken")
	}
	for _, p := range set {
		if p.Help == "" {
			return fmt.Errorf("parameter %q has no help", p.Name)
		}
		if p.Type == param.TypeText || p.Type == param.TypeNames {
			continue
		}
		if err := q.New().Params().Apply(map[string]string{p.Name: "?!"}); err == nil {
			return fmt.Errorf("parameter %q takes anything", p.Name)
		}
	}
	return nil
}

// same says how two results differ.
func same(got, want *joint.Result, tolerance float64) error {
	if len(got.Figures) != len(want.Figures) || len(got.Tables) != len(want.Tables) {
		return fmt.Errorf("%d figures and %d tables, expected %d and %d", len(got.Figures), len(got.Tables),
			len(want.Figures), len(want.Tables))
	}
	for k, f := range got.Figures {
		if w := want.Figures[k]; f.Name != w.Name || !equal(f.Value, w.Value, tolerance) {
			return fmt.Errorf("%s is %v, expected %s = %v", f.Name, f.Value, w.Name, w.Value)
		}
	}
	for k, g := range got.Tables {
		w := want.Tables[k]
		if g.Name != w.Name || fmt.Sprint(g.Columns) != fmt.Sprint(w.Columns) || len(g.Rows) != len(w.Rows) {
			return fmt.Errorf("table %s %v of %d rows, expected %s %v of %d", g.Name, g.Columns, len(g.Rows), w.Name, w.Columns,
				len(w.Rows))
		}
		for i := range g.Rows {
			if len(g.Rows[i]) != len(w.Rows[i]) {
				return fmt.Errorf("%s, row %d has %d values, expected %d", g.Name, i+1, len(g.Rows[i]), len(w.Rows[i]))
			}
			for j := range g.Rows[i] {
				if !equal(g.Rows[i][j], w.Rows[i][j], tolerance) {
					return fmt.Errorf("%s, row %d: %v, expected %v", g.Name, i+1, g.Rows[i], w.Rows[i])
				}
			}
		}
	}
	if err := protected(got.Protection, want.Protection); err != nil {
		return err
	}
	return released(got.Release, want.Release)
}

func protected(got, want *joint.Protection) error {
	if got == nil || want == nil {
		if got != want {
			return errors.New("one of the results protects the records, the other does not")
		}
		return nil
	}
	g, err1 := protect.Encode(got.Method, got.Params, got.Plan)
	w, err2 := protect.Encode(want.Method, want.Params, want.Plan)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if !bytes.Equal(g, w) {
		return errors.New("the records are protected otherwise")
	}
	return nil
}

func released(got, want *table.Table) error {
	switch {
	case got == nil && want == nil:
		return nil
	case got == nil || want == nil:
		return errors.New("one of the results has a table to release, the other has none")
	case got.Rows() != want.Rows() || got.Width() != want.Width():
		return fmt.Errorf("a release of %d x %d, expected %d x %d", got.Rows(), got.Width(), want.Rows(), want.Width())
	}
	for j := range got.Width() {
		g, w := got.Column(j), want.Column(j)
		if g.Name != w.Name || !g.SameValues(&w) {
			return fmt.Errorf("column %q of the release differs", g.Name)
		}
	}
	return nil
}

func equal(got, want any, tolerance float64) bool {
	g, ok1 := got.(float64)
	w, ok2 := want.(float64)
	if !ok1 || !ok2 {
		return got == want
	}
	return g == w || math.Abs(g-w) <= float64(tolerance*max(1, math.Abs(w)))
}
