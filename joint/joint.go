// Package joint is the contract of protocols between parties: custodians who compute one result of the records of all
// and show each other nothing else (Islam 2008, section 3.3).
//
// A Plan is what all parties agreed; every party holds the same one. A Protocol is a catalogue entry. A Machine is one
// party of one run: a deterministic state machine, messages in, messages out, and at last a Result. It knows no network
// and no clock, and draws all randomness from one reader. Sockets, deadlines and files stand above.
//
// # For those who write a protocol
//
// A protocol is written as the straight code of one party; the machine runs it as a coroutine:
//
//	func (q *Ring) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
//		...read t; complain about it (p.Mine) before anything is sent
//		if err := p.Send(next, "partial", joint.AppendWords(nil, masked)); err != nil { ... }
//		words, err := p.ReceiveWords(last, "partial", len(masked)) // waits
//		...
//	}
//
// What holds for it:
//
//   - The same plan, table and randomness give the same messages. No clock, no map order, no goroutine calls p; local
//     work may use all cores.
//   - Randomness comes from p.Random alone: Word, Words, Below, Shuffle. Masks are ring elements, never floats.
//   - Receive names the sender and the kind, so messages of several parties may arrive in any order. Those of one party
//     arrive in the order they were sent; the machine refuses a lost, repeated, changed or foreign one.
//   - Lengths are known before they are read: ReceiveWords and Reader.Words take the number, and Reader.End refuses
//     what is left over. A party may send anything; what it sends must not panic or allocate beyond its own length.
//   - Errors that a party is to blame for come from p.Blame, those of the own table or parameters from p.Mine: a Fault
//     names party and round. An error of p.Send and p.Receive is returned as it is. No error quotes a value of a table.
//   - Opened figures pass the guard of the plan: p.Plan().Least.Shows(count), and sums.Guarded for vectors. What is
//     withheld is Withheld in the Result.
//   - Building blocks are functions of a *Party, as those of joint/sums, and protocols call them one after another. A
//     block marks its kinds with its own name ("sums.share"), so that two blocks cannot take each other's messages.
//     A block that some of the parties run is called with p.Group of them.
//   - When Run returns, the machine tells all others what it saw, and gives its result only when all say the same.
//
// A family is a package below joint that exports
//
//	var Protocols = []joint.Protocol{...}
//
// and stands on the list of joint/catalog and in arch_test.go. Its test is
//
//	func TestConformance(t *testing.T) { jointtest.Family(t, Protocols, map[string][]jointtest.Case{...}) }
//
// which compares every protocol with plain results, and loses, repeats, cuts, changes and delays every message, and
// kills every party in every round. Tables of a party are read with p.Numbers and p.Codes, by the columns of the plan.
package joint

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Card is the catalogue entry of a protocol. Needs of the embedded card says what the table of each party holds, Cost
// what is sent and computed: bytes, rounds, time.
type Card struct {
	card.Card
	// Threat is whom it is safe against.
	Threat Threat `json:"threat"`
	// Survives says how many parties may pool what they saw and still learn nothing of another.
	Survives string `json:"survives"`
	// Leaks says all that a party learns besides the result.
	Leaks string `json:"leaks"`
}

// Threat is what parties are assumed to do.
type Threat string

// The threat models, and what is there to be shown broken.
const (
	// SemiHonest parties follow the protocol and look at all they receive.
	SemiHonest Threat = "semi-honest"
	// Malicious parties send anything; the run ends with an error, or with the right result.
	Malicious Threat = "malicious with abort"
	// Broken protocols are kept for papers: they reveal what they should hide.
	Broken Threat = "broken"
)

// Role is what a party is in a protocol.
type Role struct {
	Name string `json:"name"`
	Help string `json:"help"` // what it does
	// Least and Most are how many parties have it; Most 0: any number.
	Least int `json:"least"`
	Most  int `json:"most"`
	// Table says that it brings a table.
	Table bool `json:"table"`
}

// Protocol is a catalogue entry.
type Protocol struct {
	Card
	// Roles are the roles of parties, at least one. A party of the plan without a role has the first.
	Roles []Role
	// Two are protocols that two parties can run in its place, by name, where it needs three.
	Two []string
	New func() Computation
}

// Computation is a protocol with its parameters. A value serves one run of one party.
type Computation interface {
	Params() param.Set
	// Run is the code of one party. The table is nil for a role without one.
	Run(ctx context.Context, p *Party, t *table.Table) (*Result, error)
}

