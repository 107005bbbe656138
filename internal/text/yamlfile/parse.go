package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Kind says what sort of file is read.
type Kind struct {
	Name    string // for the errors, such as policy
	Least   string // what an empty file lacks
	MaxSize int    // in bytes
	// Parse parses the text; nil takes the library's parser.
	Parse func(text string) (*ast.File, error)
}

// Parse reads a file. Its name is for the errors, which are of type *Error. A byte order mark at the start, as some
// editors write it, is left out.
func Parse(name string, kind Kind, data []byte) (*Source, any, error) {
	if kind.Parse == nil {
		kind.Parse = func(text string) (*ast.File, error) { return parser.ParseBytes([]byte(text), 0) }
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := newSource(name, kind, data)
	root, err := s.parse(data)
	if err != nil {
		return nil, nil, err
	}
	v, err := s.plain(root, "", 0)
	if err != nil {
		return nil, nil, err
	}
	return s, v, nil
}

// parse returns the root of the only document. The YAML parser has panicked on odd input in earlier releases, so a
// panic is caught here and becomes an error: a file comes from outside, and no text may bring a program down.
func (s *Source) parse(data []byte) (root ast.Node, err error) {
	defer func() {
		if recover() != nil {
			root, err = nil, &Error{File: s.name, Message: "the text is not YAML"}
		}
	}()
	if len(data) > s.kind.MaxSize {
		return nil, &Error{
			File:    s.name,
			Message: fmt.Sprintf("the file has %d bytes, expected at most %d", len(data), s.kind.MaxSize),
		}
	}
	if !utf8.Valid(data) {
		return nil, &Error{File: s.name, Message: "the text is not UTF-8"}
	}
	if err := s.shallow(); err != nil {
		return nil, err
	}
	f, err := s.kind.Parse(string(data))
	if err != nil {
		var y yaml.Error
		if errors.As(err, &y) {
			message, _, _ := strings.Cut(y.GetMessage(), "\n")
			message, _, _ = strings.Cut(message, `: "`) // behind it stands text of the file
			return nil, s.At(placeOf(y.GetToken()), "%s", message)
		}
		return nil, &Error{File: s.name, Message: "the text is not YAML"}
	}
	for _, d := range f.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			return nil, s.At(placeOf(d.Body.GetToken()), "a %s is one document, this starts another", s.kind.Name)
		}
		root = d.Body
	}
	if root == nil {
		return nil, &Error{
			File:    s.name,
			Message: fmt.Sprintf("the %s is empty, expected at least %s", s.kind.Name, s.kind.Least),
		}
	}
	return root, nil
}

// shallow refuses text whose brackets or list marks pile up before it reaches the parser, whose recursion would exhaust
// the stack, which no recover catches.
func (s *Source) shallow() error {
	depth := 0
	for k, line := range s.lines {
		marks := len(line) - len(strings.TrimLeft(line, " -?"))
		if marks > 1000 {
			return s.At(Place{k + 1, 1}, "nested too deeply")
		}
		for at, c := range []byte(line) {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > 1000 {
				return s.At(Place{k + 1, utf8.RuneCountInString(line[:at]) + 1}, "nested too deeply")
			}
		}
	}
	return nil
}
