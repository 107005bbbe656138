package dta

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var ctx = context.Background()

func mustRead(t testing.TB, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
}

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates: formattest.Written(t, Format, dialect.Options{},
			table.DateColumn("day", "yyyy-mm-dd", []float64{20455, nan, -1})),
		Nameless: bytes.ReplaceAll(
			formattest.Written(t, Format, dialect.Options{}, table.NumColumn("twin1", 1, []float64{1})), []byte("twin1"),
			[]byte("\x00\x00\x00\x00\x00")),
		More: [][]byte{mustRead(t, "haven8.dta"), mustRead(t, "haven13.dta"), mustRead(t, "pandas117.dta")},
	})
}
