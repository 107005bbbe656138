package xlsx

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// scanner takes the XML of a part apart, a tag or a text at a time, in the memory of the longest. It knows what such
// parts are made of and no more: prefixes of names are dropped, comments and instructions skipped, and a document type,
// which could define what unpacks to gigabytes, is refused.
type scanner struct {
	r        io.Reader
	buf      []byte
	pos, end int
	read     int64 // bytes of the part
	over     bool  // r is at its end
	depth    int
	closing  bool // the tag was an element without content, whose end comes next

	name []byte // of the element that begins or ends
	tag  []byte // what follows the name in the tag that begins
	word []byte // text
	own  []byte // memory for texts with references
}

type token int

const (
	over token = iota
	begins
	ends
	words
)

// longestTag is how many bytes a tag or a text may have.
const longestTag = 1 << 24

var errXML = errors.New("its XML is damaged")

func newScanner(r io.Reader) *scanner { return &scanner{r: r, buf: make([]byte, 1<<16)} }

// fill reads more behind what is there, and reports whether there is more.
func (s *scanner) fill() (bool, error) {
	if s.over {
		return false, nil
	}
	if s.pos > 0 {
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	}
	if s.end == len(s.buf) {
		if len(s.buf) >= longestTag {
			return false, fmt.Errorf("a tag or a text in it has more than %d bytes", longestTag)
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	s.read += int64(n)
	if err == io.EOF {
		s.over, err = true, nil
	}
	return n > 0 || !s.over, err
}

// find returns the place behind the next mark at or behind from, both counted from pos; it is -1 at the end.
func (s *scanner) find(from int, mark string) (int, error) {
	for {
		if at := bytes.Index(s.buf[s.pos+from:s.end], []byte(mark)); at >= 0 {
			return from + at + len(mark), nil
		}
		from = max(from, s.end-s.pos-len(mark)+1)
		if more, err := s.fill(); !more || err != nil {
			return -1, err
		}
	}
}

// next goes on to the next token.
func (s *scanner) next() (token, error) {
	if s.closing {
		s.closing = false
		s.depth--
		return ends, nil
	}
	for {
		for s.pos == s.end {
			more, err := s.fill()
			if err != nil {
				return over, err
			}
			if !more {
				if s.depth != 0 {
					return over, errXML
				}
				return over, nil
			}
		}
		if s.buf[s.pos] != '<' {
			return s.text()
		}
		t, err := s.markup()
		if err != nil || t != over {
			return t, err
		}
	}
}

// text takes the text before the next tag.
func (s *scanner) text() (token, error) {
	n, err := s.find(0, "<")
	if err != nil {
		return over, err
	}
	if n--; n < 0 {
		n = s.end - s.pos
	}
	s.word = s.buf[s.pos : s.pos+n]
	s.pos += n
	s.word, err = s.plain(s.word)
	return words, err
}

// markup takes a tag; over is returned for what is skipped.
func (s *scanner) markup() (token, error) {
	for s.end-s.pos < 9 && !s.over {
		if _, err := s.fill(); err != nil {
			return over, err
		}
	}
	head := s.buf[s.pos:s.end]
	for _, m := range []struct{ open, shut string }{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}} {
		if !bytes.HasPrefix(head, []byte(m.open)) {
			continue
		}
		n, err := s.find(len(m.open), m.shut)
		if err != nil || n < 0 {
			return over, cmp.Or(err, errXML)
		}
		content := s.buf[s.pos+len(m.open) : s.pos+n-len(m.shut)]
		s.pos += n
		if m.shut == "]]>" {
			s.word = content
			return words, s.valid(content)
		}
		return over, nil
	}
	if bytes.HasPrefix(head, []byte("<!")) {
		return over, errors.New("it declares a type of document, which no workbook has")
	}
	n, err := s.tagEnd()
	if err != nil {
		return over, err
	}
	tag := s.buf[s.pos+1 : s.pos+n-1]
	s.pos += n
	return s.element(tag)
}

// tagEnd returns the length of the tag at pos; a > in quotes does not end it.
func (s *scanner) tagEnd() (int, error) {
	quote := byte(0)
	for i := 1; ; i++ {
		for s.pos+i >= s.end {
			if more, err := s.fill(); err != nil || !more {
				return 0, cmp.Or(err, errXML)
			}
		}
		switch c := s.buf[s.pos+i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1, nil
		}
	}
}

// element reads what stands between the marks of a tag.
func (s *scanner) element(tag []byte) (token, error) {
	if len(tag) > 0 && tag[0] == '/' {
		s.name, s.depth = local(bytes.TrimRight(tag[1:], " \t\r\n")), s.depth-1
		if s.depth < 0 {
			return over, errXML
		}
		return ends, nil
	}
	if s.closing = len(tag) > 0 && tag[len(tag)-1] == '/'; s.closing {
		tag = tag[:len(tag)-1]
	}
	n := bytes.IndexAny(tag, " \t\r\n")
	if n < 0 {
		n = len(tag)
	}
	if n == 0 {
		return over, errXML
	}
	s.name, s.tag, s.depth = local(tag[:n]), tag[n:], s.depth+1
	return begins, nil
}

// local is a name without its prefix.
func local(name []byte) []byte { return name[bytes.IndexByte(name, ':')+1:] }

// is reports whether the element has a name.
func (s *scanner) is(name string) bool { return string(s.name) == name }

// attr returns an attribute of the tag that begins, nil where it has none of the name. It lies in memory that the next
// token may use.
func (s *scanner) attr(name string) []byte {
	rest := s.tag
	for {
		rest = trimmed(rest)
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 {
			return nil
		}
		key := rest[:eq]
		for len(key) > 0 && blank(key[len(key)-1]) {
			key = key[:len(key)-1]
		}
		rest = trimmed(rest[eq+1:])
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return nil
		}
		shut := bytes.IndexByte(rest[1:], rest[0])
		if shut < 0 {
			return nil
		}
		if string(local(key)) == name {
			v, err := s.plain(rest[1 : 1+shut])
			if err != nil {
				return nil
			}
			return v
		}
		rest = rest[2+shut:]
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// trimmed is what follows blanks.
func trimmed(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	return b
}

// number is an attribute that is a whole number; without it, or where it is none, it is otherwise.
func (s *scanner) number(name string, otherwise int) int {
	v, err := strconv.Atoi(string(s.attr(name)))
	if err != nil {
		return otherwise
	}
	return v
}

// yes reports whether an attribute says so.
func (s *scanner) yes(name string) bool {
	v := s.attr(name)
	return string(v) == "1" || string(v) == "true"
}

func (s *scanner) valid(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("it has bytes that are not UTF-8")
	}
	return nil
}

// plain replaces references, and the ends of lines by a line feed.
func (s *scanner) plain(b []byte) ([]byte, error) {
	if err := s.valid(b); err != nil || bytes.IndexByte(b, '&') < 0 && bytes.IndexByte(b, '\r') < 0 {
		return b, err
	}
	out := s.own[:0]
	for i := 0; i < len(b); i++ {
		switch c := b[i]; c {
		case '\r':
			if i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
			out = append(out, '\n')
		case '&':
			n := bytes.IndexByte(b[i:min(len(b), i+12)], ';')
			if n < 0 {
				return nil, errXML
			}
			r, ok := reference(string(b[i+1 : i+n]))
			if !ok {
				return nil, errXML
			}
			out = utf8.AppendRune(out, r)
			i += n
		default:
			out = append(out, c)
		}
	}
	s.own = out
	return out, nil
}

// reference is the character that stands between & and ;.
func reference(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	base, digits := 10, name[1:]
	if digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	v, err := strconv.ParseUint(digits, base, 32)
	return rune(v), err == nil && v > 0 && v <= utf8.MaxRune && utf8.ValidRune(rune(v))
}
