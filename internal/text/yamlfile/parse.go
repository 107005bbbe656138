package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// parser turns a text into its tree; nil in a program that reads no YAML.
var parser func(text string) (*ast.File, error)

// Register has texts parsed by the function. Package policy/yaml calls it as it is initialised: the library's parser
// takes 0.4 MB, and a program that fills policies itself needs none.
func Register(parse func(text string) (*ast.File, error)) { parser = parse }

// Kind says what sort of file is read.
type Kind struct {
	Name    string // for the errors, such as policy
	Least   string // what an empty file lacks
	MaxSize int    // in bytes
	Long    string // the key of a map that may have many thousand entries; empty for none

	piece int                                  // how many of them are parsed together; 0 for pieceSize
	parse func(text string) (*ast.File, error) // nil for the one that is registered
}

// Parse reads a file. Its name is for the errors, which are of type *Error. A byte order mark at the start, as some
// editors write it, is left out.
func Parse(name string, kind Kind, data []byte) (*Source, any, error) {
	if kind.piece == 0 {
		kind.piece = pieceSize
	}
	if kind.parse == nil {
		kind.parse = parser
	}
	if kind.parse == nil {
		return nil, nil, &Error{File: name, Message: "the file is YAML, which this program does not read: import policy/yaml"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := string(data)
	s := newSource(name, kind, text)
	if err := s.readable(data); err != nil {
		return nil, nil, err
	}
	if v, ok := s.inJSON(text); ok {
		return s, v, nil
	}
	s = newSource(name, kind, text)
	if kind.Long != "" {
		if v, ok := s.inPieces(text); ok {
			return s, v, nil
		}
		s = newSource(name, kind, text)
	}
	root, err := s.document(text)
	if err != nil {
		return nil, nil, err
	}
	v, err := s.plain(root, "", 0)
	if err != nil {
		return nil, nil, err
	}
	return s, v, nil
}

// readable refuses what is not given to the parser.
func (s *Source) readable(data []byte) error {
	if len(data) > s.kind.MaxSize {
		return &Error{
			File:    s.name,
			Message: fmt.Sprintf("the file has %d bytes, expected at most %d", len(data), s.kind.MaxSize),
		}
	}
	if !utf8.Valid(data) {
		return &Error{File: s.name, Message: "the text is not UTF-8"}
	}
	return s.shallow()
}

// document returns the root of the only document. The YAML parser has panicked on odd input in earlier releases, so a
// panic is caught here and becomes an error: a file comes from outside, and no text may bring a program down.
func (s *Source) document(text string) (root ast.Node, err error) {
	defer func() {
		if recover() != nil {
			root, err = nil, &Error{File: s.name, Message: "the text is not YAML"}
		}
	}()
	f, err := s.kind.parse(text)
	if err != nil {
		var y yaml.Error
		if errors.As(err, &y) {
			message, _, _ := strings.Cut(y.GetMessage(), "\n")
			message, _, _ = strings.Cut(message, `: "`) // behind it stands text of the file
			return nil, s.At(s.place(y.GetToken()), "%s", message)
		}
		return nil, &Error{File: s.name, Message: "the text is not YAML"}
	}
	for _, d := range f.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			return nil, s.At(s.place(d.Body.GetToken()), "a %s is one document, this starts another", s.kind.Name)
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
