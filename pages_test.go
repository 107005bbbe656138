package dither_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/testkit/must"
)

// The library's code in the README is a whole file but for the name of its package: the one that is compiled here, and
// run by the example.
func TestReadmeShowsTheExample(t *testing.T) {
	page := read(t, "README.md")
	code, ok := strings.CutPrefix(read(t, "example_release_test.go"), "package dither_test\n\n")
	if !ok {
		t.Fatal("example_release_test.go does not begin with its package")
	}
	_, library, ok := strings.Cut(page, "\n## A release with Go\n")
	if !ok {
		t.Fatal("README.md has no section on Go")
	}
	var shown strings.Builder
	for line := range strings.Lines(library) {
		if text, ok := strings.CutPrefix(line, "    "); ok {
			shown.WriteString(text)
		} else if line == "\n" && shown.Len() > 0 {
			shown.WriteString(line)
		}
	}
	if got, want := strings.TrimSpace(shown.String()),
		strings.TrimSpace(strings.ReplaceAll(code, "\t", "    ")); got != want {
		t.Errorf("README.md shows\n%s\n\nexpected\n%s", got, want)
	}
}

// The lines of pages end at 100 characters, so that they can be read beside code; tables, code and links may be longer.
func TestPagesAreWrapped(t *testing.T) {
	for _, page := range []string{
		"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/guide.md", "docs/joint.md", "docs/json.md", "docs/speed.md",
		"docs/techniques.md",
	} {
		code := false
		n := 0
		for line := range strings.Lines(read(t, page)) {
			n++
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if code || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "|") || strings.Contains(line, "](") {
				continue
			}
			if k := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); k > 100 {
				t.Errorf("%s: line %d has %d characters; 100 is the limit", page, n, k)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	return string(text)
}

// The fuzz tests that CONTRIBUTING.md shows how to run are where it says.
func TestPagesNameFuzzTests(t *testing.T) {
	command := regexp.MustCompile(`go test \./(\S+) -run - -fuzz '\^(\w+)\$'`)
	shown := command.FindAllStringSubmatch(read(t, "CONTRIBUTING.md"), -1)
	if len(shown) == 0 {
		t.Fatal("CONTRIBUTING.md shows none")
	}
	for _, s := range shown {
		dir, name := strings.ReplaceAll(s[1], "NAME", "rnat"), s[2]
		files := must.Get(filepath.Glob(filepath.Join(dir, "*_test.go")))(t)
		if !slices.ContainsFunc(files, func(f string) bool { return strings.Contains(read(t, f), "func "+name+"(") }) {
			t.Errorf("there is no %s in %s", name, dir)
		}
	}
}
