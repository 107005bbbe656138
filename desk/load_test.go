package desk

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

var ctx = context.Background()

// load loads or fails the test.
func load(t *testing.T, s Source) *Loaded {
	t.Helper()
	return must.Get((&Desk{}).Load(ctx, s))(t)
}

// role returns the role of a column.
func (l *Loaded) role(t *testing.T, column string) table.Role {
	t.Helper()
	j := l.Table.Find(column)
	if j < 0 {
		t.Fatalf("no column %s", column)
	}
	return l.Table.Attr(j).Role
}

func TestLoad(t *testing.T) {
	f := newFolder(t)
	l := load(t, Source{Path: f.people(t, 30), Said: policy.Policy{Class: "y"}})
	if l.File.Name != "people.csv" || l.File.Rows != 30 || l.File.Columns != 5 || len(l.File.SHA256) != 64 {
		t.Errorf("the file is %+v", l.File)
	}
	if l.role(t, "y") != table.Class || l.role(t, "name")&table.Identifier == 0 || len(l.Roles) != 5 ||
		l.Profile.Rows != 30 {
		t.Errorf("roles %v and %v, %d suggestions", l.role(t, "y"), l.role(t, "name"), len(l.Roles))
	}
	if l.Hierarchies != nil || l.Incomplete != 0 || len(l.Policy.Thresholds) != 0 {
		t.Error("something was made up")
	}
}

func TestLoadRoles(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 30)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\ncolumns:\n  city: {role: confidential}\n  age: {role: "+
		"quasi-identifier}\n")
	l := load(t, Source{Path: in, Policy: pol})
	if l.role(t, "city") != table.Confidential || l.role(t, "age") != table.Quasi || l.role(t, "y") != table.Class {
		t.Errorf("the policy's roles: %v %v %v", l.role(t, "city"), l.role(t, "age"), l.role(t, "y"))
	}
	l = load(
		t,
		Source{
			Path:   in,
			Policy: pol,
			Said: policy.Policy{
				Columns: map[string]policy.Column{"city": {Role: policy.Roles{"quasi-identifier", "confidential"}}},
			},
		},
	)
	if l.role(t, "city") != table.Quasi|table.Confidential || l.role(t, "age") != table.Quasi {
		t.Errorf("a source's roles win over the policy's and add up: %v %v", l.role(t, "city"), l.role(t, "age"))
	}
	l = load(
		t,
		Source{
			Path:   in,
			Policy: pol,
			Said:   policy.Policy{Columns: map[string]policy.Column{"city": {Role: policy.Roles{"class"}}}},
		},
	)
	if l.role(t, "city")&table.Class == 0 || l.role(t, "y")&table.Class != 0 {
		t.Errorf("a class among the roles wins: %v %v", l.role(t, "city"), l.role(t, "y"))
	}
	l = load(
		t,
		Source{
			Path: in,
			Said: policy.Policy{Class: "city", Columns: map[string]policy.Column{"y": {Role: policy.Roles{"class"}}}},
		},
	)
	if l.role(t, "city")&table.Class == 0 || l.role(t, "y")&table.Class != 0 {
		t.Error("a named class does not win over a role")
	}
	_, err := (&Desk{}).Load(
		ctx,
		Source{
			Path: in,
			Said: policy.Policy{Columns: map[string]policy.Column{"nowhere": {Role: policy.Roles{"quasi-identifier"}}}},
		},
	)
	failed(t, "a role for no column", err, "people.csv", `"nowhere"`)
	_, err = (&Desk{}).Load(ctx, Source{Path: in, Said: policy.Policy{Class: "nowhere"}})
	failed(t, "a class that is no column", err, "people.csv", `"nowhere"`)
}

