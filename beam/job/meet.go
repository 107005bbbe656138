package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Some steps of a plan need records to meet that are in several shards: those of a leaf, among whom values are dealt
// out anew. Meet writes for every such step what it must know of a shard's records, parted by their groups; Deal brings
// the records of a part together and applies the step as one machine does, whose draws are keyed by the records'
// positions and do not depend on who is at hand besides the group; and where the plan is applied to a shard, what was
// dealt stands in the place of the step.

// mostParts bounds the parts, and with them how often small files are opened; a tree has hardly more leaves that are as
// large.
const mostParts = 256

// parts is in how many parts the groups of records are worked on: as many as shards, so that a part is about as long.
func parts(shards int) int { return min(shards, mostParts) }

// meeting is a step for which records must meet, and what it draws from.
type meeting struct {
	step protect.Grouper
	src  rng.Source
}

// meetings are those of a plan, in the order of its steps.
func meetings(p protect.Plan, src rng.Source) (out []meeting) {
	without(p, src, func(e meeting) protect.Plan {
		out = append(out, e)
		return e.step
	})
	return out
}

// without returns a plan with others in the place of its steps for which records must meet in groups smaller than the
// table.
func without(p protect.Plan, src rng.Source, by func(meeting) protect.Plan) protect.Plan {
	if c, ok := p.(protect.Composite); ok {
		made := &composed{Plan: p}
		for k, s := range c.Steps() {
			made.steps = append(made.steps, without(s, src.Fork(protect.StepLabel(k)), by))
		}
		return made
	}
	g, ok := p.(protect.Grouper)
	if _, whole := p.(protect.Indivisible); !ok || whole {
		return p
	}
	if _, met := protect.Alone(p); len(met) == 0 {
		return p
	}
	return by(meeting{g, src})
}

// composed is a plan of other steps.
type composed struct {
	protect.Plan
	steps []protect.Plan
}

// Steps returns the steps.
func (c *composed) Steps() []protect.Plan { return c.steps }

// given is a step of which it is known what it releases.
type given struct {
	protect.Plan                // what it changes
	cols         []table.Column // by Changes, of all records
	first        table.RecordID // position of the first
}

// Apply returns the chunk with what is known, whose records are consecutive.
func (g *given) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if chunk.Rows() == 0 {
		return chunk, nil
	}
	lo := int(chunk.ID(0) - g.first)
	cols := chunk.Columns()
	for _, c := range g.cols {
		cols[chunk.Find(c.Name)] = c.Slice(lo, lo+chunk.Rows())
	}
	return chunk.WithColumns(cols)
}

// gathered are the columns that the step need know besides a record's leaf (protect.Gathers); ok is false for a step
// that needs all of the record.
func (e *meeting) gathered() (columns []string, ok bool) {
	_, columns, ok = protect.Gathers(e.step)
	return columns, ok
}

// layout is of a file of what the step must know: the row of a record in its shard, the leaf where that is enough with
// some columns, and columns of the schema, which are told.
func (e *meeting) layout(schema []table.Attribute) (attrs []table.Attribute, columns []int) {
	code := table.Attribute{Kind: table.Categorical}
	attrs = append(attrs, code)
	names, byLeaf := e.gathered()
	if byLeaf {
		attrs = append(attrs, code)
	}
	for j, a := range schema {
		if !byLeaf || slices.Contains(names, a.Name) {
			attrs, columns = append(attrs, a), append(columns, j)
		}
	}
	return attrs, columns
}

// Meet writes for every step for which records must meet what it must know of a shard's records. Cost: that of routing
// them.
func Meet(ctx context.Context, folder string, shard int) error {
	q, m, _, p, err := planned(folder)
	if err != nil {
		return err
	}
	all := meetings(p, rng.Source{}) // nothing is drawn here
	if len(all) == 0 {
		return nil
	}
	t, err := m.shard(folder, valuesFile(shard), p.Schema(), shard)
	if err != nil {
		return err
	}
	for k := range all {
		if err := cmp.Or(ctx.Err(), all[k].part(folder, t, k, shard, parts(len(q.Shards)))); err != nil {
			return fmt.Errorf("%s: %w", q.Shards[shard], err)
		}
	}
	return nil
}

