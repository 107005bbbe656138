package record

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Text is any text as a record holds it, in printable ASCII: every other byte of its UTF-8, and the per cent sign, is
// written as % and two upper-case hexadecimal digits, as in an address.
func Text(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ReadText is the text that Text writes so. What it never writes is an error, which quotes nothing.
func ReadText(s string) (string, error) {
	text, err := url.PathUnescape(s)
	if err != nil || !utf8.ValidString(text) || Text(text) != s {
		return "", errors.New("this is no text as records hold it")
	}
	return text, nil
}
