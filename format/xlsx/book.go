package xlsx

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/message"
)

// book is a workbook that is being read.
type book struct {
	parts   map[string]*zip.File // by their names in lower case, for readers of packages ignore it (ECMA-376-2, 6.2.2.3)
	limit   int64                // how many bytes a part may unpack to
	sheets  []sheetRef
	epoch   float64 // days between the day 0 of serial numbers and 1970-01-01
	formats []style // by the number that cells give
	texts   text.Dict
	shared  []int32 // the code of a shared text by its number
	joined  bool
}

// sheetRef is a sheet of a workbook.
type sheetRef struct {
	name, part string
	hidden     bool
}

// A part that unpacks to more than freeBytes, and to more than ratio times the file, was made to fill somebody's memory
// or time: sheets of one value over and over unpack to some 40 times their size.
const (
	freeBytes = 64 << 20
	ratio     = 150
)

// unzip finds the parts of a workbook, and the name of the one that lists its sheets.
func unzip(data []byte) (b *book, main string, err error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, "", errors.New("not an Excel workbook, or one that was cut short")
	}
	b = &book{parts: map[string]*zip.File{}, limit: max(freeBytes, ratio*int64(len(data))), epoch: 25569}
	for _, f := range z.File {
		b.parts[strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))] = f
	}
	of, err := b.related("", "/officeDocument")
	main = "xl/workbook.xml"
	for _, target := range of {
		main = target
	}
	return b, main, err
}

// isWorkbook reports whether the part that a package names as its document is a workbook.
func isWorkbook(data []byte) (is bool) {
	b, main, err := unzip(data)
	if err != nil {
		return false
	}
	stop := errors.New("the first tag is known")
	err = b.each(main, func(s *scanner, t token) error {
		if t != begins {
			return nil
		}
		is = s.is("workbook")
		return stop
	})
	return is && errors.Is(err, stop)
}

// open finds the sheets of a workbook, and the formats of its cells.
func open(data []byte) (*book, error) {
	b, at, err := unzip(data)
	if err != nil {
		return nil, err
	}
	if b.part(at) == nil {
		if b.part("xl/workbook.bin") != nil {
			return nil, errors.New("a binary workbook (.xlsb): save it as .xlsx")
		}
		return nil, errors.New("a zip archive, but not an Excel workbook")
	}
	if strings.HasSuffix(at, ".bin") {
		return nil, errors.New("a binary workbook (.xlsb): save it as .xlsx")
	}
	if err := b.workbook(at); err != nil {
		return nil, err
	}
	return b, nil
}

// part is the part of a name, nil where there is none.
func (b *book) part(name string) *zip.File { return b.parts[strings.ToLower(name)] }

// each calls f at every tag that begins in a part, and at every text; a part that there is not has none.
func (b *book) each(part string, f func(s *scanner, t token) error) error {
	r, err := b.unpack(part)
	if r == nil || err != nil {
		return err
	}
	defer r.Close()
	s := newScanner(r)
	for {
		t, err := s.next()
		if err == nil && t != over {
			err = f(s, t)
		}
		if err != nil {
			return fmt.Errorf("not a sound Excel workbook: %q: %w", part, err)
		}
		if t == over {
			return nil
		}
	}
}

// unpack opens a part; it is nil where there is none.
func (b *book) unpack(part string) (io.ReadCloser, error) {
	f := b.part(part)
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("not a sound Excel workbook: %q cannot be unpacked", part)
	}
	return inUTF8(&bounded{r, b.limit})
}

// inUTF8 is a part in UTF-8, which may be in UTF-16 as it is stored: its first byte or its second is a zero then, or
// it begins with a byte order mark.
func inUTF8(r io.ReadCloser) (io.ReadCloser, error) {
	in := bufio.NewReader(r)
	var order unicode.Endianness
	switch head, _ := in.Peek(2); { // an error comes again
	case len(head) < 2, head[0] != 0 && head[0] < 0xfe && head[1] != 0:
		return struct {
			io.Reader
			io.Closer
		}{in, r}, nil
	case head[0] == 0: // where a mark says so, the decoder finds it
		order = unicode.BigEndian
	default:
		order = unicode.LittleEndian
	}
	return struct {
		io.Reader
		io.Closer
	}{transform.NewReader(in, unicode.UTF16(order, unicode.UseBOM).NewDecoder()), r}, nil
}

// bounded is a part that may unpack to so many bytes.
type bounded struct {
	io.ReadCloser
	left int64
}

