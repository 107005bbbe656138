package policy

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const whole = `# what may be released
version: 1
class: income
file:
  delimiter: tab
  missing: ["?", "", NA, -99]
  missing-out: "*"
columns:
  age: {role: quasi-identifier, domain: [0, 120], step: 1}
  education:
    kind: ordered
    values: [none, school, college]
    role: [quasi-identifier, confidential]
  patient: {identifier: pseudonymise}
  "ward / room": {keep: true, role: other}
  2: {kind: numeric}
  ssn: {role: identifier, identifier: drop}
  income: {values: ["<=50K", ">50K"]}
method:
  name: framework
  set: {influential: keep, spread: 33.330, exact: true}
thresholds:
  - {measure: segments, min: 1}
  - {measure: linkage, max: 5e-2}
`

func parse(t *testing.T, text string) *Policy {
	t.Helper()
	return must.Get(Parse("p.yaml", []byte(text)))(t)
}

func TestParse(t *testing.T) {
	one, low := 1.0, 0.05
	star := Text("*")
	want := &Policy{
		Version: 1, Class: "income",
		File: File{Delimiter: "tab", Missing: []Text{"?", "", "NA", "-99"}, MissingOut: &star},
		Columns: map[string]Column{
			"age": {Role: Roles{"quasi-identifier"}, Domain: []Text{"0", "120"}, Step: 1},
			"education": {
				Kind:   "ordered",
				Values: []Text{"none", "school", "college"},
				Role:   Roles{"quasi-identifier", "confidential"},
			},
			"patient":     {Identifier: "pseudonymise"},
			"ward / room": {Keep: true, Role: Roles{"other"}},
			"2":           {Kind: "numeric"},
			"ssn":         {Role: Roles{"identifier"}, Identifier: "drop"},
			"income":      {Values: []Text{"<=50K", ">50K"}},
		},
		Method: Method{
			Name: "framework",
			Set:  map[string]Text{"influential": "keep", "spread": "33.330", "exact": "true"},
		},
		Thresholds: []Threshold{{Measure: "segments", Min: &one}, {Measure: "linkage", Max: &low}},
	}
	for _, text := range []string{whole, strings.ReplaceAll(whole, "\n", "\r\n"), "\ufeff" + whole} {
		p := parse(t, text)
		if d := cmp.Diff(want, p, cmpopts.IgnoreUnexported(Policy{})); d != "" {
			t.Error(d)
		}
	}
}

func TestWhatTheOthersAsk(t *testing.T) {
	p := parse(t, whole)
	kinds := map[string]table.Kind{
		"age":       table.Numeric,
		"education": table.Categorical,
		"2":         table.Numeric,
		"income":    table.Categorical,
	}
	if got := p.Kinds(); !maps.Equal(got, kinds) {
		t.Errorf("Kinds = %v, want %v", got, kinds)
	}
	roles := map[string]table.Role{
		"age":         table.Quasi,
		"education":   table.Quasi | table.Confidential,
		"patient":     table.Identifier,
		"ward / room": 0,
		"ssn":         table.Identifier,
	}
	if got := p.Roles(); !maps.Equal(got, roles) {
		t.Errorf("Roles = %v, want %v", got, roles)
	}
	if got := p.Kept(); len(got) != 1 || got[0] != "ward / room" {
		t.Errorf("Kept = %v", got)
	}
	if got := p.Pseudonymised(); len(got) != 1 || got[0] != "patient" {
		t.Errorf("Pseudonymised = %v", got)
	}
	for text, want := range map[string]byte{"tab": '\t', ";": ';', "comma": ',', "": 0} {
		if got, err := ParseDelimiter(text); got != want || err != nil {
			t.Errorf("delimiter %q is %q, %v", text, got, err)
		}
	}
	if got := p.Settings(); got["spread"] != "33.330" || got["exact"] != "true" {
		t.Errorf("Settings = %v", got)
	}
	p = parse(t, "version: 1\ncolumns: {diagnosis: {role: [class, confidential]}}")
	if p.Class != "diagnosis" || p.Roles()["diagnosis"] != table.Class|table.Confidential {
		t.Errorf("class %q, roles %v", p.Class, p.Roles())
	}
	p = parse(t, "version: 1\nclass: y\ncolumns: {y: {role: confidential}}")
	if p.Roles()["y"] != table.Class|table.Confidential {
		t.Errorf("roles %v", p.Roles())
	}
}

