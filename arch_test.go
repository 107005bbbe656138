package dither_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/dither-data/dither/"

// A layer is a part of the code base. Imports point to an earlier line of the table.
type layer string

// The layers, from the ground up.
const (
	ground     layer = "ground"     // what everything may use
	nouns      layer = "nouns"      // the nouns of the code base: tables, segments, laws, intruders
	core       layer = "core"       // numbers and algorithms, by concept
	contracts  layer = "contracts"  // what a format, a miner, a technique, a measure is
	families   layer = "families"   // what several techniques, or measures, share
	techniques layer = "techniques" // a folder each, or one for a family
	composites layer = "composites" // declarations over techniques
	catalogue  layer = "catalogue"  // generated lists
	studies    layer = "study"      // a recipe in, an outcome out
	door       layer = "door"       // the package that programs import
	faces      layer = "faces"      // what people see
	desks      layer = "desk"       // files in, files out; no flags, no terminal
	programs   layer = "programs"
)

// entry is one line of the table of folders.
type entry struct {
	layer   layer
	pattern string
	io      bool // may read and write files
}

// folders lists the folders from the bottom up, one pattern a line; folders of one pattern are brothers and do not import each other. A star
// stands for one folder name; a pattern without one goes before those with.
var folders = []entry{
	{ground, "calendar", false},
	{ground, "card", false},
	{ground, "rng", false},
	{ground, "internal/crowd", false},
	{ground, "internal/dataset", true},
	{ground, "internal/numeral", false},
	{ground, "internal/parallel", false},
	{ground, "internal/space", true},
	{ground, "internal/wholefile", true},
	{ground, "internal/yardstick", false},
	{ground, "message", false},

	{nouns, "param", false},
	{nouns, "param/paramtest", false},
	{nouns, "table", false},
	{nouns, "table/tabletest", false},
	{nouns, "pseudonym", false},
	{nouns, "record", false},
	{nouns, "intruder", false},
	{nouns, "segment", false},
	{nouns, "wrap", false},
	{core, "internal/criterion", false},
	{nouns, "segment/tree", false},
	{nouns, "segment/tree/pmml", false},
	{nouns, "law", false},

	{core, "format/decimal", false},
	{core, "format/text", false},
	{core, "format/text/encodings", false},
	{core, "format/layout", false},
	{core, "format/codebook", false},
	{core, "format/instant", false},
	{core, "internal/*", false},
	{core, "internal/*/internal/*", false},
	{core, "hierarchy", false},
	{core, "law/transition", false},
	{core, "internal/drift", false},
	{core, "internal/randomised", false},
	{core, "internal/reconstruction", false},
	{core, "law/published", false},
	{core, "internal/itemset", false},
	{core, "internal/rareset", false},
	{core, "internal/operators", false},
	{core, "internal/association", false},
	{core, "basket", false},
	{core, "quality", false},
	{core, "internal/disguised", false},
	{core, "internal/hide", false},
	{core, "internal/correlation", false},
	{core, "internal/copula", false},
	{core, "internal/orthogonal", false},
	{core, "internal/microaggregation", false},
	{core, "internal/generality", false},
	{core, "internal/infoloss", false},

	{contracts, "format/dialect", true},
	{contracts, "mine", false},
	{families, "mine/internal/*", false},
	{techniques, "mine/c45", false},
	{techniques, "mine/*", false},
	{contracts, "limit", false},
	{contracts, "profile", false},
	{contracts, "policy", false},
	{contracts, "policy/adopt", false},
	{contracts, "generate", false},
	{techniques, "generate/*", false},
	{techniques, "format/*", true},
	{contracts, "format", true},
	{techniques, "format/all", false},
	{contracts, "database", false},
	{techniques, "database/*/*", true},
	{techniques, "database/*", true},

	{contracts, "reconstruct", false},
	{techniques, "reconstruct/reconstructtest", false},
	{techniques, "reconstruct/*", false},

	{contracts, "protect", false},
	{contracts, "internal/executor", false},
	{contracts, "protect/execute", false},
	{contracts, "measure", false},
	{families, "protect/internal/fence", false},
	{families, "protect/internal/named", false},
	{families, "protect/internal/*", false},
	{families, "measure/internal/*", false},
	{families, "measure/internal/posterior", false},
	{families, "measure/internal/noisetest", true},
	{families, "measure/*/internal/*", false},
	{techniques, "measure/ruletypes", false},
	{techniques, "measure/*", false},
	{families, "protect/*/internal/*", false},
	{techniques, "protect/*", false},
	{composites, "protect/stages", false},
	{composites, "protect/within", false},
	{composites, "protect/framework", false},
	{composites, "protect/protecttest", true},

	{catalogue, "catalog", false},
	{studies, "study", false},
	{studies, "study/choice", false},
	{studies, "study/judge", false},
	{studies, "study/reading", false},
	{studies, "study/chooser", false},
	{studies, "study/likeness", false},
	{studies, "study/trial/internal/footprint", true},
	{studies, "study/trial", false},
	{door, ".", true},
	{faces, "report/chart", false},
	{faces, "document", false},
	{faces, "report", false},
	{desks, "desk", true},
	{faces, "workbench", true}, // a face that asks the desk itself
	{programs, "cmd/dither/internal/*", true},
	{programs, "cmd/*", true},
	{programs, "catalog/gen", true},
}

