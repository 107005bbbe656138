package csv

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// Columns that were perhaps meant as numbers are remarked upon, by counts, and without a value that is not a usual
// mark.
func TestRemarks(t *testing.T) {
	const categories = "; it is read as categories"
	const correct = categories + ": correct such values, or leave them empty, and it is read as dates"
	for _, c := range []struct {
		name, text string
		opt        dialect.Options
		want       string
	}{
		{"a usual mark", "x\n" + rep("7", 475) + rep("NULL", 25), dialect.Options{},
			`column "x": 475 of 500 values are numbers, 25 are not (the commonest looks like a missing mark: "NULL")` + categories + `; --missing NULL reads it as numbers`},
		{"half", "x\n" + rep("1", 5) + rep("-", 5), dialect.Options{},
			`column "x": 5 of 10 values are numbers, 5 are not (the commonest looks like a missing mark: "-")` + categories + `; --missing - reads it as numbers`},
		{"less than half", "x\n" + rep("1", 5) + rep("-", 6), dialect.Options{}, ""},
		{"two usual marks beside one that is known", "x\n" + rep("1", 9) + rep("n/a", 2) + "#N/A\n?\n", dialect.Options{},
			`column "x": 9 of 12 values are numbers, 3 are not (the commonest looks like a missing mark: "n/a")` + categories + `; --missing n/a --missing '#N/A' reads it as numbers`},
		{"a mark and a secret", "x\n" + rep("1", 9) + rep("null", 2) + "hidden\n", dialect.Options{},
			`column "x": 9 of 12 values are numbers, 3 are not (the commonest looks like a missing mark: "null")` + categories},
		{"a secret", "x\n" + rep("1", 1990) + rep("hidden", 9) + "NULL\n", dialect.Options{}, `column "x": 1,990 of 2,000 values are numbers, 10 are not` + categories},
		{"limits of measurement", "x\n" + rep("1", 9) + "<0.5\n", dialect.Options{}, `column "x": 9 of 10 values are numbers, 1 is not, in line 11` + categories},
		{"a mark in quotes is never missing", "x\n" + rep("1", 9) + "\"NA\"\n", dialect.Options{},
			`column "x": 9 of 10 values are numbers, 1 is not, in line 11 (the commonest looks like a missing mark: "NA")` + categories},
		{"asked to be categories", "x\n" + rep("1", 9) + "NULL\n",
			dialect.Options{Kinds: map[string]table.Kind{"x": table.Categorical}}, ""},
		{"German thousands", "x\n" + rep("1.234,56", 6) + rep("12,00", 4), dialect.Options{Delimiter: '|'},
			`column "x": 6 of 10 values look like numbers with thousands separators` + categories + `: --numbers x=1.234,56 reads it as numbers`},
		{"English thousands", "x\n" + rep("\"-1,234,567.8\"", 5) + rep("12.5", 5), dialect.Options{Delimiter: ','},
			`column "x": 5 of 10 values look like numbers with thousands separators` + categories + `: --numbers x=1,234.56 reads it as numbers`},
		{"dates", "x\n" + rep("01.02.2003", 5) + rep("2003-02-01", 5), dialect.Options{Delimiter: ','},
			`column "x": 5 of 10 values are dates (dd.mm.yyyy), 5 are not, the first in line 7` + correct},
		{"a day that does not exist", "x,y\n" + rep("28.02.2020,1", 8) + "31.02.2020,1\n" + rep("29.02.2020,1", 8),
			dialect.Options{},
			`column "x": 16 of 17 values are dates (dd.mm.yyyy), 1 is not, in line 10` + correct},
		{"a date behind an empty line and a text of two lines", "y,x\n\"a\nb\",2020-01-31\n\nk,2020-01-31\nk,soon\n",
			dialect.Options{},
			`column "x": 2 of 3 values are dates (yyyy-mm-dd), 1 is not, in line 6` + correct},
		{"days and months alike", "x\n" + rep("03/04/2020", 9), dialect.Options{},
			`column "x": its dates may be dd/mm/yyyy or mm/dd/yyyy, for no number above 12 tells the day from the month` + categories + `: say which with --dates x=dd/mm/yyyy, or dates: dd/mm/yyyy in a policy`},
		{"one day tells", "x\n" + rep("03/04/2020", 9) + "13/04/2020\n", dialect.Options{}, "dates"},
		{"two notations", "x\n" + rep("13/04/2020", 9) + "04/13/2020\n", dialect.Options{},
			`column "x": 9 of 10 values are dates (dd/mm/yyyy), 1 is not, in line 11` + correct},
		{"a usual mark among dates", "x\n" + rep("2020-01-31", 9) + rep("0000-00-00", 2) + "unknown\n", dialect.Options{},
			`column "x": 9 of 12 values are dates (yyyy-mm-dd), 3 are not, the first in line 11 (the commonest looks like a missing mark: "0000-00-00")` + categories +
				`; --missing 0000-00-00 --missing unknown reads it as dates`},
		{"years of two digits", "'it s'\n" + rep("03.04.50", 9), dialect.Options{},
			`column "'it s'": the years of its dates have two digits, which may be of any hundred` + categories +
				`: say in which year the hundred begins, as with --dates ''\''it s'\''=dd.mm.yy from 1926' where they are of 1926 to 2025`},
		{"versions", "x\n" + rep("1.2.3", 9), dialect.Options{}, ""},
		{"dates that are asked to be categories", "x\n" + rep("2020-01-31", 9),
			dialect.Options{Kinds: map[string]table.Kind{"x": table.Categorical}}, ""},
	} {
		for workers := 1; workers <= 3; workers++ {
			tb, info := mustRead(t, c.text, c.opt, workers)
			got := strings.Join(dialect.Texts(info.Notes), "|")
			if tb.Attr(0).Dates != "" {
				got += "dates"
			}
			if got != c.want || got != "dates" && tb.Attr(0).Kind != table.Categorical {
				t.Errorf("%s, %d workers:\n got %s\nwant %s", c.name, workers, got, c.want)
			}
		}
	}
}

