package parquet

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// file returns a file with one column "a" of the type, as another program may write it. Values are those of the column;
// nil is a null, which only an optional column has.
func file(t *testing.T, node parquet.Node, values []any, options ...parquet.WriterOption) []byte {
	t.Helper()
	return written(t, []parquet.Field{field{node, "a"}}, values, options...)
}

// pair is file with a column "b" of the number 7 behind it.
func pair(t *testing.T, node parquet.Node, values []any) []byte {
	t.Helper()
	return written(t, []parquet.Field{field{node, "a"}, field{parquet.Leaf(parquet.Int64Type), "b"}}, values)
}

func written(t *testing.T, fields []parquet.Field, values []any, options ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	group := &root{fields: fields}
	w := parquet.NewGenericWriter[any](
		&out,
		append([]parquet.WriterOption{parquet.NewSchema("other", group)}, options...)...)
	write := func(j int, p parquet.Value) {
		must.Get(w.ColumnWriters()[j].WriteRowValues([]parquet.Value{p}))(t)
	}
	level, leaves := 0, len(w.ColumnWriters())
	if fields[0].Optional() {
		level = 1
	}
	for _, v := range values {
		p := parquet.NullValue().Level(0, 0, 0)
		if v != nil {
			p = parquet.ValueOf(v).Level(0, level, 0)
		}
		write(0, p)
	}
	if len(fields) > 1 {
		for j := range leaves - 1 {
			if values == nil { // of what is nested
				write(j, parquet.NullValue().Level(0, 0, j))
			}
		}
		for range max(1, len(values)) {
			write(leaves-1, parquet.Int64Value(7).Level(0, 0, leaves-1))
		}
	}
	must.NoError(t, w.Close())
	return out.Bytes()
}

// texts returns the values of a table's only column as text, "-" for a missing one.
func texts(t *table.Table) []string {
	out := make([]string, t.Rows())
	for i := range out {
		switch c := t.Column(0); {
		case t.MissingAt(i, 0):
			out[i] = "-"
		case c.Dates != "":
			out[i] = string(c.AppendValue(nil, c.Num[i]))
		case c.Kind == table.Numeric:
			out[i] = strconv.FormatFloat(c.Num[i], 'g', -1, 64)
		default:
			out[i] = c.Labels[c.Cat[i]]
		}
	}
	return out
}

