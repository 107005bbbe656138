package xpt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/format/sas7bdat"
	"github.com/dither-data/dither/format/text"
)

// Everything but the values stands in records of so many bytes.
const record = 80

// head is a record that says what follows: how many bytes of it say what.
const (
	headMark = "HEADER RECORD*******"
	headEnd  = "HEADER RECORD!!!!!!!"
	headText = 48
)

// The bytes of the description of a variable, which VAX machines have fewer of.
const longDescription, shortDescription = 140, 136

// rowsPerLook is how many records are read or written between two looks at the context.
const rowsPerLook = 4096

// file is a library being read.
type file struct {
	data []byte
	pos  int
	size int // of the description of a variable
	vars []*variable
	rows int // -1 unknown
	long bool
	name string // of the member
	// elsewhere says that the file gives places of its variables other than those in the order of their descriptions.
	elsewhere bool
}

type variable struct {
	sas7bdat.Variable
	at, bytes int // in a record of values
}

func (f *file) fault(format string, args ...any) error {
	return fmt.Errorf("not a sound SAS transport file: byte %d: %s", f.pos+1, fmt.Sprintf(format, args...))
}

var errShort = errors.New("a SAS transport file that was cut short, or is damaged: its head")

// head reads the head of a kind, whose version 8 has another name.
func (f *file) head(kinds ...string) (content string, err error) {
	if len(f.data)-f.pos < record {
		return "", errShort
	}
	r := string(f.data[f.pos : f.pos+record])
	for _, k := range kinds {
		if strings.HasPrefix(r, headMark+fmt.Sprintf("%-8s", k)+headEnd) {
			f.pos += record
			f.long = strings.HasSuffix(k, "V8") || strings.HasSuffix(k, "V9")
			return r[headText:], nil
		}
	}
	return "", f.fault("expected a record %s", kinds[0])
}

// take returns the next n bytes.
func (f *file) take(n int) ([]byte, error) {
	if n < 0 || n > len(f.data)-f.pos {
		return nil, errShort
	}
	f.pos += n
	return f.data[f.pos-n : f.pos], nil
}

// pad passes what fills the last record that began at a place.
func (f *file) pad(from int) { f.pos = min(len(f.data), f.pos+(record-(f.pos-from)%record)%record) }

// open reads the description of a member: the one of a name, or the first.
func open(data []byte, name string) (f *file, others []string, err error) {
	f = &file{data: data}
	if !looks(data) {
		return nil, nil, errors.New("not a SAS transport file (.xpt), which begins with " + headMark)
	}
	if _, err := f.head("LIBRARY", "LIBV8"); err != nil {
		return nil, nil, err
	}
	if _, err := f.take(2 * record); err != nil {
		return nil, nil, err
	}
	var chosen *file
	for starts := members(data); len(starts) > 0; starts = starts[1:] {
		end := len(data)
		if len(starts) > 1 {
			end = starts[1]
		}
		m := &file{data: data[:end], pos: starts[0], rows: -1}
		if err := m.member(); err != nil {
			return nil, nil, err
		}
		if chosen == nil && (name == "" || m.called(name)) {
			chosen = m
		} else {
			others = append(others, strconv.Quote(m.name))
		}
	}
	switch {
	case chosen == nil && len(others) > 0:
		return nil, nil, fmt.Errorf("the file has no data set %q, its data sets are %s", name, strings.Join(others, ", "))
	case chosen == nil:
		return nil, nil, f.fault("it has no data set")
	}
	return chosen, others, nil
}

// called reports whether a data set has a name, or the one that SAS takes in its place.
func (f *file) called(name string) bool {
	return f.name == name || f.name == sound(name, longName) || f.name == sound(name, shortName)
}

// members returns where the data sets of a library begin.
func members(data []byte) (starts []int) {
	for at := 0; at+record <= len(data); at += record {
		if r := data[at : at+record]; bytes.HasPrefix(r, []byte(headMark+"MEMB")) && bytes.Contains(r[:headText],
			[]byte(headEnd)) {
			starts = append(starts, at)
		}
	}
	return starts
}

