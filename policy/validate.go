package policy

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/spelling"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:generate go test -run=TestSchemaIsCurrent -update .

//go:embed policy.schema.json
var schemaText []byte

// Schema returns the JSON schema of policy files (draft 2020-12), as shipped in policy.schema.json.
func Schema() []byte { return slices.Clone(schemaText) }

var schema = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		panic("policy: " + err.Error()) // the schema is part of the program
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("policy.schema.json", doc); err != nil {
		panic("policy: " + err.Error())
	}
	return c.MustCompile("policy.schema.json")
})

// validate checks the value against the schema and returns the fault that stands first in the file.
func (s *source) validate(v any) error {
	err := schema().Validate(v)
	if err == nil {
		return nil
	}
	fault, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return &Error{File: s.name, Message: err.Error()}
	}
	var first *Error
	for _, leaf := range leaves(fault, nil) {
		e := s.explain(leaf)
		if first == nil || e.Line < first.Line || e.Line == first.Line && e.Column < first.Column {
			first = e
		}
	}
	return first
}

// leaves collects the innermost faults; of the alternatives of an anyOf it takes the one that got deepest, or the anyOf itself.
func leaves(e *jsonschema.ValidationError, into []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if _, ok := e.ErrorKind.(*kind.AnyOf); ok {
		for _, c := range e.Causes {
			for _, leaf := range leaves(c, nil) {
				if len(leaf.InstanceLocation) > len(e.InstanceLocation) {
					return append(into, leaf)
				}
			}
		}
		return append(into, e)
	}
	if len(e.Causes) == 0 {
		return append(into, e)
	}
	for _, c := range e.Causes {
		into = leaves(c, into)
	}
	return into
}

// explain says in words what a fault of the schema means.
func (s *source) explain(e *jsonschema.ValidationError) *Error {
	path := ""
	for _, step := range e.InstanceLocation {
		path = pointer(path, step)
	}
	what := s.what(path, e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return s.unknown(path, k.Properties, e.SchemaURL)
	case *kind.Required:
		if slices.Contains(k.Missing, "version") {
			return s.errorf(path, "%s lacks version; add a line \"version: 1\"", what)
		}
		return s.errorf(path, "%s lacks %s", what, strings.Join(k.Missing, " and "))
	case *kind.Type:
		return s.errorf(path, "%s is %s, expected %s", what, article(k.Got), alternatives(k.Want))
	case *kind.Enum:
		return s.errorf(path, "%s is %s, expected %s%s", what, show(k.Got), list(k.Want), meant(k.Got, k.Want))
	case *kind.AnyOf:
		for _, c := range e.Causes {
			for _, leaf := range leaves(c, nil) {
				if _, empty := leaf.ErrorKind.(*kind.MinItems); empty {
					return s.explain(leaf)
				}
			}
		}
		if _, words := anyWord(e); words == nil {
			return s.errorf(path, "%s is neither a word nor a list that may stand here", what)
		}
		got, want := anyWord(e)
		return s.errorf(path, "%s is not one of %s, nor a list of them%s", what, list(want), meant(got, want))
	case *kind.ExclusiveMinimum:
		return s.errorf(path, "%s is %s, expected more than %s", what, k.Got.RatString(), k.Want.RatString())
	case *kind.MinItems:
		if k.Got == 0 {
			return s.errorf(path, "%s is an empty list", what)
		}
		return s.errorf(path, "%s holds %d, expected at least %d", what, k.Got, k.Want)
	case *kind.MaxItems:
		return s.errorf(path, "%s holds %d, expected at most %d", what, k.Got, k.Want)
	case *kind.Pattern:
		return s.errorf(path, "%s is %q, expected one character or the word tab", what, k.Got)
	case *kind.UniqueItems:
		return s.errorf(fmt.Sprintf("%s/%d", path, max(k.Duplicates[0], k.Duplicates[1])), "%s holds this entry twice", what)
	case *kind.MinLength:
		return s.errorf(path, "%s is empty", what)
	}
	return s.errorf(path, "%s breaks the rule %s of the schema", what, strings.Join(e.ErrorKind.KeywordPath(), "/"))
}

// what names a value in words: by its key, or by its place in a list.
func (s *source) what(path string, steps []string) string {
	n := len(steps)
	if n == 0 {
		return "the policy"
	}
	if _, ok := s.key[path]; !ok && n > 1 {
		if k, err := strconv.Atoi(steps[n-1]); err == nil {
			return fmt.Sprintf("entry %d of %q", k+1, steps[n-2])
		}
	}
	return quoted(steps[n-1])
}

// quoted is a key in quotes, if it looks like one. What punctuation that went wrong has made of a list of values is not repeated.
func quoted(key string) string {
	if len(key) > 60 || strings.ContainsFunc(key, func(r rune) bool { return strings.ContainsRune("\"'[]{},;:\n", r) }) {
		return "this"
	}
	return fmt.Sprintf("%q", key)
}

// unknown names the first key in the file that the schema lacks, with the nearest one it has.
func (s *source) unknown(path string, keys []string, url string) *Error {
	at := func(key string) place { return s.key[pointer(path, key)] }
	first := slices.MinFunc(keys, func(a, b string) int {
		x, y := at(a), at(b)
		if x.line != y.line {
			return x.line - y.line
		}
		return x.column - y.column
	})
	known := properties(url)
	hint := spelling.Hint(first, known)
	if hint == "" {
		hint = "; expected one of " + strings.Join(known, ", ")
	}
	name := ""
	if q := quoted(first); q != "this" {
		name = " " + q
	}
	return s.keyErrorf(pointer(path, first), "unknown key%s%s", name, hint)
}

// properties returns the keys of the schema at a location like "...#/$defs/Column", sorted.
func properties(url string) []string {
	type object struct {
		Properties map[string]any    `json:"properties"`
		Defs       map[string]object `json:"$defs"`
	}
	var at object
	if err := json.Unmarshal(schemaText, &at); err != nil {
		panic("policy: " + err.Error()) // the schema is part of the program
	}
	if _, name, ok := strings.Cut(url, "#/$defs/"); ok {
		at = at.Defs[name]
	}
	return slices.Sorted(maps.Keys(at.Properties))
}

// meant is the hint at the word that a wrong one was meant to be.
func meant(got any, want []any) string {
	word, ok := got.(string)
	if !ok {
		return ""
	}
	words := make([]string, len(want))
	for k, w := range want {
		words[k] = fmt.Sprint(w)
	}
	return spelling.Hint(word, words)
}

// anyWord returns what stands where the alternatives of an anyOf admit words only, and these words.
func anyWord(e *jsonschema.ValidationError) (got any, want []any) {
	for _, c := range e.Causes {
		for _, leaf := range leaves(c, nil) {
			if k, ok := leaf.ErrorKind.(*kind.Enum); ok {
				return k.Got, k.Want
			}
		}
	}
	return nil, nil
}

func article(kind string) string {
	switch kind {
	case "object":
		return "a map"
	case "array":
		return "a list"
	case "string":
		return "text"
	case "null":
		return "empty"
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	}
	return "a " + kind
}

func alternatives(kinds []string) string {
	out := make([]string, len(kinds))
	for k, w := range kinds {
		out[k] = article(w)
	}
	return strings.Join(out, " or ")
}

func show(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(v)
}

func list(values []any) string {
	out := make([]string, len(values))
	for k, v := range values {
		out[k] = fmt.Sprint(v)
	}
	return strings.Join(out, ", ")
}