func rep(cell string, n int) string { return strings.Repeat(cell+"\n", n) }

// The way out that a remark names is one: it adds marks to the default ones.
func TestWayOut(t *testing.T) {
	text := "x,y\n1,\n2,a\nNULL,b\n3,NA\n"
	was, _ := mustRead(t, text, dialect.Options{}, 1)
	got, _ := mustRead(t, text, dialect.Options{Missing: []string{"NULL", "", "NA"}}, 1)
	if got.Attr(0).Kind != table.Numeric || !cmp.Equal(was.Cat(1), got.Cat(1)) {
		t.Errorf("%+v, %v", got.Attr(0), got.Cat(1))
	}
	_, info := mustRead(t, text, dialect.Options{}, 1)
	if want := "; --missing NULL reads it as numbers"; len(info.Notes) != 1 ||
		!strings.HasSuffix(info.Notes[0].String(), want) {
		t.Errorf("%v, want %s", info.Notes, want)
	}
}

func TestHasThousands(t *testing.T) {
	for text, want := range map[string]bool{
		"1,234": true, "-1.234,5": true, "+12 345 678": true, "1'234.50": true, "1,234.": false, "1.234.5": false,
		"1234,567": false, "0,123": false,
		"1,23": false, "1,2345": false, "1,234,56": false, "": false, "-": false, "1": false, ",123": false,
		"1.234.567": true, "1,234 x": false,
	} {
		if hasThousands(text) != want {
			t.Errorf("hasThousands(%q) = %v", text, !want)
		}
	}
}

