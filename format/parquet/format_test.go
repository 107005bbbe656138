package parquet

import (
	"bytes"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

func TestFormat(t *testing.T) {
	day := table.CatColumn("day", []string{"2026-01-02", "1969-12-31"}, []int32{0, -1, 1})
	typed := dialect.Options{
		Types: map[string]string{"d": "decimal(9,2)", "f": "float", "b": "boolean", "s": "timestamp[us,utc]", "u": "uint16"},
	}
	formattest.Run(t, Format, formattest.Files{
		Dates:    formattest.Written(t, Format, dialect.Options{Types: map[string]string{"day": "date"}}, day),
		Nameless: nameless(t),
		Items:    []string{"39", "0", "a,b", "x ", "two\nlines", "?", "x\x00y"},
		NoItems:  []string{"?x", "\xff"},
		More: [][]byte{formattest.Written(t, Format, typed, table.NumColumn("d", 0.01, []float64{1.25, nan}),
			table.NumColumn("f", 0.1, []float64{0.1, nan}), table.NumColumn("u", 1, []float64{nan, 9}),
			table.CatColumn("b", []string{"false", "true"}, []int32{1, -1}),
			table.CatColumn("s", []string{"2026-01-02T03:04:05.6Z"}, []int32{-1, 0}))},
	})
}

// nameless returns a file with a column whose name is empty.
func nameless(t *testing.T) []byte {
	var out bytes.Buffer
	group := &root{fields: []parquet.Field{field{typ{kind: "double"}.node(), ""}}}
	w := parquet.NewGenericWriter[any](&out, parquet.NewSchema("table", group))
	must.Get(w.ColumnWriters()[0].WriteRowValues([]parquet.Value{parquet.DoubleValue(1).Level(0, 1, 0)}))(t)
	must.NoError(t, w.Close())
	return out.Bytes()
}

func FuzzParquet(f *testing.F) {
	formattest.Fuzz(
		f,
		Format,
		formattest.Written(f, Format, dialect.Options{}, table.NumColumn("n", 1, []float64{1, nan}),
			table.CatColumn("c", []string{"x", "y"}, []int32{1, 0})),
		formattest.Written(f, Format, dialect.Options{}, table.NumColumn("n", 0, []float64{math.Pi, 1e300})),
		formattest.Written(f, Format, dialect.Options{Types: map[string]string{"i": "list<int32>"}},
			table.SetColumn("s", []string{"x", "y"}, table.SetsOf([][]int32{{0, 1}, nil, {}}, [][]int32{nil, nil, {1}})),
			table.SetColumn("i", []string{"7", "-8"}, table.SetsOf([][]int32{{1}, nil, {0, 1}}, nil))),
		[]byte("PAR1PAR1PAR1"),
	)
}
