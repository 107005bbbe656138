package desk

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// A release whose tables are larger than the memory is measured by what says on its card that it walks over the records
// in order (card.Card.Shards). Risks are those of some people, as of a release that is made; what else needs all
// records at hand is refused where it is asked for by name, and left out, with the reason, where everything is.

// small refuses of a release in a space what takes memory for every record, before the tables are read.
func (p *posed) small() error {
	if p.in.space == nil {
		return nil
	}
	q, how, recodes := p.q, p.how, false
	if how != nil {
		_, recodes = how.Plan.(noisemodel.Recoder)
	}
	for _, asked := range []struct {
		what string
		is   bool
	}{
		{"the record of the run (record)", q.Record != ""}, {"a hold-out (holdout)", q.Holdout != ""},
		{"earlier releases (earlier)", len(q.Said.Earlier) > 0}, {"to pair rows by a key (key)", q.Key != ""},
		{"a plan that generalises (plan)", recodes}, {"hierarchies", len(q.Said.Hierarchies()) > 0},
		{"to put records of a random order beside their originals (leave out the plan, or let rows be unpaired)",
			how != nil && how.file.Pairing != nil && how.file.Shuffled && !q.Unpaired},
	} {
		if asked.is {
			return tooLarge(nameOf(q.Path), asked.what)
		}
	}
	return nil
}

// fits refuses of a release that was read into a space what takes memory for every record.
func (l *opened) fits(rel *other) error {
	if l.in.space == nil {
		return nil
	}
	if len(l.t.Hierarchies) > 0 || len(l.t.Policy.Earlier) > 0 {
		return tooLarge(l.t.File.Name, "hierarchies or earlier releases of the policy")
	}
	if setValued(rel.Table) {
		return tooLarge(rel.file.Name, "to compare sets of items")
	}
	if astray := rel.Astray(); len(astray) > 0 {
		return tooLarge(rel.file.Name, "to hold "+strings.Join(astray, ", "))
	}
	for _, a := range l.t.Table.Attrs() {
		if a.Role&table.Identifier != 0 && rel.Find(a.Name) >= 0 {
			return tooLarge(rel.file.Name,
				fmt.Sprintf("to compare the values of the identifier %q, which the release holds,", a.Name))
		}
	}
	return nil
}

// walked leaves out of what is asked of a release in a space what is taken neither of all records in their order
// nor of some people, and refuses it where it was named.
func (b *paired) walked(a judge.Asked) (judge.Asked, error) {
	a.InPlace = len(a.Left) == 0
	if b.in.space == nil || b.r.Original.Rows() <= judgedRows {
		return a, nil
	}
	var take []study.Spec
	var refused []string
	for _, s := range a.Specs {
		switch walks := s.Measure.Shards != ""; {
		case walks || s.Measure.Side == measure.Risk && b.r.Paired:
			take = append(take, s)
			a.InPlace = a.InPlace && walks
		default:
			refused = append(refused, s.Measure.Name)
			a.Left, a.InPlace = append(a.Left, judge.LeftOut(s.Measure, judge.NeedsAll())), false
		}
	}
	if len(refused) > 0 && b.as.named {
		return a, usage(fmt.Errorf("%s: the tables are larger than the memory that they are given, and the measure needs "+
			"all records at hand: take measures that do not (%s), "+
			"give more memory, or take it of a part of the records", strings.Join(refused, ", "), strings.Join(walkers(), ", ")))
	}
	a.Specs = take
	return a, nil
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
