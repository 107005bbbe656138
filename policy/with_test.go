package policy

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
)

// fields are the paths of all that a policy says, those of a column behind Columns.
func fields(of reflect.Type, path string) (out []string) {
	for k := range of.NumField() {
		f := of.Field(k)
		at := path + f.Name
		switch {
		case !f.IsExported():
		case f.Type == reflect.TypeFor[File]() || f.Type == reflect.TypeFor[Method]() || f.Type == reflect.TypeFor[Tables]():
			out = append(out, fields(f.Type, at+".")...)
		case f.Type == reflect.TypeFor[map[string]Column]():
			out = append(out, fields(f.Type.Elem(), at+".")...)
		default:
			out = append(out, at)
		}
	}
	return out
}

// say returns a policy in which one field has a value; without one, what the field is.
func say(p Policy, path string, value any) (Policy, any) {
	v := reflect.ValueOf(&p).Elem()
	steps := strings.Split(path, ".")
	if steps[0] == "Columns" {
		c := p.Columns["c"]
		f := reflect.ValueOf(&c).Elem().FieldByName(steps[1])
		if value == nil {
			return p, f.Interface()
		}
		f.Set(reflect.ValueOf(value))
		p.Columns = map[string]Column{"c": c}
		return p, nil
	}
	for _, s := range steps {
		v = v.FieldByName(s)
	}
	if value == nil {
		return p, v.Interface()
	}
	v.Set(reflect.ValueOf(value))
	return p, nil
}

// two are two values of a field.
func two(t *testing.T, path string, of any) (a, b any) {
	x, y := Text("x"), Text("y")
	switch of.(type) {
	case string:
		return "a", "b"
	case bool:
		return true, true
	case int:
		return 1, 2
	case float64:
		return 1.5, 2.5
	case Text:
		return x, y
	case *Text:
		return &x, &y
	case []Text:
		return []Text{x}, []Text{y}
	case []string:
		return []string{"a"}, []string{"b"}
	case Files:
		return Files{"a"}, Files{"b"}
	case []Words:
		return []Words{{"a", "b"}, {"b"}}, []Words{{"c"}}
	case *int:
		one, two := 1, 2
		return &one, &two
	case *float64:
		one, two := 1.5, 2.5
		return &one, &two
	case Words:
		return Words{"a <= b"}, Words{"found", "c <= d"}
	case Roles:
		return Roles{"confidential"}, Roles{"quasi-identifier"}
	case Settings:
		return Settings{"k": x, "l": x}, Settings{"l": y}
	case map[string]map[string]Text:
		return map[string]map[string]Text{"m": {"k": x, "l": x}}, map[string]map[string]Text{"m": {"l": y}, "n": {"k": y}}
	case *bool:
		yes := true
		return new(bool), &yes
	case *Within:
		return &Within{By: "tree", Set: map[string]Text{"k": x}}, &Within{By: "tree", Set: map[string]Text{"l": y}}
	case []Method:
		return []Method{{Name: "a"}, {Name: "b"}}, []Method{{Name: "c"}, {Name: "d"}}
	case []Threshold:
		return []Threshold{{Measure: "m", Min: new(float64)}, {Measure: "n", Min: new(float64)}},
			[]Threshold{{Measure: "n", Max: new(float64)}}
	case []intruder.Intruder:
		return []intruder.Intruder{{Name: "a"}}, []intruder.Intruder{{Name: "b"}}
	}
	t.Fatalf("%s: nothing is known of a %T", path, of)
	return nil, nil
}

// added are the fields in which what a caller says is added to what the file says, with what comes of two values.
var added = map[string]string{
	"AtMost":              `["a","b"]`,
	"Accept":              `["a","b"]`,
	"Relations":           `["a \u003c= b","c \u003c= d"]`,
	"File.MissingBesides": `["x","y"]`,
	"Tables.Accept":       `["a","b"]`,
	"File.LeaveOut":       `["a \u003c= b","found","c \u003c= d"]`,
	"Columns.Missing":     `["x","y"]`,
	"Columns.NotMissing":  `["x","y"]`,
	"Method.Set":          `{"k":"x","l":"y"}`,
	"Method.Within":       `{"tree":{"k":"x","l":"y"}}`,
	"Measures":            `{"m":{"k":"x","l":"y"},"n":{"k":"y"}}`,
	"Thresholds":          `[{"measure":"m","min":0},{"measure":"n","max":0}]`,
}

