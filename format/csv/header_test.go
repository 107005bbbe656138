package csv

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// TestBeginnings: what stands before the header, and what it lacks, is read or refused as it says.
func TestBeginnings(t *testing.T) {
	row, row1 := dialect.UnnamedRows("row").String(), dialect.UnnamedRows("row1").String()
	for _, c := range []struct {
		name, text string
		opt        dialect.Options
		names      string // of the columns, or what the error says
		rows       int
		note       string
	}{
		{"Excel's line", "sep=;\r\na;b\r\n1;x\r\n", dialect.Options{}, "a|b", 1, "the first line says which delimiter " +
			"separates the columns, and is left out"},
		{"Excel's line of another delimiter", "SEP=:\na:b\n1:x\n", dialect.Options{}, "a|b", 1, "the first line says which " +
			"delimiter separates the columns, and is left out"},
		{"Excel's line in quotes", "\"sep=;\"\na;b\n1;x\n", dialect.Options{}, "a|b", 1, "the first line says which " +
			"delimiter separates the columns, and is left out"},
		{"a column named like it", "sep=x1\n1\n2\n", dialect.Options{}, "sep=x1", 2, ""},
		{"pandas", ",a,b\n0,1,x\n1,2,y\n", dialect.Options{}, "row|a|b", 2, row},
		{"a name that is taken", ",row,b\n0,1,x\n1,2,y\n", dialect.Options{}, "row1|row|b", 2, row1},
		{"nothing under no name", ",a,b\n,1,x\n,2,y\n", dialect.Options{}, "a|b", 2, "columns without a name and without a " +
			"value left out: 1"},
		{"R, in quotes", "\"a\" \"b\"\n\"1\" 5 \"x\"\n\"2\" 7 \"y\"\n", dialect.Options{}, "row|a|b", 2, row},
		{"R, with one column", "\"a\"\n\"1\" 5\n\"2\" 7\n", dialect.Options{}, "row|a", 2, row},
		{"R, with names of rows", "a,b\nada,5,x\nbob,7,y\n", dialect.Options{}, "row|a|b", 2, row},
		{"R, without quotes", "a\tb\n3\t5\tx\n7\t7\ty\n\n", dialect.Options{}, "row|a|b", 2, row},
		{"decimals of one column", "a\n1,5\n2,6\n3,1\n", dialect.Options{}, "a", 3, "numbers are read with a decimal comma"},
		{"names of two people", "a\nAnn,Lee\nBob,Fox\n", dialect.Options{}, "a", 2, ""},
		{"records that end in a delimiter", "a,b\n1,2,\n3,4,\n", dialect.Options{}, "line 2: 3 columns, expected 2", 0, ""},
		{"carriage returns", "a,b\r1,x\r2,\"y\rz\"\r", dialect.Options{}, "a|b", 2, "the lines end in a carriage return " +
			"alone; a release has line feeds"},
		{"lines that are skipped", "x\ny,\na,b\n1,z\n", dialect.Options{Skip: 2}, "a|b", 1, ""},
		{"more than there are", "a\n1\n", dialect.Options{Skip: 2}, "all lines are skipped, expected a header behind the " +
			"first 2", 0, ""},
		{"a remark", "# x\na,b\n1,z\n2,z\n", dialect.Options{}, "line 1: the first line is not cut into columns, and the " +
			"lines behind it are; if remarks stand before the header, --skip 1 (file: {skip: 1} in a policy) leaves them out, " +
			"and --header takes the first line for the name of the only column", 0, ""},
		{"which is a name", "# x\na,b\n1,z\n2,z\n", dialect.Options{Header: dialect.HasHeader}, "# x", 3, ""},
		{"a remark with the delimiter", "x, y, z\na,b\n1,z\n2,z\n", dialect.Options{}, "line 2: 2 columns, expected 3; if " +
			"remarks stand before the header, --skip 1 (file: {skip: 1} in a policy) leaves them out", 0, ""},
		{"a short record is no remark", "a,b\n1,z\n2\n", dialect.Options{}, "line 3: 1 column, expected 2", 0, ""},
		{"no header", "7,m\n31,f\n40,m\n", dialect.Options{Header: dialect.NoHeader}, "c1|c2", 3, ""},
		{"a record as header", "7,m\n31,f\n40,m\n", dialect.Options{}, dialect.ErrHeader.Error(), 0, ""},
		{"a record with equal values", "1,1,m\n0,1,f\n1,1,m\n", dialect.Options{}, dialect.ErrHeader.Error(), 0, ""},
		{"a record with gaps", "7,,m\n31,4,f\n40,5,m\n", dialect.Options{}, dialect.ErrHeader.Error(), 0, ""},
		{"a record of the whole header asked for", "7,m\n31,f\n", dialect.Options{Header: dialect.HasHeader}, "7|m", 1, ""},
		{"a program's", "7,m\n31,m\n", dialect.Options{Exact: true}, "7|m", 1, ""},
		{"quotes inside", "h,s\n5'11\",m\n6'2\",f\n", dialect.Options{}, "h|s", 2, "quotes inside cells that do not begin " +
			"with one are read as part of the text: 2 of them"},
	} {
		for workers := 1; workers <= 3; workers++ {
			tb, info, err := read(context.Background(), []byte(c.text), c.opt, workers)
			if err != nil {
				if err.Error() != c.names {
					t.Errorf("%s: %v, want %s", c.name, err, c.names)
				}
				continue
			}
			var names []string
			for _, a := range tb.Attrs() {
				names = append(names, a.Name)
			}
			if got := strings.Join(names, "|"); got != c.names || tb.Rows() != c.rows {
				t.Errorf("%s: %d records of %s, want %d of %s", c.name, tb.Rows(), got, c.rows, c.names)
			}
			if got := strings.Join(dialect.Texts(info.Notes), "|"); got != c.note {
				t.Errorf("%s: notes %q, want %q", c.name, got, c.note)
			}
		}
	}
}

