package dither

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoTextIsTakenApart: nothing above the measures looks into a title, a summary, a sentence or an error in words.
// What is decided is decided by keys, types and figures.
func TestNoTextIsTakenApart(t *testing.T) {
	looks := []string{"HasPrefix", "HasSuffix", "Contains", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix",
		"EqualFold", "Index", "Fields", "FieldsFunc"}
	for _, dir := range []string{"study", "report", "document", "workbench", "desk"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				f, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains(looks, f.Sel.Name) {
					return true
				}
				if of, ok := f.X.(*ast.Ident); ok && of.Name == "strings" && slices.ContainsFunc(call.Args, ofWords) {
					t.Errorf("%s: strings.%s looks into words for people", fset.Position(call.Pos()), f.Sel.Name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// ofWords reports whether an expression is, or is made of, a text for people: a sentence or an error in words, a title.
// What b writes is a text that is being built.
func ofWords(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			of, named := s.X.(*ast.Ident)
			found = found || slices.Contains([]string{"Error", "String", "Title", "Short", "Summary", "Says"}, s.Sel.Name) &&
				!(named && of.Name == "b")
		}
		return !found
	})
	return found
}
