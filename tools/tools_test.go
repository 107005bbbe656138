package tools_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// The texts of the experiments' pages end their lines at 100 characters, so that they can be read beside code; tables,
// code and links may be longer.
func TestTextsAreWrapped(t *testing.T) {
	texts, err := filepath.Glob("experiments/*/text.md")
	if err != nil || len(texts) == 0 {
		t.Fatalf("no texts of the experiments' pages: %v", err)
	}
	for _, file := range texts {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code := false
		for n, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if code || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "|") || strings.Contains(line, "](") {
				continue
			}
			if k := utf8.RuneCountInString(line); k > 100 {
				t.Errorf("%s: line %d has %d characters; 100 is the limit", file, n+1, k)
			}
		}
	}
}

// Files that somebody wrote stay under 500 lines, as in the main module.
func TestFilesAreShort(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		seen++
		text, err := os.ReadFile(file)
		if n := strings.Count(string(text), "\n"); n > 500 {
			t.Errorf("%s has %d lines; 500 is the limit", file, n)
		}
		return err
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files, %v", seen, err)
	}
}
