package xpt

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/sas7bdat"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// output is a variable to be written.
type output struct {
	codebook.Target
	name, label string
	form        string // the name of its format
	width, decs int    // of the format
	text        bool
	bytes       int
	put         func(dst []byte, i int) []byte
}

// Write writes a transport file. It fails, naming the column, on what a file cannot hold: infinite numbers and those
// beyond its range, texts that are not UTF-8, are empty, end in blanks or have more than 32,767 bytes, and sets.
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	vars, err := outputs(t, &opt)
	if err != nil {
		return err
	}
	size := 0
	for k := range vars {
		size += vars[k].bytes
	}
	row := func(dst []byte, i int) []byte {
		for k := range vars {
			dst = vars[k].put(dst, i)
		}
		return dst
	}
	h := header{long: needsLong(vars), member: opt.Sheet, rows: t.Rows()}
	if n := t.Rows(); n > 0 && size < record && len(bytes.Trim(row(nil, n-1), " ")) == 0 {
		h.long = true // whose head says how many records there are
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(h.head(vars)); err != nil {
		return err
	}
	var buf []byte
	for i := range t.Rows() {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		buf = row(buf[:0], i)
		if _, err := out.Write(buf); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := out.WriteString(blanks((record - t.Rows()*size%record) % record)); err != nil {
		return err
	}
	return out.Flush()
}

func blanks(n int) string { return strings.Repeat(" ", n) }

// needsLong reports whether version 5 does not hold the variables.
func needsLong(vars []output) bool {
	for k := range vars {
		if v := &vars[k]; len(v.name) > shortName || len(v.label) > shortLabel || v.bytes > shortText ||
			len(v.form) > shortName {
			return true
		}
	}
	return len(vars) > 9999
}

// outputs works out how the columns are written.
func outputs(t *table.Table, opt *dialect.Options) ([]output, error) {
	books := maps.Clone(opt.Codebook)
	for name, b := range books {
		for _, r := range b.Reasons {
			if r.Label != "."+strings.ToUpper(string(rune(r.Letter))) { // which would be lost
				b.Why = ""
			}
		}
		books[name] = b
	}
	targets := codebook.Targets(t, books, true)
	vars, names := make([]output, len(targets)), make([]string, len(targets))
	for k, g := range targets {
		v := &vars[k]
		v.Target, v.bytes = g, 8
		c := &v.Column
		names[k] = c.Name
		err := errors.New("has a name that is not UTF-8 text without zero bytes")
		switch wish := opt.Types[c.Name]; {
		case !text.OK([]byte(c.Name)):
		case c.Kind == table.SetValued:
			err = fmt.Errorf("is %s, which SAS transport files are not written with", c.Kind)
		case c.Kind == table.Categorical:
			err = v.texts(c.Labels)
		case c.Dates != "":
			err = v.dates(wish)
		default:
			if _, dates := sas7bdat.Clock(wish); !dates {
				v.format(wish)
			}
			err = v.numbers(c.Num)
		}
		if err != nil {
			return nil, fmt.Errorf("column %q %w", c.Name, err)
		}
	}
	for k, name := range soundNames(names) {
		if vars[k].name = name; name != names[k] && vars[k].Var.Label == "" {
			vars[k].Var.Label = names[k]
		}
		vars[k].label = strings.TrimRight(clip(vars[k].Var.Label, longestLabel), " ")
	}
	return vars, nil
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

// format takes a format of SAS's, such as DATE9. or 8.2; anything else it leaves alone.
func (v *output) format(wish string) {
	name := strings.TrimRight(wish, "0123456789.")
	width, decs, point := strings.Cut(wish[len(name):], ".")
	w, err := strconv.Atoi("0" + width)
	d, err2 := strconv.Atoi("0" + decs)
	if !point && name != wish || err != nil || err2 != nil || w > longestText || d > w || name != sound(name, longName) &&
		name != "" {
		return
	}
	v.form, v.width, v.decs = name, w, d
}

// numbers settles how numbers are written, with the reasons why some are missing.
func (v *output) numbers(num []float64) error {
	for i, x := range num {
		if x-x != 0 && x == x {
			return fmt.Errorf("is infinite in row %d", i+1)
		}
		if _, ok := stored(x); !ok && x == x {
			return fmt.Errorf("holds in row %d a number beyond 7.2e75, or below 5.4e-79, which SAS transport files do not "+
				"hold: write another format, such as .sav", i+1)
		}
	}
	v.put = func(dst []byte, i int) []byte {
		if x := num[i]; x == x {
			b, _ := stored(x)
			return binary.BigEndian.AppendUint64(dst, b)
		}
		letter := byte(0)
		if v.Why != nil && v.Why[i] >= 0 {
			letter = v.Reasons[v.Why[i]].Letter
		}
		return binary.BigEndian.AppendUint64(dst, missing(letter))
	}
	return nil
}

// dates settles how dates are written: as numbers where these are exact, else as texts.
func (v *output) dates(wish string) error {
	c := &v.Column
	l, err := dialect.Writable(*c)
	if err != nil {
		return err
	}
	days := c.Dates.PerDay() == 1
	form := "DATETIME20."
	switch {
	case days:
		form = "DATE9."
	case c.Dates.PerDay() > 86_400:
		form = "DATETIME26.6"
	}
	if k, ok := sas7bdat.Clock(wish); ok && (k.PerDay == 1) == days {
		v.format(wish)
	}
	if v.form == "" {
		v.format(form)
	}
	k, _ := sas7bdat.Clock(v.form)
	num, ok := k.Units(c)
	if !ok {
		words := make([]string, len(c.Num))
		for i, x := range c.Num {
			if x == x {
				words[i] = string(l.Append(nil, x))
			}
		}
		v.Column = table.CatColumn(c.Name, words, codes(c.Num))
		v.form, v.width, v.decs = "", 0, 0
		return v.texts(words)
	}
	return v.numbers(num)
}

// codes are those of records that are each a category of their own, but for the missing ones.
func codes(num []float64) []int32 {
	out := make([]int32, len(num))
	for i, x := range num {
		if out[i] = int32(i); x != x {
			out[i] = -1
		}
	}
	return out
}

// texts settles how categories are written.
func (v *output) texts(labels []string) error {
	used := make([]bool, len(labels))
	for _, c := range v.Column.Cat {
		if c >= 0 {
			used[c] = true
		}
	}
	width := 1
	for k, l := range labels {
		switch {
		case !text.OK([]byte(l)):
			return errors.New("has a label that is not UTF-8 text without zero bytes")
		case !used[k]:
			continue
		case l == "" || l[len(l)-1] == ' ':
			return errors.New("has a label that is empty or ends in a blank, which SAS transport files do not hold: write " +
				"another format, such as .sav")
		case len(l) > longestText:
			return fmt.Errorf("has a label of more than %d bytes, which SAS transport files do not hold", longestText)
		}
		width = max(width, len(l))
	}
	v.text, v.bytes = true, width
	v.put = func(dst []byte, i int) []byte {
		word := ""
		if k := v.Column.Cat[i]; k >= 0 {
			word = labels[k]
		}
		return append(append(dst, word...), blanks(width-len(word))...)
	}
	return nil
}

// header makes what stands before the values.
type header struct {
	long   bool
	member string
	rows   int
	b      []byte
}

// text appends a text of so many bytes.
func (h *header) text(s string, n int) { h.b = append(h.b, (s + blanks(max(0, n-len(s))))[:n]...) }

// mark appends a record that says what follows.
func (h *header) mark(short, long, content string) {
	h.text(headMark+fmt.Sprintf("%-8s", h.kind(short, long))+headEnd+content, record)
}

// kind is one of two names, by the version.
func (h *header) kind(short, long string) string {
	if h.long {
		return long
	}
	return short
}

// fill fills the last record.
func (h *header) fill() { h.text("", (record-len(h.b)%record)%record) }

const (
	nothing = "000000000000000000000000000000"
	created = "01JAN60:00:00:00"
)

// head returns everything before the values.
func (h *header) head(vars []output) []byte {
	h.mark("LIBRARY", "LIBV8", nothing)
	h.text("SAS     SAS     SASLIB  9.4", 64)
	h.text(created, 16)
	h.text(created, record)
	h.mark("MEMBER", "MEMBV8", "000000000000000001600000000"+strconv.Itoa(longDescription))
	h.mark("DSCRPTR", "DSCPTV8", nothing)
	h.text("SAS", 8)
	if h.long {
		h.text(sound(cmp.Or(h.member, "DATA"), longName), longName)
	} else {
		h.text(sound(cmp.Or(h.member, "DATA"), shortName), shortName)
	}
	h.text("SASDATA 9.4", 16)
	h.fill()
	copy(h.b[len(h.b)-len(created):], created)
	h.text(created, record)
	h.mark("NAMESTR", "NAMSTV8", fmt.Sprintf("%010d%020d", len(vars), 0))
	at := 0
	for k := range vars {
		h.describe(&vars[k], k+1, at)
		at += vars[k].bytes
	}
	if h.fill(); h.long {
		h.labels(vars)
		h.mark("OBS", "OBSV8", fmt.Sprintf("%015d%015d", h.rows, 0))
	} else {
		h.mark("OBS", "OBSV8", nothing)
	}
	return h.b
}

func (h *header) shorts(list ...int) {
	for _, n := range list {
		h.b = binary.BigEndian.AppendUint16(h.b, uint16(n))
	}
}

// describe appends the description of a variable whose values begin at a place of a record.
func (h *header) describe(v *output, number, at int) {
	kind, align := 1, 1
	if v.text {
		kind, align = 2, 0
	}
	h.shorts(kind, 0, v.bytes, number)
	h.text(clip(v.name, shortName), shortName)
	h.text(clip(v.label, shortLabel), shortLabel)
	h.text(clip(v.form, shortName), shortName)
	h.shorts(v.width, v.decs, align, 0)
	h.text("", shortName)
	h.shorts(0, 0)
	h.b = binary.BigEndian.AppendUint32(h.b, uint32(at))
	rest := longDescription - 88
	if h.long {
		h.text(v.name, longName)
		h.shorts(len(v.label))
		rest -= longName + 2
	}
	h.b = append(h.b, make([]byte, rest)...)
}

// labels appends the names and labels that are too long for the description of a variable.
func (h *header) labels(vars []output) {
	var long []int
	for k := range vars {
		if v := &vars[k]; len(v.name) > shortName || len(v.label) > shortLabel || len(v.form) > shortName {
			long = append(long, k)
		}
	}
	if len(long) == 0 {
		return
	}
	forms := slices.ContainsFunc(vars, func(v output) bool { return len(v.form) > shortName })
	kind := "LABELV8"
	if forms { // which the other has no place for
		kind = "LABELV9"
	}
	h.mark("", kind, strconv.Itoa(len(long)))
	for _, k := range long {
		v := &vars[k]
		words := []string{v.name, v.label}
		h.shorts(k+1, len(v.name), len(v.label))
		if forms {
			words = append(words, v.form+width(v.width, v.decs))
			h.shorts(len(words[2]), 0)
		}
		for _, s := range words {
			h.text(s, len(s))
		}
	}
	h.fill()
}
