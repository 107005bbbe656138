package desk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/segment"
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
	if rel.Table, rel.groups, err = joined(rel.Table, second.Table, l.t.Table); err != nil {
		return nil, fmt.Errorf("%s, of the two tables of a release: %w", l.q.SensitiveTable, err)
	}
	return rel, nil
}

// joined is a release in two tables (Xiao & Tao 2006, as twoTables writes them) as one, and the group of every record.
// Every record of a group has one of the group's sensitive values, which one is drawn. The draw does not depend on
// whose values they are: all that the tables tell is that the records of a group have these values together. Records
// of no group have no value, and -1 for a group. No more values are made than there are records. Cost: O(n).
func joined(rest, sensitive, original *table.Table) (*table.Table, *groups, error) {
	group, value, count, err := columnsOf(rest, sensitive, original)
	if err != nil {
		return nil, nil, err
	}
	of := rest.Num(rest.Find(group))
	room := map[float64]int{} // by group: the records whose values are still to come
	for _, g := range of {
		if g == g {
			room[g]++
		}
	}
	left := map[float64][]int32{} // by group: its values, as often as they are counted
	numbers, counts := sensitive.Num(sensitive.Find(group)), sensitive.Num(count)
	for i, code := range sensitive.Cat(value) {
		g, n := numbers[i], counts[i]
		space, known := room[g]
		switch {
		case g != g || code < 0 || n < 1 || n != math.Trunc(n):
			return nil, nil, fmt.Errorf("row %d: expected the number of a group, a value, and how many records have it", i+1)
		case !known:
			return nil, nil, fmt.Errorf("row %d: no record is in group %v", i+1, g)
		case n > float64(space):
			return nil, nil, fmt.Errorf("row %d: group %v has more values than the %d records that are in it", i+1, g,
				space+len(left[g]))
		}
		room[g] -= int(n)
		left[g] = append(left[g], slices.Repeat([]int32{code}, int(n))...)
	}
	for _, g := range of {
		if room[g] > 0 {
			return nil, nil, fmt.Errorf("group %v has %d values, and %d records are in it; expected as many", g, len(left[g]),
				room[g]+len(left[g]))
		}
	}
	codes, draw := make([]int32, len(of)), rand.New(rand.NewPCG(1, 2))
	by := &groups{column: sensitive.Attr(value).Name, of: make([]int32, len(of))}
	number := map[float64]int32{}
	for i, g := range of {
		if codes[i], by.of[i] = -1, -1; g != g {
			continue
		}
		k, known := number[g]
		if !known {
			k = int32(len(number))
			number[g] = k
		}
		by.of[i] = k
		at := draw.IntN(len(left[g]))
		last := len(left[g]) - 1
		codes[i], left[g][at] = left[g][at], left[g][last]
		left[g] = left[g][:last]
	}
	cols := slices.DeleteFunc(rest.Columns(), func(c table.Column) bool { return c.Name == group })
	c := sensitive.Column(value)
	c.Cat = codes
	out, err := table.New(append(cols, c)...)
	return out, by, err
}

// groups are those in which a release tells the values of a column.
type groups struct {
	column string
	of     []int32 // by the row of the release's file, from 0; -1 for none
}

// divide tells a release that no plan says anything of by which groups its values were dealt out. It must be known
// whose records they are.
func (g *groups) divide(r *measure.Release) error {
	if !r.Paired {
		return usage(errors.New("a release in two tables is judged by whose record is in which group: give the plan " +
			"(--plan FILE), a column that both files hold (--key COLUMN) or, where both have one order, --paired"))
	}
	of := make([]int32, r.Released.Rows())
	for i := range of {
		of[i] = g.of[r.Released.ID(i)]
	}
	r.Segments = segment.ByGroups(r.Original, []segment.Group{{Column: r.Original.Find(g.column), Of: of}})
	return nil
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
