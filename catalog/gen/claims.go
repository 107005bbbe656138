package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"log"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// assertions writes, for every claim of every technique, that its plan, or it, has the interface: a misspelt method does not compile. A technique
// and its plan are the types Technique and Plan of its folder.
func assertions(file, dir string) {
	interfaces := claims(dir)
	imports := []string{module + "law", module + "protect"}
	var text strings.Builder
	for _, e := range find(dir, "Method") {
		name := path.Base(e.dir)
		claimed := claimed(filepath.Join(dir, e.dir))
		if len(claimed) > 0 {
			imports = append(imports, module+"protect/"+e.dir)
			fmt.Fprintln(&text, "var (")
		}
		for _, c := range claimed {
			i, who := interfaces[c], "Plan"
			if i == "" {
				log.Fatalf("protect/%s: there is no claim %s", e.dir, c)
			}
			if i == "protect.Hierarchical" {
				who = "Technique"
			}
			fmt.Fprintf(&text, "\t_ %s = (*%s.%s)(nil)\n", i, name, who)
		}
		if len(claimed) > 0 {
			fmt.Fprint(&text, ")\n\n")
		}
	}
	save(file, "catalog", imports, text.String())
}

// claims returns the interfaces by the names of the constants that claim them.
func claims(dir string) map[string]string {
	files, err := parse(dir)
	if err != nil {
		log.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		for name, value := range values(f, token.CONST) {
			if l, ok := value.(*ast.BasicLit); ok && l.Kind == token.STRING {
				out[name.Name], _ = strconv.Unquote(l.Value)
			}
		}
	}
	return out
}

// claimed returns the names of the constants that the methods of a folder claim.
func claimed(dir string) []string {
	files, err := parse(dir)
	if err != nil {
		log.Fatal(err)
	}
	var out []string
	for _, f := range files {
		for name, value := range values(f, token.VAR) {
			entry, ok := value.(*ast.CompositeLit)
			if !ok || !strings.HasPrefix(name.Name, "Method") {
				continue
			}
			for _, field := range entry.Elts {
				kv, ok := field.(*ast.KeyValueExpr)
				if !ok || kv.Key.(*ast.Ident).Name != "Claims" {
					continue
				}
				for _, c := range kv.Value.(*ast.CompositeLit).Elts {
					out = append(out, c.(*ast.SelectorExpr).Sel.Name)
				}
			}
		}
	}
	return out
}
