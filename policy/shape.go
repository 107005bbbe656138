package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// shape is what a JSON schema (draft 2020-12) asks of a value, by the keywords that the schema of policies uses. A
// library that checks all of JSON Schema reads its own schemas when a program starts, which took a third of the start
// of the command; the tests hold this one against it.
type shape struct {
	Ref        string            `json:"$ref"`
	Defs       map[string]*shape `json:"$defs"`
	Type       words             `json:"type"`
	Enum       []any             `json:"enum"`
	AnyOf      []*shape          `json:"anyOf"`
	Properties map[string]*shape `json:"properties"`
	Additional *shape            `json:"additionalProperties"`
	Required   []string          `json:"required"`
	MinKeys    int               `json:"minProperties"`
	MaxKeys    *int              `json:"maxProperties"`
	Items      *shape            `json:"items"`
	MinItems   int               `json:"minItems"`
	MaxItems   *int              `json:"maxItems"`
	Unique     bool              `json:"uniqueItems"`
	MinLength  int               `json:"minLength"`
	Pattern    string            `json:"pattern"`
	Above      *float64          `json:"exclusiveMinimum"`

	Schema      string `json:"$schema"`
	Title       string `json:"title"`
	Description string `json:"description"`

	never   bool // the schema false: no value fits
	pattern *regexp.Regexp
}

// words are one word or several.
type words []string

// UnmarshalJSON reads a word or a list of words, and sorts them.
func (w *words) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		if err := json.Unmarshal(text, (*[]string)(w)); err != nil {
			return err
		}
		slices.Sort(*w)
		return nil
	}
	*w = make(words, 1)
	return json.Unmarshal(text, &(*w)[0])
}

// UnmarshalJSON reads a schema, which may be true or false. A keyword that is not known here is an error.
func (s *shape) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		var all bool
		err := json.Unmarshal(text, &all)
		s.never = !all
		return err
	}
	type plain shape
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode((*plain)(s)); err != nil {
		return err
	}
	var err error
	s.pattern, err = regexp.Compile(s.Pattern)
	return err
}

// keyword is one of a schema that a value breaks.
type keyword string

// The keywords.
const (
	additionalProperties keyword = "additionalProperties"
	anyOf                keyword = "anyOf"
	enum                 keyword = "enum"
	exclusiveMinimum     keyword = "exclusiveMinimum"
	falseSchema          keyword = "false"
	maxItems             keyword = "maxItems"
	maxProperties        keyword = "maxProperties"
	minItems             keyword = "minItems"
	minLength            keyword = "minLength"
	minProperties        keyword = "minProperties"
	pattern              keyword = "pattern"
	required             keyword = "required"
	types                keyword = "type"
	uniqueItems          keyword = "uniqueItems"
)

// breach is a keyword that a value breaks.
type breach struct {
	at    []string // the keys and places that lead to the value
	broke keyword
	by    *shape
	got   any
	keys  []string   // additionalProperties: those that are not known; required: those that lack
	again int        // uniqueItems: the place of an entry that stood before
	tries [][]breach // anyOf: what each alternative found
}

// shapes checks values against a schema and those that it refers to.
type shapes struct{ defs map[string]*shape }

// policies is the shape of policies.
var policies = sync.OnceValue(func() *shape {
	s := new(shape)
	if err := json.Unmarshal(schemaText, s); err != nil {
		panic("policy: " + err.Error()) // the schema is part of the program
	}
	return s
})

// check returns the breaches of a value that stands at a place. Where its type or word is wrong, nothing else is looked
// at.
func (c shapes) check(s *shape, v any, at []string) (out []breach) {
	at = slices.Clip(at)
	add := func(k keyword, b breach) { b.at, b.broke, b.by, b.got = at, k, s, v; out = append(out, b) }
	if k := s.refuses(v); k != "" {
		add(k, breach{})
		return out
	}
	if s.Ref != "" {
		out = append(out, c.check(c.defs[strings.TrimPrefix(s.Ref, "#/$defs/")], v, at)...)
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, at, add, &out)
	case []any:
		c.list(s, v, at, add, &out)
	case string:
		if utf8.RuneCountInString(v) < s.MinLength {
			add(minLength, breach{})
		}
		if !s.pattern.MatchString(v) {
			add(pattern, breach{})
		}
	case json.Number:
		if f, err := v.Float64(); s.Above != nil && (err != nil || f <= *s.Above) {
			add(exclusiveMinimum, breach{})
		}
	}
	if tries := c.tries(s, v, at); len(tries) > 0 {
		add(anyOf, breach{tries: tries})
	}
	return out
}

