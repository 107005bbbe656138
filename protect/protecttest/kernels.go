package protecttest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// lawful is a plan that says the law of its noise value by value.
type lawful interface {
	protect.Plan
	noisemodel.ByColumn
}

// copies is how often each of a few records is released. Here and below, a quick run draws less than a long one: its
// tests have the same false alarm rate, and less power.
func copies() int { return long.Of(120, 2000) }

// runs is how often a table is released whose records must meet.
func runs() int { return long.Of(50, 1000) }

// watched is of how many records of these, evenly spread, the released values are counted.
func watched() int { return long.Of(10, 50) }

// kernels checks the laws that the plan, and every step of a composite, gives for the values of some records: they are
// never negative, comparable, and equal when asked for twice; they are 0 outside the attribute's domain, unless they
// tell nothing and are the same everywhere (law.Anew); columns that the plan does not change have none.
//
// Every law is compared with what is released, or the check fails. One that sums to 1 is compared with how often each
// value is released: for copies of a record, or, where records must meet (protect.Grouper), for many releases of the
// table. One that says that the release tells nothing is the same for all values, up to a factor; it is compared by
// exchanging values (tellsNothing). Any other law is wrong. A value of which the plan says that it does not perturb it
// must stay, unless its law is a joint one (noisemodel.Additive), or depends on more than the record because records
// meet.
func (s *suite) kernels() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	plans := []protect.Plan{a.p}
	if c, ok := a.p.(protect.Composite); ok {
		plans = append(plans, c.Steps()...)
	}
	for k, p := range plans {
		l, ok := p.(lawful)
		if !ok {
			continue
		}
		segments, err := segmentsOf(p, a.p, a.t)
		if err != nil {
			return err
		}
		if err := checkLaws(l, a.t, segments); err != nil {
			return fmt.Errorf("plan %d: %w", k, err)
		}
	}
	return nil
}

// segmentsOf returns the segments of the records: of the plan's segmentation or, where it has none, that of the whole.
func segmentsOf(p, whole protect.Plan, t *table.Table) ([]segment.Segment, error) {
	out := make([]segment.Segment, t.Rows())
	for _, x := range []protect.Plan{p, whole} {
		g, ok := x.(protect.Segmented)
		if !ok || g.Segmentation() == nil {
			continue
		}
		keys, number := make([]uint64, t.Rows()), make([]int32, t.Rows())
		if err := g.Segmentation().Route(t, keys); err != nil {
			return nil, err
		}
		segments := g.Segmentation().Segments(tree.Number(keys, number)...)
		for i, n := range number {
			out[i] = segments[n]
		}
		break
	}
	return out, nil
}

// checkLaws checks the laws of some records.
func checkLaws(p lawful, t *table.Table, segments []segment.Segment) error {
	releases, err := repeat(p, t, segments)
	if err != nil {
		return err
	}
	joint, err := jointly(p, releases[0].out)
	if err != nil {
		return err
	}
	_, meet := p.(protect.Grouper)
	for j := range t.Width() {
		free := meet || slices.Contains(joint, t.Attr(j).Name)
		for _, r := range releases {
			k, perturbed, err := lawOf(p, j, &segments[r.row], t, r.row)
			if err == nil && perturbed {
				err = sound(k, t, r.out.Attr(j), r.row, j)
			}
			if err == nil && !t.MissingAt(r.row, j) && (perturbed || !free) {
				err = compare(k, t, r.out, r.row, j)
			}
			if err != nil {
				return fmt.Errorf("column %q, row %d: %w", t.Attr(j).Name, r.row, err)
			}
		}
	}
	return tellsNothing(p, t, segments)
}

// repeated is what a record of the table is released as, many times.
type repeated struct {
	row int
	out *table.Table
}

// repeat releases some records many times.
func repeat(p lawful, t *table.Table, segments []segment.Segment) ([]repeated, error) {
	if _, ok := p.(protect.Grouper); ok {
		return again(p, t, segments)
	}
	rows, many := make([]int, 0, 8), make([]int, 0, 8*copies())
	for i := range 8 {
		rows = append(rows, i*t.Rows()/8)
		many = append(many, slices.Repeat(rows[i:i+1], copies())...)
	}
	all, err := table.New(t.Gather(many).Columns()...) // with identities of their own
	if err != nil {
		return nil, err
	}
	out, err := p.Apply(all, Seed(7).Fork("apply"))
	if err != nil {
		return nil, err
	}
	var rs []repeated
	for i, row := range rows {
		rs = append(rs, repeated{row, out.Slice(i*copies(), (i+1)*copies())})
	}
	return rs, nil
}

