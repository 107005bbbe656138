package dither_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/testkit/must"
)

// columns is the longest line of code, in characters.
const columns = 120

// TestLines fails on lines of code above 120 characters. What cannot be broken stays: raw strings, lines of a table in
// a comment, a word or a path as long as the line, generated files.
func TestLines(t *testing.T) {
	sources(t, func(path string, src []byte) {
		over := map[int]int{} // the characters of a line
		n := 0
		for line := range bytes.Lines(src) {
			n++
			if length := utf8.RuneCount(bytes.TrimRight(line, "\n")); length > columns {
				over[n] = length
			}
		}
		if len(over) == 0 {
			return
		}
		stays := unbreakable(src)
		for n, length := range over {
			if !stays[n] {
				t.Errorf("%s:%d has %d characters; %d is the limit", path, n, length, columns)
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
	must.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
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
	}))
}

// A wrong phrase, with what to write instead.
type wrong struct {
	part    string // of every match, in lower case: few texts have it, and only these are searched
	pattern *regexp.Regexp
	instead string
}

// dialect are words that are always wrong in a text for users, with what the field says.
var dialect = []wrong{
	{"whoever", regexp.MustCompile(`(?i)\bwhoever\b`), "anyone who, users, recipients"},
	{"bear", regexp.MustCompile(`(?i)\bbears? (\w+ )?out\b`), "supports"},
	{"table of nobody", regexp.MustCompile(`(?i)\btable of nobody\b`), "synthetic table"},
	{"of the house", regexp.MustCompile(`(?i)\bof the house\b`), "built-in"},
	{"is no ", regexp.MustCompile(`\bis no (JSON|number|base64|record)\b`), "is not valid JSON, is not a number"},
}

// TestCodeInPlainEnglish finds a word of the dialect in comments and tests, which users do not read.
func TestCodeInPlainEnglish(t *testing.T) {
	sources(t, func(path string, src []byte) {
		if path == "style_test.go" {
			return
		}
		for n, line := range bytes.Split(src, []byte("\n")) {
			if word := dialect[0].pattern.Find(line); word != nil {
				t.Errorf("%s:%d says %q; write anyone who", path, n+1, word)
			}
		}
	})
}

// TestPlainEnglish finds words of the dialect in what users read: sentences of reports, pages of the workbench and of
// the documentation, and all texts in the code, of which some are written into plans, records, models and seeds.
func TestPlainEnglish(t *testing.T) {
	find := func(path string, line int, text string) {
		lower := strings.ToLower(text)
		for _, d := range dialect {
			if !strings.Contains(lower, d.part) {
				continue
			}
			if word := d.pattern.FindString(text); word != "" {
				t.Errorf("%s:%d says %q; write %s", path, line, word, d.instead)
			}
		}
	}
	paths := []string{"message/words/en.yaml", "README.md"}
	for _, pattern := range []string{"docs/*.md", "workbench/pages/*.html"} {
		more, err := filepath.Glob(pattern)
		if err != nil || more == nil {
			t.Fatalf("%s: %v and %v", pattern, more, err)
		}
		paths = append(paths, more...)
	}
	for _, path := range paths {
		src := must.Get(os.ReadFile(path))(t)
		for n, line := range strings.Split(string(src), "\n") {
			find(path, n+1, line)
		}
	}
	sources(t, func(path string, src []byte) {
		if strings.HasSuffix(path, "_test.go") || !suspect(src) {
			return
		}
		set := token.NewFileSet()
		file := set.AddFile("", set.Base(), len(src))
		var s scanner.Scanner
		s.Init(file, src, nil, 0)
		for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
			if tok == token.STRING {
				find(path, file.Line(pos), text)
			}
		}
	})
}

// suspect says whether a source may hold a word of the dialect.
func suspect(src []byte) bool {
	lower := bytes.ToLower(src)
	return slices.ContainsFunc(dialect, func(d wrong) bool { return bytes.Contains(lower, []byte(d.part)) })
}

// reads are the calls that read a variable of the environment.
var reads = regexp.MustCompile(`^(os\.Getenv|os\.LookupEnv|(long\.)?(Enabled|Every|Of))$`)

// mayRead says whether a source may have such a call.
func mayRead(src []byte) bool {
	return slices.ContainsFunc([]string{"os.Getenv", "os.LookupEnv", "long.Enabled", "long.Every", "long.Of",
		"package long"}, func(part string) bool { return bytes.Contains(src, []byte(part)) })
}

// early returns the calls by which a source reads a variable of the environment before tests begin: for a variable of
// its package, and in init; not those in functions that are called later.
func early(src []byte) (out []string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, 0)
	if err != nil {
		return []string{err.Error()}
	}
	look := func(n ast.Node) bool {
		if _, later := n.(*ast.FuncLit); later {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok {
			f := strings.Split(types.ExprString(c.Fun), "[")[0]
			if reads.MatchString(f) && (strings.Contains(f, ".") || file.Name.Name == "long") {
				out = append(out, f)
			}
		}
		return true
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			ast.Inspect(d, look)
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				ast.Inspect(d.Body, look)
			}
		}
	}
	return out
}

// TestVariablesAreReadLate: what a test reads of the environment before it begins Go does not know of, so it would take
// the kept result of a short run for that of a long one.
func TestVariablesAreReadLate(t *testing.T) {
	for src, want := range map[string]int{
		"package p\nvar long = os.Getenv(`A`) != ``":                             1,
		"package p\nvar (\n\tmost = 3\n\tall = []int{\n\tlong.Of[int](3, 9)}\n)": 1,
		"package long\nfunc init() {\n\tif !Enabled() {\n\t}\n}":                 1,
		"package p\nfunc f() bool { return long.Enabled() }":                     0,
		"package p\nvar f = func() bool { return long.Enabled() }":               0,
	} {
		if got := early([]byte(src)); len(got) != want {
			t.Errorf("%q: read early %v", src, got)
		}
	}
	sources(t, func(path string, src []byte) {
		if !strings.HasSuffix(path, "_test.go") && !ofTests(path) {
			return
		}
		if bytes.Contains(src, []byte("rapid.Check(")) && property.Match(src) &&
			!strings.HasSuffix(path, "testkit/long/long.go") {
			t.Errorf("%s: long.Check tries a property less often in a quick run", path)
		}
		if !mayRead(src) {
			return
		}
		for _, call := range early(src) {
			t.Errorf("%s: %s is called before a test begins", path, call)
		}
	})
}

// property is how rapid tries a property.
var property = regexp.MustCompile(`\brapid\.Check\(\w`)

// ofTests reports whether a file is of a suite or of what tests have in common.
func ofTests(path string) bool {
	dir := filepath.ToSlash(filepath.Dir(path))
	return strings.HasSuffix(dir, "test") || strings.Contains(dir, "internal/testkit/")
}
