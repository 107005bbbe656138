package dither_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

const module = "github.com/dither-data/dither/"

// A layer is a part of the code base: its folders, one pattern each. A star stands for one name.
type layer struct {
	name    string
	folders []string
	// strict says that folders import those of earlier lines only, not their brothers.
	strict bool
}

// layers are those of the code base, from the bottom up: imports point down, or stay in the layer. A folder belongs to
// the line that names it or, failing that, to the first whose pattern matches.
var layers = []layer{
	// tables, what is said of them, and the files and databases they are read from
	{"data", []string{
		"calendar", "card", "hierarchy", "intruder", "limit", "message", "message/words", "param", "param/*", "pseudonym",
		"record", "rng", "segment", "table", "table/*", "wrap", "internal/portable", "internal/portable/*",
		"format", "format/*", "format/text/encodings", "database", "database/*",
		"database/*/*", "internal/system/*", "internal/text/*", "internal/testkit/*",
	}, false},
	// numbers, mining and noise, by concept: no technique, no report
	{"algorithms", []string{
		"basket", "budget", "impute", "noisemodel", "noisemodel/*", "profile", "quality", "relation", "relation/relationtest",
		"segment/tree", "segment/tree/pmml", "segment/tree/published", "tabulate", "tabulate/*", "unit",
		"internal/anonymity/*", "internal/mining/*", "internal/noise/*",
		"internal/stats/*",
	}, false},
	// what a policy, a miner, a generator, a technique, a measure, a reconstruction is
	{"contracts", []string{
		"policy", "policy/adopt", "policy/yaml", "mine", "generate", "protect", "internal/executor", "protect/execute",
		"measure", "reconstruct", "joint", "joint/planfile",
	}, false},
	// the published methods, what several of them share, and their catalogue
	{"methods", []string{
		"mine/internal/*", "mine/c45", "mine/forests", "impute/trees", "mine/*", "generate/*",
		"reconstruct/reconstructtest", "reconstruct/*",
		"protect/internal/fence", "protect/internal/named", "protect/internal/*", "measure/internal/*",
		"measure/internal/posterior", "measure/internal/noisetest",
		"measure/*/internal/*", "measure/ruletypes", "measure/*", "protect/*/internal/*", "protect/*",
		"protect/bycolumn", "protect/stages", "protect/within", "protect/framework", "protect/protecttest", "catalog",
		"catalog/techniques", "catalog/measures", "catalog/mining", "catalog/all",
		"joint/jointtest", "joint/sums", "joint/pair", "joint/sets", "joint/bayes", "joint/clusters",
		"joint/products", "joint/regression", "joint/rules", "joint/segments", "joint/trees", "joint/catalog",
	}, true},
	// a policy in, an outcome out: protect, evaluate, judge, choose
	{"study", []string{"study", "study/*", "study/trial/internal/*"}, false},
	// what programs and people use: the package at the root, documents, reports, the desk, the workbench, the command
	{"interfaces", []string{
		".", "document", "report", "report/*", "joint/transport", "desk", "workbench", "cmd/dither",
		"cmd/dither/internal/*", "catalog/gen",
	}, false},
}

// readsFiles are the folders that may read and write files, or ask a database or the network.
var readsFiles = []string{".", "budget", "catalog/gen", "cmd/dither", "cmd/dither/internal/*", "database/*",
	"database/*/*", "desk", "format", "format/*", "internal/system/filelock", "internal/system/mmap",
	"internal/system/wholefile", "internal/testkit/*", "joint/jointtest", "joint/transport",
	"measure/internal/noisetest", "mine/minetest", "protect/protecttest", "study/trial/internal/*", "workbench"}

// besides lists the imports between brothers that are meant: the conformance suites are used by tests only.
var besides = regexp.MustCompile(
	`/(protecttest|measuretest|minetest|tabletest|paramtest|reconstructtest|relationtest|jointtest)$`)

// lists are the packages that hold entries of the catalogue. What imports them, in completes, depends on every
// technique or measure: its tests run again after an edit of any.
var lists = regexp.MustCompile(`/catalog/(techniques|measures|mining|all)$`)

var completes = []string{".", "catalog/all", "cmd/dither", "workbench"}

// place is where a folder stands: its layer, and its line there.
type place struct{ layer, line int }

// placed returns the place of a folder; ok is false where no line names it.
func placed(dir string) (at place, ok bool) {
	for _, match := range []func(pattern string) bool{
		func(p string) bool { return p == dir },
		func(p string) bool { m, _ := filepath.Match(p, dir); return m },
	} {
		for k, l := range layers {
			if line := slices.IndexFunc(l.folders, match); line >= 0 {
				return place{k, line}, true
			}
		}
	}
	return place{}, false
}

// may says whether a folder may import another.
func (from place) may(to place) bool {
	return to.layer < from.layer || to.layer == from.layer && (!layers[from.layer].strict || to.line < from.line)
}

