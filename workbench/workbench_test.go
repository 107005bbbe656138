package workbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/must"
)

// people is a table of people, with a class that its columns tell.
func people(t *testing.T) string {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	b.WriteString("name,age,town,blood pressure,ill\n")
	towns := []string{"Ulm", "Bonn", "Kiel", "Jena"}
	for i := range 300 {
		age := 20 + r.IntN(60)
		pressure := 100 + age/2 + r.IntN(30)
		ill := "no"
		if pressure+r.IntN(10) > 140 {
			ill = "yes"
		}
		fmt.Fprintf(&b, "Person%d Secretly,%d,%s,%d,%s\n", i, age, towns[r.IntN(4)], pressure, ill)
	}
	path := filepath.Join(t.TempDir(), "people.csv")
	must.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// serve serves a workbench until the test ends.
func serve(t *testing.T, table string) *Server {
	t.Helper()
	return serveIn(t, table, filepath.Join(filepath.Dir(table), "bench"))
}

func serveIn(t *testing.T, table, folder string) *Server {
	t.Helper()
	chance.Begin(t)
	s := must.Get(Open(Options{Table: table, Folder: folder, Version: "test", Child: child("job")}))(t)
	s.serving(t)
	return s
}

// serving serves until the test ends.
func (s *Server) serving(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() { stop(); <-done })
}

// uniques is the count that inspect --json has under the policy as it stands.
func (s *Server) uniques(t *testing.T) string {
	t.Helper()
	i := must.Get((&desk.Desk{}).Inspect(t.Context(), s.source(policyName)))(t)
	e := i.Document().Exposure
	return whole(e.Uniques)
}

// column is the beginning of the ids of a column's controls.
func (s *Server) column(t *testing.T, name string) string {
	t.Helper()
	i, _, err := s.now(t.Context())
	must.NoError(t, err)
	return fmt.Sprintf("c%d", i.Table.Find(name))
}

// visitor is a browser that has the link or not.
type visitor struct {
	*testing.T
	s      *Server
	client *http.Client
}

func visit(t *testing.T, s *Server, enter bool) *visitor {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	v := &visitor{t, s, &http.Client{Jar: jar}}
	if enter {
		if code, body := v.post("/enter", url.Values{"token": {s.guard.token}}); code != http.StatusOK ||
			!strings.Contains(body, `id="next"`) {
			t.Fatalf("%d: %s", code, body)
		}
	}
	return v
}

// send sends a request as this very page does, unless the change makes it another.
func (v *visitor) send(method, path string, form url.Values, change func(*http.Request)) (int, string) {
	v.Helper()
	req := must.Get(http.NewRequestWithContext(v.Context(), method, "http://"+v.s.guard.host+path,
		strings.NewReader(form.Encode())))(v)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", "http://"+v.s.guard.host)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if change != nil {
		change(req)
	}
	res := must.Get(v.client.Do(req))(v)
	defer res.Body.Close()
	body := must.Get(io.ReadAll(res.Body))(v)
	for name := range headers {
		if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge && res.Header.Get(name) == "" {
			v.Errorf("%s %s: no %s", method, path, name)
		}
	}
	return res.StatusCode, string(body)
}

func (v *visitor) get(path string) (int, string) {
	v.Helper()
	return v.send(http.MethodGet, path, nil, nil)
}
func (v *visitor) post(path string, form url.Values) (int, string) {
	v.Helper()
	return v.send(http.MethodPost, path, form, nil)
}

var (
	anyID  = regexp.MustCompile(` id="([^"]*)"`)
	anyRef = regexp.MustCompile(`(?:aria-labelledby="|href="#|url\(#)([^")]+)`)
)

var seenField = regexp.MustCompile(`name="seen" value="([0-9a-f]+)"`)

// set sends a form of a screen, with the state that the screen shows.
func (v *visitor) set(screen string, pairs ...string) (int, string) {
	v.Helper()
	_, page := v.get("/" + screen)
	form := url.Values{"screen": {screen}, "seen": {seenField.FindStringSubmatch(page)[1]}}
	for k := 0; k < len(pairs); k += 2 {
		form.Set(pairs[k], pairs[k+1])
	}
	return v.post("/edit", form)
}

