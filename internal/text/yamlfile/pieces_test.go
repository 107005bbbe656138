package yamlfile

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// valuesOf turns YAML into plain values with their places, parsed so many columns at a time; 0 for whole.
func valuesOf(text string, piece int) (any, *Source, error) {
	k := Kind{Name: "policy", MaxSize: 1 << 20, Long: "columns", piece: piece}
	if piece == 0 {
		k.Long = ""
	}
	s, v, err := Parse("p.yaml", k, []byte(text))
	return v, s, err
}

// samePlaces compares where everything stands. What is empty stands at its key, or behind it, as the parser has it.
func samePlaces(a, b *Source) bool {
	for path, p := range a.Values {
		if q := b.Values[path]; p != q && (p.line != a.Keys[path].line || q.line != p.line) {
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
		if _, p, _ := cut(text, "columns", 2); p != nil {
			cuts++
		}
		want, at, err := valuesOf(text, 0)
		got, place, err2 := valuesOf(text, 2)
		if (err == nil) != (err2 == nil) || err == nil && (!reflect.DeepEqual(want, got) || !samePlaces(at, place)) {
			t.Fatalf("%s\nwhole %v, %v\nin pieces %v, %v", text, want, err, got, err2)
		}
	}
	if cuts < 1000 {
		t.Errorf("%d policies were cut", cuts)
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("version: 1\ncolumns:\n  a: {keep: true}\n  b: {}\n  c:\n    keep: true\nclass: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		want, at, err := valuesOf(text, 0)
		got, place, err2 := valuesOf(text, 2)
		if err == nil && (err2 != nil || !reflect.DeepEqual(want, got) || !samePlaces(at, place)) {
			t.Fatalf("whole %v\nin pieces %v, %v", want, got, err2)
		}
	})
}
