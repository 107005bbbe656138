package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
)

// everyCommand visits the program and all its verbs.
func everyCommand(visit func(*cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		visit(c)
		for _, k := range c.Commands() {
			walk(k)
		}
	}
	walk((&app{out: &strings.Builder{}, err: &strings.Builder{}}).root(nil))
}

// TestVerbs: a verb that is called is made without the others, which needs its name before it is made.
func TestVerbs(t *testing.T) {
	a := &app{out: &strings.Builder{}, err: &strings.Builder{}}
	for _, v := range a.verbs(nil) {
		if c := v.make(); c.Name() != v.name {
			t.Errorf("the verb %s is called %s", c.Name(), v.name)
		}
		if n := len(a.verbs([]string{v.name, "x"})); n != 1 {
			t.Errorf("%s makes %d verbs", v.name, n)
		}
	}
	if all := a.verbs(nil); len(a.verbs([]string{"help", "mine"})) != len(all) ||
		len(a.verbs([]string{"min"})) != len(all) {
		t.Error("help and a misspelt verb need all verbs")
	}
}

// TestHelp: every verb says what it does in a line and shows an example of itself whose flags exist.
func TestHelp(t *testing.T) {
	verbs := 0
	everyCommand(func(c *cobra.Command) {
		path := c.CommandPath()
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: its line is %q", path, c.Short)
		}
		if c.HasSubCommands() {
			return
		}
		verbs++
		if c.Example == "" {
			t.Errorf("%s: no example", path)
		}
		for line := range strings.Lines(c.Example) {
			if !strings.HasPrefix(strings.TrimSpace(line), path) {
				t.Errorf("%s: the example %q is of something else", path, line)
			}
			for _, word := range strings.Fields(line) {
				if name, ok := strings.CutPrefix(word, "--"); ok && c.Flags().Lookup(name) == nil {
					t.Errorf("%s: the example has a flag --%s that there is not", path, name)
				}
			}
		}
		code, out, complaint := try(t, append(strings.Fields(path)[1:], "--help")...)
		if code != exitDone || complaint != "" || !strings.HasPrefix(out, c.Short+"\n\nExamples:\n"+c.Example+"\n") {
			t.Errorf("%s --help: exit %d, %s%s", path, code, out, complaint)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%s --help: a line of %d characters: %s", path, n, line)
			}
		}
	})
	if verbs < 14 {
		t.Errorf("%d verbs", verbs)
	}
}

// TestSharedFlags: verbs that read a table read it by the same flags, and those that write can be forced.
func TestSharedFlags(t *testing.T) {
	everyCommand(func(c *cobra.Command) {
		fl := c.Flags()
		if fl.Lookup("class") != nil {
			for _, name := range []string{"role", "policy", "delimiter", "missing", "complete"} {
				if fl.Lookup(name) == nil {
					t.Errorf("%s reads a table and has no --%s", c.CommandPath(), name)
				}
			}
		}
		if (fl.Lookup("output") != nil || fl.Lookup("report") != nil) && fl.Lookup("force") == nil {
			t.Errorf("%s writes and has no --force", c.CommandPath())
		}
	})
}

func TestSource(t *testing.T) {
	f := said{
		roles:   []string{"a=b=quasi-identifier", "c= class"},
		file:    "p.yaml",
		missing: []string{"."},
		trees:   []string{"city=h.csv"},
	}
	s := must.Get(f.source("in.csv"))(t)
	want := policy.Policy{
		Class: "c",
		File:  policy.File{MissingBesides: []policy.Text{"."}},
		Columns: map[string]policy.Column{
			"a=b": {Role: policy.Roles{"quasi-identifier"}}, "c": {Role: policy.Roles{"class"}}, "city": {Hierarchy: "h.csv"}},
	}
	if s.Path != "in.csv" || s.Policy != "p.yaml" || !reflect.DeepEqual(s.Said, want) {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct {
		f    said
		says string
	}{
		{said{roles: []string{"age=quasi-identifer"}}, `--role "age=quasi-identifer": "quasi-identifer" is not a role; did you mean "quasi-identifier"?`},
		{said{roles: []string{"age"}}, `--role "age": expected column=role with a role of `},
		{said{roles: []string{"=class"}}, `--role "=class"`},
		{said{roles: []string{"age=king"}}, `--role "age=king"`},
		{said{trees: []string{"city"}}, `--hierarchy "city": expected column=file`},
		{said{trees: []string{"=f"}}, `--hierarchy "=f": expected column=file`},
		{said{trees: []string{"city="}}, `--hierarchy "city=": expected column=file`},
		{said{trees: []string{"city=a", "city=b"}}, `--hierarchy: column "city" has two`},
	} {
		_, err := c.f.source("in.csv")
		if err == nil || exitCode(err) != exitUsage || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %s", c.f, err, c.says)
		}
	}
}

