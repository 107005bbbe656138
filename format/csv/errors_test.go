package csv

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestRefusals(t *testing.T) {
	const other = "; --encoding NAME (file: {encoding: NAME} in a policy) reads another, such as gb18030 or shift_jis"
	numeric := dialect.Options{Kinds: map[string]table.Kind{"b": table.Numeric}}
	for _, c := range []struct {
		name, text string
		opt        dialect.Options
		want       string
	}{
		{"empty", "", dialect.Options{}, "the file is empty, expected a header"},
		{"empty header", "\na,b\n", dialect.Options{}, "line 1: found an empty line, expected a header"},
		{"UTF-16 cut short", "\xff\xfea\x00\n\x00b", dialect.Options{}, "line 2, byte 1: found bytes that are not utf-16le"},
		{"an encoding that nobody knows", "a\n1\n", dialect.Options{Encoding: "klingon"}, `"klingon" is not a known encoding; expected one such as utf-8, windows-1252 or utf-16`},
		{"nothing but nameless columns", ",,\n,,\n", dialect.Options{}, "line 1: no column has a name in the header"},
		{"nameless column", "a,,c\n1,2,3\n", dialect.Options{}, "line 1: column 2 has no name in the header, and it holds " +
			"values"},
		{"twice the same name", "a,b,c,a\n1,2,3,4\n", dialect.Options{}, `line 1: columns 1 and 4 are both named "a"`},
		{"short row", "a,b\nhidden,1\nhidden\n", dialect.Options{}, "line 3: 1 column, expected 2"},
		{"long row", "a,b\n1,hidden\n1,2,hidden\n", dialect.Options{}, "line 3: 3 columns, expected 2"},
		{"short row behind a quoted line feed", "a,b\n\"x\ny\",1\nhidden\n", dialect.Options{},
			"line 4: 1 column, expected 2"},
		{"short row behind an empty line", "a,b\n\n1,2\nhidden\n", dialect.Options{}, "line 4: 1 column, expected 2"},
		{"bytes that are not UTF-8", "a,b\nö,2\nhid,d\xfcn\n", dialect.Options{}, "line 3, byte 6: found bytes that are " +
			"not UTF-8, expected text in UTF-8" + other},
		{"bytes that are not UTF-8 in the header", "a,\xfcb\nö,2\n", dialect.Options{}, "line 1, byte 3: found bytes that " +
			"are not UTF-8, expected text in UTF-8" + other},
		{"zero byte", "a,b\n1,hid\x00den\n", dialect.Options{}, "line 2, byte 6: found a zero byte, expected text in UTF-8"},
		{"quote inside", "a,b\n1,hid\"den,x\",y\n", dialect.Options{}, "line 2, byte 6: a quote inside a cell that does " +
			"not begin with one, and 4 columns, expected 2"},
		{"text behind a quote", "a,b\n1,\"hid\"den\n", dialect.Options{}, "line 2, byte 8: text behind a closing quote, " +
			"expected a delimiter or the end of the line"},
		{"open quote", "a,b\n1,\"hidden\n2,3\n", dialect.Options{}, "line 2, byte 3: the quote is never closed"},
		{"open doubled quote", "a,b\n1,\"hid\"\"\n", dialect.Options{}, "line 2, byte 3: the quote is never closed"},
		{"open quote in the header", "a,\"b\n1,2\n", dialect.Options{}, "line 1, byte 3: the quote is never closed"},
		{"carriage return", "a,b\n1,hid\rden\n", dialect.Options{}, "line 2, byte 6: a carriage return without a line feed"},
		{"mixed line ends", "a,b\r1,2\n3,4\n", dialect.Options{}, "line 1, byte 4: a carriage return without a line feed"},
		{"not a number", "a,b\n1,2\n\n3,hidden\n", numeric, `line 4: column "b" holds something else than a number, expected numbers or missing values`},
		{"not a number behind quotes", "a,b\n\"1\n\",2\n3,\"\"\n", numeric, `line 4: column "b" holds something else than a number, expected numbers or missing values`},
		{"impossible delimiter", "a,b\n1,2\n", dialect.Options{Delimiter: '"'}, `the delimiter '"' cannot be used; expected an ASCII character other than a quote or a line end`},
	} {
		for workers := 1; workers <= 4; workers++ {
			_, _, err := read(context.Background(), []byte(c.text), c.opt, workers)
			if err == nil || err.Error() != c.want {
				t.Errorf("%s, %d workers:\n got %v\nwant %s", c.name, workers, err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "hid") {
				t.Errorf("%s: the message holds a value: %v", c.name, err)
			}
		}
	}
}

// The first fault of a file is named, however the file is cut: structure before kinds.
func TestFirstFault(t *testing.T) {
	opt := dialect.Options{Kinds: map[string]table.Kind{"a": table.Numeric}}
	good := strings.Repeat("1,2\n", 50)
	for _, c := range []struct{ text, want string }{
		{"a,b\n" + good + "x,2\n" + good + "y,2\n" + good, "line 52: column"},
		{"a,b\n" + good + "x,2\n" + good + "1\n" + good + "1,2,3\n", "line 103: 1 column, expected 2"},
	} {
		for workers := 1; workers <= 7; workers++ {
			_, _, err := read(context.Background(), []byte(c.text), opt, workers)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%d workers: got %v, want %s", workers, err, c.want)
			}
		}
	}
}

func TestWriteRefusals(t *testing.T) {
	number := table.NumColumn("a", 1, []float64{1})
	for _, c := range []struct {
		name string
		col  table.Column
		opt  dialect.Options
		want string
	}{
		{"infinite", table.NumColumn("a", 1, []float64{1, math.Inf(-1)}), dialect.Options{}, `column "a" is infinite in row 2`},
		{"label", table.CatColumn("a", []string{"\xff"}, []int32{0}), dialect.Options{}, `column "a" has a label that is not UTF-8 text`},
		{"name", table.NumColumn("a\x00", 1, []float64{1}), dialect.Options{}, `column "a\x00" has a name that is not UTF-8 text`},
		{"mark", number, dialect.Options{MissingOut: "a,b"}, `the missing mark "a,b" cannot be written without quotes`},
		{"delimiter", number, dialect.Options{Delimiter: '\n'}, `the delimiter '\n' cannot be used; expected an ASCII character other than a quote or a line end`},
	} {
		tb := tabletest.Of(t, c.col)
		var out bytes.Buffer
		if err := Write(context.Background(), &out, tb, c.opt); err == nil || err.Error() != c.want || out.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want %s", c.name, err, out.Len(), c.want)
		}
	}
}
