package executor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Recur says whose the records are and where memoised draws come from.
type Recur struct {
	Person table.Column // by row of the table; nothing may be missing
	Seed   rng.Source
}

// Recurring is Run where people recur: a column that can be memoised (protect.Recurring) is released as the person's
// value was before, under the same plan and seed, in whatever table it stood. All other draws come from src, as those
// of Run. Order orders the records of a person whatever table they stand in; nil where nothing is memoised. A plan with
// a column that draws and can neither be memoised nor meets others, or with none that can be memoised, is an error.
// Cost: for each value two AES blocks, and the plan is applied once more where not all of its columns are memoised.
func Recurring(
	ctx context.Context,
	p protect.Plan,
	t *table.Table,
	r Recur,
	src rng.Source,
	opt protect.Options,
) (out *table.Table, order []table.RecordID, err error) {
	kept, _, lack := protect.Recurring(p)
	if err := recurs(p, kept, lack); err != nil {
		return nil, nil, err
	}
	out = t
	if len(kept) < len(p.Changes()) || len(kept) == 0 {
		if out, err = Run(ctx, p, t, src, opt); err != nil || len(kept) == 0 {
			return out, nil, err
		}
		opt.Progress = nil
	}
	k, err := keyOf(ctx, p, t, &r, kept, src)
	if err != nil {
		return nil, nil, err
	}
	again, err := Run(ctx, p, k.table, k.seed.Fork("draw"), opt)
	if err != nil {
		return nil, nil, err
	}
	if again.Rows() != t.Rows() || out.Rows() != t.Rows() {
		return nil, nil, errors.New("a technique that leaves out records cannot keep what is released of a person's values")
	}
	out, err = replace(out, kept, func(j int) (table.Column, error) { return again.Column(j).Unkeyed(), nil })
	order, _ = k.table.NoiseKeys(k.columns...)
	return out, order, err
}

// recurs refuses a plan that draws for a column anew in each release although no records meet there, and one without a
// column to memoise.
func recurs(p protect.Plan, kept, lack []string) error {
	if len(lack) > 0 {
		return fmt.Errorf("people recur, and what it draws for %s cannot be kept for each person, so over several releases "+
			"its noise would average out; take another technique (dither methods), or leave out recur",
			strings.Join(lack, ", "))
	}
	if _, recodes := p.(noisemodel.Recoder); len(kept) == 0 && !recodes {
		return errors.New("people recur, and it has no noise that could be kept for each person: what it does to a value " +
			"depends on the other records; take another technique (dither methods), or leave out recur")
	}
	return nil
}
