// Package reading derives from a policy how a table is read: the options of its format, codes for missing values in
// single columns, and variant spellings. It reads no files.
package reading

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// Options are those of the format in which a policy has a table read. Columns with codes of their own are read as they
// come, since a code may be no number; After makes of them what the policy says.
func Options(pol *policy.Policy) (format.Options, error) {
	opt := format.Options{Encoding: pol.File.Encoding, Sheet: pol.File.Sheet, Missing: Marks(pol), Skip: pol.File.Skip,
		Header: Header(pol), LeaveOut: pol.File.LeaveOut}
	if err := marked(pol, opt.Missing); err != nil {
		return opt, err
	}
	var err error
	if opt.Delimiter, err = policy.ParseDelimiter(pol.File.Delimiter); err != nil {
		return opt, &judge.Usage{Field: "delimiter", Value: strconv.Quote(pol.File.Delimiter), Err: err}
	}
	if _, err := text.Encoding(opt.Encoding); err != nil {
		return opt, &judge.Usage{Field: "encoding", Value: strconv.Quote(opt.Encoding), Err: err}
	}
	for _, text := range pol.File.Items {
		spec, err := layout.Parse(text)
		if err != nil {
			return opt, &judge.Usage{Field: "items", Value: strconv.Quote(text), Err: err}
		}
		opt.Items = append(opt.Items, spec)
	}
	opt.Kinds, opt.Dates, opt.Numbers = pol.Kinds(), pol.Dates(), pol.Numbers()
	Besides(&opt, Codes(pol))
	return opt, nil
}

// marked refuses a value of one column that is a mark of missing values in all of them, such as NA for Namibia: files
// are read by the marks, so it would go on being missing.
func marked(pol *policy.Policy, marks []string) error {
	for _, name := range slices.Sorted(maps.Keys(pol.Columns)) {
		for _, v := range Texts(pol.Columns[name].NotMissing) {
			if slices.Contains(marks, v) {
				return &judge.Usage{Field: "not-missing", Value: name + "=" + v, Err: errors.New("this text means missing in " +
					"every column: list the others in a policy (file: {missing: [\"?\", NaN]}), and name the columns in which it " +
					"does mean that (--missing COLUMN=TEXT)")}
			}
		}
	}
	return nil
}

// Besides has columns with codes read as they come, those whose numbers are written in a notation that was told as
// texts.
func Besides(opt *format.Options, codes map[string][]string) {
	for name := range codes {
		delete(opt.Kinds, name)
		delete(opt.Dates, name)
		if _, told := opt.Numbers[name]; told {
			opt.Kinds[name] = table.Categorical
			delete(opt.Numbers, name)
		}
	}
}

// Left refuses a policy that leaves out a column which the table that was read does not have.
func Left(pol *policy.Policy, t *table.Table, info *format.Info) error {
	for _, name := range pol.File.LeaveOut {
		if !slices.Contains(info.LeftOut, name) {
			return &judge.Usage{Field: "leave-out", Err: fmt.Errorf("the table has no column %q%s", name,
				spelling.Hint(name, append(names(t), info.LeftOut...)))}
		}
	}
	return nil
}

// Described returns the policy without what it says of columns that it leaves out.
func Described(pol *policy.Policy) *policy.Policy {
	if len(pol.File.LeaveOut) == 0 {
		return pol
	}
	q := *pol
	q.Columns = maps.Clone(pol.Columns)
	for _, name := range pol.File.LeaveOut {
		delete(q.Columns, name)
	}
	return &q
}

