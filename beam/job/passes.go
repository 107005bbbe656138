package job

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// A technique that is fitted from aggregates (protect.Aggregated) asks for them pass by pass. Ask runs its fit with the
// answers of the passes before, up to the first question without one, and keeps that question; Take answers it for a
// shard; Sum adds up the answers of some shards, and the next Ask those sums. So a question is asked by the code that
// asks it on one machine, and nobody reads more than a shard, or the sums of as many shards as there are sums.

// mostPasses is how many passes a plan may take. Four are of the baseline and of columns that outliers stretch, four of
// trees and what is counted in their leaves.
const mostPasses = 12

// Passes is how many passes the stages of a job that was checked have room for; 0 for a plan that is given, and for a
// technique that is fitted on one machine.
func (q *Job) Passes() int {
	if q.Plan != "" || q.Inspect {
		return 0
	}
	m, err := catalog.Method(q.Method)
	if err != nil {
		return 0
	}
	if _, ok := m.New().(protect.Aggregated); !ok {
		return 0
	}
	return mostPasses
}

const rolesFile = "roles.json"

func askFile(pass int) string          { return fmt.Sprintf("ask-%02d", pass) }
func takenFile(pass, shard int) string { return fmt.Sprintf("taken-%02d-%05d", pass, shard) }
func sumFile(pass, group int) string   { return fmt.Sprintf("sum-%02d-%05d", pass, group) }

func init() {
	for _, a := range aggregate.Kinds() {
		gob.Register(a)
	}
	gob.Register(&tree.Forest{})
}

// send writes aggregates.
func send(folder, name string, of []aggregate.Aggregate) error {
	for _, a := range of {
		if s, ok := a.(*aggregate.Sample); ok {
			if err := s.Pack(); err != nil {
				return err
			}
		}
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(of); err != nil {
		return err
	}
	return put(store.Join(folder, name), store.Bytes(data.Bytes()))
}

// receive reads aggregates.
func receive(folder, name string) (of []aggregate.Aggregate, err error) {
	data, err := fetch(folder, name)
	if err != nil {
		return nil, err
	}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&of); err != nil {
		return nil, damaged(name)
	}
	return of, nil
}

// group is how many shards are summed by one Sum, which is about as many as there are sums.
func (q *Job) group() int { return int(math.Ceil(math.Sqrt(float64(len(q.Shards))))) }

// groups is how many sums there are.
func (q *Job) groups() int { return (len(q.Shards) + q.group() - 1) / q.group() }

// asked reports whether a pass has a question.
func asked(ctx context.Context, folder string, pass int) (bool, error) {
	return store.Exists(ctx, store.Join(folder, askFile(pass)))
}

