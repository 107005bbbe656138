package dta

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/text"
)

var nan = math.NaN()

// file is a dataset being read.
type file struct {
	data        []byte
	pos         int
	order       binary.ByteOrder
	release     int
	rows        int
	vars        []*variable
	labels      map[string][]codebook.Value // by the name of the set
	strings     map[[2]uint64][]byte        // long strings by variable and record
	decode      func(data []byte) string
	beyondASCII bool
	noted       bool // it has a label or notes
	rowsAt      int
}

type variable struct {
	name, format, labelled, label string
	typ                           typ
	chars                         map[string]string

	num     []float64
	letters []byte // of missing values by record, 0 for none; nil where there is none
	cat     []int32
	dict    text.Dict
}

func (v *variable) text() bool { return v.typ <= strL }

// notation is that of dates, where a characteristic keeps it.
func (v *variable) notation() calendar.Notation {
	n := calendar.Notation(v.chars[notationChar])
	if _, err := n.Layout(); err != nil {
		return ""
	}
	return n
}

// take returns the next n bytes; nil where there are fewer, and from then on.
func (f *file) take(n int) []byte {
	if n < 0 || f.pos < 0 || n > len(f.data)-f.pos {
		f.pos = -1
		return nil
	}
	f.pos += n
	return f.data[f.pos-n : f.pos]
}

// number reads an unsigned integer of so many bytes.
func (f *file) number(n int) uint64 {
	b := f.take(n)
	if b == nil {
		return 0
	}
	return unsigned(b, f.order)
}

func unsigned(b []byte, order binary.ByteOrder) (v uint64) {
	for k := range b {
		c := b[k]
		if order == binary.LittleEndian {
			c = b[len(b)-1-k]
		}
		v = v<<8 | uint64(c)
	}
	return v
}

// word reads a text that a zero ends, of so many bytes with what is behind the zero.
func (f *file) word(n int) string {
	b := f.take(n)
	if k := bytes.IndexByte(b, 0); k >= 0 {
		b = b[:k]
	}
	f.beyondASCII = f.beyondASCII || bytes.ContainsFunc(b, func(r rune) bool { return r > 0x7f })
	return f.decode(b)
}

// tag passes a mark of the releases from 117 on.
func (f *file) tag(name string) error {
	if b := f.take(len(name)); string(b) != name {
		return f.fault("expected " + name)
	}
	return nil
}

func (f *file) fault(what string) error {
	if f.pos < 0 {
		return fmt.Errorf("a Stata file that was cut short, or is damaged: %s", what)
	}
	return fmt.Errorf("not a sound Stata file: byte %d: %s", f.pos+1, what)
}

// sizes are those of a release: of numbers, names and labels, in bytes.
type sizes struct{ vars, rows, types, name, format, label, sort, record int }

func (f *file) sizes() sizes {
	switch f.release {
	case 113:
		return sizes{2, 4, 1, 33, 12, 81, 2, 0}
	case 114, 115:
		return sizes{2, 4, 1, 33, 49, 81, 2, 0}
	case 117:
		return sizes{2, 4, 2, 33, 49, 81, 2, 4}
	case 118:
		return sizes{2, 8, 2, 129, 57, 321, 2, 8}
	}
	return sizes{4, 8, 2, 129, 57, 321, 4, 8}
}

// readHead reads everything but the records.
func readHead(data []byte, encoding string) (*file, error) {
	f := &file{
		data:    data,
		order:   binary.LittleEndian,
		labels:  map[string][]codebook.Value{},
		strings: map[[2]uint64][]byte{},
	}
	if encoding == "" {
		encoding = "windows-1252"
	}
	old := !bytes.HasPrefix(data, []byte("<stata_dta>"))
	k, err := f.header(old)
	if err != nil {
		return nil, err
	}
	if f.release >= 118 {
		encoding = text.UTF8
	}
	if f.decode, err = text.Decoder(encoding); err != nil {
		return nil, err
	}
	if k < 1 || k > len(data) {
		return nil, f.fault("there are " + strconv.Itoa(k) + " variables")
	}
	for range k {
		f.vars = append(f.vars, &variable{chars: map[string]string{}})
	}
	if err := f.descriptors(old); err != nil {
		return nil, err
	}
	if old {
		err = f.oldTail()
	} else {
		err = f.newTail()
	}
	if err != nil {
		return nil, err
	}
	for _, v := range f.vars {
		if own, err := strconv.Unquote(v.chars[nameChar]); err == nil && own != "" {
			v.name = own
		}
	}
	return f, nil
}

