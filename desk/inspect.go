package desk

import (
	"context"

	"github.com/dither-data/dither/profile"
)

// Inspection is a table with its profile and the risk before anything is done.
type Inspection struct {
	*Loaded
	Exposure *profile.Exposure
}

// Inspect profiles a table. Its notes are returned, not told. Cost: that of the profile.
func (d *Desk) Inspect(ctx context.Context, s Source) (*Inspection, error) {
	l, err := d.Load(ctx, s)
	if err != nil {
		return nil, err
	}
	e, err := profile.Expose(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	return &Inspection{l, e}, nil
}
