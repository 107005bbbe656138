package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// head begins the page of the index.
const head = `# Where each published name is declared

This page is generated from the code (` + "`go generate ./...`" + `). Its figures are lines: an editor opens
FILE:LINE, and a reader of this page follows the link.

| name | kind | file:line |
|---|---|---|
`

// index writes a page with one line for each entry of the catalogue below root: its name, and where its card is
// declared.
func index(page, root string) {
	var lines []string
	for _, s := range sources {
		cards(root, s.dir, func(name, at string) {
			file, line, _ := strings.Cut(at, ":")
			lines = append(lines, fmt.Sprintf("| %s | %s | [%s](../%s#L%s) |\n", name, s.kind, at, file, line))
		})
	}
	slices.Sort(lines)
	if err := os.WriteFile(page, []byte(head+strings.Join(lines, "")), 0o644); err != nil {
		log.Fatal(err)
	}
}

// cards calls found with the name of each card that is written in the folders below dir, and FILE:LINE of that name.
func cards(root, dir string, found func(name, at string)) {
	err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		file, _ := filepath.Rel(root, path)
		ast.Inspect(f, func(n ast.Node) bool {
			if name, ok := nameOf(n); ok {
				text, _ := strconv.Unquote(name.Value)
				found(text, fmt.Sprintf("%s:%d", filepath.ToSlash(file), set.Position(name.Pos()).Line))
			}
			return true
		})
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}

// nameOf returns the name in a literal of a card.
func nameOf(n ast.Node) (*ast.BasicLit, bool) {
	card, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	if t, ok := card.Type.(*ast.SelectorExpr); !ok || t.Sel.Name != "Card" {
		return nil, false
	}
	for _, e := range card.Elts {
		if f, ok := e.(*ast.KeyValueExpr); ok && f.Key.(*ast.Ident).Name == "Name" {
			name, ok := f.Value.(*ast.BasicLit)
			return name, ok
		}
	}
	return nil, false
}