// member reads what comes before the values of a data set.
func (f *file) member() error {
	about, err := f.head("MEMBER", "MEMBV8")
	if err != nil {
		return err
	}
	if f.size, err = strconv.Atoi(strings.TrimSpace(about[len(about)-8:])); err != nil || f.size != longDescription &&
		f.size != shortDescription {
		return f.fault("a variable is described by %d or %d bytes", longDescription, shortDescription)
	}
	if _, err = f.head("DSCRPTR", "DSCPTV8"); err != nil {
		return err
	}
	info, err := f.take(2 * record)
	if err != nil {
		return err
	}
	f.name = strings.TrimRight(string(info[8:16]), " \x00")
	if f.long {
		f.name = strings.TrimRight(string(info[8:40]), " \x00")
	}
	if about, err = f.head("NAMESTR", "NAMSTV8"); err != nil {
		return err
	}
	n, err := strconv.Atoi(about[:10])
	if err != nil || n < 1 || n > (len(f.data)-f.pos)/f.size {
		return f.fault("the number of variables")
	}
	from := f.pos
	for range n {
		if err := f.describe(); err != nil {
			return err
		}
	}
	if f.pad(from); f.long {
		if err := f.labels(); err != nil {
			return err
		}
	}
	if about, err = f.head("OBS", "OBSV8"); err != nil {
		return err
	}
	if rows, err := strconv.Atoi(strings.TrimSpace(about[:15])); f.long && err == nil && rows > 0 {
		f.rows = rows
	}
	return nil
}

// describe reads the description of a variable. Values stand in the order of the descriptions: the place that a
// description gives is, in files of SAS's own macro for version 8, that of the data set which the file was made of.
func (f *file) describe() error {
	b, err := f.take(f.size)
	if err != nil {
		return err
	}
	short := func(at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
	word := func(from, to int) string { return string(bytes.TrimRight(b[from:to], " \x00")) }
	v := &variable{bytes: short(4)}
	if n := len(f.vars); n > 0 {
		v.at = f.vars[n-1].at + f.vars[n-1].bytes
	}
	f.elsewhere = f.elsewhere || uint32(v.at) != binary.BigEndian.Uint32(b[84:])
	v.Text, v.Name, v.Label, v.Format = short(0) == 2, word(8, 16), word(16, 56), word(56, 64)
	if f.long && f.size == longDescription {
		if name := word(88, 120); name != "" {
			v.Name = name
		}
	}
	if v.Format += width(short(64), short(66)); v.Format != "" && v.Text && v.Format[0] != '$' {
		v.Format = "$" + v.Format
	}
	if !v.Text && short(0) != 1 || v.bytes < 1 || !v.Text && (v.bytes < 2 || v.bytes > 8) {
		return f.fault("variable %d, of kind %d, has %d bytes", len(f.vars)+1, short(0), v.bytes)
	}
	f.vars = append(f.vars, v)
	return nil
}

// width is how a format says how wide it is.
func width(n, decimals int) string {
	switch {
	case n == 0:
		return ""
	case decimals == 0:
		return strconv.Itoa(n) + "."
	}
	return strconv.Itoa(n) + "." + strconv.Itoa(decimals)
}

// labels reads the names, labels and formats that are too long for the description of a variable; a file may have none.
func (f *file) labels() error {
	for _, kind := range []string{"LABELV8", "LABELV9"} {
		about, err := f.head(kind)
		if err != nil {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(about))
		if err != nil || n < 0 || n > len(f.vars) {
			return f.fault("the number of labels")
		}
		from := f.pos
		for range n {
			if err := f.label(kind == "LABELV9"); err != nil {
				return err
			}
		}
		f.pad(from)
	}
	f.long = true // the last head was none of it
	return nil
}

// label reads the name and the label of a variable, and its formats.
func (f *file) label(formats bool) error {
	head := 6
	if formats {
		head = 10
	}
	b, err := f.take(head)
	if err != nil {
		return err
	}
	k := int(binary.BigEndian.Uint16(b))
	var words []string
	for at := 2; at < head; at += 2 {
		w, err := f.take(int(binary.BigEndian.Uint16(b[at:])))
		if err != nil {
			return err
		}
		words = append(words, strings.TrimRight(string(w), " \x00"))
	}
	if k < 1 || k > len(f.vars) {
		return f.fault("a label of variable %d", k)
	}
	v := f.vars[k-1]
	v.Name, v.Label = words[0], words[1]
	if formats && words[2] != "" {
		v.Format = words[2]
	}
	return nil
}

// errElsewhere is the error for texts that are none where the order of the descriptions says that they stand.
var errElsewhere = errors.New("the positions that the file gives for its variables disagree with the order of " +
	"their descriptions, and read in that order texts hold control characters: write it again with SAS's XPORT engine, " +
	"haven or pandas")

// read reads the values.
func (f *file) read(ctx context.Context, progress func(done, total int64)) error {
	last := f.vars[len(f.vars)-1]
	n := last.at + last.bytes
	body := f.data[f.pos:]
	rows := f.rows
	if rows < 0 {
		rows = counted(body, n)
	}
	if rows > len(body)/n {
		return fmt.Errorf("a SAS transport file that was cut short, or is damaged: it says that it has %d records, and "+
			"has %d",
			rows, len(body)/n)
	}
	for i := range rows {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(f.pos+i*n), int64(len(f.data)))
			}
		}
		for _, v := range f.vars {
			b := body[i*n+v.at:][:v.bytes]
			if !v.Text {
				v.Add(number(b))
				continue
			}
			code := int32(-1)
			if b = bytes.TrimRight(b, " \x00"); len(b) > 0 {
				code = v.Dict.Code(b)
			}
			if f.elsewhere && bytes.ContainsFunc(b, binaryIn) {
				return errElsewhere
			}
			v.Cat = append(v.Cat, code)
		}
	}
	if progress != nil {
		progress(int64(len(f.data)), int64(len(f.data)))
	}
	return ctx.Err()
}

