package sav

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// Categories are written as numbers with labels while there are so many at most, and their labels have so many bytes,
// which is what SPSS shows. A file holds longer ones.
const (
	labelsShown = 1000
	bytesShown  = 120
	bytesHeld   = 255
)

// output is a variable to be written.
type output struct {
	codebook.Target
	name, short string
	more        []string // short names of further segments
	width       int
	print       int32
	attrs       [][2]string
	put         func(e *encoder, i int)
}

// write writes a system file, compressed by bytes or with zlib. It fails, naming the column, on what a file cannot
// hold: infinite numbers, texts that are not UTF-8 or have more than 32,767 bytes, sets.
func write(ctx context.Context, w io.Writer, t *table.Table, opt *dialect.Options, z bool) error {
	vars, err := outputs(t, opt)
	if err != nil {
		return err
	}
	if t.Rows() > math.MaxInt32 {
		return fmt.Errorf("%d records, of which an SPSS file holds no more than %d", t.Rows(), math.MaxInt32)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	head := dictionary(vars, opt.Responses, t.Rows(), z)
	if _, err := out.Write(head); err != nil {
		return err
	}
	e := newEncoder(out)
	if z {
		e = newDeflater(out, len(head))
	}
	for i := range t.Rows() {
		if i%casesPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		for k := range vars {
			vars[k].put(e, i)
		}
		if e.err != nil {
			return e.err
		}
	}
	if err := e.close(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// outputs works out how the columns are written.
func outputs(t *table.Table, opt *dialect.Options) ([]output, error) {
	targets := codebook.Targets(t, opt.Codebook, false)
	vars := make([]output, len(targets))
	columns, segments := make([]string, len(vars)), make([]int, len(vars))
	for k, g := range targets {
		v := &vars[k]
		v.Target = g
		c := &v.Column
		err := errors.New("has a name that is not UTF-8 text without zero bytes")
		switch wish := opt.Types[c.Name]; {
		case !text.OK([]byte(c.Name)):
		case c.Kind == table.SetValued:
			err = fmt.Errorf("is %s, which SPSS files are not written with", c.Kind)
		case c.Kind == table.Categorical:
			err = v.categories(wish)
		case c.Dates != "":
			err = v.datesOut(wish)
		default:
			err = v.numbers(wish)
		}
		if err != nil {
			return nil, fmt.Errorf("column %q %w", c.Name, err)
		}
		columns[k], segments[k] = c.Name, 1
		if v.width > longest {
			segments[k] = (v.width + effective - 1) / effective
		}
	}
	names := soundNames(columns)
	short := shortNames(names, segments)
	for k := range vars {
		v := &vars[k]
		v.name, v.short, v.more = names[k], short[k][0], short[k][1:]
		if v.name != columns[k] {
			v.attrs = append(v.attrs, [2]string{nameAttr, strconv.Quote(columns[k])})
		}
	}
	return vars, nil
}

// numbers settles how numbers are written.
func (v *output) numbers(wish string) error {
	c := &v.Column
	for i, x := range c.Num {
		if math.IsInf(x, 0) {
			return fmt.Errorf("is infinite in row %d", i+1)
		}
		if x == sysmis {
			return fmt.Errorf("holds in row %d the number that SPSS keeps for missing values", i+1)
		}
	}
	name, code, ok := parseFormat(wish)
	if _, dates := notations[name]; !ok || name == "A" || dates {
		decs := min(16, table.Decimals(c.Step))
		if decs < 0 {
			decs = 2
		}
		_, code, _ = parseFormat(fmt.Sprintf("F%d.%d", 8+decs, decs))
	}
	v.print, v.put = code, v.putNumbers(c.Num)
	return nil
}

// putNumbers writes numbers, and the codes of the reasons why others are missing.
func (v *output) putNumbers(num []float64) func(e *encoder, i int) {
	return func(e *encoder, i int) {
		switch x := num[i]; {
		case x == x:
			e.number(x)
		case v.Why != nil && v.Why[i] >= 0:
			e.number(v.Reasons[v.Why[i]].Number)
		default:
			e.number(sysmis)
		}
	}
}

// datesOut settles how dates are written: as numbers of seconds where these are exact, else as strings.
func (v *output) datesOut(wish string) error {
	c := &v.Column
	l, err := dialect.Writable(*c)
	if err != nil {
		return err
	}
	code, num, plain, ok := dateFormat(c, wish)
	for _, x := range num {
		ok = ok && !v.Var.IsMissing(x)
	}
	if !plain || !ok {
		v.attrs = append(v.attrs, [2]string{notationAttr, string(c.Dates)})
	}
	if ok {
		v.print, v.put = code, v.putNumbers(num)
		return nil
	}
	v.Labels, v.Var.Missing = nil, nil
	words := make([]string, len(num))
	longest := 1
	for i, x := range c.Num {
		if x == x {
			words[i] = string(l.Append(nil, x))
			longest = max(longest, len(words[i]))
		}
	}
	v.strings(longest)
	v.put = func(e *encoder, i int) { e.text(words[i], v.width) }
	return nil
}

// strings makes the variable one of strings.
func (v *output) strings(width int) {
	v.width = width
	v.print = 1<<16 | int32(min(width, longest))<<8
}

// categories settles how categories are written: as numbers with labels, or as strings.
func (v *output) categories(wish string) error {
	c := &v.Column
	name, code, numbered := parseFormat(wish)
	w, err := v.wording()
	if err != nil {
		return err
	}
	switch {
	case w.plain && (!w.held || name == "A" || w.coded || !w.short || len(c.Labels) == 0):
		v.strings(max(w.width, int(code>>8&0xff)*btoi(name == "A")))
		v.words(w.coded)
		return nil
	case !w.held:
		return errors.New("has labels that SPSS files cannot hold: longer than 32,767 bytes, or longer than 255 " +
			"next to one that is empty or ends with a space")
	}
	if w.coded {
		v.Var.Values = nil
		v.recode()
	}
	if !numbered || name == "A" {
		_, code, _ = parseFormat("F8")
	}
	v.print = code
	v.put = func(e *encoder, i int) {
		if k := c.Cat[i]; k >= 0 {
			e.number(v.Coded[k].Number)
		} else {
			e.number(sysmis)
		}
	}
	return nil
}

// wording is what the names of a column's categories allow.
type wording struct {
	coded bool // they have words as codes
	short bool // they are few and short enough to be labels of numbers, of which all is shown
	held  bool // labels hold all of them
	plain bool // strings hold all of them
	width int  // of such strings, in bytes, at least 1
}

// wording looks at the names of the categories. It fails on one that no SPSS file holds.
func (v *output) wording() (wording, error) {
	labels := v.Column.Labels
	w := wording{short: len(labels) <= labelsShown, held: true, plain: true, width: 1}
	for k, l := range labels {
		if !text.OK([]byte(l)) {
			return w, errors.New("has a label that is not UTF-8 text without zero bytes")
		}
		word := cmp.Or(v.Coded[k].Word, l)
		w.coded = w.coded || v.Coded[k].Word != ""
		w.short = w.short && len(l) <= bytesShown
		w.held = w.held && len(v.Coded[k].Label) <= bytesHeld
		w.plain = w.plain && word != "" && !strings.HasSuffix(word, " ") && len(word) <= widest
		w.width = max(w.width, len(word))
	}
	return w, nil
}

// recode numbers the categories from 1 on.
func (v *output) recode() {
	v.Labels = nil
	for k, l := range v.Column.Labels {
		v.Coded[k] = codebook.Value{Number: float64(k + 1), Label: l}
		v.Labels = append(v.Labels, v.Coded[k])
	}
}

// words writes strings, with the labels that they had.
func (v *output) words(coded bool) {
	c := &v.Column
	v.Labels, v.Var.Missing = nil, nil
	texts := make([]string, len(c.Labels))
	for k, l := range c.Labels {
		texts[k] = l
		if w := v.Coded[k]; coded && w.Word != "" {
			if texts[k] = w.Word; w.Label != w.Word && len(w.Label) <= bytesHeld {
				v.Labels = append(v.Labels, w)
			}
		}
	}
	for _, l := range v.Var.Spare {
		if coded && len(l.Word) <= v.width && len(l.Label) <= bytesHeld {
			v.Labels = append(v.Labels, l)
		}
	}
	v.put = func(e *encoder, i int) {
		if k := c.Cat[i]; k >= 0 {
			e.text(texts[k], v.width)
		} else {
			e.text("", v.width)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// clip cuts a text to so many bytes, between two characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
