package desk

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/policy"
)

// A request holds what is asked for and nothing else.
func TestRequestsArePublic(t *testing.T) {
	for _, q := range []any{ProtectRequest{}, ChooseRequest{}, EvaluateRequest{}, AttackRequest{}, TryRequest{},
		TryChoiceRequest{}, Source{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(q)) {
			if !f.IsExported() {
				t.Errorf("%T has the field %s, which nobody can ask for", q, f.Name)
			}
		}
	}
}

// spare is a list with room behind its end, where an append would write.
func spare(list ...string) []string {
	return append(append(make([]string, 0, len(list)+1), list...), "")[:len(list)]
}

// behind are the lists of a request with the place behind their end.
func behind(lists ...[]string) (out [][]string) {
	for _, l := range lists {
		out = append(out, l[:cap(l)])
	}
	return out
}

// Requests are as they were after they are served, up to what stands behind the end of their lists.
func TestRequestsStay(t *testing.T) {
	f := newFolder(t)
	in, seed := f.people(t, 60), f.fixedSeed(t)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\nblank-lookups: true\nlimits: none\n"+
		"columns: {name: {identifier: pseudonymise}}\n")
	source := func() Source {
		return Source{
			Path:   in,
			Policy: pol,
			Said: policy.Policy{
				File:    policy.File{MissingBesides: []policy.Text{"?"}, Items: spare()},
				Columns: map[string]policy.Column{"age": {Role: policy.Roles{"quasi-identifier"}}, "city": {KeepText: true}},
			},
		}
	}
	protect := func() ProtectRequest {
		return ProtectRequest{
			Source: source().Saying(
				policy.Policy{
					Limits:   "none",
					Accept:   spare(),
					AtMost:   spare(),
					Columns:  map[string]policy.Column{"name": {Identifier: "pseudonymise"}},
					Method:   policy.Method{Within: &policy.Within{By: "tree"}, Set: map[string]policy.Text{"leaf": "50"}},
					Measures: map[string]map[string]policy.Text{"found": {"people": "5"}},
				},
			),
			Release:   f.path("out.csv"),
			PlanOut:   f.path("plan.json"),
			SeedFile:  seed,
			Report:    f.path("r.html"),
			Record:    f.path("r.json"),
			Overwrite: true,
		}
	}
	q, want := protect(), protect()
	must.Get(newListener().Protect(ctx, q))(t)
	of := func(q ProtectRequest) [][]string {
		return behind(q.Said.Accept, q.Said.AtMost, q.Said.File.Items)
	}
	stays(t, "protect", q, want, of(q), of(want))

	applied := func() ProtectRequest {
		q := protect()
		q.Plan, q.PlanOut, q.Release = f.path("plan.json"), f.path("again.json"), f.path("again.csv")
		q.Said.Method, q.Report = policy.Method{}, ""
		return q
	}
	q, want = applied(), applied()
	must.Get(newListener().Protect(ctx, q))(t)
	stays(t, "protect by a plan", q, want, of(q), of(want))

	choose := func() ChooseRequest {
		q := ChooseRequest{ProtectRequest: protect(), Methods: spare("rankswap", "rpt"), Fixed: map[string]string{},
			Resume: f.path("trials"), Grid: 2}
		q.Said.Method, q.SeedFile, q.Report, q.Record = policy.Method{}, "", "", ""
		return q
	}
	c, wantc := choose(), choose()
	must.Get(newListener().Choose(ctx, c))(t)
	stays(t, "choose", c, wantc, behind(c.Methods), behind(wantc.Methods))

	evaluation := func() EvaluateRequest {
		return EvaluateRequest{
			Source: source().Saying(
				policy.Policy{
					Limits:    "none",
					Accept:    spare(),
					Earlier:   spare(f.path("again.csv")),
					Intruders: []intruder.Intruder{{Name: "a", Knows: spare("age")}},
					Measures:  map[string]map[string]policy.Text{"linkage": {"pairs": "50"}},
				},
			),
			Released:    f.path("again.csv"),
			Plan:        f.path("again.json"),
			Measures:    spare("linkage"),
			SeedFile:    seed,
			EarlierPlan: spare(f.path("again.json")),
		}
	}
	e, wante := evaluation(), evaluation()
	must.Get(newListener().Evaluate(ctx, e))(t)
	lists := func(e EvaluateRequest) [][]string {
		return behind(e.Measures, e.Said.Earlier, e.EarlierPlan, e.Said.Accept)
	}
	stays(t, "evaluate", e, wante, lists(e), lists(wante))
	a, wanta := AttackRequest{EvaluateRequest: evaluation()}, AttackRequest{EvaluateRequest: evaluation()}
	a.Measures, wanta.Measures, a.Said.Measures, wanta.Said.Measures = a.Measures[:0], wanta.Measures[:0], nil, nil
	must.Get(newListener().Attack(ctx, a))(t)
	stays(t, "attack", a, wanta, lists(a.EvaluateRequest), lists(wanta.EvaluateRequest))
}

func stays(t *testing.T, what string, is, was any, lists, before [][]string) {
	t.Helper()
	own := cmpopts.IgnoreUnexported(policy.Policy{})
	if d := cmp.Diff(was, is, own) + cmp.Diff(before, lists); d != "" {
		t.Errorf("%s changes its request: %s", what, d)
	}
}

