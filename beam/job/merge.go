package job

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// merged is what is known of the whole table.
type merged struct {
	Rows  []int    // by shard
	First []uint64 // by shard: the position of its first record
	Sums  []string // by shard: SHA-256 of its file
	Names []string // of the columns that are released, in the order of the files
	// of the same, as they are in the table read in one piece, which a release is judged by
	Read []table.Attribute
	// of the columns as they are kept: that of the plan or, where it is fitted here, of the table read in one piece
	Schema []table.Attribute
	Info   format.Info
	Kinds  map[string]table.Kind        // as the table is read in one piece
	Dates  map[string]calendar.Notation // of the columns that hold dates
	Steps  map[string]float64           // of the columns of numbers
}

// Merge adds the profiles up, and returns how many columns there are. Cost: O(shards x columns), and the labels.
func Merge(_ context.Context, folder string) (columns int, err error) {
	q, err := jobOf(folder)
	if err != nil {
		return 0, err
	}
	parts := make([]look, len(q.Shards))
	for k := range parts {
		if parts[k], err = read[look](folder, profileFile(k)); err != nil {
			return 0, err
		}
	}
	m := &merged{Kinds: map[string]table.Kind{}, Dates: map[string]calendar.Notation{}, Steps: map[string]float64{}}
	var first uint64
	for k := range parts {
		m.Rows, m.First = append(m.Rows, parts[k].Rows), append(m.First, first)
		m.Sums = append(m.Sums, parts[k].Info.SHA256)
		first += uint64(parts[k].Rows)
	}
	if err := m.info(&q, parts); err != nil {
		return 0, err
	}
	for j := range parts[0].Columns {
		if name := parts[0].Columns[j].Name; !slices.Contains(q.Drop, name) {
			a, err := m.column(&q, parts, j)
			if err != nil {
				return 0, err
			}
			m.Names, m.Schema = append(m.Names, name), append(m.Schema, a)
		}
	}
	m.Read = m.Schema
	if q.Plan != "" {
		_, p, err := planOf(folder)
		if err == nil {
			err = q.covers(p, m.Schema)
		}
		if err != nil {
			return 0, err
		}
		m.Schema = p.Schema()
	}
	return len(m.Schema), write(folder, tableFile, m)
}

// covers refuses a table whose columns are neither the plan's nor dropped: what a plan does not know it does not
// protect.
func (q *Job) covers(p protect.Plan, attrs []table.Attribute) error {
	for _, a := range attrs {
		if !slices.ContainsFunc(p.Schema(), func(s table.Attribute) bool { return s.Name == a.Name }) {
			return usage("the plan does not know column %q: leave it out of the release with --drop, as the plan's own "+
				"release did with an identifier, or make a plan that has it", a.Name)
		}
	}
	return nil
}

// info merges how the shards are written.
func (m *merged) info(q *Job, parts []look) error {
	m.Info = parts[0].Info
	m.Info.Marks.Met, m.Info.Marks.Count, m.Info.Decimals = nil, nil, nil
	for k := range parts {
		i, path := &parts[k].Info, q.Shards[k]
		switch {
		case !slices.EqualFunc(parts[k].Columns, parts[0].Columns, func(a, b column) bool { return a.Name == b.Name }):
			return fmt.Errorf("%s has other columns than %s", path, q.Shards[0])
		case i.Delimiter != m.Info.Delimiter:
			return usage("%s has another delimiter than %s: say which with --delimiter", path, q.Shards[0])
		case i.Encoding != m.Info.Encoding:
			return usage("%s has another encoding than %s: say which with --encoding", path, q.Shards[0])
		case !reflect.DeepEqual(i.Types, m.Info.Types):
			return fmt.Errorf("%s has columns of other types than %s", path, q.Shards[0])
		}
		m.Info.DecimalComma = m.Info.DecimalComma || i.DecimalComma
		m.Info.Marks.Merge(i.Marks)
	}
	m.Info.Settle(func(string) bool { return false })
	for k := range parts {
		if m.Info.DecimalComma && !parts[k].Info.DecimalComma &&
			slices.ContainsFunc(
				parts[k].Columns,
				func(c column) bool { return c.Kind == table.Numeric && c.Known > 0 && c.Step != 1 },
			) {
			return fmt.Errorf("%s has decimal points, and other shards have decimal commas", q.Shards[k])
		}
	}
	return nil
}

// column merges column j, and returns it as the table read in one piece has it.
func (m *merged) column(q *Job, parts []look, j int) (table.Attribute, error) {
	first := column{Kind: table.Categorical}
	a := table.Attribute{Name: parts[0].Columns[j].Name}
	mixed := false
	for k := range parts {
		switch c := &parts[k].Columns[j]; {
		case c.Known == 0:
		case first.Known == 0:
			first = *c
		case c.Dates != first.Dates && c.Kind == first.Kind, c.Kind != first.Kind && (c.Dates != "" || first.Dates != ""):
			return a, usage("column %q holds dates in some shards and something else in others: say that it holds categories "+
				"with --categorical, or fit the plan on one machine", a.Name)
		case c.Kind != first.Kind:
			mixed = true
		}
	}
	a.Kind, a.Dates = first.Kind, first.Dates
	if mixed {
		if a.Kind = table.Categorical; q.Plan == "" {
			return a, usage("column %q holds numbers in some shards and texts in others: say that it holds categories with "+
				"--categorical", a.Name)
		}
	}
	if m.Kinds[a.Name] = a.Kind; a.Dates != "" {
		m.Dates[a.Name] = a.Dates
		delete(m.Kinds, a.Name)
	}
	switch a.Kind {
	case table.Numeric:
		m.numbers(&a, parts, j)
	case table.Categorical:
		a.Labels = labels(parts, j)
	case table.SetValued:
		return a, usage("column %q holds sets of items: protect the table on one machine", a.Name)
	}
	return a, nil
}

// labels are those of all shards in the order of their first appearance.
func labels(parts []look, j int) (all []string) {
	seen := map[string]bool{}
	for k := range parts {
		for _, l := range parts[k].Columns[j].Labels {
			if !seen[l] {
				seen[l], all = true, append(all, l)
			}
		}
	}
	return all
}

// numbers merges domain and grid of a column of numbers, and with how many decimals they are written.
func (m *merged) numbers(a *table.Attribute, parts []look, j int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	grid, written, continuous, whole := 0, 0, false, math.Inf(1)
	for k := range parts {
		c := &parts[k].Columns[j]
		if c.Known == 0 {
			continue
		}
		lo, hi, whole = min(lo, c.Lo), max(hi, c.Hi), min(whole, c.Step)
		if c.Step == 0 {
			continuous = true
			continue
		}
		d := table.Decimals(c.Step)
		grid, written = max(grid, d), max(written, d, parts[k].Info.Decimals[a.Name])
	}
	if lo > hi {
		lo, hi = 0, 0
	}
	a.Domain.Lo, a.Domain.Hi = lo, hi
	digits := len(strconv.FormatFloat(math.Trunc(max(math.Abs(lo), math.Abs(hi))), 'f', 0, 64))
	switch {
	case a.Dates != "":
		a.Step = whole // units nest, so the finest is that of all
	case !continuous && digits+grid <= decimal.MaxDigits:
		a.Step = 1 / math.Pow10(grid)
		if written > grid {
			m.Info.SetDecimals(a.Name, written)
		}
	}
	m.Steps[a.Name] = a.Step
}
