package sav

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

// sysmis is the system-missing value, the smallest number there is; lowest and highest stand for the ends of ranges of
// missing values.
const (
	sysmis  = -math.MaxFloat64
	highest = math.MaxFloat64
)

var lowest = math.Nextafter(sysmis, 0)

// Strings beyond longest have segments: each holds segment bytes, but for every effective bytes there is one.
const (
	longest   = 255
	segment   = 255
	effective = 252
	widest    = 32767
)

// file is a system file being read.
type file struct {
	bytesReader
	bias       float64
	packing    int32 // 0 none, 1 bytes, 2 zlib
	cases      int   // -1 unknown
	documented bool  // it has documents
	weightAt   int32
	weight     string
	vars       []*variable
	elements   []*variable // by position in a case, from 0; nil for the rest of a string
	decode     func(data []byte) string
	page       int32            // code page
	extensions map[int32][]byte // by subtype
	reasons    map[string]bool  // names of columns that hold them
}

// variable is a variable.
type variable struct {
	short, name, label string
	width              int // of a string in bytes, 0 for numbers
	print              int32
	first              int // its first element
	segments           int
	missing            []codebook.Span
	missingWords       []string         // as bytes
	labels             []codebook.Value // as bytes
	attrs              map[string]string

	num  []float64
	cat  []int32
	dict text.Dict
}

func (v *variable) isMissing(x float64) bool {
	return slices.ContainsFunc(v.missing, func(s codebook.Span) bool { return s.Contains(x) })
}

// notation is that of dates, where an attribute keeps it.
func (v *variable) notation() calendar.Notation {
	n := calendar.Notation(v.attrs[notationAttr])
	if _, err := n.Layout(); err != nil {
		return ""
	}
	return n
}

// The custom attributes of variables that keep what SPSS has no place for.
const (
	nameAttr     = "dither.name"
	notationAttr = "dither.dates"
)

// bytesReader reads numbers and bytes, and remembers whether there were enough of them.
type bytesReader struct {
	data  []byte
	pos   int
	order binary.ByteOrder
	short bool
}

func (r *bytesReader) take(n int) []byte {
	if n < 0 || n > len(r.data)-r.pos {
		r.short, r.pos = true, len(r.data)
		return nil
	}
	r.pos += n
	return r.data[r.pos-n : r.pos]
}

func (r *bytesReader) int() int32 {
	if b := r.take(4); b != nil {
		return int32(r.order.Uint32(b))
	}
	return 0
}

func (r *bytesReader) long() int64 {
	if b := r.take(8); b != nil {
		return int64(r.order.Uint64(b))
	}
	return 0
}

func (r *bytesReader) float() float64 { return math.Float64frombits(uint64(r.long())) }

func (f *file) fault(format string, args ...any) error {
	if f.short {
		return fmt.Errorf("an SPSS file that was cut short, or is damaged, in byte %d", len(f.data))
	}
	return fmt.Errorf("not a sound SPSS file: byte %d: %s", f.pos+1, fmt.Sprintf(format, args...))
}

// readDictionary reads all records before the data.
func readDictionary(data []byte, encoding string) (*file, error) {
	f := &file{
		bytesReader: bytesReader{data: data, order: binary.LittleEndian},
		extensions:  map[int32][]byte{},
		reasons:     map[string]bool{},
	}
	if magic := string(f.take(4)); magic != "$FL2" && magic != "$FL3" {
		return nil, fmt.Errorf("not an SPSS file, which begins with $FL2 or $FL3")
	}
	f.take(60)
	if layout := f.int(); layout != 2 && layout != 3 {
		f.order = binary.BigEndian
	}
	f.int()
	f.packing, f.weightAt, f.cases = f.int(), f.int(), int(f.int())
	f.bias = f.float()
	f.take(9 + 8 + 64 + 3)
	if f.packing < 0 || f.packing > 2 || f.short {
		return nil, f.fault("the compression is %d, expected 0 to 2", f.packing)
	}
	for done := false; !done; {
		if err := f.record(&done); err != nil {
			return nil, err
		}
		if f.short {
			return nil, f.fault("")
		}
	}
	return f, f.settle(encoding)
}

// record reads a record.
func (f *file) record(done *bool) error {
	switch kind := f.int(); kind {
	case 2:
		return f.variable()
	case 3:
		return f.valueLabels()
	case 6:
		n := int(f.int())
		if n < 0 || n > len(f.data)/80 {
			return f.fault("a document has %d lines", n)
		}
		f.take(80 * n)
		f.documented = f.documented || n > 0
	case 7:
		subtype, size, count := f.int(), int64(f.int()), int64(f.int())
		if size < 0 || count < 0 || size*count > int64(len(f.data)) {
			return f.fault("an extension has %d parts of %d bytes", count, size)
		}
		f.extensions[subtype] = f.take(int(size * count))
	case 999:
		f.int()
		*done = true
	default:
		return f.fault("there is no kind of record %d", kind)
	}
	return nil
}

