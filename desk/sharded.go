package desk

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// Sharded is a table that was read elsewhere, part by part, and what a plan released of it, as a cluster does with
// shards. The parts are together here; where they take more memory than there is, they are in a space.
type Sharded struct {
	Original *table.Table // as it is read in one piece
	Released *table.Table // in the order of Original, with the attributes that the plan gives it
	Info     *format.Info // how Original was read
	File     study.File   // what Original is called
	Name     string       // what the release is called
	Plan     []byte       // a plan file
	Fitted   bool         // the plan was fitted to Original by the technique of the request; else it was given
	Seed     rng.Seed     // that the release was made by
	All      bool         // every measure is taken, as for a report

	how *plan
}

// Judge is Protect of a release that was made elsewhere: the same stages, but for reading, fitting, applying and
// writing. The request says neither a path nor a plan, a seed or an output. What needs more of a table than a release
// in parts can keep is refused, as of one that is larger than the memory. A release that must not go out comes with a
// *Broken. Cost: that of the profile and of the measures.
func (d *Desk) Judge(ctx context.Context, q ProtectRequest, e Sharded) (*Protection, error) {
	how, err := decodePlan(e.File.Name, e.Plan)
	if err != nil {
		return nil, err
	}
	e.how = how
	p, err := d.release(ctx, q, course{all: e.All, sharded: &e})
	if err != nil {
		return nil, err
	}
	return p, refusal(p.Broken)
}

// readBy tells the reader of a request that the table was read elsewhere.
func (e *Sharded) readBy(in *reader) {
	if e != nil {
		in.Path, in.sharded, in.space = e.File.Name, e, e.Original.Space()
	}
}

// given returns the plan that was given where the release was made elsewhere; nil for one that is made here, and for
// one whose plan was fitted to the table.
func (e *Sharded) given() *plan {
	if e == nil || e.Fitted {
		return nil
	}
	return e.how
}

// made is the plan with what it released, for the stage that would make it; nil where it is made here.
func (e *Sharded) made() *study.Made {
	if e == nil {
		return nil
	}
	return &study.Made{Plan: e.how.Plan, Released: e.Released}
}

// decodes reports whether codes of missing values are looked for in the table: one that a plan or a cluster has read
// says which they are.
func (s *reader) decodes() bool { return s.kept == nil && s.sharded == nil }

// fileIs is the file that was read or, of a table that was read elsewhere, what that is called.
func (s *reader) fileIs(info *format.Info, t *table.Table) study.File {
	if s.sharded != nil {
		return s.sharded.File
	}
	return fileOf(s.Path, info, t)
}

// whole reports whether a request has all records of its table at hand.
func (s *reader) whole() bool { return s.space == nil && s.sharded == nil }

// needs is the error for what takes all records at hand, where the request does not have them.
func (s *reader) needs(name, what string) error {
	if s.sharded == nil {
		return tooLarge(name, what)
	}
	return usage(fmt.Errorf("%s is protected in parts, and %s needs all records in one place: leave that out, prepare "+
		"the files so that it is not needed, or protect the table on one machine", name, what))
}

// fitted reports whether the technique is to be fitted to the table: no plan is given.
func (a *asked) fitted() bool {
	return a.q.Plan == "" && a.by.how == nil && a.by.sharded.given() == nil
}

// uncertified withholds a release that was made elsewhere whose certificate is broken, whatever the limits are: one of
// the machines that made it did not do what the plan says.
func (e *Sharded) uncertified(o *study.Outcome) *Broken {
	if e == nil || o.Verdict == nil {
		return nil
	}
	for _, m := range o.Measures {
		d, ok := m.Value.Detail.(segments.Detail)
		if !ok || d.Certified() {
			continue
		}
		if h, ok := d.Headline(measure.Reader{}); ok {
			o.Verdict.State = study.Withheld
			o.Verdict.Reasons = append([]study.Reason{{State: study.Withheld, Says: h.Says.Whole()}}, o.Verdict.Reasons...)
		}
	}
	return judge.Withheld(o.Verdict, "the release is withheld")
}
