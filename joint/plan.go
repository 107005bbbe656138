package joint

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/noise/mechanism"
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
	Noise      *Noise            `json:"noise,omitempty" yaml:"noise,omitempty"` // nil: none
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
	// Contributors is how many parties must have contributed to a total; where nothing else was agreed it is 3, below
	// which each of two sees the other's part, or 2 of two parties.
	Contributors int `json:"contributors" yaml:"contributors"`
}

// Shows reports whether a count may be shown.
func (l Least) Shows(count int64) bool { return count >= int64(l.Cell) }

// Noise is what is added to all totals of a run, so that they are differentially private: discrete Laplace noise. Every
// party adds all of it, so that the promise holds for its records even where all others pool what they know; where n
// parties add it, its variance is n times as large.
type Noise struct {
	Epsilon string `json:"epsilon" yaml:"epsilon"` // of all totals together: a decimal or a fraction
}

// Ratio is the epsilon; the plan was checked.
func (n *Noise) Ratio() (mechanism.Ratio, error) { return mechanism.ParseRatio(n.Epsilon) }

// Limits bound what a party waits for and reads.
type Limits struct {
	Frame   int `json:"frame" yaml:"frame"`     // bytes of a message
	Silence int `json:"silence" yaml:"silence"` // seconds without a sign of a party
	Total   int `json:"total" yaml:"total"`     // seconds of the whole run
}

// What a plan has where its parties agreed nothing else.
var (
	DefaultLeast  = Least{Cell: 5, Contributors: 3}
	DefaultLimits = Limits{Frame: 64 << 20, Silence: 30, Total: 3600}
)

// Fill puts the defaults into the fields of least and limits that are 0; no more contributors than there are parties.
func Fill(p *Plan) {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&p.Least.Cell, DefaultLeast.Cell}, {&p.Least.Contributors, max(1, min(DefaultLeast.Contributors, len(p.Parties)))},
		{&p.Limits.Frame, DefaultLimits.Frame}, {&p.Limits.Silence, DefaultLimits.Silence},
		{&p.Limits.Total, DefaultLimits.Total},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
}

// MaxFrame is the largest frame that a plan may allow, in bytes.
const MaxFrame = 1 << 30

var (
	partyName   = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)
	fingerprint = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// PlanFault is what is wrong with a plan, and where: a JSON pointer, such as /parties/1/name.
type PlanFault struct {
	Path string
	Err  error
}

func (f *PlanFault) Error() string {
	return strings.ReplaceAll(strings.TrimPrefix(f.Path, "/"), "/", ".") + ": " + f.Err.Error()
}

// Unwrap returns what is wrong.
func (f *PlanFault) Unwrap() error { return f.Err }

func planFault(path, format string, args ...any) error {
	return &PlanFault{path, fmt.Errorf(format, args...)}
}

// ColumnsFault is a *PlanFault of what a protocol asks of the columns.
func ColumnsFault(format string, args ...any) error { return planFault(columnsPath, format, args...) }

const columnsPath = "/columns"

// LacksColumns reports whether an error says that a plan has no columns yet.
func (p *Plan) LacksColumns(err error) bool {
	var f *PlanFault
	return len(p.Columns) == 0 && errors.As(err, &f) && f.Path == columnsPath
}

// Check returns a *PlanFault when the plan contradicts itself. It knows no protocol: Protocol.Computation does.
func (p *Plan) Check() error {
	if p.Version != 1 {
		return planFault("/version", "%d; this program knows version 1", p.Version)
	}
	if len(p.Parties) < 2 || len(p.Parties) > 1000 {
		return planFault("/parties", "%d; there must be 2 to 1000", len(p.Parties))
	}
	for k := range p.Parties {
		if err := p.member(k); err != nil {
			return err
		}
	}
	for k := range p.Columns {
		if err := p.column(k); err != nil {
			return err
		}
	}
	if p.Noise != nil {
		if _, err := p.Noise.Ratio(); err != nil {
			return planFault("/noise/epsilon", "%v", err)
		}
	}
	switch l := p.Limits; {
	case p.Least.Cell < 1:
		return planFault("/least/cell", "must be 1 or more")
	case p.Least.Contributors < 1 || p.Least.Contributors > len(p.Parties):
		return planFault("/least/contributors", "must be 1 or more, and no more than there are parties")
	case l.Frame < 1024 || l.Frame > MaxFrame:
		return planFault("/limits/frame", "must be 1024 to %d bytes", MaxFrame)
	case l.Silence < 1 || l.Silence > 86400:
		return planFault("/limits/silence", "must be 1 to 86400 seconds")
	case l.Total < 1 || l.Total > 30*86400:
		return planFault("/limits/total", "must be 1 to %d seconds", 30*86400)
	}
	return nil
}

func (p *Plan) member(k int) error {
	m, path := &p.Parties[k], fmt.Sprintf("/parties/%d", k)
	switch {
	case !partyName.MatchString(m.Name):
		return planFault(path+"/name", "%q must be lower case letters, digits and hyphens, at most 32", m.Name)
	case p.Party(m.Name) != k:
		return planFault(path+"/name", "%q occurs twice", m.Name)
	case m.Certificate != "" && !fingerprint.MatchString(m.Certificate):
		return planFault(path+"/certificate", "must be 64 hexadecimal digits, as dither joint keys prints them")
	case m.Certificate != "" && slices.IndexFunc(p.Parties, func(o Member) bool {
		return o.Certificate == m.Certificate
	}) != k:
		return planFault(path+"/certificate", "two parties have the same")
	}
	return nil
}

func (p *Plan) column(k int) error {
	c, path := &p.Columns[k], fmt.Sprintf("/columns/%d", k)
	switch {
	case c.Name == "":
		return planFault(path, "has no name")
	case slices.IndexFunc(p.Columns, func(o Column) bool { return o.Name == c.Name && o.Owner == c.Owner }) != k:
		return planFault(path+"/name", "%q occurs twice", c.Name)
	case c.Owner != "" && p.Party(c.Owner) < 0:
		return planFault(path+"/owner", "%q is no party", c.Owner)
	case c.Decimals < 0 || c.Decimals > 12:
		return planFault(path+"/decimals", "must be 0 to 12")
	case c.Values == nil && (math.IsNaN(c.Min) || math.IsNaN(c.Max) || c.Min > c.Max ||
		math.Max(math.Abs(c.Min), math.Abs(c.Max)) > 1e15/math.Pow10(c.Decimals)):
		return planFault(path, "min and max must be in order, and below 10^15 in units of its decimals")
	}
	sorted := slices.Clone(c.Values)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(c.Values) {
		return planFault(path+"/values", "one occurs twice")
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