// binaryIn reports whether a letter stands in no text, but in numbers.
func binaryIn(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }

// counted is how many records of n bytes stand in a body that says nothing of it: blanks fill its last 80 bytes, and
// whole records of blanks among them are taken for such.
func counted(body []byte, n int) int {
	rows := len(body) / n
	for rows > 0 && len(body)-(rows-1)*n < record && len(bytes.Trim(body[(rows-1)*n:rows*n], " ")) == 0 {
		rows--
	}
	return rows
}

// decode finds the decoder of texts, of which the file says nothing: they are UTF-8 where all could be, or else
// Windows-1252, which is the name that is assumed then.
func (f *file) decode(told string) (decode func([]byte) string, assumed string, err error) {
	if told == "" {
		told = text.UTF8
		for _, v := range f.vars {
			sound := utf8.ValidString(v.Name) && utf8.ValidString(v.Label)
			for _, l := range v.Dict.Labels() {
				sound = sound && utf8.ValidString(l)
			}
			if !sound {
				told, assumed = "windows-1252", "windows-1252"
			}
		}
	}
	decode, err = text.Decoder(told)
	return decode, assumed, err
}

// recode puts the names, labels and texts of a variable into UTF-8; two texts may become one.
func (v *variable) recode(decode func([]byte) string) {
	v.Name, v.Label = decode([]byte(v.Name)), decode([]byte(v.Label))
	raw := v.Dict.Labels()
	to, changed := make([]int32, len(raw)), false
	var dict text.Dict
	for k, w := range raw {
		u := decode([]byte(w))
		to[k] = dict.Code([]byte(u))
		changed = changed || u != w
	}
	if !changed {
		return
	}
	for i, c := range v.Cat {
		if c >= 0 {
			v.Cat[i] = to[c]
		}
	}
	v.Dict = dict
}