func (s *Server) policyText(t *testing.T) string {
	t.Helper()
	data := must.Get(s.folder.read(policyName))(t)
	return string(data)
}

// TestOneKey: each form of the table's screen edits one key, and comments stay.
func TestOneKey(t *testing.T) {
	s := serve(t, people(t))
	must.NoError(t, s.folder.write(policyName, []byte("version: 1 # ours\n")))
	v := visit(t, s, true)
	want := "version: 1 # ours\n"
	for _, c := range []struct {
		form []string
		adds string
	}{
		{[]string{"what", "role", "column", "age", "value", "confidential"}, "columns:\n  age: {role: confidential}\n"},
		{[]string{"what", "known", "column", "age", "value", "yes"}, "columns:\n  age: {role: [quasi-identifier, " +
			"confidential]}\n"},
		{[]string{"what", "known", "column", "age"}, "columns:\n  age: {role: confidential}\n"},
		{[]string{"what", "domain", "column", "age", "lo", "0", "hi", "120"}, "columns:\n  age: {role: confidential, " +
			"domain: [0, 120]}\n"},
		{[]string{"what", "domain", "column", "age", "lo", "", "hi", ""}, "columns:\n  age: {role: confidential}\n"},
		{[]string{"what", "role", "column", "ill", "value", "class"}, "columns:\n  age: {role: confidential}\nclass: ill\n"},
		{[]string{"what", "identifier", "column", "name", "value", "pseudonymise"}, "columns:\n  age: {role: " +
			"confidential}\n  name: {identifier: pseudonymise}\nclass: ill\n"},
		{[]string{"what", "keep", "column", "blood pressure", "value", "yes"}, "columns:\n  age: {role: confidential}\n  " +
			"name: {identifier: pseudonymise}\n  blood pressure: {keep: true}\nclass: ill\n"},
	} {
		code, body := v.set("table", c.form...)
		if got := s.policyText(t); code != http.StatusOK || got != want+c.adds {
			t.Fatalf("%q: %d\n%s\nwant\n%s", c.form, code, got, want+c.adds)
		}
		if !strings.Contains(body, `id="unique">`+s.uniques(t)+"<") {
			t.Errorf("%q: the page does not show %s", c.form, s.uniques(t))
		}
	}
	before := s.policyText(t)
	for _, c := range []struct {
		form []string
		code int
		says string
	}{
		{[]string{"what", "domain", "column", "age", "lo", "30", "hi", "40"}, 422, "is declared to lie in"},
		{[]string{"what", "kind", "column", "town", "value", "numeric"}, 422, "than a number"},
		{[]string{"what", "role", "column", "nobody", "value", "class"}, 422, "no such column"},
		{[]string{"what", "role", "column", "age", "value", "king"}, 422, "not one of the page"},
		{[]string{"what", "hierarchy", "column", "age", "value", "/etc/passwd"}, 422, "not one of the page"},
		{[]string{"what", "identifier", "column", "age", "value", "pseudonymise"}, 422, "another role"},
	} {
		code, body := v.set("table", c.form...)
		if code != c.code || !strings.Contains(body, c.says) || s.policyText(t) != before {
			t.Errorf("%q: %d\n%s", c.form, code, body)
		}
	}
	if _, err := s.folder.root.Lstat(draftName); err == nil {
		t.Error("a draft is left")
	}
}

// TestTwoTabs: a form of a tab that shows another policy than the one that stands changes nothing.
func TestTwoTabs(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	_, old := v.get("/table")
	stale := seenField.FindStringSubmatch(old)[1]
	v.set("table", "what", "role", "column", "age", "value", "confidential")
	before := s.policyText(t)
	code, body := v.post("/edit",
		url.Values{"screen": {"table"}, "seen": {stale}, "what": {"role"}, "column": {"town"}, "value": {"other"}})
	if code != http.StatusConflict || s.policyText(t) != before || !strings.Contains(body, "in another tab or by hand") {
		t.Errorf("%d: %s", code, s.policyText(t))
	}
}

