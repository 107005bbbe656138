package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

var sameKey = cmp.Comparer(func(a, b digestKey) bool { return bytes.Equal(a.bytes(), b.bytes()) })

// TestRunOfAPlan: a plan keeps what the caller said, with paths that hold from every folder.
func TestRunOfAPlan(t *testing.T) {
	said := policy.Policy{
		Class:   "y",
		IQM:     "q.yaml",
		Columns: map[string]policy.Column{"c": {Hierarchy: "h.csv"}},
		Limits:  "hipaa",
	}
	var got run
	q := &ProtectRequest{Source: Source{Path: "in.csv", Policy: "p.yaml", Said: said}, Release: "dir/out.csv"}
	must.NoError(t, json.Unmarshal((&recorder{key: keyOf([]byte{1})}).run(q), &got))
	abs := func(path string) string { a, _ := filepath.Abs(path); return a }
	want := run{
		Key:     keyOf([]byte{1}),
		Policy:  abs("p.yaml"),
		Release: "out.csv",
		Said: policy.Policy{Version: 1, Class: "y", IQM: abs("q.yaml"),
			Columns: map[string]policy.Column{"c": {Hierarchy: abs("h.csv")}}, Limits: "hipaa"},
	}
	if d := cmp.Diff(want, got, sameKey, cmpopts.IgnoreUnexported(policy.Policy{}), cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

// TestOldRun: the run of a plan of before says the same as one of now.
func TestOldRun(t *testing.T) {
	const old = `{"key":"01","source":{"query":"SELECT","class":"y","roles":[{"column":"a","role":6},{"column":"b","role":0}],"policy":"/p.yaml","encoding":"latin1",
		"delimiter":"tab","sheet":"S","items":["i:;"],"keepText":["k"],"missing":[".","a=9","a=8"],"mergeVariants":true,"dates":{"a":"yyyy"},"complete":true,
		"sensitive":"/s","iqm":"/q","hierarchies":{"a":"/h"}},"pseudonymise":["d"],"keepOrder":true,"guardFormulas":true,"blankLookups":true,"release":"o.csv",
		"limits":"none","accept":["found=1"],"atMost":["seconds=1"]}`
	var got run
	must.NoError(t, json.Unmarshal([]byte(old), &got))
	want := run{
		Key:     keyOf([]byte{1}),
		Policy:  "/p.yaml",
		Release: "o.csv",
		Said: policy.Policy{Class: "y", Complete: true, SensitiveFile: "/s", IQM: "/q", KeepOrder: true,
			GuardFormulas: true, BlankLookups: true, Limits: "none", Accept: []string{"found=1"}, AtMost: []string{"seconds=1"},
			File: policy.File{
				Query:          "SELECT",
				Encoding:       "latin1",
				Delimiter:      "tab",
				Sheet:          "S",
				Items:          []string{"i:;"},
				Merge:          true,
				MissingBesides: []policy.Text{"."},
			},
			Columns: map[string]policy.Column{
				"a": {
					Role:      policy.Roles{"quasi-identifier", "confidential"},
					Missing:   []policy.Text{"9", "8"},
					Dates:     "yyyy",
					Hierarchy: "/h",
				},
				"b": {Role: policy.Roles{"other"}}, "d": {Identifier: "pseudonymise"}, "k": {KeepText: true}}},
	}
	if d := cmp.Diff(want, got, sameKey, cmpopts.IgnoreUnexported(policy.Policy{}), cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

// TestFieldsOfColumns: an error about a column that the caller speaks of names the field that does.
func TestFieldsOfColumns(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 10)
	for field, c := range map[string]policy.Column{"keep-text": {KeepText: true}, "missing": {Missing: []policy.Text{"9"}},
		"dates":     {Dates: "dd/mm/yyyy"},
		"numbers":   {Numbers: "1.234,56"},
		"hierarchy": {Hierarchy: in}} {
		_, err := (&Desk{}).Load(ctx, Source{Path: in, Said: policy.Policy{Columns: map[string]policy.Column{"gone": c}}})
		var wrong *Usage
		if !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
