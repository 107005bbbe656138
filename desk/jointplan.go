package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/joint"
	jointcatalog "github.com/dither-data/dither/joint/catalog"
	"github.com/dither-data/dither/joint/planfile"
	"github.com/dither-data/dither/joint/transport"
	"github.com/dither-data/dither/table"
)

// JointPlanRequest asks for the plan of a protocol between parties.
type JointPlanRequest struct {
	Source                        // a table whose columns the plan describes; its path is empty for none
	Protocol  string              // by any of its names
	Parties   []joint.Member      // in their order
	Columns   []string            // of the table, for the plan; none: all
	Owned     map[string][]string // columns that one party has, by its name
	Keys      []string            // columns by which records of the same person are put together
	Set       map[string]string   // parameters of the protocol
	Least     joint.Least         // zero fields: the defaults
	Noise     string              // epsilon of the noise that is added to totals; empty: none
	Limits    joint.Limits        // zero fields: the defaults
	Output    string              // path
	Overwrite bool
}

// JointPlan writes the plan of a protocol, with comments that explain it. Where it describes the columns of a table, it
// takes the categories and ranges that the table shows: they are told to all parties then, so they are to be looked at.
// A plan without columns is a draft: no run of it begins where the protocol needs some.
func (d *Desk) JointPlan(ctx context.Context, q JointPlanRequest) (text []byte, p *joint.Plan, err error) {
	protocol, err := jointcatalog.Protocol(q.Protocol)
	if err != nil {
		return nil, nil, usage(err)
	}
	f := &files{reads: q.inputs(), shown: []string{q.Output}, main: q.Output, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, nil, err
	}
	p = &joint.Plan{Version: 1, Protocol: protocol.Name, Parties: q.Parties, Parameters: q.Set, Least: q.Least,
		Limits: q.Limits}
	joint.Fill(p)
	if q.Noise != "" {
		p.Noise = &joint.Noise{Epsilon: q.Noise}
	}
	if q.Path != "" {
		if p.Columns, err = d.planned(ctx, &q); err != nil {
			return nil, nil, err
		}
	}
	if _, err := protocol.Computation(p); err != nil && !p.LacksColumns(err) {
		return nil, nil, usage(err)
	}
	text = planfile.Format(p, protocol)
	if err := f.add(q.Output, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return nil, nil, err
	}
	return text, p, f.place()
}

// planned describes columns of a table.
func (d *Desk) planned(ctx context.Context, q *JointPlanRequest) (out []joint.Column, err error) {
	in := reader{Source: q.Source}
	if in.pol, err = q.policy(); err != nil {
		return nil, err
	}
	t, _, err := d.read(ctx, q.Path, in, in.pol, expected{in.pol.Kinds(), in.pol.Dates(), in.pol.Numbers()})
	if err != nil {
		return nil, err
	}
	chosen := q.Columns
	if len(chosen) == 0 {
		chosen = names(t)
	}
	for _, name := range chosen {
		j := t.Find(name)
		if j < 0 {
			return nil, usage(fmt.Errorf("%s has no column %q%s", nameOf(q.Path), name, spelling.Hint(name, names(t))))
		}
		c := joint.Column{Name: name, Role: joint.Key}
		if !slices.Contains(q.Keys, name) {
			if c, err = described(t, j); err != nil {
				return nil, err
			}
		}
		if name == in.pol.Class {
			c.Role = joint.Class
		}
		for owner, columns := range q.Owned {
			if slices.Contains(columns, name) {
				c.Owner = owner
			}
		}
		out = append(out, c)
	}
	return out, nil
}

func described(t *table.Table, j int) (joint.Column, error) {
	c := joint.Column{Name: t.Attr(j).Name}
	switch a := t.Column(j).Compact(); a.Kind {
	case table.Numeric:
		c.Min, c.Max = table.Range(a.Num)
		c.Decimals = min(table.Decimals(a.Step), 12)
	case table.Categorical, table.SetValued:
		if len(a.Labels) > 1000 {
			return c, usage(fmt.Errorf("column %q has more than 1000 categories, which the plan would list for all parties: "+
				"leave it out with --column, or say that it is the key (--key)", c.Name))
		}
		c.Values = slices.Clone(a.Labels)
		slices.Sort(c.Values)
	}
	return c, nil
}

// JointKey makes the key of a party and writes it into a file for its owner only. It returns the fingerprint for the
// plan.
func (d *Desk) JointKey(party, output string, overwrite bool) (fingerprint string, err error) {
	if output == "" || output == standardOutput {
		return "", usage(errors.New("a key needs a file of its own: -o FILE"))
	}
	f := &files{secret: []string{output}, replace: overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return "", err
	}
	key, err := transport.NewKey(party, time.Now())
	if err != nil {
		return "", err
	}
	c, err := transport.ReadKey(key)
	if err != nil {
		return "", err
	}
	if err := f.add(output, func(w io.Writer) error { _, err := w.Write(key); return err }); err != nil {
		return "", err
	}
	return transport.Fingerprint(c), f.place()
}

// jointPlan reads a plan, with its protocol.
func jointPlan(path string) (*joint.Plan, *joint.Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	p, err := planfile.Parse(path, data)
	if err != nil {
		return nil, nil, usage(err)
	}
	protocol, err := jointcatalog.Protocol(p.Protocol)
	if err == nil {
		_, err = protocol.Computation(p)
	}
	if err != nil {
		return nil, nil, usage(fmt.Errorf("%s: %w", path, err))
	}
	return p, protocol, nil
}

// jointTable reads the table of a party, its columns as the plan has them. What the values may be is the plan's to say,
// so nothing is guessed of them.
func (d *Desk) jointTable(ctx context.Context, s Source, p *joint.Plan, me int) (t *table.Table, err error) {
	in := reader{Source: s}
	if in.pol, err = s.policy(); err != nil {
		return nil, err
	}
	kinds := in.pol.Kinds()
	for _, c := range p.Columns {
		if c.Owner == "" || c.Owner == p.Parties[me].Name {
			switch {
			case c.Values == nil && c.Role != joint.Key:
				kinds[c.Name] = table.Numeric
			case kinds[c.Name] != table.SetValued:
				kinds[c.Name] = table.Categorical
			}
		}
	}
	t, _, err = d.read(ctx, s.Path, in, in.pol, expected{kinds, in.pol.Dates(), in.pol.Numbers()})
	if err != nil {
		return nil, err
	}
	for _, c := range p.Columns {
		if j := t.Find(c.Name); j < 0 && (c.Owner == "" || c.Owner == p.Parties[me].Name) {
			return nil, fmt.Errorf("%s has no column %q, which the plan has%s", nameOf(s.Path), c.Name,
				spelling.Hint(c.Name, names(t)))
		}
	}
	return t, nil
}

// partyOf returns the number of a party of a plan.
func partyOf(p *joint.Plan, name string) (int, error) {
	k := p.Party(name)
	if k < 0 {
		var all []string
		for _, m := range p.Parties {
			all = append(all, m.Name)
		}
		return k, &Usage{Field: "party", Value: name,
			Err: errors.New("the parties of the plan are " + strings.Join(all, ", "))}
	}
	return k, nil
}

// finite is a number that JSON can hold.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
