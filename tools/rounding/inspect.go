package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
)

// finding is one place, and the edits that mend it; without edits somebody must.
type finding struct {
	pos   token.Pos
	says  string
	edits []edit
	from  string // the import that an edit needs, if any
}

// edit replaces a piece of a file, which may be empty.
type edit struct {
	pos, end token.Pos
	text     string
}

// inspector walks one file.
type inspector struct {
	pkg   *types.Package
	info  *types.Info
	stack []ast.Node
	found []finding
	own   bool // the file is of package portable, which calls its functions without a name before them
	// invents says that the file makes up tables, for which variates of math/rand are good enough: they differ in one of a
	// million draws, by a bit.
	invents bool
}

func inspect(pkg *types.Package, info *types.Info, f *ast.File, dir string) []finding {
	w := &inspector{pkg: pkg, info: info, own: dir == portable, invents: strings.HasPrefix(dir, "generate")}
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			w.product(n)
		case *ast.AssignStmt:
			w.assigned(n)
		case *ast.SelectorExpr:
			w.selected(n)
		}
		w.stack = append(w.stack, n)
		return true
	})
	return w.found
}

func (w *inspector) add(n ast.Node, says, from string, edits ...edit) {
	w.found = append(w.found, finding{n.Pos(), says, edits, from})
}

// product looks at a product of numbers that are not constant.
func (w *inspector) product(e *ast.BinaryExpr) {
	t := w.info.Types[e]
	if t.Value != nil {
		return
	}
	if is(t.Type, types.IsComplex) && (e.Op == token.MUL || e.Op == token.QUO) {
		w.add(e, "nothing keeps the parts of complex numbers from being fused", "")
	}
	if e.Op != token.MUL || !is(t.Type, types.IsFloat) || w.scales(e.X) || w.scales(e.Y) || !w.fusible() {
		return
	}
	name := w.conversion(t.Type)
	w.add(e, "the product may be fused with a sum: "+name+"(...)", "",
		edit{e.Pos(), e.Pos(), name + "("}, edit{e.End(), e.End(), ")"})
}

// scales reports whether a factor is a constant power of two, whose products are exact, so that fusing them changes
// nothing. 1 is none: the compiler drops it.
func (w *inspector) scales(factor ast.Expr) bool {
	v := w.info.Types[factor].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(constant.ToFloat(v))
	m, e := math.Frexp(math.Abs(f))
	return m == 0.5 && e != 1
}

// conversion is how a type is written in its package.
func (w *inspector) conversion(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		return p.Name()
	})
}

// is reports whether a type is, or a type parameter may be, a float or complex number.
func is(t types.Type, what types.BasicInfo) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return slices.ContainsFunc(terms(p), func(t types.Type) bool { return is(t, what) })
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&what != 0
}

// terms lists the types that a type parameter may stand for.
func terms(p *types.TypeParam) (all []types.Type) {
	for e := range p.Constraint().Underlying().(*types.Interface).EmbeddedTypes() {
		switch e := e.Underlying().(type) {
		case *types.Union:
			for t := range e.Terms() {
				all = append(all, t.Type())
			}
		case *types.Interface:
			for inner := range e.EmbeddedTypes() {
				if u, ok := inner.(*types.Union); ok {
					for t := range u.Terms() {
						all = append(all, t.Type())
					}
				}
			}
		default:
			all = append(all, e)
		}
	}
	return all
}

// fusible reports whether what stands around an expression, the end of the stack, lets it be fused with a sum.
func (w *inspector) fusible() bool {
	for _, n := range slices.Backward(w.stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.UnaryExpr:
			continue // its sign
		case *ast.BinaryExpr:
			return n.Op == token.ADD || n.Op == token.SUB
		case *ast.CallExpr:
			return !w.rounds(n.Fun)
		case *ast.IndexExpr, *ast.IfStmt, *ast.CaseClause:
			return false
		}
		return true
	}
	return true
}

// rounds reports whether a function takes its arguments as they are, rounded: a conversion to a float, max, min, or one
// of package math, or of package portable, which the compiler does not inline.
func (w *inspector) rounds(f ast.Expr) bool {
	if t := w.info.Types[f]; t.IsType() {
		return true
	}
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		b, ok := w.info.Uses[f].(*types.Builtin)
		return ok && (b.Name() == "max" || b.Name() == "min")
	case *ast.SelectorExpr:
		o := w.info.Uses[f.Sel]
		return o != nil && o.Pkg() != nil && (o.Pkg().Path() == "math" || o.Pkg().Path() == modulePath+portable)
	}
	return false
}

// assigned looks at x *= y, which is a product that is assigned.
func (w *inspector) assigned(s *ast.AssignStmt) {
	if s.Tok != token.MUL_ASSIGN {
		return
	}
	t := w.info.TypeOf(s.Lhs[0])
	if is(t, types.IsComplex) {
		w.add(s, "nothing keeps the parts of complex numbers from being fused", "")
	}
	if !is(t, types.IsFloat) || w.scales(s.Rhs[0]) {
		return
	}
	says := "the product may be fused with a sum: x = float64(x * y)"
	if !repeatable(s.Lhs[0]) {
		w.add(s, says, "")
		return
	}
	x, y := types.ExprString(s.Lhs[0]), s.Rhs[0]
	open, end := "", ")"
	if b, ok := y.(*ast.BinaryExpr); ok && b.Op.Precedence() <= token.MUL.Precedence() {
		open, end = "(", "))"
	}
	w.add(s, says, "", edit{s.TokPos, y.Pos(), "= " + w.conversion(t) + "(" + x + " * " + open},
		edit{y.End(), y.End(), end})
}

// repeatable reports whether an expression may be written twice: it calls nothing.
func repeatable(e ast.Expr) bool {
	calls := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		calls = calls || call
		return !calls
	})
	return !calls
}

// selected looks at names of package math and of gonum.
func (w *inspector) selected(s *ast.SelectorExpr) {
	o := w.info.Uses[s.Sel]
	f, ok := o.(*types.Func)
	if !ok || f.Pkg() == nil {
		return
	}
	path := f.Pkg().Path()
	switch {
	case path == "math" && own[f.Name()]:
		name := "portable."
		from := portable
		if w.own {
			name, from = "", ""
		}
		name += f.Name()
		w.add(s, "math."+f.Name()+" differs between processors: "+name, from, edit{s.Pos(), s.End(), name})
	case path == "math" && !safe[f.Name()]:
		w.add(s, "math."+f.Name()+" differs between processors", "")
	case path == "math/cmplx":
		w.add(s, "cmplx."+f.Name()+" differs between processors", "")
	case strings.HasPrefix(path, "math/rand") && !w.invents && (f.Name() == "NormFloat64" || f.Name() == "ExpFloat64"):
		w.add(s, "rand."+f.Name()+" differs between processors", "")
	case strings.HasPrefix(path, "gonum.org/"):
		w.gonum(s, f)
	}
}

// gonum looks at a function or method of gonum.
func (w *inspector) gonum(s *ast.SelectorExpr, f *types.Func) {
	path := f.Pkg().Path()
	last := path[strings.LastIndex(path, "/")+1:]
	switch {
	case exact[last][f.Name()]:
	case last == "floats" && vectors[f.Name()]:
		name := "vector." + f.Name()
		w.add(s, "floats."+f.Name()+" differs between processors: "+name, portable+"/vector", edit{s.Pos(), s.End(), name})
	default:
		w.add(s, last+"."+f.Name()+" of gonum differs between processors", "")
	}
}
