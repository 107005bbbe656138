package parquet

import (
	"bytes"
	"context"
	"fmt"
	"math"
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
	"github.com/dither-data/dither/table"
)

// file returns a file with one column "a" of the type, as another program may write it. Values are those of the column;
// nil is a null, which only an optional column has.
func file(t *testing.T, node parquet.Node, values []any, options ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	group := &root{fields: []parquet.Field{field{node, "a"}}}
	w := parquet.NewGenericWriter[any](
		&out,
		append([]parquet.WriterOption{parquet.NewSchema("other", group)}, options...)...)
	level := 0
	if node.Optional() {
		level = 1
	}
	for _, v := range values {
		p := parquet.NullValue().Level(0, 0, 0)
		if v != nil {
			p = parquet.ValueOf(v).Level(0, level, 0)
		}
		if _, err := w.ColumnWriters()[0].WriteRowValues([]parquet.Value{p}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
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
				), append(
					[]any{nil},
					append(values, nil)...), append(
					[]string{"-"},
					append(want, "-")...)
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

// What does not fit a float64, a calendar or a flat column is refused by the name of the column.
func TestTypesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		node   parquet.Node
		values []any
		want   string
	}{
		{"96-bit timestamp", parquet.Leaf(parquet.Int96Type), []any{deprecated.Int96{1, 2, 3}}, `column "a" is of type INT96, which is not supported`},
		{"fixed bytes", parquet.Leaf(parquet.FixedLenByteArrayType(2)), []any{"xy"}, `column "a" is of type FIXED_LEN_BYTE_ARRAY, which is not supported`},
		{"time of day", parquet.Time(parquet.Microsecond), []any{int64(1)}, `column "a" is of type TIME(isAdjustedToUTC=true,unit=MICROS), which is not supported`},
		{"BSON", parquet.BSON(), []any{"x"}, `column "a" is of type BSON, which is not supported`},
		{"a decimal beyond 2^53", parquet.Decimal(2, 18, parquet.Int64Type), []any{int64(1<<53 + 1)}, `column "a": an integer is beyond 2^53`},
		{"a decimal beyond 64 bits", parquet.Decimal(2, 38, parquet.FixedLenByteArrayType(16)), []any{"\x01" + strings.Repeat("\x00", 15)}, `column "a": an integer is beyond 2^53`},
		{"an infinite float", parquet.Leaf(parquet.FloatType), []any{float32(math.Inf(-1))}, `column "a": found an infinite number, expected finite ones`},
		{"an infinite number in a dictionary", parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.RLEDictionary), []any{math.Inf(1)}, `column "a": found an infinite number, expected finite ones`},
		{"bytes in a dictionary", parquet.Encoded(parquet.String(), &parquet.RLEDictionary), []any{"x", "\xff"}, `column "a": found bytes that are not UTF-8, expected text`},
		{"a list of numbers", parquet.List(parquet.Leaf(parquet.DoubleType)), nil, `column "a" holds lists of double, expected texts or whole numbers`},
		{"lists of lists", parquet.List(parquet.List(parquet.String())), nil, `column "a" holds lists of lists, expected lists of single values`},
		{"a map", parquet.Map(parquet.String(), parquet.String()), nil, `column "a" is nested, expected a flat column or lists of single values`},
	} {
		if _, _, err := Read(context.Background(), file(t, c.node, c.values), dialect.Options{}); err == nil ||
			err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
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
		if err != nil {
			t.Fatal(err)
		}
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
			&parquet.Zstd} {
			packings[codec.String()] = file(t, node, values, parquet.Compression(codec))
		}
		if c.name != "boolean" {
			packings["dictionary"] = file(t, parquet.Encoded(node, &parquet.RLEDictionary), values)
			packings["dictionaries of many groups"] = file(
				t,
				parquet.Encoded(node, &parquet.RLEDictionary),
				values,
				parquet.MaxRowsPerRowGroup(64),
			)
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
	lz4 := file(t, parquet.Leaf(parquet.Int64Type), []any{int64(1)}, parquet.Compression(&parquet.Lz4Raw))
	if _, _, err := Read(context.Background(), lz4, dialect.Options{}); err == nil ||
		!strings.Contains(err.Error(), `column "a" is packed with LZ4`) {
		t.Errorf("LZ4: %v", err)
	}
}

// Every type that is written goes by a name that is understood again.
func TestNamesOfTypes(t *testing.T) {
	all := append(writable, typ{kind: "decimal", precision: 18, scale: 18}, typ{kind: "decimal", precision: 1, scale: 0})
	seen := map[string]bool{}
	for _, want := range all {
		name := want.String()
		if got, ok := parseType(name); !ok || got != want || seen[name] {
			t.Errorf("%s is understood as %+v, %t", name, got, ok)
		}
		seen[name] = true
		if node := want.node(); !node.Optional() || !node.Leaf() {
			t.Errorf("%s: the column is not optional and flat", name)
		} else if back, err := typeOf(node.Type()); err != nil || back != want {
			t.Errorf("%s is written as %s, %v", name, back, err)
		}
	}
	for _, name := range []string{"", "int", "int128", "decimal", "decimal(2,3)", "decimal(19,0)", "decimal(0,0)",
		"decimal(4,-1)", "timestamp[s]", "Int64"} {
		if got, ok := parseType(name); ok {
			t.Errorf("%q is understood as %s", name, got)
		}
	}
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
		{"string", "whatever", true}, {"double", "1", false}, {"uint64", "1", false},
	} {
		typ, _ := parseType(c.name)
		if _, ok := typ.label(c.label); ok != c.want {
			t.Errorf("%s holds %q: %t", c.name, c.label, ok)
		}
		data := formattest.Written(
			t,
			Format,
			dialect.Options{Types: map[string]string{"a": c.name}},
			table.CatColumn("a", []string{c.label}, []int32{0, -1}),
		)
		tb, info, err := Read(context.Background(), data, dialect.Options{})
		if err != nil {
			t.Fatal(err)
		}
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
	tb, _, err := Read(
		context.Background(),
		file(t, parquet.Date(), []any{int32(math.MaxInt32), int32(math.MinInt32), int32(0)}),
		dialect.Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	first := time.Unix(math.MaxInt32*86400, 0).UTC().Format(time.DateOnly)
	if got := texts(tb); got[0] != first || got[0] == got[1] || got[2] != "1970-01-01" {
		t.Errorf("far days are read as %v", got)
	}
}
