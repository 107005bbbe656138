package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/must"
)

func parsed(t *testing.T, text string) *Policy {
	t.Helper()
	return must.Get(Parse("p.yaml", []byte("version: 1\n"+text)))(t)
}

// TestRecall: what was kept of a reading holds where a policy says nothing; where both speak the policy stands, and
// both ways are told.
func TestRecall(t *testing.T) {
	full := "file: {encoding: windows-1252, delimiter: tab, sheet: people, missing: [\"\", n/a], merge-variants: true, " +
		"missing-out: x}\n" +
		"columns:\n  age: {missing: [999, 998], domain: [0, 110], outside: clip}\n  born: {dates: DD/mm/yyyy}\n  zip: " +
		"{kind: categorical, role: quasi-identifier}\n"
	data := must.Get(json.Marshal(parsed(t, full).Reading()))(t)
	if strings.Contains(string(data), "role") || strings.Contains(string(data), "missing-out") {
		t.Errorf("the reading holds more than it should: %s", data)
	}
	var kept Reading
	must.NoError(t, json.Unmarshal(data, &kept))
	all := []string{"encoding", "delimiter", "sheet", "marks of missing values", "merged variants",
		`missing values of "age"`, `kind of "age"`, `ends of "age"`, `dates of "born"`, `kind of "zip"`}
	for _, c := range []struct {
		what, own       string
		taken, contrary []string
	}{
		{"nothing", "class: y\n", all, nil},
		{"all of it", full, nil, nil},
		{"in another order", "file: {missing: [n/a, \"\"]}\ncolumns:\n  age: {missing: [998, 999]}\n",
			[]string{"encoding", "delimiter", "sheet", "merged variants", all[6], all[7], all[8], all[9]}, nil},
		{"other codes and kinds", "file: {encoding: utf-8}\ncolumns:\n  age: {missing: [999]}\n  zip: {kind: numeric}\n  " +
			"born: {dates: mm/dd/yyyy}\n",
			[]string{"delimiter", "sheet", "marks of missing values", "merged variants", all[6], all[7]},
			[]string{"encoding", all[5], all[8], all[9]}},
		{"a code too many", "columns:\n  pay: {missing: [-1], domain: [0, 9]}\n", all, []string{`missing values of "pay"`}},
	} {
		p := parsed(t, c.own)
		before := p.Reading()
		q, taken, contrary := p.Recall(&kept)
		if d := cmp.Diff(c.taken, taken); d != "" {
			t.Errorf("%s, taken (-want +got):\n%s", c.what, d)
		}
		if d := cmp.Diff(c.contrary, contrary); d != "" {
			t.Errorf("%s, contrary (-want +got):\n%s", c.what, d)
		}
		if d := cmp.Diff(before, p.Reading()); d != "" {
			t.Errorf("%s: the policy itself is changed:\n%s", c.what, d)
		}
		if _, again, _ := q.Recall(&kept); again != nil {
			t.Errorf("%s: not taken: %q", c.what, again)
		}
	}
	if q, _, contrary := parsed(t, "file: {merge-variants: true}\n").Recall(&Reading{}); len(contrary) != 1 ||
		!q.File.Merge {
		t.Errorf("merging what was not merged: %q", contrary)
	}
	q, _, _ := (&Policy{}).Recall(&kept)
	if d := cmp.Diff(&kept, q.Reading()); d != "" {
		t.Errorf("an empty policy that recalls (-kept +got):\n%s", d)
	}
}