func TestAssignments(t *testing.T) {
	got, err := assignments([]string{"b=1,2", "a=x=y", "c="})
	if err != nil || len(got) != 3 || got[0] != (desk.Assignment{Name: "b", Value: "1,2"}) || got[1].Value != "x=y" ||
		got[2].Value != "" {
		t.Errorf("%v, %v", got, err)
	}
	if set, err := sets([]string{"b=1", "a=2"}); err != nil || len(set) != 2 || set["a"] != "2" {
		t.Errorf("%v, %v", set, err)
	}
	for _, flags := range [][]string{{"a"}, {"=1"}, {"a=1", "a=2"}} {
		if _, err := sets(flags); err == nil || exitCode(err) != exitUsage || !strings.HasPrefix(err.Error(), "--set ") {
			t.Errorf("%q: %v", flags, err)
		}
	}
}

func TestIntruderFlags(t *testing.T) {
	f := said{
		Policy:   policy.Policy{IntruderFiles: policy.Files{"a.yaml"}},
		intruder: intruders{knows: "age~2", secret: "y", outsider: true},
	}
	s, err := f.source("in.csv")
	if p := &s.Said; err != nil || len(p.IntruderFiles) != 1 || len(p.Intruders) != 1 ||
		p.Intruders[0].Within["age"] != 2 ||
		!p.Intruders[0].Outsider {
		t.Errorf("%+v, %v", p, err)
	}
	if s, err := new(said).source("in.csv"); err != nil || s.Said.Intruders != nil {
		t.Error("an intruder is made up")
	}
	for _, i := range []intruders{{secret: "y"}, {outsider: true}, {unaware: true}, {knows: "age~x"}} {
		if _, err := (&said{intruder: i}).source("in.csv"); err == nil || exitCode(err) != exitUsage {
			t.Errorf("%+v: %v", i, err)
		}
	}
}

// TestExitCodes: a wrong call is 2 wherever it is found, a broken threshold 3, and anything else 1.
func TestExitCodes(t *testing.T) {
	broken := &desk.Broken{Verdict: "no"}
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("disk"), exitFailed}, {wrong("x"), exitUsage}, {&desk.Usage{Err: errors.New("x")}, exitUsage},
		{fmt.Errorf("in.csv: %w", &desk.Usage{Err: errors.New("x")}), exitUsage},
		{broken, exitThreshold}, {verdict(errors.New("disk"), broken), exitThreshold}, {context.Canceled, exitFailed},
		{&desk.Interrupted{}, exitFailed},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%v: exit %d, want %d", c.err, got, c.want)
		}
	}
	if verdict(nil, nil) != nil {
		t.Error("a release that keeps its thresholds is an error")
	}
}

// TestComplaints: what the desk refuses is said in the words of the command line, in one line, and nothing steers the
// terminal.
func TestComplaints(t *testing.T) {
	exists := fmt.Errorf("out.csv %w", desk.ErrExists)
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("disk full"), "dither: disk full\n"},
		{&desk.Usage{Field: "set", Value: "a=b", Err: errors.New("no")}, "dither: --set a=b: no\n"},
		{&desk.Usage{Err: exists}, "dither: out.csv exists; --force overwrites it\n"},
		{&desk.Usage{Err: desk.ErrPublicAttack}, "dither: what an intruder can do with a release is confidential, so no " +
			"report of it is public; leave out --public\n"},
		{&desk.Usage{Err: fmt.Errorf("c45 %w", desk.ErrNoClusters)}, "dither: c45 finds no clusters; \"dither mine " +
			"--help\" lists what else can be mined\n"},
		{fmt.Errorf("words; %w", desk.ErrGeneral), "dither: words; a release that generalises needs its plan or its " +
			"hierarchies (--plan, --hierarchy)\n"},
		{fmt.Errorf("reading: %w", context.Canceled), "dither: interrupted; no release was written\n"},
		{errors.New("column \x1b[31m"), "dither: column  [31m\n"},
	} {
		var e strings.Builder
		(&app{err: &e}).complain(c.err)
		if e.String() != c.want {
			t.Errorf("%q, want %q", e.String(), c.want)
		}
	}
	var e strings.Builder
	a := &app{err: &e}
	a.note(desk.Note{Says: message.Text("rows\x1b"), Field: "unpaired"})
	a.note(desk.Note{Says: message.Text("plain")})
	if e.String() != "note: rows ; a release in another order needs --unpaired\nnote: plain\n" {
		t.Errorf("%q", e.String())
	}
}

