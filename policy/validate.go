package policy

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/internal/text/yamlfile"
)

//go:generate go test -run=TestSchemaIsCurrent -update .

//go:embed policy.schema.json
var schemaText []byte

// Schema returns the JSON schema of policy files (draft 2020-12), as shipped in policy.schema.json.
func Schema() []byte { return slices.Clone(schemaText) }

// validate checks the value against the schema and returns the fault that stands first in the file.
func (s *source) validate(v any) error {
	var first *Error
	for _, leaf := range leaves(shapes{policies().Defs}.check(policies(), v, nil), nil) {
		e := s.explain(leaf)
		if first == nil || e.Line < first.Line || e.Line == first.Line && e.Column < first.Column {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// leaves collects the innermost faults; of the alternatives of an anyOf it takes the one that got deepest, or the anyOf
// itself.
func leaves(found, into []breach) []breach {
	for _, b := range found {
		into = append(into, deepest(b))
	}
	return into
}

// deepest returns the first fault of the alternatives of an anyOf that is further in than the anyOf, or the fault
// itself.
func deepest(b breach) breach {
	for _, leaf := range tried(b) {
		if len(leaf.at) > len(b.at) {
			return leaf
		}
	}
	return b
}

// tried returns the innermost faults of all alternatives of an anyOf.
func tried(b breach) (out []breach) {
	for _, found := range b.tries {
		out = leaves(found, out)
	}
	return out
}

// explain says in words what a fault of the schema means.
func (s *source) explain(b breach) *Error {
	path := ""
	for _, step := range b.at {
		path = yamlfile.Pointer(path, step)
	}
	what := s.what(path, b.at)
	switch b.broke {
	case additionalProperties:
		return s.unknown(path, b.keys, slices.Sorted(maps.Keys(b.by.Properties)))
	case required:
		if slices.Contains(b.keys, "version") {
			return s.Errorf(path, "%s has no version; add a line \"version: 1\"", what)
		}
		return s.Errorf(path, "%s has no %s", what, strings.Join(b.keys, " and "))
	case types:
		return s.Errorf(path, "%s is %s, expected %s", what, article(typeOf(b.got)), alternatives(b.by.Type))
	case enum:
		return s.Errorf(path, "%s is %s, expected %s%s", what, show(b.got), list(b.by.Enum), meant(b.got, b.by.Enum))
	case anyOf:
		return s.noneOf(b, path, what)
	case exclusiveMinimum:
		return s.Errorf(path, "%s is %s, expected more than %v", what, b.got, *b.by.Above)
	case minItems:
		if n := len(b.got.([]any)); n > 0 {
			return s.Errorf(path, "%s holds %d, expected at least %d", what, n, b.by.MinItems)
		}
		return s.Errorf(path, "%s is an empty list", what)
	case maxItems:
		return s.Errorf(path, "%s holds %d, expected at most %d", what, len(b.got.([]any)), *b.by.MaxItems)
	case pattern:
		return s.Errorf(path, "%s is %q, expected comma, semicolon, tab, pipe, blank or one character", what, b.got)
	case uniqueItems:
		return s.Errorf(fmt.Sprintf("%s/%d", path, b.again), "%s holds this entry twice", what)
	case minLength:
		return s.Errorf(path, "%s is empty", what)
	case falseSchema, minProperties, maxProperties: // the schema says no more than the words below
	}
	return s.Errorf(path, "%s breaks the rule %s of the schema", what, b.broke)
}

// noneOf says in words that a value is none of what may stand there.
func (s *source) noneOf(b breach, path, what string) *Error {
	all := tried(b)
	if k := slices.IndexFunc(all, func(leaf breach) bool { return leaf.broke == minItems }); k >= 0 {
		return s.explain(all[k])
	}
	k := slices.IndexFunc(all, func(leaf breach) bool { return leaf.broke == enum })
	if k < 0 {
		return s.Errorf(path, "%s is neither a word nor a list that may stand here", what)
	}
	want := all[k].by.Enum
	return s.Errorf(path, "%s is not one of %s, nor a list of them%s", what, list(want), meant(all[k].got, want))
}

// what names a value in words: by its key, or by its place in a list.
func (s *source) what(path string, steps []string) string {
	n := len(steps)
	if n == 0 {
		return "the policy"
	}
	if _, ok := s.Keys.Of(path); !ok && n > 1 {
		if k, err := strconv.Atoi(steps[n-1]); err == nil {
			return fmt.Sprintf("entry %d of %q", k+1, steps[n-2])
		}
	}
	return quoted(steps[n-1])
}

// quoted is a key in quotes, if it looks like one. What punctuation that went wrong has made of a list of values is not
// repeated.
func quoted(key string) string {
	if len(key) > 60 || strings.ContainsFunc(key, func(r rune) bool { return strings.ContainsRune("\"'[]{},;:\n", r) }) {
		return "this"
	}
	return fmt.Sprintf("%q", key)
}

// unknown names the first key in the file that the schema lacks, with the nearest one it has, or where it does stand.
func (s *source) unknown(path string, keys, known []string) *Error {
	at := func(key string) yamlfile.Place {
		p, _ := s.Keys.Of(yamlfile.Pointer(path, key))
		return p
	}
	first := slices.MinFunc(keys, func(a, b string) int {
		x, y := at(a), at(b)
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	hint := spelling.Hint(first, known)
	if hint == "" {
		hint = "; expected one of " + strings.Join(known, ", ")
	}
	if policies().Properties[first] != nil {
		hint += "; it is a key of the whole policy, beside version"
	}
	name := ""
	if q := quoted(first); q != "this" {
		name = " " + q
	}
	return s.KeyErrorf(yamlfile.Pointer(path, first), "unknown key%s%s", name, hint)
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
