package workbench

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message/words"
)

// TestLanguages: the path is in the language that the browser asks for or that somebody takes, with the numbers of that
// language; what is in English there says so, and no key or argument is left open.
func TestLanguages(t *testing.T) {
	long.Only(t, "every page in every language")
	s := serve(t, messy(t))
	v := visit(t, s, false)
	if code, _ := v.send(http.MethodPost, "/enter", url.Values{"token": {s.guard.token}}, func(r *http.Request) {
		r.Header.Set("Accept-Language", "nl,de-AT;q=0.9,en;q=0.8")
	}); code != http.StatusOK {
		t.Fatal(code)
	}
	v.request("/edit", "table", "what", "role", "column", "ill", "value", "class")
	v.request("/run", "try")
	s.done(t)
	open := regexp.MustCompile(`\[(workbench|list|verdict|state|by|n|of|column)[.a-zA-Z]*\]`)
	for tag, want := range map[string][]string{
		"de": {"Weiter: Personen und Rollen", "Quasi-Identifikator", "Wofür ist die Freigabe bestimmt?",
			"Verfahren", "Darf diese Freigabe hinausgehen?", "200 Datensätze", " %"},
		"fr": {"Suite : Personnes et rôles", "quasi-identifiant", "À quoi la diffusion doit-elle servir ?", "Méthode",
			"Ces données peuvent-elles être diffusées ?", "200 enregistrements", "\u202f%"},
		"en": {"Next: People and roles", "quasi-identifier", "What is the release for?", "Technique",
			"May this release go out?", "200 records"},
	} {
		if tag != "de" { // which the browser asked for
			if code, _ := v.request("/language", "data", "language", tag); code != http.StatusOK {
				t.Fatal(tag, code)
			}
		} else if got := s.language.get(); got != "de" {
			v.request("/language", "data", "language", "de")
		}
		all := ""
		for k := range screens {
			_, page := v.get("/" + screens[k].name)
			if !strings.Contains(page, `<html lang="`+tag+`">`) {
				t.Errorf("%s: %s", tag, screens[k].name)
			}
			if m := open.FindString(page); m != "" {
				t.Errorf("%s: %s: %s is not said", tag, screens[k].name, m)
			}
			if under := screens[k].under != ""; under != strings.Contains(page, `<main id="main" tabindex="-1" lang="en">`) &&
				tag != "en" {
				t.Errorf("%s: %s does not say that it is in English", tag, screens[k].name)
			}
			all += page
		}
		for _, text := range want {
			if !strings.Contains(all, text) {
				t.Errorf("%s: %q is on no page", tag, text)
			}
		}
	}
	if code, _ := v.request("/language", "data", "language", "xx"); code != http.StatusUnprocessableEntity {
		t.Errorf("a language that is none: %d", code)
	}
	if s.policyText(t) == "" || s.language.get() == "xx" {
		t.Error("the language")
	}
}

// TestFirstLanguage: of what a browser asks for the first language that there is, until somebody takes one.
func TestFirstLanguage(t *testing.T) {
	for asked, want := range map[string]string{"": "en", "*": "en", "nl": "en", "fr-CH, fr;q=0.9, de;q=0.7": "fr",
		"nl,de-AT;q=0.9": "de", "en-US,de": "en"} {
		l := language{}
		if l.first(asked); l.get() != want {
			t.Errorf("%q: %s, expected %s", asked, l.get(), want)
		}
		if l.first("fr"); asked != "" && asked != "*" && asked != "nl" && l.get() != want {
			t.Errorf("%q: changed to %s", asked, l.get())
		}
	}
	for _, l := range words.Languages() {
		if called[l.Tag()] == "" {
			t.Errorf("%s has no name to choose it by", l.Tag())
		}
	}
}

// TestDocuments: what may go out and what is confidential is the same on the page, for the command and on the pages of
// the guide, and is so by what the files hold: the record has no name and no value of the table, and the files of which
// the page says that they are confidential are for their owner alone.
func TestDocuments(t *testing.T) {
	long.Only(t, "a trial that is signed")
	s := serve(t, people(t))
	must.NoError(t, s.folder.write(policyName, []byte(easy)))
	v := visit(t, s, true)
	v.request("/run", "try")
	s.done(t)
	_, page := v.get("/sign")
	form := []string{"name", "Dr. A", "reason", "a study"}
	for _, b := range regexp.MustCompile(` name="(box\d+)"`).FindAllStringSubmatch(page, -1) {
		form = append(form, b[1], "yes")
	}
	v.request("/sign", "sign", form...)
	s.done(t)
	done := s.signed()
	if len(done) != 1 || !slices.Equal(done[0].Out, []string{"release-1.csv", "public-report-1.html", "record-1.json"}) ||
		!slices.Equal(done[0].Kept, []string{"plan-1.json", "report-1.html", "signature-1.json", "policy-1.yaml"}) {
		t.Fatalf("%+v", done)
	}
	for k, path := range s.paths("1") {
		st := must.Get(os.Stat(path))(t)
		if owner := st.Mode().Perm()&0o077 == 0; owner == signedFiles[k].public {
			t.Errorf("%s has the mode %v", path, st.Mode())
		}
	}
	record := must.Get(os.ReadFile(s.paths("1")[4]))(t)
	for _, secret := range []string{"town", "blood", "people.csv", "Secretly", "Ulm", s.folder.dir} {
		if quoted, _ := json.Marshal(secret); strings.Contains(string(record), strings.Trim(string(quoted), `"`)) {
			t.Errorf("the record holds %q: %s", secret, record)
		}
	}
	for path, want := range map[string][]string{
		"guide.md": {"It contains nothing confidential, so it may go with the release",
			"`plan.json` and `run.seed` are confidential"},
		"record.md":    {"A record may go out with the release", "They are for all who see the record"},
		"hospitals.md": {"The report, the plan and the seed are confidential"},
	} {
		text := must.Get(os.ReadFile(filepath.Join("..", "docs", path)))(t)
		for _, says := range want {
			if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), says) {
				t.Errorf("docs/%s does not say: %s", path, says)
			}
		}
	}
}
