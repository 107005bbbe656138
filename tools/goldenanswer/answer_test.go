package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goldenCase is a case with its answer.
type goldenCase struct {
	Case
	Expected  any
	Tolerance struct{ Abs float64 }
}

// TestGolden answers every case in testdata whose op is known and compares with its expected answer: strings, booleans,
// whole numbers and orders exactly, other numbers within the tolerance of the case, times their magnitude above 1.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	seen := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases []goldenCase
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range cases {
			f := find(c.Op)
			if f == nil {
				continue
			}
			seen[c.Op]++
			t.Run(c.Op+"/"+c.Name, func(t *testing.T) { c.compare(t, f) })
		}
	}
	for _, area := range areas {
		for op := range area {
			if seen[op] == 0 {
				t.Errorf("op %q has no case in testdata", op)
			}
		}
	}
}

func (c *goldenCase) compare(t *testing.T, f answer) {
	a, err := c.answer(f)
	if err != nil {
		t.Fatal(err)
	}
	var actual any
	if err := json.Unmarshal(a.Actual, &actual); err != nil {
		t.Fatal(err)
	}
	if d := differ("actual", actual, c.Expected, c.Tolerance.Abs); d != "" {
		t.Error(d)
	}
}

// differ says where two JSON values differ first; "" when they do not.
func differ(path string, got, want any, tolerance float64) string {
	switch w := want.(type) {
	case float64:
		g, ok := got.(float64)
		if ok && (g == w || w != math.Trunc(w) && math.Abs(g-w) <= tolerance*max(1, math.Abs(w)) ||
			w == math.Trunc(w) && g != math.Trunc(g) && math.Abs(g-w) <= tolerance*max(1, math.Abs(w))) {
			return ""
		}
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || !slices.Equal(slices.Sorted(maps.Keys(g)), slices.Sorted(maps.Keys(w))) {
			break
		}
		for _, k := range slices.Sorted(maps.Keys(w)) {
			if d := differ(path+"."+k, g[k], w[k], tolerance); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if d := differ(fmt.Sprintf("%s[%d]", path, i), g[i], w[i], tolerance); d != "" {
				return d
			}
		}
		return ""
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, expected %v", path, got, want)
}

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		got, want string
		equal     bool
	}{
		{"1", "1", true}, {"1", "2", false}, {"0.5", "0.5000000001", true}, {"0.5", "0.501", false},
		{"0.9999999999", "1", true},
		{"1000.0000005", "1000.0000001", true}, {`"a"`, `"b"`, false}, {"[1,2]", "[2,1]", false}, {"[1]", "[1,2]", false},
		{`{"a":1}`, `{"a":1,"b":2}`, false}, {`{"a":1,"b":2}`, `{"a":1}`, false}, {`{"a":1,"b":[true]}`, `{"b":[true],"a":1}`, true},
		{"null", "0", false}, {"true", "false", false},
	} {
		var got, want any
		if err := json.Unmarshal([]byte(c.got), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if d := differ("x", got, want, 1e-9); (d == "") != c.equal {
			t.Errorf("%s and %s: %q", c.got, c.want, d)
		}
	}
}

func TestRun(t *testing.T) {
	const cases = `[
		{"name": "one", "op": "wrap_integer", "input": {"items": [{"b": 12, "l": 1, "u": 10}]}},
		{"name": "two", "op": "no_such_op", "input": {}},
		{"name": "three", "op": "random_categorical", "input": {"value": "z", "domain": ["a"], "p": 0.1}}]`
	var out, log bytes.Buffer
	err := run([]byte(cases), &out, &log)
	if err == nil || !strings.Contains(err.Error(), `case "three"`) {
		t.Errorf("error %v, expected one that names the case", err)
	}
	var answers []Answer
	if err := json.Unmarshal(out.Bytes(), &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != 1 || answers[0].Name != "one" ||
		strings.Join(strings.Fields(string(answers[0].Actual)), "") != "[2]" {
		t.Errorf("answers %s", out.String())
	}
	if !strings.Contains(log.String(), "3 cases, 1 answered, 1 of unknown ops") {
		t.Errorf("log %q", log.String())
	}
	if err := run([]byte("{"), &out, &log); err == nil {
		t.Error("a broken file is accepted")
	}
	out.Reset()
	if err := run([]byte("[]"), &out, &log); err != nil || strings.TrimSpace(out.String()) != "[]" {
		t.Errorf("no cases give %q, error %v", out.String(), err)
	}
}

func TestObservedIsMarked(t *testing.T) {
	c := Case{Name: "x"}
	a, err := c.answer(func(json.RawMessage) (any, error) { return observed{object{"mean": 1.5}}, nil })
	if err != nil || !a.Observed || string(a.Actual) != `{"mean":1.5}` {
		t.Errorf("answer %+v, error %v", a, err)
	}
}

// TestBadInput has cases that cannot be answered: an error, never a panic.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ op, input string }{
		{"split_measures", `{"branches": 1}`},
		{"numeric_split", `{"values": [1, 2], "labels": ["a"]}`},
		{"numeric_split", `{"values": [1, 1], "labels": ["a", "b"]}`},
		{"tree_structure", `{}`},
		{"tree_structure", `{"tree": {"attr": "P", "le": {"class": "c"}}, "schema": [{"name": "P", "type": "numeric"}]}`},
		{"tree_structure", `{"tree": {"attr": "Q", "branches": [{"values": ["a"]}]}, "schema": [{"name": "P", "type": "numeric"}]}`},
		{"tree_structure", `{"tree": {"class": "c"}, "schema": [{"name": "P", "type": "numeric"}], "records": [{"P": "x"}]}`},
		{"rnat_kernel", `{"a": 1, "D": 3, "x": 4}`},
		{"noise_kernel", `{"l": 3, "u": 1}`},
		{"rpt_leaf", `{"m": -1, "n": 2}`},
		{"detective", `{"tree": {"class": "a"}, "domain": ["a"], "leaf_counts": {"L1": {"b": 1}}}`},
		{"capt", `{}`},
		{"random_categorical", `{"value": "z", "domain": ["a"]}`},
		{"cs_probabilities", `{"want": ["no such field"]}`},
		{"rule_types", `{"original": [{"if": [{"attr": "P", "op": "<="}]}]}`},
		{"rule_types", `{"schema": [{"name": "P", "type": "numeric"}], "original": [{"if": [{"attr": "P", "op": "=", "value": "x"}]}]}`},
		{"forest_intersections", `{}`},
		{"forest_intersections", `{"forest": [{"attr": "P", "le": {"class": "c"}}]}`},
		{"framework_facts", `{"tree": {"class": "c"}, "records": [{"class": 1}], "class": {"name": "class"}}`},
		{"eduds", `{"schema": [{"name": "P", "type": "numeric"}], "forest_original": [{"class": "c"}]}`},
		{"edusc", `{"schema": [{"name": "P", "type": "numeric"}], "forest": [{"class": "c"}], "perturbed": [{"P": "x"}]}`},
		{"edusc_table", `{"original": [{"n": 1}], "perturbed": []}`},
		{"sers", `{"schema": [{"name": "P", "type": "numeric"}], "original": [{"P": 1}]}`},
		{"confusion", `{"actual": ["a", "b"], "predicted": ["a"], "positive": "a"}`},
	} {
		if a, err := (&Case{Input: json.RawMessage(c.input)}).answer(find(c.op)); err == nil {
			t.Errorf("%s %s: answered %s", c.op, c.input, a.Actual)
		}
	}
}
