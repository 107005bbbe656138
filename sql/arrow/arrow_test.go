// Package arrow holds the Arrow files of dither against those of the format's own library, which is too large for the
// program and comes with DuckDB here.
package arrow

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	ours "github.com/dither-data/dither/format/arrow"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/table"
)

type column struct {
	typ    arrow.DataType
	values []string
	want   string
	kind   string // Info.Types
}

// columns are one of every type that is read: what the library is told as text, "" for a null, and what is read.
var columns = []column{
	{arrow.Null, []string{"", "", ""}, "? ? ?", "null"},
	{arrow.FixedWidthTypes.Boolean, []string{"true", "", "false"}, `"true" ? "false"`, "bool"},
	{arrow.PrimitiveTypes.Int8, []string{"-128", "", "127"}, "-128 ? 127", "int8"},
	{arrow.PrimitiveTypes.Int16, []string{"-32768", "", "32767"}, "-32768 ? 32767", "int16"},
	{arrow.PrimitiveTypes.Int32, []string{"-2147483648", "", "1"}, "-2147483648 ? 1", "int32"},
	{arrow.PrimitiveTypes.Int64, []string{"-9007199254740992", "", "1"}, "-9007199254740992 ? 1", "int64"},
	{arrow.PrimitiveTypes.Int64, []string{"-9223372036854775808", "", "1"}, `"-9223372036854775808" ? "1"`, "int64"},
	{arrow.PrimitiveTypes.Uint8, []string{"255", "", "0"}, "255 ? 0", "uint8"},
	{arrow.PrimitiveTypes.Uint16, []string{"65535", "", "0"}, "65535 ? 0", "uint16"},
	{arrow.PrimitiveTypes.Uint32, []string{"4294967295", "", "0"}, "4294967295 ? 0", "uint32"},
	{arrow.PrimitiveTypes.Uint64, []string{"18446744073709551615", "", "0"}, `"18446744073709551615" ? "0"`, "uint64"},
	{arrow.FixedWidthTypes.Float16, []string{"0.1", "", "-2.5"}, "0.1 ? -2.5", "float16"},
	{arrow.PrimitiveTypes.Float32, []string{"0.1", "", "-2.5"}, "0.1 ? -2.5", "float32"},
	{arrow.PrimitiveTypes.Float64, []string{"0.1", "", "-2.25"}, "0.10 ? -2.25", "float64"},
	{&arrow.Decimal32Type{Precision: 6, Scale: 2}, []string{"12.5", "", "-0.25"}, "12.50 ? -0.25", "decimal32(6,2)"},
	{&arrow.Decimal64Type{Precision: 16, Scale: 2}, []string{"12.5", "", "-0.25"}, "12.50 ? -0.25", "decimal64(16,2)"},
	{
		&arrow.Decimal128Type{Precision: 30, Scale: 3},
		[]string{"12.5", "", "-0.125"},
		"12.500 ? -0.125",
		"decimal128(30,3)",
	},
	{&arrow.Decimal256Type{Precision: 60, Scale: 1}, []string{"12.5", "", "-0.5"}, "12.5 ? -0.5", "decimal256(60,1)"},
	{arrow.BinaryTypes.String, []string{"x y", "", "\u00e9, or so"}, `"x y" ? "` + "\u00e9" + `, or so"`, "utf8"},
	{arrow.BinaryTypes.LargeString, []string{"x", "", "y"}, `"x" ? "y"`, "large_utf8"},
	{
		arrow.BinaryTypes.StringView,
		[]string{"short", "", "a text of more than twelve bytes"},
		`"short" ? "a text of more than twelve bytes"`,
		"utf8_view",
	},
	{arrow.FixedWidthTypes.Date32, []string{"2026-01-02", "", "1969-12-31"}, "2026-01-02 ? 1969-12-31", "date32"},
	{arrow.FixedWidthTypes.Date64, []string{"2026-01-02", "", "1969-12-31"}, "2026-01-02 ? 1969-12-31", "date64"},
	{
		arrow.FixedWidthTypes.Timestamp_s,
		[]string{"2026-01-02 03:04:05", "", "1969-12-31 23:59:59"},
		"2026-01-02T03:04:05Z ? 1969-12-31T23:59:59Z",
		"timestamp[s,UTC]",
	},
	{
		&arrow.TimestampType{Unit: arrow.Millisecond},
		[]string{"2026-01-02 03:04:05.678", "", "1969-12-31 23:59:59"},
		"2026-01-02T03:04:05.678 ? 1969-12-31T23:59:59.000",
		"timestamp[ms]",
	},
	{
		&arrow.TimestampType{Unit: arrow.Microsecond},
		[]string{"2026-01-02 03:04:05.678901", "", "1969-12-31 23:59:59"},
		"2026-01-02T03:04:05.678901 ? 1969-12-31T23:59:59.000000",
		"timestamp[us]",
	},
	{&arrow.TimestampType{Unit: arrow.Nanosecond}, []string{"2026-01-02 03:04:05.678901234", "", "1969-12-31 23:59:59"},
		`"2026-01-02T03:04:05.678901234" ? "1969-12-31T23:59:59"`, "timestamp[ns]"},
	{
		dictionary(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String, false),
		[]string{"z", "", "a"},
		`"z" ? "a"`,
		"dictionary<utf8>",
	},
	{
		dictionary(arrow.PrimitiveTypes.Uint16, arrow.BinaryTypes.String, true),
		[]string{"z", "", "z"},
		`"z" ? "z"`,
		"dictionary<utf8,ordered>",
	},
	{
		dictionary(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, false),
		[]string{"3", "", "1"},
		`"3" ? "1"`,
		"dictionary<int64>",
	},
	{
		dictionary(arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, false),
		[]string{"0.5", "", "1"},
		`"0.5" ? "1"`,
		"dictionary<float64>",
	},
	{
		dictionary(arrow.PrimitiveTypes.Uint64, arrow.FixedWidthTypes.Date32, false),
		[]string{"2026-01-02", "", "1969-12-31"},
		`"2026-01-02" ? "1969-12-31"`,
		"dictionary<date32>",
	},
}

