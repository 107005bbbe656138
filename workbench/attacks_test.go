package workbench

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

var (
	anyForm  = regexp.MustCompile(`(?s)<form ([^>]*action="([^"]*)"[^>]*)>(.*?)</form>`)
	anyField = regexp.MustCompile(`<(?:input|select|textarea|button)[^>]* name="([^"]*)"[^>]*>`)
	anyValue = regexp.MustCompile(` value="([^"]*)"`)
	ours     = regexp.MustCompile(`^(policy\.yaml|policy-\d+\.yaml|seed|candidates\.jsonl|release-1\.csv)$`)
)

// TestEveryField: a path in any field of any form of any screen reads nothing and writes nothing outside of the folder,
// and a link in the place of what is to be signed is not followed.
func TestEveryField(t *testing.T) {
	long.Only(t, "every field of every form")
	in := people(t)
	dir := filepath.Dir(in)
	outside := filepath.Join(dir, "outside")
	must.NoError(t, os.WriteFile(outside, []byte("kept outside: yes\n"), 0o600))
	s := serve(t, in)
	policy := easy + "thresholds:\n  - {measure: found, max: 1}\nintruders:\n  - {name: a neighbour, knows: [age]}\n"
	write := func() {
		if s.policyText(t) != policy {
			_ = s.folder.write(policyName, []byte(policy))
		}
	}
	write()
	v := visit(t, s, true)
	v.request("/run", "try")
	s.done(t)
	v.request("/edit", "try", "what", "method", "value", "rankswap")
	v.request("/run", "try")
	s.done(t)
	write()
	must.NoError(t, os.Symlink(outside, s.paths("1")[0]))
	before := listed(t, dir)
	s.opt.Child = child("hang")
	fields := map[string]bool{}
	for _, c := range screens {
		_, page := v.get("/" + c.name)
		for _, f := range anyForm.FindAllStringSubmatch(page, -1) {
			form := url.Values{}
			for _, m := range anyField.FindAllStringSubmatch(f[3], -1) {
				if form.Set(m[1], "yes"); anyValue.MatchString(m[0]) {
					form.Set(m[1], anyValue.FindStringSubmatch(m[0])[1])
				}
			}
			for field := range form {
				if fields[f[2]+" "+form.Get("what")+" "+field] {
					continue // of another column, as hostile
				}
				fields[f[2]+" "+form.Get("what")+" "+field] = true
				for _, path := range []string{"../outside", outside} {
					hostile := url.Values{}
					for name := range form {
						hostile.Set(name, form.Get(name))
					}
					hostile.Set(field, path)
					method, to := http.MethodPost, f[2]
					if strings.Contains(f[1], `method="get"`) {
						method, to = http.MethodGet, to+"?"+hostile.Encode()
					}
					if code, body := v.send(method, to, hostile, nil); strings.Contains(body, "kept outside") || code >= 500 {
						t.Errorf("%s: %s=%s: %d", to, field, path, code)
					}
					s.work.mu.Lock()
					r := s.work.now
					s.work.mu.Unlock()
					if r != nil && r.job.Sign != nil && slices.Contains([]string{r.job.Sign.Release, r.job.Policy}, s.paths("1")[0]) {
						t.Error("what is signed takes the place of a link")
					}
					s.work.end()
					write()
				}
			}
		}
	}
	if len(fields) < 60 || !fields["/sign  reason"] || !fields["/edit demand-add measure"] || !fields["/compare  a"] {
		t.Errorf("only %d fields: %v", len(fields), fields)
	}
	if after := listed(t, dir); !slices.Equal(before, after) {
		t.Errorf("%v are now %v", before, after)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "kept outside: yes\n" {
		t.Errorf("the file outside holds %q (%v)", text, err)
	}
	for _, name := range listed(t, s.folder.dir) {
		if !ours.MatchString(name) {
			t.Errorf("%s is in the folder", name)
		}
	}
}

// listed are the names in a folder.
func listed(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestLatestWins: of two tabs that ask for trials at the same time one child is at work at most, and none is left when
// the server ends.
func TestLatestWins(t *testing.T) {
	s := serve(t, people(t))
	_ = s.folder.write(policyName, []byte(easy))
	var begun []*exec.Cmd
	hang := child("hang")
	s.opt.Child = func(ctx context.Context) *exec.Cmd {
		c := hang(ctx)
		begun = append(begun, c)
		return c
	}
	v := visit(t, s, true) // tabs have the same cookie
	for range 3 {
		if code, _ := v.request("/run", "try"); code != 200 {
			t.Fatal(code)
		}
	}
	if len(begun) != 3 || begun[0].ProcessState == nil || begun[1].ProcessState == nil || begun[2].ProcessState != nil {
		t.Errorf("%d children, of which the first two are to be gone", len(begun))
	}
	s.work.end()
	if begun[2].ProcessState == nil {
		t.Error("a child is left")
	}
}