// again releases the whole table many times, if any law says how often a value is released, and else once.
func again(p lawful, t *table.Table, segments []segment.Segment) ([]repeated, error) {
	release := func(k int) (*table.Table, error) { return p.Apply(t, Seed(7).Fork(fmt.Sprint("run ", k))) }
	first, err := release(0)
	if err != nil {
		return nil, err
	}
	outs := []*table.Table{first}
	counted, err := anyCounted(p, t, first, segments)
	if err != nil {
		return nil, err
	}
	if counted {
		outs = slices.Grow(outs, runs())[:runs()]
		err = parallel.Each(context.Background(), runs()-1, func(k int) (err error) {
			outs[k+1], err = release(k + 1)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var rs []repeated
	for i := range watched() {
		row := i * t.Rows() / watched()
		cols := outs[0].Columns()
		for j := range cols {
			cols[j].Num, cols[j].Cat = nil, nil
			for _, out := range outs {
				switch cols[j].Kind {
				case table.Numeric:
					cols[j].Num = append(cols[j].Num, out.Num(j)[row])
				case table.Categorical:
					cols[j].Cat = append(cols[j].Cat, out.Cat(j)[row])
				case table.SetValued: // has no law, and the suite's table none
				}
			}
		}
		of, err := table.New(cols...)
		if err != nil {
			return nil, err
		}
		rs = append(rs, repeated{row, of})
	}
	return rs, nil
}

// anyCounted reports whether a law of a watched record is compared with how often a value is released.
func anyCounted(p lawful, t, released *table.Table, segments []segment.Segment) (bool, error) {
	for j := range t.Width() {
		for i := range watched() {
			row := i * t.Rows() / watched()
			k, perturbed, err := lawOf(p, j, &segments[row], t, row)
			if err != nil {
				return false, fmt.Errorf("column %q, row %d: %w", t.Attr(j).Name, row, err)
			}
			if perturbed && !flat(k, t, released.Attr(j), j) {
				return true, nil
			}
		}
	}
	return false, nil
}

// jointly names the columns whose law is a joint one.
func jointly(p protect.Plan, released *table.Table) (names []string, err error) {
	if a, ok := p.(noisemodel.Additive); ok {
		names, _, _, err = a.Additive(released)
	}
	return names, err
}

// lawOf asks twice for a law, with equal segments.
func lawOf(p lawful, j int, in *segment.Segment, t *table.Table, row int) (noisemodel.Kernel, bool, error) {
	of, ok := p.Law(j)
	_, also := p.Law(j)
	switch {
	case ok != also:
		return nil, false, errors.New("asked twice, the plan has a law once")
	case !ok:
		return nil, false, nil
	case !slices.Contains(p.Changes(), t.Attr(j).Name):
		return nil, false, errors.New("the plan has a law, but does not change the column")
	}
	again := segment.Segment{Num: maps.Clone(in.Num), Cat: maps.Clone(in.Cat)}
	k, other := of(in, t, row), of(&again, t, row)
	if !reflect.ValueOf(k).Comparable() || k != other {
		return nil, false, errors.New("the laws of equal situations are not equal")
	}
	if k == (noisemodel.Kept{}) {
		return nil, false, nil
	}
	return k, true, nil
}

// sound checks a law on values inside and outside the domain.
func sound(law noisemodel.Kernel, t *table.Table, a *table.Attribute, row, j int) error {
	if t.MissingAt(row, j) {
		return nil
	}
	x, probes := 0.0, []float64{-1}
	switch a.Kind {
	case table.Numeric:
		d := a.Domain
		width := d.Hi - d.Lo + a.Step
		x = t.Num(j)[row]
		probes = []float64{math.NaN(), d.Lo, a.Snap((d.Lo + d.Hi) / 2), x, d.Hi}
		flat := !slices.ContainsFunc(probes[2:], func(y float64) bool { return law.P(x, y) != law.P(x, d.Lo) })
		for _, y := range []float64{d.Lo - width, d.Lo - max(a.Step, width/10), d.Hi + max(a.Step, width/10),
			d.Hi + 1e9*width} {
			if p := law.P(x, y); p != 0 && !(flat && p == law.P(x, d.Lo)) {
				return fmt.Errorf("a value outside the domain has probability %v", p)
			}
		}
	case table.Categorical:
		x = float64(t.Cat(j)[row])
		for c := range a.Labels {
			probes = append(probes, float64(c))
		}
	case table.SetValued: // is not among the columns
	}
	for _, y := range probes {
		if p := law.P(x, y); !(p >= 0) || math.IsInf(p, 0) {
			return fmt.Errorf("a probability is %v", p)
		}
	}
	return nil
}
