package xlsx

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// output is a column as it is written.
type output struct {
	name  int      // of the shared texts
	style int      // of its cells
	cells []string // by code, what follows the reference of a cell and its style
	num   []float64
	texts *calendar.Layout // for dates that are written as texts
}

// writer is a workbook that is being written.
type writer struct {
	opt    *dialect.Options
	shared map[string]int
	list   []string
	styles []style
	cols   []output
}

// Write writes the table as a workbook of one sheet. Everything that cannot be written is found before the first byte
// is.
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	if t.Rows() >= maxRows || t.Width() > maxColumns {
		return fmt.Errorf("a sheet holds %d records of %d columns, and the table has %d of %d: write CSV or Parquet",
			maxRows-1, maxColumns, t.Rows(), t.Width())
	}
	b := &writer{opt: &opt, shared: map[string]int{}, styles: []style{{}, {code: "@"}, {code: "@", text: true}}}
	for j := range t.Width() {
		c := t.Column(j)
		if err := b.prepare(&c); err != nil {
			return fmt.Errorf("column %q %w", c.Name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	z := zip.NewWriter(w)
	name := opt.Sheet
	if !soundName(name) {
		name = "Sheet1"
	}
	for _, p := range []struct {
		name string
		body func(out *bufio.Writer) error
	}{
		{"[Content_Types].xml", plain(contentTypes)}, {"_rels/.rels", plain(packageRels)},
		{"xl/workbook.xml", plain(strings.Replace(workbookXML, "NAME", escape(name), 1))},
		{"xl/_rels/workbook.xml.rels", plain(workbookRels)},
		{"xl/worksheets/sheet1.xml", func(out *bufio.Writer) error { return b.sheet(ctx, out, t) }},
		{"xl/styles.xml", plain(b.stylesXML())}, {"xl/sharedStrings.xml", b.sharedXML},
	} {
		f, err := z.Create(p.name)
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(f, 1<<16)
		if err := p.body(out); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return z.Close()
}

// soundName reports whether a sheet may have a name.
func soundName(name string) bool {
	return name != "" && utf8.ValidString(name) && len(utf16.Encode([]rune(name))) <= 31 &&
		!strings.ContainsAny(name, `[]:*?/\`) &&
		!strings.HasPrefix(name, "'") &&
		!strings.HasSuffix(name, "'") &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r >= 0xfffe && r <= 0xffff })
}

// prepare finds out how a column is written, and whether it can be.
func (b *writer) prepare(c *table.Column) (err error) {
	o := output{}
	if o.name, err = b.text(c.Name); err != nil {
		return fmt.Errorf("has a name that %w", err)
	}
	code, known := strings.CutPrefix(b.opt.Types[c.Name], typed)
	known = known && code != "boolean"
	switch c.Kind {
	case table.Numeric:
		for i, v := range c.Num {
			if math.IsInf(v, 0) {
				return fmt.Errorf("is infinite in row %d", i+1)
			}
		}
		if c.Dates != "" {
			err = b.dates(c, &o, code, known)
		} else if o.num = c.Num; known {
			b.numbers(&o, code)
		}
	case table.Categorical:
		err = b.labels(c, &o)
	case table.SetValued:
		err = errors.New("holds sets of items, which a sheet has no cell for")
	}
	b.cols = append(b.cols, o)
	return err
}

// numbers gives a column the format that it had.
func (b *writer) numbers(o *output, code string) {
	switch showsOf(code) {
	case numbers:
		o.style = b.style(style{code: code})
	case clock:
		days := make([]float64, len(o.num))
		for i, v := range o.num {
			if days[i] = v / 86400; v == v && seconds(days[i]) != v {
				return
			}
		}
		o.num, o.style = days, b.style(style{code: code})
	case days, instants: // they are dates no more
	}
}

// dates writes dates as such, in the format that they had, or else in one that shows their notation.
func (b *writer) dates(c *table.Column, o *output, code string, known bool) error {
	l, err := dialect.Writable(*c)
	if err != nil {
		return err
	}
	num, ok := serials(c)
	if !ok {
		o.num, o.texts = c.Num, l
		return nil
	}
	if shown := showsOf(code); !known || shown != instants && (shown != days || c.Dates.PerDay() > 1) {
		code = codeFor(c.Dates)
	}
	o.num, o.style = num, b.style(style{code: code})
	return nil
}

// labels writes categories as texts; those that Excel, or anyone who reads the sheet, could take for something else
// stand behind an apostrophe.
func (b *writer) labels(c *table.Column, o *output) error {
	o.style = 1
	truth := b.opt.Types[c.Name] == boolean &&
		!slices.ContainsFunc(c.Labels, func(l string) bool { return l != truths[0] && l != truths[1] })
	if truth {
		o.style = 0
	}
	o.cells = make([]string, len(c.Labels))
	for _, k := range c.Cat { // texts are numbered as they come, so that a file that was read is written again as it was
		if k < 0 || o.cells[k] != "" {
			continue
		}
		if truth {
			o.cells[k] = fmt.Sprintf(` t="b"><v>%d</v></c>`, slices.Index(truths[:], c.Labels[k]))
			continue
		}
		at, err := b.text(c.Labels[k])
		if err != nil {
			return fmt.Errorf("has a label that %w", err)
		}
		s := 1
		if b.doubtful(c.Labels[k]) {
			s = 2
		}
		o.cells[k] = fmt.Sprintf(` s="%d" t="s"><v>%d</v></c>`, s, at)
	}
	return nil
}

// doubtful reports whether a text could be taken for a number, a date, a formula or a mark of a missing value.
func (b *writer) doubtful(label string) bool {
	if label == "" || slices.Contains(b.opt.Marks(), label) || slices.Contains(dialect.DefaultMissing, label) ||
		strings.ContainsRune("=+-@'\t\r\n", rune(label[0])) {
		return true
	}
	if _, _, ok := decimal.Parse([]byte(label), '.'); ok {
		return true
	}
	var s calendar.Seen
	return s.Add([]byte(label))
}

// text returns the number of a shared text.
func (b *writer) text(s string) (int, error) {
	k, ok := b.shared[s]
	if ok {
		return k, nil
	}
	switch {
	case !utf8.ValidString(s):
		return 0, errors.New("is not UTF-8 text")
	case strings.ContainsRune(s, 0):
		return 0, errors.New("has a zero byte, which no cell holds")
	case len(s) > maxText && len(utf16.Encode([]rune(s))) > maxText:
		return 0, fmt.Errorf("is longer than the %d characters that a cell holds", maxText)
	}
	k = len(b.list)
	b.shared[s], b.list = k, append(b.list, s)
	return k, nil
}

func (b *writer) style(s style) int {
	if k := slices.Index(b.styles, s); k >= 0 {
		return k
	}
	b.styles = append(b.styles, s)
	return len(b.styles) - 1
}

// sheet writes the cells.
func (b *writer) sheet(ctx context.Context, out *bufio.Writer, t *table.Table) error {
	out.WriteString(declaration + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`)
	for j, o := range b.cols {
		if j == 0 {
			out.WriteString("<cols>")
		}
		fmt.Fprintf(out, `<col min="%d" max="%d" width="12" style="%d"/>`, j+1, j+1, o.style)
		if j == len(b.cols)-1 {
			out.WriteString("</cols>")
		}
	}
	out.WriteString(`<sheetData><row r="1">`)
	refs := make([]string, len(b.cols))
	for j, o := range b.cols {
		refs[j] = `<c r="` + letters(j)
		fmt.Fprintf(out, `%s1" s="1" t="s"><v>%d</v></c>`, refs[j], o.name)
	}
	out.WriteString("</row>")
	var row []byte
	for i := range t.Rows() {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if b.opt.Progress != nil {
				b.opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		if _, err := out.Write(b.row(row[:0], t, i, refs)); err != nil {
			return err
		}
	}
	_, err := out.WriteString("</sheetData></worksheet>")
	return err
}

// row appends a record. One without any value has an empty text, or it would be no record.
func (b *writer) row(dst []byte, t *table.Table, i int, refs []string) []byte {
	at := strconv.Itoa(i + 2)
	dst = append(append(append(dst, `<row r="`...), at...), `">`...)
	empty := len(dst)
	for j := range b.cols {
		if t.MissingAt(i, j) {
			continue
		}
		o := &b.cols[j]
		dst = append(append(append(dst, refs[j]...), at...), '"')
		switch {
		case o.cells != nil:
			dst = append(dst, o.cells[t.Cat(j)[i]]...)
			continue
		case o.texts != nil:
			dst = append(o.texts.Append(append(dst, ` t="inlineStr"><is><t>`...), o.num[i]), `</t></is></c>`...)
			continue
		case o.style > 0:
			dst = append(strconv.AppendInt(append(dst, ` s="`...), int64(o.style), 10), '"')
		}
		dst = append(strconv.AppendFloat(append(dst, "><v>"...), o.num[i], 'g', -1, 64), "</v></c>"...)
	}
	if len(dst) == empty && len(b.cols) > 0 {
		dst = append(append(append(dst, refs[0]...), at...), `" t="str"><v></v></c>`...)
	}
	return append(dst, "</row>"...)
}
