package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
)

// layer is a part of the code: its folders, one pattern each.
type layer struct {
	name    string
	folders []string
}

// layersOf reads the layers of a module, from the bottom up, out of the variable that its architecture test holds.
func layersOf(dir string) (out []layer, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "arch_test.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "layers" || len(v.Values) != 1 {
			return true
		}
		list, _ := v.Values[0].(*ast.CompositeLit)
		for _, e := range list.Elts {
			var texts []string
			ast.Inspect(e, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, _ := strconv.Unquote(l.Value)
					texts = append(texts, text)
				}
				return true
			})
			if len(texts) > 0 {
				out = append(out, layer{texts[0], texts[1:]})
			}
		}
		return false
	})
	if len(out) < 3 {
		return nil, fmt.Errorf("arch_test.go of %s holds no list of layers", dir)
	}
	return out, nil
}

// layerOf is the number of the layer that a folder belongs to, from the bottom: that of the line that names it or,
// failing that, of the first whose pattern matches; -1 for none.
func (c *code) layerOf(folder string) int {
	for _, match := range []func(pattern string) bool{
		func(p string) bool { return p == folder },
		func(p string) bool { ok, _ := filepath.Match(p, folder); return ok },
	} {
		for k, l := range c.layers {
			for _, p := range l.folders {
				if match(p) {
					return k
				}
			}
		}
	}
	return -1
}