// header reads the release, the order of bytes and how many variables and records there are.
func (f *file) header(old bool) (vars int, err error) {
	if old {
		head := f.take(4)
		if head == nil || !looks(f.data) {
			return 0, fmt.Errorf("not a Stata file of release 113 to 115 or 117 to 119, which Stata 8 and later write")
		}
		if f.release = int(head[0]); head[1] == 1 {
			f.order = binary.BigEndian
		}
		vars, f.rows = int(f.number(2)), int(f.number(4))
		f.take(81 + 18)
		return vars, nil
	}
	if err := f.tag("<stata_dta><header><release>"); err != nil {
		return 0, err
	}
	f.release, _ = strconv.Atoi(string(f.take(3)))
	if f.release < 117 || f.release > 119 {
		return 0, f.fault("expected release 117 to 119")
	}
	if err := f.tag("</release><byteorder>"); err != nil {
		return 0, err
	}
	if string(f.take(3)) == "MSF" {
		f.order = binary.BigEndian
	}
	if err := f.tag("</byteorder><K>"); err != nil {
		return 0, err
	}
	z := f.sizes()
	vars = int(f.number(z.vars))
	if err := f.tag("</K><N>"); err != nil {
		return 0, err
	}
	f.rows = int(f.number(z.rows))
	if err := f.tag("</N><label>"); err != nil {
		return 0, err
	}
	label := int(f.number(1 + min(1, z.record/8)))
	f.take(label)
	f.noted = label > 0
	if err := f.tag("</label><timestamp>"); err != nil {
		return 0, err
	}
	f.take(int(f.number(1)))
	if err := f.tag("</timestamp></header><map>"); err != nil {
		return 0, err
	}
	f.take(14 * 8)
	return vars, f.tag("</map>")
}

// descriptors reads types, names, formats and labels of the variables.
func (f *file) descriptors(old bool) error {
	z := f.sizes()
	for _, part := range []struct {
		mark string
		read func(v *variable)
	}{
		{"variable_types", func(v *variable) { v.typ = f.typ(z.types) }},
		{"varnames", func(v *variable) { v.name = f.word(z.name) }},
		{"sortlist", func(*variable) { f.take(z.sort) }},
		{"formats", func(v *variable) { v.format = f.word(z.format) }},
		{"value_label_names", func(v *variable) { v.labelled = f.word(z.name) }},
		{"variable_labels", func(v *variable) { v.label = f.word(z.label) }},
	} {
		if !old {
			if err := f.tag("<" + part.mark + ">"); err != nil {
				return err
			}
		}
		for _, v := range f.vars {
			part.read(v)
		}
		if part.mark == "sortlist" {
			f.take(z.sort) // the zero behind them
		}
		if f.pos < 0 {
			return f.fault(part.mark)
		}
		if !old {
			if err := f.tag("</" + part.mark + ">"); err != nil {
				return err
			}
		}
	}
	for j, v := range f.vars {
		if !v.typ.sound() {
			return f.fault("variable " + strconv.Itoa(j+1) + " has an unknown type")
		}
	}
	return nil
}

// typ reads a type; before release 117 it is a byte.
func (f *file) typ(n int) typ {
	t := typ(f.number(n))
	if n > 1 {
		return t
	}
	if t > 250 {
		return double + (255 - t) // 255 is double, 251 byte
	}
	if t > 244 {
		return 0
	}
	return t
}

