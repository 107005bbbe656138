package dither_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestNoTextIsTakenApart: nothing above the measures looks into a title, a summary, a sentence or an error in words.
// What is decided is decided by keys, types and figures.
func TestNoTextIsTakenApart(t *testing.T) {
	for _, dir := range []string{"study", "report", "document", "workbench", "desk"} {
		everyFile(t, dir, func(path string, fset *token.FileSet, file *ast.File) {
			for _, call := range takenApart(file) {
				if path == filepath.Join("desk", "purpose.go") {
					continue // users look for techniques by words
				}
				t.Errorf("%s: words for people are looked into", fset.Position(call.Pos()))
			}
		})
	}
}

// TestTakingApartIsSeen: what looks into words, also where they have a name of their own before.
func TestTakingApartIsSeen(t *testing.T) {
	for text, want := range map[string]int{
		`strings.Contains(err.Error(), "x")`:                                        1,
		`strings.HasPrefix(m.Title, "x")`:                                           1,
		`text := err.Error(); word, _, _ := strings.Cut(text, " "); _ = word`:       1,
		`text := strings.Join(all(err.Error()), "; "); strings.Contains(text, ".")`: 1,
		`strings.Contains(path, ".")`:                                               0,
		`text := err.Error(); fmt.Println(text)`:                                    0,
		`b.WriteString("x"); strings.TrimSuffix(b.String(), "x")`:                   0,
	} {
		file := must.Get(parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\nfunc f() { "+text+" }", 0))(t)
		if got := len(takenApart(file)); got != want {
			t.Errorf("%s: %d looks, expected %d", text, got, want)
		}
	}
}

// takenApart returns the calls that look into words for people: into those that an expression gives, or a variable that
// was given some in the same function.
func takenApart(file *ast.File) (calls []*ast.CallExpr) {
	looks := []string{"HasPrefix", "HasSuffix", "Contains", "ContainsAny", "ContainsRune", "Cut", "CutPrefix", "CutSuffix",
		"TrimPrefix", "TrimSuffix", "EqualFold", "Index", "Fields", "FieldsFunc"}
	for _, d := range file.Decls {
		words := map[string]bool{}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				v, ok := n.Lhs[0].(*ast.Ident)
				if ok && len(n.Rhs) == 1 && isText(n.Rhs[0]) && ofWords(n.Rhs[0], words) {
					words[v.Name] = true
				}
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains(looks, f.Sel.Name) {
					return true
				}
				of, ok := f.X.(*ast.Ident)
				if ok && of.Name == "strings" && slices.ContainsFunc(n.Args, func(e ast.Expr) bool { return ofWords(e, words) }) {
					calls = append(calls, n)
				}
			}
			return true
		})
	}
	return calls
}

// isText reports whether an expression gives a text: words, texts joined, or what package strings makes of some.
func isText(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		_, ok = e.(*ast.BinaryExpr)
		return ok
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	return ok && of.Name == "strings" || f.Sel.Name == "Error" || f.Sel.Name == "String"
}

// ofWords reports whether an expression is, or is made of, a text for people: a sentence or an error in words, a title,
// a variable that holds one. What b writes is a text that is being built.
func ofWords(e ast.Expr, words map[string]bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || words[n.Name]
		case *ast.SelectorExpr:
			of, named := n.X.(*ast.Ident)
			found = found || slices.Contains([]string{"Error", "String", "Title", "Short", "Summary", "Says"}, n.Sel.Name) &&
				!(named && of.Name == "b")
		}
		return !found
	})
	return found
}

