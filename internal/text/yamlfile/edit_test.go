package yamlfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

var roomy = Kind{Name: "note", Least: "a line", MaxSize: 1 << 20}

// TestSet edits one key and leaves the rest, comments too.
func TestSet(t *testing.T) {
	const file = "# who\nversion: 1 # always\n\ncolumns:\n  # the age\n  age: {role: quasi-identifier, domain: [0, " +
		"120]} # in years\n  \"post code\":\n    role: [a, b]\n\n    step: 1\n\n# how\nmethod: {name: x}\nlist:\n  - {m: " +
		"1, z: 2} # one\n  - {m: 3}\nbare:\n- 7\n"
	for _, c := range []struct{ path, value, old, new string }{
		{"version", "2", "version: 1 #", "version: 2 #"},
		{"columns/age/role", "other", "role: quasi-identifier", "role: other"},
		{"columns/age/step", "1", "[0, 120]}", "[0, 120], step: 1}"},
		{"columns/age/role", "", "role: quasi-identifier, ", ""},
		{"columns/age/domain", "", ", domain: [0, 120]", ""},
		{"columns/post code/role", "c", "[a, b]", "c"},
		{"columns/post code/kind", "ordered", "    step: 1\n", "    step: 1\n    kind: ordered\n"},
		{"columns/post code/step", "", "\n    step: 1\n", "\n"},
		{"columns/sex/role", "other", "    step: 1\n", "    step: 1\n  sex: {role: other}\n"},
		{"columns/a: b/role", "other", "    step: 1\n", "    step: 1\n  \"a: b\": {role: other}\n"},
		{"method/set/k", "5", "{name: x}", "{name: x, set: {k: 5}}"},
		{"method", "", "method: {name: x}\n", ""},
		{"list/0/z", "9", "z: 2", "z: 9"},
		{"list/1/z", "9", "{m: 3}", "{m: 3, z: 9}"},
		{"list/0", "", "  - {m: 1, z: 2} # one\n", ""},
		{"list/-", "{m: 4}", "  - {m: 3}\n", "  - {m: 3}\n  - {m: 4}\n"},
		{"bare/-", "8", "- 7\n", "- 7\n- 8\n"},
		{"bare/0", "", "bare:\n- 7\n", ""},
		{"thresholds/-", "{m: 4}", "- 7\n", "- 7\nthresholds:\n  - {m: 4}\n"},
		{"class", "", "- 7\n", "- 7\n"},
		{"class", "income", "- 7\n", "- 7\nclass: income\n"},
		{"file/missing", "[a]", "- 7\n", "- 7\nfile:\n  missing: [a]\n"},
	} {
		got, err := Set("n", roomy, []byte(file), strings.Split(c.path, "/"), c.value)
		if want := strings.Replace(file, c.old, c.new, 1); err != nil || string(got) != want {
			t.Errorf("%s = %q: %v\n%s", c.path, c.value, err, got)
		}
	}
}

// TestSetByHand: what cannot be edited with certainty is left to a person, and nothing is returned.
func TestSetByHand(t *testing.T) {
	for _, c := range []struct{ file, path, value string }{
		{"a: two\n  lines\n", "a", "1"}, {"{a: 1}\n", "b", "1"}, {"a: 1\n", "a/b", "1"}, {"a: [1]\n", "a/7", "2"},
	} {
		if got, err := Set("n", roomy, []byte(c.file), strings.Split(c.path, "/"), c.value); !errors.Is(err, ErrByHand) ||
			got != nil {
			t.Errorf("%q, %s = %s: %q, %v", c.file, c.path, c.value, got, err)
		}
	}
	if _, err := Set("n", roomy, []byte("a: 1\n"), []string{"a"}, "[1"); err == nil {
		t.Error("a value that is no YAML")
	}
}

// TestSetRandom: of a file in any of the usual styles, an edit says what was asked for, changes nothing else and loses
// no comment.
func TestSetRandom(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(
			rapid.SampledFrom([]string{"age", "post code", "a:b", "é", "#x", "y", "1", "x'y", `q"q`}), 1, 5,
			rapid.ID[string]).Draw(t, "names")
		var b strings.Builder
		comments := 0
		comment := func(indent string) {
			if rapid.Bool().Draw(t, "comment") {
				comments++
				fmt.Fprintf(&b, "%s# remark %d: {x}\n", indent, comments)
			}
		}
		b.WriteString("version: 1\n")
		comment("")
		b.WriteString("columns:\n")
		for _, n := range names {
			comment("  ")
			switch rapid.IntRange(0, 3).Draw(t, "style") {
			case 0:
				fmt.Fprintf(&b, "  %s: {role: [a, \"b, c\"], kind: 'it''s'}\n", Flow(n))
			case 1:
				fmt.Fprintf(&b, "  %s:\n    role: a\n", Flow(n))
				comment("    ")
				b.WriteString("    kind: b\n\n")
			case 2:
				fmt.Fprintf(&b, "  %s: {}\n", Flow(n))
			case 3:
				fmt.Fprintf(&b, "  %s: {kind: b,\n    role: a}\n", Flow(n))
			}
		}
		comment("")
		b.WriteString("method: {name: x}")
		path := []string{
			"columns",
			rapid.SampledFrom(append(names, "new")).Draw(t, "column"),
			rapid.SampledFrom([]string{"role", "kind", "step"}).Draw(t, "key"),
		}
		value := rapid.SampledFrom([]string{"z", "[1, 2]", "{k: v}", `"a # b"`}).Draw(t, "value")
		got, err := Set("n", roomy, []byte(b.String()), path, value)
		if err != nil {
			t.Fatalf("%v:\n%s", err, b.String())
		}
		if n := strings.Count(string(got), "# remark"); n != comments {
			t.Fatalf("%d of %d comments are left:\n%s", n, comments, got)
		}
		_, before, _ := Parse("n", roomy, []byte(b.String()))
		_, after, err := Parse("n", roomy, got)
		_, v, _ := Parse("n", roomy, []byte("v: "+value))
		if err != nil || !reflect.DeepEqual(at(after, path), v.(map[string]any)["v"]) {
			t.Fatalf("%v:\n%s", err, got)
		}
		for _, n := range names {
			for _, key := range []string{"role", "kind", "step"} {
				if p := []string{"columns", n, key}; !reflect.DeepEqual(p, path) &&
					!reflect.DeepEqual(at(before, p), at(after, p)) {
					t.Fatalf("%v changed:\n%s", p, got)
				}
			}
		}
	})
}

// TestFlow: what is written is read as it was.
func TestFlow(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.StringN(0, 12, -1),
			rapid.SampledFrom([]string{"yes", "NULL", "1e5", "007", "a b", "a-", "-", "a: b", "~", "0x1F"})).Draw(t, "s")
		text := Flow([]Pair{{"k", []any{s, 1.5, true}}})
		_, v, err := Parse("n", roomy, []byte("v: "+text))
		want := map[string]any{"v": map[string]any{"k": []any{s, json.Number("1.5"), true}}}
		if err != nil || !reflect.DeepEqual(v, want) {
			t.Fatalf("%q is read as %v (%v)", text, v, err)
		}
	})
}
