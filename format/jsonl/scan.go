package jsonl

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dither-data/dither/format/text"
)

// kind is that of a value.
type kind uint8

const (
	null kind = iota
	number
	words
	boolean
	list
	nested // an object, or a list of what is none of the others
)

// sink takes the values of a file. A text is its memory until it returns only.
type sink interface {
	begin()                                      // a record
	column(name []byte, at int) (j int, _ error) // the column of a name that stands at a byte of the file
	value(j int, k kind, word []byte, at int) error
	item(j int, k kind, word []byte, at int) error // of the list whose value was told before
}

// scanner reads lines, or elements of an array.
type scanner struct {
	data     []byte
	pos, end int // of the lines; a line feed stands before end
	array    bool
	buf      []byte
}

// records tells a sink all records.
func (s *scanner) records(to sink) error {
	for s.pos < s.end {
		s.blank()
		switch s.data[s.pos] {
		case '\n':
			s.pos++
			continue
		case '{':
		case '[':
			return s.fault("found a list, expected an object in each line")
		default:
			return s.fault("expected an object in each line, which begins with a brace")
		}
		s.pos++
		to.begin()
		if err := s.object(to); err != nil {
			return err
		}
		if s.blank(); s.data[s.pos] != '\n' {
			return s.fault("found something behind the object, expected one object in each line")
		}
		s.pos++
	}
	return nil
}

func (s *scanner) fault(format string, args ...any) error {
	if s.data[s.pos] == '\n' && s.pos > 0 && !s.array {
		return text.AtLine(s.data, s.pos, "the object does not end in its line, expected one object in each line")
	}
	return text.At(s.data, s.pos, format, args...)
}

func (s *scanner) blank() {
	for c := s.data[s.pos]; c == ' ' || c == '\t' || c == '\r' || c == '\n' && s.array; c = s.data[s.pos] {
		s.pos++
	}
}

// object reads names and values, behind the brace.
func (s *scanner) object(to sink) error {
	if s.blank(); s.data[s.pos] == '}' {
		s.pos++
		return nil
	}
	for {
		s.blank()
		at := s.pos
		name, err := s.name()
		if err != nil {
			return err
		}
		j, err := to.column(name, at)
		if err != nil {
			return err
		}
		if err := s.member(to, j); err != nil {
			return err
		}
		more, err := s.more('}')
		if !more {
			return err
		}
	}
}

// more passes a comma, or the sign that ends what is listed.
func (s *scanner) more(end byte) (bool, error) {
	s.blank()
	switch s.data[s.pos] {
	case ',':
		s.pos++
		return true, nil
	case end:
		s.pos++
		return false, nil
	}
	return false, s.fault("expected a comma or %c", end)
}

// member reads the value of a name.
func (s *scanner) member(to sink, j int) error {
	at := s.pos
	switch s.data[s.pos] {
	case '[':
		return s.list(to, j)
	case '{':
		if err := s.skip(deepest); err != nil {
			return err
		}
		return to.value(j, nested, nil, at)
	}
	k, word, err := s.single()
	if err != nil {
		return err
	}
	return to.value(j, k, word, at)
}

// list reads a list.
func (s *scanner) list(to sink, j int) error {
	if err := to.value(j, list, nil, s.pos); err != nil {
		return err
	}
	s.pos++
	if s.blank(); s.data[s.pos] == ']' {
		s.pos++
		return nil
	}
	for {
		s.blank()
		at, k, word, err := s.pos, nested, []byte(nil), error(nil)
		if c := s.data[at]; c == '{' || c == '[' {
			err = s.skip(deepest)
		} else {
			k, word, err = s.single()
		}
		if err == nil {
			err = to.item(j, k, word, at)
		}
		if err != nil {
			return err
		}
		more, err := s.more(']')
		if !more {
			return err
		}
	}
}

// deepest is how deep values may lie in each other.
const deepest = 100

// skip passes over a value of any kind.
func (s *scanner) skip(deep int) error {
	first := s.data[s.pos]
	if first != '{' && first != '[' {
		_, _, err := s.single()
		return err
	}
	if deep == 0 {
		return s.fault("found values more than %d deep in each other", deepest)
	}
	end := first + 2 // as } and ] are
	s.pos++
	if s.blank(); s.data[s.pos] == end {
		s.pos++
		return nil
	}
	for {
		s.blank()
		if first == '{' {
			if _, err := s.name(); err != nil {
				return err
			}
		}
		if err := s.skip(deep - 1); err != nil {
			return err
		}
		more, err := s.more(end)
		if !more {
			return err
		}
	}
}