// Values of every type come out as what they mean, whether the column may hold nulls or not.
func TestTypesOfOthers(t *testing.T) {
	day := func(d int32) any { return d }
	for _, c := range []struct {
		name   string
		node   parquet.Node
		values []any
		typ    string
		want   []string
	}{
		{"int8", parquet.Int(8), []any{int32(-128), int32(127)}, "int8", []string{"-128", "127"}},
		{"int16", parquet.Int(16), []any{int32(-32768), int32(32767)}, "int16", []string{"-32768", "32767"}},
		{"int32", parquet.Leaf(parquet.Int32Type), []any{int32(math.MinInt32), int32(math.MaxInt32)}, "int32",
			[]string{"-2.147483648e+09", "2.147483647e+09"}},
		{"uint8", parquet.Uint(8), []any{int32(255)}, "uint8", []string{"255"}},
		{"uint32", parquet.Uint(32), []any{uint32(math.MaxUint32), uint32(0)}, "uint32", []string{"4.294967295e+09", "0"}},
		{"int64", parquet.Leaf(parquet.Int64Type), []any{int64(1 << 53), int64(-1 << 53)}, "int64",
			[]string{"9.007199254740992e+15", "-9.007199254740992e+15"}},
		{"int64 as labels", parquet.Leaf(parquet.Int64Type), []any{int64(1<<53 + 1), int64(math.MinInt64), int64(7)}, "int64",
			[]string{"9007199254740993", "-9223372036854775808", "7"}},
		{"uint64 as labels", parquet.Uint(64), []any{uint64(math.MaxUint64), uint64(3)}, "uint64",
			[]string{"18446744073709551615", "3"}},
		{"int64, labels from the third on", parquet.Leaf(parquet.Int64Type),
			[]any{int64(7), int64(-7), int64(1<<53 + 1), int64(7)}, "int64", []string{"7", "-7", "9007199254740993", "7"}},
		{"a dictionary of uint64, labels from the second on", parquet.Encoded(parquet.Uint(64), &parquet.RLEDictionary),
			[]any{uint64(3), uint64(math.MaxUint64), uint64(3)}, "uint64", []string{"3", "18446744073709551615", "3"}},
		{"float", parquet.Leaf(parquet.FloatType), []any{float32(0.1), float32(-2.5)}, "float", []string{"0.1", "-2.5"}},
		{"double", parquet.Leaf(parquet.DoubleType), []any{0.1, math.NaN(), 1e300}, "double", []string{"0.1", "-", "1e+300"}},
		{"boolean", parquet.Leaf(parquet.BooleanType), []any{true, false}, "boolean", []string{"true", "false"}},
		{"string", parquet.String(), []any{"", "?", "NA", "é"}, "string", []string{"", "?", "NA", "é"}},
		{"bytes", parquet.Leaf(parquet.ByteArrayType), []any{"x", "y"}, "string", []string{"x", "y"}},
		{"enumeration", parquet.Enum(), []any{"red", "blue"}, "string", []string{"red", "blue"}},
		{"JSON", parquet.JSON(), []any{`{"a":1}`}, "string", []string{`{"a":1}`}},
		{"date", parquet.Date(), []any{day(0), day(-1), day(20455)}, "date",
			[]string{"1970-01-01", "1969-12-31", "2026-01-02"}},
		{"milliseconds", parquet.TimestampAdjusted(parquet.Millisecond, false), []any{int64(-1), int64(1500)},
			"timestamp[ms]", []string{"1969-12-31T23:59:59.999", "1970-01-01T00:00:01.500"}},
		{"microseconds", parquet.Timestamp(parquet.Microsecond), []any{int64(1)}, "timestamp[us,utc]",
			[]string{"1970-01-01T00:00:00.000001Z"}},
		{"nanoseconds", parquet.TimestampAdjusted(parquet.Nanosecond, false), []any{int64(-1), int64(0)}, "timestamp[ns]",
			[]string{"1969-12-31T23:59:59.999999999", "1970-01-01T00:00:00"}},
		{"nanoseconds, labels from the third on", parquet.TimestampAdjusted(parquet.Nanosecond, true),
			[]any{int64(1152921504606847000), int64(0), int64(1)}, "timestamp[ns,utc]",
			[]string{"2006-07-14T23:58:24.606847Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000001Z"}},
		{"date, labels from the second on", parquet.Date(), []any{day(-1), day(2932897)}, "date",
			[]string{"1969-12-31", "10000-01-01"}},
		{"decimal in 32 bits", parquet.Decimal(2, 9, parquet.Int32Type), []any{int32(-5), int32(12345)}, "decimal(9,2)",
			[]string{"-0.05", "123.45"}},
		{"decimal of many digits", parquet.Decimal(2, 18, parquet.Int64Type), []any{int64(150), int64(1<<53 + 1), int64(-7)},
			"decimal(18,2)", []string{"1.50", "90071992547409.93", "-0.07"}},
		{"decimal beyond 64 bits", parquet.Decimal(2, 38, parquet.FixedLenByteArrayType(16)),
			[]any{"\x01" + strings.Repeat("\x00", 15), strings.Repeat("\xff", 16)}, "decimal(38,2)",
			[]string{"13292279957849158729038070602803445.76", "-0.01"}},
		{"decimal with zeros", parquet.Decimal(18, 38, parquet.FixedLenByteArrayType(16)),
			[]any{strings.Repeat("\x00", 8) + "\x14\xd1\x12\x0d\x7b\x16\x00\x00", strings.Repeat("\x00", 16)}, "decimal(38,18)",
			[]string{"1.5", "0"}},
		{"time in milliseconds", parquet.TimeAdjusted(parquet.Millisecond, false), []any{int32(30_600_500), int32(0)},
			"time[ms]", []string{"08:30:00.5", "00:00:00"}},
		{"time in microseconds", parquet.Time(parquet.Microsecond), []any{int64(86_399_999_999)}, "time[us,utc]",
			[]string{"23:59:59.999999"}},
		{"UUID", parquet.UUID(), []any{"\x01\x23\x45\x67\x89\xab\xcd\xef\x00\x00\x00\x00\x00\x00\x00\xff"}, "uuid",
			[]string{"01234567-89ab-cdef-0000-0000000000ff"}},
		{"half", parquet.Leaf(half{parquet.FixedLenByteArrayType(2)}), []any{"\x66\x2e", "\x00\xc1", "\x00\x7e"}, "float16",
			[]string{"0.1", "-2.5", "-"}},
		{"fixed bytes that are text", parquet.Leaf(parquet.FixedLenByteArrayType(2)), []any{"xy", "é"}, "string",
			[]string{"xy", "é"}},
		{"96 bits", parquet.Leaf(parquet.Int96Type), []any{deprecated.Int96{1_000_000_000, 0, 2_440_588},
			deprecated.Int96{1000, 0, 2_440_587}}, "timestamp[us]",
			[]string{"1970-01-01T00:00:01.000000", "1969-12-31T00:00:00.000001"}},
		{"96 bits, a nanosecond", parquet.Leaf(parquet.Int96Type), []any{deprecated.Int96{1, 0, 2_440_588},
			deprecated.Int96{1000, 0, 1_721_426}}, "timestamp[us]",
			[]string{"1970-01-01T00:00:00.000000001", "0001-01-01T00:00:00.000001"}},
		{"decimal in 64 bits", parquet.Decimal(3, 18, parquet.Int64Type), []any{int64(-1), int64(9_007_199_254_740_990)},
			"decimal(18,3)", []string{"-0.001", "9.00719925474099e+12"}},
		{"decimal in 3 bytes", parquet.Decimal(1, 6, parquet.FixedLenByteArrayType(3)),
			[]any{"\xff\xff\xfe", "\x00\x01\x00", "\x7f\xff\xff"}, "decimal(6,1)", []string{"-0.2", "25.6", "838860.7"}},
		{"decimal in bytes", parquet.Decimal(0, 20, parquet.ByteArrayType), []any{"", "\x80", "\x00\x80"}, "decimal(20,0)",
			[]string{"0", "-128", "128"}},
	} {
		for _, null := range []bool{false, true} {
			node, values, want := c.node, c.values, c.want
			if null {
				node, values, want = parquet.Optional(
					node,
				), append([]any{nil}, append(values, nil)...), append([]string{"-"}, append(want, "-")...)
			}
			tb, info, err := Read(context.Background(), file(t, node, values), dialect.Options{})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if d := cmp.Diff(want, texts(tb)); d != "" || info.Types["a"] != c.typ {
				t.Errorf("%s, nulls %t: type %s, want %s (-want +got):\n%s", c.name, null, info.Types["a"], c.typ, d)
			}
		}
	}
}

