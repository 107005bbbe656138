package dither_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// What a function may be at most.
const (
	mostLines    = 60 // from the line of func to that of its closing brace
	mostBranches = 20 // cyclomatic complexity
)

// TestFunctions refuses functions of the program and its tools that are too long or have too many branches. Tests are
// not looked at.
func TestFunctions(t *testing.T) {
	seen := 0
	must.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set, f, err := parsed(path)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			seen++
			lines := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
			branches := complexity(fn)
			if lines > mostLines || branches > mostBranches {
				t.Errorf("%s: %s has %d lines and a cyclomatic complexity of %d; %d and %d are the limits: split it",
					path, fn.Name.Name, lines, branches, mostLines, mostBranches)
			}
		}
		return nil
	}))
	if seen < 1000 {
		t.Errorf("looked at %d functions; there are thousands", seen)
	}
}

// complexity is the cyclomatic complexity of a function with those inside it (McCabe 1976): one, and one more for each
// condition, loop, case, and operator && or ||.
func complexity(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// Each kind of branch counts once; what is left over when no case fits does not.
func TestComplexity(t *testing.T) {
	const code = `package p
func plain() { println() }
func all(a, b bool, list []int, c chan int) {
	if a && b || a {
		for range list {
		}
	}
	for a {
	}
	switch {
	case a, b:
	case b:
	default:
	}
	select {
	case <-c:
	default:
	}
	func() {
		if b {
		}
	}()
}`
	f := must.Get(parser.ParseFile(token.NewFileSet(), "p.go", code, 0))(t)
	for k, want := range []int{1, 10} {
		if fn := f.Decls[k].(*ast.FuncDecl); complexity(fn) != want {
			t.Errorf("%s has a complexity of %d, expected %d", fn.Name.Name, complexity(fn), want)
		}
	}
}
