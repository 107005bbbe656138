// Package yamlfile reads a file of one plain YAML document and remembers the position of everything in it, so that
// checks can point at it.
//
// A document is read into what JSON has a value for: maps, lists, texts, numbers, true, false and null. Anchors,
// aliases, tags, several documents, keys that occur twice, and what YAML reads otherwise than people do (007, 1_000,
// Yes) are errors that name line and column and repeat no value. No text brings the program down.
package yamlfile

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Error is a fault of a file with its place.
type Error struct {
	File         string
	Line, Column int // from 1; 0 when the fault has no place
	Message      string
	// Excerpt is the faulty line with a mark under the place, as two lines of text for a terminal; "" without a place.
	Excerpt string

	Cause error // that the fault was found by, or nil
}

// Unwrap returns the error that the fault was found by, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Error writes file:line:column: message, in one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Source remembers where everything in the file stands. Paths are JSON pointers.
type Source struct {
	Values Places
	Keys   Places // where the key of a value stands

	name   string
	kind   Kind
	lines  []string
	before int // lines before the text that is parsed
}

// Place is a line and a column, from 1.
type Place struct{ Line, Column int }

// Places are the places of paths. Of a path its hash of 64 bits is kept: the paths of a policy of 50,000 columns would
// take more memory than all that the policy says. Two of 100,000 paths share a hash, so that an error names the place
// of the other, with a chance of 3 in 10^10 (n^2 / 2^65).
type Places map[uint64]struct{ line, column int32 }

// pathSeed is one for all, so that places can be compared.
var pathSeed = maphash.MakeSeed()

// Of returns the place of a path; ok is false where nothing stands there.
func (p Places) Of(path string) (at Place, ok bool) {
	found, ok := p[maphash.String(pathSeed, path)]
	return Place{int(found.line), int(found.column)}, ok
}

func (p Places) set(path string, at Place) {
	p[maphash.String(pathSeed, path)] = struct{ line, column int32 }{int32(at.Line), int32(at.Column)}
}

func newSource(name string, kind Kind, text string) *Source {
	return &Source{Places{}, Places{}, name, kind, strings.Split(text, "\n"), 0}
}

// Pointer appends a step to a JSON pointer.
func Pointer(path, step string) string { return path + "/" + escape.Replace(step) }

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// Errorf returns the error of a value; of the value that holds it when it is absent.
func (s *Source) Errorf(path, format string, args ...any) *Error {
	return s.At(s.find(s.Values, path), format, args...)
}

// KeyErrorf returns the error of a key.
func (s *Source) KeyErrorf(path, format string, args ...any) *Error {
	return s.At(s.find(s.Keys, path), format, args...)
}

func (s *Source) find(in Places, path string) Place {
	for {
		if p, ok := in.Of(path); ok {
			return p
		}
		k := strings.LastIndexByte(path, '/')
		if k < 0 {
			return Place{}
		}
		path, in = path[:k], s.Values
	}
}

// At returns the error of a place.
func (s *Source) At(p Place, format string, args ...any) *Error {
	e := &Error{File: s.name, Line: p.Line, Column: p.Column, Message: fmt.Sprintf(format, args...)}
	if p.Line < 1 || p.Line > len(s.lines) {
		e.Line, e.Column = 0, 0
		return e
	}
	line := strings.TrimRight(s.lines[p.Line-1], "\r")
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string([]rune(line)[:min(max(p.Column-1, 0), len([]rune(line)))]))
	e.Excerpt = line + "\n" + indent + "^"
	return e
}

func (s *Source) place(t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{}
	}
	return Place{s.before + t.Position.Line, t.Position.Column}
}

// jsonNumber is a number as JSON writes it.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// maxDepth is more than any file needs; deeper nesting could exhaust the stack.
const maxDepth = 20

// plain turns a node into the value that JSON has for it and notes where everything stands. Whatever JSON has no value
// for, or YAML reads otherwise than people do (007, 1_000, Yes), is an error that asks for quotes.
func (s *Source) plain(n ast.Node, path string, depth int) (any, error) {
	if n == nil {
		return nil, nil
	}
	at := s.place(n.GetToken())
	if _, ok := s.Values.Of(path); !ok {
		s.Values.set(path, at)
	}
	if depth > maxDepth {
		return nil, s.At(at, "nested too deeply")
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
			if list[k], err = s.plain(v, Pointer(path, strconv.Itoa(k)), depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *ast.StringNode:
		// YAML takes 1e5 for text; a reader takes it for a number.
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
			return nil, s.At(at, "%s is ambiguous: write true or false, or put it in quotes if it is text", text)
		}
		return n.Value, nil
	case *ast.IntegerNode, *ast.FloatNode:
		return s.number(n.GetToken().Value, at)
	}
	return nil, s.At(at, "%s is not used in a %s; if it is text, put it in quotes", strings.ToLower(n.Type().String()),
		s.kind.Name)
}

// withoutZero is a number that starts with its point, as people write shares.
var withoutZero = regexp.MustCompile(`^-?\.[0-9]+$`)

func (s *Source) number(text string, at Place) (any, error) {
	if withoutZero.MatchString(text) {
		text = strings.Replace(text, ".", "0.", 1)
	}
	if !jsonNumber.MatchString(text) {
		return nil, s.At(at, "%s is ambiguous: write the number in plain decimals, or put it in quotes if it is text", text)
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil, s.At(at, "the number is too large")
	}
	return json.Number(text), nil
}

func (s *Source) mapping(values []*ast.MappingValueNode, path string, depth int) (any, error) {
	out := make(map[string]any, len(values))
	if err := s.entries(out, values, path, depth); err != nil {
		return nil, err
	}
	return out, nil
}

// entries adds those of a map to what there is of it.
func (s *Source) entries(out map[string]any, values []*ast.MappingValueNode, path string, depth int) error {
	for _, v := range values {
		at := s.place(v.Key.GetToken())
		if len(out) == 0 {
			s.Values.set(path, at) // the node's own token is a colon
		}
		switch v.Key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		default:
			return s.At(at, "a key is plain text")
		}
		name := v.Key.GetToken().Value
		step := Pointer(path, name)
		if _, ok := out[name]; ok {
			return s.At(at, "the key %q occurs twice", name)
		}
		s.Keys.set(step, at)
		value, err := s.plain(v.Value, step, depth+1)
		if err != nil {
			return err
		}
		out[name] = value
	}
	return nil
}

// Line returns the text of a line from a place on; empty where there is none.
func (s *Source) Line(p Place) string {
	if p.Line < 1 || p.Line > len(s.lines) {
		return ""
	}
	line := []rune(strings.TrimRight(s.lines[p.Line-1], "\r"))
	return string(line[min(max(p.Column-1, 0), len(line)):])
}