// Doubt refuses a table with a column that its policy declares numeric and that may be written in two notations, unless
// the policy declares steps below 1 or a domain, which thousands would not keep. Cost: O(n) per such column.
func Doubt(pol *policy.Policy, t *table.Table, info *format.Info) error {
	const thousand = 1000
	for _, name := range slices.Sorted(maps.Keys(info.Doubtful)) {
		c, j := pol.Columns[name], t.Find(name)
		if _, declared := pol.Kinds()[name]; !declared || j < 0 || 0 < c.Step && c.Step < 1 {
			continue
		}
		if t.Attr(j).Kind == table.Numeric && c.Domain != nil { // texts become numbers later
			lo, hi := table.Range(t.Num(j))
			low, err := strconv.ParseFloat(string(c.Domain[0]), 64)
			high, wrong := strconv.ParseFloat(string(c.Domain[1]), 64)
			if err == nil && wrong == nil && (thousand*lo < low || thousand*hi > high) {
				continue
			}
		}
		return dialect.ErrNumbers(name, info.Doubtful[name])
	}
	return nil
}

// Header is what a policy says of the first line.
func Header(pol *policy.Policy) dialect.Header {
	switch yes := pol.File.Header; {
	case yes == nil:
		return dialect.GuessHeader
	case *yes:
		return dialect.HasHeader
	}
	return dialect.NoHeader
}

// After makes of a table that was read what its policy says of codes and of variants of texts, and notes in info what
// changed.
func After(t *table.Table, info *format.Info, pol *policy.Policy) (_ *table.Table, err error) {
	if codes := Codes(pol); len(codes) > 0 {
		opt := format.Options{Kinds: pol.Kinds(), Dates: pol.Dates(), Numbers: pol.Numbers()}
		if t, err = Blank(t, codes, opt, info); err != nil {
			return nil, err
		}
	}
	if pol.File.Merge {
		return Merge(t, info)
	}
	return t, nil
}

// Marks are the texts that mean missing in every column: the policy's or the default ones, and those besides.
func Marks(pol *policy.Policy) []string {
	marks := slices.Clone(format.DefaultMissing)
	if pol.File.Missing != nil {
		marks = Texts(pol.File.Missing)
	}
	for _, m := range Texts(pol.File.MissingBesides) {
		if !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return marks
}

// Settled returns the policy with one way of saying how a table is read, so that two readings can be compared and kept:
// marks of missing values are listed only where they are not the usual ones, and a separator is the character or the
// word tab.
func Settled(pol *policy.Policy) *policy.Policy {
	q := *pol
	if d, err := policy.ParseDelimiter(pol.File.Delimiter); err == nil && d != 0 {
		if q.File.Delimiter = string(d); d == '\t' {
			q.File.Delimiter = "tab"
		}
	}
	q.File.Missing, q.File.MissingBesides = nil, nil
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	if marks := Marks(pol); !slices.Equal(sorted(marks), sorted(format.DefaultMissing)) {
		q.File.Missing = []policy.Text{}
		for _, m := range marks {
			q.File.Missing = append(q.File.Missing, policy.Text(m))
		}
	}
	return &q
}

// Codes are the texts that mean missing in single columns, by column.
func Codes(pol *policy.Policy) map[string][]string {
	codes := map[string][]string{}
	for name, c := range pol.Columns {
		if c.Missing != nil {
			codes[name] = Texts(c.Missing)
		}
	}
	return codes
}

// Texts are those of a policy as strings.
func Texts(list []policy.Text) (out []string) {
	for _, m := range list {
		out = append(out, string(m))
	}
	return out
}

// names are those of the columns.
func names(t *table.Table) []string {
	out := make([]string, t.Width())
	for j := range out {
		out[j] = t.Attr(j).Name
	}
	return out
}

// Blank returns the table with the codes of its columns as missing values, and tells info how many they were. Texts of
// which only numbers are left become numbers, unless opt says what they are, and those of which only dates are left
// dates.
func Blank(t *table.Table, codes map[string][]string, opt format.Options, info *format.Info) (*table.Table, error) {
	t, blanked, err := blank(t, codes, opt, info)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		info.Note(message.Say("told.missing").Name("column", name).Count("n", blanked[name]))
	}
	return t, nil
}

