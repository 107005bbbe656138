package workbench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestMain lets this binary be the child of a workbench, too: one that does its job, one that does nothing, and one
// that nothing disturbs.
func TestMain(m *testing.M) {
	chance.Fix(os.Getenv("WORKBENCH_TEST_CHILD"))
	switch os.Getenv("WORKBENCH_TEST_CHILD") {
	case "job":
		if err := Job(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "hang":
		fmt.Println(`{"Work":"protecting","Done":1,"Total":4}`)
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	case "deaf": // in a long computation, with a file that is not in its place
		_ = attended(context.Background(), os.Stdin, func(context.Context) {
			if _, err := wholefile.Create("begun", wholefile.Options{}); err == nil {
				fmt.Println(`{"Work":"begun"}`)
			}
			select {}
		})
		os.Exit(0)
	}
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// child is this binary as a child of a kind.
func child(kind string) func(context.Context) *exec.Cmd {
	return func(ctx context.Context) *exec.Cmd {
		c := exec.CommandContext(ctx, os.Args[0])
		c.Env = append(os.Environ(), "WORKBENCH_TEST_CHILD="+kind)
		return c
	}
}

// patience is how long a test waits for what should come: a busy machine took more than a minute for a trial.
const patience = 5 * time.Minute

// done waits until nothing is under way.
func (s *Server) done(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); s.work.running(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the work does not end")
		}
	}
}

const easy = "version: 1\nclass: ill\nlimits: none # a test\nmethod: {name: rpt}\ncolumns:\n  age: {role: " +
	"quasi-identifier}\n"

// request sends a form of a screen as its page does.
func (v *visitor) request(path, screen string, pairs ...string) (int, string) {
	v.Helper()
	_, page := v.get("/" + screen)
	form := url.Values{"screen": {screen}, "seen": {seenField.FindStringSubmatch(page)[1]}}
	for k := 0; k < len(pairs); k += 2 {
		form.Set(pairs[k], pairs[k+1])
	}
	return v.post(path, form)
}

// TestSigned goes the whole way: the release that is signed is byte for byte that of dither protect with the written
// policy and seed, nothing is overwritten, and neither plan nor seed is ever served.
func TestSigned(t *testing.T) {
	in := people(t)
	s := serve(t, in)
	must.NoError(t, s.folder.write(policyName, []byte(easy)))
	v := visit(t, s, true)
	for _, screen := range []string{"look", "sign"} {
		if _, body := v.get("/" + screen); !strings.Contains(body, "was not tried") ||
			!strings.Contains(body, `id="run-all"`) {
			t.Errorf("%s before anything was tried:\n%s", screen, body)
		}
	}
	if code, body := v.request("/sign", "sign", "name", "A", "reason", "B"); code != 422 ||
		!strings.Contains(body, "try it first") {
		t.Errorf("signing what was not tried: %d", code)
	}
	v.request("/run", "try")
	s.done(t)
	_, tried := v.get("/try")
	if !strings.Contains(tried, "What the policy gives, on all 300 records") || !strings.Contains(tried, "as it stands") {
		t.Fatalf("%s", tried)
	}
	_, look := v.get("/look")
	if !strings.Contains(look, "What does an intruder learn?") || strings.Contains(look, "Secretly") {
		t.Error("the report's sections")
	}
	_, page := v.get("/sign")
	boxes := regexp.MustCompile(` name="(box\d+)"`).FindAllStringSubmatch(page, -1)
	if len(boxes) == 0 {
		t.Fatalf("no boxes:\n%s", page)
	}
	form := []string{"name", "Dr. A", "reason", "a study of <blood> pressure"}
	if code, body := v.request("/sign", "sign", form...); code != 422 ||
		!strings.Contains(body, "tick everything") && !strings.Contains(body, "Tick everything") {
		t.Errorf("without the boxes: %d", code)
	}
	for _, b := range boxes {
		form = append(form, b[1], "yes")
	}
	if code, _ := v.request("/sign", "sign", append([]string{"name", " "}, form[2:]...)...); code != 422 {
		t.Errorf("without a name: %d", code)
	}
	for n := 1; n <= 2; n++ { // the second beside the first
		if code, body := v.request("/sign", "sign", form...); code != http.StatusOK {
			t.Fatalf("%d: %s", code, body)
		}
		s.done(t)
		p := s.paths(fmt.Sprint(n))
		for _, path := range p {
			if _, err := os.Stat(path); err != nil {
				t.Fatalf("number %d: %v: %+v", n, err, s.work.view())
			}
		}
		again := filepath.Join(t.TempDir(), "again.csv")
		must.Get((&desk.Desk{}).Protect(t.Context(),
			desk.ProtectRequest{Source: desk.Source{Path: in, Policy: p[6]}, SeedFile: s.folder.path(seedName),
				Release: again}))(t)
		a, _ := os.ReadFile(p[0])
		b, _ := os.ReadFile(again)
		if !bytes.Equal(a, b) {
			t.Error("the release is not that of dither protect")
		}
		if text, _ := os.ReadFile(p[6]); string(text) != easy {
			t.Error("the policy that was signed is another one")
		}
		if got, want := s.signedBy(t, p), "Dr. A|a study of <blood> pressure|not judged|"; got != want {
			t.Errorf("number %d: the record says %q, expected %q", n, got, want)
		}
		if signed, _ := os.ReadFile(p[5]); !strings.Contains(string(signed), "a study of <blood> pressure") {
			t.Errorf("%s", signed)
		}
		public, _ := os.ReadFile(p[3])
		if bytes.Contains(public, []byte("confidential")) || !bytes.Contains(public, []byte("users of the release")) {
			t.Error("the public report")
		}
	}
	seed, _ := os.ReadFile(s.folder.path(seedName))
	for _, path := range []string{"/table", "/try", "/look", "/sign", "/job", "/seed", "/plan-1.json", "/policy.yaml",
		"/candidates.jsonl", "/signature-1.json", "/release-1.csv"} {
		code, body := v.get(path)
		if strings.Contains(body, strings.TrimSpace(string(seed))) ||
			strings.Contains(path, ".") && code != http.StatusNotFound {
			t.Errorf("%s: %d", path, code)
		}
	}
	if list, _ := s.folder.read(candidatesName); bytes.Contains(list, seed[:32]) ||
		bytes.Contains(list, []byte("Secretly")) {
		t.Error("the list of candidates holds a secret")
	}
}