// part writes the records part by part, in their order.
func (e *meeting) part(folder string, t *table.Table, step, shard, parts int) error {
	groups, err := e.step.Group(t)
	if err != nil {
		return err
	}
	var codes []table.Column
	if _, byLeaf := e.gathered(); byLeaf {
		leaf := make([]int32, t.Rows())
		e.step.(protect.LeafPlan).Segmentation().Trees[0].Route(t, leaf)
		codes = append(codes, table.Column{Attribute: table.Attribute{Kind: table.Categorical}, Cat: leaf})
	}
	start := make([]int, parts+1)
	for _, g := range groups {
		start[g%uint64(parts)+1]++
	}
	for k := range parts {
		start[k+1] += start[k]
	}
	rows, row, next := make([]int, t.Rows()), make([]int32, t.Rows()), slices.Clone(start)
	for i, g := range groups {
		at := &next[g%uint64(parts)]
		rows[*at], row[*at] = i, int32(i)
		*at++
	}
	_, columns := e.layout(t.Attrs())
	cols := []table.Column{{Attribute: table.Attribute{Kind: table.Categorical}, Cat: row}}
	for _, j := range columns {
		codes = append(codes, t.Column(j))
	}
	for _, c := range codes {
		cols = append(cols, c.Gather(rows))
	}
	for k := range parts {
		if lo, hi := start[k], start[k+1]; hi > lo {
			if err := bundle(folder, piece(metFile(step, shard), k), sliced(cols, lo, hi)); err != nil {
				return err
			}
		}
	}
	return write(folder, metFile(step, shard)+".json", start)
}

// sliced are columns of some of their records.
func sliced(cols []table.Column, lo, hi int) []table.Column {
	out := make([]table.Column, len(cols))
	for k := range cols {
		out[k] = cols[k].Slice(lo, hi)
	}
	return out
}