func dictionary(index, value arrow.DataType, ordered bool) arrow.DataType {
	return &arrow.DictionaryType{IndexType: index, ValueType: value, Ordered: ordered}
}

func schema(columns []column) *arrow.Schema {
	var fields []arrow.Field
	for k, c := range columns {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("%d %s", k, c.typ), Type: c.typ, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// record is a batch of rows, one value of every column in each. Dictionaries have the values of other rows before their
// own.
func record(t *testing.T, columns []column, before, rows []int) arrow.RecordBatch {
	t.Helper()
	arrays := make([]arrow.Array, len(columns))
	for j, c := range columns {
		var values []string
		for _, i := range rows {
			values = append(values, c.values[i])
		}
		coded, ok := c.typ.(*arrow.DictionaryType)
		if !ok {
			arrays[j] = built(t, c.typ, values)
			continue
		}
		var entries, codes []string
		for _, i := range slices.Concat(before, rows) {
			if v := c.values[i]; v != "" && !slices.Contains(entries, v) {
				entries = append(entries, v)
			}
		}
		for _, v := range values {
			if k := slices.Index(entries, v); k >= 0 {
				codes = append(codes, fmt.Sprint(k))
			} else {
				codes = append(codes, "")
			}
		}
		arrays[j] = array.NewDictionaryArray(coded, built(t, coded.IndexType, codes), built(t, coded.ValueType, entries))
	}
	return array.NewRecordBatch(schema(columns), arrays, int64(len(rows)))
}

// built is an array of values that are given as text, "" for a null.
func built(t *testing.T, typ arrow.DataType, values []string) arrow.Array {
	t.Helper()
	b := array.NewBuilder(memory.DefaultAllocator, typ)
	for _, v := range values {
		if v == "" {
			b.AppendNull()
		} else if err := b.AppendValueFromString(v); err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
	}
	return b.NewArray()
}

type writer interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// batches are how the three rows stand in batches: the dictionaries of later ones have more entries.
var batches = map[string][][]int{
	"one batch":      {{0, 1, 2}},
	"a batch each":   {{0}, {1}, {2}},
	"the last first": {{2}, {}, {0, 1}},
}

// TestReadsTheirs: files and streams of the library, packed in every way, with dictionaries that grow, are read as what
// they hold.
func TestReadsTheirs(t *testing.T) {
	for how, options := range map[string][]ipc.Option{"plain": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()},
		"deltas": {ipc.WithDictionaryDeltas(true)}, "deltas, lz4": {ipc.WithDictionaryDeltas(true), ipc.WithLZ4()}} {
		for cut, rows := range batches {
			for _, stream := range []bool{false, true} {
				what := fmt.Sprintf("%s, %s, stream %t", how, cut, stream)
				var out bytes.Buffer
				options := append([]ipc.Option{ipc.WithSchema(schema(columns))}, options...)
				var w writer
				var err error
				if stream {
					w = ipc.NewWriter(&out, options...)
				} else if w, err = ipc.NewFileWriter(&out, options...); err != nil {
					t.Fatal(err)
				}
				var before []int
				if !stream {
					before = []int{0, 1, 2} // the library writes no file whose dictionaries change
				}
				for _, r := range rows {
					if err := w.Write(record(t, columns, before, r)); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					if strings.HasPrefix(how, "deltas") {
						before = append(before, r...)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				got, info, err := ours.Read(t.Context(), out.Bytes(), dialect.Options{})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				shown := formattest.Shown(got)
				for j, c := range columns {
					values, order := strings.Split(c.want, " "), []int{}
					for _, r := range rows {
						order = append(order, r...)
					}
					want := fmt.Sprintf("%d %s: %s", j, c.typ, c.want)
					if len(values) == 3 {
						want = fmt.Sprintf("%d %s: %s %s %s", j, c.typ, values[order[0]], values[order[1]], values[order[2]])
					} else if cut == "the last first" {
						continue
					}
					if shown[j] != want || info.Types[got.Attr(j).Name] != c.kind {
						t.Errorf("%s: got %s of type %s, want %s of type %s", what, shown[j], info.Types[got.Attr(j).Name], want, c.kind)
					}
				}
			}
		}
	}
}

// TestTheyReadOurs: what was read is written in the types that it had, and the library reads the same values.
func TestTheyReadOurs(t *testing.T) {
	var theirs bytes.Buffer
	w := ipc.NewWriter(&theirs, ipc.WithSchema(schema(columns)))
	rec := record(t, columns, nil, []int{0, 1, 2})
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x, info, err := ours.Read(t.Context(), theirs.Bytes(), dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []dialect.Format{ours.Format, ours.FormatStream} {
		var out bytes.Buffer
		if err := f.Write(t.Context(), &out, x, info.Like(dialect.Options{})); err != nil {
			t.Fatal(err)
		}
		for _, back := range readTheirs(t, f.Name, out.Bytes()) {
			for j, c := range columns {
				got := back.Column(j)
				if k := got.DataType(); k.ID() != c.typ.ID() && c.typ.ID() != arrow.STRING_VIEW {
					t.Errorf("%s: %s is written as %s", f.Name, c.typ, k)
				}
				for i := range 3 {
					if a, b := rec.Column(j).ValueStr(i), got.ValueStr(i); a != b {
						t.Errorf("%s: %s, row %d: %s was written as %s", f.Name, c.typ, i+1, a, b)
					}
				}
			}
		}
	}
}

// readTheirs reads a file or a stream by the library.
func readTheirs(t *testing.T, name string, data []byte) (out []arrow.RecordBatch) {
	t.Helper()
	if name == "arrow" {
		r, err := ipc.NewFileReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for k := range r.NumRecords() {
			rec, err := r.RecordBatchAt(k)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, rec)
		}
		return out
	}
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		rec.Retain()
		out = append(out, rec)
	}
}

// TestTablesOfSeveralBatches: every value of a large table that dither makes is what the library reads, and what dither
// reads again.
func TestTablesOfSeveralBatches(t *testing.T) {
	const rows = 150_000
	r := rand.New(rand.NewPCG(1, 2))
	whole, real, code, day := make([]float64, rows), make([]float64, rows), make([]int32, rows), make([]float64, rows)
	labels := make([]string, 300)
	for k := range labels {
		labels[k] = fmt.Sprintf("label %d", k)
	}
	for i := range rows {
		whole[i], real[i], code[i], day[i] = float64(
			r.IntN(1e6),
		), r.NormFloat64(), int32(
			r.IntN(301),
		)-1, float64(
			r.IntN(40_000),
		)
		if r.IntN(9) == 0 {
			whole[i], real[i], day[i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
	x, err := table.New(
		table.NumColumn("whole", 1, whole),
		table.NumColumn("real", 0, real),
		table.CatColumn("code", labels, code),
		table.DateColumn("day", "yyyy-mm-dd", day),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []dialect.Format{ours.Format, ours.FormatStream} {
		var out bytes.Buffer
		if err := f.Write(t.Context(), &out, x, dialect.Options{}); err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, b := range readTheirs(t, f.Name, out.Bytes()) {
			n, d, c, y := b.Column(0).(*array.Int64), b.Column(1).(*array.Float64), b.Column(2).(*array.Dictionary),
				b.Column(3).(*array.Date32)
			for i := range int(b.NumRows()) {
				missing := math.IsNaN(whole[at])
				if n.IsNull(i) != missing || d.IsNull(i) != missing || y.IsNull(i) != missing || c.IsNull(i) != (code[at] < 0) ||
					!missing && (float64(n.Value(i)) != whole[at] || d.Value(i) != real[at] || float64(y.Value(i)) != day[at]) ||
					code[at] >= 0 && c.Dictionary().ValueStr(c.GetValueIndex(i)) != labels[code[at]] {
					t.Fatalf("%s: record %d is another one", f.Name, at+1)
				}
				at++
			}
		}
		back, _, err := ours.Read(t.Context(), out.Bytes(), dialect.Options{})
		if err != nil || at != rows {
			t.Fatalf("%s: %d records, %v", f.Name, at, err)
		}
		for j, c := range x.Columns() {
			if got := back.Column(j); !c.Equal(&got) {
				t.Errorf("%s: column %q is another one", f.Name, c.Name)
			}
		}
	}
}

// TestTestdata writes the files that the tests of package format/arrow read, where DITHER_DOCS is set. They are small,
// for they are damaged byte by byte there.
func TestTestdata(t *testing.T) {
	var few []column
	for _, c := range columns {
		if slices.Contains(
			[]string{"bool", "uint8", "utf8_view", "date64", "timestamp[us]", "dictionary<utf8>", "dictionary<int64>"},
			c.kind,
		) {
			few = append(few, c)
		}
	}
	for name, options := range map[string][]ipc.Option{"lz4.feather": {ipc.WithLZ4()},
		"deltas.arrows": {ipc.WithDictionaryDeltas(true)}} {
		path := filepath.Join("..", "..", "format", "arrow", "testdata", name)
		if os.Getenv("DITHER_DOCS") == "" {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
			continue
		}
		var out bytes.Buffer
		options = append(options, ipc.WithSchema(schema(few)))
		var w writer
		var err error
		if strings.HasSuffix(name, "s") {
			w = ipc.NewWriter(&out, options...)
		} else if w, err = ipc.NewFileWriter(&out, options...); err != nil {
			t.Fatal(err)
		}
		for _, rows := range [][]int{{0, 1}, {2}} {
			before := []int{0}
			if !strings.HasSuffix(name, "s") {
				before = []int{0, 1, 2}
			}
			if err := w.Write(record(t, few, before, rows)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