// blank is Blank without a note; it returns how many values of each column are missing by its codes.
func blank(t *table.Table, codes map[string][]string, opt format.Options, info *format.Info) (
	_ *table.Table, blanked map[string]int, err error) {
	cols := t.Columns()
	blanked = map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		j := t.Find(name)
		if j < 0 {
			return nil, nil, &judge.Usage{
				Field: "missing",
				Err:   fmt.Errorf("the table has no column %q%s", name, spelling.Hint(name, names(t))),
			}
		}
		rows := coded(&cols[j], codes[name], info)
		if len(rows) > 0 {
			cols[j] = observed(cols[j].Blank(rows).Compact())
		}
		_, told := opt.Numbers[name]
		if told || len(rows) > 0 && len(cols[j].Labels) > 0 {
			notes := info.Notes
			info.Notes = slices.DeleteFunc(slices.Clone(notes), func(n format.Note) bool { return n.AsText == name })
			if cols[j], err = opt.AsNumbers(cols[j], info); err != nil {
				return nil, nil, err
			}
			if cols[j].Kind != table.Numeric && len(info.Notes) < len(notes) {
				info.Notes = notes // the reader's remark on it as text is still true
			}
		}
		delete(info.MissingMarks, name)
		blanked[name] = len(rows)
	}
	if t, err = table.New(cols...); err != nil {
		return nil, nil, err
	}
	t, err = opt.ReadDates(t, info, func(j int) bool { return codes[t.Attr(j).Name] == nil })
	if err != nil {
		return nil, nil, err
	}
	info.Notes = slices.DeleteFunc(info.Notes, func(n format.Note) bool { // which is no longer true
		return codes[n.AsText] != nil && t.Attr(t.Find(n.AsText)).Kind == table.Numeric
	})
	return t, blanked, nil
}

// coded returns the records that hold one of the codes.
func coded(c *table.Column, codes []string, info *format.Info) (rows []int) {
	if c.Kind == table.Categorical {
		is := make([]bool, len(c.Labels))
		for k, l := range c.Labels {
			is[k] = slices.Contains(codes, l)
		}
		for i, v := range c.Cat {
			if v >= 0 && is[v] {
				rows = append(rows, i)
			}
		}
		return rows
	}
	var values []float64
	for _, s := range codes {
		if c.Dates != "" {
			if v, ok := c.ParseValue(s); ok {
				values = append(values, v)
			}
			continue
		}
		if info.DecimalComma {
			s = strings.Replace(s, ",", ".", 1)
		}
		if v, _, ok := decimal.Parse([]byte(s), '.'); ok {
			values = append(values, v)
		}
	}
	for i, v := range c.Num {
		if slices.Contains(values, v) {
			rows = append(rows, i)
		}
	}
	return rows
}

// observed returns a numeric column on the domain and the grid of the values that it has, and any other as it is: a
// code lies outside of both as a rule, and noise would be drawn on a domain that reaches up to it.
func observed(c table.Column) table.Column {
	if c.Kind != table.Numeric || c.Declared {
		return c
	}
	c.Domain.Lo, c.Domain.Hi = table.Range(c.Num)
	switch {
	case c.Dates != "":
		c.Step = c.Dates.Whole(c.Num)
	case c.Step > 0:
		c.Step = decimal.Grid(c.Num)
	}
	return c
}

// Merge returns the table without variants of texts, and tells info how many values changed.
func Merge(t *table.Table, info *format.Info) (*table.Table, error) {
	cols := t.Columns()
	for j := range cols {
		var n int
		if cols[j], n = profile.MergeVariants(cols[j]); n > 0 {
			info.Note(message.Say("told.merged").Name("column", cols[j].Name).Count("n", n))
		}
	}
	return table.New(cols...)
}

// Complete leaves out the records that miss a value and says how many.
func Complete(t *table.Table) (*table.Table, int) {
	var rows []int
	for i := range t.Rows() {
		whole := true
		for j := 0; j < t.Width() && whole; j++ {
			whole = !t.MissingAt(i, j)
		}
		if whole {
			rows = append(rows, i)
		}
	}
	if len(rows) == t.Rows() {
		return t, 0
	}
	return t.Gather(rows), t.Rows() - len(rows)
}