// besides lists the imports inside one level that are meant: the conformance suites are used by tests only.
var besides = regexp.MustCompile(`/(protecttest|measuretest|minetest|tabletest|paramtest|reconstructtest)$`)

// TestLayers fails on an import that points up or sideways, on input and output in the core, and on a folder that no layer
// names.
func TestLayers(t *testing.T) {
	walk(t, func(path string, imports []string, test bool) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir == "." && test {
			return // what is about the whole module stands here, too
		}
		from, ok := place(dir)
		if !ok {
			t.Fatalf("%s: no line of folders names the folder %s", path, dir)
		}
		for _, imp := range imports {
			to, own := strings.CutPrefix(imp, module)
			if imp == strings.TrimSuffix(module, "/") {
				to, own = ".", true
			}
			if !own {
				if !test && !folders[from].io && isIO(imp) {
					t.Errorf("%s imports %s: the core does no input and output", path, imp)
				}
				continue
			}
			at, _ := place(to)
			if at < from || to == dir || test && (besides.MatchString(imp) || folders[at].layer != faces && folders[at].layer != programs) {
				continue
			}
			t.Errorf("%s (%s) imports %s (%s): imports point down only", path, folders[from].pattern, imp, folders[at].pattern)
		}
	})
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

// place returns the line of a folder: the one that names it or, failing that, the first whose pattern matches.
func place(dir string) (line int, ok bool) {
	line = slices.IndexFunc(folders, func(r entry) bool { return r.pattern == dir })
	for l := 0; line < 0 && l < len(folders); l++ {
		if m, _ := filepath.Match(folders[l].pattern, dir); m {
			line = l
		}
	}
	return line, line >= 0
}

func isIO(imp string) bool {
	return imp == "os" || imp == "log" || imp == "log/slog" || imp == "net" || strings.HasPrefix(imp, "net/") && imp != "net/url" || imp == "os/exec"
}

var vague = regexp.MustCompile(`(?:^|/)(util|utils|common|helper|helpers|misc|base|core)$`)

// TestNames refuses folders named after nothing, files above 500 lines that somebody wrote, and skeletons that are half
// filled in.
func TestNames(t *testing.T) {
	walk(t, func(path string, _ []string, _ bool) {
		if dir := filepath.ToSlash(filepath.Dir(path)); vague.MatchString(dir) && dir != "mine/core" { // CORE is a published clustering
			t.Errorf("%s: a package is named after its concept", dir)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "FILL"+" IN") {
			t.Errorf("%s still says FILL"+" IN: replace it, as the skeleton asks", path)
		}
		if n := strings.Count(string(b), "\n"); n > 500 && !strings.HasPrefix(string(b), "// Code generated ") {
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
	if err != nil {
		t.Fatal(err)
	}
}
