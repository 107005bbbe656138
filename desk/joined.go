package desk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/table"
)

// both reads a release, with its sensitive table where it went out as two.
func (l *opened) both(ctx context.Context, want expected) (*other, error) {
	rel, err := l.compared(ctx, l.q.Released, want)
	if err != nil || l.q.SensitiveTable == "" {
		return rel, err
	}
	if l.in.space != nil {
		return nil, tooLarge(rel.file.Name, "to join the tables of a release")
	}
	second, err := l.compared(ctx, l.q.SensitiveTable, want)
	if err != nil {
		return nil, err
	}
	if rel.Table, err = joined(rel.Table, second.Table, l.t.Table); err != nil {
		return nil, fmt.Errorf("%s, of the two tables of a release: %w", l.q.SensitiveTable, err)
	}
	return rel, nil
}

// joined is a release in two tables (Xiao & Tao 2006, as twoTables writes them) as one: every record of a group has one
// of the group's sensitive values, which one is drawn. The draw does not depend on whose values they are: all that the
// tables tell is that the records of a group have these values together. Records of no group have none. Cost: O(n).
func joined(rest, sensitive, original *table.Table) (*table.Table, error) {
	group, value, count, err := columnsOf(rest, sensitive, original)
	if err != nil {
		return nil, err
	}
	left := map[float64][]int32{} // by group: its values, as often as they are counted
	groups, counts := sensitive.Num(sensitive.Find(group)), sensitive.Num(count)
	for i, code := range sensitive.Cat(value) {
		n := counts[i]
		if groups[i] != groups[i] || code < 0 || n != float64(int(n)) || n < 1 || n > float64(rest.Rows()) {
			return nil, fmt.Errorf("row %d: expected the number of a group, a value, and how many records have it", i+1)
		}
		left[groups[i]] = append(left[groups[i]], slices.Repeat([]int32{code}, int(n))...)
	}
	of := rest.Num(rest.Find(group))
	size := map[float64]int{}
	for _, g := range of {
		size[g]++
	}
	for _, g := range of {
		if g == g && len(left[g]) != size[g] {
			return nil, fmt.Errorf("group %v has %d values, and %d records are in it; expected as many", g, len(left[g]),
				size[g])
		}
	}
	for i, g := range groups {
		if size[g] == 0 {
			return nil, fmt.Errorf("row %d: no record is in group %v", i+1, g)
		}
	}
	codes, draw := make([]int32, len(of)), rand.New(rand.NewPCG(1, 2))
	for i, g := range of {
		if codes[i] = -1; g == g {
			at := draw.IntN(len(left[g]))
			last := len(left[g]) - 1
			codes[i], left[g][at] = left[g][at], left[g][last]
			left[g] = left[g][:last]
		}
	}
	cols := slices.DeleteFunc(rest.Columns(), func(c table.Column) bool { return c.Name == group })
	c := sensitive.Column(value)
	c.Cat = codes
	return table.New(append(cols, c)...)
}

// columnsOf finds the column that both tables have, the groups, and in the sensitive one the column of the values,
// which the original has, and that of the counts.
func columnsOf(rest, sensitive, original *table.Table) (group string, value, count int, err error) {
	value, count = -1, -1
	for j := range sensitive.Width() {
		a := sensitive.Attr(j)
		switch k := rest.Find(a.Name); {
		case k >= 0 && a.Kind == table.Numeric && rest.Attr(k).Kind == table.Numeric:
			group = a.Name
		case k < 0 && a.Kind == table.Categorical && original.Find(a.Name) >= 0:
			value = j
		case k < 0 && a.Kind == table.Numeric:
			count = j
		}
	}
	if sensitive.Width() != 3 || group == "" || value < 0 || count < 0 {
		return "", 0, 0, errors.New("expected three columns: the numbers of the groups, under the name that they have " +
			"beside the records, a column of categories of the original, and how many records have each value (as protect " +
			"--sensitive-table-out writes it)")
	}
	return group, value, count, nil
}
