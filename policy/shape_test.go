package policy

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// drawFor draws a value that a schema admits, or, now and then, another.
func drawFor(t *rapid.T, s *shape, defs map[string]*shape, depth int) any {
	some := func(label string, of ...any) any { return rapid.SampledFrom(of).Draw(t, label) }
	if rapid.IntRange(0, 19).Draw(t, "other") == 0 {
		return some("value", nil, true, "", "word", json.Number("1"), json.Number("-0.0"), json.Number("10e-1"),
			json.Number("1.5"), []any{}, []any{"a", "a"}, []any{json.Number("1"), json.Number("1.0")}, map[string]any{},
			map[string]any{"tree": map[string]any{}, "x": nil})
	}
	if s.Ref != "" {
		return drawFor(t, defs[strings.TrimPrefix(s.Ref, "#/$defs/")], defs, depth)
	}
	if len(s.AnyOf) > 0 {
		return drawFor(t, rapid.SampledFrom(s.AnyOf).Draw(t, "alternative"), defs, depth)
	}
	if len(s.Enum) > 0 {
		return some("enum", s.Enum...)
	}
	typ := "object"
	if len(s.Type) > 0 {
		typ = rapid.SampledFrom(s.Type).Draw(t, "type")
	}
	switch typ {
	case "string":
		return some("text", "", ";", "tab", "ab", "é")
	case "number", "integer":
		return some("number", json.Number("0"), json.Number("3"), json.Number("0.5"), json.Number("5e-1"),
			json.Number("-2"), json.Number("12345678901234567890"))
	case "boolean":
		return some("boolean", true, false)
	case "null":
		return nil
	case "array":
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "length"))
		for k := range list {
			list[k] = drawFor(t, s.Items, defs, depth+1)
		}
		return list
	}
	object := map[string]any{}
	keys := append(slices.Sorted(maps.Keys(s.Properties)), s.Required...)
	for range rapid.IntRange(0, 4).Draw(t, "keys") {
		key := rapid.SampledFrom(append(keys, "other", "a/b~c")).Draw(t, "key")
		switch of := s.Properties[key]; {
		case of != nil:
			object[key] = drawFor(t, of, defs, depth+1)
		case s.Additional != nil && !s.Additional.never:
			object[key] = drawFor(t, s.Additional, defs, depth+1)
		default:
			if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				object[key] = "x"
			}
		}
	}
	if depth == 0 {
		object["version"] = json.Number("1")
	}
	return object
}

// TestShapeIsTheSchema: the checks of values agree with a library that knows all of JSON Schema, in what is admitted,
// and in place and keyword of every fault.
func TestShapeIsTheSchema(t *testing.T) {
	doc := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(schemaText)))(t)
	c := jsonschema.NewCompiler()
	must.NoError(t, c.AddResource("policy.schema.json", doc))
	library := c.MustCompile("policy.schema.json")
	faults := 0
	long.Check(t, func(t *rapid.T) {
		v := drawFor(t, policies(), policies().Defs, 0)
		got, want := map[string]bool{}, map[string]bool{}
		var ours func([]breach)
		ours = func(found []breach) {
			for _, b := range found {
				for _, tried := range b.tries {
					ours(tried)
				}
				if len(b.tries) == 0 {
					got[strings.Join(b.at, "\x00")+"\x00"+string(b.broke)] = true
				}
			}
		}
		ours(shapes{policies().Defs}.check(policies(), v, nil))
		var theirs func(*jsonschema.ValidationError)
		theirs = func(e *jsonschema.ValidationError) {
			for _, cause := range e.Causes {
				theirs(cause)
			}
			if len(e.Causes) == 0 {
				path := e.ErrorKind.KeywordPath()
				want[strings.Join(e.InstanceLocation, "\x00")+"\x00"+path[len(path)-1]] = true
			}
		}
		if err := library.Validate(v); err != nil {
			theirs(err.(*jsonschema.ValidationError))
			faults++
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: the library (-) and we (+) find\n%s", v, diff)
		}
	})
	long.Drawn(t, faults > 0, "no value had a fault")
}

// TestSame: numbers are equal as numbers, exactly, and differ from texts.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{json.Number("1"), json.Number("1.00"), true},
		{json.Number("100"), json.Number("1e2"), true},
		{json.Number("-0.0"), json.Number("0e9"), true},
		{json.Number("0.10"), json.Number("1E-1"), true},
		{json.Number("9007199254740993"), json.Number("9007199254740992"), false},
		{json.Number("1"), "1", false},
		{true, "true", false},
		{nil, "<nil>", false},
		{[]any{"a", "b"}, []any{`a" "b`}, false},
		{map[string]any{"a": json.Number("1")}, map[string]any{"a": json.Number("1.0")}, true},
		{map[string]any{"a": "b"}, []any{"a", "b"}, false},
	} {
		if got := same(c.a) == same(c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}
