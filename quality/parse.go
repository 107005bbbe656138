package quality

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/internal/text/yamlfile"
)

var file = yamlfile.Kind{
	Name:    "quality model",
	Least:   "asset: {a purpose: {attributes: {a column: {aw: 1}}}}",
	MaxSize: 1 << 20,
}

// Parse reads a model, a YAML file:
//
//	key: [patient]                    # may be left out
//	asset:
//	  diagnosis:                      # a purpose
//	    weight: 0.6                   # 1 where it is left out
//	    attributes:
//	      age: {aw: 0.3, cw: 0.5}     # weights of accuracy and completeness; 0 where one is left out
//	      dose: {aw: 0.7, cw: 0.5}
//	    constraints:
//	      dose_max: {on: dose, expr: "dose <= 10", weight: 0.6}
//	      dose_low: {relation: "dose <= age"}   # between attributes of the purpose
//	    complex:
//	      adult_or_low: {op: or, weight: 0.4, of: [{on: age, expr: "age >= 18"}, {on: dose, expr: "dose <= 5"}]}
//
// Unknown keys are errors. Errors name file, line and column; those in an expression name the character of the file,
// too. The name of the file is for them.
func Parse(name string, data []byte) (*Model, error) {
	source, v, err := yamlfile.Parse(name, file, data)
	if err != nil {
		return nil, err
	}
	m := &Model{source: source}
	r := &reader{source}
	if err := r.model(m, v); err != nil {
		return nil, err
	}
	if len(m.Purposes) == 0 {
		return nil, source.Errorf("/asset", "the model has no purpose")
	}
	return m, m.Check()
}

// reader turns plain values into a model.
type reader struct{ *yamlfile.Source }

// entry is a key of a map with its value.
type entry struct {
	key, path string
	value     any
}

