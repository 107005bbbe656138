package csv

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The name of a file settles the delimiter where readers of the name rely on one, and decimal commas go with the
// delimiter they came with.
func TestDelimitersOfFormats(t *testing.T) {
	tb := tabletest.Of(t, table.NumColumn("n", 0.1, []float64{1.5, nan}),
		table.CatColumn("c", []string{"x,y", "u;v", "s\tt"}, []int32{0, 1}))
	for _, c := range []struct {
		name     string
		opt      dialect.Options
		csv, tsv string
		txt      string
	}{
		{"nothing asked", dialect.Options{}, "n,c|1.5,\"x,y\"|,u;v|", "n\tc|1.5\tx,y|\tu;v|", "n,c|1.5,\"x,y\"|,u;v|"},
		{"semicolons", dialect.Options{Delimiter: ';'}, "n;c|1.5;x,y|;\"u;v\"|", "n\tc|1.5\tx,y|\tu;v|",
			"n;c|1.5;x,y|;\"u;v\"|"},
		{"semicolons and decimal commas", dialect.Options{Delimiter: ';', DecimalComma: true}, "n;c|1,5;x,y|;\"u;v\"|",
			"n\tc|1.5\tx,y|\tu;v|", "n;c|1,5;x,y|;\"u;v\"|"},
		{"tabs", dialect.Options{Delimiter: '\t'}, "n,c|1.5,\"x,y\"|,u;v|", "n\tc|1.5\tx,y|\tu;v|", "n\tc|1.5\tx,y|\tu;v|"},
		{"tabs and decimal commas", dialect.Options{Delimiter: '\t', DecimalComma: true}, "n,c|1.5,\"x,y\"|,u;v|",
			"n\tc|1,5\tx,y|\tu;v|", "n\tc|1,5\tx,y|\tu;v|"},
		{"decimal commas alone", dialect.Options{DecimalComma: true}, "n,c|\"1,5\",\"x,y\"|,u;v|", "n\tc|1,5\tx,y|\tu;v|",
			"n,c|\"1,5\",\"x,y\"|,u;v|"},
	} {
		for _, v := range []struct {
			f    dialect.Format
			want string
		}{{Format, c.csv}, {FormatTSV, c.tsv}, {FormatText, c.txt}} {
			var out bytes.Buffer
			must.NoError(t, v.f.Write(context.Background(), &out, tb, c.opt))
			if got := strings.ReplaceAll(out.String(), "\n", "|"); got != v.want {
				t.Errorf("%s as %s:\n got %q\nwant %q", c.name, v.f.Name, got, v.want)
			}
		}
	}
}

// A file named .tsv is cut at tabs, even if other delimiters cut it better, unless another is asked for.
func TestTabsOfTSV(t *testing.T) {
	const text = "a,b\tc\n1,2\t3\n"
	for _, c := range []struct {
		f     dialect.Format
		opt   dialect.Options
		names string
	}{
		{FormatTSV, dialect.Options{}, "a,b|c"}, {FormatTSV, dialect.Options{Delimiter: ','}, "a|b\tc"},
		{FormatText, dialect.Options{Delimiter: '\t'}, "a,b|c"}, {Format, dialect.Options{}, "a|b\tc"},
	} {
		tb, info, err := c.f.Read(context.Background(), []byte(text), c.opt)
		must.NoError(t, err)
		if names := tb.Attr(0).Name + "|" + tb.Attr(1).Name; names != c.names || info.Format != "csv" {
			t.Errorf("%s: the columns are %q, want %q; the format is %s", c.f.Name, names, c.names, info.Format)
		}
	}
}

