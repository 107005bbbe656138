package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/policy"
)

// onlyInFiles are the fields of a policy that no flag says: a flag names a file of what is sensitive.
var onlyInFiles = []string{"Version", "Stages", "Thresholds", "Sensitive", "File.Missing", "File.MissingOut",
	"Columns.Kind", "Columns.Domain", "Columns.Outside", "Columns.Step", "Columns.Values", "Columns.Keep"}

// ways are the ways to say one thing: by flags of a verb, in a policy file, and in Go.
var ways = []struct {
	verb string // protect where it is empty
	args string // apart by bars
	text string
	p    policy.Policy
}{
	{"", "--class|y", "class: y", policy.Policy{Class: "y"}},
	{"", "--complete", "complete: true", policy.Policy{Complete: true}},
	{"", "--delimiter|pipe", "file: {delimiter: pipe}", policy.Policy{File: policy.File{Delimiter: "pipe"}}},
	{"", "--encoding|latin1", "file: {encoding: latin1}", policy.Policy{File: policy.File{Encoding: "latin1"}}},
	{"", "--layout|L", "file: {layout: L}", policy.Policy{File: policy.File{Layout: "L"}}},
	{"", "--sheet|S", "file: {sheet: S}", policy.Policy{File: policy.File{Sheet: "S"}}},
	{"", "--query|SELECT 1", "file: {query: SELECT 1}", policy.Policy{File: policy.File{Query: "SELECT 1"}}},
	{
		"",
		"--items|a:;|--items|b:c",
		"file: {items: ['a:;', 'b:c']}",
		policy.Policy{File: policy.File{Items: []string{"a:;", "b:c"}}},
	},
	{
		"",
		"--missing|.|--missing|n/a",
		"file: {missing-besides: [., n/a]}",
		policy.Policy{File: policy.File{MissingBesides: []policy.Text{".", "n/a"}}},
	},
	{"", "--cut|a=20%top", "columns: {a: {cut: 20%top}}", columnsOf("a", policy.Column{Cut: "20%top"})},
	{"", "--class|y|--cut|9", "class: y\ncolumns: {y: {cut: 9}}",
		policy.Policy{Class: "y", Columns: map[string]policy.Column{"y": {Cut: "9"}}}},
	{"", "--not-missing|a=9", "columns: {a: {not-missing: [9]}}",
		columnsOf("a", policy.Column{NotMissing: []policy.Text{"9"}})},
	{"", "--merge-variants", "file: {merge-variants: true}", policy.Policy{File: policy.File{Merge: true}}},
	{
		"",
		"--missing|a=b=9|--missing|a=b=8",
		"columns: {a=b: {missing: [9, 8]}}",
		columnsOf("a=b", policy.Column{Missing: []policy.Text{"9", "8"}}),
	},
	{"", "--role|a=confidential+qi|--role|b=other", "columns: {a: {role: [confidential, qi]}, b: {role: other}}",
		policy.Policy{
			Columns: map[string]policy.Column{
				"a": {Role: policy.Roles{"confidential", "qi"}},
				"b": {Role: policy.Roles{"other"}},
			},
		}},
	{"", "--role|a=class", "columns: {a: {role: class}}", columnsOf("a", policy.Column{Role: policy.Roles{"class"}})},
	{"", "--keep-text|a", "columns: {a: {keep-text: true}}", columnsOf("a", policy.Column{KeepText: true})},
	{
		"",
		"--numbers|a=1.234,56",
		"columns: {a: {numbers: '1.234,56'}}",
		columnsOf("a", policy.Column{Numbers: "1.234,56"}),
	},
	{"", "--no-header", "file: {header: false}", policy.Policy{File: policy.File{Header: new(bool)}}},
	{"", "--skip|2", "file: {skip: 2}", policy.Policy{File: policy.File{Skip: 2}}},
	{"", "--leave-out|a,b|--leave-out|c", "file: {leave-out: [a, b, c]}",
		policy.Policy{File: policy.File{LeaveOut: policy.Words{"a", "b", "c"}}}},
	{"", "--dates|a=dd/mm/yyyy", "columns: {a: {dates: dd/mm/yyyy}}", columnsOf("a", policy.Column{Dates: "dd/mm/yyyy"})},
	{"", "--hierarchy|a=h.csv", "columns: {a: {hierarchy: h.csv}}", columnsOf("a", policy.Column{Hierarchy: "h.csv"})},
	{
		"",
		"--pseudonymise|a",
		"columns: {a: {identifier: pseudonymise}}",
		columnsOf("a", policy.Column{Identifier: "pseudonymise"}),
	},
	{
		"",
		"--method|mdav|--set|k=3",
		"method: {name: mdav, set: {k: 3}}",
		policy.Policy{Method: policy.Method{Name: "mdav", Set: map[string]policy.Text{"k": "3"}}},
	},
	{
		"",
		"--method|mdav|--within|tree",
		"method: {name: mdav, within: tree}",
		policy.Policy{Method: policy.Method{Name: "mdav", Within: &policy.Within{By: "tree"}}},
	},
	{"", "--method|mdav|--within|a, b", "method: {name: mdav, within: [a, b]}",
		policy.Policy{
			Method: policy.Method{Name: "mdav", Within: &policy.Within{By: "columns", Columns: []string{"a", "b"}}},
		}},
	{
		"",
		"--set|found.people=9",
		"measures: {found: {people: 9}}",
		policy.Policy{Measures: map[string]map[string]policy.Text{"found": {"people": "9"}}},
	},
	{"evaluate", "--set|found.people=9|--set|bias.dm=false", "measures: {found: {people: 9}, bias: {dm: false}}",
		policy.Policy{Measures: map[string]map[string]policy.Text{"found": {"people": "9"}, "bias": {"dm": "false"}}}},
	{"", "--limits|hipaa", "limits: hipaa", policy.Policy{Limits: "hipaa"}},
	{
		"choose",
		"--at-most|seconds=3|--at-most|memory=5",
		"at-most: [seconds=3, memory=5]",
		policy.Policy{AtMost: []string{"seconds=3", "memory=5"}},
	},
	{
		"",
		"--accept|found=0.2|--accept|text=a",
		"accept: [found=0.2, text=a]",
		policy.Policy{Accept: []string{"found=0.2", "text=a"}},
	},
	{
		"evaluate",
		"--earlier|a.csv,b.csv",
		"earlier: [a.csv, b.csv]",
		policy.Policy{Earlier: policy.Files{"a.csv", "b.csv"}},
	},
	{"", "--relations|none", "relations: none", policy.Policy{Relations: policy.Words{"none"}}},
	{"", "--relation|a <= b", "relations: [found, a <= b]", policy.Policy{Relations: policy.Words{"found", "a <= b"}}},
	{"", "--sums|shares", "sums: shares", policy.Policy{Sums: "shares"}},
	{"", "--recur", "recur: true", policy.Policy{Recur: true}},
	{"", "--dates-shift|person,weeks", "dates-shift: 'person,weeks'", policy.Policy{DatesShift: "person,weeks"}},
	{"", "--shared|a.csv|--shared|b.csv", "shared: [a.csv, b.csv]", policy.Policy{Shared: policy.Files{"a.csv", "b.csv"}}},
	{"", "--impute|dmi", "impute: dmi", policy.Policy{Impute: "dmi"}},
	{"", "--impute-marks", "impute-marks: true", policy.Policy{ImputeMarks: true}},
	{"", "--round-weights|5", "round-weights: 5", policy.Policy{RoundWeights: 5}},
	{"", "--sampled-from|9000", "sampled-from: 9000", policy.Policy{SampledFrom: 9000}},
	{"", "--seed|42", "seed: 42", policy.Policy{Seed: "42"}},
	{"", "--blank-lookups", "blank-lookups: true", policy.Policy{BlankLookups: true}},
	{"", "--keep-order", "keep-order: true", policy.Policy{KeepOrder: true}},
	{"", "--guard-formulas", "guard-formulas: true", policy.Policy{GuardFormulas: true}},
	{"", "--public|--report|r.html", "public: true", policy.Policy{Public: true}},
	{"", "--sensitive|s.txt", "sensitive-file: s.txt", policy.Policy{SensitiveFile: "s.txt"}},
	{"", "--iqm|q.yaml", "iqm: q.yaml", policy.Policy{IQM: "q.yaml"}},
	{"tabulate", "--by|a,b|--by|c|--sum|d", "tables: {by: [[a, b], c], sum: d}",
		tablesOf(policy.Tables{By: []policy.Words{{"a", "b"}, {"c"}}, Sum: policy.Words{"d"}})},
	{"tabulate", "--person|a|--method|cellkey|--minimum|0", "tables: {person: a, method: cellkey, minimum: 0}",
		tablesOf(policy.Tables{Person: "a", Method: "cellkey", Minimum: new(int)})},
	{"tabulate", "--dominance|2,85|--p|0|--q|50|--alone", "tables: {dominance: '2,85', p: 0, q: 50, alone: true}",
		tablesOf(policy.Tables{Dominance: "2,85", P: new(float64), Q: 50, Alone: true})},
	{"tabulate", "--base|3|--deviation|2|--variance|1.5|--hide-small|1", "tables: {base: 3, deviation: 2, " +
		"variance: 1.5, hide-small: 1}", tablesOf(policy.Tables{Base: 3, Deviation: 2, Variance: 1.5, HideSmall: 1})},
	{"tabulate", "--beside|r.csv|--limits|l.yaml|--accept|guessedcells=0.6", "tables: {beside: r.csv, limits: l.yaml, " +
		"accept: [guessedcells=0.6]}",
		tablesOf(policy.Tables{Beside: "r.csv", Limits: "l.yaml", Accept: []string{"guessedcells=0.6"}})},
	{"evaluate", "--intruder|i.yaml", "intruder-files: i.yaml", policy.Policy{IntruderFiles: policy.Files{"i.yaml"}}},
	{"evaluate", "--knows|a|--outsider", "intruders: [{name: 'knows a, but not who is in the file', knows: [a], " +
		"outsider: true}]",
		policy.Policy{
			Intruders: []intruder.Intruder{{Name: "knows a, but not who is in the file", Knows: []string{"a"}, Outsider: true}},
		}},
}