// TestFirstRecordIsNoHeader: of tables of people without a header, none is read with a record as its header.
func TestFirstRecordIsNoHeader(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(20, 60).Draw(t, "rows")
		var text strings.Builder
		for range rows {
			age := rapid.IntRange(18, 90).Draw(t, "age")
			text.WriteString(strings.Join([]string{
				string(rune('0'+age/10)) + string(rune('0'+age%10)),
				rapid.SampledFrom([]string{"m", "f"}).Draw(t, "sex"),
				rapid.SampledFrom([]string{"8010", "8020", "6020", ""}).Draw(t, "zip"),
				rapid.StringMatching(`[A-Z][a-z]{2,7}`).Draw(t, "name"),
			}, ",") + "\n")
		}
		_, _, err := read(context.Background(), []byte(text.String()), dialect.Options{}, 2)
		if !errors.Is(err, dialect.ErrHeader) {
			t.Fatalf("%v:\n%s", err, text.String())
		}
	})
}

// TestDelimiterIsFoundAgain: a table that is written is read as it is by a reader who is told no delimiter, whatever
// delimiters are in its texts.
func TestDelimiterIsFoundAgain(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`[a-c]([,;|\t][a-c]){0,3}`)
		width, rows := rapid.IntRange(1, 3).Draw(t, "width"), rapid.IntRange(1, 5).Draw(t, "rows")
		kinds := map[string]table.Kind{}
		var cols []table.Column
		for j := range width {
			var labels []string
			codes := make([]int32, rows)
			at := map[string]int32{}
			for i := range codes {
				l := cell.Draw(t, "cell")
				if _, ok := at[l]; !ok {
					at[l] = int32(len(labels))
					labels = append(labels, l)
				}
				codes[i] = at[l]
			}
			name := string(rune('A'+j)) + rapid.SampledFrom([]string{"", ";", ",b,", "|b"}).Draw(t, "name")
			kinds[name] = table.Categorical
			cols = append(cols, table.CatColumn(name, labels, codes))
		}
		want := must.Get(table.New(cols...))(t)
		delim := rapid.SampledFrom(candidates).Draw(t, "delimiter")
		var out bytes.Buffer
		must.NoError(t, Write(context.Background(), &out, want, dialect.Options{Delimiter: delim}))
		got, _, err := read(context.Background(), out.Bytes(), dialect.Options{Kinds: kinds, Header: dialect.HasHeader}, 1)
		if err != nil {
			t.Fatalf("%q: %v", out.String(), err)
		}
		if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" {
			t.Fatalf("%q (-want +got):\n%s", out.String(), d)
		}
	})
}