// Deal applies the steps for which records must meet to those of a part. Cost: that of the steps; of the records of a
// part what the step must know is in memory.
func Deal(ctx context.Context, folder string, part int) error {
	q, m, method, p, err := planned(folder)
	if err != nil || part >= parts(len(q.Shards)) {
		return err
	}
	src, err := q.source()
	if err != nil {
		return err
	}
	key, err := noiseKey(folder, p)
	if err != nil {
		return err
	}
	for k, e := range meetings(p, src.Fork("apply").Fork(key)) {
		if err := cmp.Or(ctx.Err(), e.deal(ctx, folder, m, p.Schema(), k, part)); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	return nil
}

// deal applies the step to the records of a part.
func (e *meeting) deal(ctx context.Context, folder string, m *merged, schema []table.Attribute, step, part int) error {
	from := []int{0} // of every shard among the records, and their number
	for k := range m.Rows {
		start, err := read[[]int](folder, metFile(step, k)+".json")
		if err != nil {
			return err
		}
		from = append(from, from[k]+start[part+1]-start[part])
	}
	n := from[len(m.Rows)]
	if n == 0 {
		return nil
	}
	t, row, leaf, err := e.gather(folder, m, schema, step, part, from)
	if err != nil {
		return err
	}
	released, err := e.apply(ctx, t, leaf)
	if err != nil {
		return err
	}
	if released.Rows() != n {
		return errors.New("it releases other records than it is given: apply the plan on one machine")
	}
	cols := []table.Column{{Attribute: table.Attribute{Kind: table.Categorical}, Cat: row}}
	var attrs []table.Attribute
	for _, name := range e.step.Changes() {
		c := released.Column(released.Find(name))
		cols, attrs = append(cols, c), append(attrs, c.Attribute)
	}
	for k := range m.Rows {
		if lo, hi := from[k], from[k+1]; hi > lo {
			if err := bundle(folder, piece(dealtFile(step, part), k), sliced(cols, lo, hi)); err != nil {
				return err
			}
		}
	}
	return write(folder, dealtFile(step, part)+".json", attrs)
}

// gather brings the records of a part together, in the order of their positions in the whole table, with their rows in
// their shards, and their leaves where the step goes by these; start says where those of a shard begin. Columns that
// the step need not know are missing.
func (e *meeting) gather(
	folder string,
	m *merged,
	schema []table.Attribute,
	step, part int,
	start []int,
) (t *table.Table, row, leaf []int32, err error) {
	attrs, columns := e.layout(schema)
	n := start[len(m.Rows)]
	ids, row, leaf := make([]table.RecordID, n), make([]int32, n), make([]int32, n)
	cols := make([]table.Column, len(schema))
	var missing table.Column
	_, byLeaf := e.gathered()
	if byLeaf {
		missing = table.Column{Num: slices.Repeat([]float64{math.NaN()}, n), Cat: slices.Repeat([]int32{-1}, n)}
	}
	for j, a := range schema {
		switch {
		case slices.Contains(columns, j):
			cols[j] = room(a, n, nil)
		case a.Kind == table.Numeric:
			cols[j] = table.Column{Attribute: a, Num: missing.Num}
		default:
			cols[j] = table.Column{Attribute: a, Cat: missing.Cat}
		}
	}
	into := []table.Column{{Attribute: attrs[0], Cat: row}}
	if byLeaf {
		into = append(into, table.Column{Attribute: attrs[1], Cat: leaf})
	}
	for _, j := range columns {
		into = append(into, cols[j])
	}
	for k := range m.Rows {
		lo, hi := start[k], start[k+1]
		if hi == lo {
			continue
		}
		if err := unbundle(folder, piece(metFile(step, k), part), sliced(into, lo, hi)); err != nil {
			return nil, nil, nil, err
		}
		for i := lo; i < hi; i++ {
			ids[i] = table.RecordID(m.First[k] + uint64(row[i]))
		}
	}
	if t, err = table.New(cols...); err != nil {
		return nil, nil, nil, err
	}
	return t.Identified(ids), row, leaf, nil
}

// apply applies the step to records that are together.
func (e *meeting) apply(ctx context.Context, t *table.Table, leaf []int32) (*table.Table, error) {
	if _, byLeaf := e.gathered(); byLeaf {
		return e.step.(protect.LeafPlan).ApplyLeaves(t, leaf, e.src)
	}
	return executor.Run(ctx, e.step, t, e.src, protect.Options{})
}

// back returns what the step releases of a shard's records, as it was dealt.
func (e *meeting) back(folder string, m *merged, step, shard int) (protect.Plan, error) {
	start, err := read[[]int](folder, metFile(step, shard)+".json")
	if err != nil {
		return nil, err
	}
	g := &given{Plan: e.step, first: table.RecordID(m.First[shard])}
	for part := range len(start) - 1 {
		if n := start[part+1] - start[part]; n > 0 {
			if err := g.take(folder, dealtFile(step, part), shard, m.Rows[shard], n); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// take puts what was dealt to n rows of a shard, of all, into their places.
func (g *given) take(folder, name string, shard, all, n int) error {
	attrs, err := read[[]table.Attribute](folder, name+".json")
	if err != nil {
		return err
	}
	some := []table.Column{room(table.Attribute{Kind: table.Categorical}, n, nil)}
	for _, a := range attrs {
		some = append(some, room(a, n, nil))
	}
	if err := unbundle(folder, piece(name, shard), some); err != nil {
		return err
	}
	for k, a := range attrs {
		if len(g.cols) == k {
			g.cols = append(g.cols, room(a, all, nil))
		}
		to, from := &g.cols[k], &some[k+1]
		if to.Kind != a.Kind || to.Step != a.Step || !slices.Equal(to.Labels, a.Labels) {
			return fmt.Errorf("what is released of column %q differs from group to group: apply the plan on one machine", a.Name)
		}
		for n, i := range some[0].Cat {
			if a.Kind == table.Numeric {
				to.Num[i] = from.Num[n]
			} else {
				to.Cat[i] = from.Cat[n]
			}
		}
	}
	return nil
}
