package execute

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// once gives a value that a unit has in several records one draw: the release shows in all of them what it shows in the
// first, the one of the smallest identity. Otherwise users who know which records are one person's, or one household's,
// average the noise away. A column that is one for a household is drawn by household, any other by person.
//
// It is done for columns whose released value depends on the record alone (protect.Alone), for those that are dealt out
// inside leaves (protect.Dealer), and for those of a technique that lets records meet, where they are one for the unit.
// Where the value of the first record would take another out of its segment, that of the next one is taken, and where
// none stays in all segments, one is drawn among those that do, so the certificate holds. What is left to average is
// said in words; counts is what the technique counts of people. Cost: O(n) per column, and of a plan with segments one
// routing of the records.
func (d *draw) once(ctx context.Context, counts string) error {
	levels := unitsOf(d.original, d.order)
	if levels == nil {
		return nil
	}
	alone, met := protect.Alone(d.plan)
	_, recodes := d.plan.(noisemodel.Recoder)
	if d.released.Rows() != d.original.Rows() {
		if len(alone) > 0 && !recodes {
			d.leftOut(alone)
		}
		return nil
	}
	o := onceIn{draw: d, levels: levels}
	if err := o.dealt(ctx); err != nil {
		return err
	}
	var groups []string // columns of which groups have a value
	_, anew := d.plan.(protect.Conditional)
	if !recodes { // equal values are recoded alike as it is
		if err := o.boxed(ctx, alone, false); err != nil {
			return err
		}
		if err := o.boxed(ctx, met, true); err != nil {
			return err
		}
	}
	for _, name := range met {
		if !slices.Contains(o.once, name) && !anew { // what is drawn without regard to a record's own tells nothing of it
			groups = append(groups, name)
		}
	}
	o.tell(groups, counts)
	d.shared = o.once
	return nil
}

// follow draws the other columns of a protect.Conditional again, given those that are drawn once for a unit: a record
// that now shows what its person's first one does must not have the others from what it showed before. Cost: that of
// the plan, once more.
func (d *draw) follow(ctx context.Context, src rng.Source, opt protect.Options) error {
	p, ok := d.plan.(protect.Conditional)
	if !ok || len(d.shared) == 0 {
		return nil
	}
	t := d.original
	for _, name := range d.shared {
		var err error
		if t, err = t.WithColumn(t.Find(name), d.released.Column(d.released.Find(name))); err != nil {
			return err
		}
	}
	opt.Progress = nil // it counts the plan's own chunks
	again, err := executor.Run(ctx, p.Given(d.shared), t, src, opt)
	if err != nil {
		return err
	}
	d.released = again
	return nil
}

// onceIn is once in the making.
type onceIn struct {
	*draw
	levels []unit
	once   []string // columns that are drawn once
	vary   []bool   // of which of them some unit has several values
	n      told
}

// sharing puts the released values of a column that share a draw in. Only says that they do where the column is one of
// a unit's alone; it is left as it is otherwise.
func (o *onceIn) sharing(name string, only bool, l func(j int, c *table.Column) limits) error {
	j := o.original.Find(name)
	was, k := o.original.Column(j), o.released.Find(name)
	s := sharesOf(o.original, j, o.levels)
	if only && !s.constant {
		return nil
	}
	is := o.released.Column(k)
	stream := o.anew.Fork(name).Stream()
	c, n := share(&was, &is, s.groups, l(j, &was), func(row int) rng.Block { return stream.At(uint64(o.identity(row))) })
	var err error
	if o.released, err = o.released.WithColumn(k, c); err != nil {
		return err
	}
	o.once, o.vary = append(o.once, name), append(o.vary, s.vary)
	o.n.redrawn, o.n.kept = o.n.redrawn+n.redrawn, o.n.kept+n.kept
	return nil
}

// identity is what the draw of a row is keyed by: the same in every release of a person who recurs.
func (d *draw) identity(row int) table.RecordID {
	if d.order != nil {
		return d.order[row]
	}
	return d.original.ID(row)
}

// boxed is once for columns whose values must stay in the segments of the records.
func (o *onceIn) boxed(ctx context.Context, names []string, only bool) error {
	if len(names) == 0 {
		return nil
	}
	routes, err := o.segments(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := o.sharing(name, only, func(_ int, was *table.Column) limits {
			if routes.Of == nil {
				return nil
			}
			lo, hi := table.Range(slices.Concat(was.Num, o.released.Column(o.released.Find(name)).Num))
			domain := table.Interval{Lo: lo, Hi: hi}
			if in := domain.Intersect(was.Domain); was.Declared && !in.Empty() {
				domain = in
			}
			return &boxes{routes.Box, routes.Of, routes.Column(name), domain}
		}); err != nil {
			return err
		}
	}
	return nil
}

// dealt is once for columns that are dealt out inside leaves (protect.Dealer): a record gets any of its leaf's values,
// so what one gets serves others of the unit as well, where their leaves have it, too. Leaves then have as many of
// every value as before on average only.
func (o *onceIn) dealt(context.Context) error {
	for _, step := range protect.Dealers(o.plan) {
		leaf, err := step.Group(o.original)
		if err != nil {
			return err
		}
		for _, name := range step.Changes() {
			if err := o.sharing(name, false, func(_ int, was *table.Column) limits { return leavesOf(was, leaf) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// segments returns the segments of the originals, by row their keys; nil where the plan has none.
func (d *draw) segments(ctx context.Context) (*executor.Routes, error) {
	if d.routes == nil {
		routes, err := executor.RoutesOf(ctx, d.plan, d.original)
		if err != nil {
			return nil, err
		}
		d.routes = routes
	}
	return d.routes, nil
}
