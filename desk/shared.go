package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// cache is what other holders released of the same columns.
type cache struct {
	table *table.Table // nil for nothing
	sums  []string     // digests of the files
}

// shared reads what other holders released, to which the release adds only what that lacks; nothing where there is a
// plan, which holds what it needs of it.
func (l *loaded) shared(ctx context.Context) (*table.Table, error) {
	if l.how != nil {
		return nil, nil
	}
	s, err := l.d.shared(ctx, l.in, l.t)
	return s.table, err
}

// shared reads what the policy of a table says that other holders released.
func (d *Desk) shared(ctx context.Context, in reader, l *Loaded) (out cache, err error) {
	own := study.WithoutIdentifiers(l.Table)
	if len(l.Policy.Shared) == 0 || own == nil { // nothing is left to release, which is said later
		return out, nil
	}
	var parts []*table.Table
	attrs := own.Attrs()
	for _, path := range l.Policy.Shared {
		t, info, err := d.read(ctx, path, in, l.Policy, l.numbersOf(l.Table))
		if err == nil {
			t, err = t.Conform(attrs, true)
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", nameOf(path), err)
		}
		attrs, parts, out.sums = t.Attrs(), append(parts, t), append(out.sums, info.SHA256)
	}
	for k, t := range parts { // labels only grow
		if parts[k], err = t.Conform(attrs, false); err != nil {
			return out, err
		}
	}
	out.table, err = table.Concat(parts...)
	return out, err
}

// sharing returns the candidates that add to what others shared. One that is named and does not is refused.
func sharing(all []search.Candidate, named bool) ([]search.Candidate, error) {
	shares := func(c search.Candidate) bool {
		_, can := c.Method.New().(protect.Sharing)
		return can
	}
	for _, c := range all {
		if named && !shares(c) {
			return nil, &Usage{Field: "method", Value: c.Method.Name, Err: fmt.Errorf("%s adds nothing to what others "+
				"shared: choose among %s, or leave that out (shared)", c.Method.Name, strings.Join(sharers(), ", "))}
		}
	}
	return slices.DeleteFunc(all, func(c search.Candidate) bool { return !shares(c) }), nil
}

// sharers are the techniques that add to what others shared.
func sharers() (names []string) {
	for _, m := range catalog.Methods() {
		if _, can := m.New().(protect.Sharing); can {
			names = append(names, m.Name)
		}
	}
	return names
}
