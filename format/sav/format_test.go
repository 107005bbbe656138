package sav

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

func TestFormats(t *testing.T) {
	for _, f := range []dialect.Format{Format, FormatZ} {
		t.Run(f.Name, func(t *testing.T) {
			nameless := bytes.ReplaceAll(
				formattest.Written(t, f, dialect.Options{}, table.NumColumn("twin1", 1, []float64{1})), []byte("TWIN1"),
				[]byte("     "))
			formattest.Run(t, f, formattest.Files{
				Dates: formattest.Written(t, f, dialect.Options{},
					table.DateColumn("day", "yyyy-mm-dd", []float64{20455, nan, -1})),
				Nameless: bytes.ReplaceAll(nameless, []byte("=twin1"), []byte("=     ")),
				More:     [][]byte{mustRead(t, "haven.sav"), mustRead(t, "haven.zsav")},
			})
		})
	}
}
