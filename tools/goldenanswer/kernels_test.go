package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// disclosed answers a case of disclosure with one known attribute and a tree of two leaves: x up to 1 or category a on
// the left.
func disclosed(attribute, test, kernel, target string, released ...string) (Answer, error) {
	var perturbed []string
	for i, v := range released {
		perturbed = append(perturbed, fmt.Sprintf(`{"X": %s, "D": "%d"}`, v, i%2))
	}
	input := fmt.Sprintf(`{"schema": [{"name": "X", %s}], "class": {"name": "D", "values": ["0", "1"]}, "tree": {"attr": "X", %s},
		"kernels": {"X": %s}, "targets": [{"X": %s}], "perturbed": [%s], "known": ["X"], "L": ["1"], "h_ri_threshold": 1, "h_c_threshold": 1, "v": 0}`,
		attribute, test, kernel, target, strings.Join(perturbed, ","))
	return (&Case{Input: json.RawMessage(input)}).answer(find("disclosure"))
}

const (
	letters = `"type": "categorical", "values": ["a", "b", "c"]`
	left    = `"branches": [{"values": ["a"], "node": {"class": "0"}}, {"values": ["b", "c"], "node": {"class": "1"}}]`
	numbers = `"type": "numeric", "min": 0, "max": 2, "integer": true`
	low     = `"threshold": 1, "le": {"class": "0"}, "gt": {"class": "1"}`
)

// A law of transitions is given as rows or by value. Here b, or 1, is released as itself with 0.8 and as either other
// value with 0.1; of the records, which share the probability of their value, two have c. The class of a record is that
// of its leaf.
func TestTransition(t *testing.T) {
	for _, c := range []struct {
		attribute, test, kernel string
		class                   float64
	}{
		{letters, left, `{"kind": "transition", "matrix": [[0, 0, 1], [0.1, 0.8, 0.1], [1, 0, 0]]}`, 1 / 1.1 * 2 / 3},
		{letters, left, `{"kind": "transition", "P": {"b": {"a": 0.1, "b": 0.8, "c": 0.1}}}`, 1 / 1.1 * 2 / 3},
		{letters, left, `{"kind": "transition", "values": ["b", "c", "a"], "matrix": {"b": [0.8, 0.1, 0.1], "c": [0, 0, 1]}}`, 1 / 1.1 * 2 / 3},
		{numbers, low, `{"kind": "transition", "matrix": [[0, 0, 1], [0.1, 0.8, 0.1], [1, 0, 0]]}`, 0.2 / 1.1},
		{numbers, low, `{"kind": "transition", "matrix": {"1": {"0": 0.1, "1": 0.8, "2": 0.1}}}`, 0.2 / 1.1},
	} {
		target, released := `"b"`, []string{`"b"`, `"c"`, `"a"`, `"c"`}
		if c.attribute == numbers {
			target, released = "1", []string{"1", "2", "0", "2"}
		}
		a, err := disclosed(c.attribute, c.test, c.kernel, target, released...)
		if err != nil {
			t.Fatalf("%s: %v", c.kernel, err)
		}
		var got struct {
			P     any
			Class any `json:"p_c"`
		}
		if err := json.Unmarshal(a.Actual, &got); err != nil {
			t.Fatal(err)
		}
		want := []any{[]any{0.8 / 1.1, 0.1 / 1.1, 0.1 / 1.1, 0.1 / 1.1}}
		if d := differ("p", got.P, want, 1e-12); d != "" {
			t.Errorf("%s: %s", c.kernel, d)
		}
		if d := differ("p_c", got.Class, []any{c.class}, 1e-12); d != "" {
			t.Errorf("%s: %s", c.kernel, d)
		}
	}
}

// A law that is not one of the attribute is an error, never a law of nothing.
func TestBadKernels(t *testing.T) {
	for _, kernel := range []string{
		`{"kind": "no such kind"}`, `{"kind": 3}`, `{"kind": "rounded_normal", "sigma_frac": "x"}`, `{"kind": "difference_pmf", "pmf": {"x": 1}}`,
		`{"kind": "transition"}`, `{"kind": "transition", "matrix": [[1]]}`, `{"kind": "transition", "matrix": {"z": {"a": 1}}}`,
		`{"kind": "transition", "matrix": {"a": {"a": "x"}}}`, `{"kind": "transition", "values": ["z"], "matrix": [[1]]}`,
	} {
		if a, err := disclosed(letters, left, kernel, `"a"`, `"a"`); err == nil {
			t.Errorf("%s: answered %s", kernel, a.Actual)
		}
	}
}
