package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// few is the share of changed values below which a perturbed column is called nearly unchanged: three of four of its values are those of
// the original.
const few = 0.25

// lookedUp counts the people who can still be looked up in the release: by the quasi-identifiers that changed in fewer than half of the
// records they are alone in the original and in the release, and it shows these values of theirs unchanged. A missing value counts as a
// value of its own, so who shows the same as a record of which something was suppressed is not alone. It returns the names of those
// quasi-identifiers; without any, nobody is counted. Rows must be paired. Cost: O(n) per quasi-identifier.
func lookedUp(ctx context.Context, original, released *table.Table) (people int, by []string, err error) {
	var steady []int
	for j := range original.Width() {
		if original.Attr(j).Role&table.Quasi != 0 && changed(original, j, released, j) < 0.5 {
			steady = append(steady, j)
			by = append(by, original.Attr(j).Name)
		}
	}
	if steady == nil || original.Rows() == 0 {
		return 0, nil, nil
	}
	alone, err := profile.Alone(ctx, original, steady)
	if err != nil {
		return 0, nil, err
	}
	still, err := profile.Alone(ctx, released, steady)
	if err != nil {
		return 0, nil, err
	}
	for i := range alone {
		if alone[i] && still[i] && unchanged(original, released, i, steady) {
			people++
		}
	}
	return people, by, nil
}

func unchanged(a, b *table.Table, row int, columns []int) bool {
	for _, j := range columns {
		if x, y := a.Column(j), b.Column(j); !x.Same(row, &y, row) {
			return false
		}
	}
	return true
}

// warnings says what a custodian must know before the release leaves the house: whom it still shows, and which columns are nearly the original.
func (p *Protected) warnings(ctx context.Context) ([]string, error) {
	people, by, err := lookedUp(ctx, p.Matched, p.Released)
	if err != nil {
		return nil, err
	}
	var out []string
	if people > 0 {
		out = append(out, fmt.Sprintf("%d of %d people can still be looked up by %s: nobody else has their values, in the original or in the release, which shows them unchanged; drop or coarsen these columns, or choose a stronger setting",
			people, p.Original.Rows(), strings.Join(by, ", ")))
	}
	if names := strange(p.Original, p.Plan.Changes()); names != nil {
		out = append(out, fmt.Sprintf("left alone, since the technique knows numbers and categories only: %s; what these columns tell of a person is in no risk",
			strings.Join(names, ", ")))
	}
	var barely, raw []string
	for _, c := range p.Changes {
		j := p.Original.Find(c.Column)
		switch {
		case j < 0:
		case c.Action != keptAction && c.Changed < few:
			barely = append(barely, c.Column)
		case c.Action == keptAction && p.Original.Attr(j).Role&(table.Quasi|table.Confidential) != 0:
			raw = append(raw, c.Column)
		}
	}
	if len(raw) > 0 {
		out = append(out, fmt.Sprintf("released as they are, though quasi-identifiers or confidential: %s", strings.Join(raw, ", ")))
	}
	if len(barely) > 0 {
		out = append(out, fmt.Sprintf("at least three of four values are those of the original in %s", strings.Join(barely, ", ")))
	}
	return slices.Clip(out), nil
}

// strange returns the columns, each with its kind, that are neither numbers nor categories and not among the changed ones.
func strange(t *table.Table, changes []string) (names []string) {
	for j := range t.Width() {
		if a := t.Attr(j); !a.Kind.Scalar() && !slices.Contains(changes, a.Name) {
			names = append(names, fmt.Sprintf("%s (%s)", a.Name, a.Kind))
		}
	}
	return names
}
