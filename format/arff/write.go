package arff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// Write writes the table as an ARFF file: columns on the grid of integers as integer, other numbers as numeric, dates as date with their pattern, categories as nominal
// with all labels in their order, a column without labels as string. Integers that opt.Decimals pads with zeros are numeric. Missing values are written "?". It fails on what the
// format cannot hold: infinite numbers, and labels or names that are not UTF-8 text or that the encoding lacks. Cost: O(cells).
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	return text.Encoded(w, opt.Encoding, func(w io.Writer) error { return write(ctx, w, t, &opt) })
}

func write(ctx context.Context, w io.Writer, t *table.Table, opt *dialect.Options) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if strings.HasPrefix(opt.Encoding, "utf-16") { // which is known by its mark
		out.WriteString("\ufeff")
	}
	out.WriteString("@relation table\n\n")
	fields := make([]field, t.Width())
	for j := range fields {
		a := t.Attr(j)
		typ, labels, err := declare(t, j, opt.Decimals[a.Name])
		fields[j] = field{labels, table.Decimals(a.Step), opt.Decimals[a.Name], nil}
		if err == nil && a.Dates != "" {
			typ, fields[j].dates, err = declareDates(t.Column(j))
		}
		if err != nil {
			return fmt.Errorf("column %q %w", a.Name, err)
		}
		fmt.Fprintf(out, "@attribute %s %s\n", quote(a.Name), typ)
	}
	out.WriteString("\n@data\n")
	for i := range t.Rows() {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		if _, err := out.Write(row(out.AvailableBuffer(), t, fields, i)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// field is how the values of a column are written: labels in their quotes, and the decimals of the grid and of the file.
type field struct {
	labels     []string
	decs, want int
	dates      *calendar.Layout // nil for other numbers
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

// declare returns the type of column j, whose numbers are written with decs decimals at least, and its labels as they are written.
func declare(t *table.Table, j, decs int) (typ string, labels []string, err error) {
	a := t.Attr(j)
	if !text.OK([]byte(a.Name)) {
		return "", nil, errors.New("has a name that is not UTF-8 text")
	}
	switch a.Kind {
	case table.Categorical:
	case table.SetValued:
		return "", nil, fmt.Errorf("is %s, which ARFF files are not written with", a.Kind)
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

func row(dst []byte, t *table.Table, fields []field, i int) []byte {
	for j := range t.Width() {
		if j > 0 {
			dst = append(dst, ',')
		}
		if t.MissingAt(i, j) {
			dst = append(dst, '?')
			continue
		}
		switch a := t.Attr(j); a.Kind {
		case table.Numeric:
			if l := fields[j].dates; l != nil {
				dst = append(dst, quote(string(l.Append(nil, t.Num(j)[i])))...)
				continue
			}
			dst = decimal.Append(dst, t.Num(j)[i], a.Step, fields[j].decs)
			dst = decimal.Pad(dst, fields[j].decs, fields[j].want)
		case table.Categorical:
			dst = append(dst, fields[j].labels[t.Cat(j)[i]]...)
		case table.SetValued: // cannot be written
		}
	}
	return append(dst, '\n')
}

// escapes are the characters that a quoted word cannot hold as they are.
var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "%", `\%`, "\x1e", `\u001E`)

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