// TestHeartbeat: a log gets a line at every beat, which names the work and how far it is, across pieces of work too,
// and nothing after the end. The clock of the test goes on where everything waits for it.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e strings.Builder
		a := &app{err: &e}
		a.beats.every = 20 * time.Millisecond
		p := a.progress("measuring \x1b")
		p.Done(1, 4)
		time.Sleep(70 * time.Millisecond) // beats at 20, 40 and 60
		p.End()
		if e.String() != strings.Repeat("measuring  : 25 %\n", 3) {
			t.Errorf("%q", e.String())
		}
		e.Reset()
		for range 20 { // each is shorter than a beat: beats at 80, 100, 120 and 140
			q := a.progress("reading")
			time.Sleep(4 * time.Millisecond)
			q.End()
		}
		if e.String() != strings.Repeat("reading\n", 4) {
			t.Errorf("many short pieces of work: %q", e.String())
		}
		e.Reset()
		time.Sleep(30 * time.Millisecond)
		if e.Len() > 0 {
			t.Error("work that has ended is told of")
		}
	})
}

// TestNoBar: what is short says nothing in a log, from any number of goroutines.
func TestNoBar(t *testing.T) {
	var e strings.Builder
	p := (&app{err: &e}).progress("reading")
	done := make(chan bool)
	for range 4 {
		go func() { p.Done(1, 2); done <- true }()
	}
	for range 4 {
		<-done
	}
	p.End()
	if e.Len() > 0 || terminal(&e) {
		t.Errorf("%q", e.String())
	}
	if f, err := os.Create(filepath.Join(t.TempDir(), "f")); err == nil {
		defer f.Close()
		if terminal(f) {
			t.Error("a file is taken for a terminal")
		}
	}
}

// refusedCalls are wrong calls with what the complaint about them says.
var refusedCalls = []struct{ says, args string }{
	{"unknown command", "protct"},
	{"accepts 1 arg", "inspect"},
	{"accepts 1 arg", "protect IN IN -o OUT"},
	{"accepts 2 arg", "evaluate IN"},
	{"requires at least 1 arg", "compare"},
	{"--bogus", "inspect IN --bogus"},
	{"invalid argument", "compare IN --method rpt --folds many"},
	{"name the release with -o FILE", "protect IN"},
	{"--public is about the report", "protect IN -o OUT --public"},
	{"leave out --method, --within and --set", "protect IN -o OUT --plan p --method rpt"},
	{"leave out --method, --within and --set", "protect IN -o OUT --plan p --set k=3"},
	{`--set "k": expected name=value`, "protect IN -o OUT --set k"},
	{"--role", "protect IN -o OUT --role a"},
	{`--delimiter "ab": expected`, "inspect IN --delimiter ab"},
	{"in.csv is an input", "protect IN -o IN --force"},
	{"in.csv exists; --force overwrites it", "generate patients -o IN"},
	{"named for two outputs", "protect IN --class y -o OUT --report OUT"},
	{"--public is about the report", "evaluate IN IN --public"},
	{"--set linkage: expected measure.name=value", "evaluate IN IN --measure bias --set linkage=3"},
	{"--secret, --outsider and --unaware", "evaluate IN IN --secret y"},
	{`--knows "a~x"`, "attack IN IN --knows a~x"},
	{"--riskiest -1: expected at least 0", "attack IN IN --riskiest -1"},
	{"leave out --public", "attack IN IN --public --report OUT"},
	{"name the techniques with --method", "compare IN"},
	{"--folds of at least 2", "compare IN --method rpt --folds 1"},
	{"--utility accuracy: not a measure", "compare IN --method rpt --measure bias --utility accuracy"},
	{"--class names 2 columns for 3 tables", "compare IN IN IN --method rpt --class a,b"},
	{"--set rnat.spread=3:", "compare IN --method rpt --set rnat.spread=3"},
	{"name a table, or a saved tree", "mine tree"},
	{"use one of", "mine tree IN --dot --svg"},
	{"--read reads a finished one", "mine tree --read t --set minLeaf=3"},
	{"name the miner with --miner NAME", "mine model IN"},
	{"c45 finds no clusters; ", "mine clusters IN --class y --miner c45"},
	{"--labels: detective clusters values", "mine clusters IN --class y --miner detective --labels OUT"},
	{"name the table with -o FILE", "generate patients"},
	{"--rows -3: expected 0 or more", "generate patients -o OUT -n -3"},
	{"unknown", "generate nobody -o OUT"},
	{`unknown technique "framwork"; did you mean "framework"?`, "methods framwork"},
	{"unknown measure", "measures nosuch"},
	{"unknown miner", "miners nothing"},
	{"unknown generator", "generators nobody"},
	{"unknown command", "policy-schema x"},
	{`no document is called "protct"; did you mean "protect"?`, "schema protct"},
	{`"dither schema" lists them`, "schema nothingalike"},
	{"unknown command", "demo x"},
}