// TestRestored: a candidate's policy comes back with its comments, and what was tried is not tried again.
func TestRestored(t *testing.T) {
	long.Only(t, "a page, ended and opened again")
	in := people(t)
	s := serve(t, in)
	_ = s.folder.write(policyName, []byte(easy))
	v := visit(t, s, true)
	v.request("/run", "try")
	s.done(t)
	first := s.policyText(t)
	if code, body := v.request("/edit", "try", "what", "method", "value", "framework"); code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	if s.policyText(t) == first {
		t.Fatal("the technique is the same")
	}
	all, err := s.folder.candidates()
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	if code, _ := v.request("/edit", "try", "what", "restore", "value", all[0].ID); code != http.StatusOK ||
		s.policyText(t) != first {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
	v.request("/run", "try")
	if s.work.running() {
		t.Error("what is known is tried again")
	}
	_ = s.folder.write(policyName,
		[]byte("# the same, said in another order\n"+strings.Replace(easy, "class: ill\n", "", 1)+"class: ill\n"))
	v.request("/run", "try")
	if _, page := v.get("/try"); s.work.running() || !strings.Contains(page, "as it stands") {
		t.Error("what says the same is tried again")
	}
	if code, _ := v.request("/edit", "try", "what", "restore", "value", "../x"); code != 422 {
		t.Errorf("a candidate that there is not: %d", code)
	}
}

// TestSettings: a parameter is one key, its default is none, and what is out of range is refused.
func TestSettings(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	for _, c := range []struct {
		form []string
		want string
	}{
		{[]string{"what", "param", "name", "leaf", "value", "50"}, "version: 1\nmethod: {name: segmentsynthesis, set: " +
			"{leaf: 50}}\n"},
		{[]string{"what", "param", "name", "leaf", "value", ""}, "version: 1\nmethod: {name: segmentsynthesis}\n"},
		{[]string{"what", "method", "value", "rpt"}, "version: 1\nmethod: {name: rpt}\n"},
	} {
		if code, body := v.request("/edit", "try", c.form...); code != http.StatusOK || s.policyText(t) != c.want {
			t.Errorf("%q: %d: %s\n%s", c.form, code, s.policyText(t), body)
		}
	}
	for _, form := range [][]string{{"what", "param", "name", "nothing", "value", "1"},
		{"what", "method", "value", "magic"}} {
		if code, _ := v.request("/edit", "try", form...); code != 422 {
			t.Errorf("%q: %d", form, code)
		}
	}
}

// TestCancel: a child that works is shown, ended by a click, by an edit and by the end of the server, and one that is
// killed from outside is told.
func TestCancel(t *testing.T) {
	s := serve(t, people(t))
	s.opt.Child = child("hang")
	v := visit(t, s, true)
	begin := func() int {
		t.Helper()
		var c *exec.Cmd
		s.opt.Child = func(ctx context.Context) *exec.Cmd { c = child("hang")(ctx); return c }
		if code, _ := v.request("/run", "try"); code != http.StatusOK || !s.work.running() {
			t.Fatalf("%d, running: %v", code, s.work.running())
		}
		return c.Process.Pid
	}
	begin()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, body := v.get("/job"); strings.Contains(body, "25 %") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("how far it is, is not shown")
		}
	}
	v.request("/cancel", "try")
	if s.work.running() {
		t.Error("a click does not end it")
	}
	begin()
	v.request("/edit", "table", "what", "role", "column", "age", "value", "confidential")
	if s.work.running() {
		t.Error("a trial of a policy that is no more goes on")
	}
	pid := begin()
	if p, err := os.FindProcess(pid); err != nil || p.Kill() != nil {
		t.Fatal("no child")
	}
	s.done(t)
	if _, body := v.get("/try"); !strings.Contains(body, "ended before it was done") {
		t.Error("a child that was killed is not told")
	}
	if all, err := s.folder.candidates(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	s.work.end()
}

