package joint

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
)

// Plan is what all parties agreed, the same file at each. It holds no confidential value: what it says of columns is
// public to all parties.
type Plan struct {
	Version    int               `json:"version" yaml:"version"` // 1
	Protocol   string            `json:"protocol" yaml:"protocol"`
	Parties    []Member          `json:"parties" yaml:"parties"` // in the order of rings
	Parameters map[string]string `json:"parameters,omitempty" yaml:"parameters,omitempty"`
	Columns    []Column          `json:"columns,omitempty" yaml:"columns,omitempty"`
	Least      Least             `json:"least" yaml:"least"`
	Limits     Limits            `json:"limits" yaml:"limits"`
}

// Member is a party as the plan has it.
type Member struct {
	Name        string `json:"name" yaml:"name"`
	Role        string `json:"role,omitempty" yaml:"role,omitempty"`
	Address     string `json:"address,omitempty" yaml:"address,omitempty"`         // host:port where others reach it
	Certificate string `json:"certificate,omitempty" yaml:"certificate,omitempty"` // SHA-256 of its certificate, in hex
}

// Column is a column of the parties' tables, as all agreed it.
type Column struct {
	Name  string `json:"name" yaml:"name"`
	Owner string `json:"owner,omitempty" yaml:"owner,omitempty"` // the party that has it; empty: each has it
	Role  string `json:"role,omitempty" yaml:"role,omitempty"`   // class, key: what the protocol takes it for
	// Values are the categories, in the order of their codes; nil: it holds numbers.
	Values []string `json:"values,omitempty" yaml:"values,omitempty"`
	// Min and Max bound numbers, which are counted in units of 10^-Decimals.
	Min      float64 `json:"min,omitempty" yaml:"min,omitempty"`
	Max      float64 `json:"max,omitempty" yaml:"max,omitempty"`
	Decimals int     `json:"decimals,omitempty" yaml:"decimals,omitempty"`
}

// Roles of columns that several protocols know.
const (
	ClassRole = "class" // what is predicted
	KeyRole   = "key"   // says who a record is about
)

// Least is the guard: what the parties show each other at least.
type Least struct {
	// Cell is the smallest count of records or people that is shown; 5 where nothing else was agreed.
	Cell int `json:"cell" yaml:"cell"`
	// Contributors is how many parties must have contributed to a total; 2 where nothing else was agreed.
	Contributors int `json:"contributors" yaml:"contributors"`
}

// Shows reports whether a count may be shown.
func (l Least) Shows(count int64) bool { return count >= int64(l.Cell) }

// Limits bound what a party waits for and reads.
type Limits struct {
	Frame   int `json:"frame" yaml:"frame"`     // bytes of a message
	Silence int `json:"silence" yaml:"silence"` // seconds without a sign of a party
	Total   int `json:"total" yaml:"total"`     // seconds of the whole run
}

// What a plan has where its parties agreed nothing else.
var (
	DefaultLeast  = Least{Cell: 5, Contributors: 2}
	DefaultLimits = Limits{Frame: 64 << 20, Silence: 30, Total: 3600}
)

// MaxFrame is the largest frame that a plan may allow, in bytes.
const MaxFrame = 1 << 30

var partyName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// Check returns an error when the plan contradicts itself. It knows no protocol: Protocol.Computation does.
func (p *Plan) Check() error {
	if p.Version != 1 {
		return fmt.Errorf("version: %d; this program knows version 1", p.Version)
	}
	if len(p.Parties) < 2 || len(p.Parties) > 1000 {
		return fmt.Errorf("parties: %d; there must be 2 to 1000", len(p.Parties))
	}
	for k, m := range p.Parties {
		if !partyName.MatchString(m.Name) {
			return fmt.Errorf("parties: the name %q must be lower case letters, digits and hyphens, at most 32", m.Name)
		}
		if slices.IndexFunc(p.Parties, func(o Member) bool { return o.Name == m.Name }) != k {
			return fmt.Errorf("parties: %q occurs twice", m.Name)
		}
	}
	for k := range p.Columns {
		if err := p.column(k); err != nil {
			return err
		}
	}
	switch {
	case p.Least.Cell < 1 || p.Least.Contributors < 1:
		return errors.New("least: cell and contributors must be 1 or more")
	case p.Limits.Frame < 1024 || p.Limits.Frame > MaxFrame:
		return fmt.Errorf("limits: frame must be 1024 to %d bytes", MaxFrame)
	case p.Limits.Silence < 1 || p.Limits.Total < 1:
		return errors.New("limits: silence and total must be 1 second or more")
	}
	return nil
}

func (p *Plan) column(k int) error {
	c := &p.Columns[k]
	switch {
	case c.Name == "":
		return fmt.Errorf("columns: number %d has no name", k+1)
	case slices.IndexFunc(p.Columns, func(o Column) bool { return o.Name == c.Name && o.Owner == c.Owner }) != k:
		return fmt.Errorf("columns: %q occurs twice", c.Name)
	case c.Owner != "" && p.Party(c.Owner) < 0:
		return fmt.Errorf("columns: %q has the owner %q, who is no party", c.Name, c.Owner)
	case c.Decimals < 0 || c.Decimals > 12:
		return fmt.Errorf("columns: %q: decimals must be 0 to 12", c.Name)
	case c.Values == nil && (math.IsNaN(c.Min) || math.IsNaN(c.Max) || c.Min > c.Max ||
		math.Max(math.Abs(c.Min), math.Abs(c.Max)) > 1e15/math.Pow10(c.Decimals)):
		return fmt.Errorf("columns: %q: min and max must be in order, and below 10^15 in units of its decimals", c.Name)
	}
	sorted := slices.Clone(c.Values)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(c.Values) {
		return fmt.Errorf("columns: a value of %q occurs twice", c.Name)
	}
	return nil
}

// Party returns the number of a party, from 0, or -1.
func (p *Plan) Party(name string) int {
	return slices.IndexFunc(p.Parties, func(m Member) bool { return m.Name == name })
}

// Column returns the number of a column that each party has, or -1.
func (p *Plan) Column(name string) int {
	return slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name && c.Owner == "" })
}

// Session is one run of a plan.
type Session struct {
	Plan *Plan
	// ID is that of the run: the same at all parties, never used before.
	ID [32]byte
	// Random is where all randomness comes from: crypto/rand, but in tests.
	Random io.Reader
}
