package csv

import (
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
)

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		f     dialect.Format
		delim string
	}{{Format, ","}, {FormatTSV, "\t"}, {FormatText, "|"}} {
		t.Run(c.f.Name, func(t *testing.T) {
			formattest.Run(t, c.f, formattest.Files{
				Dates:    []byte("day" + c.delim + "n\n2026-01-02" + c.delim + "1\n" + c.delim + "2\n1969-12-31" + c.delim + "3\n"),
				Nameless: []byte("a" + c.delim + c.delim + "b\n1" + c.delim + "2" + c.delim + "3\n"),
				Options:  dialect.Options{Delimiter: c.delim[0]},
				More:     [][]byte{[]byte("\ufeffa;b\r\n1,50;\"x;\"\"y\"\"\"\r\n-9;?\r\n")},
			})
		})
	}
}
