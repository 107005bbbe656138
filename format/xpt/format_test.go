package xpt

import (
	"bytes"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/table"
)

func days(t testing.TB, name string) []byte {
	return formattest.Written(t, Format, dialect.Options{},
		table.DateColumn(name, calendar.ISO, []float64{20455, nan, -1}))
}

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates:    days(t, "day"),
		Nameless: bytes.ReplaceAll(days(t, "twin1"), []byte("twin1"), []byte("     ")),
		More:     [][]byte{mustRead(t, "haven5.xpt"), mustRead(t, "haven8.xpt")},
	})
}

func FuzzXPT(f *testing.F) {
	formattest.Fuzz(f, Format, days(f, "day"), mustRead(f, "haven5.xpt"), mustRead(f, "haven8.xpt"),
		formattest.Written(f, Format, dialect.Options{}, table.CatColumn("a", []string{"x"}, []int32{0, -1})))
}