// What a table cannot hold is left out by the name of the column, and the columns beside it are read.
func TestTypesThatAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		name   string
		node   parquet.Node
		values []any
		want   string
	}{
		{"fixed bytes", parquet.Leaf(parquet.FixedLenByteArrayType(2)), []any{"x\xff"},
			"it holds bytes that are not UTF-8, expected text"},
		{"a time outside a day", parquet.Time(parquet.Microsecond), []any{int64(-1)},
			"it holds a time that lies outside a day"},
		{"a day of 96 bits that is too far off", parquet.Leaf(parquet.Int96Type), []any{deprecated.Int96{1, 2, 3}},
			"it holds an instant of 96 bits that is too far off for its fraction of a second"},
		{"BSON", parquet.BSON(), []any{"x"}, "it is of type BSON, which is not supported"},
		{"an infinite float", parquet.Leaf(parquet.FloatType), []any{float32(math.Inf(-1))},
			"it holds an infinite number, expected finite ones"},
		{"an infinite number in a dictionary", parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.RLEDictionary),
			[]any{math.Inf(1)},
			"it holds an infinite number, expected finite ones"},
		{"bytes in a dictionary", parquet.Encoded(parquet.String(), &parquet.RLEDictionary), []any{"x", "\xff"},
			"it holds bytes that are not UTF-8, expected text"},
		{"a list of numbers", parquet.List(parquet.Leaf(parquet.DoubleType)), nil,
			"it holds lists of double, expected texts or whole numbers"},
		{"lists of lists", parquet.List(parquet.List(parquet.String())), nil,
			"it holds lists of lists, expected lists of single values"},
		{"a map", parquet.Map(parquet.String(), parquet.String()), nil,
			"it is nested, expected a flat column or lists of single values"},
	} {
		for _, beside := range []bool{false, true} {
			data := file(t, c.node, c.values)
			if beside {
				data = pair(t, c.node, c.values)
			}
			got, info, err := Read(context.Background(), data, dialect.Options{})
			note := `column "a" is left out: ` + c.want
			if !beside {
				if want := "no column of the file can be read; " + note; err == nil || err.Error() != want {
					t.Errorf("%s:\n got %v\nwant %s", c.name, err, want)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if notes := dialect.Texts(info.Notes); !slices.Equal(notes, []string{note}) {
				t.Errorf("%s: notes %q, want %q", c.name, notes, note)
			}
			if got.Width() != 1 || got.Attr(0).Name != "b" || got.Num(0)[0] != 7 || got.Rows() != max(1, len(c.values)) {
				t.Errorf("%s: %d columns are left, beside which one was to be", c.name, got.Width())
			}
		}
	}
}

// packings are ways in which another writer may encode and compress a column, with its values.
var packings = []struct {
	name  string
	node  parquet.Node
	value func(i int) any
}{
	{"int", parquet.Leaf(parquet.Int64Type), func(i int) any { return int64(i*i - 500) }},
	{"double", parquet.Leaf(parquet.DoubleType), func(i int) any { return float64(i%77) / 4 }},
	{"string", parquet.String(), func(i int) any { return fmt.Sprint("label ", i%100) }},
	{"boolean", parquet.Leaf(parquet.BooleanType), func(i int) any { return i%3 == 0 }},
	{"day", parquet.Date(), func(i int) any { return int32(i) }},
}

// Encodings, compression, pages and row groups are how a file is packed; the table is the same.
func TestPackings(t *testing.T) {
	const rows = 1000
	for _, c := range packings {
		values := make([]any, rows)
		for i := range values {
			if i%10 != 7 {
				values[i] = c.value(i)
			}
		}
		node := parquet.Optional(c.node)
		want, _, err := Read(context.Background(), file(t, node, values), dialect.Options{})
		must.NoError(t, err)
		for i, text := range texts(want) {
			if (text == "-") != (values[i] == nil) {
				t.Fatalf("%s: row %d is %s", c.name, i+1, text)
			}
		}
		packings := map[string][]byte{
			"pages of version 1": file(t, node, values, parquet.DataPageVersion(1)),
			"pages of version 2": file(t, node, values, parquet.DataPageVersion(2)),
			"small pages":        file(t, node, values, parquet.PageBufferSize(64)),
			"many groups":        file(t, node, values, parquet.MaxRowsPerRowGroup(64)),
		}
		for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli,
			&parquet.Zstd, &parquet.Lz4Raw} {
			packings[codec.String()] = file(t, node, values, parquet.Compression(codec))
		}
		if c.name != "boolean" {
			packings["dictionary"] = file(t, parquet.Encoded(node, &parquet.RLEDictionary), values)
			packings["dictionaries of many groups"] = file(t, parquet.Encoded(node, &parquet.RLEDictionary), values,
				parquet.MaxRowsPerRowGroup(64))
		}
		switch c.name {
		case "int", "day":
			packings["differences"] = file(t, parquet.Encoded(node, &parquet.DeltaBinaryPacked), values)
		case "string":
			packings["lengths"] = file(t, parquet.Encoded(node, &parquet.DeltaLengthByteArray), values)
			packings["prefixes"] = file(t, parquet.Encoded(node, &parquet.DeltaByteArray), values)
		case "double":
			packings["split bytes"] = file(t, parquet.Encoded(node, &parquet.ByteStreamSplit), values)
		}
		for how, data := range packings {
			got, _, err := Read(context.Background(), data, dialect.Options{})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, how, err)
				continue
			}
			if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" {
				t.Errorf("%s, %s (-want +got):\n%s", c.name, how, d)
			}
		}
	}
}

