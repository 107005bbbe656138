package yamlfile

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	library "github.com/goccy/go-yaml/parser"
)

func init() { // as package policy/yaml does, which this one cannot import
	Register(func(text string) (*ast.File, error) { return library.ParseBytes([]byte(text), 0) })
}

// TestNoParser: a program without a parser says what to import.
func TestNoParser(t *testing.T) {
	defer Register(parser)
	Register(nil)
	_, _, err := Parse("n.yaml", notes, []byte("a: 1\n"))
	if want := "n.yaml: the file is YAML, which this program does not read: import policy/yaml"; err == nil ||
		err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

var notes = Kind{Name: "note", Least: "a line", MaxSize: 200}

// TestParse reads every kind of value, and knows where each and its key stand.
func TestParse(t *testing.T) {
	s, v, err := Parse("n.yaml", notes, []byte("\ufeffa: {b: [1, 'x y', 2.50, .5]}\nc/d:\n  - true\n  - null\ne: |\n  "+
		"two\n  lines\n"))
	want := map[string]any{
		"a":   map[string]any{"b": []any{json.Number("1"), "x y", json.Number("2.50"), json.Number("0.5")}},
		"c/d": []any{true, nil},
		"e":   "two\nlines\n",
	}
	if err != nil || !reflect.DeepEqual(v, want) {
		t.Fatalf("%v, %v; want %v", v, err, want)
	}
	for path, place := range map[string]Place{"/a/b/1": {1, 12}, "/a": {1, 5}, "/c~1d/0": {3, 5}} {
		if got, _ := s.Values.Of(path); got != place {
			t.Errorf("%s stands at %v, want %v", path, got, place)
		}
	}
	if got, _ := s.Keys.Of(Pointer("", "c/d")); got != (Place{2, 1}) {
		t.Errorf("the key stands at %v", got)
	}
	if e := s.Errorf("/a/b/7/x", "odd"); e.Error() != "n.yaml:1:8: odd" && e.Error() != "n.yaml:1:9: odd" {
		t.Errorf("what is absent is told as %v", e)
	}
	if e := s.KeyErrorf("/e", "odd"); e.Error() != "n.yaml:5:1: odd" || e.Excerpt != "e: |\n^" {
		t.Errorf("%v\n%s", e, e.Excerpt)
	}
}

// TestFaults: each names its place, and no value.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"": "n.yaml: the note is empty, expected at least a line",
		"a: 007": "n.yaml:1:4: 007 is ambiguous: write the number in plain decimals, or put it in quotes " +
			"if it is text",
		"a: 1\na: 2":             `n.yaml:2:1: mapping key "a" already defined at [1:1]`,
		"a: &x 1":                "n.yaml:1:4: anchor is not used in a note; if it is text, put it in quotes",
		"a: 1\n---\nb: 1":        "n.yaml:3:2: a note is one document, this starts another",
		"a: '":                   "n.yaml:1:4: could not find end character of single-quoted text",
		strings.Repeat("a", 201): "n.yaml: the file has 201 bytes, expected at most 200",
		"a: \xff":                "n.yaml: the text is not UTF-8",
	} {
		_, _, err := Parse("n.yaml", notes, []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	deep := Kind{Name: "note", MaxSize: 1 << 20}
	for _, text := range []string{strings.Repeat("[", 5000), strings.Repeat("- ", 5000) + "a",
		strings.Repeat("[", 30) + strings.Repeat("]", 30)} {
		if _, _, err := Parse("n.yaml", deep, []byte(text)); err == nil ||
			!strings.HasSuffix(err.Error(), "nested too deeply") {
			t.Errorf("deep text: %v", err)
		}
	}
	panics := Kind{Name: "note", MaxSize: 100, parse: func(string) (*ast.File, error) { panic("odd input") }}
	var e *Error
	if _, _, err := Parse("n.yaml", panics, []byte("a: 1")); !errors.As(err, &e) || e.Message != "the text is not YAML" {
		t.Errorf("a parser that panics: %v", err)
	}
}