// TestWith: whatever a policy can say, a caller can say, too. What the caller says wins or is added, what the caller
// does not say stays, and neither of the two policies changes.
func TestWith(t *testing.T) {
	text := func(v any) string {
		b := must.Get(json.Marshal(v))(t)
		return string(b)
	}
	all := fields(reflect.TypeFor[Policy](), "")
	if len(all) < 40 {
		t.Fatalf("%d fields: %v", len(all), all)
	}
	for _, path := range all {
		_, zero := say(Policy{}, path, nil)
		a, b := two(t, path, zero)
		file, _ := say(Policy{}, path, a)
		said, _ := say(Policy{}, path, b)
		before := text(file) + text(said)
		for what, c := range map[string]struct {
			file, said Policy
			want       string
		}{"said": {Policy{}, said, text(b)}, "in the file": {file, Policy{}, text(a)}, "in both": {file, said, text(b)}} {
			want := c.want
			if w := added[path]; w != "" && what == "in both" {
				want = w
			}
			_, got := say(*c.file.With(&c.said), path, nil)
			if text(got) != want {
				t.Errorf("%s, %s: %s, want %s", path, what, text(got), want)
			}
		}
		if text(file)+text(said) != before {
			t.Errorf("%s: one of the policies is changed", path)
		}
	}
}

// TestWithOthers: what a caller says takes the place of other keys that say the same.
func TestWithOthers(t *testing.T) {
	for _, c := range []struct{ file, said, want string }{
		{"method: {name: a, set: {x: 1}}", "method: {name: b}", "method: {name: b}"},
		{"stages: [{name: a}, {name: b}]", "method: {name: c}", "method: {name: c}"},
		{"method: {name: a}", "stages: [{name: b}, {name: c}]", "stages: [{name: b}, {name: c}]"},
		{"method: {name: a, within: {tree: {x: 1}}}", "method: {name: a, within: forest}", "method: {name: a, within: " +
			"forest}"},
		{"sensitive: [x]", "sensitive-file: f", "sensitive-file: f"},
		{"sensitive-file: f", "sensitive: [x]", "sensitive: [x]"},
		{"intruders: [{name: a, knows: [x]}]", "intruder-files: f", "intruder-files: f"},
		{"intruder-files: f", "intruders: [{name: a, knows: [x]}]", "intruders: [{name: a, knows: [x]}]"},
		{"columns: {c: {identifier: pseudonymise}}", "columns: {c: {role: quasi-identifier}}", "columns: {c: {role: " +
			"quasi-identifier}}"},
		{"columns: {c: {identifier: pseudonymise}}", "columns: {c: {role: identifier}}", "columns: {c: {role: identifier, " +
			"identifier: pseudonymise}}"},
		{"columns: {c: {role: confidential, missing: [9]}}", "columns: {c: {keep-text: true}}", "columns: {c: {keep-text: " +
			"true, missing: [9]}}"},
		{"columns: {c: {role: confidential}, d: {step: 1}}", "columns: {e: {step: 2}}", "columns: {c: {role: " +
			"confidential}, d: {step: 1}, e: {step: 2}}"},
	} {
		parsed := func(text string) *Policy { return parse(t, "version: 1\n"+text) }
		got := parsed(c.file).With(parsed(c.said))
		if d := cmp.Diff(parsed(c.want), got, cmpopts.IgnoreUnexported(Policy{}), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s with %s: %s", c.file, c.said, d)
		}
	}
}

// TestWithTheTechnique: parameters and segments that a caller says are of the file's technique, of its stages, too.
func TestWithTheTechnique(t *testing.T) {
	for _, c := range []struct{ file, technique, set string }{
		{"method: {name: a, set: {x: 1, y: 1}}", "a-within", "map[within.by:tree x:2 y:1]"},
		{"method: {name: a-within}", "a-within", "map[within.by:tree x:2]"},
		{"stages: [{name: a, set: {x: 1}}, {name: b}]", "a-then-b-within", "map[1.x:1 within.by:tree x:2]"},
		{"", "", "map[within.by:tree x:2]"},
	} {
		p := parse(
			t,
			"version: 1\n"+c.file,
		).With(&Policy{Method: Method{Set: map[string]Text{"x": "2"}, Within: &Within{By: "tree"}}})
		if got := fmt.Sprint(p.Settings()); p.Technique() != c.technique || got != c.set {
			t.Errorf("%s: %s with %s", c.file, p.Technique(), got)
		}
	}
	p := parse(
		t,
		"version: 1\nstages: [{name: a, set: {x: 1}}, {name: b}]",
	).With(&Policy{Method: Method{Set: map[string]Text{"1.x": "2"}}})
	if got := p.Settings()["1.x"]; got != "2" {
		t.Errorf("the caller's parameter of a stage is %s", got)
	}
	p = parse(
		t,
		"version: 1\nmethod: {name: a, within: {tree: {x: 1}}}",
	).With(&Policy{Method: Method{Set: map[string]Text{"within.x": "2"}}})
	if got := p.Settings()["within.x"]; got != "2" {
		t.Errorf("the caller's parameter of the segments is %s", got)
	}
}

