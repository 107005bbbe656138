package arff

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// pieces cuts a text, which ends in a line feed, into tokens: w for a word, q for one in quotes, with the byte they
// begin at.
func pieces(data string) []string {
	l := &lexer{data: []byte(data)}
	var out []string
	for {
		t, err := l.next()
		switch {
		case err != nil:
			return append(out, err.Error())
		case t.kind == 0:
			return out
		case t.isWord():
			out = append(out, fmt.Sprintf("%d%c:%s", t.pos, t.kind, t.text))
		default:
			out = append(out, fmt.Sprintf("%d%q", t.pos, t.kind))
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"\n", []string{`0'\n'`}},
		{"  \t\r\n", []string{`4'\n'`}},
		{"a\n", []string{"0w:a", `1'\n'`}},
		{"a b\tc\n", []string{"0w:a", "2w:b", "4w:c", `5'\n'`}},
		{"a,b\n", []string{"0w:a", `1','`, "2w:b", `3'\n'`}},
		{"{a,'b c'}\n", []string{`0'{'`, "1w:a", `2','`, "3q:b c", `8'}'`, `9'\n'`}},
		{"% all of it\n", []string{`11'\n'`}},
		{"a% the rest\n", []string{"0w:a", `11'\n'`}},
		{"'%'\n", []string{"0q:%", `3'\n'`}},
		{"''\n", []string{"0q:", `2'\n'`}},
		{`"it's"` + "\n", []string{"0q:it's", `6'\n'`}},
		{`'it\'s'` + "\n", []string{"0q:it's", `7'\n'`}},
		{`'\\'` + "\n", []string{`0q:\`, `4'\n'`}},
		{`'\n\r\t'` + "\n", []string{"0q:\n\r\t", `8'\n'`}},
		{`'\q'` + "\n", []string{"0q:q", `4'\n'`}},
		{`'\u001E\u001F'` + "\n", []string{"0q:\x1eu001F", `14'\n'`}},
		{`a\b` + "\n", []string{`0w:a\b`, `3'\n'`}},
		{"é\n", []string{"0w:é", `2'\n'`}},
		{"'a''b'\n", []string{"line 1, byte 4: text behind a closing quote, expected a comma or a blank"}},
		{"'a'b\n", []string{"line 1, byte 4: text behind a closing quote, expected a comma or a blank"}},
		{"a'b'\n", []string{"line 1, byte 2: a quote inside a word, expected the whole word in quotes"}},
		{"a\n'b\n", []string{"0w:a", `1'\n'`, "line 2, byte 1: the quote is not closed on its line"}},
		{"'b\\\n'\n", []string{"line 1, byte 1: the quote is not closed on its line"}},
	} {
		if d := cmp.Diff(c.want, pieces(c.text)); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
}

// A message says what was found, and never what it says.
func TestTokensInWords(t *testing.T) {
	for _, c := range []struct {
		t    token
		want string
	}{
		{token{kind: 'w', text: []byte("secret")}, "a word"}, {token{kind: 'q', text: []byte("secret")}, "a word"},
		{token{kind: '\n'}, "the end of the line"}, {token{}, "the end of the file"}, {token{kind: '{'}, "'{'"},
		{token{kind: ','}, "','"},
	} {
		if got := c.t.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// The reader looks at its context and tells its progress every so many rows.
func TestLongFile(t *testing.T) {
	text := "@relation r\n@attribute n numeric\n@data\n" + strings.Repeat("1\n", 3*rowsPerLook)
	var told []int64
	opt := dialect.Options{Progress: func(done, total int64) {
		if total != int64(len(text)) {
			t.Errorf("the total is %d, want %d", total, len(text))
		}
		told = append(told, done)
	}}
	if _, _, err := Read(context.Background(), []byte(text), opt); err != nil || len(told) != 3 {
		t.Errorf("%v, progress %v", err, told)
	}
	ctx, cancel := context.WithCancel(context.Background())
	told = nil
	opt.Progress = func(done, _ int64) {
		told = append(told, done)
		cancel()
	}
	if _, _, err := Read(ctx, []byte(text), opt); !errors.Is(err, context.Canceled) || len(told) != 1 {
		t.Errorf("cancelled in the middle: %v, after progress %v", err, told)
	}
}

// What the reader found out of the ordinary is said by column, and never by value.
func TestNotes(t *testing.T) {
	const text = "\ufeff@relation r\n@attribute i integer\n@attribute d date yyyy\n@attribute n numeric\n@data\n" +
		"1.5,2026,?\n12345678901234567,2025,2\n"
	tb, info, err := Read(context.Background(), []byte(text), dialect.Options{})
	must.NoError(t, err)
	want := []string{
		`column "i" is declared integer and holds other numbers; it is read as numeric`,
		`column "d": dates are read as categories`,
	}
	if d := cmp.Diff(want, dialect.Texts(info.Notes)); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
	if !info.BOM || info.Missing != "?" || tb.Attr(0).Step != 0 || tb.Attr(1).Kind != table.Categorical {
		t.Errorf("%+v, %+v", info, tb.Attrs())
	}
	if _, info, err = Read(context.Background(), []byte("@relation r\n@attribute n real\n@data\n2\n"),
		dialect.Options{}); err != nil || info.Missing != "" || info.BOM || info.Notes != nil {
		t.Errorf("nothing is to be said of a plain file: %v, %+v", err, info)
	}
}