// Ask runs the fit with the answers of the passes before this one. It keeps the question of this pass or, where there
// is none left, the plan. Pass Passes is that of the last answers.
func Ask(ctx context.Context, folder string, pass int) error {
	q, m, err := begun(folder)
	if err != nil || q.Passes() == 0 {
		return err
	}
	if pass > 0 {
		if more, err := asked(ctx, folder, pass-1); err != nil || !more {
			return err // the plan is there
		}
	}
	src, err := q.source()
	if err != nil {
		return err
	}
	if pass == 0 {
		if err := q.findRoles(ctx, folder, m); err != nil {
			return err
		}
	}
	schema, err := m.roled(folder)
	if err != nil {
		return err
	}
	var question []aggregate.Aggregate
	next := 0
	r := aggregate.New(schema, m.records(), src.Fork("fit"), func(ctx context.Context, of []aggregate.Aggregate) error {
		if next == pass {
			question = of
			return errAsked
		}
		next++
		for g := range q.groups() {
			sum, err := receive(folder, sumFile(next-1, g))
			if err == nil {
				err = aggregate.Merge(of, sum)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	switch err := q.fit(ctx, folder, r); {
	case question == nil:
		return err
	case pass == q.Passes():
		return fmt.Errorf("%s is not fitted after %d passes: fit it to a part, and give the plan with --plan", q.Method, pass)
	}
	return send(folder, askFile(pass), question)
}

// errAsked ends a fit that has asked.
var errAsked = errors.New("the shards have not answered yet")

// fit fits the technique and keeps the plan.
func (q *Job) fit(ctx context.Context, folder string, r *aggregate.Records) error {
	if j := r.Schema.WithRole(table.Class); j >= 0 {
		counts, err := r.Counts(ctx, []int{j})
		if err != nil {
			return err
		}
		values := len(slices.DeleteFunc(slices.Clone(counts[0]), func(n int) bool { return n == 0 }))
		if err := profile.CheckClassValues(r.Schema.Attr(j), values, r.Rows); err != nil {
			return err
		}
	}
	method, err := catalog.Method(q.Method)
	if err != nil {
		return err
	}
	if err := drift.Ask(ctx, r); err != nil { // before trees are grown, and grown again in every pass
		return err
	}
	p, params, err := study.FitAggregates(ctx, study.Request{Method: method, Set: q.Set}, r)
	if err != nil {
		return err
	}
	base, err := drift.From(ctx, r, segmentsOf(p))
	if err != nil {
		return err
	}
	return q.keepPlan(folder, r.Schema, p, params, base)
}

// Take answers the question of a pass for a shard.
func Take(ctx context.Context, folder string, pass, shard int) error {
	if more, err := asked(ctx, folder, pass); err != nil || !more {
		return err
	}
	q, m, err := begun(folder)
	if err != nil {
		return err
	}
	src, err := q.source()
	if err != nil {
		return err
	}
	of, err := receive(folder, askFile(pass))
	if err != nil {
		return err
	}
	t, err := m.shard(folder, valuesFile(shard), m.Schema, shard)
	if err != nil {
		return err
	}
	part := aggregate.Part{Table: t, First: int(m.First[shard]), Source: src.Fork("fit")}
	if err := aggregate.Add(of, part); err != nil {
		return err
	}
	return send(folder, takenFile(pass, shard), of)
}

// Sum adds up the answers of a group of shards. There are no more groups than shards; of others there is nothing to
// add up.
func Sum(ctx context.Context, folder string, pass, group int) error {
	if more, err := asked(ctx, folder, pass); err != nil || !more {
		return err
	}
	q, err := jobOf(folder)
	if err != nil || group >= q.groups() {
		return err
	}
	sum, err := receive(folder, askFile(pass))
	if err != nil {
		return err
	}
	for k := group * q.group(); k < min((group+1)*q.group(), len(q.Shards)); k++ {
		of, err := receive(folder, takenFile(pass, k))
		if err == nil {
			err = aggregate.Merge(sum, of)
		}
		if err != nil {
			return err
		}
	}
	return send(folder, sumFile(pass, group), sum)
}

// records is how many records the table has.
func (m *merged) records() (n int) {
	for _, rows := range m.Rows {
		n += rows
	}
	return n
}

// findRoles keeps the roles of all columns. Where the job names them all nothing else is asked; roles that names and
// values suggest are found in the columns of all shards, on one machine.
func (q *Job) findRoles(ctx context.Context, folder string, m *merged) error {
	keep := func(_ context.Context, _ *table.Table, roles []profile.Suggestion) error {
		of := make([]table.Role, len(roles))
		for j, r := range roles {
			of[j] = r.Role
		}
		return write(folder, rolesFile, of)
	}
	known := &profile.Profile{Rows: m.records()}
	for _, a := range m.Schema {
		if _, given := q.Roles[a.Name]; !given {
			return q.look(ctx, folder, m, keep)
		}
		known.Columns = append(known.Columns, profile.Column{Name: a.Name, Kind: a.Kind.String()})
	}
	t, err := m.roled("")
	if err != nil {
		return err
	}
	t, roles, err := q.withRoles(t, known)
	if err == nil {
		err = m.classed(t)
	}
	if err != nil {
		return err
	}
	return keep(ctx, t, roles)
}

// roled returns a table without records, with the roles that were found in a folder; none in none.
func (m *merged) roled(folder string) (*table.Table, error) {
	roles := make([]table.Role, len(m.Schema))
	if folder != "" {
		var err error
		if roles, err = read[[]table.Role](folder, rolesFile); err != nil {
			return nil, err
		}
	}
	cols := make([]table.Column, len(m.Schema))
	for j, a := range m.Schema {
		a.Role = roles[j]
		cols[j] = room(a, 0, nil)
	}
	return table.New(cols...)
}
