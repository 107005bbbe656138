package dta

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/format/codebook"
)

// le is the order of bytes of files that are written.
var le = binary.LittleEndian

// value appends the value of a record; k is the place of the variable.
func (v *output) value(dst []byte, i, k int) []byte {
	if v.word != nil {
		return v.text(dst, v.word(i), k)
	}
	x := v.num[i]
	if x != x {
		return v.missing(dst, v.letter(i))
	}
	switch v.typ {
	case byter:
		return append(dst, byte(int8(x)))
	case integer:
		return le.AppendUint16(dst, uint16(int16(x)))
	case long:
		return le.AppendUint32(dst, uint32(int32(x)))
	case float:
		return le.AppendUint32(dst, math.Float32bits(float32(x)))
	case double, strL: // the last of which are no numbers
	}
	return le.AppendUint64(dst, math.Float64bits(x))
}

// missing appends the missing value of a letter.
func (v *output) missing(dst []byte, letter byte) []byte {
	past := 0
	if letter != 0 {
		past = int(letter-'a') + 1
	}
	switch v.typ {
	case byter:
		return append(dst, byte(missingByte+past))
	case integer:
		return le.AppendUint16(dst, uint16(missingInt+past))
	case long:
		return le.AppendUint32(dst, uint32(missingLong+past))
	case float:
		return le.AppendUint32(dst, uint32(missingFloat+stepFloat*past))
	case double, strL:
	}
	return le.AppendUint64(dst, missingDouble+stepDouble*uint64(past))
}

// text appends a string, or where a long one stands.
func (v *output) text(dst []byte, word string, k int) []byte {
	if v.typ != strL {
		dst = append(dst, word...)
		return append(dst, make([]byte, int(v.typ)-len(word))...)
	}
	if word == "" {
		return append(dst, make([]byte, 8)...)
	}
	at := uint64(v.once[word].row)
	return le.AppendUint64(dst, uint64(k+1)|at<<16)
}

// builder writes the marks of a file, and the places where they begin.
type builder struct {
	b     []byte
	shift int // bytes of the records, which stand before what is appended from then on
	at    []uint64
}

func (b *builder) mark(name string) { b.b = append(b.b, name...) }

// section begins a part that the map has.
func (b *builder) section(name string) {
	b.at = append(b.at, uint64(len(b.b)+b.shift))
	b.mark(name)
}

// text appends a text in so many bytes, the last of which is zero.
func (b *builder) text(s string, n int) {
	s = clip(s, n-1)
	b.b = append(append(b.b, s...), make([]byte, n-len(s))...)
}

func (b *builder) int(v int) { b.b = le.AppendUint32(b.b, uint32(v)) }

const (
	nameBytes   = 129
	formatBytes = 57
	labelBytes  = 321
)

// frame returns what stands before the records and behind them.
func frame(vars []output, rows int) (head, tail []byte) {
	b := &builder{}
	b.section("<stata_dta>")
	b.mark("<header><release>118</release><byteorder>LSF</byteorder><K>")
	b.b = le.AppendUint16(b.b, uint16(len(vars)))
	b.mark("</K><N>")
	b.b = le.AppendUint64(b.b, uint64(rows))
	b.mark("</N><label>\x00\x00</label><timestamp>\x00</timestamp></header>")
	b.section("<map>")
	places := len(b.b)
	b.b = append(b.b, make([]byte, 14*8)...)
	b.mark("</map>")
	width := b.descriptors(vars)
	b.section("<characteristics>")
	for k := range vars {
		for _, c := range vars[k].chars {
			b.mark("<ch>")
			b.int(2*nameBytes + len(c[1]) + 1)
			b.text(vars[k].name, nameBytes)
			b.text(c[0], nameBytes)
			b.text(c[1], len(c[1])+1)
			b.mark("</ch>")
		}
	}
	b.mark("</characteristics>")
	b.section("<data>")
	cut := len(b.b)
	b.shift = width * rows
	b.mark("</data>")
	b.section("<strls>")
	b.longStrings(vars)
	b.mark("</strls>")
	b.section("<value_labels>")
	for k := range vars {
		b.valueLabels(&vars[k])
	}
	b.mark("</value_labels>")
	b.section("</stata_dta>")
	for k, at := range append(b.at, uint64(len(b.b)+b.shift)) {
		le.PutUint64(b.b[places+8*k:], at)
	}
	return b.b[:cut], b.b[cut:]
}

