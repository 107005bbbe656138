package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Places returns where the records of a table stand in the file that goes out, by their identities; nil where they
// stand in the order of their rows. Both have the same records. Cost: O(n).
func Places(file, rows *table.Table) []int32 {
	at := make(map[table.RecordID]int32, file.Rows())
	for i := range file.Rows() {
		at[file.ID(i)] = int32(i)
	}
	out, moved := make([]int32, rows.Rows()), false
	for i := range out {
		out[i] = at[rows.ID(i)]
		moved = moved || int(out[i]) != i
	}
	if !moved {
		return nil
	}
	return out
}

// InFile is Places for records that were read from the file that went out: their identities are its rows.
func InFile(rows *table.Table) []int32 {
	ids := make([]int, rows.Rows())
	for i := range ids {
		ids[i] = i
	}
	slices.SortFunc(ids, func(a, b int) int { return int(rows.ID(a)) - int(rows.ID(b)) })
	return Places(rows.Gather(ids), rows)
}

// Persons tells which records of a table are one person's, by the columns that name persons. Records that name nobody
// are nobody's, and a column that the table lacks is left out. Cost: O(n) per column.
func Persons(t *table.Table, columns []string) map[string]map[table.RecordID]int32 {
	out := map[string]map[table.RecordID]int32{}
	for _, name := range columns {
		if t.Find(name) >= 0 {
			out[name] = PersonsBy(t, []string{name})
		}
	}
	return out
}

// PersonsBy tells persons apart by the values of all of some columns: the person of a record, which has none where a
// value is missing. The table has all of them. Cost: O(n x columns).
func PersonsBy(t *table.Table, columns []string) map[table.RecordID]int32 {
	of := make(map[table.RecordID]int32, t.Rows())
	for i, p := range numbered(t, columns) {
		if p >= 0 {
			of[t.ID(i)] = p
		}
	}
	return of
}

// numbered numbers the values of all of some columns, by row, from 0 as they come; -1 where one is missing.
func numbered(t *table.Table, columns []string) []int32 {
	var by []table.Column
	for _, name := range columns {
		by = append(by, t.Column(t.Find(name)))
	}
	if len(by) == 1 && by[0].Kind == table.Numeric {
		return numberedNumbers(by[0].Num)
	}
	if len(by) == 1 && by[0].Kind == table.Categorical {
		return numberedCodes(by[0].Cat, len(by[0].Labels))
	}
	of, number := make([]int32, t.Rows()), map[string]int32{}
	var key []byte
	for i := range of {
		if of[i] = -1; slices.ContainsFunc(by, func(c table.Column) bool { return c.MissingAt(i) }) {
			continue
		}
		key = key[:0]
		for k := range by {
			key = by[k].AppendKey(key, i)
		}
		n, ok := number[string(key)]
		if !ok {
			n = int32(len(number))
			number[string(key)] = n
		}
		of[i] = n
	}
	return of
}

// numberedCodes is numbered for a column of so many categories.
func numberedCodes(codes []int32, categories int) []int32 {
	of, number, next := make([]int32, len(codes)), make([]int32, categories), int32(0) // 0 for one that has not come
	for i, c := range codes {
		if of[i] = -1; c < 0 {
			continue
		}
		if number[c] == 0 {
			next++
			number[c] = next
		}
		of[i] = number[c] - 1
	}
	return of
}

// numberedNumbers is numbered for a column of numbers. Records of a unit often follow each other, so a value is looked
// up where it is another than the one before.
func numberedNumbers(values []float64) []int32 {
	if of := numberedWhole(values); of != nil {
		return of
	}
	of, number := make([]int32, len(values)), map[float64]int32{}
	for i, v := range values {
		switch {
		case v != v:
			of[i] = -1
		case i > 0 && v == values[i-1]:
			of[i] = of[i-1]
		default:
			n, ok := number[v]
			if !ok {
				n = int32(len(number))
				number[v] = n
			}
			of[i] = n
		}
	}
	return of
}

