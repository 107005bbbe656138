package workbench

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestQuestions: what only the owner knows is asked, a click answers it by one key, and it is not asked again.
func TestQuestions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "messy.csv")
	text := "patient_id,age,town,ill\n"
	for i := range 200 {
		age := 20 + i*7%60
		if i%20 == 3 {
			age = 999
		}
		text += fmt.Sprintf("P%d,%d,%s,%s\n", i/2, age, []string{"Ulm", "ulm", "Bonn", "Kiel", "Ulm", "Ulm "}[i%6], []string{"yes", "no"}[i/3%2])
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, path)
	v := visit(t, s, true)
	_, page := v.get("/table")
	ask := regexp.MustCompile(`name="what" value="([a-z-]+)"/>(?:<input type="hidden" name="column" value="([^"]*)"/>)?<input type="hidden" name="value" value="([^"]*)"/>\n<p>`)
	asked := ask.FindAllStringSubmatch(page, -1)
	if len(asked) != 3 {
		t.Fatalf("%q\n%s", asked, page)
	}
	for _, a := range asked {
		form := []string{"what", a[1], "value", a[3]}
		if a[2] != "" {
			form = append(form, "column", a[2])
		}
		if code, body := v.set("table", form...); code != http.StatusOK {
			t.Fatalf("%q: %d: %s", a, code, body)
		}
	}
	if got, want := s.policyText(t), "version: 1\ncolumns:\n  patient_id: {role: person}\n  age: {missing: [999]}\nfile:\n  merge-variants: true\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, page := v.get("/table"); ask.MatchString(page) || !strings.Contains(page, "of 100 people") {
		t.Errorf("asked again: %q", ask.FindAllString(page, -1))
	}
	if code, _ := v.set("table", "what", "missing", "column", "age", "value", "999, n/a"); code != http.StatusOK || !strings.Contains(s.policyText(t), `missing: [999, n/a]`) {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
	if code, _ := v.set("table", "what", "missing", "column", "age", "value", ""); code != http.StatusOK || strings.Contains(s.policyText(t), "missing:") {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
}
