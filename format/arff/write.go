package arff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// Write writes the table as an ARFF file: columns on the grid of integers as integer, other numbers as numeric, dates
// as date with their pattern, categories as nominal with all labels in their order, a column without labels as string.
// Integers that opt.Decimals pads with zeros are numeric. Missing values are written "?". A column of sets in a wide
// layout, or one alone without a layout, is an attribute {0,1} for each item, and the rows are sparse; others are
// written within cells. It fails on what the format cannot hold: infinite numbers, labels or names that are not UTF-8
// text or that the encoding lacks, and sets without any item to declare. Cost: O(cells), and for sparse rows O(items
// and values that are neither 0 nor a first label).
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	return text.Encoded(w, opt.Encoding, func(w io.Writer) error { return write(ctx, w, t, &opt) })
}

func write(ctx context.Context, w io.Writer, t *table.Table, opt *dialect.Options) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if strings.HasPrefix(opt.Encoding, "utf-16") { // which is known by its mark
		out.WriteString("\ufeff")
	}
	t, head, row, err := header(t, opt)
	if err != nil {
		return err
	}
	out.WriteString("@relation table\n\n")
	out.Write(head)
	out.WriteString("\n@data\n")
	var line []byte
	for i := range t.Rows() {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		line = append(row(line[:0], i), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// header returns the table as it is written, the declarations of its attributes, and what appends a row.
func header(
	t *table.Table,
	opt *dialect.Options,
) (_ *table.Table, head []byte, row func(dst []byte, i int) []byte, err error) {
	if t.Width() > 1 || len(opt.Items) > 0 {
		if t, err = layout.Unfold(t, opt.Items, layout.Wide); err != nil {
			return nil, nil, nil, err
		}
	}
	fields, next, sparse := make([]field, t.Width()), 0, false
	names := map[string]bool{}
	for j := range fields {
		a := t.Attr(j)
		f := field{decs: table.Decimals(a.Step), want: opt.Decimals[a.Name], first: next, attrs: []string{a.Name}}
		var typ string
		switch {
		case a.Kind == table.SetValued:
			sparse, typ = true, "{0,1}"
			f.attrs, f.place, err = items(t.Column(j), opt.Items)
		case a.Dates != "":
			typ, f.dates, err = declareDates(t.Column(j))
		default:
			typ, f.labels, err = declare(t, j, f.want)
		}
		for _, name := range f.attrs {
			if err == nil && !text.OK([]byte(name)) {
				err = errors.New("has a name that is not UTF-8 text")
			} else if err == nil && names[name] {
				err = errors.New("has an item with an attribute name that is already used")
			}
			names[name] = true
			head = fmt.Appendf(head, "@attribute %s %s\n", quote(name), typ)
		}
		if err != nil {
			return nil, nil, nil, fmt.Errorf("column %q %w", a.Name, err)
		}
		fields[j], next = f, next+len(f.attrs)
	}
	if sparse {
		return t, head, sparseRow(t, fields), nil
	}
	return t, head, func(dst []byte, i int) []byte { return denseRow(dst, t, fields, i) }, nil
}

// field is how the values of a column are written: labels in their quotes, and the decimals of the grid and of the
// file.
type field struct {
	labels     []string
	decs, want int
	dates      *calendar.Layout // nil for other numbers
	attrs      []string         // the names of its attributes, one but for sets
	first      int              // the index of the first of them
	place      []int32          // of the items of sets among them
}

// declareDates returns the type of a column of dates, and how they are written.
func declareDates(c table.Column) (typ string, l *calendar.Layout, err error) {
	if _, err = dialect.Writable(c); err != nil {
		return "", nil, err
	}
	pattern, n := patternOf(c.Dates)
	l, err = n.Layout()
	return `date "` + pattern + `"`, l, err
}

// declare returns the type of column j, whose numbers are written with decs decimals at least, and its labels as they
// are written.
func declare(t *table.Table, j, decs int) (typ string, labels []string, err error) {
	a := t.Attr(j)
	switch a.Kind {
	case table.Categorical, table.SetValued:
	case table.Numeric:
		for i, v := range t.Num(j) {
			if math.IsInf(v, 0) {
				return "", nil, fmt.Errorf("is infinite in row %d", i+1)
			}
		}
		if a.Step == 1 && decs == 0 {
			return "integer", nil, nil
		}
		return "numeric", nil, nil
	}
	if len(a.Labels) == 0 {
		return "string", nil, nil
	}
	labels = make([]string, len(a.Labels))
	for k, l := range a.Labels {
		if !text.OK([]byte(l)) {
			return "", nil, errors.New("has a label that is not UTF-8 text")
		}
		labels[k] = quote(decimal.PadLabel(l, decs))
	}
	return "{" + strings.Join(labels, ",") + "}", labels, nil
}

// denseRow appends all values of a row.
func denseRow(dst []byte, t *table.Table, fields []field, i int) []byte {
	for j := range fields {
		if j > 0 {
			dst = append(dst, ',')
		}
		dst = fields[j].value(dst, t, i, j)
	}
	return dst
}

// value appends a value of a column that is no set.
func (f *field) value(dst []byte, t *table.Table, i, j int) []byte {
	a := t.Attr(j)
	switch {
	case t.MissingAt(i, j):
		return append(dst, '?')
	case a.Kind == table.Categorical:
		return append(dst, f.labels[t.Cat(j)[i]]...)
	case f.dates != nil:
		return append(dst, quote(string(f.dates.Append(nil, t.Num(j)[i])))...)
	}
	return decimal.Pad(decimal.Append(dst, t.Num(j)[i], a.Step, f.decs), f.decs, f.want)
}

// items returns the names of the attributes of a column of sets, and the place of every item among them.
func items(c table.Column, specs []layout.Spec) (names []string, place []int32, err error) {
	prefix := ""
	if s := layout.Of(c.Name, specs); s.Kind == layout.Wide {
		prefix = s.Prefix
	} else if alone := (layout.Spec{Kind: layout.Wide}); c.Name != alone.Name() {
		prefix = c.Name + "_"
	}
	names, place = layout.Ordered(&c)
	if len(names) == 0 {
		return nil, nil, errors.New("has sets without an item, for none of which there is an attribute")
	}
	gone := 0
	for i := range c.Len() {
		if c.MissingAt(i) {
			gone++
		}
	}
	if gone*len(names) > mostCells {
		return nil, nil, fmt.Errorf("has %d missing sets, too many to write each of its %d items as unknown", gone,
			len(names))
	}
	for k, n := range names {
		if n == "" || n[0] == '?' {
			return nil, nil, errors.New("has an item with a name that is empty or begins with a question mark, " +
				"which is not valid for an attribute")
		}
		names[k] = prefix + n
	}
	return names, place, nil
}

// sparseRow returns what appends a row with the indexes of its items and of the values that are neither 0 nor a first
// label. Dates are always written. A set that is missing is one of which every item is unknown.
func sparseRow(t *table.Table, fields []field) func(dst []byte, i int) []byte {
	var places []int32
	return func(dst []byte, i int) []byte {
		dst = append(dst, '{')
		begin := func(index int) {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(strconv.AppendInt(dst, int64(index), 10), ' ')
		}
		for j := range fields {
			f := &fields[j]
			switch kind := t.Attr(j).Kind; {
			case kind == table.SetValued && t.MissingAt(i, j):
				for k := range f.attrs {
					begin(f.first + k)
					dst = append(dst, '?')
				}
			case kind == table.SetValued:
				places = layout.Places(places, t.Sets(j), i, f.place)
				for _, p := range places {
					begin(f.first + int(p/2))
					dst = append(dst, "1?"[p&1])
				}
			case kind == table.Numeric && f.dates == nil && t.Num(j)[i] == 0, kind == table.Categorical && t.Cat(j)[i] == 0:
			default:
				begin(f.first)
				dst = f.value(dst, t, i, j)
			}
		}
		return append(dst, '}')
	}
}

// escapes are the characters that a quoted word cannot hold as they are.
var escapes = strings.NewReplacer(
	`\`,
	`\\`,
	`'`,
	`\'`,
	`"`,
	`\"`,
	"\n",
	`\n`,
	"\r",
	`\r`,
	"\t",
	`\t`,
	"%",
	`\%`,
	"\x1e",
	`\u001E`,
)

// quote returns s as a word, in quotes where Weka needs them.
func quote(s string) string {
	plain := s != "" && s != "?" && s[0] != '@'
	for i := range len(s) {
		c := s[i]
		plain = plain && !ends[c] && c != '\\'
	}
	if plain {
		return s
	}
	return "'" + escapes.Replace(s) + "'"
}
