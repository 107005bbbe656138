package dither

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/tabulation"
)

// Tables are tables of counts and totals that were protected and judged. They are as confidential as the original until
// CSV has written them.
type Tables struct {
	made   *tabulation.Made
	limits *limit.Set
}

// Beside judges tables together with a release of records of the same people that goes out, too.
func Beside(release *Data) Option { return func(o *options) { o.beside = release } }

// Tabulate counts and sums the records of a table into tables with totals, which go out together, and protects them: by
// what is asked for, laid over the section tables of the policy. Columns of numbers that tables are divided by are
// taken value by value. Keys of records and roundings follow from the seed, so the same counts need the same one.
//
// Tables that do not keep their limits are returned with an error of type *Withheld; CSV refuses them. Cost: that of
// the protection and of the attacks (study/tabulation).
func Tabulate(ctx context.Context, d *Data, q policy.Tables, opts ...Option) (*Tables, error) {
	fail := func(err error) (*Tables, error) { return nil, fmt.Errorf("%s: %w", d.subject.File.Name, err) }
	o := optionsOf(opts)
	own, err := d.with(o.hierarchies)
	if err != nil {
		return fail(err)
	}
	pol := own.subject.Policy.With(&policy.Policy{Tables: q})
	t := &Tables{}
	if t.limits, err = tabulation.Limits(&pol.Tables, wholefile.Read); err != nil {
		return fail(err)
	}
	plan, err := tabulation.Read(&pol.Tables)
	if err != nil {
		return fail(err)
	}
	if o.beside == nil && pol.Tables.Beside != "" {
		if o.beside, err = d.OpenRelease(ctx, File(pol.Tables.Beside)); err != nil {
			return nil, err
		}
	}
	ask := &tabulation.Request{Plan: plan, Table: own.subject.Table, Hierarchies: own.subject.Hierarchies,
		Limits: t.limits, Source: rng.New(o.seed)}
	if o.beside != nil {
		ask.Beside = o.beside.subject.Table
	}
	if t.made, err = ask.Protect(ctx); err != nil {
		return fail(err)
	}
	return t, t.withheld()
}

// withheld is the error of tables that are withheld; nil for others.
func (t *Tables) withheld() error {
	if b := judge.Withheld(t.made.Verdict, "the tables are withheld"); b != nil {
		return &Withheld{t.made.Verdict, b}
	}
	return nil
}

// Verdict says whether the tables may go out, with reasons, remedies and the figures of every limit.
func (t *Tables) Verdict() *study.Verdict { return t.made.Verdict }

// Found is what an intruder comes to.
func (t *Tables) Found() tabulation.Found { return t.made.Found }

var errUnjudgedTables = errors.New("the tables are not judged, so they may not go out")

// CSV writes the tables in the long form: a line for each cell, with the number of its table, a code for each column,
// the count, the totals, and whether it is suppressed. Cells that are shown as 0 have no line. It is an error where the
// tables may not go out.
func (t *Tables) CSV(w io.Writer) error {
	if err := t.withheld(); err != nil {
		return err
	}
	if t.made.Verdict.State == study.Unjudged && t.limits.Name != limit.None {
		return errUnjudgedTables
	}
	return t.made.CSV(w)
}
