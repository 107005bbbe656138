package jsonl

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
)

const people = `{"age":41,"wage":1250.50,"town":"Ulm","alive":true,"has":["I10",7,"?E11"]}
{"town":null,"age":-3,"has":[],"n":[1,2]}

{ "age" : 1e2 , "wage" : NaN, "town":"say \"hi\"\u00e9\ud83d\ude00" }
`

func TestFormat(t *testing.T) {
	formattest.Run(t, Format, formattest.Files{
		Dates:    []byte("{\"day\":\"2026-01-02\"}\n{\"day\":null}\n{\"day\":\"1969-12-31\"}\n"),
		Nameless: []byte("{\"a\":1,\"\":2}\n"),
		Items:    []string{"39", "0", "a,b", "x ", "two\nlines", "?", "x\x00y"},
		NoItems:  []string{"?x", "\xff"},
		More:     [][]byte{[]byte(people)},
	})
}

func TestFormatArray(t *testing.T) {
	formattest.Run(t, FormatArray, formattest.Files{
		Dates:    []byte("[{\"day\":\"2026-01-02\"},\n{\"day\":null},{\"day\":\"1969-12-31\"}]"),
		Nameless: []byte("[{\"a\":1,\"\":2}]\n"),
		Items:    []string{"39", "0", "a,b", "x ", "two\nlines", "?", "x\x00y"},
		NoItems:  []string{"?x", "\xff"},
		More: [][]byte{[]byte("[\n" + strings.ReplaceAll(strings.ReplaceAll(people, "\n\n", "\n"), "}\n{", "},\n{") +
			"]")},
	})
}

func FuzzArray(f *testing.F) {
	formattest.Fuzz(f, FormatArray, []byte("[{\"a\":[\"x\",null]},\n{\"a\":null,\"b\":[{}]}]"),
		[]byte("[{\"a\":1,\"b\":\"]\\\"\"} , {}]"))
}

func FuzzJSONL(f *testing.F) {
	formattest.Fuzz(f, Format, []byte(people), []byte("{\"a\":9007199254740993}\n{\"a\":\"x\"}\n"), []byte("{\"a\":[]}\n{}\n"), []byte(`{"a":false}`))
}

func FuzzItems(f *testing.F) {
	f.Add([]byte(people))
	formattest.FuzzWith(f, Format, dialect.Options{Missing: []string{"x"}})
}
