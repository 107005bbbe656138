// Package database holds what databases have in common: how the text that a table is read from becomes a table, and
// what types the columns of a release have.
//
// The text is comma-separated, with a header. NULL is an empty cell and an empty text a quoted one, as COPY of
// PostgreSQL has it, so nothing that is a value in the database is missing here, and the other way round.
package database

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// Column is what a database says of a column.
type Column struct {
	Name  string
	Type  string // as it is written in SQL, such as numeric(10,2)
	Holds Content
}

// Content is what a type holds.
type Content int

const (
	Texts   Content = iota // texts, and everything that is no number and no date
	Numbers                // whole and other numbers
	Dates                  // days and times, in the notation of ISO 8601
)

// Identifier is a name in SQL, whatever it holds.
func Identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Digest is what a table of a database is known by: the SHA-256 of the text that it is read from, in hexadecimal.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Parse makes a table of text. A column of numbers holds numbers where all its values can be computed with, and one of
// texts holds texts, though they look like numbers: 01234 stays a postcode; texts that are all dates are dates. Kinds
// and dates that opt asks for win. NULL is missing and nothing else is, but for what opt.Missing names besides the
// defaults. Info.Types are the columns' types. Cost: that of reading the text, twice where texts look like numbers.
func Parse(ctx context.Context, data []byte, cols []Column, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	if len(data) > math.MaxInt/2 {
		return nil, nil, errors.New("it is too large for this computer")
	}
	given := opt.Kinds
	opt.Delimiter, opt.Encoding, opt.DecimalComma, opt.Exact = ',', "utf-8", false, true
	opt.Missing = append(
		[]string{""},
		slices.DeleteFunc(slices.Clone(opt.Missing),
			func(m string) bool { return slices.Contains(dialect.DefaultMissing, m) })...)
	opt.Kinds = maps.Clone(given)
	if opt.Kinds == nil {
		opt.Kinds = map[string]table.Kind{}
	}
	t, info, err := csv.Read(ctx, data, opt)
	if err != nil {
		return nil, nil, err
	}
	again := false
	for _, c := range cols {
		_, asked := given[c.Name]
		col := t.Column(t.Find(c.Name))
		texts := col.Kind == table.Categorical
		switch {
		case asked || opt.Dates[c.Name] != "" || opt.Numbers[c.Name].Point != 0 || c.Holds == Dates:
		case c.Holds == Numbers && texts && len(col.Labels) == 0: // nothing but NULL
			opt.Kinds[c.Name], again = table.Numeric, true
		case c.Holds != Numbers && !texts && col.Dates == "":
			// texts that look like numbers are texts; those that are dates are dates all the same
			opt.Kinds[c.Name], again = table.Categorical, true
		}
	}
	if again {
		if t, info, err = csv.Read(ctx, data, opt); err != nil {
			return nil, nil, err
		}
	}
	info.Bytes, info.SHA256 = int64(len(data)), Digest(data)
	info.Types = map[string]string{}
	for _, c := range cols {
		info.Types[c.Name] = c.Type
	}
	info.Dated = dated(cols)
	info.Missing, info.MissingMarks = "", nil
	if t, err = opt.Without(info.MarkDated(t), info); err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// dated are the columns of days, or of days with times.
func dated(cols []Column) (names []string) {
	for _, c := range cols {
		if typ := strings.ToLower(c.Type); strings.HasPrefix(typ, "date") || strings.HasPrefix(typ, "timestamp") {
			names = append(names, c.Name)
		}
	}
	return names
}

// Standard is the table as the server reads it: dates in the notation of ISO 8601.
func Standard(t *table.Table) (*table.Table, error) {
	t, err := t.WithoutParts()
	if err != nil {
		return nil, err
	}
	for j := range t.Width() {
		at := *t.Attr(j)
		if at.Kind == table.SetValued {
			return nil, fmt.Errorf("column %q holds sets of items, which no table of a database holds", at.Name)
		}
		if at.Dates != "" {
			at.Dates = iso(at.Dates)
			t = t.WithAttr(j, at)
		}
	}
	return t, nil
}

// iso is the notation of ISO 8601 that has the unit of another one.
func iso(n calendar.Notation) calendar.Notation {
	s := string(n)
	switch {
	case !strings.Contains(s, "h"):
		return "yyyy-mm-dd"
	case !strings.Contains(s, "ss"):
		return "yyyy-mm-dd hh:mm"
	case !strings.Contains(s, "f"):
		return "yyyy-mm-dd hh:mm:ss"
	}
	return calendar.Notation("yyyy-mm-dd hh:mm:ss." + strings.Repeat("f", strings.Count(s, "f")))
}

// Types are the names that a database has for types.
type Types struct {
	Whole, Broken           []string // of numbers; the first of each is what a column without a type of its own gets
	Text, Truth, Date, Time string   // Truth may be empty
}

// Of is the type of a column of a release, told that of the original, which may be no type of the database, and empty.
// A column keeps its type while its values are of such a type.
func (n *Types) Of(c *table.Column, was string) string {
	plain, _, _ := strings.Cut(was, "(")
	same := func(types []string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, plain) })
	}
	switch {
	case c.Kind != table.Numeric:
		if n.Truth != "" && strings.EqualFold(was, n.Truth) &&
			!slices.ContainsFunc(c.Labels,
				func(l string) bool { return !slices.Contains([]string{"t", "f", "true", "false"}, l) }) {
			return n.Truth
		}
		return n.Text
	case c.Dates != "" && strings.Contains(string(c.Dates), "h"):
		return n.Time
	case c.Dates != "":
		return n.Date
	case same(n.Broken):
		return was
	case c.Step >= 1 && c.Step == math.Trunc(c.Step):
		if same(n.Whole) {
			return was
		}
		return n.Whole[0]
	}
	return n.Broken[0]
}
