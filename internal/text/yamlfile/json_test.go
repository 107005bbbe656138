package yamlfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestJSONIsYAML: what is read as JSON has the values and the places that it has when it is read as YAML.
func TestJSONIsYAML(t *testing.T) {
	word := rapid.StringMatching(`[a-zé~/ 0-9"\\]{0,6}`)
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.Map(word, func(s string) any { return s }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }),
			rapid.Map(rapid.IntRange(-1000, 1000), func(k int) any { return float64(k) / 8 }), rapid.Just[any](nil))
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf, rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(word, value(depth-1), 0, 3), func(m map[string]any) any { return m }))
	}
	long.Check(t, func(t *rapid.T) {
		text := must.Get(json.Marshal(rapid.MapOfN(word, value(2), 1, 4).Draw(t, "file")))(t)
		if rapid.Bool().Draw(t, "lines") {
			var b bytes.Buffer
			must.NoError(t, json.Indent(&b, text, "", "  "))
			text = b.Bytes()
		}
		s := newSource("n", roomy, string(text))
		got, ok := s.inJSON(string(text))
		y := newSource("n", roomy, string(text))
		root, err := parser(string(text))
		if err != nil { // the library refuses some JSON
			if !ok {
				t.Fatalf("%s is JSON", text)
			}
			return
		}
		want := must.Get(y.plain(root.Docs[0].Body, "", 0))(t)
		if d := cmp.Diff(want, got); !ok || d != "" {
			t.Fatalf("%s (-YAML +JSON):\n%s", text, d)
		}
		places := cmp.AllowUnexported(struct{ line, column int32 }{})
		if d := cmp.Diff([]Places{y.Values, y.Keys}, []Places{s.Values, s.Keys}, places); d != "" {
			t.Fatalf("%s (-YAML +JSON):\n%s", text, d)
		}
	})
}

// TestNotJSON: what is no sound JSON, or has a key twice, is left to the parser of YAML, which tells what is wrong.
func TestNotJSON(t *testing.T) {
	for _, text := range []string{"", "a: 1", "[1]", `{"a": 1`, `{"a": 1}}`, `{"a": 1} # x`, `{"a": 1, "a": 2}`, `{a: 1}`,
		`{"a": 1e999}`, `{"a": "\ud800"}`, strings.Repeat(`{"a":`, maxDepth+2) + "1" + strings.Repeat("}", maxDepth+2)} {
		if v, ok := newSource("n", roomy, text).inJSON(text); ok {
			t.Errorf("%q is read as JSON: %v", text, v)
		}
	}
	if _, _, err := Parse("n", roomy, []byte("{\"a\": 1,\n \"a\": 2}")); err == nil ||
		!strings.HasPrefix(err.Error(), "n:2:2: ") {
		t.Error(err)
	}
}

// TestManyOnOneLine: a map of many entries on one line of JSON is read in a few hundred bytes for each; the parser of
// YAML takes six thousand.
func TestManyOnOneLine(t *testing.T) {
	const n = 2000
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, `, "an_unknown_column_with_a_long_name_%04d": {"role": "quasi-identifier"}`, k)
	}
	text := []byte("{" + b.String()[2:] + "}")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, v, err := Parse("n", roomy, text)
	runtime.ReadMemStats(&after)
	if m, ok := v.(map[string]any); err != nil || !ok || len(m) != n {
		t.Fatal(err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) / n; took > 2000 {
		t.Errorf("an entry takes %d bytes", took)
	}
}
