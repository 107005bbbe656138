package measure_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

var update = flag.Bool("update", false, "write the list of keys anew")

// TestKeysStay: the keys of figures are those of the list, by the first word of the file, which is the measure's name.
// Documents have them, and programs that read these ask by them, so a key that is renamed breaks what nobody here can
// see; one that is added is added to the list by -update.
func TestKeysStay(t *testing.T) {
	var lines []string
	must.NoError(t, filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		measure, _, _ := strings.Cut(strings.TrimSuffix(filepath.ToSlash(path), ".go"), "_")
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			for _, key := range keysOf(f) {
				lines = append(lines, measure+" "+key+"\n")
			}
		}
		return err
	}))
	slices.Sort(lines)
	got, list := strings.Join(slices.Compact(lines), ""), filepath.Join("testdata", "keys.txt")
	if *update {
		must.NoError(t, os.WriteFile(list, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(list))(t)
	if string(want) == got {
		return
	}
	had, has := lineSet(string(want)), lineSet(got)
	for line := range had {
		if !has[line] {
			t.Errorf("the key %s is gone", line)
		}
	}
	for line := range has {
		if !had[line] {
			t.Errorf("the key %s is new", line)
		}
	}
}

func lineSet(s string) map[string]bool {
	return maps.Collect(func(yield func(string, bool) bool) {
		for _, l := range strings.Split(strings.TrimSpace(s), "\n") {
			if !yield(l, true) {
				return
			}
		}
	})
}

// keysOf returns the texts that keys of figures are made of in a file: those in a field Key, or key, and in conversions
// to a Key.
func keysOf(f *ast.File) (out []string) {
	texts := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, _ := strconv.Unquote(l.Value)
				out = append(out, text)
			}
			return true
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && (id.Name == "Key" || id.Name == "key") {
				texts(n.Value)
			}
		case *ast.ValueSpec: // the constants of this package
			if id, ok := n.Type.(*ast.Ident); ok && id.Name == "Key" {
				texts(n)
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Key" {
				texts(n)
			}
		}
		return true
	})
	return out
}
