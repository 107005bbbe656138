package arrow

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/format/instant"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// Every type has a name of its own, which is understood, and comes back from a schema.
func TestNamesOfTypes(t *testing.T) {
	all := append([]typ{}, plain...)
	for _, u := range units {
		all = append(all, typ{kind: "timestamp", unit: u}, typ{kind: "timestamp", unit: u, zone: "Europe/Berlin"})
	}
	for _, b := range []int{32, 64, 128, 256} {
		all = append(all, typ{kind: "decimal", bits: b, precision: digits[b], scale: 2})
	}
	for _, a := range all[:len(all):len(all)] {
		a.coded = true
		all = append(all, a)
		a.ordered = true
		all = append(all, a)
	}
	seen := map[string]bool{}
	for _, want := range all {
		name := want.String()
		if got, ok := parseType(name); !ok || got != want || seen[name] {
			t.Errorf("%s is understood as %+v, %t", name, got, ok)
		}
		seen[name] = true
		if want.isView() { // which is read alone
			continue
		}
		bare := want
		bare.coded, bare.ordered = false, false
		if back, err := typeOf(root(flatten(want.field("a", 0, typ{kind: "int", bits: 8})))); err != nil || back != bare {
			t.Errorf("%s is written as %s, %v", name, back, err)
		}
	}
	for _, name := range []string{"", "int", "int128", "float8", "decimal", "decimal128", "decimal128(2,3)",
		"decimal128(39,0)", "decimal128(0,0)", "decimal64(4,-1)", "timestamp", "timestamp[h]",
		"timestamp[us", "Int64", "dictionary<>", "dictionary<utf8", "dictionary<dictionary<utf8>>", "date"} {
		if got, ok := parseType(name); ok {
			t.Errorf("%q is understood as %s", name, got)
		}
	}
}

// The bounds of the types are those at which a number stops coming back the same, and just those come back in the type
// that was asked for.
func TestBoundsOfTypes(t *testing.T) {
	for _, c := range []struct {
		name string
		v    float64
		want bool
	}{
		{"int8", 127, true}, {"int8", 128, false}, {"int8", -128, true}, {"int8", -129, false}, {"int8", 0.5, false},
		{"uint8", 255, true}, {"uint8", 256, false}, {"uint8", -1, false}, {"int16", 32768, false}, {"uint16", 65535, true},
		{"int32", 1 << 31, false}, {"uint32", 1<<32 - 1, true}, {"uint32", 1 << 32, false},
		{"int64", 1 << 53, true}, {"int64", 1<<53 + 2, false}, {"int64", -1 << 53, true}, {"uint64", 1 << 53, true},
		{"uint64", 1 << 54, false},
		{"float16", 0.1, true}, {"float16", 65504, true}, {"float16", 65520, false}, {"float16", 0.12345, false},
		{"float16", 6e-8, true}, {"float16", 1e-9, false},
		{"float32", 0.1, true}, {"float32", 16777217, false}, {"float32", 3.4e38, true},
		{"float32", math.MaxFloat32 * 2, false}, {"float32", 1e-50, false},
		{"float64", math.MaxFloat64, true}, {"float64", math.SmallestNonzeroFloat64, true},
		{"decimal32(3,1)", 99.9, true}, {"decimal128(3,1)", 100, false}, {"decimal128(3,1)", 0.05, false},
		{"decimal256(18,0)", 1 << 53, true}, {"decimal128(30,0)", -1 << 53, true},
		{"decimal128(18,0)", 1 << 54, false}, {"utf8", 1, false}, {"date32", 1, false}, {"bool", 1, false},
		{"dictionary<int64>", 1, false}, {"null", 1, false},
	} {
		typ, ok := parseType(c.name)
		if !ok {
			t.Fatal(c.name)
		}
		if got := typ.holdsNumbers([]float64{nan, c.v}); got != c.want {
			t.Errorf("%s holds %v: %t", c.name, c.v, got)
		}
		data := mustWrite(t, Format, dialect.Options{Types: map[string]string{"a": c.name}},
			table.NumColumn("a", 0, []float64{nan, c.v}))
		tb, info, err := Read(ctx, data, dialect.Options{})
		must.NoError(t, err)
		if (info.Types["a"] == c.name) != c.want || tb.Num(0)[1] != c.v {
			t.Errorf("%v, wished as %s, was written as %s and read as %v", c.v, c.name, info.Types["a"], tb.Num(0)[1])
		}
	}
}

