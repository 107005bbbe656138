package arff

import (
	"testing"

	"github.com/dither-data/dither/format/formattest"
)

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates:    []byte("@relation r\n@attribute day date \"yyyy-MM-dd\"\n@data\n\"2026-01-02\"\n?\n1969-12-31\n"),
		Nameless: []byte("@relation r\n@attribute '' real\n@data\n1\n"),
		Items:    []string{"39", "0", "a,b", "it's", "{1 x}", "two\nlines", "%", "10"},
		NoItems:  []string{"", "?", "?x", "a\x00b"},
		More:     [][]byte{[]byte("% sparse\n@relation r\n@attribute a {x,'y z'}\n@attribute b integer\n@attribute c string\n@data\n{1 5,2 \"\\u001E\"}\n{0 'y z', 2 ?}\n")},
	})
}

func FuzzARFF(f *testing.F) {
	formattest.Fuzz(f, Format, []byte(weather),
		[]byte("@relation r\n@attribute a {x,'y z'}\n@attribute b integer\n@data\n{1 5}\n'y z',?\n"),
		[]byte("@relation r\n@attribute a string\n@attribute b real\n@data\n\"\\u001E\",1e20\n'\\\\',-0.5\n"),
		[]byte("@relation r\n@attribute a {}\n@data\n?\n"))
}
