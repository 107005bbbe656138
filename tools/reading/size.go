package main

import (
	"go/ast"
	"go/types"
	"strings"
)

// size is how much there is to read.
type size struct{ lines, names, packages int }

// size counts what people wrote, without tests.
func (c *code) size() (s size) {
	for _, p := range c.packages {
		if len(p.Syntax) == 0 { // tests alone
			continue
		}
		s.packages++
		for _, f := range p.Syntax {
			if !ast.IsGenerated(f) {
				s.lines += c.fset.File(f.Pos()).LineCount()
			}
		}
		if strings.Contains("/"+p.PkgPath+"/", "/internal/") || p.Name == "main" {
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			if ast.IsExported(name) {
				s.names += 1 + methods(scope.Lookup(name))
			}
		}
	}
	return s
}

// methods counts the exported methods that a type declares.
func methods(o types.Object) (n int) {
	named, ok := o.Type().(*types.Named)
	if _, isType := o.(*types.TypeName); !isType || !ok {
		return 0
	}
	for m := range named.Methods() {
		if m.Exported() {
			n++
		}
	}
	return n
}
