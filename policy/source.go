package policy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Error is a fault of a policy with its place.
type Error struct {
	File         string
	Line, Column int // from 1; 0 when the fault has no place
	Message      string
	// Excerpt is the faulty line with a mark under the place, as two lines of text for a terminal; "" without a place.
	Excerpt string

	cause error
}

// Unwrap returns the error that the fault was found by, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Error writes file:line:column: message, in one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// source remembers where everything in the file stands. Paths are JSON pointers.
type source struct {
	name  string
	lines []string
	value map[string]place
	key   map[string]place // where the key of a value stands
}

type place struct{ line, column int }

func newSource(name string, data []byte) *source {
	return &source{name: name, lines: strings.Split(string(data), "\n"), value: make(map[string]place), key: make(map[string]place)}
}

// pointer appends a step to a JSON pointer.
func pointer(path, step string) string {
	return path + "/" + escape.Replace(step)
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// errorf returns the error of a value; of the value that holds it when it is absent.
func (s *source) errorf(path, format string, args ...any) *Error {
	return s.at(s.find(s.value, path), format, args...)
}

// keyErrorf returns the error of a key.
func (s *source) keyErrorf(path, format string, args ...any) *Error {
	return s.at(s.find(s.key, path), format, args...)
}

func (s *source) find(in map[string]place, path string) place {
	for {
		if p, ok := in[path]; ok {
			return p
		}
		k := strings.LastIndexByte(path, '/')
		if k < 0 {
			return place{}
		}
		path, in = path[:k], s.value
	}
}

func (s *source) at(p place, format string, args ...any) *Error {
	e := &Error{File: s.name, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
	if p.line < 1 || p.line > len(s.lines) {
		e.Line, e.Column = 0, 0
		return e
	}
	line := strings.TrimRight(s.lines[p.line-1], "\r")
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string([]rune(line)[:min(max(p.column-1, 0), len([]rune(line)))]))
	e.Excerpt = line + "\n" + indent + "^"
	return e
}

func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}

// jsonNumber is a number as JSON writes it.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// maxDepth is more than any policy needs; deeper nesting could exhaust the stack.
const maxDepth = 20

// plain turns a node into the value that JSON has for it and notes where everything stands. Whatever JSON has no value for, or YAML
// reads otherwise than people do (007, 1_000, Yes), is an error that asks for quotes.
func (s *source) plain(n ast.Node, path string, depth int) (any, error) {
	if n == nil {
		return nil, nil
	}
	at := placeOf(n.GetToken())
	if _, ok := s.value[path]; !ok {
		s.value[path] = at
	}
	if depth > maxDepth {
		return nil, s.at(at, "nested too deeply")
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return s.mapping(n.Values, path, depth)
	case *ast.MappingValueNode:
		return s.mapping([]*ast.MappingValueNode{n}, path, depth)
	case *ast.SequenceNode:
		list := make([]any, len(n.Values))
		for k, v := range n.Values {
			var err error
			if list[k], err = s.plain(v, pointer(path, strconv.Itoa(k)), depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *ast.StringNode:
		// YAML takes 1e5 for text; a reader of a policy takes it for a number.
		if n.Token.Type == token.StringType && jsonNumber.MatchString(n.Value) {
			return s.number(n.Value, at)
		}
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.NullNode:
		return nil, nil
	case *ast.BoolNode:
		if text := n.GetToken().Value; text != "true" && text != "false" {
			return nil, s.at(at, "%s is ambiguous: write true or false, or put it in quotes if it is text", text)
		}
		return n.Value, nil
	case *ast.IntegerNode, *ast.FloatNode:
		return s.number(n.GetToken().Value, at)
	}
	return nil, s.at(at, "%s is not used in a policy; if it is text, put it in quotes", strings.ToLower(n.Type().String()))
}

func (s *source) number(text string, at place) (any, error) {
	if !jsonNumber.MatchString(text) {
		return nil, s.at(at, "%s is ambiguous: write the number in plain decimals, or put it in quotes if it is text", text)
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil, s.at(at, "the number is too large")
	}
	return json.Number(text), nil
}

func (s *source) mapping(values []*ast.MappingValueNode, path string, depth int) (any, error) {
	out := make(map[string]any, len(values))
	for _, v := range values {
		at := placeOf(v.Key.GetToken())
		if len(out) == 0 {
			s.value[path] = at // the node's own token is a colon
		}
		switch v.Key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		default:
			return nil, s.at(at, "a key is plain text")
		}
		name := v.Key.GetToken().Value
		step := pointer(path, name)
		if _, ok := out[name]; ok {
			return nil, s.at(at, "the key %q occurs twice", name)
		}
		s.key[step] = at
		value, err := s.plain(v.Value, step, depth+1)
		if err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}
