package desk

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// shared reads what other holders released of the same columns, to which the release adds only what that lacks; nil
// where there is none, and of a plan, which holds what it needs of it.
func (l *loaded) shared(ctx context.Context) (out *table.Table, err error) {
	if l.how != nil || len(l.t.Policy.Shared) == 0 {
		return nil, nil
	}
	var parts []*table.Table
	attrs := study.WithoutIdentifiers(l.t.Table).Attrs()
	for _, path := range l.t.Policy.Shared {
		t, _, err := l.d.read(ctx, path, l.in, l.t.Policy, l.t.numbersOf(l.t.Table))
		if err == nil {
			t, err = t.Conform(attrs, true)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", nameOf(path), err)
		}
		attrs, parts = t.Attrs(), append(parts, t)
	}
	for k, t := range parts { // labels only grow
		if parts[k], err = t.Conform(attrs, false); err != nil {
			return nil, err
		}
	}
	return table.Concat(parts...)
}
