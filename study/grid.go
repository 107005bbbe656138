package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
)

// Setting is a technique with its parameters, one of those compared.
type Setting struct {
	Name   string // unique in a comparison
	Method protect.Method
	Set    map[string]string // parameters that differ from their defaults
	Varied map[string]string // those of Set that the grid varies
	Axes   []string          // the names of Varied, in the order of the grid
}

// Axis is one parameter of a grid with the values it takes in turn.
type Axis struct {
	Param  string
	Values []string
}

// ParseAxis splits the text of a parameter into the values of an axis: "10,20,33.33" is three. A parameter that takes
// column names takes the whole text as one value, since its names are separated by commas already.
func ParseAxis(declared param.Set, name, text string) Axis {
	values := []string{text}
	if k := slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == name }); k < 0 ||
		declared[k].Type != param.TypeNames {
		values = strings.Split(text, ",")
		for i := range values {
			values[i] = strings.TrimSpace(values[i])
		}
	}
	return Axis{name, values}
}

// Grid returns a setting for every combination of the values of the axes, the last axis varying fastest. A setting is
// named by the technique and the parameters that take more than one value: "framework spread=10 p=0.1". An axis without
// values and one that repeats a parameter or a value are errors; a value that the technique refuses is found by
// Compare.
func Grid(m protect.Method, axes []Axis) ([]Setting, error) {
	out := []Setting{{Name: m.Name, Method: m, Set: map[string]string{}, Varied: map[string]string{}}}
	for k, a := range axes {
		if slices.ContainsFunc(axes[:k], func(b Axis) bool { return b.Param == a.Param }) {
			return nil, fmt.Errorf("%s: parameter %q is varied twice", m.Name, a.Param)
		}
		if len(a.Values) == 0 {
			return nil, fmt.Errorf("%s: parameter %q has no values", m.Name, a.Param)
		}
		var next []Setting
		for _, s := range out {
			for i, v := range a.Values {
				if slices.Contains(a.Values[:i], v) {
					return nil, fmt.Errorf("%s: parameter %q takes the value %q twice", m.Name, a.Param, v)
				}
				next = append(next, s.with(a.Param, v, len(a.Values) > 1))
			}
		}
		out = next
	}
	return out, nil
}

// with returns the setting with one more parameter.
func (s Setting) with(name, value string, varied bool) Setting {
	s.Set, s.Varied = maps.Clone(s.Set), maps.Clone(s.Varied)
	s.Set[name] = value
	if varied {
		s.Varied[name] = value
		s.Axes = append(slices.Clip(s.Axes), name)
		s.Name += " " + name + "=" + value
	}
	return s
}