// width is how many bytes a record has.
func (f *file) width() (n int) {
	for _, v := range f.vars {
		n += v.typ.bytes()
	}
	return n
}

// records passes the records, which are read once everything else is known.
func (f *file) records() error {
	f.rowsAt = f.pos
	if f.rows < 0 || f.rows > len(f.data)/f.width() || f.take(f.rows*f.width()) == nil {
		f.pos = -1
		return f.fault("its records")
	}
	return nil
}

// oldTail reads what stands behind the descriptors before release 117.
func (f *file) oldTail() error {
	for {
		kind, n := f.number(1), int(f.number(4))
		if f.pos < 0 {
			return f.fault("its characteristics")
		}
		if kind == 0 && n == 0 {
			break
		}
		f.take(n)
	}
	if err := f.records(); err != nil {
		return err
	}
	for f.pos < len(f.data) {
		if err := f.valueLabels(33); err != nil {
			return err
		}
	}
	return nil
}

// newTail reads what stands behind the descriptors from release 117 on.
func (f *file) newTail() error {
	z := f.sizes()
	if err := f.tag("<characteristics>"); err != nil {
		return err
	}
	for bytes.HasPrefix(f.data[f.pos:], []byte("<ch>")) {
		f.take(4)
		n := int(f.number(4))
		of, name := f.word(z.name), f.word(z.name)
		value := f.word(n - 2*z.name)
		f.noted = f.noted || strings.HasPrefix(name, "note")
		if err := f.tag("</ch>"); err != nil {
			return err
		}
		if k := slices.IndexFunc(f.vars, func(v *variable) bool { return v.name == of }); k >= 0 {
			f.vars[k].chars[name] = value
		}
	}
	if err := f.tag("</characteristics><data>"); err != nil {
		return err
	}
	if err := f.records(); err != nil {
		return err
	}
	if err := f.tag("</data><strls>"); err != nil {
		return err
	}
	for bytes.HasPrefix(f.data[f.pos:], []byte("GSO")) {
		f.take(3)
		v, o := f.number(4), f.number(z.record)
		kind, n := f.number(1), int(f.number(4))
		b := f.take(n)
		if f.pos < 0 {
			return f.fault("its long strings")
		}
		if kind == 130 {
			b = bytes.TrimSuffix(b, []byte{0})
		}
		f.strings[[2]uint64{v, o}] = b
	}
	if err := f.tag("</strls><value_labels>"); err != nil {
		return err
	}
	for bytes.HasPrefix(f.data[f.pos:], []byte("<lbl>")) {
		f.take(5)
		if err := f.valueLabels(z.name); err != nil {
			return err
		}
		if err := f.tag("</lbl>"); err != nil {
			return err
		}
	}
	return f.tag("</value_labels></stata_dta>")
}

// valueLabels reads a set of labels.
func (f *file) valueLabels(nameBytes int) error {
	size := int(f.number(4))
	name := f.word(nameBytes)
	f.take(3)
	t := &file{data: f.take(size), order: f.order, decode: f.decode}
	n, texts := int(t.number(4)), int(t.number(4))
	if f.pos < 0 || n < 0 || texts < 0 || size != 8+8*n+texts {
		return f.fault("value labels have no sound size")
	}
	offsets, values := t.take(4*n), t.take(4*n)
	body := t.take(texts)
	var out []codebook.Value
	seen := map[int32]bool{}
	for k := range n {
		at, v := int(f.order.Uint32(offsets[4*k:])), int32(f.order.Uint32(values[4*k:]))
		if at > len(body) || at < 0 {
			return f.fault("a value label is not where it should be")
		}
		label, _, _ := bytes.Cut(body[at:], []byte{0})
		value := codebook.Value{Number: float64(v), Label: f.decode(label)}
		if v > missingLong {
			value.Number, value.Letter = 0, byte('a'+v-missingLong-1)
		}
		if v != missingLong && !seen[v] {
			seen[v] = true
			out = append(out, value)
		}
	}
	f.labels[name] = out
	return nil
}