// Every type that is written goes by a name that is understood again.
func TestNamesOfTypes(t *testing.T) {
	all := append(writable, typ{kind: "decimal", precision: 18, scale: 18}, typ{kind: "decimal", precision: 1, scale: 0},
		typ{kind: "decimal", precision: 38, scale: 18})
	seen := map[string]bool{}
	for _, want := range all {
		name := want.String()
		if got, ok := parseType(name); !ok || got != want || seen[name] {
			t.Errorf("%s is understood as %+v, %t", name, got, ok)
		}
		seen[name] = true
		if node := want.node(); !node.Optional() || !node.Leaf() {
			t.Errorf("%s: the column is not optional and flat", name)
		}
		data := formattest.Written(t, Format, dialect.Options{Types: map[string]string{"a": name}}, empty(want))
		if _, info, err := Read(context.Background(), data, dialect.Options{}); err != nil || info.Types["a"] != name {
			t.Errorf("%s is written as %v, %v", name, info, err)
		}
	}
	for _, name := range []string{"", "int", "int128", "decimal", "decimal(2,3)", "decimal(39,0)", "decimal(0,0)",
		"decimal(4,-1)", "timestamp[s]", "Int64"} {
		if got, ok := parseType(name); ok {
			t.Errorf("%q is understood as %s", name, got)
		}
	}
}

