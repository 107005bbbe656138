package main

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// code is a module and who calls whom in it.
type code struct {
	layers   []layer
	module   string
	root     string
	fset     *token.FileSet
	packages []*packages.Package
	calls    map[*ssa.Function][]call
}

// call is that of a function, where it stands.
type call struct {
	of *ssa.Function
	at token.Pos
}

// load reads all packages of the module in a folder.
func load(dir string, layers []layer) (*code, error) {
	c := &code{layers: layers, fset: token.NewFileSet(), calls: map[*ssa.Function][]call{}}
	all, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir, Fset: c.fset},
		"./...")
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(all) > 0 || len(all) == 0 || all[0].Module == nil {
		return nil, fmt.Errorf("the packages of %s do not build", dir)
	}
	c.packages, c.module, c.root = all, all[0].Module.Path, all[0].Module.Dir
	program, _ := ssautil.Packages(all, ssa.InstantiateGenerics)
	program.Build()
	functions := ssautil.AllFunctions(program)
	graph := vta.CallGraph(functions, cha.CallGraph(program))
	for f, node := range graph.Nodes {
		if f == nil || !c.read(f) {
			continue
		}
		for _, anon := range f.AnonFuncs {
			c.calls[f] = append(c.calls[f], call{anon, anon.Pos()})
		}
		c.add(f, node, token.NoPos, map[*callgraph.Node]bool{})
		slices.SortStableFunc(c.calls[f], func(a, b call) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.of.String(), b.of.String()))
		})
	}
	return c, nil
}

// add adds the calls of a function, and those of the wrappers that it calls, which stand nowhere.
func (c *code) add(f *ssa.Function, node *callgraph.Node, at token.Pos, seen map[*callgraph.Node]bool) {
	if seen[node] {
		return
	}
	seen[node] = true
	for _, e := range node.Out {
		site := at
		if site == token.NoPos {
			site = e.Pos()
		}
		switch to := e.Callee.Func; {
		case to.Synthetic != "" && to.Origin() == nil:
			c.add(f, e.Callee, site, seen)
		case c.read(to) || c.ends(to):
			c.calls[f] = append(c.calls[f], call{to, site})
		}
	}
}

// folder is that of a function below the module; ok is false for those of other modules.
func (c *code) folder(f *ssa.Function) (dir string, ok bool) {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	if f.Pkg == nil {
		return "", false
	}
	if f.Pkg.Pkg.Path() == c.module {
		return ".", true
	}
	return strings.CutPrefix(f.Pkg.Pkg.Path(), c.module+"/")
}

// read says whether a function is read: it is of the module, neither of the two lowest layers, nor a technique or a
// measure.
func (c *code) read(f *ssa.Function) bool {
	dir, ok := c.folder(f)
	return ok && c.layerOf(dir) >= 2 && !c.ends(f) && (f.Synthetic == "" || f.Origin() != nil)
}

// ends says whether a function is that of a technique or a measure.
func (c *code) ends(f *ssa.Function) bool {
	dir, ok := c.folder(f)
	k := c.layerOf(dir)
	return ok && k >= 0 && c.layers[k].name == "methods" &&
		(strings.HasPrefix(dir, "protect/") || strings.HasPrefix(dir, "measure/"))
}

// file is where a function stands, below the module.
func (c *code) file(f *ssa.Function) string {
	name, _ := filepath.Rel(c.root, c.fset.Position(f.Pos()).Filename)
	return filepath.ToSlash(name)
}

// followed is what following a value takes.
type followed struct {
	functions, files, visits, climbs int
	back                             []string // calls of a higher layer
}

// follow follows a value from a function, as folder.name, to the techniques and measures.
func (c *code) follow(from string) (out followed, err error) {
	var start *ssa.Function
	for f := range c.calls {
		if dir, _ := c.folder(f); dir+"."+f.Name() == from && f.Parent() == nil {
			start = f
		}
	}
	if start == nil {
		return out, fmt.Errorf("there is no function %s", from)
	}
	leads := map[*ssa.Function]bool{}
	c.leads(start, leads)
	seen, files, back := map[*ssa.Function]bool{}, map[string]bool{}, map[string]bool{}
	at := c.file(start)
	enter := func(file string) {
		if file != at {
			out.visits++
		}
		if c.above(file, at) {
			out.climbs++
		}
		at = file
	}
	var read func(f *ssa.Function)
	read = func(f *ssa.Function) {
		here := c.file(f)
		enter(here)
		seen[f], files[here] = true, true
		for _, call := range c.calls[f] {
			if !leads[call.of] || c.ends(call.of) {
				continue
			}
			if there := c.file(call.of); c.above(there, here) {
				back[here+" calls "+there] = true
			}
			if !seen[call.of] {
				enter(here) // behind what was called before
				read(call.of)
			}
		}
	}
	read(start)
	out.functions, out.files, out.back = len(seen), len(files), slices.Sorted(maps.Keys(back))
	return out, nil
}

// above says whether a file is in a higher layer than another.
func (c *code) above(file, other string) bool {
	return c.layerOf(path.Dir(file)) > c.layerOf(path.Dir(other))
}

// leads finds which of the functions that a function may call lead to a technique or a measure.
func (c *code) leads(start *ssa.Function, leads map[*ssa.Function]bool) {
	callers := map[*ssa.Function][]*ssa.Function{}
	todo, seen := []*ssa.Function{start}, map[*ssa.Function]bool{start: true}
	var back []*ssa.Function
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c.ends(f) {
			back = append(back, f)
			continue
		}
		for _, call := range c.calls[f] {
			callers[call.of] = append(callers[call.of], f)
			if !seen[call.of] {
				seen[call.of] = true
				todo = append(todo, call.of)
			}
		}
	}
	for len(back) > 0 {
		f := back[len(back)-1]
		back = back[:len(back)-1]
		if !leads[f] {
			leads[f] = true
			back = append(back, callers[f]...)
		}
	}
}