// TestDemands: a limit is one key; a preset is one of those with a source, never a path.
func TestDemands(t *testing.T) {
	long.Only(t, "the page of one policy after another")
	s := serve(t, people(t))
	v := visit(t, s, true)
	for _, c := range []struct {
		form []string
		want string
	}{
		{[]string{"what", "limits", "value", "hipaa"}, "version: 1\nlimits: hipaa\n"},
		{[]string{"what", "limits", "value", "default"}, "version: 1\n"},
		{[]string{"what", "demand-add", "measure", "found", "bound", "max", "value", "0.2"}, "version: 1\nthresholds:\n  - " +
			"{measure: found, max: 0.2}\n"},
		{[]string{"what", "demand", "k", "0", "bound", "max", "value", "0.05"}, "version: 1\nthresholds:\n  - {measure: " +
			"found, max: 0.05}\n"},
		{[]string{"what", "demand", "k", "0", "bound", "min", "value", "0.01"}, "version: 1\nthresholds:\n  - {measure: " +
			"found, max: 0.05, min: 0.01}\n"},
		{[]string{"what", "demand-drop", "k", "0", "bound", "min"}, "version: 1\nthresholds:\n  - {measure: found, max: " +
			"0.05}\n"},
		{[]string{"what", "demand-add", "measure", "accuracy", "bound", "min", "value", "80"}, "version: 1\nthresholds:\n  " +
			"- {measure: found, max: 0.05}\n  - {measure: accuracy, min: 80}\n"},
		{[]string{"what", "demand-drop", "k", "0", "bound", "max"}, "version: 1\nthresholds:\n  - {measure: accuracy, min: " +
			"80}\n"},
		{[]string{"what", "demand-drop", "k", "0", "bound", "min"}, "version: 1\n"},
	} {
		if code, body := v.request("/edit", "demands", c.form...); code != http.StatusOK || s.policyText(t) != c.want {
			t.Fatalf("%q: %d: %s\n%s", c.form, code, s.policyText(t), body)
		}
	}
	for _, form := range [][]string{{"what", "limits", "value", "../limits.yaml"},
		{"what", "limits", "value", "/etc/passwd"}, {"what", "demand-add", "measure", "found", "bound", "max", "value", "7"},
		{"what", "demand-add", "measure", "nothing", "bound", "max", "value", "1"},
		{"what", "demand-add", "measure", "found", "bound", "max", "value", "much"},
		{"what", "demand", "k", "3", "bound", "max", "value", "1"}} {
		if code, _ := v.request("/edit", "demands", form...); code != 422 || s.policyText(t) != "version: 1\n" {
			t.Errorf("%q: %d: %s", form, code, s.policyText(t))
		}
	}
	v.request("/edit", "demands", "what", "demand-add", "measure", "found", "bound", "max", "value", "0.2")
	if _, body := v.get("/demands"); !strings.Contains(body, "This allows more than 0.09") {
		t.Error("a limit that is laxer than the preset's is not told")
	}
}

