package policy

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/dither-data/dither/param"
)

// Within says inside which segments a technique works: the leaves of a tree, the intersections of the leaves of a forest, or the values of
// columns. A policy writes tree, forest, {tree: {minLeaf: 50}} or a list of columns.
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

// The name of a technique that works inside segments ends with withinSuffix, and the names of the parameters that make them begin with withinPrefix.
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

// Technique returns the name of the technique, inside segments where the policy says so.
func (m Method) Technique() string {
	if m.Within != nil && m.Name != "" {
		return m.Name + withinSuffix
	}
	return m.Name
}

// Settings returns the parameters of the method as text, as a parameter set takes them.
func (m Method) Settings() map[string]string {
	set := make(map[string]string, len(m.Set))
	for k, v := range m.Set {
		set[k] = string(v)
	}
	if m.Within != nil {
		m.Within.settings(set)
	}
	return set
}
