package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// Fit keeps the plan of a technique that is not fitted from aggregates, where none was given. It is what one machine
// does whose memory is smaller than the table: columns that are more than the job's memory are mapped into it from
// files, and the technique walks over them in the order of the records.
func Fit(ctx context.Context, folder string) error {
	q, m, err := begun(folder)
	if err != nil || q.Plan != "" || q.Passes() > 0 {
		return err
	}
	src, err := q.source()
	if err != nil {
		return err
	}
	method, err := catalog.Method(q.Method)
	if err != nil {
		return err
	}
	return q.look(ctx, folder, m, func(ctx context.Context, t *table.Table, _ []profile.Suggestion) error {
		if err := profile.CheckClass(t); err != nil {
			return err
		}
		p, params, err := study.Fit(ctx, study.Request{Method: method, Set: q.Set}, t, src.Fork("fit"))
		if err != nil {
			return err
		}
		base, err := drift.Of(t, segmentsOf(p))
		if err != nil {
			return err
		}
		return q.keepPlan(folder, t, p, params, base)
	})
}

// look does what needs the columns that Pack kept of all shards on one machine, with their roles.
func (q *Job) look(
	ctx context.Context,
	folder string,
	m *merged,
	work func(ctx context.Context, t *table.Table, roles []profile.Suggestion) error,
) (err error) {
	ctx, s, end, err := q.space(ctx, folder, m.Schema, m.Rows)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	t, err := m.whole(folder, valuesFile, m.Schema, s)
	if err != nil {
		return err
	}
	known, err := profile.Brief(ctx, t)
	if err != nil {
		return err
	}
	t, roles, err := q.withRoles(t, known)
	if err == nil {
		err = cmp.Or(nameless(roles), m.classed(t))
	}
	if err != nil {
		return err
	}
	return work(ctx, t, roles)
}

// keepPlan keeps the plan that was fitted to a table of the attributes of t, unless it cannot be applied here.
func (q *Job) keepPlan(
	folder string,
	t *table.Table,
	p protect.Plan,
	params []param.Value,
	base *drift.Baseline,
) error {
	if err := cmp.Or(Local(q.Method, p), q.measurable(q.Method, p), protect.Conforms(t, p.Schema())); err != nil {
		return err
	}
	file := protect.File{Method: q.Method, Params: params, Reading: q.reading(), Shuffled: true,
		Baseline: base, ShortSeed: q.short()}
	data, err := protect.EncodeFile(file, p)
	if err != nil {
		return err
	}
	return put(store.Join(folder, planFile), store.Bytes(data))
}

// segmentsOf are those of a plan; nil for none.
func segmentsOf(p protect.Plan) drift.Segments {
	if s, ok := p.(protect.Segmented); ok && s.Segmentation() != nil {
		return s.Segmentation()
	}
	return nil
}

// reading says in the plan how the shards were read, as one machine does.
func (q *Job) reading() *policy.Reading {
	r := &policy.Reading{Columns: map[string]policy.Column{}}
	r.File.Encoding, r.File.Delimiter = q.Encoding, q.Delimiter
	if q.Delimiter == "\t" {
		r.File.Delimiter = "tab"
	}
	for _, text := range q.Missing {
		r.File.Missing = append(r.File.Missing, policy.Text(text))
	}
	for _, name := range q.Categorical {
		r.Columns[name] = policy.Column{Kind: table.Categorical.String()}
	}
	return r
}

// space returns where columns of a schema are: on the heap or, where they take more than the job's memory, in files
// that are mapped into it: of the working folder or, where that is in a store, of this machine. The context that it
// returns ends when the disk is full, and end gives everything back.
func (q *Job) space(
	ctx context.Context,
	folder string,
	schema []table.Attribute,
	rows []int,
) (_ context.Context, s *mmap.Space, end func(error) error, err error) {
	size := int64(0)
	for _, n := range rows {
		for j := range schema {
			size += int64(n) * width(&schema[j])
		}
	}
	if size <= q.Memory/4 { // what is done with them takes as much several times
		return ctx, nil, func(err error) error { return err }, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if s, err = mmap.New(store.Disk(folder), q.Memory/2, cancel); err != nil {
		cancel(nil)
		return ctx, nil, nil, fmt.Errorf("the table is larger than the memory that it is given (--memory): %w", err)
	}
	return ctx, s, func(err error) error {
		cause := context.Cause(ctx)
		cancel(nil)
		closed := s.Close()
		if errors.Is(err, context.Canceled) && cause != nil {
			err = cause
		}
		return cmp.Or(err, closed)
	}, nil
}

// withRoles gives the columns the roles that the job names, and the others those that their names and values suggest,
// as one machine does.
func (q *Job) withRoles(t *table.Table, known *profile.Profile) (*table.Table, []profile.Suggestion, error) {
	kept := q.kept()
	t, roles, err := profile.Roles(t, known, q.Class, kept.Roles())
	if err != nil {
		return nil, nil, usage("%w", err)
	}
	return t, roles, nil
}

// classed refuses a class of numbers, named or suggested, which is one of categories in a plan.
func (m *merged) classed(t *table.Table) error {
	if j := t.WithRole(table.Class); j >= 0 && t.Attr(j).Kind != m.Schema[j].Kind {
		return usage("the class %q holds numbers: say with --categorical that these are categories, or fit the plan on one "+
			"machine (dither protect --plan-out) and give it with --plan", t.Attr(j).Name)
	}
	return nil
}

// nameless refuses columns that look like identifiers.
func nameless(roles []profile.Suggestion) error {
	for _, r := range roles {
		if r.Role&table.Identifier != 0 {
			return usage("column %q looks like one that names people (%s): leave it out of the release with --drop, or say "+
				"what it is with --role", r.Column, r.Reason())
		}
	}
	return nil
}
