package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/mining/discretise"
	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// maxSize bounds a policy file, in bytes; ten thousand columns take about a million.
const maxSize = 8 << 20

var kind = yamlfile.Kind{Name: "policy", Least: "version: 1", MaxSize: maxSize, Long: "columns"}

// Error is a fault of a policy with its place.
type Error = yamlfile.Error

// source is where everything in a policy stands.
type source struct{ *yamlfile.Source }

// Parse reads a policy. The name of the file is for the errors, which are of type *Error. A byte order mark at the
// start, as some editors write it, is left out.
func Parse(name string, data []byte) (*Policy, error) {
	in, v, err := yamlfile.Parse(name, kind, data)
	if err != nil {
		return nil, err
	}
	s := &source{in}
	if err := s.validate(v); err != nil {
		return nil, err
	}
	p := &Policy{src: s}
	if err := p.fill(v); err != nil {
		return nil, &Error{File: name, Message: err.Error()}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p, nil
}

// fill takes over what the value of a file says: its columns one by one, of which there may be many thousand, so that
// each is free for the next. The value is used up.
func (p *Policy) fill(v any) error {
	top, _ := v.(map[string]any)
	columns, _ := top[kind.Long].(map[string]any)
	delete(top, kind.Long)
	if err := turn(top, p); err != nil || columns == nil {
		return err
	}
	p.Columns = make(map[string]Column, len(columns))
	for name, said := range columns {
		var c Column
		if err := turn(said, &c); err != nil {
			return err
		}
		p.Columns[name] = c
		delete(columns, name)
	}
	return nil
}

// turn reads a value into what has its JSON.
func turn(v, into any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// check finds what a schema cannot say.
func (p *Policy) check() error {
	for _, name := range slices.Sorted(maps.Keys(p.Columns)) {
		c := p.Columns[name]
		if p.Class == "" && slices.Contains(c.Role, table.Class.String()) {
			p.Class = name
		}
		if err := p.checkColumn(name, &c, yamlfile.Pointer("/columns", name)); err != nil {
			return err
		}
	}
	if p.Stages != nil && p.Method.Name != "" {
		return p.src.KeyErrorf("/stages", "the policy has a method and stages, expected one of them")
	}
	if p.Sensitive != nil && p.SensitiveFile != "" {
		return p.src.KeyErrorf("/sensitive-file", "the policy has sensitive and sensitive-file, expected one of them")
	}
	if _, err := rng.ShortSeed(string(p.Seed)); p.Seed != "" && err != nil {
		return p.src.Errorf("/seed", "%v", err)
	}
	if at, err := p.checkRelations(); err != nil {
		return p.src.Errorf(at, "%v", err)
	}
	for k, i := range p.Intruders {
		if slices.ContainsFunc(p.Intruders[:k], func(o intruder.Intruder) bool { return o.Name == i.Name }) {
			return p.src.Errorf(fmt.Sprintf("/intruders/%d/name", k), "two intruders are named %q", i.Name)
		}
	}
	for k, t := range p.Thresholds {
		at := fmt.Sprintf("/thresholds/%d", k)
		switch {
		case t.Min == nil && t.Max == nil:
			return p.src.Errorf(at, "the threshold of %q has neither min nor max", t.Measure)
		case t.Min != nil && t.Max != nil && *t.Min > *t.Max:
			return p.src.Errorf(at+"/min", "min is above max")
		}
	}
	return nil
}

// checkNumbers finds what is wrong with notations and a domain.
func (p *Policy) checkNumbers(name string, c *Column, at string) error {
	if c.Dates != "" {
		if _, err := calendar.Parse(c.Dates); err != nil {
			return p.src.Errorf(at+"/dates", "%v", err)
		}
	}
	if c.Numbers != "" {
		if _, err := decimal.ParseNotation(c.Numbers); err != nil {
			return p.src.Errorf(at+"/numbers", "%v", err)
		}
	}
	if c.Cut != "" {
		if _, err := discretise.ParseCut(string(c.Cut)); err != nil {
			return p.src.Errorf(at+"/cut", "%v", err)
		}
	}
	if c.Domain == nil {
		return nil
	}
	d, k := c.interval(c.notation())
	switch {
	case k >= 0 && c.dated():
		return p.src.Errorf(fmt.Sprintf("%s/domain/%d", at, k), "an end of the domain of %q is neither a number nor a date "+
			"such as 2020-12-31", name)
	case k >= 0:
		return p.src.Errorf(fmt.Sprintf("%s/domain/%d", at, k), "an end of the domain of %q is not a number", name)
	case !(d.Lo <= d.Hi):
		return p.src.Errorf(at+"/domain", "the domain of %q ends before it starts", name)
	}
	return nil
}

// checkColumn finds what is wrong with a column.
func (p *Policy) checkColumn(name string, c *Column, at string) error {
	for k, v := range c.Values {
		if slices.Contains(c.Values[:k], v) {
			return p.src.Errorf(fmt.Sprintf("%s/values/%d", at, k), "entry %d of the values of %q is listed twice", k+1, name)
		}
	}
	if err := p.checkNumbers(name, c, at); err != nil {
		return err
	}
	if name == "" {
		return p.src.KeyErrorf(at, "a column has no name")
	}
	if err := p.checkKind(name, c, at); err != nil {
		return err
	}
	return p.checkRole(name, c, at)
}

// checkKind finds what a column is told that its kind has not.
func (p *Policy) checkKind(name string, c *Column, at string) error {
	kind, _ := c.kind()
	categorical := kind == table.Categorical
	switch {
	case c.Dates != "" && categorical:
		return p.src.KeyErrorf(at+"/dates", "%q is categorical and holds no dates", name)
	case c.Numbers != "" && categorical:
		return p.src.KeyErrorf(at+"/numbers", "%q is categorical and holds no numbers", name)
	case c.Numbers != "" && c.Dates != "":
		return p.src.KeyErrorf(at+"/numbers", "%q holds dates, and numbers says how numbers are written", name)
	case c.Cut != "" && (categorical || c.Dates != ""):
		return p.src.KeyErrorf(at+"/cut", "only numbers are cut, and %q is declared to hold none", name)
	case c.Outside != "" && c.Domain == nil:
		return p.src.KeyErrorf(at+"/outside", "%q has no domain that a number could be outside", name)
	case c.Domain != nil && categorical:
		return p.src.KeyErrorf(at+"/domain", "%q is categorical and has no domain", name)
	case c.Step != 0 && categorical:
		return p.src.KeyErrorf(at+"/step", "%q is categorical and has no step", name)
	case c.Values != nil && c.Kind == table.Numeric.String():
		return p.src.KeyErrorf(at+"/values", "%q is numeric; its legal values are given by domain and step", name)
	}
	return nil
}

// checkRole finds what does not go with the roles of a column.
func (p *Policy) checkRole(name string, c *Column, at string) error {
	role := c.Role.bits()
	identifies := role&table.Identifier != 0 || c.Identifier != ""
	switch {
	case len(c.Role) > 1 && slices.Contains(c.Role, table.Role(0).String()):
		return p.src.Errorf(at+"/role", "%q has the role other and another one", name)
	case c.Identifier != "" && c.Role != nil && role&table.Identifier == 0:
		return p.src.KeyErrorf(at+"/identifier", "%q is given another role than identifier", name)
	case c.Keep && identifies:
		return p.src.KeyErrorf(at+"/keep", "%q is an identifier and cannot be kept as it is", name)
	case c.KeepText && identifies:
		return p.src.KeyErrorf(at+"/keep-text", "%q is an identifier, and its texts cannot be kept", name)
	case name == p.Class && identifies:
		return p.src.KeyErrorf(at, "%q is the class and cannot be an identifier", name)
	case role&table.Class != 0 && name != p.Class:
		return p.src.Errorf(at+"/role", "%q has the role class, but the class is %q", name, p.Class)
	}
	return nil
}
