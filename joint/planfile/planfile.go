// Package planfile reads and writes the file of a plan between parties: YAML, the same at every party.
package planfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/joint"
)

var kind = yamlfile.Kind{Name: "plan", Least: "version: 1", MaxSize: 4 << 20}

// keys are those of every map of a plan, by its path without numbers.
var keys = map[string][]string{
	"":         {"version", "protocol", "parties", "parameters", "columns", "least", "noise", "limits"},
	"/parties": {"name", "role", "address", "certificate"},
	"/columns": {"name", "owner", "role", "values", "min", "max", "decimals"},
	"/least":   {"cell", "contributors"},
	"/noise":   {"epsilon"},
	"/limits":  {"frame", "silence", "total"},
}

// Parse reads a plan and checks it. What it does not say of least and limits is the default. The error names file, line
// and column.
func Parse(name string, data []byte) (*joint.Plan, error) {
	source, v, err := yamlfile.Parse(name, kind, data)
	if err != nil {
		return nil, err
	}
	root, ok := v.(map[string]any)
	if !ok {
		return nil, source.Errorf("", "a plan is a map that begins with version: 1")
	}
	if err := known(source, "", "", root); err != nil {
		return nil, err
	}
	if err := texts(source, root); err != nil {
		return nil, err
	}
	p := &joint.Plan{}
	for _, key := range keys[""] {
		if key == "least" { // whose defaults depend on how many parties there are
			joint.Fill(p)
		}
		if err := field(source, root, key, p); err != nil {
			return nil, err
		}
	}
	if err := p.Check(); err != nil {
		var f *joint.PlanFault
		if errors.As(err, &f) {
			return nil, source.Errorf(f.Path, "%s: %v", strings.TrimPrefix(f.Path, "/"), f.Err)
		}
		return nil, err
	}
	return p, nil
}

// known refuses keys that a plan does not have.
func known(s *yamlfile.Source, path, shape string, v any) error {
	switch v := v.(type) {
	case map[string]any:
		allowed, fixed := keys[shape]
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := yamlfile.Pointer(path, key)
			if fixed && !slices.Contains(allowed, key) {
				return s.KeyErrorf(at, "unknown key %q; here may be %s", key, strings.Join(allowed, ", "))
			}
			if err := known(s, at, shape+"/"+key, v[key]); err != nil {
				return err
			}
		}
	case []any:
		for k, x := range v {
			if err := known(s, yamlfile.Pointer(path, strconv.Itoa(k)), shape, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// texts makes texts of the parameters, categories and amounts, which may be written as numbers or lists.
func texts(s *yamlfile.Source, root map[string]any) error {
	if params, ok := root["parameters"].(map[string]any); ok {
		for key, v := range params {
			if v == nil {
				return s.Errorf(yamlfile.Pointer("/parameters", key), "the parameter has no value")
			}
			params[key] = text(v)
		}
	}
	if noise, ok := root["noise"].(map[string]any); ok && noise["epsilon"] != nil {
		noise["epsilon"] = text(noise["epsilon"])
	}
	columns, _ := root["columns"].([]any)
	for _, c := range columns {
		if m, ok := c.(map[string]any); ok {
			values, _ := m["values"].([]any)
			for k, v := range values {
				values[k] = text(v)
			}
		}
	}
	return nil
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for k, x := range v {
			parts[k] = text(x)
		}
		return strings.Join(parts, ",")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// field reads the value of one key of the plan.
func field(s *yamlfile.Source, root map[string]any, key string, p *joint.Plan) error {
	v, ok := root[key]
	if !ok {
		return nil
	}
	b, err := json.Marshal(map[string]any{key: v})
	if err == nil {
		err = json.Unmarshal(b, p)
	}
	if err != nil {
		return s.Errorf(yamlfile.Pointer("", key), "%s: a value is of another kind than a plan has there; see the plan "+
			"that \"dither joint plan\" writes", key)
	}
	return nil
}
