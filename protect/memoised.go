package protect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Memoised is a plan that can release a person's value alike as often as it is released, so that several releases tell no more of it than one: memoisation, the permanent
// randomised response of Erlingsson, Pihur & Korolova (2014, section 3). What is released of a column depends on nothing but the plan, the values that its draws are keyed
// by (table.Table.Draws of these columns), and the law that table.Table.DrawsIn is told of.
type Memoised interface {
	Plan
	// Memoised reports whether the draws of this plan are keyed so.
	Memoised() bool
}

// Recurring returns the columns of a plan that can be memoised, those that cannot because records meet in them, and those that cannot because their draws are not keyed, in the
// order of Changes. What is recoded without a draw is in none of them.
func Recurring(p Plan) (kept, met, lack []string) {
	alone, met := Alone(p)
	if _, recodes := p.(law.Recoder); recodes {
		return nil, met, nil
	}
	for _, name := range alone {
		if memoises(p, name) {
			kept = append(kept, name)
		} else {
			lack = append(lack, name)
		}
	}
	return kept, met, lack
}

// memoises reports whether all that changes a column is memoised.
func memoises(p Plan, column string) bool {
	inner := []Plan(nil)
	switch w := p.(type) {
	case Composite:
		inner = w.Steps()
	case Wrapper:
		inner = w.Inner()
	default:
		m, ok := p.(Memoised)
		return ok && m.Memoised()
	}
	return !slices.ContainsFunc(inner, func(s Plan) bool { return slices.Contains(s.Changes(), column) && !memoises(s, column) })
}

// Recur says whose the records are and where memoised draws come from.
type Recur struct {
	Person table.Column // by row of the table; nothing may be missing
	Seed   rng.Source
}

// ExecuteRecurring is Execute where people recur: a column that can be memoised (Recurring) is released as the person's value was before, under the same plan and seed, in
// whatever table it stood. All other draws come from src, as those of Execute. Order orders the records of a person whatever table they stand in; nil where nothing is memoised. A plan
// with a column that draws and can neither be memoised nor meets others, or with none that can be memoised, is an error. Cost: for each value two AES
// blocks, and the plan is applied once more where not all of its columns are memoised.
func ExecuteRecurring(ctx context.Context, p Plan, t *table.Table, r Recur, src rng.Source, opt Options) (out *table.Table, order []table.RecordID, err error) {
	kept, _, lack := Recurring(p)
	if err := recurs(p, kept, lack); err != nil {
		return nil, nil, err
	}
	out = t
	if len(kept) < len(p.Changes()) || len(kept) == 0 {
		if out, err = Execute(ctx, p, t, src, opt); err != nil || len(kept) == 0 {
			return out, nil, err
		}
		opt.Progress = nil
	}
	k, err := keyOf(ctx, p, t, &r, kept, src)
	if err != nil {
		return nil, nil, err
	}
	again, err := Execute(ctx, p, k.table, k.seed.Fork("draw"), opt)
	if err != nil {
		return nil, nil, err
	}
	if again.Rows() != t.Rows() || out.Rows() != t.Rows() {
		return nil, nil, errors.New("a technique that leaves out records cannot keep what is released of a person's values")
	}
	out, err = replace(out, kept, func(j int) (table.Column, error) { return again.Column(j).Unkeyed(), nil })
	order, _ = k.table.Draws(k.columns...)
	return out, order, err
}

// recurs refuses a plan that draws for a column anew in each release although no records meet there, and one without a column to memoise.
func recurs(p Plan, kept, lack []string) error {
	if len(lack) > 0 {
		return fmt.Errorf("people recur, and what it draws for %s cannot be kept for each person, so over several releases its noise would average out; take another technique (dither methods), or leave out recur",
			strings.Join(lack, ", "))
	}
	if _, recodes := p.(law.Recoder); len(kept) == 0 && !recodes {
		return errors.New("people recur, and it has no noise that could be kept for each person: what it does to a value depends on the other records; take another technique (dither methods), or leave out recur")
	}
	return nil
}
