package policy

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// valuesOf turns YAML into plain values with their places, parsed in one way.
func valuesOf(text string, parse func(string) (*ast.File, error)) (any, *yamlfile.Source, error) {
	k := kind
	k.Parse = parse
	s, v, err := yamlfile.Parse("p.yaml", k, []byte(text))
	return v, s, err
}

func inWhole(text string) (*ast.File, error)  { return parser.ParseBytes([]byte(text), 0) }
func inPieces(text string) (*ast.File, error) { return parseText(text, 2) }

// samePlaces compares where everything stands. What is empty stands at its key, or behind it, as the parser has it.
func samePlaces(a, b *yamlfile.Source) bool {
	for path, p := range a.Values {
		if q := b.Values[path]; p != q && (p.Line != a.Keys[path].Line || q.Line != p.Line) {
			return false
		}
	}
	return len(a.Values) == len(b.Values) && reflect.DeepEqual(a.Keys, b.Keys)
}

// TestPieces parses policies of many kinds of columns in pieces of two, and whole: the values and their places are the
// same.
func TestPieces(t *testing.T) {
	entries := []string{"a%d: {role: quasi-identifier, domain: [0, 10]}", "a%d:\n    role: class\n    values: [x, 'y: " +
		"z', \"w\"]", "a%d:\n    domain:\n    - 0\n    - 1\n", "'a: %d': {keep: true} # why",
		"a%d:\n    hierarchy: >\n     folded\n     text\n    keep: true", "a%d:\n    hierarchy: |\n      x\n\n      y\n",
		"# a remark\n  a%d: {kind: ordered,\n    values: [a,\n  b]}", "a%d:", "a%d: {}", "\"q%d\": {step: 1}",
		"a%d:\n    role:\n      - other\n      - class"}
	r := rand.New(rand.NewPCG(5, 6))
	cuts := 0
	for range 3000 {
		var b strings.Builder
		b.WriteString(
			[]string{"version: 1\n", "version: 1\nclass: y\n", "",
				"# first\nversion: 1\n\n"}[r.IntN(4)] + "columns:" + []string{"\n", " # all\n", "\n\n"}[r.IntN(3)],
		)
		for k := range r.IntN(9) {
			fmt.Fprintf(&b, "  "+entries[r.IntN(len(entries))]+"\n", k)
		}
		b.WriteString([]string{"", "class: y\n", "thresholds:\n  - {measure: found, max: 1}\n", "# last\n"}[r.IntN(4)])
		text := b.String()
		if _, p := cut(lexer.Tokenize(text), 2); p != nil {
			cuts++
		}
		want, at, err := valuesOf(text, inWhole)
		got, place, err2 := valuesOf(text, inPieces)
		if (err == nil) != (err2 == nil) || err == nil && (!reflect.DeepEqual(want, got) || !samePlaces(at, place)) {
			t.Fatalf("%s\nwhole %v, %v\nin pieces %v, %v", text, want, err, got, err2)
		}
	}
	if cuts < 1000 {
		t.Errorf("%d policies were cut", cuts)
	}
}

// TestManyColumns: the work of a policy grows with its columns, not with their square: for four times the columns five
// times the memory at most is asked for, where the square would ask for twelve times.
func TestManyColumns(t *testing.T) {
	asked := func(n int) uint64 {
		var b strings.Builder
		b.WriteString("version: 1\ncolumns:\n")
		for j := range n {
			fmt.Fprintf(&b, "  c%d: {role: quasi-identifier, domain: [0, 10]}\n", j)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := Parse("p.yaml", []byte(b.String()))
		runtime.ReadMemStats(&after)
		if err != nil || len(p.Columns) != n {
			t.Fatalf("%d columns: %v", n, err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	asked(10) // compiles the schema
	if few, many := asked(2500), asked(10000); many > 5*few {
		t.Errorf("2,500 columns ask for %d bytes, 10,000 for %d", few, many)
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("version: 1\ncolumns:\n  a: {keep: true}\n  b: {}\n  c:\n    keep: true\nclass: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		want, at, err := valuesOf(text, inWhole)
		got, place, err2 := valuesOf(text, inPieces)
		if err == nil && (err2 != nil || !reflect.DeepEqual(want, got) || !samePlaces(at, place)) {
			t.Fatalf("whole %v\nin pieces %v, %v", want, got, err2)
		}
	})
}
