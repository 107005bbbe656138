package dither_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/dither-data/dither/"

// layers lists the folders from the bottom up; an import must point to a lower line. A star stands for one folder name. The first
// pattern that matches decides.
var layers = []struct {
	level   int
	pattern string
	io      bool // may read and write files
}{
	{99, "cmd/*", true}, {98, "cmd/goldenanswer/answer", true}, {99, "docs/*", true}, {99, "catalog/gen", true}, {99, "internal/goldenanswer", true}, {99, "internal/newtechnique", true},
	{0, "card", false}, {0, "rng", false}, {0, "internal/dataset", true},
	{0, "internal/parallel", false}, {0, "internal/yardstick", false},
	{1, "param", false}, {1, "table", false}, {2, "table/tabletest", false},
	{2, "pseudonym", false}, {2, "intruder", false}, {2, "format/decimal", false}, {2, "format/text", false}, {3, "format/dialect", true}, {4, "format/*", true}, {5, "format", true},
	{3, "internal/correlation", false}, {4, "internal/infoloss", false}, {3, "internal/copula", false}, {3, "internal/orthogonal", false}, {3, "internal/microaggregation", false}, {3, "internal/generality", false}, {3, "internal/mondrian", false},
	{2, "internal/*", false},
	{3, "mine", false},
	{4, "tree", false},
	{9, "protect/protecttest", true}, {5, "mine/c45", false}, {6, "mine/*", false},
	{6, "profile", false}, {6, "policy", false}, {6, "generate", false}, {6, "generate/*", false},
	{7, "protect", false}, {7, "measure", false}, {7, "measure/ruletypes", false},
	{9, "protect/framework", false}, {9, "protect/randomframework", false}, {9, "protect/extframework", false}, {9, "protect/randomextframework", false},
	{8, "protect/*", false}, {8, "risk/*", false}, {9, "measure/*", false},
	{10, "catalog", false},
	{11, "study", false},
	{12, "report/chart", false},
	{13, "report", false},
	{14, "desk", true},
}

// besides lists the imports inside one level that are meant: the conformance suites are used by tests only.
var besides = regexp.MustCompile(`/(protecttest|measuretest|minetest|tabletest)$`)

// TestLayers fails on an import that points up or sideways, on input and output in the core, and on a folder that no layer
// names.
func TestLayers(t *testing.T) {
	walk(t, func(path string, imports []string, test bool) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir == "." {
			return
		}
		from, doesIO, ok := layer(dir)
		if !ok {
			t.Errorf("%s: no layer names the folder %s", path, dir)
		}
		for _, imp := range imports {
			to, own := strings.CutPrefix(imp, module)
			if !own {
				if !test && !doesIO && isIO(imp) {
					t.Errorf("%s imports %s: the core does no input and output", path, imp)
				}
				continue
			}
			level, _, _ := layer(to)
			if level < from || to == dir || test && (besides.MatchString(imp) || level <= 9 || strings.HasPrefix(to, "format")) {
				continue
			}
			t.Errorf("%s (layer %d) imports %s (layer %d): imports point down only", path, from, to, level)
		}
	})
}

func layer(dir string) (level int, io, ok bool) {
	for _, l := range layers {
		if m, _ := filepath.Match(l.pattern, dir); m {
			return l.level, l.io, true
		}
	}
	if strings.HasPrefix(dir, "docs/") {
		return 99, true, true
	}
	return 0, false, false
}

func isIO(imp string) bool {
	return imp == "os" || imp == "log" || imp == "log/slog" || imp == "net" || strings.HasPrefix(imp, "net/") && imp != "net/url" || imp == "os/exec"
}

var vague = regexp.MustCompile(`(?:^|/)(util|utils|common|helper|helpers|misc|base|core)$`)

// TestNames refuses folders named after nothing, and files above 500 lines.
func TestNames(t *testing.T) {
	walk(t, func(path string, _ []string, _ bool) {
		if dir := filepath.ToSlash(filepath.Dir(path)); vague.MatchString(dir) && dir != "mine/core" { // CORE is a published clustering
			t.Errorf("%s: a package is named after its concept", dir)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), "\n"); n > 500 {
			t.Errorf("%s has %d lines; 500 is the limit", path, n)
		}
	})
}

func walk(t *testing.T, visit func(path string, imports []string, test bool)) {
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
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, s := range f.Imports {
			imp, _ := strconv.Unquote(s.Path.Value)
			imports = append(imports, imp)
		}
		visit(path, imports, strings.HasSuffix(path, "_test.go"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
