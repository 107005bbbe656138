package desk

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/ziptest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
)

// A project of ARX becomes a policy with its hierarchies beside it, for their owner alone, and a table is read by it.
func TestAdopt(t *testing.T) {
	f := newFolder(t)
	f.put(t, "t.csv", "age,town,y\n41,Ulm,a\n42,Bonn,b\n41,Bonn,a\n")
	f.put(t, "town.csv", "Ulm;*\nBonn;*\n")
	f.put(t, "p.deid", string(ziptest.Of(
		t,
		"input/definition.xml",
		`<definition><assigment><name>age</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>Integer</datatype><ref>hierarchies/age.csv</ref></assigment>
<assigment><name>a/b</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>String</datatype><ref>hierarchies/a/b.csv</ref></assigment>
<assigment><name>y</name><type>SENSITIVE_ATTRIBUTE</type><datatype>String</datatype></assigment></definition>`,
		"input/config.xml",
		`<config><criteria><criterion>2-anonymity</criterion></criteria></config>`,
		"input/hierarchies/age.csv",
		"41;40-49;*\n42;40-49;*\n",
		"input/hierarchies/a/b.csv",
		"x;*\n",
	)))
	q := AdoptRequest{
		Files:  []string{f.path("p.deid"), "town=" + f.path("town.csv"), "age=" + f.path("town.csv")},
		Output: f.path("p.yaml"),
	}
	got := must.Get((&Desk{}).Adopt(ctx, q))(t)
	want := `version: 1
columns:
  a/b: {role: quasi-identifier, hierarchy: p-a_b.csv}
  age: {role: quasi-identifier, kind: numeric, step: 1, hierarchy: p-age.csv}
  town: {hierarchy: town.csv}
  "y": {role: confidential}
thresholds:
  - {measure: kanonymity, min: 2}
`
	if d := cmp.Diff(lines(want), lines(f.read(t, "p.yaml"))); d != "" || got.Text != f.read(t, "p.yaml") {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{`town.csv: column "age": its hierarchy, which is set already`}, message.Written(got.Left)); d != "" {
		t.Error(d)
	}
	if text := f.read(t, "p-age.csv"); text != "41;40-49;*\n42;40-49;*\n" || len(got.Hierarchies) != 2 {
		t.Errorf("%q, %q", text, got.Hierarchies)
	}
	for _, name := range []string{"p.yaml", "p-age.csv"} {
		if st, err := os.Stat(f.path(name)); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others can read it: %v", name, err)
		}
	}
	if _, err := (&Desk{}).Adopt(ctx, q); err == nil || !strings.Contains(err.Error(), "p.yaml") {
		t.Errorf("what is there was overwritten: %v", err)
	}
	q.Output = ""
	if _, err := (&Desk{}).Adopt(ctx, q); err == nil || !strings.Contains(err.Error(), "give the policy a name: 2 "+
		"hierarchies are written beside it") {
		t.Error(err)
	}
	without := must.Get(policy.Set("p.yaml", []byte(got.Text), []string{"columns", "a/b"}, nil))(t)
	f.put(t, "p.yaml", string(without))
	l, err := (&Desk{}).Load(ctx, Source{Path: f.path("t.csv"), Policy: f.path("p.yaml"), Said: policy.Policy{Class: "y"}})
	if err != nil || len(l.Hierarchies) != 2 {
		t.Errorf("%v, %d hierarchies", err, len(l.Hierarchies))
	}
}

// Where files contradict each other the first one holds, and what the others say is told; what a policy cannot say of a
// column costs it nothing else.
func TestAdoptContradictions(t *testing.T) {
	f := newFolder(t)
	f.put(
		t,
		"a.json",
		`{"@context":"x","tableSchema":{"primaryKey":"id","columns":[{"name":"id","datatype":{"base":"integer","minimum":9,"maximum":0}},{"name":"town","datatype":"string"},{"name":"n","datatype":"integer"}]}}`,
	)
	f.put(
		t,
		"b.json",
		`{"columns":{"id":{"sdtype":"categorical"},"town":{"sdtype":"numerical","computer_representation":"Int64"},"n":{"sdtype":"numerical"}},"sequence_key":"n"}`,
	)
	for name, k := range map[string]string{"c.deid": "5", "d.deid": "2"} {
		f.put(t, name, string(ziptest.Of(t, "input/definition.xml",
			"<definition><assigment><name>town</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type></assigment></definition>",
			"input/config.xml", "<config><criteria><criterion>"+k+"-anonymity</criterion></criteria></config>")))
	}
	var files []string
	for _, name := range []string{"a.json", "b.json", "c.deid", "d.deid"} {
		files = append(files, f.path(name))
	}
	got := must.Get((&Desk{}).Adopt(ctx, AdoptRequest{Files: files}))(t)
	want := `version: 1
columns:
  id: {role: identifier, kind: numeric, step: 1}
  town: {role: quasi-identifier, kind: categorical}
  "n": {role: person, kind: numeric, step: 1}
thresholds:
  - {measure: kanonymity, min: 5}
`
	if d := cmp.Diff(want, got.Text); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	left := []string{
		`b.json: column "id": kind, because another file says otherwise`,
		`b.json: column "town": kind, because another file says otherwise`,
		"d.deid: the bound of kanonymity, which is set already",
		`a.json, b.json, c.deid, d.deid: column "id": its domain, which a policy cannot express`,
	}
	if d := cmp.Diff(left, message.Written(got.Left)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// lines are those of a text, whose order does not matter.
func lines(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		out[line] = true
	}
	return out
}
