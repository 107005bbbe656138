package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// UTF8 is the name of the encoding that everything is held in.
const UTF8 = "utf-8"

// Encoding returns the name under which the encoding of a text is known, for any name or label that the Encoding
// Standard (WHATWG) lists: utf-8, utf-16le, windows-1252 (latin1), iso-8859-2, shift_jis. The empty name stays empty:
// the encoding is to be detected.
func Encoding(name string) (string, error) {
	_, name, err := named(name)
	return name, err
}

// named returns an encoding and its name; nil for UTF-8 and for the empty name.
func named(name string) (encoding.Encoding, string, error) {
	label := strings.ToLower(strings.TrimSpace(name))
	switch label {
	case "":
		return nil, "", nil
	case "utf-16": // the mark tells the order of bytes
		label = "utf-16le"
	}
	e, known, ok := lookup(label)
	switch {
	case !ok:
		return nil, "", fmt.Errorf("%q is not a known encoding; expected one such as utf-8, windows-1252 or utf-16", name)
	case known == "replacement" || known == "x-user-defined":
		return nil, "", fmt.Errorf("%q is not an encoding for tables", name)
	case known == UTF8:
		return nil, known, nil
	}
	return e, known, nil
}

// decode returns data in UTF-8, the name of the encoding they were in, and whether they began with a byte order mark,
// which is taken off. Without a name, UTF-16 is known by its mark, and bytes that cannot be UTF-8 are taken for
// Windows-1252 if they look like it.
func decode(data []byte, name string) (content []byte, found string, bom bool, err error) {
	if found, bom, err = find(data, name); err != nil {
		return nil, "", false, err
	}
	if bom {
		_, end := mark(data)
		data = data[end:]
	}
	e, _, err := named(found)
	if err != nil || e == nil {
		return data, found, bom, err
	}
	content, err = e.NewDecoder().Bytes(data)
	if at := bytes.Index(content, []byte("\uFFFD")); err == nil && at >= 0 {
		err = At(content, at, "found bytes that are not %s", found)
	}
	return content, found, bom, err
}

// Decoder returns what puts bytes of an encoding into UTF-8, for formats that have texts among other things. Bytes that
// are no characters of the encoding become U+FFFD, but for the first ones of a letter of UTF-8 at the end, which was
// cut off where a field was too narrow: these are left out, as others do.
func Decoder(name string) (func(data []byte) string, error) {
	e, _, err := named(name)
	if err != nil || e == nil {
		return func(data []byte) string { return strings.ToValidUTF8(string(uncut(data)), "\uFFFD") }, err
	}
	return func(data []byte) string {
		out, err := e.NewDecoder().Bytes(data)
		if err != nil {
			return strings.ToValidUTF8(string(data), "\uFFFD")
		}
		return string(out)
	}, nil
}

// uncut returns a text of UTF-8 without a last letter of which some bytes lack: a field was too narrow for it.
func uncut(data []byte) []byte {
	for k := 1; k < min(utf8.UTFMax, len(data)+1); k++ {
		if c := data[len(data)-k]; utf8.RuneStart(c) {
			if last := data[len(data)-k:]; c >= utf8.RuneSelf && !utf8.FullRune(last) {
				return data[:len(data)-k]
			}
			break
		}
	}
	return data
}

// Found returns the name of the encoding that Open reads data in; empty for a name that is no encoding's. Cost: a look
// at all bytes where no name is given.
func Found(data []byte, name string) string {
	found, _, _ := find(data, name)
	return found
}

// InPlace refuses data that have to be turned into UTF-8 to be read, which takes the memory of all of them.
func InPlace(data []byte, name string) error {
	if found := Found(data, name); found != UTF8 && found != "" {
		return fmt.Errorf("the text is in %s and has to be turned into UTF-8, which takes the memory of all of it: turn it "+
			"into a file of UTF-8 first (iconv -f %s -t utf-8)", found, found)
	}
	return nil
}

// find returns the name of the encoding of data, and whether its byte order mark leads them.
func find(data []byte, name string) (found string, bom bool, err error) {
	if _, found, err = named(name); err != nil {
		return "", false, err
	}
	marked, _ := mark(data)
	switch {
	case marked != "" && (found == "" || found == marked || strings.HasPrefix(found, "utf-16")):
		return marked, true, nil
	case found == "" && looksWestern(data):
		return "windows-1252", false, nil
	case found == "":
		return UTF8, false, nil
	}
	return found, false, nil
}

// mark returns the encoding whose byte order mark data begin with, and where the mark ends.
func mark(data []byte) (name string, end int) {
	for _, m := range []struct{ mark, name string }{{"\xef\xbb\xbf", UTF8}, {"\xff\xfe", "utf-16le"},
		{"\xfe\xff", "utf-16be"}} {
		if bytes.HasPrefix(data, []byte(m.mark)) {
			return m.name, len(m.mark)
		}
	}
	return "", 0
}

// looksWestern reports whether data are a text that is not UTF-8 but may well be Windows-1252: no byte steers or has no
// character there, and no bytes beyond ASCII happen to be UTF-8, as they do in a file of UTF-8 that is damaged.
func looksWestern(data []byte) bool {
	if utf8.Valid(data) {
		return false
	}
	for i := 0; i < len(data); {
		b := data[i]
		if b < 0x80 {
			if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' || b == 0x7f {
				return false
			}
			i++
			continue
		}
		if b == 0x81 || b == 0x8d || b == 0x8f || b == 0x90 || b == 0x9d {
			return false
		}
		if _, n := utf8.DecodeRune(data[i:]); n > 1 {
			return false
		}
		i++
	}
	return true
}

// Encoded calls write with a writer of UTF-8 whose bytes reach w in another encoding. Writing a character that the
// encoding lacks is an error.
func Encoded(w io.Writer, name string, write func(w io.Writer) error) error {
	e, name, err := named(name)
	if err != nil {
		return err
	}
	if e == nil {
		return write(w)
	}
	out := transform.NewWriter(w, e.NewEncoder())
	if err = write(out); err == nil {
		err = out.Close()
	}
	var lacks interface{ Replacement() byte } // what the encoders return for a character that is not theirs
	if errors.As(err, &lacks) {
		return fmt.Errorf("the encoding %s has no code for a character in the table: save the original as UTF-8 "+
			"and read that", name)
	}
	return err
}