var errDamaged = errors.New("it cannot be unpacked")

// Read fails once the limit is passed.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, fmt.Errorf("it unpacks to more than %d times the file", ratio)
	}
	if err != nil && err != io.EOF {
		err = errDamaged
	}
	return n, err
}

// related returns the parts that a part names as related, of a type that ends so, by their identities.
func (b *book) related(part, typ string) (map[string]string, error) {
	out := map[string]string{}
	dir, name := path.Split(part)
	err := b.each(dir+"_rels/"+name+".rels", func(s *scanner, t token) error {
		if t != begins || !s.is("Relationship") || !strings.HasSuffix(string(s.attr("Type")), typ) {
			return nil
		}
		target := string(s.attr("Target"))
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		out[string(s.attr("Id"))] = strings.TrimPrefix(target, "/")
		return nil
	})
	return out, err
}

// workbook reads the list of sheets, what days are counted from, and the formats of cells.
func (b *book) workbook(part string) error {
	of, err := b.related(part, "/worksheet")
	if err != nil {
		return err
	}
	err = b.each(part, func(s *scanner, t token) error {
		switch {
		case t != begins:
		case s.is("workbookPr") && s.yes("date1904"):
			b.epoch -= 1462
		case s.is("sheet"):
			if target, ok := of[string(s.attr("id"))]; ok { // a sheet of a chart is none of cells
				b.sheets = append(b.sheets,
					sheetRef{string(s.attr("name")), target, len(s.attr("state")) > 0 && string(s.attr("state")) != "visible"})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, k := range []struct {
		typ  string
		read func(part string) error
	}{{"/styles", b.styles}, {"/sharedStrings", b.strings}} {
		parts, err := b.related(part, k.typ)
		if err != nil {
			return err
		}
		for _, p := range parts {
			if err := k.read(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// strings reads the texts that cells share.
func (b *book) strings(part string) error {
	if b.joined {
		return nil
	}
	b.joined = true
	var one []byte
	in, phonetic := false, false
	return b.each(part, func(s *scanner, t token) error {
		switch {
		case t == begins && s.is("si"):
			one = one[:0]
		case t == begins && s.is("rPh"): // how it is spoken
			phonetic = true
		case t == ends && s.is("rPh"):
			phonetic = false
		case s.is("t") && t != words:
			in = t == begins
		case t == words && in && !phonetic:
			one = append(one, s.word...)
		case t == ends && s.is("si"):
			b.shared = append(b.shared, b.texts.Code(unescape(one)))
		}
		return nil
	})
}

// choose returns the sheet of a name, or the first one that is not hidden, and what there is to say of the others.
func (b *book) choose(name string) (ref sheetRef, note message.Sentence, err error) {
	var all []string
	for _, s := range b.sheets {
		word := strconv.Quote(s.name)
		if s.hidden {
			word += " (hidden)"
		}
		all = append(all, word)
	}
	if len(b.sheets) == 0 {
		return ref, note, errors.New("the workbook has no sheet of cells")
	}
	k := slices.IndexFunc(b.sheets, func(s sheetRef) bool { return s.name == name })
	if name == "" {
		k = max(0, slices.IndexFunc(b.sheets, func(s sheetRef) bool { return !s.hidden }))
	}
	if k < 0 {
		return ref, note, fmt.Errorf("the workbook has no sheet %q, its sheets are %s", name, strings.Join(all, ", "))
	}
	if name != "" || len(b.sheets) == 1 {
		return b.sheets[k], note, nil
	}
	return b.sheets[k], message.Say("read.sheet").Text("sheet", all[k]).Text("sheets", strings.Join(all, ", ")), nil
}

// unescape replaces _x000D_ by the character that it stands for. The memory of b is used.
func unescape(b []byte) []byte {
	if !bytes.Contains(b, []byte("_x")) {
		return b
	}
	out := b[:0]
	for i := 0; i < len(b); {
		if v, ok := escaped(b[i:]); ok {
			out = append(out, string(v)...)
			i += 7
			continue
		}
		out = append(out, b[i])
		i++
	}
	return out
}

// escaped reads _xHHHH_; what would be half of a character, or a zero byte, stays as it is.
func escaped(b []byte) (rune, bool) {
	if len(b) < 7 || b[0] != '_' || b[1] != 'x' || b[6] != '_' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(v), err == nil && v != 0 && (v < 0xd800 || v > 0xdfff)
}