// variable reads the record of a variable, or of eight more bytes of a string.
func (f *file) variable() error {
	width := f.int()
	labelled, missing := f.int(), int(f.int())
	v := &variable{print: f.int(), width: int(width), first: len(f.elements), segments: 1}
	f.int()
	v.short = strings.TrimRight(string(f.take(8)), " ")
	if labelled == 1 {
		n := int(f.int())
		if n < 0 || n > len(f.data) {
			return f.fault("a label has %d bytes", n)
		}
		v.label = string(f.take(n))
		f.take((4 - n%4) % 4)
	}
	if width < -1 || width > longest || missing < -3 || missing > 3 || missing == -1 {
		return f.fault("a variable of width %d has %d missing values", width, missing)
	}
	var values []float64
	for range max(missing, -missing) {
		b := f.take(8)
		if f.short {
			return f.fault("")
		}
		if values = append(values, math.Float64frombits(f.order.Uint64(b))); width > 0 {
			v.missingWords = append(v.missingWords, string(filledUp(b)))
		}
	}
	if width == -1 {
		if len(f.elements) == 0 {
			return f.fault("a string goes on that did not begin")
		}
		f.elements = append(f.elements, nil)
		return nil
	}
	if missing < 0 && width == 0 {
		v.missing, values = append(v.missing, codebook.Span{Lo: values[0], Hi: values[1]}), values[2:]
	}
	for _, x := range values {
		if width == 0 && x == x {
			v.missing = append(v.missing, codebook.Span{Lo: x, Hi: x})
		}
	}
	f.elements = append(f.elements, v)
	f.vars = append(f.vars, v)
	return nil
}

// valueLabels reads labels of values and the variables that have them.
func (f *file) valueLabels() error {
	n := int(f.int())
	if n < 0 || n > len(f.data)/16 {
		return f.fault("there are %d labels", n)
	}
	type labelled struct{ value, label []byte }
	labels := make([]labelled, n)
	for k := range labels {
		value, size := f.take(8), f.take(1)
		if f.short {
			return nil
		}
		labels[k] = labelled{value, f.take(int(size[0]))}
		f.take((8 - (int(size[0])+1)%8) % 8)
	}
	if kind := f.int(); kind != 4 {
		return f.fault("labels are of no variables")
	}
	m := int(f.int())
	if m < 0 || m > len(f.elements) {
		return f.fault("labels are of %d variables", m)
	}
	for range m {
		at := int(f.int()) - 1
		if at < 0 || at >= len(f.elements) || f.elements[at] == nil {
			return f.fault("labels are of variable %d, which there is not", at+1)
		}
		v := f.elements[at]
		if len(v.labels) > 0 {
			return f.fault("a variable has labels twice")
		}
		for _, l := range labels {
			value := codebook.Value{Label: string(l.label)}
			if v.width == 0 {
				value.Number = math.Float64frombits(f.order.Uint64(l.value))
			} else {
				value.Word = string(filledUp(l.value[:min(8, v.width)]))
			}
			if value.Number == value.Number &&
				!slices.ContainsFunc(v.labels,
					func(o codebook.Value) bool { return o.Number == value.Number && o.Word == value.Word }) {
				v.labels = append(v.labels, value)
			}
		}
	}
	return nil
}

// settle works out what the extensions say, once all of them are there.
func (f *file) settle(encoding string) error {
	if b := f.extensions[3]; len(b) >= 32 {
		f.page = int32(f.order.Uint32(b[28:]))
	}
	decode, err := text.Decoder(f.charset(encoding))
	if err != nil {
		return err
	}
	f.decode = func(data []byte) string {
		data, _, _ = bytes.Cut(data, []byte{0})
		return decode(data)
	}
	if err := f.joinSegments(); err != nil {
		return err
	}
	long := map[string]string{}
	for _, pair := range bytes.Split(f.extensions[13], []byte{'\t'}) {
		if short, name, ok := bytes.Cut(pair, []byte{'='}); ok {
			long[string(short)] = string(name)
		}
	}
	attrs := f.attributes()
	names := map[string]int{}
	for j, v := range f.vars {
		name, ok := long[v.short]
		if !ok {
			name = v.short
		}
		v.name, v.label = f.decode([]byte(name)), f.decode([]byte(v.label))
		v.attrs = attrs[v.name]
		if own, err := strconv.Unquote(v.attrs[nameAttr]); err == nil && own != "" {
			v.name = own
		}
		if v.name == "" {
			return fmt.Errorf("variable %d has no name", j+1)
		}
		if k, twice := names[v.name]; twice {
			return fmt.Errorf("variables %d and %d are both named %q", k, j+1, v.name)
		}
		names[v.name] = j + 1
	}
	if at := int(f.weightAt) - 1; at >= 0 && at < len(f.elements) && f.elements[at] != nil {
		f.weight = f.elements[at].name
	}
	return f.longStringLabels(names)
}