// Checker is a computation that looks at the plan before anything else: at what Roles and Params do not say.
type Checker interface {
	CheckPlan(p *Plan) error
}

// Noisy is a computation that adds the noise of a plan to what it opens.
type Noisy interface {
	// Charges are what a run promises of the records of each party, for the ledger of that party: who runs it charges
	// them before. What the run was, and of which data, is not filled in.
	Charges(p *Plan) ([]*budget.Entry, error)
}

// Check returns an error when the entry is not complete.
func (q *Protocol) Check() error {
	if err := q.Card.Card.Check(); err != nil {
		return err
	}
	switch {
	case q.Threat == "" || q.Survives == "" || q.Leaks == "":
		return fmt.Errorf("card %s: threat, survives and leaks must be filled", q.Name)
	case q.Needs == "":
		return fmt.Errorf("card %s: needs is empty: what the table of each party holds", q.Name)
	case len(q.Roles) == 0 || q.New == nil:
		return errors.New("protocol " + q.Name + ": no roles, or no New")
	}
	return nil
}

// Computation returns the protocol's computation with the parameters of a plan, after it has looked at the plan: the
// roles, the parameters, and what the protocol itself asks of it.
func (q *Protocol) Computation(p *Plan) (Computation, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := q.roles(p); err != nil {
		return nil, err
	}
	c := q.New()
	if err := c.Params().Apply(p.Parameters); err != nil {
		return nil, err
	}
	if k, ok := c.(Checker); ok {
		err := k.CheckPlan(p)
		if p.LacksColumns(err) {
			err = ColumnsFault("none yet, and %s needs %s; dither joint plan --data TABLE describes those of a table", q.Name,
				q.Needs)
		}
		if err != nil {
			return nil, err
		}
	}
	if p.Noise == nil {
		return c, nil
	}
	noisy, ok := c.(Noisy)
	if !ok {
		return nil, planFault("/noise", "%s adds none to what it opens; leave it out", q.Name)
	}
	_, err := noisy.Charges(p)
	return c, err
}

func (q *Protocol) roles(p *Plan) error {
	seen := make([]int, len(q.Roles))
	for _, m := range p.Parties {
		k := q.role(m.Role)
		if k < 0 {
			return fmt.Errorf("party %q: %s knows no role %q; it has %s", m.Name, q.Name, m.Role, q.roleNames())
		}
		seen[k]++
	}
	for k, r := range q.Roles {
		if seen[k] < r.Least || r.Most > 0 && seen[k] > r.Most {
			why := ""
			if r.Least > 2 && seen[k] == 2 {
				why = ": each of two could take its own part from the result, and see the other's"
				if len(q.Two) > 0 {
					why += "; two can run " + strings.Join(q.Two, " or ") + " (dither joint protocols NAME says what for)"
				}
			}
			return fmt.Errorf("%s needs %s; the plan has %d%s", q.Name, r.count(), seen[k], why)
		}
	}
	return nil
}

// role returns the position of a role of the protocol; the empty name is the first.
func (q *Protocol) role(name string) int {
	for k, r := range q.Roles {
		if r.Name == name || name == "" {
			return k
		}
	}
	return -1
}

// RoleOf returns the role of a party of a plan.
func (q *Protocol) RoleOf(m Member) Role { return q.Roles[q.role(m.Role)] }

func (q *Protocol) roleNames() (s string) {
	for k, r := range q.Roles {
		if k > 0 {
			s += ", "
		}
		s += r.Name
	}
	return s
}

func (r Role) count() string {
	switch {
	case r.Least == r.Most:
		return fmt.Sprintf("%d parties of the role %s", r.Least, r.Name)
	case r.Most == 0:
		return fmt.Sprintf("%d or more parties of the role %s", r.Least, r.Name)
	}
	return fmt.Sprintf("%d to %d parties of the role %s", r.Least, r.Most, r.Name)
}

// Machine returns party number me of a run of the protocol. The plan has been looked at by Computation.
func (q *Protocol) Machine(ctx context.Context, s *Session, me int, t *table.Table) (*Machine, error) {
	c, err := q.Computation(s.Plan)
	if err != nil {
		return nil, err
	}
	return NewMachine(ctx, s, me, func(ctx context.Context, p *Party) (*Result, error) { return c.Run(ctx, p, t) }), nil
}
