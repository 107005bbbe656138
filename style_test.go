package dither_test

import (
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// columns is the longest line of code, in characters.
const columns = 120

// TestLines fails on lines of code above 120 characters. What cannot be broken stays: raw strings, lines of a table in
// a comment, a word or a path as long as the line, generated files.
func TestLines(t *testing.T) {
	sources(t, func(path string, src []byte) {
		data := unbreakable(src)
		for n, line := range strings.Split(string(src), "\n") {
			if utf8.RuneCountInString(line) > columns && !data[n+1] {
				t.Errorf("%s:%d has %d characters; %d is the limit", path, n+1, utf8.RuneCountInString(line), columns)
			}
		}
	})
}

// unbreakable returns the lines of a source that are in raw strings, that hold a string without a space above half a
// line, or are comments that are laid out.
func unbreakable(src []byte) map[int]bool {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	lines := map[int]bool{}
	output := false // of an example
	for {
		pos, tok, text := s.Scan()
		output = tok == token.COMMENT && (output || strings.HasPrefix(text, "// Output:"))
		switch {
		case tok == token.EOF:
			return lines
		case tok == token.STRING && text[0] == '`':
			for k := range strings.Count(text, "\n") + 1 {
				lines[file.Line(pos)+k] = true
			}
		case output, tok == token.STRING && longestWord(text) > columns/2,
			tok == token.COMMENT && (strings.HasPrefix(text, "//\t") || longestWord(text) > columns/2):
			lines[file.Line(pos)] = true
		}
	}
}

func longestWord(text string) (longest int) {
	for _, w := range strings.Fields(text) {
		longest = max(longest, utf8.RuneCountInString(w))
	}
	return longest
}

// sources hands out the files of Go of all modules that somebody wrote.
func sources(t *testing.T, visit func(path string, src []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil && !bytes.HasPrefix(src, []byte("// Code generated ")) {
			visit(path, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
