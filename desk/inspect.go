package desk

import (
	"context"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/profile"
)

// Inspection is a table with its profile and the risk before anything is done.
type Inspection struct {
	*Loaded
	Exposure *profile.Exposure
	Repeats  int // records that repeat an earlier one in every column

	end func(error) error
}

// Close gives back what the table takes. Nothing of it may be used any more.
func (i *Inspection) Close() error {
	if i.end == nil {
		return nil
	}
	return i.end(nil)
}

// Inspect profiles a table. Its notes are returned, not told. Cost: that of the profile.
func (d *Desk) Inspect(ctx context.Context, s Source) (_ *Inspection, err error) {
	if err := s.misspelt(); err != nil {
		return nil, err
	}
	in, ctx, end, err := s.larger(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = end(err)
		}
	}()
	l, err := d.load(ctx, in)
	if err != nil {
		return nil, err
	}
	e, err := profile.Expose(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	n, err := profile.Repeats(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	return &Inspection{l, e, n, end}, nil
}

// Notes returns what a reader of the table should know, and what is probably not meant as it stands.
func (i *Inspection) Notes() []string {
	notes := append(i.Loaded.Notes(), i.Profile.Doubts()...)
	for _, n := range []string{i.ClassNote().Text, i.leftOut(i.Policy.Pseudonymised()), i.repeating(), i.weighing()} {
		if n != "" {
			notes = append(notes, n)
		}
	}
	if i.Repeats > 0 {
		notes = append(notes, numeral.Verb(i.Repeats, "record", "repeats", "repeat")+" an earlier one in every column")
	}
	return notes
}
