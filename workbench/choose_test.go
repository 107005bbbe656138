package workbench

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// searched is a policy under which some techniques keep the limit and others do not.
const searched = "version: 1 # ours\nclass: ill\nlimits: none\nthresholds:\n  - {measure: found, max: 0.5}\nmethod: " +
	"{name: rankswap}\ncolumns:\n  age: {role: quasi-identifier}\n"

// TestChoose: what a search chose stands in the policy, the best setting of every technique that keeps the limits is in
// the tray, and the release of the policy is the one that confirmed the choice.
func TestChoose(t *testing.T) {
	long.Only(t, "a search, and the release that it proposes")
	in := people(t)
	s := serve(t, in)
	_ = s.folder.write(policyName, []byte(searched))
	v := visit(t, s, true)
	for _, form := range [][]string{{"/choose", "among", "this", "minutes", "7"},
		{"/choose", "among", "../x", "minutes", "10"}, {"/purpose", "for", "fun"}, {"/purpose", "for", "hiding"}} {
		if code, _ := v.request(form[0], "try", form[1:]...); code != 422 || s.work.running() {
			t.Errorf("%q: %d", form, code)
		}
	}
	if code, _ := v.request("/purpose", "purposes", "for", "models"); code != http.StatusOK {
		t.Errorf("the purpose: %d", code)
	}
	if code, body := v.request("/choose", "try", "among", "this", "minutes", "10"); code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	if _, body := v.get("/job"); s.work.running() && !strings.Contains(body, "Searching for the technique") {
		t.Errorf("the search is not shown: %s", body)
	}
	s.done(t)
	text := s.policyText(t)
	if !strings.HasPrefix(text, "version: 1 # ours\nclass: ill\n") || !strings.Contains(text, "method: {name: rankswap, "+
		"set: {") {
		t.Fatalf("%s\n%+v", text, s.work.view())
	}
	all, err := s.folder.candidates()
	if err != nil || len(all) != 2 || !all[0].Searched || all[0].Lost == nil || all[0].Risk == nil || all[1].Searched ||
		all[1].Policy != text {
		t.Fatalf("%+v, %v", all, err)
	}
	_, page := v.get("/try")
	for _, want := range []string{"Why this technique", "kept the limits in the search", "of what models learn from it",
		"What the policy gives, on all 300 records"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	// The page has it without another trial, and it is what the command makes of the file.
	i, _, err := s.now(t.Context())
	if err != nil || s.work.result(i.id(0)) == nil {
		t.Fatal("the release that confirmed the choice is not that of the policy", err)
	}
	again := filepath.Join(t.TempDir(), "again.csv")
	p := must.Get((&desk.Desk{}).Protect(
		t.Context(),
		desk.ProtectRequest{
			Source:   s.source(policyName),
			SeedFile: s.folder.path(seedName),
			Release:  again,
			Report:   again + ".html",
		},
	))(t)
	if c := candidateOf(p.Outcome, 0); *c.Risk != *all[1].Risk || *c.Accuracy != *all[1].Accuracy ||
		c.Gate != all[1].Gate {
		t.Errorf("the figures of the command are %+v, of the page %+v", c, all[1])
	}
	if _, err := os.Stat(again); err != nil {
		t.Error(err)
	}
}

// TestChooseNothing: where nothing keeps the limits the policy stays, and the page says why each is out.
func TestChooseNothing(t *testing.T) {
	s := serve(t, people(t))
	policy := strings.NewReplacer("0.5", "0.001", "rankswap", "rpt").Replace(searched)
	_ = s.folder.write(policyName, []byte(policy))
	v := visit(t, s, true)
	v.request("/choose", "try", "among", "this", "minutes", "2")
	s.done(t)
	if _, body := v.get("/try"); s.policyText(t) != policy || !strings.Contains(body, "No technique was shown to keep "+
		"the limits") || !strings.Contains(body, "rpt") {
		t.Errorf("%s\n%s", s.policyText(t), body)
	}
}

// TestChangedMeanwhile: a trial whose policy was changed by hand while it ran tells nothing, for nobody knows of which
// policy it is; and what a search chose is not written into a policy that is another one by then.
func TestChangedMeanwhile(t *testing.T) {
	s := serve(t, people(t))
	_ = s.folder.write(policyName, []byte(easy))
	i, _, err := s.now(t.Context())
	must.NoError(t, err)
	other := easy + "# by hand\n"
	_ = s.folder.write(policyName, []byte(other))
	if err := s.work.start(i, s.job(0)); err != nil { // as when the child reads the file after the change
		t.Fatal(err)
	}
	s.done(t)
	if all, _ := s.folder.candidates(); len(all) != 0 ||
		!strings.Contains(s.work.view().Said.String(), "changed while it was tried") {
		t.Errorf("%v: %+v", all, s.work.view())
	}
	s.work.mu.Lock()
	s.work.adopting = true
	s.work.mu.Unlock()
	s.work.adopt(&running{of: i}, searched)
	if s.policyText(t) != other || s.work.running() ||
		!strings.Contains(s.work.view().Said.String(), "only among what was tried") {
		t.Errorf("%s: %+v", s.policyText(t), s.work.view())
	}
}

// TestCompare: two candidates stand side by side, with the sections of both, whose ids differ; and numbers that there
// are not are those of the latest.
func TestCompare(t *testing.T) {
	long.Only(t, "two trials that are compared")
	s := serve(t, people(t))
	_ = s.folder.write(policyName, []byte(easy))
	v := visit(t, s, true)
	if _, body := v.get("/compare"); !strings.Contains(body, "Two candidates are needed") {
		t.Errorf("%s", body)
	}
	v.request("/run", "try")
	s.done(t)
	v.request("/edit", "try", "what", "method", "value", "framework")
	v.request("/run", "try")
	s.done(t)
	_, page := v.get("/compare?a=1&b=2")
	all, _ := s.folder.candidates()
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for k, c := range all {
		for _, want := range []string{c.Technique, c.Risk.share().String(), shareOf(c.Accuracy).String(), c.Gate, []string{`id="a-columns"`, `id="b-columns"`}[k]} {
			if !strings.Contains(page, want) {
				t.Errorf("%q is not on the page", want)
			}
		}
	}
	ids := map[string]bool{}
	for _, m := range anyID.FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("the id %s is there twice", m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range anyRef.FindAllStringSubmatch(page, -1) {
		for _, id := range strings.Fields(m[1]) {
			if !ids[id] {
				t.Errorf("nothing has the id %s", id)
			}
		}
	}
	for _, at := range []string{"/compare", "/compare?a=7&b=2", "/compare?a=2&b=2", "/compare?a=x&b=-1",
		"/compare?a=..%2Fseed"} {
		code, body := v.get(at)
		if code != http.StatusOK || !strings.Contains(body, `id="a-columns"`) || !strings.Contains(body, `id="b-columns"`) {
			t.Errorf("%s: %d", at, code)
		}
	}
	if !bytes.Contains([]byte(page), []byte("Take it again")) || !strings.Contains(page, "as it stands") {
		t.Error("the policies of the two")
	}
}
