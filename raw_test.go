package dither_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// raw is the executor that draws from the source that it is given: by one source it gives the same noise to two plans
// and to two tables, whose releases are then solved for the originals.
const raw = module + "internal/executor"

// TestNothingExecutesRaw: what a program can import executes a plan by protect/execute, or not at all. Of the exported
// functions and methods of packages that are not internal none reaches the raw executor but execute.Plan, which keys
// the noise, and what a technique has to have (Fit and Apply). The suites that techniques are tested by are left out.
func TestNothingExecutesRaw(t *testing.T) {
	folders, seen := map[string]bool{}, 0
	walk(t, func(file string, _ []string, _ bool) { folders[filepath.ToSlash(filepath.Dir(file))] = true })
	for dir := range folders {
		if strings.Contains("/"+dir+"/", "/internal/") || strings.HasSuffix(dir, "test") {
			continue // no program imports it
		}
		for name, at := range reaching(t, dir) {
			seen++
			if dir+"."+name != "protect/execute.Plan" {
				t.Errorf("%s: %s executes a plan by %s: call protect/execute, or do not export it", at, name, raw)
			}
		}
	}
	if seen != 1 {
		t.Errorf("%d exported functions execute plans; expected execute.Plan alone", seen)
	}
}

// reaching returns the exported functions and methods of a package that reach the raw executor, by their own call or
// through others of the package, and where they stand. Main packages have none.
func reaching(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	calls, exported := map[string]map[string]bool{}, map[string]string{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		files, f, err := parsed(filepath.Join(dir, e.Name()))
		must.NoError(t, err)
		if f.Name.Name == "main" {
			return nil
		}
		for _, d := range f.Decls {
			name, used := "", uses(f, d)
			if fn, ok := d.(*ast.FuncDecl); ok {
				name = fn.Name.Name
				if fn.Recv != nil {
					name = "." + name
				}
				if fn.Name.IsExported() && !contract(fn) {
					exported[name] = files.Position(fn.Pos()).String()
				}
			}
			for u := range used {
				if calls[name] == nil {
					calls[name] = map[string]bool{}
				}
				calls[name][u] = true
			}
		}
	}
	bad := map[string]bool{raw: true}
	for grown := true; grown; {
		grown = false
		for name, used := range calls {
			for u := range used {
				if bad[u] && !bad[name] && name != ".Apply" { // by that name steps are applied, and much else
					bad[name], grown = true, true
				}
			}
		}
	}
	out := map[string]string{}
	for name, at := range exported {
		if bad[name] {
			out[name] = at
		}
	}
	return out
}

// uses returns what a declaration mentions: functions of the package by their names, methods by theirs behind a dot,
// and the raw executor by its path.
func uses(f *ast.File, d ast.Decl) map[string]bool {
	imported := map[string]string{}
	for _, s := range f.Imports {
		p, _ := strconv.Unquote(s.Path.Value)
		name := path.Base(p)
		if s.Name != nil {
			name = s.Name.Name
		}
		imported[name] = p
	}
	out := map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			switch {
			case !ok || imported[x.Name] == "":
				out["."+n.Sel.Name] = true
				ast.Inspect(n.X, visit)
			case imported[x.Name] == raw:
				out[raw] = true
			}
			return false
		case *ast.KeyValueExpr: // of a struct the key is a field
			ast.Inspect(n.Value, visit)
			return false
		case *ast.Ident:
			out[n.Name] = true
		}
		return true
	}
	ast.Inspect(d, visit)
	return out
}

// contract reports whether a method is one that a technique or a plan has to have.
func contract(fn *ast.FuncDecl) bool {
	return fn.Recv != nil && (fn.Name.Name == "Fit" || fn.Name.Name == "Apply")
}