func TestLoadFailures(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 10)
	for _, c := range []struct {
		name string
		s    Source
		says string
	}{
		{"no table", Source{Path: f.path("gone.csv")}, "gone.csv"},
		{"a folder", Source{Path: string(f)}, ""},
		{"no policy", Source{Path: in, Policy: f.path("gone.yaml")}, "gone.yaml"},
		{"a threshold that no score can keep", Source{Path: in, Policy: f.put(t, "r.yaml", "version: 1\nthresholds:\n  - "+
			"{measure: segments, min: 100}\n")}, "r.yaml:3:"},
		{"an unknown technique", Source{Path: in, Policy: f.put(t, "m.yaml", "version: 1\nmethod: {name: framewrk}\n")},
			"framework"},
		{"a column that is not there", Source{Path: in, Policy: f.put(t, "c.yaml", "version: 1\ncolumns:\n  gone: {keep: "+
			"true}\n")}, `"gone"`},
		{"a hierarchy file that is not there",
			Source{Path: in, Said: policy.Policy{Columns: map[string]policy.Column{"city": {Hierarchy: f.path("gone.txt")}}}},
			"gone.txt"},
	} {
		_, err := (&Desk{}).Load(ctx, c.s)
		failed(t, c.name, err, c.says)
	}
	for what, s := range map[string]Source{
		"bad.yaml:2:": {Path: in, Policy: f.put(t, "bad.yaml", "version: 1\ncolums: {}\n")},
		"h.csv": {Path: in, Said: policy.Policy{Columns: map[string]policy.Column{
			"city": {Hierarchy: f.put(t, "h.csv", "Ulm;a\nUlm;b\n")},
		}}},
	} {
		_, err := (&Desk{}).Load(ctx, s)
		refused(t, "a file that is not what it should be", err, what)
	}
	_, err := (&Desk{}).Load(ctx,
		Source{Path: in, Said: policy.Policy{Columns: map[string]policy.Column{"gone": {Hierarchy: "x"}}}})
	refused(t, "a hierarchy for no column", err, `hierarchy: people.csv has no column "gone"`)
	_, err = (&Desk{}).Load(ctx, Source{Path: "-"})
	refused(t, "nothing to read", err, "standard input")
	var p *policy.Error
	if _, err := (&Desk{}).Load(ctx, Source{Path: in, Policy: f.path("bad.yaml")}); !errors.As(err, &p) {
		t.Error("the place in a policy is lost")
	}
}

func TestStandardInput(t *testing.T) {
	d := &Desk{In: strings.NewReader("a,y\n1,no\n2,yes\n")}
	l, err := d.Load(ctx, Source{Path: "-", Said: policy.Policy{Class: "y"}})
	if err != nil || l.File.Name != "standard input" || l.Table.Rows() != 2 {
		t.Errorf("%v", err)
	}
	if trimmed("-") != "standard input" || trimmed("/a/b.c/wine.csv") != "wine" || trimmed("x.csv.gz") != "x" {
		t.Error("a data set is named after its file")
	}
}

// TestReading: delimiters, marks of missing values, and complete cases.
func TestReading(t *testing.T) {
	f := newFolder(t)
	in := f.put(t, "odd.txt", "a|b|y\n1|x|no\n.|y|yes\n3||no\n4|z|yes\n")
	l := load(
		t,
		Source{
			Path: in,
			Said: policy.Policy{Class: "y", File: policy.File{Delimiter: "pipe", MissingBesides: []policy.Text{".", ""}}},
		},
	)
	if l.Table.Width() != 3 || !l.Table.MissingAt(1, 0) || !l.Table.MissingAt(2, 1) {
		t.Errorf("%d columns", l.Table.Width())
	}
	l = load(
		t,
		Source{
			Path: in,
			Said: policy.Policy{
				Class:    "y",
				Complete: true,
				File:     policy.File{Delimiter: "|", MissingBesides: []policy.Text{".", ""}},
			},
		},
	)
	if l.Table.Rows() != 2 || l.Incomplete != 2 || l.File.Rows != 4 {
		t.Errorf("%d complete records, %d left out, %d in the file", l.Table.Rows(), l.Incomplete, l.File.Rows)
	}
	if notes := l.Notes(); notes[len(notes)-1].String() != "2 records with a missing value were left out" {
		t.Errorf("%q", notes)
	}
	whole := load(t, Source{Path: f.people(t, 5), Said: policy.Policy{Complete: true}})
	if whole.Incomplete != 0 || strings.Contains(strings.Join(message.Written(whole.Notes()), ""), "left out") {
		t.Error("complete records are left out")
	}
	for name, want := range map[string]byte{"comma": ',', "Semicolon": ';', "tab": '\t', `\t`: '\t', "\t": '\t', "pipe": '|', ":": ':'} {
		if got, err := policy.ParseDelimiter(name); err != nil || got != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"ab", `"`, "\n", "\r", "é"} {
		_, err := (&Desk{}).Load(ctx, Source{Path: in, Said: policy.Policy{File: policy.File{Delimiter: name}}})
		refused(t, name, err, "delimiter "+`"`)
	}
}