// TestLayers fails on an import that points up or, among methods, sideways, on input and output where none is meant,
// and on a folder that no layer names.
func TestLayers(t *testing.T) {
	seen := map[place]bool{}
	walk(t, func(path string, imports []string, test bool) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir == "." && test {
			return // what is about the whole module stands here, too
		}
		from, ok := placed(dir)
		if !ok {
			t.Fatalf("%s: no layer names the folder %s", path, dir)
		}
		seen[from] = true
		for _, imp := range imports {
			if imp+"/" == module {
				imp += "/."
			}
			to, own := strings.CutPrefix(imp, module)
			if !own {
				if !test && isIO(imp) && !mayReadFiles(dir) {
					t.Errorf("%s imports %s: %s does no input and output", path, imp, dir)
				}
				continue
			}
			if lists.MatchString(imp) && !slices.Contains(completes, dir) && (!test || to != "catalog/measures" &&
				to != "catalog/mining") {
				t.Errorf("%s imports %s: %s looks entries up, and its tests import families", path, imp, dir)
			}
			at, _ := placed(to)
			if family, other := top(dir), top(to); !test && !strings.HasSuffix(dir, "test") &&
				(family == "protect" && other == "measure" || family == "measure" && other == "protect") {
				t.Errorf("%s imports %s: techniques and measures do not know each other", path, imp)
			}
			if from.may(at) || to == dir || test && (besides.MatchString(imp) || layers[at.layer].name != "interfaces") {
				continue
			}
			t.Errorf("%s (%s) imports %s (%s): imports point down only", path, layers[from.layer].name, imp,
				layers[at.layer].name)
		}
	})
	for k, l := range layers {
		for line, pattern := range l.folders {
			if !seen[place{k, line}] {
				t.Errorf("no folder is %s of the layer %s", pattern, l.name)
			}
		}
	}
}

func top(dir string) string {
	first, _, _ := strings.Cut(dir, "/")
	return first
}

func mayReadFiles(dir string) bool {
	return slices.ContainsFunc(readsFiles, func(p string) bool { m, _ := filepath.Match(p, dir); return m })
}

// An example is a program of a user, who cannot import what is internal.
func TestExamplesImportWhatUsersCan(t *testing.T) {
	seen := 0
	walk(t, func(path string, imports []string, _ bool) {
		if !strings.HasPrefix(filepath.Base(path), "example") {
			return
		}
		seen++
		for _, imp := range imports {
			if strings.Contains(imp, "/internal/") || strings.HasSuffix(imp, "/internal") {
				t.Errorf("%s imports %s", path, imp)
			}
		}
	})
	if seen < 6 {
		t.Errorf("%d files of examples; expected 6 or more", seen)
	}
}

func isIO(imp string) bool {
	return imp == "os" || imp == "log" || imp == "log/slog" || imp == "net" ||
		strings.HasPrefix(imp, "net/") && imp != "net/url" ||
		imp == "os/exec"
}

var vague = regexp.MustCompile(`(?:^|/)(util|utils|common|helper|helpers|misc|base|core)$`)

// TestNames refuses folders named after nothing, files above 500 lines that somebody wrote, and skeletons that are half
// filled in.
func TestNames(t *testing.T) {
	walk(t, func(path string, _ []string, _ bool) {
		if dir := filepath.ToSlash(filepath.Dir(path)); vague.MatchString(dir) {
			t.Errorf("%s: a package is named after its concept", dir)
		}
		b := must.Get(os.ReadFile(path))(t)
		if strings.Contains(string(b), "FILL"+" IN") {
			t.Errorf("%s still says FILL"+" IN: replace it, as the skeleton asks", path)
		}
		if n := strings.Count(string(b), "\n"); n > 500 && !strings.HasPrefix(string(b), "// Code generated ") {
			t.Errorf("%s has %d lines; 500 is the limit", path, n)
		}
	})
}

// trees are the files of the module as they were parsed, once for all tests that read them.
var trees = struct {
	sync.Mutex
	set   *token.FileSet
	files map[string]*ast.File
}{set: token.NewFileSet(), files: map[string]*ast.File{}}

// parsed is a file of Go without its comments, which nobody may change.
func parsed(path string) (*token.FileSet, *ast.File, error) {
	trees.Lock()
	defer trees.Unlock()
	f, ok := trees.files[path]
	if !ok {
		var err error
		if f, err = parser.ParseFile(trees.set, path, nil, parser.SkipObjectResolution); err != nil {
			return nil, nil, err
		}
		trees.files[path] = f
	}
	return trees.set, f, nil
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
		if _, err := os.Stat(filepath.Join(path, "go.mod")); d.IsDir() && path != "." && err == nil {
			return fs.SkipDir // a module of its own, above all of this
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
	must.NoError(t, err)
}