// The most frequent mark is the file's, the first among equals, and a column with a mark of its own keeps it.
func TestMissingMarks(t *testing.T) {
	text := "a,b,c,d\n-9,x,999,1\n2,,999,2\n999,y,1,3\n"
	opt := dialect.Options{Missing: []string{"-9", "999", ""}}
	for workers := 1; workers <= 3; workers++ {
		tb, info := mustRead(t, text, opt, workers)
		if d := cmp.Diff(map[string]string{"b": "", "c": "999"}, info.MissingMarks); d != "" || info.Missing != "999" {
			t.Errorf("%d workers: mark %q, columns (-want +got):\n%s", workers, info.Missing, d)
		}
		var out bytes.Buffer
		must.NoError(t, Write(context.Background(), &out, tb, info.Like(dialect.Options{})))
		if want := strings.Replace(text, "-9,", "999,", 1); out.String() != want {
			t.Errorf("written %q, want %q", out.String(), want)
		}
		_, info = mustRead(t, "a,b\n-9,999\n999,-9\n", opt, workers)
		if info.Missing != "-9" || info.MissingMarks != nil {
			t.Errorf("%d workers: of two marks as frequent, %q; %v", workers, info.Missing, info.MissingMarks)
		}
	}
	tb, _ := mustRead(t, "a\n1\n", dialect.Options{}, 1)
	err := Write(context.Background(), new(bytes.Buffer), tb, dialect.Options{MissingMarks: map[string]string{"a": "x,y"}})
	if want := `the missing mark "x,y" cannot be written without quotes`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The marks of a column that is read again as text are counted once.
func TestMarksOfTextAfterNumbers(t *testing.T) {
	_, info := mustRead(t, "a,b\n1,NA\n?,NA\n?,1\nx,1\n", dialect.Options{}, 1)
	if info.Missing != "NA" {
		t.Errorf("two of each mark, NA first: %q", info.Missing)
	}
}

// The zeros with which a file pads its numbers are formatting: they make no grid and are written back.
func TestDecimalsAreKept(t *testing.T) {
	for _, text := range []string{
		"sex,dose,n,t\n1.0,1.50,1.5,x\n0.0,-2.00,2.0,1.0\n,0.10,3.5,y\n",
		"sex;dose\n1,0;1,50\n0,0;2,50\n",
		"big\n123456789012345.0\n-1.0\n",
	} {
		tb, info := mustRead(t, text, dialect.Options{}, 2)
		var out bytes.Buffer
		must.NoError(t, Write(context.Background(), &out, tb, info.Like(dialect.Options{})))
		if out.String() != text || tb.Attr(0).Step != 1 {
			t.Errorf("step %v; written %q, want %q", tb.Attr(0).Step, out.String(), text)
		}
		as, err := tb.AsCategorical(0, 0) // as a class is
		must.NoError(t, err)
		out.Reset()
		opt := info.Like(dialect.Options{})
		must.NoError(t, Write(context.Background(), &out, as, opt))
		opt.Kinds = map[string]table.Kind{"sex": table.Numeric}
		back, _ := mustRead(t, out.String(), opt, 1)
		if d := cmp.Diff(columns(tb), columns(back), sameTable); d != "" {
			t.Errorf("written from categories as %q (-want +got):\n%s", out.String(), d)
		}
	}
	_, info := mustRead(t, "a,b,c,d\n1.0,1.50,1.5,1e3\n2.0,2.5,2.0,1.0\n", dialect.Options{}, 1)
	if d := cmp.Diff(map[string]int{"a": 1, "b": 2}, info.Decimals); d != "" {
		t.Error(d)
	}
}

// Digits and usual marks of remarks.
func TestPartsOfRemarks(t *testing.T) {
	for text, want := range map[string]int{"": 0, "x": 0, "1": 1, "12x3": 2, "123": 3, "-1": 0} {
		if got := digits(text); got != want {
			t.Errorf("%q begins with %d digits, want %d", text, got, want)
		}
	}
	for label, want := range map[string]bool{"NULL": true, "n/a": true, "N/A": true, "Unknown": true, "": false,
		"x": false, "?": false, "0": false} {
		if dialect.UsualMark(label) != want {
			t.Errorf("%q is a usual mark: %t", label, !want)
		}
	}
}
