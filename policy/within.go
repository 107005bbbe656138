package policy

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/param"
)

// Within says inside which segments a technique works: the leaves of a tree, the intersections of the leaves of a
// forest, or the values of columns. A policy writes tree, forest, {tree: {minLeaf: 50}} or a list of columns.
type Within struct {
	By      string          // tree, forest or columns
	Columns []string        // whose values make the segments
	Set     map[string]Text // parameters of the trees
}

// UnmarshalJSON takes a word, a list of columns, or an object with one key.
func (w *Within) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		return json.Unmarshal(b, &w.By)
	case '[':
		w.By = "columns"
		return json.Unmarshal(b, &w.Columns)
	}
	var trees map[string]map[string]Text
	if err := json.Unmarshal(b, &trees); err != nil {
		return err
	}
	if len(trees) != 1 {
		return errors.New("within: expected one of tree, forest and a list of columns")
	}
	for by, set := range trees {
		w.By, w.Set = by, set
	}
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (w Within) MarshalJSON() ([]byte, error) {
	switch {
	case len(w.Columns) > 0:
		return json.Marshal(w.Columns)
	case len(w.Set) > 0:
		return json.Marshal(map[string]map[string]Text{w.By: w.Set})
	}
	return json.Marshal(w.By)
}

// The name of a technique that works inside segments ends with withinSuffix, and the names of the parameters that make
// them begin with withinPrefix.
const withinSuffix, withinPrefix = "-within", "within."

// settings adds the parameters that make the segments.
func (w *Within) settings(set map[string]string) {
	set[withinPrefix+"by"] = w.By
	if len(w.Columns) > 0 {
		set[withinPrefix+"columns"] = param.JoinNames(w.Columns)
	}
	for _, name := range slices.Sorted(maps.Keys(w.Set)) {
		set[withinPrefix+name] = string(w.Set[name])
	}
}

// stageJoint stands between the names of techniques that are applied one after another.
const stageJoint = "-then-"

// technique returns the name of the technique, inside segments where the policy says so.
func (m *Method) technique() string {
	if m.Within != nil && m.Name != "" {
		return inside(m.Name)
	}
	return m.Name
}

// inside returns the name of a technique as it works inside segments.
func inside(name string) string { return strings.TrimSuffix(name, withinSuffix) + withinSuffix }

// settings adds the parameters of the method as text, as a parameter set takes them, behind a prefix.
func (m *Method) settings(set map[string]string, prefix string) {
	own := map[string]string{}
	if m.Within != nil {
		m.Within.settings(own)
	}
	for k, v := range m.Set {
		own[k] = string(v)
	}
	for k, v := range own {
		set[prefix+k] = v
	}
}

// Technique returns the name of the technique of the policy, that of all its stages where it has some; "" where it
// names none.
func (p *Policy) Technique() string {
	if p.Stages == nil {
		return p.Method.technique()
	}
	names := make([]string, len(p.Stages))
	for k := range p.Stages {
		names[k] = p.Stages[k].technique()
	}
	name := strings.Join(names, stageJoint)
	if p.Method.Within != nil { // as a caller says it of a file's stages
		return inside(name)
	}
	return name
}

// Settings returns the parameters of the technique as text, as a parameter set takes them. Those of stages have the
// number of their stage and a point before their name, and what a caller sets of them wins.
func (p *Policy) Settings() map[string]string {
	set := map[string]string{}
	for k := range p.Stages {
		p.Stages[k].settings(set, stagePrefix(k))
	}
	p.Method.settings(set, "")
	return set
}

func stagePrefix(k int) string { return strconv.Itoa(k+1) + "." }

// places returns where in the file the parameters of a method stand.
func (m *Method) places(at, prefix string, into map[string]string) {
	for name := range m.Set {
		into[prefix+name] = yamlfile.Pointer(at+"/set", name)
	}
	if w := m.Within; w != nil {
		into[prefix+withinPrefix+"columns"] = at + "/within"
		for name := range w.Set {
			into[prefix+withinPrefix+name] = yamlfile.Pointer(at+"/within/"+w.By, name)
		}
	}
}