// TestRefused runs wrong calls of every verb: exit 2, nothing on standard output, one line that names the flag or the
// file, and no file.
func TestRefused(t *testing.T) {
	in := put(t, "in.csv", "a,b,y\n1,x,no\n2,x,no\n3,y,yes\n4,y,yes\n")
	dir := filepath.Dir(in)
	out := filepath.Join(dir, "out.csv")
	for _, c := range refusedCalls {
		args := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(c.args, "IN", in), "OUT", out))
		code, printed, complaint := try(t, args...)
		if code != exitUsage || printed != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, c.says) {
			t.Errorf("dither %s: exit %d, %q, want %q", c.args, code, complaint, c.says)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("dither %s: a refused call wrote", c.args)
		}
	}
}

// TestFailures: what cannot be read is exit 1, and a broken threshold exit 3 with the report written.
func TestFailures(t *testing.T) {
	in := put(t, "in.csv", "a,b,y\n1,4,no\n2,1,no\n13,6,yes\n14,2,yes\n5,5,no\n16,3,yes\n")
	dir := filepath.Dir(in)
	for _, args := range [][]string{{"inspect", "gone.csv"},
		{"protect", "--limits", "none", "gone.csv", "-o", filepath.Join(dir, "o.csv")},
		{"evaluate", "--limits", "none", in, "gone.csv"}, {"attack", "--limits", "none", in, "gone.csv"},
		{"compare", "gone.csv", "--method", "rpt"}, {"mine", "tree", "gone.csv"}, {"mine", "tree", "--read", "gone.csv"},
		{"mine", "clusters", "gone.csv"}} {
		if code, out, complaint := try(t, args...); code != exitFailed || out != "" ||
			!strings.Contains(complaint, "gone.csv") {
			t.Errorf("%q: exit %d, %s", args, code, complaint)
		}
	}
	strict := filepath.Join(dir, "strict.yaml")
	must.NoError(t, os.WriteFile(strict, []byte("version: 1\nclass: y\nthresholds:\n  - {measure: bias, max: 0}\n"),
		0o600))
	release := filepath.Join(dir, "no.csv")
	for _, more := range [][]string{nil, {"--json"}} {
		code, out, complaint := try(
			t,
			append([]string{"protect", "--limits", "none", in, "--policy", strict, "-o", release}, more...)...)
		if _, err := os.Stat(release); code != exitThreshold || err == nil || out == "" ||
			!strings.Contains(complaint, "the release is withheld: Change of correlations, and bias by type is ") ||
			strings.Contains(out, "no.csv  ") {
			t.Errorf("%q: exit %d, %s", more, code, complaint)
		}
	}
	if code, _, complaint := try(t, "evaluate", "--limits", "none", in, in, "--policy", strict, "--measure",
		"bias"); code != exitDone {
		t.Errorf("the original keeps its own threshold: exit %d, %s", code, complaint)
	}
}