// Likewise for labels.
func TestLabelsOfTypes(t *testing.T) {
	for _, c := range []struct {
		name, label string
		want        bool
	}{
		{"bool", "true", true}, {"bool", "True", false}, {"bool", "", false},
		{"int64", "9223372036854775807", true}, {"int64", "9223372036854775808", false},
		{"uint64", "18446744073709551615", true}, {"int64", "9223372036854775806.5", false},
		{"timestamp[ns]", "2026-01-02T03:04:05.000000001", true}, {"timestamp[ns]", "2600-01-01T00:00:00.000000001", false},
		{"timestamp[ns,UTC]", "2026-01-02T03:04:05.000000001Z", true},
		{"date32", "12026-01-02", false}, {"date32", "no day", false}, {"utf8", "whatever", true}, {"large_utf8", "", true},
		{"null", "x", false},
		{"dictionary<int8>", "-128", true}, {"dictionary<int8>", "128", false}, {"dictionary<int8>", "+1", false},
		{"dictionary<uint8>", "255", true}, {"dictionary<bool>", "true", true},
		{"dictionary<float64>", "0.1", true}, {"dictionary<float64>", "0.10", false}, {"dictionary<float64>", "Inf", false},
		{"dictionary<float32>", "0.1", true}, {"dictionary<float32>", "16777217", false},
		{"dictionary<float16>", "0.1", true}, {"dictionary<date32>", "2026-02-28", true},
		{"dictionary<date32>", "2026-02-29", false}, {"dictionary<timestamp[s]>", "2026-01-02T03:04:05", true},
		{"dictionary<utf8>", "x", true}, {"dictionary<large_utf8,ordered>", "x", true}, {"dictionary<null>", "x", false},
	} {
		data := mustWrite(t, Format, dialect.Options{Types: map[string]string{"a": c.name}},
			table.CatColumn("a", []string{c.label}, []int32{0, -1}))
		tb, info, err := Read(ctx, data, dialect.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := tb.Column(0)
		if c.name == "bool" && c.want {
			got = got.Compact()
		}
		if wrote := info.Types["a"] == c.name; wrote != c.want || got.Kind != table.Categorical ||
			!cmp.Equal(got.Labels, []string{c.label}) ||
			got.Cat[0] != 0 ||
			got.Cat[1] != -1 {
			t.Errorf("%q, wished as %s, was written as %s and read as %v", c.label, c.name, info.Types["a"], got)
		}
	}
}

// A table of a Parquet file has the types of the same names, and the zone by the name that all programs know.
func TestTypesOfParquet(t *testing.T) {
	data := mustWrite(
		t,
		Format,
		dialect.Options{
			Types: map[string]string{
				"at": "timestamp[us,utc]",
				"n":  "int32",
				"x":  "double",
				"c":  "string",
				"d":  "date",
				"b":  "boolean",
			},
		},
		table.DateColumn("at", "yyyy-mm-ddThh:mm:ssZ", []float64{1, nan}),
		table.NumColumn("n", 1, []float64{1, nan}),
		table.NumColumn("x", 0.1, []float64{0.5, nan}),
		table.CatColumn("c", []string{"x"}, []int32{0, -1}),
		table.DateColumn("d", "yyyy-mm-dd", []float64{1, nan}),
		table.CatColumn("b", []string{"false", "true"}, []int32{1, -1}),
	)
	_, info, err := Read(ctx, data, dialect.Options{})
	want := map[string]string{
		"at": "timestamp[us,UTC]",
		"n":  "int32",
		"x":  "float64",
		"c":  "dictionary<utf8>",
		"d":  "date32",
		"b":  "dictionary<utf8>",
	}
	if d := cmp.Diff(want, info.Types); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

// Days in thousandths of a second are days; where they are none, which no sound file says, they are instants.
func TestDate64(t *testing.T) {
	for _, c := range []struct {
		k    int64
		want string
	}{{-86400e3, "yyyy-mm-dd"}, {86400e3 + 1, "yyyy-mm-ddThh:mm:ss.fff"}} {
		col := column{name: "a", typ: typ{kind: "date", bits: 64, unit: instant.Milli}, num: []float64{nan, float64(c.k)}}
		if got := col.column(); string(got.Dates) != c.want {
			t.Errorf("%d is a date as %s", c.k, got.Dates)
		}
	}
}

// What is refused is refused by name, in one line that says what to do.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		field fields
		want  string
	}{
		{fields{"a", true, byte(typeList), fields{}, nil, list{}}, `no column of the file can be read; column "a" is left out: it is of type list, which is not supported`},
		{fields{"a", true, byte(typeTime), fields{int16(0), int32(64)}, nil, list{}}, `column "a" is of the type time64[s], which there is not`},
		{fields{"a", true, byte(typeFixedSizeBinary), fields{int32(-1)}, nil, list{}}, `column "a" is of the type fixed_size_binary[-1], which there is not`},
		{fields{"a", true, byte(99), fields{}, nil, list{}}, `column "a" is of type number 99, which is not known`},
		{fields{"a", true, byte(typeInt), fields{int32(7)}, nil, list{}}, `column "a" is of the type uint7, which there is not`},
		{fields{"a", true, byte(typeDecimal), fields{int32(3), int32(-1)}, nil, list{}}, `column "a" is of the type decimal128(3,-1), which there is not`},
		{fields{"a", true, byte(typeTimestamp), fields{int16(1), "Mars\nPhobos"}, nil, list{}}, `column "a" is of the type timestamp[ms], which there is not`},
		{fields{"a\xff", true, byte(typeNull), fields{}, nil, list{}}, "the name of column 1 is not UTF-8 text"},
	} {
		if _, _, err := Read(ctx, stream(c.field), dialect.Options{}); err == nil ||
			!strings.HasPrefix(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, _, err := Read(ctx, []byte("FEA1 and so on"), dialect.Options{}); err == nil ||
		!strings.HasPrefix(err.Error(), "a Feather version 1 file") {
		t.Errorf("got %v", err)
	}
	if _, _, err := Read(ctx, framed(headSchema, versionV5, fields{int16(1), list{}}), dialect.Options{}); err == nil ||
		!strings.Contains(err.Error(), "big-endian") {
		t.Errorf("got %v", err)
	}
}

// What pyarrow writes of every type: what a table holds is read, and the rest left out by name, wherever it stands.
func TestTypesOfOthers(t *testing.T) {
	null := func(value func(i int) string) func(i int) string {
		return func(i int) string {
			if i%7 == 3 {
				return "-"
			}
			return value(i)
		}
	}
	quarter := func(i int) string { return strconv.FormatFloat(float64(i-30)/4, 'g', -1, 64) }
	for _, name := range []string{"testdata/types.arrow", "testdata/types.arrows"} {
		data := must.Get(os.ReadFile(name))(t)
		got, info, err := Read(ctx, data, dialect.Options{})
		must.NoError(t, err)
		for _, c := range []string{"list", "large list", "fixed list", "list view", "struct", "map", "sparse union",
			"dense union", "runs", "interval", "bytes", "coded list", "infinite"} {
			j := slices.IndexFunc(dialect.Texts(info.Notes), func(n string) bool {
				return strings.HasPrefix(n, fmt.Sprintf("column %q is left out: it ", c))
			})
			if j < 0 || got.Find(c) >= 0 {
				t.Errorf("%s: column %q is not left out: %q", name, c, dialect.Texts(info.Notes))
			}
		}
		for _, c := range []struct {
			column, typ string
			want        func(i int) string
		}{
			{"null", "null", func(int) string { return "-" }},
			{"time32", "time32[ms]", null(func(i int) string { return fmt.Sprintf("%02d:%02d:01.005", i%24, i%60) })},
			{"time64", "time64[us]", null(func(i int) string { return fmt.Sprintf("%02d:%02d:01.000005", i%24, i%60) })},
			{"decimal32", "decimal32(9,2)", null(quarter)},
			{"decimal128", "decimal128(38,18)", null(quarter)},
			{"wide", "decimal128(38,0)", null(func(i int) string { return fmt.Sprintf("-1%030d", i) })},
			{"wider", "decimal256(60,0)", null(func(i int) string { return fmt.Sprintf("1%050d", i) })},
			{"uuid", "uuid", null(func(i int) string { return fmt.Sprintf("00000000-0000-%04x-0000-000000000000", i) })},
			{"fixed", "fixed_size_binary[4]", null(func(i int) string { return fmt.Sprintf("x%03d", i) })},
			{"binary", "binary", null(func(i int) string { return fmt.Sprint("b", i) })},
			{"large", "large_binary", null(func(i int) string { return fmt.Sprint("b", i) })},
			{"view", "binary_view", null(func(i int) string { return fmt.Sprint("a longer text ", i) })},
			{"coded", "dictionary<decimal128(10,2)>", null(func(i int) string { return fmt.Sprintf("%d.50", i%3) })},
			{"duration", "duration[ms]", null(strconv.Itoa)},
			{"last", "int64", null(strconv.Itoa)},
		} {
			if j := got.Find(c.column); j < 0 || info.Types[c.column] != c.typ {
				t.Errorf("%s, column %q: type %q, want %s", name, c.column, info.Types[c.column], c.typ)
				continue
			}
			for i, text := range said(got, c.column) {
				if want := c.want(i); text != want {
					t.Errorf("%s, column %q: row %d is %s, want %s", name, c.column, i+1, text, want)
					break
				}
			}
		}
		if got.Rows() != 75 || got.Width() != 15 {
			t.Errorf("%s: %d records of %d columns", name, got.Rows(), got.Width())
		}
		var out bytes.Buffer
		must.NoError(t, Format.Write(ctx, &out, got, info.Like(dialect.Options{})))
		again, info2, err := Read(ctx, out.Bytes(), dialect.Options{})
		must.NoError(t, err)
		for _, a := range got.Attrs() {
			if !slices.Equal(said(got, a.Name), said(again, a.Name)) {
				t.Errorf("column %q is written as something else", a.Name)
			}
			was, is := info.Types[a.Name], info2.Types[a.Name]
			if was != is && was != "uuid" && !strings.HasPrefix(was, "fixed") && was != "binary_view" {
				t.Errorf("column %q of type %s is written as %s", a.Name, was, is)
			}
		}
	}
}

// said is the text of a column's values, "-" for a missing one.
func said(t *table.Table, name string) (out []string) {
	c := t.Column(t.Find(name))
	for i := range t.Rows() {
		switch {
		case c.MissingAt(i):
			out = append(out, "-")
		case c.Kind == table.Numeric:
			out = append(out, strconv.FormatFloat(c.Num[i], 'g', -1, 64))
		default:
			out = append(out, c.Labels[c.Cat[i]])
		}
	}
	return out
}

// Tables of no records, and with a column of nulls, as people reported them.
func TestReported(t *testing.T) {
	for name, rows := range map[string]int{"no-rows": 0, "null-column": 40} {
		data := must.Get(os.ReadFile("testdata/" + name + ".arrow"))(t)
		got, info, err := Read(ctx, data, dialect.Options{})
		if err != nil || got.Rows() != rows || len(info.Notes) > 0 || got.Attr(0).Name != "age" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Files that the format's own library wrote (module sql) are read as what they hold: LZ4, several batches, views of
// texts, dictionaries that grow.
func TestForeign(t *testing.T) {
	want := []string{
		`0 bool: "true" ? "false"`,
		`1 uint8: 255 ? 0`,
		`2 string_view: "short" ? "a text of more than twelve bytes"`,
		`3 date64: 2026-01-02 ? 1969-12-31`,
		`4 timestamp[us]: 2026-01-02T03:04:05.678901 ? 1969-12-31T23:59:59.000000`,
		`5 dictionary<values=utf8, indices=int8, ordered=false>: "z" ? "a"`,
		`6 dictionary<values=int64, indices=int32, ordered=false>: "3" ? "1"`,
	}
	for _, name := range []string{"lz4.feather", "deltas.arrows"} {
		tb, _, err := Read(ctx, mustRead(t, name), dialect.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, formattest.Shown(tb)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// A stream goes to programs that may know no Zstandard, such as R: its buffers lie open. Those of a file are packed.
func TestStreamsAreNotPacked(t *testing.T) {
	columns := []table.Column{
		table.NumColumn("a", 0, slices.Repeat([]float64{0.1}, 1000)),
		table.CatColumn("b", []string{strings.Repeat("spring ", 100)}, make([]int32, 1000)),
	}
	for _, part := range []string{strings.Repeat("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 1000), columns[1].Labels[0]} {
		for f, want := range map[*dialect.Format]bool{&Format: false, &FormatStream: true} {
			if got := bytes.Contains(mustWrite(t, *f, dialect.Options{}, columns...), []byte(part)); got != want {
				t.Errorf("%s has %.7q as it is: %t; expected %t", f.Title, part, got, want)
			}
		}
	}
}
