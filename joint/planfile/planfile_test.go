package planfile_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/catalog"
	"github.com/dither-data/dither/joint/planfile"

	_ "github.com/dither-data/dither/policy/yaml"
)

func example() *joint.Plan {
	return &joint.Plan{Version: 1, Protocol: "sharedsum",
		Parties: []joint.Member{{Name: "ada", Role: "custodian", Address: "ada.example:7001",
			Certificate: strings.Repeat("0a", 32)}, {Name: "bob"}, {Name: "cyd"}},
		Parameters: map[string]string{"k": "3", "columns": "a,b", "yes": "true"},
		Columns: []joint.Column{{Name: "cost: total", Min: -0.5, Max: 1e6, Decimals: 2},
			{Name: "sex", Owner: "bob", Role: "class", Values: []string{"1", "no", "ü # x"}}, {Name: "n"}},
		Least: joint.Least{Cell: 7, Contributors: 3}, Noise: &joint.Noise{Epsilon: "0.5"},
		Limits: joint.Limits{Frame: 2048, Silence: 4, Total: 60}}
}

// What Format writes, Parse reads.
func TestRoundTrip(t *testing.T) {
	q := must.Get(catalog.Protocol("sharedsum"))(t)
	for _, p := range []*joint.Plan{example(), {Version: 1, Protocol: "sharedsum", Parties: example().Parties,
		Least: joint.DefaultLeast, Limits: joint.DefaultLimits}} {
		got, err := planfile.Parse("plan.yaml", planfile.Format(p, q))
		if err != nil {
			t.Fatalf("%v in\n%s", err, planfile.Format(p, q))
		}
		if !reflect.DeepEqual(got, p) {
			t.Errorf("read back %+v\nexpected %+v", got, p)
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	const start = "version: 1\nprotocol: sharedsum\nparties:\n- {name: ada}\n- {name: bob}\n"
	for parties, contributors := range map[string]int{"": 2, "- {name: cyd}\n": 3, "- {name: cyd}\n- {name: dee}\n": 3} {
		p := must.Get(planfile.Parse("p", []byte(start+parties)))(t)
		if p.Least.Cell != 5 || p.Least.Contributors != contributors {
			t.Errorf("%d parties show what %+v", len(p.Parties), p.Least)
		}
	}
	for text, at := range map[string]string{
		"":                                             "p: the plan is empty",
		"[1]":                                          "p:1",
		"version: 2\nparties: []":                      "p:1:10",
		start + "lest: {cell: 1}":                      "p:6:1",
		start + "least: {cel: 1}":                      "p:6:9",
		start + "least: {cell: 0}":                     "p:6:15",
		start + "least: {cell: many}":                  "p:6:9",
		start + "limits:\n  frame: 10":                 "p:7:10",
		start + "noise: {epsilon: 0}":                  "p:6:18",
		start + "noise: {delta: 1}":                    "p:6:9",
		start + "- {name: ada}":                        "p:6:10",
		start + "- {name: Ada}":                        "p:6:10",
		start + "- {name: x, certificate: abc}":        "p:6:26",
		start + "columns: [{name: a}, {name: a}]":      "p:6:29",
		start + "columns: [{name: a, owner: x}]":       "p:6:28",
		start + "parameters: {k: }":                    "p:6",
		start + "columns: [{name: a, min: 2, max: 1}]": "p:6",
		start + "columns: [{name: a, values: [1, 1]}]": "p:6",
	} {
		_, err := planfile.Parse("p", []byte(text))
		var e *yamlfile.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), at) {
			t.Errorf("%q: %v, expected %s", text, err, at)
		}
	}
}

func FuzzParse(f *testing.F) {
	q := must.Get(catalog.Protocol("sharedsum"))(f)
	f.Add(planfile.Format(example(), q))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := planfile.Parse("p", data)
		if err != nil {
			return
		}
		again, err := planfile.Parse("p", planfile.Format(p, q))
		if err != nil || again.Hash() != p.Hash() {
			t.Errorf("%v: %+v became %+v", err, p, again)
		}
	})
}