// TestByHand: a policy that somebody spoils in an editor is told with its line, and mending it is enough.
func TestByHand(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	_ = s.folder.write(policyName, []byte("version: 1\ncolumns:\n  age: {role: king}\n"))
	if code, body := v.get("/table"); code != http.StatusOK || !strings.Contains(body, "line 3 of the policy") ||
		strings.Contains(body, "<select") {
		t.Errorf("%d: %s", code, body)
	}
	_ = s.folder.write(policyName, []byte("version: 1\n"))
	if _, body := v.get("/table"); !strings.Contains(body, "<select") {
		t.Error("a policy that was mended")
	}
}

// TestGuesses: accepting all writes every role, and nothing of the figures moves.
func TestGuesses(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	before := s.uniques(t)
	if _, body := v.set("table", "what", "suggestions"); strings.Contains(body, "Accept all") || s.uniques(t) != before {
		t.Errorf("%s", s.policyText(t))
	}
}

// TestRestart: another server over the same folder goes on where the first stopped.
func TestRestart(t *testing.T) {
	in := people(t)
	s := serve(t, in)
	visit(t, s, true).set("table", "what", "role", "column", "age", "value", "confidential")
	again := serve(t, in)
	if again.policyText(t) != s.policyText(t) || !strings.Contains(again.policyText(t), "confidential") {
		t.Error(again.policyText(t))
	}
}

// TestStrangers: nobody is served who comes by another name, from another page, without the cookie or with a wrong
// token, and the link opens once.
func TestStrangers(t *testing.T) {
	s := serve(t, people(t))
	stranger := visit(t, s, false)
	for _, path := range []string{"/", "/table", "/edit", "/seed", "/policy.yaml", "/../seed", "/%2e%2e/seed",
		"/bench/seed", "/table/../../seed"} {
		code, body := stranger.get(path)
		if strings.Contains(body, "age") && strings.Contains(body, "columns") || code == http.StatusOK && path != "/" {
			t.Errorf("%s: %d: %s", path, code, body)
		}
	}
	for _, token := range []string{"", "x", s.guard.token[1:], s.guard.token + "x", strings.ToLower(s.guard.token)} {
		if code, _ := stranger.post("/enter", url.Values{"token": {token}}); code != http.StatusForbidden {
			t.Errorf("token %q: %d", token, code)
		}
	}
	v := visit(t, s, true)
	if code, _ := visit(t, s, false).post("/enter", url.Values{"token": {s.guard.token}}); code != http.StatusForbidden {
		t.Errorf("the link opens twice: %d", code)
	}
	before := s.policyText(t)
	_, page := v.get("/table")
	form := url.Values{
		"screen": {"table"},
		"seen":   {seenField.FindStringSubmatch(page)[1]},
		"what":   {"role"},
		"column": {"age"},
		"value":  {"other"},
	}
	for name, change := range map[string]func(*http.Request){
		"foreign host":     func(r *http.Request) { r.Host = "evil.example" },
		"host of a rebind": func(r *http.Request) { r.Host = "evil.example:" + r.URL.Port() },
		"localhost":        func(r *http.Request) { r.Host = "localhost:" + r.URL.Port() },
		"foreign origin":   func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"null origin":      func(r *http.Request) { r.Header.Set("Origin", "null") },
		"another port":     func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") },
		"https":            func(r *http.Request) { r.Header.Set("Origin", "https://"+s.guard.host) },
		"cross-site":       func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"same-site":        func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"typed":            func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") },
		"no origin":        func(r *http.Request) { r.Header.Del("Origin"); r.Header.Del("Sec-Fetch-Site") },
		"another method":   func(r *http.Request) { r.Method = http.MethodPut },
		"a cookie too many": func(r *http.Request) {
			r.Header.Set("Cookie", s.guard.cookie+"=x")
			r.Method = http.MethodDelete
		},
	} {
		if code, body := v.send(http.MethodPost, "/edit", form, change); code < 400 || strings.Contains(body, "<table") {
			t.Errorf("%s: %d", name, code)
		}
	}
	for name, change := range map[string]func(*http.Request){
		"foreign host":   func(r *http.Request) { r.Host = "evil.example" },
		"foreign origin": func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"cross-site":     func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		if code, body := v.send(http.MethodGet, "/table", nil, change); code < 400 || strings.Contains(body, "<table") {
			t.Errorf("read, %s: %d", name, code)
		}
	}
	if s.policyText(t) != before {
		t.Errorf("something was changed: %s", s.policyText(t))
	}
}