// TestWithAClass: the class that a caller names is the only one, and is not held against the table here.
func TestWithAClass(t *testing.T) {
	p := parse(t, "version: 1\ncolumns: {a: {role: [class, confidential]}, b: {role: quasi-identifier}}\nclass: a")
	for _, said := range []Policy{{Class: "b"},
		{Columns: map[string]Column{"b": {Role: Roles{"class", "quasi-identifier"}}}},
		{Class: "b", Columns: map[string]Column{"d": {Role: Roles{"class"}}}}} {
		q := p.With(&said)
		roles := q.Roles()
		want := map[string]table.Role{"a": table.Confidential, "b": table.Quasi | table.Class}
		if said.Columns["d"].Role != nil {
			want["d"] = 0
		}
		if d := cmp.Diff(want, roles); q.Class != "b" || d != "" {
			t.Errorf("%+v: class %s, %s", said, q.Class, d)
		}
	}
}

// TestAClassThatTheTableLacks: that of the file is refused, that of the caller is for the reader of the table to
// refuse.
func TestAClassThatTheTableLacks(t *testing.T) {
	p := parse(t, "version: 1\nclass: lagal")
	if err := p.Misspelt([]string{"legal"}); err == nil {
		t.Error("the file's class is misspelt")
	}
	if err := p.With(&Policy{Class: "legel"}).Misspelt([]string{"legal"}); err != nil {
		t.Error(err)
	}
}

// TestBeside: a policy names files from its own folder, and a preset of limits is no file.
func TestBeside(t *testing.T) {
	const text = "version: 1\niqm: q.yaml\nsensitive-file: /s.txt\nearlier: [a.csv, b/c.csv]\nintruder-files: i.yaml\n" +
		"tables: {beside: r.csv}\n" +
		"columns: {c: {hierarchy: h.csv}, d: {step: 1}}\nlimits: "
	p := parse(t, text+"l.yaml").Beside("dir/p.yaml")
	if got := fmt.Sprintf("%v %v %v", p.Paths(), p.Limits, p.Hierarchies()); got != "[dir/h.csv dir/q.yaml /s.txt "+
		"dir/r.csv dir/a.csv dir/b/c.csv dir/i.yaml] dir/l.yaml map[c:dir/h.csv]" {
		t.Error(got)
	}
	if p := parse(t, text+"hipaa").Beside("dir/p.yaml"); p.Limits != "hipaa" {
		t.Errorf("limits %s", p.Limits)
	}
	// Whatever holds a path is moved: all texts of a policy that are changed by another path are among the paths.
	q := parse(t, text+"l.yaml").MapPaths(func(path string) string { return "@" + path })
	b, err := json.Marshal(q)
	if err != nil || strings.Count(string(b), "@") != len(p.Paths())+1 || slices.Contains(q.Paths(), "h.csv") {
		t.Errorf("%s, %v", b, err)
	}
}

// TestPlace: what is wrong with an entry of the file has its place there, and what is wrong with one of the caller has
// none.
func TestPlace(t *testing.T) {
	p := parse(t, "version: 1\naccept:\n  - found=1\n").With(&Policy{Accept: []string{"found=2"}})
	wrong := fmt.Errorf("x")
	if got := p.Place("/accept/0", wrong); got.Error() != "p.yaml:3:5: x" {
		t.Error(got)
	}
	if got := p.Place("/accept/1", wrong); got != wrong {
		t.Error(got)
	}
	if p.Place("/accept/0", nil) != nil || (&Policy{}).Place("/accept/0", wrong) != wrong {
		t.Error("a place is made up")
	}
}
