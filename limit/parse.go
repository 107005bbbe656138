package limit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/internal/text/yamlfile"
)

// file is a file of limits:
//
//	name: our house
//	source: the board's decision of May
//	limits:
//	  - {measure: found, max: 0.05}
//	  - {measure: text, max: 0}
//	unchecked: [that the contract is signed]
type file struct {
	Name      string   `json:"name"`
	Source    Phrase   `json:"source"`
	Limits    []bound  `json:"limits"`
	Unchecked []Phrase `json:"unchecked"`
}

type bound struct {
	Measure string   `json:"measure"`
	Min     *float64 `json:"min"`
	Max     *float64 `json:"max"`
	Source  Phrase   `json:"source"`
}

var kind = yamlfile.Kind{
	Name:    "file of limits",
	Least:   "limits: [{measure: found, max: 0.05}]",
	MaxSize: 1 << 20,
}

// Parse reads a file of limits, YAML. Unknown keys are errors. The measures are not looked up here.
func Parse(name string, data []byte) (s *Set, err error) {
	f, err := decode(name, data)
	if err != nil {
		return nil, err
	}
	if f.Name == None {
		return nil, fmt.Errorf("%s: name: %s is that of no limits at all (--limits %s); choose another", name, None, None)
	}
	s = &Set{Name: cmp.Or(f.Name, name), Source: f.Source, Unchecked: f.Unchecked}
	for _, b := range f.Limits {
		l := Limit{Measure: b.Measure, Min: b.Min, Max: b.Max, Source: cmp.Or(b.Source, Phrase(s.String()))}
		if err := s.admit(&l); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Limits = append(s.Limits, l)
	}
	return s, nil
}

// decode reads YAML.
func decode(name string, data []byte) (f file, err error) {
	at, v, err := yamlfile.Parse(name, kind, data)
	if err != nil {
		return f, err
	}
	if err := known(at, "", v, "name", "source", "limits", "unchecked"); err != nil {
		return f, err
	}
	limits, _ := v.(map[string]any)["limits"].([]any)
	for k, l := range limits {
		if err := known(at, fmt.Sprintf("/limits/%d", k), l, "measure", "min", "max", "source"); err != nil {
			return f, err
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return f, at.Errorf("", "%v", err)
	}
	var wrong *json.UnmarshalTypeError
	if err = json.Unmarshal(text, &f); errors.As(err, &wrong) {
		path := "/" + strings.ReplaceAll(wrong.Field, ".", "/")
		return f, at.Errorf(path, "%s takes %s", wrong.Field, expected(wrong.Type))
	}
	return f, err
}

// known refuses what is not a map of known keys.
func known(at *yamlfile.Source, path string, v any, keys ...string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return at.Errorf(path, "expected keys with values: %s", strings.Join(keys, ", "))
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(keys, key) {
			return at.KeyErrorf(yamlfile.Pointer(path, key), "unknown key%s", spelling.Hint(key, keys))
		}
	}
	return nil
}

// expected says what belongs where a value of another type stands.
func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text, in quotes where it looks like something else"
	case reflect.Slice:
		return "a list"
	default:
		return "a number"
	}
}

// admit refuses a limit that is not sound, or is the second on its measure.
func (s *Set) admit(l *Limit) error {
	switch {
	case l.Measure == "":
		return errors.New("a limit names no measure")
	case l.Min == nil && l.Max == nil:
		return fmt.Errorf("the limit on %s has neither min nor max", l.Measure)
	case l.Min != nil && l.Max != nil && *l.Min > *l.Max:
		return fmt.Errorf("the limit on %s has a min above its max", l.Measure)
	case s.Find(l.Measure) != nil:
		return fmt.Errorf("there are two limits on %s", l.Measure)
	case (l.OfRelease() || l.OfTechnique()) && l.Max == nil:
		return fmt.Errorf("the limit on %s needs a max", l.Measure)
	case slices.Contains(Kinds(), l.Measure) && *l.Max < 0:
		return fmt.Errorf("the limit on %s is below 0", l.Measure)
	}
	return nil
}