// Cells are written as they must be to be read the same, and not otherwise.
func TestCells(t *testing.T) {
	one := func(name string, labels ...string) table.Column {
		codes := make([]int32, len(labels))
		for i := range codes {
			codes[i] = int32(i)
		}
		return table.CatColumn(name, labels, codes)
	}
	for _, c := range []struct {
		name string
		opt  dialect.Options
		cols []table.Column
		want string
	}{
		{"plain labels", dialect.Options{}, []table.Column{one("a", "x", "it's", "50%", "é", "1.50")},
			"a\nx\nit's\n50%\né\n1.50\n"},
		{"labels that cut", dialect.Options{}, []table.Column{one("a", "x,y", "x;y", "x\ny", "x\ry")},
			"a\n\"x,y\"\nx;y\n\"x\ny\"\n\"x\ry\"\n"},
		{"blanks at the ends", dialect.Options{}, []table.Column{one("a", " x", "x ", "x y", "\tx")}, "a\n\" x\"\n\"x \"\n" +
			"x y\n\tx\n"},
		{"blanks as delimiter", dialect.Options{Delimiter: ' '}, []table.Column{one("a", "x y", "x")}, "a\n\"x y\"\nx\n"},
		{"labels like marks", dialect.Options{}, []table.Column{one("a", "", "?", "NA", "NaN", "na", "nan")},
			"a\n\"\"\n\"?\"\n\"NA\"\n\"NaN\"\nna\nnan\n"},
		{"other marks", dialect.Options{Missing: []string{"."}}, []table.Column{one("a", ".", "?", "")},
			"a\n\".\"\n?\n\"\"\n"},
		{"marks of columns", dialect.Options{MissingOut: "?", MissingMarks: map[string]string{"b": "-9"}},
			[]table.Column{table.NumColumn("a", 1, []float64{nan, 1}), table.NumColumn("b", 1, []float64{nan, 2}),
				table.CatColumn("c", nil, []int32{-1, -1})}, "a,b,c\n?,-9,?\n1,2,?\n"},
		{"a number like the mark of another column", dialect.Options{MissingMarks: map[string]string{"b": "-9"}},
			[]table.Column{num("a", 1, -9, 9), num("b", 1, 1, nan)}, "a,b\n\"-9\",1\n9,-9\n"},
		{"names", dialect.Options{}, []table.Column{num("a,b", 1, 1), num(" c", 1, 1), num(`d"`, 1, 1), num("NA", 1, 1)}, "\"a,b\",\" c\",\"d\"\"\",NA\n1,1,1,1\n"},
		{"a first name with a byte order mark", dialect.Options{}, []table.Column{num("\ufeffa", 1, 1)}, "\"\ufeffa\"\n1\n"},
		{"more decimals than the grid", dialect.Options{Decimals: map[string]int{"a": 2, "b": 1}},
			[]table.Column{num("a", 0.1, 1.5, nan), num("b", 1, 3, -4)}, "a,b\n1.50,3.0\n,-4.0\n"},
		{"decimals of labels", dialect.Options{Delimiter: ';', DecimalComma: true, Decimals: map[string]int{"a": 2}},
			[]table.Column{one("a", "1.5", "2", "x.5")}, "a\n1,50\n2,00\nx.5\n"},
		{"continuous numbers", dialect.Options{}, []table.Column{num("a", 0, 0.1, 1e300, -2.5, 1e15)},
			"a\n0.1\n1e+300\n-2.5\n1e+15\n"},
		{"no record", dialect.Options{CRLF: true}, []table.Column{num("a", 1), table.CatColumn("b", nil, nil)}, "a,b\r\n"},
		{"one column with gaps", dialect.Options{}, []table.Column{num("a", 1, nan, 1, nan)}, "a\n\n1\n\n"},
	} {
		var out bytes.Buffer
		must.NoError(t, Write(context.Background(), &out, tabletest.Of(t, c.cols...), c.opt))
		if out.String() != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, out.String(), c.want)
		}
	}
}

// Delimiters that would make a file ambiguous are refused, for reading and for writing.
func TestDelimitersThatCannotBe(t *testing.T) {
	for c := range 256 {
		bad := c >= 0x80 || strings.ContainsRune("\x00\"\r\n", rune(c))
		if err := checkDelimiter(byte(c)); (err != nil) != bad {
			t.Errorf("byte %#x: %v", c, err)
		}
	}
}

// TestEncodings: files as spreadsheets write them are read, and written again byte by byte.
func TestEncodings(t *testing.T) {
	wide := func(s string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	text := "Größe;Geschlecht\r\n1,5;männlich\r\n2,5;weiblich\r\n"
	western := strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "ä", "\xe4").Replace(text)
	for _, c := range []struct{ name, text, encoding, note string }{
		{"UTF-8", text, "", ""},
		{"UTF-8 with mark", "\ufeff" + text, "", ""},
		{"Windows-1252", western, "windows-1252", "the text is not UTF-8 and is read and written as windows-1252: see that " +
			"letters beyond ASCII are right (--encoding names another)"},
		{"UTF-16", wide(text), "utf-16le", ""},
	} {
		for workers := 1; workers <= 3; workers++ {
			tb, info := mustRead(t, c.text, dialect.Options{}, workers)
			if tb.Attr(0).Name != "Größe" || tb.Attr(1).Labels[0] != "männlich" || info.Encoding != c.encoding ||
				(c.note != "") != slices.Contains(dialect.Texts(info.Notes), c.note) {
				t.Errorf("%s: %+v, %+v", c.name, tb.Attrs(), info)
			}
			var out bytes.Buffer
			if err := Write(context.Background(), &out, tb, info.Like(dialect.Options{})); err != nil || out.String() != c.text {
				t.Errorf("%s: written %q, %v", c.name, out.String(), err)
			}
		}
	}
}

// TestEmptyColumnsOfSpreadsheets: columns without a name and without a value are left out, and told.
func TestEmptyColumnsOfSpreadsheets(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		tb, info := mustRead(t, "a;;b;;\n1;;x;;\n2;;y;;\n", dialect.Options{}, workers)
		want := []string{"columns without a name and without a value left out: 3"}
		if tb.Width() != 2 || tb.Attr(1).Name != "b" || !slices.Equal(dialect.Texts(info.Notes), want) ||
			info.MissingMarks != nil {
			t.Errorf("%+v, %+v", tb.Attrs(), info)
		}
	}
}

func TestBlanksBetweenColumnsAreTold(t *testing.T) {
	for text, want := range map[string]string{
		"a b c\n1 2 3\n4 5 6\n": "the file is read as one column, but every line has 3 words: if blanks separate columns, " +
			"--delimiter blank reads them; if they stand at fixed places, --layout FILE reads them by their " +
			"description",
		"a b,c\n1 2,3\n": "", "a\n1\n": "", "a b\n1\n": "",
	} {
		if _, info := mustRead(t, text, dialect.Options{}, 1); strings.Join(dialect.Texts(info.Notes), "|") != want {
			t.Errorf("%q: %q, want %q", text, info.Notes, want)
		}
	}
}
