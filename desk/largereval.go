package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// A release whose tables are larger than the memory is measured by what says on its card that it walks over the records in order (card.Card.Shards). Risks are those of some people, as of a
// release that is made; what else needs all records at hand is refused where it is asked for by name, and left out, with the reason, where everything is.

// small refuses of a release in a space what takes memory for every record, before the tables are read.
func (q *evaluating) small(how *plan) error {
	if q.in.space == nil {
		return nil
	}
	recodes := false
	if how != nil {
		_, recodes = how.Plan.(law.Recoder)
	}
	for _, asked := range []struct {
		what string
		is   bool
	}{
		{"the record of the run (record)", q.Record != ""}, {"a hold-out (holdout)", q.Holdout != ""}, {"earlier releases (earlier)", len(q.Said.Earlier) > 0},
		{"a plan that generalises (plan)", recodes}, {"hierarchies", len(q.Said.Hierarchies()) > 0},
		{"to put records of a random order beside their originals (leave out the plan, or let rows be unpaired)", how != nil && how.file.Pairing != nil && how.file.Shuffled && !q.Unpaired},
	} {
		if asked.is {
			return tooLarge(nameOf(q.Path), asked.what)
		}
	}
	return nil
}

// released refuses of a release that was read into a space what takes memory for every record.
func (q *evaluating) released(l *Loaded, rel *table.Table) error {
	if q.in.space == nil {
		return nil
	}
	if len(l.Hierarchies) > 0 || len(l.Policy.Earlier) > 0 {
		return tooLarge(l.File.Name, "hierarchies or earlier releases of the policy")
	}
	if setValued(rel) {
		return tooLarge(nameOf(q.Released), "to compare sets of items")
	}
	if astray := rel.Astray(); len(astray) > 0 {
		return tooLarge(nameOf(q.Released), "to hold "+strings.Join(astray, ", "))
	}
	for _, a := range l.Table.Attrs() {
		if a.Role&table.Identifier != 0 && rel.Find(a.Name) >= 0 {
			return tooLarge(nameOf(q.Released), fmt.Sprintf("to compare the values of the identifier %q, which the release holds,", a.Name))
		}
	}
	return nil
}

// walked divides measures of a release in a space into those that are taken of all records, of some people, and not at all.
func (q *evaluating) walked(specs []study.Spec, r *measure.Release) (all, some []study.Spec, left []study.Measured, err error) {
	if q.in.space == nil || r.Original.Rows() <= judgedRows {
		return specs, nil, nil, nil
	}
	var refused []string
	for _, s := range specs {
		switch {
		case s.Measure.Shards != "":
			all = append(all, s)
		case s.Measure.Side == measure.Risk && r.Paired:
			some = append(some, s)
		default:
			refused = append(refused, s.Measure.Name)
			left = append(left, judge.LeftOut(s.Measure, judge.NeedsAll))
		}
	}
	if len(refused) > 0 && len(q.Measures) > 0 && !q.unchosen {
		return nil, nil, nil, usage(fmt.Errorf("%s: the tables are larger than the memory that they are given, and the measure needs all records at hand: take measures that do not (%s), "+
			"give more memory, or take it of a part of the records", strings.Join(refused, ", "), strings.Join(walkers(), ", ")))
	}
	return all, some, left, nil
}

// walkers are the measures that are taken of tables larger than the memory.
func walkers() (names []string) {
	for _, m := range catalog.Measures() {
		if m.Shards != "" {
			names = append(names, m.Name)
		}
	}
	return names
}

// measured takes measures of a release, and returns what stands for it where people are tried.
func (d *Desk) measured(ctx context.Context, q *evaluating, r *measure.Release, how *plan, specs, risks []study.Spec, lookups bool, seed rng.Seed, o *study.Outcome) (*measure.Release, error) {
	var err error
	if o.Measures, err = d.take(ctx, r, specs, seed); err != nil || q.in.space == nil {
		return r, err
	}
	part := r
	if r.Paired {
		var p protect.Plan
		if how != nil {
			p = how.Plan
		}
		if part, err = d.part(r, p, lookups || len(risks) > 0, seed, o); err != nil {
			return nil, err
		}
	}
	taken, err := d.take(ctx, part, risks, seed)
	o.Measures = slices.Concat(o.Measures, taken)
	return part, err
}
