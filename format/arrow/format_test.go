package arrow

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var (
	ctx = context.Background()
	nan = math.NaN()
)

func mustWrite(t testing.TB, f dialect.Format, opt dialect.Options, cols ...table.Column) []byte {
	t.Helper()
	tab := must.Get(table.New(cols...))(t)
	var out bytes.Buffer
	must.NoError(t, f.Write(ctx, &out, tab, opt))
	return out.Bytes()
}

func mustRead(t testing.TB, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
}

// typed is a file with a column of every type that is written but the default ones.
func typed(t testing.TB, f dialect.Format) []byte {
	return mustWrite(t, f, dialect.Options{Types: map[string]string{
		"nothing": "null", "yes": "bool", "small": "int8", "count": "uint16", "half": "float16", "single": "float32",
		"cents": "decimal128(9,2)", "short": "decimal32(4,1)", "wide": "decimal256(50,1)",
		"text": "utf8", "long": "large_utf8", "large": "uint64", "day": "date64", "seen": "timestamp[us,Europe/Berlin]",
		"scale": "dictionary<utf8,ordered>", "codes": "dictionary<int64>",
		"reals": "dictionary<float64>", "fine": "timestamp[ns]", "stay": "duration[ms]", "age": "duration[ns]",
	}},
		table.CatColumn("nothing", nil, []int32{-1, -1, -1}),
		table.CatColumn("yes", []string{"false", "true"}, []int32{1, -1, 0}),
		table.NumColumn("small", 1, []float64{-128, nan, 127}),
		table.NumColumn("count", 1, []float64{nan, 9, 65535}),
		table.NumColumn("half", 0.1, []float64{0.1, nan, -2.5}),
		table.NumColumn("single", 0.1, []float64{0.1, nan, 1e9}),
		table.NumColumn("cents", 0.01, []float64{1.25, nan, -3}),
		table.NumColumn("short", 0.1, []float64{1.5, nan, -3}),
		table.NumColumn("wide", 0.1, []float64{1.5, nan, -3}),
		table.CatColumn("text", []string{"a,b", ""}, []int32{1, -1, 0}),
		table.CatColumn("long", []string{"x", "\u00e9"}, []int32{0, 1, -1}),
		table.CatColumn("large", []string{"18446744073709551615"}, []int32{0, -1, 0}),
		table.DateColumn("day", "yyyy-mm-dd", []float64{20455, nan, -1}),
		table.DateColumn("seen", "yyyy-mm-ddThh:mm:ss.fffZ", []float64{1_767_323_045_600, nan, -1}),
		table.CatColumn("scale", []string{"low", "mid", "high"}, []int32{2, 0, -1}),
		table.CatColumn("codes", []string{"3", "1", "-2"}, []int32{2, 0, -1}),
		table.CatColumn("reals", []string{"1.5", "-0.25"}, []int32{1, 0, -1}),
		table.NumColumn("stay", 1, []float64{-1500, nan, 1e12}),
		table.CatColumn("age", []string{"9007199254740993", "-1"}, []int32{0, -1, 1}),
		table.CatColumn("fine", []string{"2026-01-02T03:04:05.000000001"}, []int32{0, -1, 0}),
	)
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		f     dialect.Format
		other string // a file of another program
	}{{Format, "lz4.feather"}, {FormatStream, "deltas.arrows"}} {
		f := c.f
		t.Run(f.Name, func(t *testing.T) {
			one := mustWrite(t, f, dialect.Options{}, table.NumColumn("nameless", 1, []float64{1}))
			formattest.Run(t, f, formattest.Files{
				Dates:    mustWrite(t, f, dialect.Options{}, table.DateColumn("day", "yyyy-mm-dd", []float64{20455, nan, -1})),
				Nameless: bytes.ReplaceAll(one, []byte("\x08\x00\x00\x00nameless"), make([]byte, 12)),
				More:     [][]byte{typed(t, f), mustRead(t, c.other)},
			})
		})
	}
}

// TestSpace: a table that is larger than the memory is the same, and all of its columns are where they are told to be;
// so are those that were numbers at first, or texts.
func TestSpace(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // there is no such place
	}
	const rows = 100_000
	whole, day, code := make([]float64, rows), make([]float64, rows), make([]int32, rows)
	labels := []string{"9007199254740993", "7", "?"}
	for i := range rows {
		whole[i], day[i], code[i] = float64(i%977), float64(i), int32(i%3)
	}
	data := mustWrite(
		t,
		Format,
		dialect.Options{
			Types: map[string]string{
				"large":       "int64",
				"words":       "utf8",
				"day as text": "utf8",
				"days":        "date32",
				"single":      "float32",
			},
		},
		table.NumColumn("whole", 1, whole),
		table.NumColumn("single", 1, whole),
		table.CatColumn("large", labels[:2], slices.Repeat([]int32{0, 1}, rows/2)),
		table.CatColumn("words", labels, code),
		table.DateColumn("day as text", "yyyy-mm-dd", day),
		table.DateColumn("days", "yyyy-mm-dd", day),
		table.CatColumn("codes", labels, code),
		table.CatColumn("numbers", []string{"1.5", "7"}, slices.Repeat([]int32{0, 1}, rows/2)),
	)
	opt := dialect.Options{
		Missing: []string{"?"},
		Kinds:   map[string]table.Kind{"numbers": table.Numeric, "single": table.Categorical},
	}
	want, _, err := Read(ctx, data, opt)
	must.NoError(t, err)
	s := must.Get(mmap.New(t.TempDir(), 1<<20, func(err error) { t.Error(err) }))(t)
	defer s.Close()
	opt.Space = s
	got, _, err := Read(ctx, data, opt)
	must.NoError(t, err)
	if lost := got.Astray(); len(lost) > 0 || got.Space() != s {
		t.Errorf("columns %v are elsewhere", lost)
	}
	for j, c := range want.Columns() {
		if g := got.Column(j); !c.Equal(&g) {
			t.Errorf("column %q is another one", c.Name)
		}
	}
}

func FuzzArrow(f *testing.F) {
	formattest.Fuzz(
		f,
		Format,
		typed(f, Format),
		typed(f, FormatStream),
		mustRead(f, "lz4.feather"),
		mustRead(f, "deltas.arrows"),
		mustRead(f, "polars.arrow"),
		mustWrite(f, Format, dialect.Options{}, table.NumColumn("n", 0, []float64{math.Pi, 1e300}),
			table.CatColumn("c", []string{"x", "y"}, []int32{1, -1})),
		[]byte("ARROW1\x00\x00ARROW1"),
		[]byte("FEA1"),
	)
}