// empty is a column of no values that a type holds.
func empty(t typ) table.Column {
	if t.numeric() {
		return table.NumColumn("a", 1, []float64{nan})
	}
	return table.CatColumn("a", nil, []int32{-1})
}

// The bounds of the types are those at which a number stops coming back the same.
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
		{"float", 0.1, true}, {"float", 16777217, false}, {"float", 3.4e38, true}, {"float", math.MaxFloat32 * 2, false},
		{"float", 1e-50, false},
		{"float16", 0.1, true}, {"float16", 0.12345, false}, {"float16", 65505, false},
		{"decimal(38,18)", 1.5, true}, {"decimal(38,18)", 1e-19, false}, {"decimal(38,18)", 1e21, false},
		{"decimal(38,18)", 123456789.123456, true}, {"decimal(20,2)", 1e15 + 0.5, false},
		{"double", math.MaxFloat64, true}, {"double", math.SmallestNonzeroFloat64, true},
		{"decimal(3,1)", 99.9, true}, {"decimal(3,1)", 100, false}, {"decimal(3,1)", 0.05, false},
		{"decimal(18,0)", 1 << 53, true}, {"decimal(18,0)", 1 << 54, false},
		{"string", 1, false}, {"date", 1, false}, {"boolean", 1, false},
	} {
		typ, ok := parseType(c.name)
		if !ok {
			t.Fatal(c.name)
		}
		for _, missing := range []float64{0, nan} {
			if got := typ.holdsNumbers([]float64{missing, c.v}); got != c.want {
				t.Errorf("%s holds %v: %t", c.name, c.v, got)
			}
		}
	}
}

