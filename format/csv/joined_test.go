package csv

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// Files that were joined have the byte order mark of the second in the middle, or its header; both are named with their
// lines. A mark within quotes or behind the beginning of a line is part of a text.
func TestJoinedFiles(t *testing.T) {
	for _, c := range []struct{ data, fault, note string }{
		{"a,b\n1,x\n\ufeffa,b\n2,y\n", "line 3: found a byte order mark", ""},
		{"a,b\n1,x\n\ufeff2,y\n", "line 3: found a byte order mark", ""},
		{"a,b\n1,x\n\"\ufeff2\",y\n", "", ""},
		{"a,b\n1,x\n2,\ufeffy\n", "", ""},
		{"\ufeffa,b\n1,x\n2,y\n", "", ""},
		{"a,b\n1,x\na,b\n2,y\n", "", "line 3 says the names of the columns again"},
		{"a,b\n1,x\nq,z\n2,y\n", "", ""},
		{"m,f\nm,f\nx,y\nm,f\n", "looks like a record", ""},
	} {
		_, info, err := Read(t.Context(), []byte(c.data), dialect.Options{})
		if (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: %v, want %q", c.data, err, c.fault)
			continue
		}
		if err == nil && strings.Contains(strings.Join(dialect.Texts(info.Notes), ""), "names of the columns again") !=
			(c.note != "") {
			t.Errorf("%q: %q, want %q", c.data, info.Notes, c.note)
		}
		if err == nil && c.note != "" && !strings.Contains(strings.Join(dialect.Texts(info.Notes), ""), c.note) {
			t.Errorf("%q: %q, want %q", c.data, info.Notes, c.note)
		}
	}
}

// A label that begins with a byte order mark is written so that it is read as part of the text.
func TestMarksAreQuoted(t *testing.T) {
	want := must.Get(table.New(table.CatColumn("a", []string{"\ufeffx", "y"}, []int32{1, 0})))(t)
	var out bytes.Buffer
	must.NoError(t, Write(t.Context(), &out, want, dialect.Options{}))
	got, _, err := Read(t.Context(), out.Bytes(), dialect.Options{})
	if err != nil || !cmp.Equal(formattest.Shown(got), formattest.Shown(want)) {
		t.Errorf("%q: %v", out.String(), err)
	}
}

// Several blanks between columns are one delimiter where they part the same number of words in every line, as programs
// write that line columns up; where one blank parts all lines evenly, two of them are an empty cell.
func TestBlanks(t *testing.T) {
	for data, want := range map[string][]string{
		"age  sex\n31   m\n40   f\n  9  f  \n": {"age: 31 40 9", `sex: "m" "f" "f"`},
		"age sex n\n31  m\n40  f\n":            {"age: 31 40", "sex: ? ?", `n: "m" "f"`},
		"a   b\r\n1   \"x  y\"\r\n22  z\r\n":   {"a: 1 22", `b: "x  y" "z"`},
		"a b\n1 \"x y\"\n2 z\n":                {"a: 1 2", `b: "x y" "z"`},
	} {
		was := []byte(data)
		got, info, err := Read(t.Context(), was, dialect.Options{Delimiter: ' '})
		if err != nil {
			t.Errorf("%q: %v", data, err)
			continue
		}
		if d := cmp.Diff(want, formattest.Shown(got)); d != "" || string(was) != data || info.CRLF != strings.Contains(data,
			"\r") {
			t.Errorf("%q (-want +got):\n%s", data, d)
		}
	}
	for data, words := range map[string]string{"age  sex\n31   m\n9    f\n": "every line has 2 words", "a b\nc\n": ""} {
		_, info, err := Read(t.Context(), []byte(data), dialect.Options{})
		must.NoError(t, err)
		if notes := strings.Join(dialect.Texts(info.Notes), ""); strings.Contains(notes,
			"--delimiter blank") != (words != "") ||
			!strings.Contains(notes, words) {
			t.Errorf("%q: %q", data, notes)
		}
	}
}
