package arff

import (
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/format/layout"
)

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates:    []byte("@relation r\n@attribute day date \"yyyy-MM-dd\"\n@data\n\"2026-01-02\"\n?\n1969-12-31\n"),
		Nameless: []byte("@relation r\n@attribute '' real\n@data\n1\n"),
		Items:    []string{"39", "0", "a,b", "it's", "{1 x}", "two\nlines", "%", "10"},
		NoItems:  []string{"", "?", "?x", "a\x00b"},
		More: [][]byte{[]byte("% sparse\n@relation r\n@attribute a {x,'y z'}\n@attribute b integer\n@attribute c " +
			"string\n@data\n{1 5,2 \"\\u001E\"}\n{0 'y z', 2 ?}\n")},
	})
}

func FuzzARFF(f *testing.F) {
	formattest.Fuzz(f, Format, []byte(weather),
		[]byte("@relation r\n@attribute a {x,'y z'}\n@attribute b integer\n@data\n{1 5}\n'y z',?\n"),
		[]byte("@relation r\n@attribute a string\n@attribute b real\n@data\n\"\\u001E\",1e20\n'\\\\',-0.5\n"),
		[]byte("@relation r\n@attribute a {}\n@data\n?\n"))
}

// FuzzItems reads what the fuzzer finds as one column of sets where it can be: what is accepted is written and read as
// the same.
func FuzzItems(f *testing.F) {
	f.Add([]byte("@relation r\n@attribute a {0,1}\n@attribute b numeric\n@attribute c {f,t}\n@data\n{0 1, 2 t}\n{}\n" +
		"0,?,t\n{0 ?,1 ?,2 ?}\n"))
	f.Add([]byte("@relation r\n@attribute n real\n@attribute b integer\n@data\n{0 1.5,1 1}\n{1 1}\n"))
	f.Add([]byte("@relation r\n@attribute a {0,1}\n@attribute b numeric\n@data\n{0 1,1 1,}\r\n{ 1 1 }"))
	formattest.FuzzWith(f, Format, dialect.Options{Items: []layout.Spec{{Kind: layout.Wide}}})
}
