package arff

import (
	"bytes"
	"fmt"

	"github.com/dither-data/dither/format/text"
)

// token is a piece of a line.
type token struct {
	kind byte // 'w' word, 'q' quoted word, '\n' end of line, 0 end of file, or the character itself: , { }
	text []byte
	pos  int
}

// is reports whether the token is the unquoted word, in any case.
func (t *token) is(word string) bool { return t.kind == 'w' && bytes.EqualFold(t.text, []byte(word)) }

func (t *token) isWord() bool { return t.kind == 'w' || t.kind == 'q' }

// String describes the token without its text.
func (t *token) String() string {
	switch t.kind {
	case 'w', 'q':
		return "a word"
	case '\n':
		return "the end of the line"
	case 0:
		return "the end of the file"
	}
	return fmt.Sprintf("%q", t.kind)
}

// lexer cuts the text into tokens. The text ends in a line feed.
type lexer struct {
	comments bool // there are some
	data     []byte
	pos      int
	buf      []byte
}

func (l *lexer) fault(t token, format string, args ...any) error {
	return text.At(l.data, t.pos, format, args...)
}

// next returns the next token; its text is valid until the call after.
func (l *lexer) next() (token, error) {
	for l.pos < len(l.data) && (l.data[l.pos] <= ' ' && l.data[l.pos] != '\n') {
		l.pos++
	}
	if l.pos == len(l.data) {
		return token{pos: l.pos}, nil
	}
	if l.data[l.pos] == '%' {
		l.comments = true
		l.pos += bytes.IndexByte(l.data[l.pos:], '\n')
	}
	start := l.pos
	switch c := l.data[start]; c {
	case '\n', ',', '{', '}':
		l.pos++
		return token{kind: c, pos: start}, nil
	case '\'', '"':
		return l.quoted(c)
	}
	for !ends[l.data[l.pos]] {
		l.pos++
	}
	if c := l.data[l.pos]; c == '\'' || c == '"' {
		return token{}, text.At(l.data, l.pos, "a quote inside a word, expected the whole word in quotes")
	}
	return token{'w', l.data[start:l.pos], start}, nil
}

// ends says which bytes end a word.
var ends = func() (e [256]bool) {
	for c := range ' ' + 1 {
		e[c] = true
	}
	for _, c := range ",{}%'\"" {
		e[c] = true
	}
	return e
}()

// quoted returns the text between quotes, where a backslash takes away the meaning of the character behind it or stands
// for a control character.
func (l *lexer) quoted(quote byte) (token, error) {
	start := l.pos
	l.buf = l.buf[:0]
	for l.pos++; l.data[l.pos] != quote; l.pos++ {
		switch c := l.data[l.pos]; {
		case c == '\n':
			return token{}, text.At(l.data, start, "the quote is not closed on its line")
		case c == '\\' && bytes.HasPrefix(l.data[l.pos:], []byte(`\u001E`)):
			l.buf = append(l.buf, 0x1e)
			l.pos += len(`\u001E`) - 1
		case c == '\\' && l.data[l.pos+1] != '\n':
			l.pos++
			l.buf = append(l.buf, unescape(l.data[l.pos]))
		default:
			l.buf = append(l.buf, c)
		}
	}
	l.pos++
	if c := l.data[l.pos]; !ends[c] || c == '\'' || c == '"' {
		return token{}, text.At(l.data, l.pos, "text behind a closing quote, expected a comma or a blank")
	}
	return token{'q', l.buf, start}, nil
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