// numberedWhole is numberedNumbers for whole numbers that lie close together, as those of units mostly do, without a
// map; nil of others.
func numberedWhole(values []float64) []int32 {
	lo, hi := table.Range(values)
	if !(hi-lo < float64(2*len(values))) {
		return nil
	}
	of, number := make([]int32, len(values)), table.NumberingOf(len(values))
	for i, v := range values {
		switch k := int32(v - lo); {
		case v != v:
			of[i] = -1
		case float64(k) != v-lo:
			return nil
		default:
			of[i] = number.Of(k)
		}
	}
	return of
}

// Again returns how another table is released by a technique with the same settings, fitted anew: as a release is made
// (execute.Plan), with the records in their order, so that it can be compared.
func Again(
	m protect.Method,
	settings []param.Value,
	h hierarchy.Set,
) func(context.Context, *table.Table, rng.Source) (*table.Table, error) {
	return func(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
		tech := m.New()
		if err := tech.Params().Apply(textsOf(settings)); err != nil {
			return nil, err
		}
		if err := generalise(tech, Request{Hierarchies: h}, t); err != nil {
			return nil, err
		}
		plan, err := protect.Fit(ctx, tech, t, src.Fork("fit"))
		if err != nil {
			return nil, err
		}
		made, err := execute.Plan(ctx, plan, t, src, execute.Options{KeepOrder: true})
		if err != nil {
			return nil, err
		}
		return made.Table, nil
	}
}

// textsOf writes settings as parameters read them.
func textsOf(settings []param.Value) map[string]string {
	set := map[string]string{}
	for _, v := range settings {
		set[v.Name] = fmt.Sprint(v.Value)
	}
	return set
}

// Beside puts the records of an earlier release beside those of a release: row k of the result is row rows[k] of the
// earlier one, conforming to the release; a negative one is nobody, who has no value. A column that the earlier release
// lacks, or has of another kind (Further), has none either.
func Beside(released, earlier *table.Table, rows []int) (*table.Table, error) {
	at, absent := placed(rows)
	cols := released.Columns()
	for j := range cols {
		name := cols[j].Name
		if k := earlier.Find(name); k >= 0 && earlier.Rows() > 0 && earlier.Attr(k).Kind == cols[j].Kind {
			one, err := earlier.Select(k).Conform([]table.Attribute{cols[j].Attribute}, true)
			if err != nil {
				return nil, fmt.Errorf("the earlier release: %w", err)
			}
			cols[j] = one.Column(0).Gather(at).Blank(absent)
			continue
		}
		all := make([]int, len(rows))
		for k := range all {
			all[k] = k
		}
		cols[j] = cols[j].Blank(all)
	}
	return released.WithColumns(cols)
}

// Further returns the columns of an earlier release that tell more than those of a release, in the order of its records
// as Beside has them: those that the release lacks, and those that it shows in other words. Nil for none. Cost: O(n) by
// column.
func Further(released, earlier *table.Table, rows []int) *table.Table {
	var columns []int
	for k := range earlier.Width() {
		if a := earlier.Attr(k); a.Kind.Scalar() && (released.Find(a.Name) < 0 || otherWords(released, earlier, k)) {
			columns = append(columns, k)
		}
	}
	if columns == nil || earlier.Rows() == 0 {
		return nil
	}
	at, absent := placed(rows)
	t := earlier.Select(columns...).Gather(at)
	cols := t.Columns()
	for j := range cols {
		cols[j] = cols[j].Blank(absent)
	}
	t, err := t.WithColumns(cols)
	if err != nil {
		panic("study: " + err.Error()) // only cells were blanked
	}
	return t
}

// otherWords reports whether an earlier release shows a column in another kind of values, or in categories that the
// release does not have.
func otherWords(released, earlier *table.Table, k int) bool {
	a := earlier.Attr(k)
	b := released.Attr(released.Find(a.Name))
	if a.Kind != b.Kind {
		return true
	}
	return a.Kind == table.Categorical && slices.ContainsFunc(earlier.Cat(k), func(c int32) bool {
		return c >= 0 && !slices.Contains(b.Labels, a.Labels[c])
	})
}

// placed returns rows with the first one in place of nobody, and where nobody is.
func placed(rows []int) (at, absent []int) {
	at = make([]int, len(rows))
	for k, i := range rows {
		if at[k] = max(0, i); i < 0 {
			absent = append(absent, k)
		}
	}
	return at, absent
}
