package study

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// execute applies the plan. Where people recur, what can be kept of each is, and it is said what cannot.
func (p *Protected) execute(ctx context.Context, q *Request, seed, fresh rng.Source) (err error) {
	if !q.Recur {
		p.Released, err = protect.Execute(ctx, p.Plan, p.Original, fresh, q.Options)
		return err
	}
	j := q.Table.WithRole(table.Person)
	if j < 0 {
		return errors.New("people recur, and no column tells persons apart: give one the role person")
	}
	person, unnamed := q.Table.Column(j), 0
	for i := range q.Table.Rows() {
		if person.MissingAt(i) {
			unnamed++
		}
	}
	if unnamed > 0 {
		return fmt.Errorf("people recur, and column %q names nobody in %s: leave out what has no name, or say whose it is", person.Name, numeral.Counted(unnamed, "record"))
	}
	if p.Released, p.order, err = protect.ExecuteRecurring(ctx, p.Plan, p.Original, protect.Recur{Person: person, Seed: seed}, fresh, q.Options); err != nil {
		return fmt.Errorf("%s: %w", q.Method.Name, err)
	}
	kept, met, _ := protect.Recurring(p.Plan)
	if len(kept) > 0 {
		p.Notes = append(p.Notes, "people recur: by this seed and plan a person's value is released alike in every release as long as it stays, so that several releases tell no more of it than one, in "+
			strings.Join(kept, ", ")+"; that it changed can be seen, and what changes is drawn anew each time, so a value that moves a little every time averages out")
	}
	if len(met) > 0 {
		p.OfPeople = append(p.OfPeople, ofPeople("Over several releases noise averages out", "people recur, and what is done to a value depends on the other records and is drawn anew in each release, in "+strings.Join(met, ", ")))
	}
	return nil
}
