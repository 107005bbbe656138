package text

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func TestCheckNamesThePlace(t *testing.T) {
	const notUTF8 = "found bytes that are not UTF-8, expected text in UTF-8; --encoding NAME (file: {encoding: NAME} in " +
		"a policy) reads another, such as gb18030 or shift_jis"
	for _, c := range []struct{ data, want string }{
		{"a,b\nü,€\n", ""},
		{"", ""},
		{"a,b\nc\xff,d\n", "line 2, byte 2: " + notUTF8},
		{"\xe9\n", "line 1, byte 1: " + notUTF8},
		{"Müller\nJosé\nM\xfcller\n", "line 3, byte 2: found bytes that are not UTF-8 in a text that is UTF-8 for the most " +
			"part, as where files in two encodings were joined: turn the lines that are not into UTF-8 (iconv)"},
		{"ü\xfc\n", "line 1, byte 3: " + notUTF8},
		{"a\nü\x00", "line 2, byte 3: found a zero byte, expected text in UTF-8"},
		{"a\uFFFDb\n", ""}, // the replacement character itself is text
	} {
		got := ""
		if err := Check([]byte(c.data)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("Check(%q) = %q, want %q", c.data, got, c.want)
		}
		if OK([]byte(c.data)) != (c.want == "") {
			t.Errorf("OK(%q) disagrees with Check", c.data)
		}
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		data, name string
		content    string
		as         Written
		err        string
	}{
		{"a\n", "", "a\n", Written{"utf-8", false}, ""},
		{"a", "", "a\n", Written{"utf-8", false}, ""},
		{"ü", "", "ü\n", Written{"utf-8", false}, ""},
		{"\xef\xbb\xbfa\n", "", "a\n", Written{"utf-8", true}, ""},
		{"\xff\xfea\x00\n\x00", "", "a\n", Written{"utf-16le", true}, ""},
		{"\xfe\xff\x00a", "utf-16", "a\n", Written{"utf-16be", true}, ""},
		{"a\x00\n\x00", "UTF-16LE", "a\n", Written{"utf-16le", false}, ""},
		{"m\xe4nnlich\n\x80", "", "männlich\n€\n", Written{"windows-1252", false}, ""},
		{"m\xe4nnlich\n", "latin1", "männlich\n", Written{"windows-1252", false}, ""},
		{"\xb1\n", "iso-8859-2", "ą\n", Written{"iso-8859-2", false}, ""},
		{"ü\xe4\n", "", "ü\xe4\n", Written{"utf-8", false}, ""},       // UTF-8, damaged: Check names the place
		{"\x02\xe4\n", "", "\x02\xe4\n", Written{"utf-8", false}, ""}, // no text
		{"\x81\n", "", "\x81\n", Written{"utf-8", false}, ""},         // no character of Windows-1252
		{"", "", "", Written{}, "empty"},
		{"\xef\xbb\xbf", "", "", Written{}, "empty"},
		{"\xff\xfea\x00b", "", "", Written{}, "line 1, byte 2: found bytes that are not utf-16le"},
		{"a", "none", "", Written{}, "not a known encoding"},
		{"a", "replacement", "", Written{}, "not an encoding for tables"},
	} {
		content, as, err := Open([]byte(c.data), c.name)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("Open(%q, %q): error %v, want one about %s", c.data, c.name, err, c.err)
			}
		case err != nil || string(content) != c.content || as != c.as:
			t.Errorf("Open(%q, %q) = %q, %v, %v", c.data, c.name, content, as, err)
		}
	}
}

// TestEncoded: what is written in an encoding is read again, and what the encoding lacks is refused.
func TestEncoded(t *testing.T) {
	for _, name := range []string{"", "utf-8", "windows-1252", "utf-16le", "shift_jis"} {
		long.Check(t, func(t *rapid.T) {
			want := rapid.StringMatching("[a-zA-Z0-9 ;]{1,80}").Draw(t, "text") + "\n"
			if name != "shift_jis" {
				want = "é" + want
			}
			var out bytes.Buffer
			err := Encoded(&out, name, func(w io.Writer) error {
				half := len(want) / 2 // a character may be cut in two
				if _, err := io.WriteString(w, want[:half]); err != nil {
					return err
				}
				_, err := io.WriteString(w, want[half:])
				return err
			})
			got, _, again := Open(out.Bytes(), name)
			if err != nil || again != nil || string(got) != want {
				t.Fatalf("%q becomes %q: %v, %v", want, got, err, again)
			}
		})
	}
	err := Encoded(io.Discard, "windows-1252", func(w io.Writer) error { _, err := io.WriteString(w, "Ω"); return err })
	if err == nil || err.Error() != "the encoding windows-1252 has no code for a character in the table: save the "+
		"original as UTF-8 and read that" {
		t.Error(err)
	}
}

func TestFault(t *testing.T) {
	data := []byte("ab\ncd\n")
	if got := At(data, 4, "%d things", 2).Error(); got != "line 2, byte 2: 2 things" {
		t.Error(got)
	}
	if got := AtLine(data, 4, "odd").Error(); got != "line 2: odd" {
		t.Error(got)
	}
}

// Anyone who walks over a large file lets go of the core between pieces, and sees every byte once.
func TestPieces(t *testing.T) {
	data := bytes.Repeat([]byte("ab\n"), piece)
	data[piece-1], data[piece], data[len(data)-1] = 'x', 'x', 'y'
	longest, all := 0, []byte(nil)
	Pieces(data, func(p []byte) bool { longest, all = max(longest, len(p)), append(all, p...); return true })
	if longest > piece || !bytes.Equal(all, data) {
		t.Errorf("pieces of up to %d bytes, together the data: %v", longest, bytes.Equal(all, data))
	}
	for _, b := range []byte("abxy\nz") {
		if got, want := Count(data, b), bytes.Count(data, []byte{b}); got != want || Has(data, b) != (want > 0) {
			t.Errorf("%q occurs %d times, counted %d, found: %v", b, want, got, Has(data, b))
		}
	}
	visits := 0
	Pieces(data, func([]byte) bool { visits++; return false })
	if visits != 1 {
		t.Errorf("%d pieces after the visitor ended", visits)
	}
}

// A letter that a narrow field cut in half is left out; bytes that are none elsewhere are not.
func TestCutLetters(t *testing.T) {
	decode := must.Get(Decoder(UTF8))(t)
	for in, want := range map[string]string{
		"": "", "abc": "abc", "aé": "aé", "a\xc3": "a", "a\xe0\xb0": "a", "a\xf0\x9f\x98": "a", "\xe0": "", "a€": "a€",
		"a\xff": "a\uFFFD", "a\xb0": "a\uFFFD", "\xc3a": "\uFFFDa", "a\xc3\xc3": "a\uFFFD", "😀": "😀",
	} {
		if got := decode([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
