package fixed

import (
	"fmt"
	"strconv"
	"strings"
)

// word is a word of a description: a name, a number, a text in quotes or a sign.
type word struct {
	text   string
	quoted bool
	line   int
}

// words cuts a description into its words. Signs are cut off wherever they stand.
func words(text, signs string, line int) (out []word) {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			line++
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '"' || c == '\'':
			at, begun := i+1, line
			var b strings.Builder
			for i++; i < len(text) && (text[i] != c || i+1 < len(text) && text[i+1] == c); i++ {
				if text[i] == c { // two of them are one
					b.WriteString(text[at:i])
					i++
					at = i
				}
				if text[i] == '\n' {
					line++
				}
			}
			b.WriteString(text[min(at, i):i])
			out = append(out, word{b.String(), true, begun})
			i++
		case strings.IndexByte(signs, c) >= 0:
			out = append(out, word{string(c), false, line})
			i++
		default:
			at := i
			for i < len(text) && strings.IndexByte(signs+" \t\r\n\"'", text[i]) < 0 {
				i++
			}
			out = append(out, word{text[at:i], false, line})
		}
	}
	return out
}

// reader goes through words.
type reader struct {
	words []word
	line  int // of the last one
}

// next takes a word; it is empty at the end.
func (r *reader) next() word {
	if len(r.words) == 0 {
		return word{line: r.line}
	}
	w := r.words[0]
	r.words, r.line = r.words[1:], w.line
	return w
}

// is reports whether the next word is one, in any letters, and takes it then.
func (r *reader) is(text string) bool {
	if len(r.words) == 0 || r.words[0].quoted || !strings.EqualFold(r.words[0].text, text) {
		return false
	}
	r.next()
	return true
}

// peek is the next word, in lower case.
func (r *reader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return strings.ToLower(r.words[0].text)
}

// number reports whether the next word is a whole number, and takes it then.
func (r *reader) number() (n int, ok bool) {
	if len(r.words) == 0 || r.words[0].quoted {
		return 0, false
	}
	n, err := strconv.Atoi(r.words[0].text)
	if err != nil {
		return 0, false
	}
	r.next()
	return n, true
}

func (r *reader) fault(format string, args ...any) error {
	line := r.line
	if line == 0 && len(r.words) > 0 {
		line = r.words[0].line
	}
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}