// TestMarks: what the original and the last trial reach stands on the axes of the limits; moving a bound of the preset
// makes one of the policy's own; and the figures of the page are those of evaluate for the release that is signed.
func TestMarks(t *testing.T) {
	long.Only(t, "a trial, its release and its evaluation")
	in := people(t)
	s := serve(t, in)
	_ = s.folder.write(policyName, []byte(easy+"thresholds:\n  - {measure: found, max: 1}\n  - {measure: accuracy, min: "+
		"10}\n"))
	v := visit(t, s, true)
	v.request("/run", "try")
	s.done(t)
	i, _, err := s.now(t.Context())
	must.NoError(t, err)
	r := s.work.result(i.id(0))
	if r == nil {
		t.Fatalf("%+v", s.work.view())
	}
	if r.Originals["accuracy"] != *r.Candidate.Original || 100*r.Originals["found"] < r.Candidate.Before ||
		r.Originals["found"] == 0 {
		t.Errorf("%v, of the candidate %v and %v", r.Originals, *r.Candidate.Original, r.Candidate.Before)
	}
	_, page := v.get("/demands")
	for _, want := range []string{fmt.Sprintf("The original reaches %.3g. The last trial on all records reached", r.Originals["found"]), `class="original"`, `class="point `} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	release := filepath.Join(t.TempDir(), "release.csv")
	q := desk.ProtectRequest{
		Source:   s.source(policyName),
		SeedFile: s.folder.path(seedName),
		Release:  release,
		PlanOut:  release + ".json",
	}
	must.Get((&desk.Desk{}).Protect(t.Context(), q))(t)
	e := must.Get((&desk.Desk{}).Evaluate(t.Context(),
		desk.EvaluateRequest{Source: q.Source, Released: release, Plan: q.PlanOut, SeedFile: q.SeedFile}))(t)
	if got := e.Outcome.Verdict.Demands; len(got) != len(r.Demands) {
		t.Errorf("%d limits are judged, on the page %d", len(got), len(r.Demands))
	} else {
		for k, d := range got {
			if here := r.Demands[k]; reachedOf(&d).String() != reachedOf(&here).String() || d.Measure != here.Measure ||
				d.Against != here.Against {
				t.Errorf("%s: %s, on the page %s: %s", d.Measure, reachedOf(&d), here.Measure, reachedOf(&here))
			}
		}
	}
	if c := candidateOf(e.Outcome, 0); c.Gate != r.Candidate.Gate || *c.Risk != *r.Candidate.Risk ||
		*c.Accuracy != *r.Candidate.Accuracy ||
		*c.Original != *r.Candidate.Original {
		t.Errorf("%+v, on the page %+v", c, r.Candidate)
	}
	_ = s.folder.write(policyName, []byte("version: 1\n"))
	_, page = v.get("/demands")
	if !strings.Contains(page, `id="g-lookup"`) || !strings.Contains(page, `id="g-found-slide"`) {
		t.Error("the limits of the preset cannot be moved")
	}
	if code, _ := v.request("/edit", "demands", "what", "demand-add", "measure", "lookup", "bound", "max", "value",
		"0.02"); code != http.StatusOK || !strings.Contains(s.policyText(t), "{measure: lookup, max: 0.02}") {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
}

// TestIntruders: what an intruder knows is a key of the policy, and the count on the original is that of a table in
// which exactly that is known.
func TestIntruders(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	if _, body := v.get("/intruders"); !strings.Contains(body, "These are the default intruders") ||
		strings.Contains(body, "Drop") {
		t.Errorf("%s", body)
	}
	const two = "  - {name: knows the quasi-identifiers, knows: [\"role:quasi-identifier\"]}\n"
	const rest = "  - {name: knows everything but what is confidential, knows: [all]}\n"
	for _, c := range []struct {
		form []string
		want string
	}{
		{[]string{"what", "intruders"}, two + rest},
		{[]string{"what", "intruder-tick", "k", "1", "key", "outsider", "value", "yes"},
			two + strings.Replace(rest, "[all]", "[all], outsider: true", 1)},
		{[]string{"what", "intruder-tick", "k", "1", "key", "outsider"}, two + rest},
		{[]string{"what", "intruder-drop", "k", "1"}, two},
		{[]string{"what", "intruder-add", "value", "a neighbour"}, two + "  - {name: a neighbour, knows: " +
			"[\"role:quasi-identifier\"]}\n"},
		{[]string{"what", "intruder-knows", "k", "1", "mode", "these", "knows", "age", "within1", "2"},
			two + "  - {name: a neighbour, knows: [age], within: {age: 2}}\n"},
		{[]string{"what", "intruder-knows", "k", "1", "mode", "all"}, two + "  - {name: a neighbour, knows: [all]}\n"},
	} {
		if code, body := v.request("/edit", "intruders", c.form...); code != http.StatusOK ||
			s.policyText(t) != "version: 1\nintruders:\n"+c.want {
			t.Fatalf("%q: %d: %s\n%s", c.form, code, s.policyText(t), body)
		}
	}
	before := s.policyText(t)
	for _, form := range [][]string{{"what", "intruder-add", "value", "a neighbour"},
		{"what", "intruder-knows", "k", "1", "mode", "these", "knows", "name"},
		{"what", "intruder-knows", "k", "1", "mode", "these", "knows", "town", "within2", "1"},
		{"what", "intruder-tick", "k", "1", "key", "bands", "value", "yes"}, {"what", "intruder-drop", "k", "7"}} {
		if code, _ := v.request("/edit", "intruders", form...); code != 422 || s.policyText(t) != before {
			t.Errorf("%q: %d: %s", form, code, s.policyText(t))
		}
	}
	if _, body := v.get("/intruders"); !strings.Contains(body, `id="i0-alone">`+s.uniques(t)+"<") {
		t.Error("who knows the quasi-identifiers finds others alone than inspect counts")
	}
}
