package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// maxSize bounds a policy file, in bytes; ten thousand columns take about a million.
const maxSize = 8 << 20

// Parse reads a policy. The name of the file is for the errors, which are of type *Error. A byte order mark at the start, as some
// editors write it, is left out.
func Parse(name string, data []byte) (*Policy, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := newSource(name, data)
	root, err := s.parse(data)
	if err != nil {
		return nil, err
	}
	v, err := s.plain(root, "", 0)
	if err != nil {
		return nil, err
	}
	if err := s.validate(v); err != nil {
		return nil, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, &Error{File: name, Message: err.Error()}
	}
	p := &Policy{src: s}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, &Error{File: name, Message: err.Error()}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p, nil
}

// parse returns the root of the only document. The YAML parser has panicked on odd input in earlier releases, so a panic
// is caught here and becomes an error: a policy comes from outside, and no text may bring a program down.
func (s *source) parse(data []byte) (root ast.Node, err error) {
	defer func() {
		if recover() != nil {
			root, err = nil, &Error{File: s.name, Message: "the text is not YAML"}
		}
	}()
	if len(data) > maxSize {
		return nil, &Error{File: s.name, Message: fmt.Sprintf("the file has %d bytes, expected at most %d", len(data), maxSize)}
	}
	if !utf8.Valid(data) {
		return nil, &Error{File: s.name, Message: "the text is not UTF-8"}
	}
	if err := s.shallow(); err != nil {
		return nil, err
	}
	f, err := parseText(string(data), pieceSize)
	if err != nil {
		var y yaml.Error
		if errors.As(err, &y) {
			message, _, _ := strings.Cut(y.GetMessage(), "\n")
			message, _, _ = strings.Cut(message, `: "`) // behind it stands text of the file
			return nil, s.at(placeOf(y.GetToken()), "%s", message)
		}
		return nil, &Error{File: s.name, Message: "the text is not YAML"}
	}
	for _, d := range f.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			return nil, s.at(placeOf(d.Body.GetToken()), "a policy is one document, this starts another")
		}
		root = d.Body
	}
	if root == nil {
		return nil, &Error{File: s.name, Message: "the policy is empty, expected at least version: 1"}
	}
	return root, nil
}

// shallow refuses text whose brackets or list marks pile up before it reaches the parser, whose recursion would exhaust the
// stack, which no recover catches.
func (s *source) shallow() error {
	depth := 0
	for k, line := range s.lines {
		marks := len(line) - len(strings.TrimLeft(line, " -?"))
		if marks > 1000 {
			return s.at(place{k + 1, 1}, "nested too deeply")
		}
		for at, c := range []byte(line) {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > 1000 {
				return s.at(place{k + 1, utf8.RuneCountInString(line[:at]) + 1}, "nested too deeply")
			}
		}
	}
	return nil
}

// check finds what a schema cannot say.
func (p *Policy) check() error {
	for _, name := range slices.Sorted(maps.Keys(p.Columns)) {
		c := p.Columns[name]
		if p.Class == "" && slices.Contains(c.Role, table.Class.String()) {
			p.Class = name
		}
		if err := p.checkColumn(name, &c, pointer("/columns", name)); err != nil {
			return err
		}
	}
	if p.Stages != nil && p.Method.Name != "" {
		return p.src.keyErrorf("/stages", "the policy has a method and stages, expected one of them")
	}
	for k, i := range p.Intruders {
		if slices.ContainsFunc(p.Intruders[:k], func(o intruder.Intruder) bool { return o.Name == i.Name }) {
			return p.src.errorf(fmt.Sprintf("/intruders/%d/name", k), "two intruders are named %q", i.Name)
		}
	}
	for k, t := range p.Thresholds {
		at := fmt.Sprintf("/thresholds/%d", k)
		switch {
		case t.Min == nil && t.Max == nil:
			return p.src.errorf(at, "the threshold of %q has neither min nor max", t.Measure)
		case t.Min != nil && t.Max != nil && *t.Min > *t.Max:
			return p.src.errorf(at+"/min", "min is above max")
		}
	}
	return nil
}

// checkNumbers finds what is wrong with a notation of dates and a domain.
func (p *Policy) checkNumbers(name string, c *Column, at string) error {
	if c.Dates != "" {
		if _, err := calendar.Parse(c.Dates); err != nil {
			return p.src.errorf(at+"/dates", "%v", err)
		}
	}
	if c.Domain == nil {
		return nil
	}
	d, k := c.interval(c.notation())
	switch {
	case k >= 0 && c.dated():
		return p.src.errorf(fmt.Sprintf("%s/domain/%d", at, k), "an end of the domain of %q is neither a number nor a date such as 2020-12-31", name)
	case k >= 0:
		return p.src.errorf(fmt.Sprintf("%s/domain/%d", at, k), "an end of the domain of %q is no number", name)
	case !(d.Lo <= d.Hi):
		return p.src.errorf(at+"/domain", "the domain of %q ends before it starts", name)
	}
	return nil
}

func (p *Policy) checkColumn(name string, c *Column, at string) error {
	kind, _ := c.kind()
	role := c.Role.bits()
	for k, v := range c.Values {
		if slices.Contains(c.Values[:k], v) {
			return p.src.errorf(fmt.Sprintf("%s/values/%d", at, k), "entry %d of the values of %q is listed twice", k+1, name)
		}
	}
	if err := p.checkNumbers(name, c, at); err != nil {
		return err
	}
	switch {
	case name == "":
		return p.src.keyErrorf(at, "a column has no name")
	case c.Dates != "" && kind == table.Categorical:
		return p.src.keyErrorf(at+"/dates", "%q is categorical and holds no dates", name)
	case c.Outside != "" && c.Domain == nil:
		return p.src.keyErrorf(at+"/outside", "%q has no domain that a number could be outside", name)
	case c.Domain != nil && kind == table.Categorical:
		return p.src.keyErrorf(at+"/domain", "%q is categorical and has no domain", name)
	case c.Step != 0 && kind == table.Categorical:
		return p.src.keyErrorf(at+"/step", "%q is categorical and has no step", name)
	case c.Values != nil && c.Kind == table.Numeric.String():
		return p.src.keyErrorf(at+"/values", "%q is numeric; its legal values are given by domain and step", name)
	case len(c.Role) > 1 && slices.Contains(c.Role, table.Role(0).String()):
		return p.src.errorf(at+"/role", "%q has the role other and another one", name)
	case c.Identifier != "" && c.Role != nil && role&table.Identifier == 0:
		return p.src.keyErrorf(at+"/identifier", "%q is given another role than identifier", name)
	case c.Keep && (role&table.Identifier != 0 || c.Identifier != ""):
		return p.src.keyErrorf(at+"/keep", "%q is an identifier and cannot be kept as it is", name)
	case c.KeepText && (role&table.Identifier != 0 || c.Identifier != ""):
		return p.src.keyErrorf(at+"/keep-text", "%q is an identifier, and its texts cannot be kept", name)
	case name == p.Class && (role&table.Identifier != 0 || c.Identifier != ""):
		return p.src.keyErrorf(at, "%q is the class and cannot be an identifier", name)
	case role&table.Class != 0 && name != p.Class:
		return p.src.errorf(at+"/role", "%q has the role class, but the class is %q", name, p.Class)
	}
	return nil
}
