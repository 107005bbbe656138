package protecttest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// wellDrawn checks a release whose records stand for nobody: numbered from 0, every value one that its attribute may
// have.
func wellDrawn(p protect.Plan, out *table.Table) error {
	if err := protect.Conforms(out, p.Schema()); err != nil {
		return fmt.Errorf("the release: %w", err)
	}
	for i := range out.Rows() {
		if out.ID(i) != table.RecordID(i) {
			return fmt.Errorf("record %d of the release has number %d", i, out.ID(i))
		}
		for j := range out.Width() {
			if out.MissingAt(i, j) {
				continue
			}
			if err := possible(&p.Schema()[j], out, i, j); err != nil {
				return fmt.Errorf("column %q, record %d: %w", out.Attr(j).Name, i, err)
			}
		}
	}
	return nil
}

// synthesis checks a plan that draws new records: whatever the table is that it is applied to, and whatever the chunks
// of blank records hold besides their numbers and whose they are, the release is the same; it has as many records as
// were asked for.
func (s *suite) synthesis() error {
	a, err := s.plan()
	if err != nil || !protect.Synthetic(a.p) {
		return err
	}
	if a.out.Rows() != a.t.Rows() {
		return fmt.Errorf("%d records are drawn, expected as many as the table has, %d", a.out.Rows(), a.t.Rows())
	}
	if err := s.ignores(a); err != nil {
		return err
	}
	p, err := s.fit(context.Background(), a.t, 1, map[string]string{protect.RowsName: "37"})
	if err != nil {
		return err
	}
	out, err := apply(p, a.t, 1)
	if err == nil && out.Rows() != 37 {
		err = fmt.Errorf("%d records are drawn, expected 37", out.Rows())
	}
	if err != nil {
		return err
	}
	if err := wellDrawn(p, out); err != nil {
		return err
	}
	return s.units(a)
}

// ignores gives the plan other tables, and parts of blank records that hold the values of people.
func (s *suite) ignores(a *planned) error {
	for _, t := range []*table.Table{a.t.Slice(0, 0), a.t.Slice(3, 90), a.t.Gather(make([]int, 600))} {
		out, err := apply(a.p, t, 1)
		if err == nil {
			err = equal(a.out, out)
		}
		if err != nil {
			return fmt.Errorf("another table of %d records: %w", t.Rows(), err)
		}
	}
	blank, err := a.p.(protect.Synthesiser).Blank(Seed(1).Fork("apply"))
	if err != nil {
		return err
	}
	for j := range blank.Width() {
		for i := range blank.Rows() {
			if !blank.MissingAt(i, j) {
				return fmt.Errorf("a blank record has a value in column %q", blank.Attr(j).Name)
			}
		}
	}
	full := a.t.Identified(identities(blank)).Owned(blank.Owners()) // the suite's plans draw as many
	for _, t := range []*table.Table{blank, full} {
		part, err := parts(a.p, t)
		if err != nil {
			return err
		}
		var outs []*table.Table
		for _, rows := range part {
			out, err := a.p.Apply(t.Gather(rows), Seed(1).Fork("apply"))
			if err != nil {
				return fmt.Errorf("a part of %d blank records: %w", len(rows), err)
			}
			outs = append(outs, out)
		}
		joined, err := table.Concat(outs...)
		if err == nil {
			err = equal(a.out, joined)
		}
		if err != nil {
			return fmt.Errorf("in parts: %w", err)
		}
	}
	return nil
}

func identities(t *table.Table) []table.RecordID {
	ids := make([]table.RecordID, t.Rows())
	for i := range ids {
		ids[i] = t.ID(i)
	}
	return ids
}

// units checks that people of several records are drawn as such: columns that are one for a person are, the release
// says whose its records are, they have as many each as people had, and any chunks give the same release. A technique
// that draws records of their own says so of each person (Owners is nil).
func (s *suite) units(a *planned) error {
	t, n := visitors(a.t)
	p, err := s.fit(context.Background(), t, 1, nil)
	if err != nil {
		return fmt.Errorf("fit where people have several records: %w", err)
	}
	out, err := apply(p, t, 1)
	if err != nil {
		return err
	}
	if err := wellDrawn(p, out); err != nil {
		return err
	}
	for _, opt := range []protect.Options{{Chunk: 7, Workers: 2}, {Chunk: 64, Workers: 1}} {
		again, err := executor.Run(context.Background(), p, t, Seed(1).Fork("apply"), opt)
		if err == nil {
			err = equal(out, again)
		}
		if err != nil {
			return fmt.Errorf("people in chunks of %d: %w", opt.Chunk, err)
		}
	}
	of, people := out.People()
	if of == nil {
		return nil
	}
	if mean, was := float64(out.Rows())/float64(people), float64(t.Rows())/float64(n); math.Abs(mean-was) > was/4 {
		return fmt.Errorf("a person drawn has %.2f records, one of the table %.2f", mean, was)
	}
	for _, name := range []string{"city", "temperature"} { // constant in a person
		if j := out.Find(name); out.LevelOf(j) != table.OfPerson {
			return fmt.Errorf("column %q is one for a person, and is not in the release", name)
		}
	}
	if j := out.Find("score"); j >= 0 && out.LevelOf(j) == table.OfPerson {
		return errors.New("a column that varies in a person does not in the release")
	}
	return nil
}

// visitors returns a table in which people have one to four records each, in which two columns are one for a person,
// and how many people there are.
func visitors(t *table.Table) (*table.Table, int) {
	r := rand.New(rand.NewPCG(6, 1))
	var rows, first []int
	var whose []int32
	people := 160
	for p := range people {
		own := r.IntN(t.Rows())
		for range 1 + r.IntN(4) {
			rows, first, whose = append(rows, r.IntN(t.Rows())), append(first, own), append(whose, int32(p))
		}
	}
	out := t.Gather(rows).From(0)
	same := t.Gather(first)
	for _, name := range []string{"city", "temperature"} {
		if j := out.Find(name); j >= 0 {
			var err error
			if out, err = out.WithColumn(j, same.Column(j)); err != nil {
				panic(err)
			}
		}
	}
	return out.Owned(whose), people
}