func tablesOf(t policy.Tables) policy.Policy { return policy.Policy{Tables: t} }

func columnsOf(name string, c policy.Column) policy.Policy {
	return policy.Policy{Columns: map[string]policy.Column{name: c}}
}

// flagged is the policy that flags of a verb say.
func flagged(verb string, args []string) (policy.Policy, error) {
	c := &cobra.Command{}
	parse := func() error { return c.ParseFlags(args) }
	var s desk.Source
	var err error
	switch verb {
	case "evaluate":
		f := &evaluateFlags{}
		f.declare(c)
		if err = parse(); err == nil {
			var q desk.EvaluateRequest
			q, err = f.request([]string{"in.csv", "out.csv"})
			s = q.Source
		}
	case "tabulate":
		f := &tabulateFlags{}
		f.declare(c)
		if err = parse(); err == nil {
			var q desk.TabulateRequest
			f.Output, f.file = "t.csv", "p.yaml"
			q, err = f.request(c, "in.csv")
			s = q.Source
		}
	case "choose":
		f := &chooseFlags{}
		f.declare(c)
		if err = parse(); err == nil {
			var q desk.ChooseRequest
			f.Release = "out.csv"
			q, err = f.request("in.csv")
			s = q.Source
		}
	default:
		f := &protectFlags{}
		f.declare(c)
		if err = parse(); err == nil {
			var q desk.ProtectRequest
			f.Release = "out.csv"
			q, err = f.request("in.csv")
			s = q.Source
		}
	}
	return s.Said, err
}

