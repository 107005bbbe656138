package workbench

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// TestWhichClass: a class that the name says is proposed with that reason, and any other that may be one can be taken
// instead; what is given is not asked.
func TestWhichClass(t *testing.T) {
	path := filepath.Join(t.TempDir(), "named.csv")
	text := "id,class,grade,day\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%s,%d,2024-01-%02d\n", 1000+i*i, []string{"a", "b"}[i%2], i%7, 1+i%9)
	}
	must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	s := serve(t, path)
	v := visit(t, s, true)
	_, page := v.get("/table")
	if !strings.Contains(page, "by its name") ||
		!strings.Contains(page,
			`<option value="class" selected>class</option><option value="grade">grade</option></select>`) {
		t.Errorf("%s", page)
	}
	if code, page := v.set("table", "what", "role", "column", "grade", "value", "class"); code != http.StatusOK ||
		s.policyText(t) != "version: 1\nclass: grade\n" ||
		strings.Contains(page, `id="q-class"`) {
		t.Errorf("%d: %s\n%s", code, s.policyText(t), page)
	}
}

// messy is a table in which something is to be asked of every kind: no name says which column is the class, 99 may mean
// missing, n/a does where nobody says otherwise, texts may mean the same, and a person has two records.
func messy(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "messy.csv")
	text := "patient_id,age,town,weight,ill\n"
	for i := range 200 {
		age, weight := 20+i*7%60, strconv.Itoa(50+i*11%47)
		if i%20 == 3 {
			age = 99
		}
		if i%40 == 5 {
			weight = "n/a"
		}
		text += fmt.Sprintf(
			"P%d,%d,%s,%s,%s\n",
			i/2,
			age,
			[]string{"Ulm", "ulm", "Bonn", "Kiel", "Ulm", "Ulm "}[i%6],
			weight,
			[]string{"yes", "no"}[i/3%2],
		)
	}
	must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// path is the pages that ask, one after the other.
func (v *visitor) path() (all string) {
	v.Helper()
	for _, name := range []string{"data", "table"} {
		_, page := v.get("/" + name)
		all += page
	}
	return all
}

// TestQuestions: what only the owner knows is asked, a click answers it by one key, and it is not asked again.
func TestQuestions(t *testing.T) {
	path := messy(t)
	s := serve(t, path)
	v := visit(t, s, true)
	page := v.path()
	ask := regexp.MustCompile(
		`name="what" value="([a-z-]+)"/>(?:<input type="hidden" name="column" value="([^"]*)"/>)?<input type="hidden" name="value" value="([^"]*)"/>\n<p>[^<]*</p>(?:<select[^>]* name="column".*<option value="([^"]*)" selected>)?`,
	)
	for _, typed := range []string{"--missing", "--merge-variants", "=identifier counts", "missing mark"} {
		if strings.Contains(page, typed) {
			t.Errorf("what is asked is a remark, too: %s", typed)
		}
	}
	asked := ask.FindAllStringSubmatch(page, -1)
	if len(asked) != 5 {
		t.Fatalf("%q\n%s", asked, page)
	}
	for _, a := range asked {
		form := []string{"what", a[1], "value", a[3]}
		if in := a[2] + a[4]; in != "" {
			form = append(form, "column", in)
		}
		if code, body := v.set("table", form...); code != http.StatusOK {
			t.Fatalf("%q: %d: %s", a, code, body)
		}
	}
	if got, want := s.policyText(t), "version: 1\ncolumns:\n  age: {missing: [99]}\n  weight: {not-missing: "+
		"[n/a]}\n  patient_id: {role: identifier}\nfile:\n  merge-variants: true\nclass: ill\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	page = v.path()
	if ask.MatchString(page) || strings.Contains(page, "of 100 people") {
		t.Errorf("asked again: %q", ask.FindAllString(page, -1))
	}
	if i, _, err := s.now(t.Context()); err != nil || i.Table.Attr(i.Table.Find("weight")).Kind == table.Numeric {
		t.Error("with n/a the weights are numbers", err)
	}
	if code, _ := v.set("table", "what", "missing", "column", "age", "value", "999, n/a"); code != http.StatusOK ||
		!strings.Contains(s.policyText(t), `missing: [999, n/a]`) {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
	if code, _ := v.set("table", "what", "missing-too", "column", "weight", "value", "n/a"); code != http.StatusOK ||
		!strings.Contains(s.policyText(t), "weight: {missing: [n/a]}") {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
	if code, _ := v.set("table", "what", "missing", "column", "age", "value", ""); code != http.StatusOK ||
		strings.Contains(s.policyText(t), "age:") {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
}

// TestWhichNotation: how doubtful numbers are written is asked instead of remarked, and a click makes numbers of them.
func TestWhichNotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "incomes.csv")
	text := "income;town\n"
	for i := range 60 {
		text += fmt.Sprintf("%d.%03d;%s\n", 1+i, i*37%1000, []string{"Ulm", "Bonn"}[i%2])
	}
	must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	s := serve(t, path)
	v := visit(t, s, true)
	_, page := v.get("/data")
	if !strings.Contains(page, "Yes: as in 1.234,56") || !strings.Contains(page, "Yes: as in 1234.56") ||
		strings.Contains(page, "--numbers") {
		t.Errorf("%s", page)
	}
	if code, page := v.set("table", "what", "numbers", "column", "income", "value", "1.234,56"); code != http.StatusOK ||
		!strings.Contains(s.policyText(t), "numbers:") || strings.Contains(page, "Yes: as in") {
		t.Errorf("%d: %s\n%s", code, s.policyText(t), page)
	}
	i, _, err := s.now(t.Context())
	if err != nil || i.Table.Attr(i.Table.Find("income")).Kind != table.Numeric {
		t.Fatal("the incomes are no numbers", err)
	}
	if lo, _ := table.Range(i.Table.Num(i.Table.Find("income"))); lo < 1000 {
		t.Errorf("the least income is %v", lo)
	}
}