// The bounds of the types of labels, likewise.
func TestLabelsOfTypes(t *testing.T) {
	for _, c := range []struct {
		name, label string
		want        bool
	}{
		{"boolean", "true", true}, {"boolean", "false", true}, {"boolean", "True", false}, {"boolean", "", false},
		{"int64", "9223372036854775807", true}, {"int64", "9223372036854775808", false}, {"int64", "+1", false},
		{"int64", "01", false}, {"int32", "1", false},
		{"date", "2026-02-28", true}, {"date", "2026-2-28", false}, {"date", "2026-02-29", false},
		{"date", "28.02.2026", false}, {"date", "0001-01-01", true},
		{"timestamp[ms]", "2026-01-02T03:04:05", true}, {"timestamp[ms]", "2026-01-02T03:04:05Z", false},
		{"timestamp[ms,utc]", "2026-01-02T03:04:05Z", true},
		{"timestamp[ms]", "2026-01-02T03:04:05.0001", false}, {"timestamp[us]", "2026-01-02T03:04:05.0001", true},
		{"timestamp[ns]", "2026-01-02T03:04:05.000000001", true},
		{"timestamp[ns]", "2600-01-01T00:00:00", false}, {"timestamp[us]", "2600-01-01T00:00:00", true},
		{"timestamp[us]", "2026-01-02", false},
		{"string", "whatever", true}, {"double", "1", false}, {"uint32", "1", false},
		{"uint64", "18446744073709551615", true}, {"uint64", "-1", false}, {"uint64", "18446744073709551616", false},
		{"decimal(20,2)", "123456789012345678.90", true}, {"decimal(20,2)", "1234567890123456789.00", false},
		{"decimal(20,2)", "1.5", false}, {"decimal(20,2)", "-0.00", false}, {"decimal(38,0)", "90071992547409930", true},
		{"time[us]", "08:30:00.000001", true}, {"time[ms]", "08:30:00.000001", false}, {"time[ms]", "08:30:00", true},
		{"time[ms]", "24:00:00", false},
		{"uuid", "01234567-89ab-cdef-0000-0000000000ff", true}, {"uuid", "01234567-89AB-cdef-0000-0000000000ff", false},
		{"uuid", "0123456789abcdef00000000000000ff", false},
	} {
		typ, _ := parseType(c.name)
		if _, ok := typ.label(c.label); ok != c.want {
			t.Errorf("%s holds %q: %t", c.name, c.label, ok)
		}
		data := formattest.Written(t, Format, dialect.Options{Types: map[string]string{"a": c.name}},
			table.CatColumn("a", []string{c.label}, []int32{0, -1}))
		tb, info, err := Read(context.Background(), data, dialect.Options{})
		must.NoError(t, err)
		got := texts(tb)[0]
		if strings.Contains(string(tb.Attr(0).Dates), ".f") { // parts of seconds are written in threes
			got = strings.TrimRight(got, "0")
		}
		if wrote := info.Types["a"] == c.name; wrote != c.want || got != c.label {
			t.Errorf("%q, wished as %s, was written as %s and read as %q", c.label, c.name, info.Types["a"], got)
		}
	}
}

// A day that no calendar of four digits has is still told apart from others.
func TestFarDays(t *testing.T) {
	tb, _, err := Read(context.Background(),
		file(t, parquet.Date(), []any{int32(math.MaxInt32), int32(math.MinInt32), int32(0)}), dialect.Options{})
	must.NoError(t, err)
	first := time.Unix(math.MaxInt32*86400, 0).UTC().Format(time.DateOnly)
	if got := texts(tb); got[0] != first || got[0] == got[1] || got[2] != "1970-01-01" {
		t.Errorf("far days are read as %v", got)
	}
}