// What is withheld is an error beside the results, of every verb; a release that was made is none.
func TestWithheldIsAnError(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias")
	q.SeedFile = f.path("seed")
	q.Policy = f.put(t, "p.yaml", "version: 1\nclass: y\nlimits: none\nthresholds: [{measure: bias, max: 0}]\n")
	made := ProtectRequest{Source: q.Source, Release: f.path("no.csv")}
	trial := TryRequest{Source: q.Source, SeedFile: q.SeedFile}
	d := &Desk{}
	p, err := d.Protect(ctx, made)
	broken(t, "protect", p != nil, err)
	tried, err := d.Try(ctx, trial)
	broken(t, "try", tried != nil, err)
	e, err := d.Evaluate(ctx, q)
	broken(t, "evaluate", e != nil, err)
	a, err := d.Attack(ctx, AttackRequest{EvaluateRequest: q})
	broken(t, "attack", a != nil, err)
	c, err := d.Choose(ctx, ChooseRequest{ProtectRequest: made, Methods: []string{"rankswap"}})
	broken(t, "choose", c != nil, err)
	c, err = d.TryChoice(ctx, TryChoiceRequest{TryRequest: trial, Methods: []string{"rankswap"}})
	broken(t, "try a choice", c != nil, err)
	if strings.Contains(f.names(t), "no.csv") {
		t.Error("a release is written that is withheld")
	}
}

func broken(t *testing.T, what string, results bool, err error) {
	t.Helper()
	var b *Broken
	if !errors.As(err, &b) || b == nil || len(b.Breaches) == 0 || !results {
		t.Errorf("%s: %v, with results: %v", what, err, results)
	}
}

// courses are the stages of a release that is made, and of one that is evaluated, in their order.
var courses = [][]string{
	{"asked", "loaded", "settled", "made", "measured", "judged", "written", "Protection"},
	{"posed", "opened", "paired", "ready", "weighed", "Evaluation"},
}

// A stage is made by the one before it alone, and no stage writes into what came before: so what is written was judged.
func TestStagesFollow(t *testing.T) {
	names := must.Get(filepath.Glob("*.go"))(t)
	made, stageNames := map[string][]string{}, slices.Concat(courses...)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		for _, decl := range file.Decls {
			of, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			self, by := receiver(of)
			ast.Inspect(of, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if id, ok := n.Type.(*ast.Ident); ok && slices.Contains(stageNames, id.Name) {
						made[id.Name] = append(made[id.Name], by)
					}
				case *ast.AssignStmt:
					for _, to := range n.Lhs {
						at := root(to)
						if at != to && at.Name == self && slices.Contains(stageNames, by) && of.Name.Name != "begin" {
							t.Errorf("%s.%s writes into its stage", by, of.Name.Name)
						}
					}
				}
				return true
			})
		}
	}
	for _, stages := range courses {
		for k, stage := range stages[1:] {
			if !slices.Equal(made[stage], stages[k:k+1]) {
				t.Errorf("%s is made by %v, expected %s alone", stage, made[stage], stages[k])
			}
		}
		if !slices.Equal(made[stages[0]], []string{"Desk"}) {
			t.Errorf("%s is made by %v", stages[0], made[stages[0]])
		}
	}
}

// receiver is the name and the type of a method's receiver; empty for a function.
func receiver(f *ast.FuncDecl) (name, of string) {
	if f.Recv == nil {
		return "", ""
	}
	typ := f.Recv.List[0].Type
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	if names := f.Recv.List[0].Names; len(names) > 0 {
		name = names[0].Name
	}
	if id, ok := typ.(*ast.Ident); ok {
		of = id.Name
	}
	return name, of
}

// root is the variable that an assignment goes through; what names none has none.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return &ast.Ident{}
		}
	}
}

// What is measured after the verdict stands in the outcome of the release, and the stages before it stay as they were.
func TestStagesStay(t *testing.T) {
	f := newFolder(t)
	q := ProtectRequest{
		Source: Source{
			Path: f.people(t, 60),
			Said: policy.Policy{Limits: "none", Class: "y", Method: policy.Method{Name: "warner"}},
		},
		Release:       f.path("out.csv"),
		Report:        f.path("r.html"),
		NoiseModelOut: f.path("law.json"),
		PlanOut:       f.path("plan.json"),
		SeedFile:      f.fixedSeed(t),
	}
	files := q.files(false)
	defer files.discard()
	a := must.Get(asked{d: &Desk{}, q: &q, in: reader{Source: q.Source, pol: &q.Said}, files: files}.begin())(t)
	l := must.Get(a.load(ctx))(t)
	s := must.Get(l.settle(ctx))(t)
	m := must.Get(s.perturb(ctx))(t)
	e := must.Get(m.measure(ctx))(t)
	law, before := *m.law, *e.c.Outcome
	before.Measures = slices.Clone(before.Measures)
	w := must.Get(e.judge().write(ctx))(t)
	p := must.Get(w.place(ctx))(t)
	if o := p.Outcome; o.ReleasedFile.SHA256 == "" || len(o.Measures) <= len(before.Measures) {
		t.Errorf("of the file %q, %d measures after %d", o.ReleasedFile.SHA256, len(o.Measures), len(before.Measures))
	}
	if n := len(w.c.Outcome.Measures); n != len(before.Measures) {
		t.Errorf("the rest of the measures reaches what was written: %d", n)
	}
	o := e.c.Outcome
	if o.ReleasedFile != before.ReleasedFile || o.Verdict != before.Verdict || len(o.Measures) != len(before.Measures) {
		t.Errorf("writing changes what was measured: %+v", o.ReleasedFile)
	}
	if m.law.Release != law.Release || law.Release.SHA256 != "" {
		t.Errorf("writing changes the law: %+v", m.law.Release)
	}
}