// TestEnglishIsInOneFile: what reports, the desk, the workbench, the study and the profile tell people is not built of
// pieces of English where it is needed. Errors are, and so are the names that drawings have for who cannot see them.
// What is noted of a file is a sentence, so that formats and databases need only make none of a text.
func TestEnglishIsInOneFile(t *testing.T) {
	other := map[string]string{
		"desk/larger.go":            "what an error says that it cannot do",
		"desk/largereval.go":        "what an error says that it cannot do",
		"desk/record.go":            "the names of files in a record",
		"profile/identifying.go":    "words of names of columns, in many languages",
		"profile/forms.go":          "words of addresses, in many languages",
		"profile/names.go":          "words of names of columns, in many languages",
		"report/page.go":            "a style sheet",
		"report/patterns.go":        "a style sheet",
		"study/protect.go":          "what an error says to do",
		"study/reading/listed.go":   "where an error says that values stand",
		"study/reading/novalues.go": "texts that mean missing, in many languages",
		"study/search/rank.go":      "what an error expects",
		"workbench/signscreen.go":   "a command to copy",
	}
	used := map[string]bool{}
	for _, dir := range []string{"desk", "report", "workbench", "study", "profile", "document"} {
		everyFile(t, dir, func(path string, fset *token.FileSet, file *ast.File) {
			if strings.HasPrefix(path, filepath.Join("report", "chart")) {
				return
			}
			for _, at := range englishIn(file, builds) {
				if path := filepath.ToSlash(path); other[path] != "" {
					used[path] = true
				} else {
					t.Errorf("%s: a sentence is built here; it belongs into message/words", fset.Position(at))
				}
			}
		})
	}
	for _, dir := range []string{"format", "database"} {
		everyFile(t, dir, func(path string, fset *token.FileSet, file *ast.File) {
			for _, at := range englishIn(file, says) {
				t.Errorf("%s: a sentence is made of a text; it belongs into message/words", fset.Position(at))
			}
		})
	}
	for path, why := range other {
		if !used[path] {
			t.Errorf("%s has no English any more that is %s", path, why)
		}
	}
}

// TestEnglishIsSeen: what is English that is built, and what is not.
func TestEnglishIsSeen(t *testing.T) {
	for text, want := range map[string]int{
		`fmt.Sprintf("%d rows were lost", n)`:              1,
		`numfmt.Sprintf("%s classified by %s", a, b)`:      1,
		`fmt.Fprintf(w, "%s: read as dates\n", a)`:         1,
		`a + " of the release"`:                            1,
		`message.Text("rows were lost")`:                   1,
		`fmt.Sprintf("<p class=\"says\">%s</p>", a)`:       0,
		`fmt.Sprintf("%9s  %s", a, b)`:                     0,
		`fmt.Errorf("%d rows were lost", n)`:               0,
		`errors.New("rows were lost of " + a)`:             0,
		`message.Say("told.lost").Count("n", n)`:           0,
		`[]string{"what the caller takes for a constant"}`: 0,
	} {
		file := must.Get(parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\nvar x = "+text, 0))(t)
		if got := len(englishIn(file, builds)); got != want {
			t.Errorf("%s: %d pieces of English, expected %d", text, got, want)
		}
	}
}

var (
	markup  = regexp.MustCompile(`<[^>]*>?`)
	english = regexp.MustCompile(`\p{L}{2,} \p{L}{2,}`)
)

// englishIn returns where two words of English stand inside of such a node, as one that formats, joins or says a text.
func englishIn(file *ast.File, such func(ast.Node) bool) (at []token.Pos) {
	var outer []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			outer = outer[:len(outer)-1]
			return true
		}
		outer = append(outer, n)
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && slices.ContainsFunc(outer, such) &&
			!slices.ContainsFunc(outer, ofError) {
			if text, err := strconv.Unquote(l.Value); err == nil && english.MatchString(markup.ReplaceAllString(text, "")) {
				at = append(at, l.Pos())
			}
		}
		return true
	})
	return at
}

// builds reports whether a text inside becomes part of another or is said as it is.
func builds(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Sprintf", "Sprint", "Sprintln", "Fprintf", "Fprint", "Fprintln", "Appendf",
			"Text", "Given"}, f.Sel.Name)
	case *ast.BinaryExpr:
		return n.Op == token.ADD
	case *ast.AssignStmt:
		return n.Tok == token.ADD_ASSIGN
	}
	return false
}

// says reports whether a text inside is said as it is.
func says(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (f.Sel.Name == "Text" || f.Sel.Name == "Given")
}

// ofError reports whether a text inside is that of an error.
func ofError(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			of, ok := f.X.(*ast.Ident)
			return ok && (of.Name == "errors" && f.Sel.Name == "New" || of.Name == "fmt" && f.Sel.Name == "Errorf")
		case *ast.Ident:
			return f.Name == "panic"
		}
	case *ast.FuncDecl:
		return n.Name.Name == "Error"
	}
	return false
}

// everyFile parses the files of a folder, without its tests.
func everyFile(t *testing.T, dir string, visit func(path string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	must.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset, file, err := parsed(path)
		if err == nil {
			visit(path, fset, file)
		}
		return err
	}))
}
