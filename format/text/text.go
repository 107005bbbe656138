// Package text names places in a text file, and refuses what is not text.
package text

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Fault is an error at a place in a file. Line counts from 1, Byte counts the bytes of the line from 1; Byte 0 stands
// for the whole line.
type Fault struct {
	Line, Byte int
	Text       string
}

// Error names the place and the fault.
func (f *Fault) Error() string {
	if f.Byte == 0 {
		return fmt.Sprintf("line %d: %s", f.Line, f.Text)
	}
	return fmt.Sprintf("line %d, byte %d: %s", f.Line, f.Byte, f.Text)
}

// At returns a fault at data[pos]. Cost: O(pos).
func At(data []byte, pos int, format string, args ...any) error {
	return &Fault{LineOf(data, pos), pos - bytes.LastIndexByte(data[:pos], '\n'), fmt.Sprintf(format, args...)}
}

// AtLine returns a fault of the line that holds data[pos].
func AtLine(data []byte, pos int, format string, args ...any) error {
	return &Fault{LineOf(data, pos), 0, fmt.Sprintf(format, args...)}
}

// LineOf returns the line that holds data[pos], from 1.
func LineOf(data []byte, pos int) int { return 1 + bytes.Count(data[:pos], []byte{'\n'}) }

// piece is how many bytes are looked at in one go.
const piece = 1 << 20

// Pieces walks over data piece by piece until visit returns false. What the standard library does to bytes in one call
// lets nothing else have the core until it ends: over a file that is mapped into memory, so long that nobody gives
// pages back and the memory fills.
func Pieces(data []byte, visit func(piece []byte) bool) {
	for len(data) > 0 && visit(data[:min(piece, len(data))]) {
		data = data[min(piece, len(data)):]
	}
}

// Count returns how often a byte occurs, in pieces.
func Count(data []byte, b byte) (n int) {
	Pieces(data, func(p []byte) bool { n += bytes.Count(p, []byte{b}); return true })
	return n
}

// Has reports whether a byte occurs, in pieces.
func Has(data []byte, b byte) (found bool) {
	Pieces(data, func(p []byte) bool { found = bytes.IndexByte(p, b) >= 0; return !found })
	return found
}

// OK reports whether data are UTF-8 without zero bytes.
func OK(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

// Check names the first place at which data are not text.
func Check(data []byte) error {
	if OK(data) {
		return nil
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == 0:
			return At(data, i, "found a zero byte, expected text in UTF-8")
		case r == utf8.RuneError && n == 1 && mostlyUTF8(data):
			return At(data, i, "found bytes that are not UTF-8 in a text that is UTF-8 for the most part, as where files in "+
				"two "+
				"encodings were joined: turn the lines that are not into UTF-8 (iconv)")
		case r == utf8.RuneError && n == 1:
			return At(data, i, "found bytes that are not UTF-8, expected text in UTF-8; --encoding NAME (file: {encoding: "+
				"NAME} in a policy) reads another, such as gb18030 or shift_jis")
		}
		i += n
	}
}

// mostlyUTF8 reports whether most bytes beyond ASCII are letters in UTF-8, which bytes of another encoding sometimes
// look like.
func mostlyUTF8(data []byte) bool {
	letters := 0
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case n > 1:
			letters++
		case r == utf8.RuneError:
			letters--
		}
		i += n
	}
	return letters > 0
}

// Open returns the content of a file in UTF-8 without byte order mark, and how it was written. It sees to a line feed
// at the end, which it writes behind data where the capacity allows. The encoding may be named, see Encoding; without a
// name UTF-16 is known by its mark, and bytes that are no UTF-8 are taken for Windows-1252 unless they look like
// damaged UTF-8. It refuses a file without a byte.
func Open(data []byte, encoding string) (content []byte, as Written, err error) {
	content, as.Encoding, as.BOM, err = decode(data, encoding)
	if err != nil {
		return nil, as, err
	}
	if len(content) == 0 {
		return nil, as, fmt.Errorf("the file is empty, expected a header")
	}
	if content[len(content)-1] != '\n' {
		content = append(content, '\n')
	}
	return content, as, nil
}

// Written is how a text was written.
type Written struct {
	Encoding string // see Encoding
	BOM      bool   // a byte order mark leads
}
