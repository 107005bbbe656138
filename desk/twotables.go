package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// splits refuses two tables of a technique that makes one.
func (q *ProtectRequest) splits(m protect.Method) error {
	switch {
	case q.SensitiveOut == "" || m.Name == "":
		return nil
	case q.SensitiveOut == standardOutput:
		return usage(errors.New("the sensitive table needs a file; - stands for the release alone"))
	case slices.Contains(m.Claims, protect.SplitsColumn):
		return nil
	}
	var names []string
	for _, o := range catalog.Methods() {
		if slices.Contains(o.Claims, protect.SplitsColumn) {
			names = append(names, o.Name)
		}
	}
	return &Usage{Field: "method", Value: m.Name, Err: fmt.Errorf("%s releases one table; with a sensitive table beside "+
		"it: %s", m.Name, strings.Join(names, ", "))}
}

// Names of the columns that a release in two tables has besides those of the original, as Xiao & Tao 2006 call them. A
// name that is taken gets a line behind it.
const (
	groupColumn = "group_id"
	countColumn = "count"
)

// twoTables splits what is written of a release: all columns but the sensitive one, with the number of the group of
// each record, and the values of the sensitive one by group with their counts. Groups are numbered in the order of
// the records that are written, and a record of no group has no number. Cost: O(n log n).
func twoTables(made *study.Protected, out *table.Table, rel *measure.Release) (
	rest, sensitive *table.Table, err error,
) {
	p, ok := made.Plan.(protect.TwoTables)
	if !ok {
		return nil, nil, errors.New("the plan releases one table")
	}
	j := out.Find(p.Separate())
	if j < 0 {
		return nil, nil, fmt.Errorf("the release has no column %q any more", p.Separate())
	}
	seen := rel.AsMade()
	keys := make([]uint64, seen.Released.Rows())
	if err := seen.Segments.Route(seen.Released, keys); err != nil {
		return nil, nil, err
	}
	if at := study.Places(made.Output, made.Released); at != nil {
		moved := make([]uint64, len(keys))
		for i, to := range at {
			moved[to] = keys[i]
		}
		keys = moved
	}
	column := seen.Released.Find(p.Separate())
	numbers, groups := map[uint64]float64{}, 0.0
	group := make([]float64, len(keys))
	for i, key := range keys {
		n, known := numbers[key]
		if !known {
			n = math.NaN()
			if s := seen.Segments.Segment(key); s.Influential(column) {
				groups++
				n = groups
			}
			numbers[key] = n
		}
		group[i] = n
	}
	cols := slices.Delete(out.Columns(), j, j+1)
	cols = append(cols, table.NumColumn(unused(groupColumn, out), 1, group))
	if rest, err = table.New(cols...); err != nil {
		return nil, nil, err
	}
	sensitive, err = byGroup(out, j, group)
	return rest, sensitive, err
}

// byGroup is the sensitive table: the values of column j by group, in the order of the labels, with their counts.
func byGroup(out *table.Table, j int, group []float64) (*table.Table, error) {
	codes, rows := out.Cat(j), make([]int, 0, len(group))
	for i, g := range group {
		if g == g && codes[i] >= 0 {
			rows = append(rows, i)
		}
	}
	same := func(a, b int) int { return cmp.Or(cmp.Compare(group[a], group[b]), cmp.Compare(codes[a], codes[b])) }
	slices.SortFunc(rows, same)
	var of, counts []float64
	var values []int32
	for k, i := range rows {
		if k == 0 || same(rows[k-1], i) != 0 {
			of, values, counts = append(of, group[i]), append(values, codes[i]), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	c := out.Column(j)
	c.Cat = values
	sensitive, err := table.New(c)
	if err != nil {
		return nil, err
	}
	return table.New(table.NumColumn(unused(groupColumn, out), 1, of), c,
		table.NumColumn(unused(countColumn, sensitive), 1, counts))
}

// unused is a name that no column of a table has.
func unused(name string, t *table.Table) string {
	for t.Find(name) >= 0 {
		name += "_"
	}
	return name
}

// writeTwo writes the release, and where it goes out as two tables the other one, and returns its digest.
func (j *judged) writeTwo(ctx context.Context) (string, error) {
	out, opt, err := j.d.output(j.q.Release, j.t, j.p)
	if err != nil {
		return "", err
	}
	if p, can := j.p.Plan.(protect.TwoTables); can && j.q.SensitiveOut == "" {
		j.d.note(message.Say("told.oneTable").Name("column", p.Separate()))
	}
	if j.q.SensitiveOut != "" {
		var sensitive *table.Table
		if out, sensitive, err = twoTables(j.p, out, j.c.Release); err != nil {
			return "", err
		}
		if _, err := j.files.table(ctx, j.q.SensitiveOut, sensitive, opt); err != nil {
			return "", err
		}
	}
	return j.files.table(ctx, j.q.Release, out, opt)
}

// remadeTwo splits what is written of a release that was made again.
func remadeTwo(made *study.Protected, out *table.Table, h hierarchy.Set) (rest, sensitive *table.Table, err error) {
	rel, err := made.Release(h)
	if err != nil {
		return nil, nil, err
	}
	return twoTables(made, out, rel)
}