// refuses returns the keyword by which a value is wrong whatever is in it; empty where there is none.
func (s *shape) refuses(v any) keyword {
	is := func(t string) bool { return typeOf(v) == t || t == "integer" && integral(v) }
	switch {
	case s.never:
		return falseSchema
	case len(s.Type) > 0 && !slices.ContainsFunc(s.Type, is):
		return types
	case len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(w any) bool { return same(v) == same(w) }):
		return enum
	}
	return ""
}

// tries returns the breaches of each alternative; none where there are no alternatives, or one is kept.
func (c shapes) tries(s *shape, v any, at []string) [][]breach {
	out := make([][]breach, len(s.AnyOf))
	for k, a := range s.AnyOf {
		if out[k] = c.check(a, v, at); len(out[k]) == 0 {
			return nil
		}
	}
	return out
}

// object checks the keys and values of an object.
func (c shapes) object(s *shape, v map[string]any, at []string, add func(keyword, breach), out *[]breach) {
	if len(v) < s.MinKeys {
		add(minProperties, breach{})
	}
	if s.MaxKeys != nil && len(v) > *s.MaxKeys {
		add(maxProperties, breach{})
	}
	var lacks, unknown []string
	for _, key := range s.Required {
		if _, ok := v[key]; !ok {
			lacks = append(lacks, key)
		}
	}
	if len(lacks) > 0 {
		add(required, breach{keys: lacks})
	}
	for _, key := range slices.Sorted(maps.Keys(v)) {
		of := s.Properties[key]
		if of == nil {
			of = s.Additional
		}
		switch {
		case of == nil:
		case of == s.Additional && of.never:
			unknown = append(unknown, key)
		default:
			*out = append(*out, c.check(of, v[key], append(at, key))...)
		}
	}
	if len(unknown) > 0 {
		add(additionalProperties, breach{keys: unknown})
	}
}

// list checks the entries of a list.
func (c shapes) list(s *shape, v []any, at []string, add func(keyword, breach), out *[]breach) {
	if len(v) < s.MinItems {
		add(minItems, breach{})
	}
	if s.MaxItems != nil && len(v) > *s.MaxItems {
		add(maxItems, breach{})
	}
	if s.Unique {
		seen := make(map[string]bool, len(v))
		for k, e := range v {
			key := same(e)
			if seen[key] {
				add(uniqueItems, breach{again: k})
				break
			}
			seen[key] = true
		}
	}
	if s.Items != nil {
		for k, e := range v {
			*out = append(*out, c.check(s.Items, e, append(at, strconv.Itoa(k)))...)
		}
	}
}

// typeOf returns the type of a value as JSON Schema names it.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return fmt.Sprintf("%T", v)
}

// integral reports whether a value is a whole number, however it is written.
func integral(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	digits, exp := digitsOf(n)
	return digits == "0" || exp >= 0
}

// same is a text that equal values share and others do not.
func same(v any) string {
	switch v := v.(type) {
	case json.Number:
		digits, exp := digitsOf(v)
		return digits + "e" + strconv.Itoa(exp)
	case []any:
		parts := make([]string, len(v))
		for k, e := range v {
			parts[k] = same(e)
		}
		return fmt.Sprintf("%q", parts)
	case map[string]any:
		parts := make([]string, 0, 2*len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, key, same(v[key]))
		}
		return fmt.Sprintf("{%q", parts)
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// digitsOf returns the digits of a number, with a minus sign, without zeros at either end, and the power of ten that
// they are times.
func digitsOf(n json.Number) (digits string, exp int) {
	digits = strings.ToLower(string(n))
	if at := strings.IndexByte(digits, 'e'); at >= 0 {
		exp, _ = strconv.Atoi(digits[at+1:]) // at the ends of int where it is longer
		digits = digits[:at]
	}
	digits, minus := strings.CutPrefix(digits, "-")
	if at := strings.IndexByte(digits, '.'); at >= 0 {
		exp -= len(digits) - at - 1
		digits = digits[:at] + digits[at+1:]
	}
	all := len(digits)
	digits = strings.TrimRight(digits, "0")
	exp += all - len(digits)
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0", 0
	}
	if minus {
		digits = "-" + digits
	}
	return digits, exp
}