// name reads a name, and passes the colon behind it.
func (s *scanner) name() ([]byte, error) {
	if s.data[s.pos] != '"' {
		return nil, s.fault("expected a name in quotes")
	}
	name, err := s.quoted()
	if err != nil {
		return nil, err
	}
	if s.blank(); s.data[s.pos] != ':' {
		return nil, s.fault("expected a colon behind the name")
	}
	s.pos++
	s.blank()
	return name, nil
}

var literals = []struct {
	word string
	kind kind
}{{"null", null}, {"true", boolean}, {"false", boolean}, {"NaN", null}}

// single reads a value that is none of others.
func (s *scanner) single() (kind, []byte, error) {
	c := s.data[s.pos]
	switch {
	case c == '"':
		word, err := s.quoted()
		return words, word, err
	case c == '-' || c-'0' <= 9:
		word, err := s.number()
		return number, word, err
	}
	for _, l := range literals {
		if bytes.HasPrefix(s.data[s.pos:], []byte(l.word)) {
			word := s.data[s.pos : s.pos+len(l.word)]
			s.pos += len(l.word)
			return l.kind, word, nil
		}
	}
	return null, nil, s.fault("expected a value: a text in quotes, a number, true, false or null")
}

// number reads a number (RFC 8259, section 6).
func (s *scanner) number() ([]byte, error) {
	lo, d := s.pos, s.data
	digits := func() bool {
		from := s.pos
		for d[s.pos]-'0' <= 9 {
			s.pos++
		}
		return s.pos > from
	}
	if d[s.pos] == '-' {
		s.pos++
	}
	zero := d[s.pos] == '0'
	if from := s.pos; !digits() || zero && s.pos > from+1 {
		return nil, s.fault("found no sound number")
	}
	if d[s.pos] == '.' {
		if s.pos++; !digits() {
			return nil, s.fault("found no digit behind the point of a number")
		}
	}
	if d[s.pos] == 'e' || d[s.pos] == 'E' {
		if s.pos++; d[s.pos] == '+' || d[s.pos] == '-' {
			s.pos++
		}
		if !digits() {
			return nil, s.fault("found no digit in the exponent of a number")
		}
	}
	return d[lo:s.pos], nil
}

// quoted reads a text in quotes. It is the scanner's memory until the next one.
func (s *scanner) quoted() ([]byte, error) {
	s.pos++
	lo := s.pos
	for ; ; s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			word := s.data[lo:s.pos]
			if !utf8.Valid(word) {
				return nil, s.fault("found bytes that are not UTF-8 before here, expected text in UTF-8")
			}
			s.pos++
			return word, nil
		case c == '\\':
			return s.escaped(lo)
		case c < ' ':
			return nil, s.fault("found a control character in a text, expected an escape")
		}
	}
}

// escaped reads on at an escape in a text that began at lo.
func (s *scanner) escaped(lo int) ([]byte, error) {
	s.buf = append(s.buf[:0], s.data[lo:s.pos]...)
	for {
		switch c := s.data[s.pos]; {
		case c == '"':
			if !utf8.Valid(s.buf) {
				return nil, s.fault("found bytes that are not UTF-8 before here, expected text in UTF-8")
			}
			s.pos++
			return s.buf, nil
		case c == '\\':
			r, n := escape(s.data[s.pos:s.end])
			if n == 0 {
				return nil, s.fault("found an escape that stands for no character")
			}
			s.buf, s.pos = utf8.AppendRune(s.buf, r), s.pos+n
		case c < ' ':
			return nil, s.fault("found a control character in a text, expected an escape")
		default:
			s.buf, s.pos = append(s.buf, c), s.pos+1
		}
	}
}

// escape returns the character that a text begins with, and the length of its escape; 0 where it is none.
func escape(d []byte) (rune, int) {
	const short, stands = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(d) < 2 {
		return 0, 0
	}
	if k := bytes.IndexByte([]byte(short), d[1]); k >= 0 {
		return rune(stands[k]), 2
	}
	r, ok := unit(d)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low, ok := unit(d[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// unit reads \u and four hexadecimal digits.
func unit(d []byte) (rune, bool) {
	if len(d) < 6 || d[0] != '\\' || d[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(d[2:6]), 16, 16)
	return rune(v), err == nil
}
