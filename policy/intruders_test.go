package policy

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
)

const withIntruders = `version: 1
intruders:
  - name: neighbour
    knows: [age, sex, "role:quasi-identifier"]
    within: {age: 2, income: 0.5}
    bands: {height: [160, 170, 180]}
    groups:
      job: [[nurse, doctor], ["none"]]
    secret: [salary]
    outsider: true
    unaware: true
  - {name: insider, knows: [all], secret: []}
  - {name: nobody}
`

func TestIntruders(t *testing.T) {
	want := []intruder.Intruder{
		{
			Name:     "neighbour",
			Knows:    []string{"age", "sex", "role:quasi-identifier"},
			Within:   map[string]float64{"age": 2, "income": 0.5},
			Bands:    map[string][]float64{"height": {160, 170, 180}},
			Groups:   map[string][][]string{"job": {{"nurse", "doctor"}, {"none"}}},
			Secret:   []string{"salary"},
			Outsider: true,
			Unaware:  true,
		},
		{Name: "insider", Knows: []string{"all"}, Secret: []string{}},
		{Name: "nobody"},
	}
	if d := cmp.Diff(want, parse(t, withIntruders).Intruders); d != "" {
		t.Error(d)
	}
	if parse(t, "version: 1").Intruders != nil {
		t.Error("a policy without the section declares intruders")
	}
	// No secret and an empty list of secrets are told apart: the first stands for the default.
	p := parse(t, withIntruders)
	if p.Intruders[1].Secret == nil || p.Intruders[2].Secret != nil {
		t.Errorf("secrets %v and %v", p.Intruders[1].Secret, p.Intruders[2].Secret)
	}
}

// TestIntrudersAsJSON writes a policy and reads it back: nothing secret stays nothing secret.
func TestIntrudersAsJSON(t *testing.T) {
	p := parse(t, withIntruders)
	text := must.Get(json.Marshal(p))(t)
	if d := cmp.Diff(p.Intruders, parse(t, string(text)).Intruders); d != "" {
		t.Error(d)
	}
}

// The class of the command line does not touch the intruders.
func TestIntrudersSurviveAClass(t *testing.T) {
	p := parse(t, withIntruders)
	if d := cmp.Diff(p.Intruders, p.With(&Policy{Class: "y"}).Intruders, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

func TestIntrudersRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"version: 1\nintruders: {name: x}", `p.yaml:2:13: "intruders" is a map, expected a list`},
		{"version: 1\nintruders: [neighbour]", `p.yaml:2:13: entry 1 of "intruders" is text, expected a map`},
		{"version: 1\nintruders: [{knows: [age]}]", `p.yaml:2:14: entry 1 of "intruders" has no name`},
		{"version: 1\nintruders: [{name: ''}]", `p.yaml:2:20: "name" is empty`},
		{"version: 1\nintruders: [{name: 5}]", `p.yaml:2:20: "name" is a number, expected text`},
		{"version: 1\nintruders: [{name: x, know: [age]}]", `p.yaml:2:23: unknown key "know"; did you mean "knows"?`},
		{"version: 1\nintruders:\n  - name: x\n    knows: age\n", `p.yaml:4:12: "knows" is text, expected a list`},
		{"version: 1\nintruders:\n  - name: x\n    knows: [1]\n", `p.yaml:4:13: entry 1 of "knows" is a number, expected text`},
		{"version: 1\nintruders:\n  - name: x\n    within: {age: two}\n", `p.yaml:4:19: "age" is text, expected a number`},
		{"version: 1\nintruders:\n  - name: x\n    within: [2]\n", `p.yaml:4:13: "within" is a list, expected a map`},
		{"version: 1\nintruders:\n  - name: x\n    bands: {age: 20}\n", `p.yaml:4:18: "age" is a number, expected a list`},
		{"version: 1\nintruders:\n  - name: x\n    bands: {age: [20, old]}\n", `p.yaml:4:23: entry 2 of "age" is text, expected a number`},
		{"version: 1\nintruders:\n  - name: x\n    groups: {job: [nurse]}\n", `p.yaml:4:20: entry 1 of "job" is text, expected a list`},
		{"version: 1\nintruders:\n  - name: x\n    outsider: yes\n", `p.yaml:4:15: "outsider" is text, expected true or false`},
		{"version: 1\nintruders:\n  - name: x\n    secret: {a: b}\n", `p.yaml:4:14: "secret" is a map, expected a list`},
		{"version: 1\nintruders:\n  - name: x\n  - name: y\n  - name: x\n", `p.yaml:5:11: two intruders are named "x"`},
	} {
		_, err := Parse("p.yaml", []byte(c.text))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
			continue
		}
		if e.Error() != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, e, c.want)
		}
	}
}