// descriptors appends types, names, formats and labels of the variables, and returns how many bytes a record has.
func (b *builder) descriptors(vars []output) (width int) {
	for _, part := range []struct {
		mark  string
		write func(v *output)
	}{
		{"variable_types", func(v *output) { b.b = le.AppendUint16(b.b, uint16(v.typ)); width += v.typ.bytes() }},
		{"varnames", func(v *output) { b.text(v.name, nameBytes) }},
		{"sortlist", func(*output) { b.b = append(b.b, 0, 0) }},
		{"formats", func(v *output) { b.text(v.format, formatBytes) }},
		{"value_label_names", func(v *output) {
			name := ""
			if len(v.stataLabels()) > 0 {
				name = v.name
			}
			b.text(name, nameBytes)
		}},
		{"variable_labels", func(v *output) { b.text(v.Var.Label, labelBytes) }},
	} {
		b.section("<" + part.mark + ">")
		for k := range vars {
			part.write(&vars[k])
		}
		if part.mark == "sortlist" {
			b.b = append(b.b, 0, 0)
		}
		b.mark("</" + part.mark + ">")
	}
	return width
}

// longStrings appends every text of strL variables once, by the record that has it first.
func (b *builder) longStrings(vars []output) {
	type place struct {
		row, variable int
		word          string
	}
	var all []place
	for k := range vars {
		for w, p := range vars[k].once {
			all = append(all, place{p.row, k + 1, w})
		}
	}
	slices.SortFunc(all, func(x, y place) int {
		if x.row != y.row {
			return x.row - y.row
		}
		return x.variable - y.variable
	})
	for _, p := range all {
		b.mark("GSO")
		b.int(p.variable)
		b.b = append(le.AppendUint64(b.b, uint64(p.row)), 130)
		b.int(len(p.word) + 1)
		b.text(p.word, len(p.word)+1)
	}
}

// stataLabels are the labels that Stata holds: of whole numbers and letters.
func (v *output) stataLabels() (out []codebook.Value) {
	if v.word != nil {
		return nil
	}
	for _, l := range v.Labels {
		if l.Word == "" && long.fits([]float64{l.Number}) {
			out = append(out, l)
		}
	}
	return out
}

func (b *builder) valueLabels(v *output) {
	labels := v.stataLabels()
	if len(labels) == 0 {
		return
	}
	var texts []byte
	var offsets, values []byte
	for _, l := range labels {
		code := int32(l.Number)
		if l.Letter != 0 {
			code = missingLong + 1 + int32(l.Letter-'a')
		}
		offsets, values = le.AppendUint32(offsets, uint32(len(texts))), le.AppendUint32(values, uint32(code))
		texts = append(append(texts, clip(l.Label, bytesHeld)...), 0)
	}
	b.mark("<lbl>")
	b.int(8 + len(offsets) + len(values) + len(texts))
	b.text(v.name, nameBytes)
	b.b = append(b.b, 0, 0, 0)
	b.int(len(labels))
	b.int(len(texts))
	b.b = append(append(append(b.b, offsets...), values...), texts...)
	b.mark("</lbl>")
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

// nameLetters is how many characters a name has at most.
const nameLetters = 32

var reserved = strings.Fields("_all _b byte _coef _cons double float if in int long _n _N _pi _pred _rc _skip strL " +
	"using with")

// sound reports whether Stata takes a text for the name of a variable.
func sound(name string) bool {
	if name == "" || utf8.RuneCountInString(name) > nameLetters || slices.Contains(reserved, name) {
		return false
	}
	if n, ok := strings.CutPrefix(name, "str"); ok {
		if _, err := strconv.Atoi(n); err == nil {
			return false
		}
	}
	for k, c := range name {
		if !unicode.IsLetter(c) && c != '_' && (k == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return utf8.ValidString(name)
}

// soundNames returns a name that Stata takes for every column, its own where that is one.
func soundNames(columns []string) []string {
	out, taken := make([]string, len(columns)), map[string]bool{}
	for j, c := range columns {
		if sound(c) {
			out[j], taken[c] = c, true
		}
	}
	for j, c := range columns {
		if out[j] != "" {
			continue
		}
		var letters []rune
		for _, r := range c {
			if len(letters) == nameLetters-8 {
				break
			}
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				r = '_'
			}
			letters = append(letters, r)
		}
		base := string(letters)
		if !sound(base) {
			base = "_" + base
		}
		if !sound(base) {
			base = "v"
		}
		name := base
		for k := 2; taken[name]; k++ {
			name = base + "_" + strconv.Itoa(k)
		}
		out[j], taken[name] = name, true
	}
	return out
}