// entries returns the entries of a map in the order of the file. Those that are not among the known keys are errors,
// where any are.
func (r *reader) entries(path string, v any, known ...string) ([]entry, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, r.Errorf(path, "expected keys with values")
	}
	out := make([]entry, 0, len(m))
	for key, value := range m {
		out = append(out, entry{key, yamlfile.Pointer(path, key), value})
	}
	sorting.Func(out, func(a, b entry) int {
		x, _ := r.Keys.Of(a.path)
		y, _ := r.Keys.Of(b.path)
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	for _, e := range out {
		switch {
		case known != nil && !slices.Contains(known, e.key):
			hint := spelling.Hint(e.key, known)
			if hint == "" {
				hint = "; expected one of " + strings.Join(known, ", ")
			}
			return nil, r.KeyErrorf(e.path, "unknown key%s", hint)
		case strings.TrimSpace(e.key) == "":
			return nil, r.KeyErrorf(e.path, "a name is empty")
		}
	}
	return out, nil
}

func (r *reader) model(m *Model, v any) error {
	top, err := r.entries("", v, "key", "asset")
	for _, e := range top {
		if err != nil {
			return err
		}
		switch e.key {
		case "key":
			m.Key, err = r.names(e)
		case "asset":
			m.Purposes, err = each(r, e, r.purpose)
		}
	}
	return err
}

// each reads the entries of a map.
func each[T any](r *reader, e entry, one func(entry) (T, error)) (out []T, err error) {
	all, err := r.entries(e.path, e.value)
	for _, e := range all {
		v, err := one(e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, err
}

func (r *reader) names(e entry) (out []string, err error) {
	list, ok := e.value.([]any)
	if !ok {
		list = []any{e.value}
	}
	for k, v := range list {
		name, ok := v.(string)
		if !ok || name == "" {
			return nil, r.Errorf(yamlfile.Pointer(e.path, strconv.Itoa(k)), "expected the name of a column")
		}
		out = append(out, name)
	}
	return out, nil
}

func (r *reader) text(e entry) (string, error) {
	s, ok := e.value.(string)
	if !ok {
		return "", r.Errorf(e.path, "expected a text")
	}
	return s, nil
}

// maxWeight keeps sums of weights finite.
const maxWeight = 1e9

func (r *reader) weight(e entry) (float64, error) {
	if n, ok := e.value.(json.Number); ok {
		if w, err := n.Float64(); err == nil && w >= 0 && w <= maxWeight {
			return w, nil
		}
	}
	return 0, r.Errorf(e.path, "expected a weight, a number from 0 on")
}

func (r *reader) purpose(of entry) (p Purpose, err error) {
	p = Purpose{Name: of.key, Weight: 1}
	all, err := r.entries(of.path, of.value, "weight", "attributes", "constraints", "complex")
	for _, e := range all {
		switch e.key {
		case "weight":
			p.Weight, err = r.weight(e)
		case "attributes":
			p.Attributes, err = each(r, e, r.attribute)
		case "constraints":
			p.Constraints, err = each(r, e, r.constraint)
		case "complex":
			p.Complex, err = each(r, e, r.complex)
		}
		if err != nil {
			return p, err
		}
	}
	return p, err
}

func (r *reader) attribute(of entry) (a Attribute, err error) {
	a = Attribute{Name: of.key}
	all, err := r.entries(of.path, of.value, "aw", "cw")
	for _, e := range all {
		if e.key == "aw" {
			a.Accuracy, err = r.weight(e)
		} else {
			a.Completeness, err = r.weight(e)
		}
		if err != nil {
			return a, err
		}
	}
	return a, err
}

func (r *reader) constraint(of entry) (Constraint, error) {
	return r.condition(of, Constraint{Name: of.key, Weight: 1}, "on", "expr", "relation", "weight")
}

func (r *reader) condition(of entry, c Constraint, known ...string) (Constraint, error) {
	all, err := r.entries(of.path, of.value, known...)
	for _, e := range all {
		switch e.key {
		case "on":
			c.On, err = r.text(e)
		case "expr":
			c.Expr, err = r.text(e)
		case "relation":
			c.Relation, err = r.text(e)
		default:
			c.Weight, err = r.weight(e)
		}
		if err != nil {
			return c, err
		}
	}
	if err == nil && c.Relation == "" && (c.On == "" || c.Expr == "") {
		return c, r.Errorf(of.path, "a constraint needs on, a column, and expr, a condition, or a relation")
	}
	return c, err
}

func (r *reader) complex(of entry) (c Complex, err error) {
	c = Complex{Name: of.key, Weight: 1}
	all, err := r.entries(of.path, of.value, "op", "of", "weight")
	op := ""
	for _, e := range all {
		switch e.key {
		case "op":
			op, err = r.text(e)
			if c.Any = op == "or"; err == nil && !c.Any && op != "and" {
				return c, r.Errorf(e.path, "expected and, or or")
			}
		case "of":
			c.Of, err = r.conditions(e)
		default:
			c.Weight, err = r.weight(e)
		}
		if err != nil {
			return c, err
		}
	}
	if err == nil && op == "" {
		return c, r.Errorf(of.path, "a complex constraint needs op: and, or or")
	}
	return c, err
}

func (r *reader) conditions(e entry) (out []Constraint, err error) {
	list, ok := e.value.([]any)
	if !ok {
		return nil, r.Errorf(e.path, "expected a list of constraints")
	}
	for k, v := range list {
		c, err := r.condition(entry{"", yamlfile.Pointer(e.path, strconv.Itoa(k)), v}, Constraint{}, "on", "expr", "relation")
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// inExpression is an error of an expression at its character in the file, where the expression stands there on one line
// as it is; else at the place where the expression begins.
func (m *Model) inExpression(path, expr string, err error) error {
	var fault *expression.Fault
	if !errors.As(err, &fault) || m.source == nil {
		return err
	}
	place, _ := m.source.Values.Of(path)
	if line := m.source.Line(place); expr != "" {
		if before, _, ok := strings.Cut(line, expr); ok && !strings.Contains(expr, "\n") {
			place.Column += utf8.RuneCountInString(before) + fault.At - 1
			return m.source.At(place, "%s", fault.Message)
		}
	}
	return m.source.At(place, "%s", fault.Error())
}
