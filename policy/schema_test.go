package policy

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/invopop/jsonschema"
)

var update = flag.Bool("update", false, "write policy.schema.json")

// generate derives the schema from the types and their comments.
func generate(t *testing.T) []byte {
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: func(typ reflect.Type) *jsonschema.Schema {
		switch typ {
		case reflect.TypeFor[Text](), reflect.TypeFor[*Text]():
			return &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "number", "boolean"}}}
		case reflect.TypeFor[Roles]():
			word := &jsonschema.Schema{Type: "string"}
			for _, n := range table.RoleWords() {
				word.Enum = append(word.Enum, n)
			}
			one := uint64(1)
			return &jsonschema.Schema{
				AnyOf: []*jsonschema.Schema{word, {Type: "array", Items: word, MinItems: &one, UniqueItems: true}},
			}
		case reflect.TypeFor[Files](), reflect.TypeFor[Words]():
			one := uint64(1)
			path := &jsonschema.Schema{Type: "string", MinLength: &one}
			return &jsonschema.Schema{
				AnyOf: []*jsonschema.Schema{path, {Type: "array", Items: path, MinItems: &one, UniqueItems: true}},
			}
		case reflect.TypeFor[Settings]():
			one := uint64(1)
			scalar := &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "number", "boolean"}}}
			list := &jsonschema.Schema{Type: "array", Items: scalar, MinItems: &one, UniqueItems: true}
			return &jsonschema.Schema{Type: "object",
				AdditionalProperties: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{scalar, list}}}
		case reflect.TypeFor[*Within](), reflect.TypeFor[Within]():
			return segmentsSchema()
		}
		return nil
	}}
	must.NoError(t, r.AddGoComments("github.com/dither-data/dither/policy", "."))
	must.NoError(t, r.AddGoComments("github.com/dither-data/dither/policy", "../intruder"))
	s := r.Reflect(&Policy{})
	s.Title = "dither policy"
	s.Description = "What a table of personal records holds and how it may be released."
	text := must.Get(json.MarshalIndent(s, "", "  "))(t)
	return append(text, '\n')
}

// The shipped schema is the one the types give; go generate rewrites it.
func TestSchemaIsCurrent(t *testing.T) {
	want := generate(t)
	if *update {
		must.NoError(t, os.WriteFile("policy.schema.json", want, 0o644))
		return
	}
	if !bytes.Equal(want, Schema()) {
		t.Error("policy.schema.json is out of date: run go generate ./policy")
	}
}

// segmentsSchema is that of what makes segments: a word, a list of columns, or a word with the parameters of the trees.
func segmentsSchema() *jsonschema.Schema {
	one := uint64(1)
	settings := &jsonschema.Schema{
		Type:                 "object",
		AdditionalProperties: &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "number", "boolean"}}},
	}
	trees := &jsonschema.Schema{
		Type:                 "object",
		Properties:           jsonschema.NewProperties(),
		AdditionalProperties: jsonschema.FalseSchema,
		MinProperties:        &one,
		MaxProperties:        &one,
	}
	trees.Properties.Set("tree", settings)
	trees.Properties.Set("forest", settings)
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string", Enum: []any{"tree", "forest"}},
		{Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: &one, UniqueItems: true},
		trees,
	}}
}