// filledUp is a text without what fills it up: spaces, and zero bytes in the files of some programs.
func filledUp(text []byte) []byte {
	text, _, _ = bytes.Cut(text, []byte{0})
	return bytes.TrimRight(text, " ")
}

// charset is the name of the encoding: the one that is told, that of the file, or that of its code page.
func (f *file) charset(told string) string {
	if told != "" {
		return told
	}
	if b := f.extensions[20]; len(b) > 0 {
		if name, err := text.Encoding(string(b)); err == nil {
			return name
		}
	}
	name := "windows-1252"
	switch {
	case f.page == 65001:
		name = text.UTF8
	case f.page >= 1250 && f.page <= 1258:
		name = fmt.Sprintf("windows-%d", f.page)
	case f.page > 28590 && f.page < 28606:
		name = fmt.Sprintf("iso-8859-%d", f.page-28590)
	case f.page == 932:
		name = "shift_jis"
	case f.page == 936:
		name = "gbk"
	case f.page == 949:
		name = "euc-kr"
	case f.page == 950:
		name = "big5"
	}
	if _, err := text.Encoding(name); err != nil {
		return "windows-1252"
	}
	return name
}

// joinSegments makes one variable of the segments of a very long string.
func (f *file) joinSegments() error {
	for j, v := range f.vars {
		end := len(f.elements)
		if j+1 < len(f.vars) {
			end = f.vars[j+1].first
		}
		if need := max(1, (v.width+7)/8); end-v.first != need {
			return f.fault("variable %d has %d elements, expected %d", j+1, end-v.first, need)
		}
	}
	for _, pair := range bytes.Split(f.extensions[14], []byte{'\t'}) {
		name, size, ok := bytes.Cut(bytes.TrimRight(pair, "\x00"), []byte{'='})
		width, err := strconv.Atoi(strings.TrimSpace(string(size)))
		if !ok || err != nil || width <= longest {
			continue
		}
		at := slices.IndexFunc(f.vars, func(v *variable) bool { return v.short == string(name) })
		n := (width + effective - 1) / effective
		if at < 0 || width > widest || at+n > len(f.vars) {
			return f.fault("a very long string has no segments")
		}
		v := f.vars[at]
		for k, s := range f.vars[at : at+n] {
			want := segment
			if k == n-1 {
				want = width - k*effective
			}
			if s.width != want || s.first != v.first+32*k {
				return f.fault("a segment of a very long string has %d bytes, expected %d", s.width, want)
			}
		}
		v.width, v.segments = width, n
		f.vars = slices.Delete(f.vars, at+1, at+n)
	}
	return nil
}

// attributes returns the custom attributes of all variables that have one value.
func (f *file) attributes() map[string]map[string]string {
	out := map[string]map[string]string{}
	rest := f.decode(f.extensions[18])
	for rest != "" {
		name, more, ok := strings.Cut(rest, ":")
		if !ok {
			break
		}
		rest = more
		own := map[string]string{}
		for rest != "" && rest[0] != '/' {
			attr, more, ok := strings.Cut(rest, "(")
			value, after, closed := strings.Cut(more, "'\n)")
			if !ok || !closed {
				return out
			}
			own[attr], rest = strings.TrimPrefix(value, "'"), after
		}
		out[name], rest = own, strings.TrimPrefix(rest, "/")
	}
	return out
}

// longStringLabels reads the labels of strings of more than eight bytes.
func (f *file) longStringLabels(names map[string]int) error {
	r := bytesReader{data: f.extensions[21], order: f.order}
	for r.pos < len(r.data) {
		name := f.decode(r.take(int(r.int())))
		r.int()
		for range r.int() {
			value := string(filledUp(r.take(int(r.int()))))
			label := string(r.take(int(r.int())))
			if r.short {
				return fmt.Errorf("not a sound SPSS file: the labels of strings end early")
			}
			if j := names[name]; j > 0 && f.vars[j-1].width > 0 {
				f.vars[j-1].labels = append(f.vars[j-1].labels, codebook.Value{Word: value, Label: label})
			}
		}
		if r.short {
			return fmt.Errorf("not a sound SPSS file: the labels of strings end early")
		}
	}
	return nil
}