// TestJSON: the verbs with --json print one document, of the schema they are named after.
func TestJSON(t *testing.T) {
	in := put(t, "in.csv", "a,b,y\n1,x,no\n2,x,no\n3,y,yes\n4,y,yes\n5,x,no\n6,y,yes\n")
	out := filepath.Join(filepath.Dir(in), "out.csv")
	saved := filepath.Join(filepath.Dir(in), "tree.json")
	if code, _, complaint := try(t, "mine", "tree", in, "--class", "y", "--json", "-o", saved); code != exitDone {
		t.Fatal(complaint)
	}
	for _, c := range []struct{ schema, args string }{
		{"dither/inspect/2", "inspect IN --class y"},
		{"dither/protect/4", "protect IN --class y -o OUT --limits none"},
		{"dither/evaluate/4", "evaluate IN OUT --class y --measure bias --limits none"},
		{"dither/attack/4", "attack IN OUT --class y --measure linkage --limits none"},
		{"dither/compare/3", "compare IN --class y --method rpt --measure bias --folds 2 --repeats 1"},
		{"dither/clusters/1", "mine clusters IN --set k=2"},
		{"dither/itemsets/1", "mine itemsets IN"},
		{"dither/rules/1", "mine rules IN"},
		{"dither/model/1", "mine model IN --class y --miner bore"},
		{"dither/classified/2", "mine tree IN --read TREE"},
		{"dither/methods/1", "methods"},
		{"dither/measures/1", "measures"},
		{"dither/miners/1", "miners"},
		{"dither/generators/1", "generators"},
	} {
		args := strings.Fields(strings.NewReplacer("IN", in, "OUT", out, "TREE", saved).Replace(c.args))
		code, printed, complaint := try(t, append(args, "--json")...)
		var got struct{ Schema string }
		d := json.NewDecoder(strings.NewReader(printed))
		if err := d.Decode(&got); code != exitDone || err != nil || got.Schema != c.schema || d.More() {
			t.Errorf("dither %s: exit %d, %v, schema %q, %s", c.args, code, err, got.Schema, complaint)
		}
	}
}

// TestFilesSaid: protect says where everything is, and what is to be kept apart.
func TestFilesSaid(t *testing.T) {
	for _, c := range []struct {
		made   desk.Files
		public bool
		want   string
	}{
		{desk.Files{Release: "o.csv", Report: "r.html", Plan: "p.json"}, false, "[{release o.csv false} {report r.html " +
			"true} {plan p.json true} {seed s true}]"},
		{desk.Files{Release: "o.csv", Report: "r.html", Plan: "p.json"}, true, "[{release o.csv false} {report r.html " +
			"false} {plan p.json true} {seed s true}]"},
		{desk.Files{Report: "r.html"}, false, "[{report r.html true} {seed s true}]"},
	} {
		if got := fmt.Sprint(protectedFiles(&desk.Protection{Files: c.made, Public: c.public}, "s")); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestWidth: COLUMNS is honoured, and what is no terminal is 80 wide.
func TestWidth(t *testing.T) {
	for _, c := range []struct {
		columns string
		want    int
	}{{"", 80}, {"132", 132}, {"0", 80}, {"wide", 80}} {
		t.Setenv("COLUMNS", c.columns)
		if got := (&app{out: &strings.Builder{}}).width(); got != c.want {
			t.Errorf("COLUMNS %q: %d", c.columns, got)
		}
	}
}

// TestLookUp: the catalogue is listed and shown by any published name.
func TestLookUp(t *testing.T) {
	for verb, name := range map[string]string{"methods": "Framework", "measures": "Bias", "miners": "C45",
		"generators": "Quest"} {
		code, list, _ := try(t, verb)
		if code != exitDone || !strings.Contains(list, strings.ToLower(name)) || !strings.Contains(list, "what it does") {
			t.Errorf("%s: exit %d", verb, code)
		}
		code, one, _ := try(t, verb, name)
		if code != exitDone || !strings.Contains(one, "("+strings.ToLower(name)+")") || !strings.Contains(one, "source:") ||
			strings.Contains(one, "better:") != (verb == "measures") {
			t.Errorf("%s %s: exit %d, %s", verb, name, code, one)
		}
	}
	_, whole, _ := try(t, "schema", "policy")
	if code, schema, _ := try(t, "policy-schema"); code != exitDone || schema != whole ||
		!strings.Contains(schema, `"title": "dither policy"`) {
		t.Errorf("policy-schema: exit %d", code)
	}
	if code, out, _ := try(t, "--version"); code != exitDone || !strings.HasPrefix(out, "dither version ") {
		t.Errorf("--version: exit %d, %s", code, out)
	}
	for _, args := range [][]string{{}, {"mine"}} { // nil would be the arguments of the test itself
		if code, out, _ := try(t, args...); code != exitDone || !strings.Contains(out, "Usage:") {
			t.Errorf("%q: exit %d", args, code)
		}
	}
}
