package parquet

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// The files in testdata/golden were written by other writers than this package's (tools/parquetfiles).

// goldenRows is how many records each has; every seventh value of a column with nulls is one.
const goldenRows = 75

// goldenValues are the values of the columns by their type.
var goldenValues = map[string]func(i int) string{
	"BOOLEAN": func(i int) string { return strconv.FormatBool(i/20%2 == 0 || i%5 == 0) },
	"INT32":   func(i int) string { return strconv.Itoa(i*i*i%1009 - 500) },
	"INT64":   func(i int) string { return number(float64(i%9-4) * 1e12) },
	"INT96": func(i int) string {
		return time.Unix(int64(i%9-4)*86400, int64(i%9)*1_000_001_000).UTC().Format("2006-01-02T15:04:05.000000")
	},
	"FLOAT":                func(i int) string { return number(float64(float32(i%9)/10 - 0.3)) },
	"DOUBLE":               func(i int) string { return number(float64(i%9)/8 - 0.25) },
	"BYTE_ARRAY":           func(i int) string { return "label"[:i%6] + strings.Repeat("é", i%4) },
	"FIXED_LEN_BYTE_ARRAY": func(i int) string { return fmt.Sprintf("x%03d", i%30) },
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// golden reads a file.
func golden(t *testing.T, name string) (*table.Table, *dialect.Info) {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	got, info, err := Read(context.Background(), data, dialect.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return got, info
}

// goldenTexts is the text of a column's values, "-" for a missing one.
func goldenTexts(t *table.Table, name string) (out []string) {
	j := t.Find(name)
	if j < 0 {
		return nil
	}
	only, err := table.New(t.Column(j))
	if err != nil {
		panic(err)
	}
	return texts(only)
}

// Every encoding of every type, in pages of both versions, in every compression, has the values that its writer wrote.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.parquet")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	seen := map[string]int{}
	for _, name := range files {
		got, info := golden(t, name)
		if got.Rows() != goldenRows {
			t.Fatalf("%s: %d records", name, got.Rows())
		}
		for _, a := range got.Attrs() {
			words := strings.Split(a.Name, " ")
			value := goldenValues[words[0]]
			if value == nil || len(words) != 3 {
				continue
			}
			seen[words[0]+" "+words[1]]++
			for i, text := range goldenTexts(got, a.Name) {
				want := value(i)
				if strings.EqualFold(words[2], "optional") && i%7 == 3 {
					want = "-"
				}
				if words[0] == "FLOAT" && want != "-" { // of a number of 32 bits, the shortest text
					x := must.Get(strconv.ParseFloat(want, 64))(t)
					want = strconv.FormatFloat(float64(float32(x)), 'g', -1, 32)
				}
				if text != want {
					t.Fatalf("%s, column %q: row %d is %s, expected %s", name, a.Name, i+1, text, want)
				}
			}
		}
		for _, n := range info.Notes {
			if !strings.Contains(name, "-types") && !strings.Contains(n.String(), `"huge": decimal`) {
				t.Errorf("%s: %s", name, n)
			}
		}
	}
	if len(seen) != 26 { // of 8 types with their encodings
		t.Errorf("%d pairs of a type and an encoding: %v", len(seen), seen)
	}
	for pair, n := range seen {
		if want := 24; n != want && !strings.Contains(pair, "DELTA_BYTE_ARRAY") || n < 6 {
			t.Errorf("%s: %d columns", pair, n)
		}
	}
}

// What pyarrow and DuckDB write of other types.
func TestGoldenTypes(t *testing.T) {
	null := func(value func(i int) string) func(i int) string {
		return func(i int) string {
			if i%7 == 3 {
				return "-"
			}
			return value(i)
		}
	}
	quarter := func(i int) string { return number(float64(i-30) / 4) }
	for _, c := range []struct {
		file, column, typ string
		want              func(i int) string
	}{
		{"pyarrow-types", "null", "null", func(int) string { return "-" }},
		{"pyarrow-types", "time32", "time[ms]",
			null(func(i int) string { return fmt.Sprintf("%02d:%02d:01.005", i%24, i%60) })},
		{"pyarrow-types", "time64", "time[us]",
			null(func(i int) string { return fmt.Sprintf("%02d:%02d:01.000005", i%24, i%60) })},
		{"pyarrow-types", "decimal9", "decimal(9,2)", null(quarter)},
		{"pyarrow-types", "decimal18", "decimal(18,2)", null(quarter)},
		{"pyarrow-types", "decimal38", "decimal(38,18)", null(quarter)},
		{"pyarrow-types", "wide", "decimal(38,0)", null(func(i int) string { return fmt.Sprintf("1%030d", i) })},
		{"pyarrow-types", "half", "float16", null(func(i int) string { return number(float64(i-30) / 8) })},
		{"pyarrow-types", "uuid", "uuid",
			null(func(i int) string { return fmt.Sprintf("00000000-0000-%04x-0000-000000000000", i) })},
		{"pyarrow-types", "date", "date", null(func(i int) string { return fmt.Sprintf("2026-01-%02d", 1+i%28) })},
		{"pyarrow-types", "last", "int64", null(strconv.Itoa)},
		{"pyarrow-int96", "int96", "timestamp[us]",
			null(func(i int) string { return fmt.Sprintf("2026-01-01T%02d:00:01.000005", i%24) })},
		{"duckdb-", "i32", "int32", strconv.Itoa},
		{"duckdb-", "i64", "int64", func(i int) string { return number(float64(i) * 1e6) }},
		{"duckdb-", "b", "boolean", null(goldenValues["BOOLEAN"])},
		{"duckdb-", "s", "string", null(func(i int) string { return fmt.Sprint("label", i%9) })},
		{"duckdb-", "d", "double", func(i int) string { return number(float64(i) / 8) }},
		{"duckdb-", "dec", "decimal(10,2)", func(i int) string { return number(float64(i) / 4) }},
		{"duckdb-", "at", "timestamp[us]", func(i int) string { return fmt.Sprintf("2026-01-01T00:%02d:%02d", i/60, i%60) }},
		{"duckdb-", "tod", "time[us]", func(i int) string { return fmt.Sprintf("08:%02d:%02d", 30+i/60, i%60) }},
		{"duckdb-", "u", "uuid", func(i int) string { return fmt.Sprintf("00000000-0000-0000-0000-0000000000%d", 10+i) }},
		{"duckdb-", "huge", "decimal(38,0)", func(i int) string {
			if i == 0 {
				return "0"
			}
			return fmt.Sprintf("%d%s", i, strings.Repeat("0", 20))
		}},
	} {
		files, err := filepath.Glob("testdata/golden/" + c.file + "*.parquet")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, name := range files {
			got, info := golden(t, name)
			texts := goldenTexts(got, c.column)
			if info.Types[c.column] != c.typ || len(texts) != goldenRows {
				t.Errorf("%s, column %q: type %s, expected %s; %d values", name, c.column, info.Types[c.column], c.typ, len(texts))
				continue
			}
			for i, text := range texts {
				if want := c.want(i); text != want {
					t.Errorf("%s, column %q: row %d is %s, expected %s", name, c.column, i+1, text, want)
					break
				}
			}
		}
	}
	got, info := golden(t, "testdata/golden/pyarrow-types.parquet")
	left := []string{
		`column "bytes" is left out: it holds bytes that are not UTF-8, expected text`,
		`column "floats" is left out: it holds lists of double, expected texts or whole numbers`,
		`column "map" is left out: it is nested, expected a flat column or lists of single values`,
		`column "struct" is left out: it is nested, expected a flat column or lists of single values`,
		`column "wide": decimal numbers of more than 15 digits; it is read as categories`,
	}
	if notes := dialect.Texts(info.Notes); got.Width() != 11 || !slices.Equal(notes, left) {
		t.Errorf("%d columns, notes %q", got.Width(), notes)
	}
}

// What people reported: files of the kinds that were read wrongly, or not at all.
func TestReported(t *testing.T) {
	got, _ := golden(t, "testdata/bool-rle-v2.parquet")
	ill := 0
	for _, text := range goldenTexts(got, "ill") {
		if text == "true" {
			ill++
		}
	}
	if got.Rows() != 100 || ill != 60 {
		t.Errorf("%d of %d are ill, expected 60 of 100", ill, got.Rows())
	}
	got, info := golden(t, "testdata/lz4raw.parquet")
	if len(info.Notes) > 0 || got.Rows() != 40 || got.Width() != 2 {
		t.Errorf("LZ4: %d records, %v", got.Rows(), info.Notes)
	}
	got, info = golden(t, "testdata/time-column.parquet")
	if len(info.Notes) > 0 || got.Rows() != 40 || got.Width() != 3 || info.Types["seen"] != "time[us]" {
		t.Errorf("times: %d records, %v, %v", got.Rows(), info.Notes, info.Types)
	}
	got, _ = golden(t, "testdata/no-rows.parquet")
	if got.Rows() != 0 || got.Width() != 2 || got.Attr(0).Name != "age" || math.IsNaN(got.Attr(0).Step) {
		t.Errorf("no rows: %d records of %d columns", got.Rows(), got.Width())
	}
}