// refusedPolicies are policies with what is said of them.
var refusedPolicies = []struct{ text, want string }{
	{"", "p.yaml: the policy is empty, expected at least version: 1"},
	{"# nothing\n", "p.yaml: the policy is empty, expected at least version: 1"},
	{"class: y", `p.yaml:1:1: the policy has no version; add a line "version: 1"`},
	{"\ufeffclas: y", `p.yaml:1:1: the policy has no version; add a line "version: 1"`},
	{"\ufeffversion: 2", `p.yaml:1:10: "version" is 2, expected 1`},
	{"version: 2", `p.yaml:1:10: "version" is 2, expected 1`},
	{"version: 1\nclas: y", `p.yaml:2:1: unknown key "clas"; did you mean "class"?`},
	{
		"version: 1\nsecrets: y",
		`p.yaml:2:1: unknown key "secrets"; expected one of ` +
			`accept, at-most, blank-lookups, class, columns, complete, dates-shift, earlier, file, ` +
			`guard-formulas, impute, impute-marks, intruder-files, intruders, iqm, keep-order, limits, measures, ` +
			`method, public, recur, relations, round-weights, sampled-from, seed, sensitive, sensitive-file, ` +
			`shared, stages, sums, tables, thresholds, version`,
	},
	{"version: 1\ncolumns:\n  age:\n    domian: [1, 2]\n", `p.yaml:4:5: unknown key "domian"; did you mean "domain"?`},
	{"version: 1\nmethod: {name: rpt, sets: {}}", `p.yaml:2:21: unknown key "sets"; did you mean "set"?`},
	{
		"version: 1\nthresholds: [{measure: sers, minimum: 1}]",
		`p.yaml:2:30: unknown key "minimum"; expected one of max, measure, min`,
	},
	{"version: 1\nfile: {missin: []}", `p.yaml:2:8: unknown key "missin"; did you mean "missing"?`},
	{
		"version: 1\nstages: [{name: rpt}, {name: hide2a, sensitive: [a=>b]}]",
		`p.yaml:2:38: unknown key "sensitive"; expected one of name, set, within; ` +
			`it is a key of the whole policy, beside version`,
	},
	{"version: 1\nmethod: {set: {a: 1}}", `p.yaml:2:10: "method" has no name`},
	{"version: 1\nclass: 5", `p.yaml:2:8: "class" is a number, expected text`},
	{"version: 1\nclass:\n", `p.yaml:2:8: "class" is empty, expected text`},
	{"version: 1\ncolumns: [age]", `p.yaml:2:10: "columns" is a list, expected a map`},
	{
		"version: 1\ncolumns: {age: {kind: number}}",
		`p.yaml:2:23: "kind" is "number", expected numeric, categorical, ordered`,
	},
	{
		"version: 1\ncolumns: {age: {role: quasi}}",
		`p.yaml:2:23: "role" is not one of identifier, quasi-identifier, confidential, class, weight, person, household, other, id, qi, sensitive, nor a list of them`,
	},
	{"version: 1\nmethod: {name: gadp, within: []}", `p.yaml:2:30: "within" is an empty list`},
	{"version: 1\ncolumns: {age: {role: []}}", `p.yaml:2:23: "role" is an empty list`},
	{
		"version: 1\ncolumns: {age: {role: confidental}}",
		`p.yaml:2:23: "role" is not one of identifier, quasi-identifier, confidential, class, weight, person, household, other, id, qi, sensitive, nor a list of them; did you mean "confidential"?`,
	},
	{
		"version: 1\ncolumns: {age: {role: [weight, quasi]}}",
		`p.yaml:2:32: entry 2 of "role" is "quasi", expected identifier, quasi-identifier, confidential, class, weight, person, household, other, id, qi, sensitive`,
	},
	{"version: 1\ncolumns: {age: {role: [other, weight]}}", `p.yaml:2:23: "age" has the role other and another one`},
	{"version: 1\ncolumns: {age: {step: 0}}", `p.yaml:2:23: "step" is 0, expected more than 0`},
	{
		"version: 1\ncolumns: {age: {step: .inf}}",
		`p.yaml:2:23: infinity is not used in a policy; if it is text, put it in quotes`,
	},
	{"version: 1\ncolumns: {age: {step: 1e999}}", `p.yaml:2:23: the number is too large`},
	{"version: 1\ncolumns: {1: 5}", `p.yaml:2:14: "1" is a number, expected a map`},
	{"version: 1\ncolumns: {age: {domain: [1]}}", `p.yaml:2:25: "domain" holds 1, expected at least 2`},
	{"version: 1\ncolumns: {age: {domain: [1, 2, 3]}}", `p.yaml:2:25: "domain" holds 3, expected at most 2`},
	{"version: 1\ncolumns: {age: {domain: [2, 1]}}", `p.yaml:2:25: the domain of "age" ends before it starts`},
	{"version: 1\ncolumns: {age: {domain: [1, 2], kind: ordered}}", `p.yaml:2:17: "age" is categorical and has no domain`},
	{"version: 1\ncolumns: {age: {step: 1, values: [1]}}", `p.yaml:2:17: "age" is categorical and has no step`},
	{
		"version: 1\ncolumns: {age: {kind: numeric, values: [1]}}",
		`p.yaml:2:32: "age" is numeric; its legal values are given by domain and step`,
	},
	{"version: 1\ncolumns: {a: {values: [x, y, x]}}", `p.yaml:2:30: "values" holds this entry twice`},
	{"version: 1\ncolumns: {a: {values: [1, '1']}}", `p.yaml:2:27: entry 2 of the values of "a" is listed twice`},
	{
		"version: 1\ncolumns: {a: {values: [[1]]}}",
		`p.yaml:2:24: entry 1 of "values" is a list, expected true or false or a number or text`,
	},
	{
		"version: 1\ncolumns: {a: {values: [007]}}",
		`p.yaml:2:24: 007 is ambiguous: write the number in plain decimals, or put it in quotes if it is text`,
	},
	{
		"version: 1\ncolumns: {a: {values: [True]}}",
		`p.yaml:2:24: True is ambiguous: write true or false, or put it in quotes if it is text`,
	},
	{
		"version: 1\ncolumns: {a: {keep: true, role: identifier}}",
		`p.yaml:2:15: "a" is an identifier and cannot be kept as it is`,
	},
	{
		"version: 1\ncolumns: {a: {keep-text: true, role: identifier}}",
		`p.yaml:2:15: "a" is an identifier, and its texts cannot be kept`,
	},
	{"version: 1\ncolumns: {a: {identifier: drop, role: weight}}",
		`p.yaml:2:15: "a" is given another role than identifier`},
	{"version: 1\nclass: a\ncolumns: {a: {identifier: drop}}",
		`p.yaml:3:11: "a" is the class and cannot be an identifier`},
	{"version: 1\nclass: a\ncolumns: {b: {role: class}}", `p.yaml:3:21: "b" has the role class, but the class is "a"`},
	{
		"version: 1\ncolumns:\n  b: {role: class}\n  c: {role: [class]}",
		`p.yaml:4:13: "c" has the role class, but the class is "b"`,
	},
	{
		"version: 1\nfile: {delimiter: ab}",
		`p.yaml:2:19: "delimiter" is "ab", expected comma, semicolon, tab, pipe, blank or one character`,
	},
	{"version: 1\nthresholds: [{measure: sers}]", `p.yaml:2:15: the threshold of "sers" has neither min nor max`},
	{"version: 1\nthresholds: [{measure: sers, min: 2, max: 1}]", `p.yaml:2:35: min is above max`},
	{"version: 1\nclass: &a y", `p.yaml:2:8: anchor is not used in a policy; if it is text, put it in quotes`},
	{"version: 1\nclass: !!str y", `p.yaml:2:8: tag is not used in a policy; if it is text, put it in quotes`},
	{"version: 1\n---\nversion: 1", `p.yaml:3:8: a policy is one document, this starts another`},
	{"version: 1\nclass: a\nclass: b", `p.yaml:3:1: mapping key "class" already defined at [2:1]`},
	{"version: 1\ncolumns: {1: {}, '1': {}}", `p.yaml:2:18: mapping key "1" already defined at [2:11]`},
	{"version: 1\n\tclass: a", `p.yaml:2:1: found character '	' that cannot start any token`},
	{"version: 1\nclass: [a", `p.yaml:2:8: sequence end token ']' not found`},
	{"just text", `p.yaml:1:1: the policy is text, expected a map`},
	{"version: \xff", `p.yaml: the text is not UTF-8`},
	{"version: 1\nclass: " + strings.Repeat("[", 100_000), `p.yaml:2:1008: nested too deeply`},
	{"version: 1\nclass: " + strings.Repeat("[", 50) + strings.Repeat("]", 50), `p.yaml:2:28: nested too deeply`},
	{"version: 1\nclass:\n  " + strings.Repeat("- ", 100_000), `p.yaml:3:1: nested too deeply`},
}

func TestParseRefuses(t *testing.T) {
	for _, c := range refusedPolicies {
		_, err := Parse("p.yaml", []byte(c.text))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%.80q: error %v, want %s", c.text, err, c.want)
			continue
		}
		if e.Error() != c.want {
			t.Errorf("%.80q:\n got %s\nwant %s", c.text, e, c.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	_, err := Parse("p.yaml", []byte("version: 1\ncolumns:\n  größe: {stepp: 1}\n"))
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if want := "  größe: {stepp: 1}\n          ^"; e.Excerpt != want {
		t.Errorf("excerpt\n%s\nwant\n%s", e.Excerpt, want)
	}
}