// TestHierarchies: those of a policy are beside it, and those of the source win.
func TestHierarchies(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 30)
	tree := "Ulm;south;*\nBonn;west;*\nKiel;north;*\n"
	f.put(t, "city.csv", tree)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\ncolumns:\n  city: {hierarchy: city.csv}\n")
	l := load(t, Source{Path: in, Policy: pol})
	if l.Hierarchies["city"] == nil {
		t.Fatal("a hierarchy of the policy is not read from its folder")
	}
	other := f.put(t, "other.csv", strings.ReplaceAll(tree, ";*", ";all;*"))
	two := load(t,
		Source{Path: in, Policy: pol, Said: policy.Policy{Columns: map[string]policy.Column{"city": {Hierarchy: other}}}})
	if len(two.Hierarchies) != 1 || two.Hierarchies["city"].Height() == l.Hierarchies["city"].Height() {
		t.Error("the source's hierarchy does not win")
	}
}

func TestLearnable(t *testing.T) {
	f := newFolder(t)
	l := load(t, Source{Path: f.put(t, "one.csv", "a,y\n1,no\n2,no\n"), Said: policy.Policy{Class: "y"}})
	failed(t, "a class with one value", l.Learnable(), "one.csv", `"y"`)
	if err := load(t, Source{Path: f.people(t, 20), Said: policy.Policy{Class: "y"}}).Learnable(); err != nil {
		t.Error(err)
	}
	l = load(
		t,
		Source{
			Path: f.put(t, "ids.csv", "a,b\n1,x\n2,y\n"),
			Said: policy.Policy{
				Columns: map[string]policy.Column{"a": {Role: policy.Roles{"identifier"}}, "b": {Role: policy.Roles{"identifier"}}},
			},
		},
	)
	_, err := l.Anonymous()
	failed(t, "identifiers alone", err, "ids.csv: every column is an identifier")
}

func TestInspect(t *testing.T) {
	f := newFolder(t)
	i := must.Get((&Desk{}).Inspect(
		ctx,
		Source{
			Path: f.people(t, 30),
			Said: policy.Policy{
				Class: "y",
				Columns: map[string]policy.Column{
					"age":  {Role: policy.Roles{"quasi-identifier"}},
					"city": {Role: policy.Roles{"quasi-identifier"}},
				},
			},
		},
	))(t)
	want, err := profile.Expose(ctx, i.Table)
	if err != nil || i.Exposure.K != want.K || len(i.Exposure.QuasiIdentifiers) != 2 {
		t.Errorf("exposure %+v, want %+v", i.Exposure, want)
	}
	d := i.Document()
	if d.Schema != "dither/inspect/2" || d.File.Name != "people.csv" || len(d.Roles) != 5 || d.Profile.Rows != 30 {
		t.Errorf("%+v", d)
	}
	i = must.Get((&Desk{}).Inspect(ctx,
		Source{Path: f.put(t, "gaps.csv", "a,b\n1,x\n,y\n3,x\n"), Said: policy.Policy{Complete: true}}))(t)
	notes := strings.Join(texts(i.Document().Notes), "\n")
	if !strings.Contains(notes, "1 record with a missing value was left out") || i.Document().Profile.Rows != 2 {
		t.Errorf("the document of complete records has the notes %q", notes)
	}
	_, err = (&Desk{}).Inspect(ctx, Source{Path: f.path("gone.csv")})
	failed(t, "no table", err, "gone.csv")
}

func texts(all []message.Words) (out []string) {
	for _, w := range all {
		out = append(out, w.String())
	}
	return out
}