// TestOneRequest: a flag, the key of a policy file and the field of the struct say the same, and whatever a policy can
// say has a flag or is known to have none.
func TestOneRequest(t *testing.T) {
	covered := slices.Clone(onlyInFiles)
	for _, w := range ways {
		said, err := flagged(w.verb, strings.Split(w.args, "|"))
		if err != nil {
			t.Errorf("%s: %v", w.args, err)
			continue
		}
		file, err := policy.Parse("p.yaml", []byte("version: 1\n"+w.text+"\n"))
		if err != nil {
			t.Errorf("%s: %v", w.args, err)
			continue
		}
		want := merged(t, &w.p)
		for what, p := range map[string]*policy.Policy{"the flags": &said, "the file": file} {
			if got := merged(t, p); got != want {
				t.Errorf("%s: %s say %s, the struct says %s", w.args, what, got, want)
			}
		}
		covered = append(covered, pathsOf(reflect.ValueOf(w.p), "")...)
	}
	for _, path := range leavesOf(reflect.TypeFor[policy.Policy](), "") {
		if !slices.Contains(covered, path) {
			t.Errorf("no flag says %s, and it is not known to have none", path)
		}
	}
}

// merged is what comes of what a caller says, in one notation.
func merged(t *testing.T, said *policy.Policy) string {
	p := (&policy.Policy{Version: 1}).With(said)
	b := must.Get(json.Marshal(p))(t)
	return string(b)
}

// parts are the structs whose fields a policy says one by one.
var parts = []reflect.Type{
	reflect.TypeFor[policy.File](),
	reflect.TypeFor[policy.Method](),
	reflect.TypeFor[policy.Column](),
	reflect.TypeFor[policy.Tables](),
}

// leavesOf are the paths of all that a policy can say.
func leavesOf(of reflect.Type, path string) (out []string) {
	for k := range of.NumField() {
		f := of.Field(k)
		typ := f.Type
		if typ.Kind() == reflect.Map && slices.Contains(parts, typ.Elem()) {
			typ = typ.Elem()
		}
		switch {
		case !f.IsExported():
		case slices.Contains(parts, typ):
			out = append(out, leavesOf(typ, path+f.Name+".")...)
		default:
			out = append(out, path+f.Name)
		}
	}
	return out
}

// pathsOf are the paths of what a policy says.
func pathsOf(v reflect.Value, path string) (out []string) {
	for k := range v.NumField() {
		f, name := v.Field(k), v.Type().Field(k).Name
		switch {
		case !v.Type().Field(k).IsExported() || f.IsZero():
		case slices.Contains(parts, f.Type()):
			out = append(out, pathsOf(f, path+name+".")...)
		case f.Kind() == reflect.Map && slices.Contains(parts, f.Type().Elem()):
			for _, key := range f.MapKeys() {
				out = append(out, pathsOf(f.MapIndex(key), path+name+".")...)
			}
		default:
			out = append(out, path+name)
		}
	}
	return out
}