// TestPaths: whatever stands in any field of a form, nothing outside the folder is read or written, and nothing new is
// in it.
func TestPaths(t *testing.T) {
	in := people(t)
	s := serve(t, in)
	v := visit(t, s, true)
	_, page := v.get("/table")
	outside := filepath.Join(filepath.Dir(in), "outside")
	for _, path := range []string{"../outside", outside, "..\\outside", "%2e%2e/outside", "people.csv", "seed",
		"/etc/passwd", "\x00", "file:///etc/passwd"} {
		for _, field := range []string{"screen", "seen", "what", "column", "value", "lo", "hi", "technique", "name"} {
			form := url.Values{
				"screen": {"table"},
				"seen":   {seenField.FindStringSubmatch(page)[1]},
				"what":   {"domain"},
				"column": {"age"},
				"value":  {"x"},
				"lo":     {"1"},
				"hi":     {"2"},
			}
			form.Set(field, path)
			if code, body := v.post("/edit", form); code < 400 || strings.Contains(body, "root:") {
				t.Errorf("%s=%q: %d", field, path, code)
			}
		}
		for _, at := range []string{"/table?page=", "/table?file=", "/", "/script.js/", "/style.css?f="} {
			if _, body := v.get(at + url.QueryEscape(path)); strings.Contains(body, "root:") ||
				strings.Contains(body, "Secretly") {
				t.Errorf("%s%s", at, path)
			}
		}
	}
	entries, err := os.ReadDir(s.folder.dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != policyName {
		t.Errorf("%v in the folder (%v)", entries, err)
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("a file outside the folder")
	}
}

// TestNoValues: the screen of the columns holds no value of a text column, and addresses name none.
func TestNoValues(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	_, body := v.get("/table")
	if strings.Contains(body, "Secretly") {
		t.Error("names of people are shown")
	}
	for _, link := range regexp.MustCompile(`(?:href|action|src)="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if strings.ContainsAny(link[1], "?&%") {
			t.Errorf("an address holds more than a name of a screen: %s", link[1])
		}
	}
}

// TestLinks: a link in the place of the folder or of one of its files is refused, before and after the start.
func TestLinks(t *testing.T) {
	in := people(t)
	dir := filepath.Dir(in)
	secret := filepath.Join(dir, "secret")
	must.NoError(t, os.WriteFile(secret, []byte("version: 1 # secret\n"), 0o600))
	for _, name := range []string{policyName, draftName, seedName, candidatesName} {
		bench := filepath.Join(dir, "linked-"+name)
		must.NoError(t, errors.Join(os.Mkdir(bench, 0o700), os.Symlink(secret, filepath.Join(bench, name))))
		if _, err := Open(Options{Table: in, Folder: bench}); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("%s is a link: %v", name, err)
		}
	}
	must.NoError(t, os.Symlink(dir, filepath.Join(dir, "elsewhere")))
	if _, err := Open(Options{Table: in, Folder: filepath.Join(dir, "elsewhere")}); err == nil {
		t.Error("a link to a folder")
	}
	s := serve(t, in)
	v := visit(t, s, true)
	must.NoError(t, errors.Join(os.Remove(s.folder.path(policyName)), os.Symlink(secret, s.folder.path(policyName))))
	if _, body := v.get("/table"); strings.Contains(body, "# secret") || !strings.Contains(body, "is not touched") {
		t.Error("a link that was put there later is followed")
	}
	if data, _ := os.ReadFile(secret); string(data) != "version: 1 # secret\n" {
		t.Error("the link's target was written")
	}
}
