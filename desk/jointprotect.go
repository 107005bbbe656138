package desk

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// A protocol that protects fits a plan to the records of all. Each party applies it to its own records, and judges its
// release on its own people, through the door by which every release goes out (Protect): a release that is withheld is
// nowhere.

// protects makes, judges and writes the release of a party. One that must not go out comes with a Protection that is
// broken.
func (q *JointRunRequest) protects(ctx context.Context, d *Desk, p *joint.Plan, r *joint.Result) (*Protection, error) {
	made := r.Protection
	how := &plan{Plan: made.Plan, file: &protect.File{Method: made.Method, Params: made.Params}}
	var err error
	if how.method, err = catalog.Method(made.Method); err != nil {
		return nil, err
	}
	s, err := q.planned(ctx, d, p)
	if err != nil {
		return nil, err
	}
	return d.release(ctx, ProtectRequest{Source: s, Release: q.Release, PlanOut: q.PlanOut, Report: q.Report,
		SeedFile: q.SeedFile, Overwrite: q.Overwrite}, course{how: how})
}

// own is the secret that the fit to this party's records follows from, by its seed file; another one in every run
// without it. The release draws from the seed itself.
func (d *Desk) own(seedFile string) (rng.Source, error) {
	seed, err := d.seed(seedFile)
	return rng.New(seed).Fork("joint"), err
}

// planned is the source of the party's table with what the plan says of its columns. All others are identifiers, which
// reach no release: that of a person or household still tells whose a record is.
func (q *JointRunRequest) planned(ctx context.Context, d *Desk, p *joint.Plan) (s Source, err error) {
	in := reader{Source: q.Source, brief: true, unhashed: true}
	if in.pol, err = q.policy(); err != nil {
		return s, err
	}
	t, _, err := d.read(ctx, q.Path, in, in.pol, expected{in.pol.Kinds(), in.pol.Dates(), in.pol.Numbers()})
	if err != nil {
		return s, err
	}
	say := policy.Policy{Columns: map[string]policy.Column{}}
	for _, c := range p.Columns {
		say.Columns[c.Name] = columnOf(&c)
		if c.Role == joint.Class {
			say.Class = c.Name
		}
	}
	for _, name := range names(t) {
		if _, planned := say.Columns[name]; planned {
			continue
		}
		c := policy.Column{Identifier: "drop"}
		if !slices.ContainsFunc(in.pol.Columns[name].Role, identifies) {
			c.Role = policy.Roles{table.Identifier.String()}
		}
		say.Columns[name] = c
	}
	return q.Saying(say), nil
}

func identifies(word string) bool {
	role, err := table.ParseRole(word)
	return err == nil && role&table.Identifier != 0
}

// columnOf is what the plan says of a column, as a policy says it.
func columnOf(c *joint.Column) policy.Column {
	if c.Values == nil {
		text := func(v float64) policy.Text { return policy.Text(strconv.FormatFloat(v, 'g', -1, 64)) }
		return policy.Column{Kind: table.Numeric.String(), Domain: []policy.Text{text(c.Min), text(c.Max)},
			Step: math.Pow10(-c.Decimals)}
	}
	out := policy.Column{Kind: table.Categorical.String()}
	for _, v := range c.Values {
		out.Values = append(out.Values, policy.Text(v))
	}
	return out
}

// protectable refuses what can be seen to be wrong with the limits, the intruders and the roles before the run.
func (q *JointRunRequest) protectable() error {
	if q.Release == "" {
		if q.Report != "" || q.PlanOut != "" || q.SeedFile != "" {
			return usage(errors.New("a report, a plan and a seed are those of a release, and none is asked for (--release)"))
		}
		return nil
	}
	pol, err := q.policy()
	if err != nil {
		return err
	}
	_, err = limitsOf(pol)
	return err
}
