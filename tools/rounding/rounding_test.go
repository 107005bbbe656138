package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// look loads a file and returns what is found.
func look(t *testing.T, name string) (*token.FileSet, *ast.File, []finding) {
	t.Helper()
	all, err := packages.Load(&packages.Config{Mode: mode}, name)
	if err != nil || packages.PrintErrors(all) > 0 {
		t.Fatal(err)
	}
	p := all[0]
	return p.Fset, p.Syntax[0], inspect(p.Types, p.TypesInfo, p.Syntax[0], "example")
}

func example(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("testdata/before.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFinds finds what the example marks, line by line, and nothing else.
func TestFinds(t *testing.T) {
	text := example(t)
	set, _, found := look(t, "testdata/before.go")
	on := map[int]int{}
	for _, f := range found {
		on[set.Position(f.pos).Line]++
	}
	for k, line := range strings.Split(text, "\n") {
		if got, want := on[k+1], strings.Count(line, " want"); got != want {
			t.Errorf("line %d: %d found, expected %d: %s", k+1, got, want, line)
		}
	}
}

// TestFix writes what it finds: nothing is found then, no line is too long, and a second time changes nothing.
func TestFix(t *testing.T) {
	name := filepath.Join(t.TempDir(), "after.go")
	text := example(t)
	for range 2 {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		var found []finding
		if !strings.Contains(text, "portable") {
			set, f, found = look(t, name)
		}
		if err := mend(name, set, f, found); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = string(b)
	}
	for _, line := range strings.Split(text, "\n") {
		if width(line) > columns {
			t.Errorf("too long: %s", line)
		}
	}
	for _, want := range []string{
		"a := float64(x*y) + z", "a += float64(x * y)", "a -= -(float64(x * y))", "b := float64(x * y)",
		"list[0] = float64(list[0] * (y + 1))", "c := share(share(x) * share(y))",
		"return float64((x + y) * x)",
		"a = z - float64(x*y) ", "a = float64(3*x) + float64(1*y)",
		"d := 2*3.5 + 2*x - x*0.25 + y/2\n\td *= 4", "e := float64(x*y) + z",
		"f := x * y / z", "if x*y > z {", "math.Sqrt(x*y) + max(x*y, z)",
		"call(float64(x*y), ",
		"portable.Exp(x) + math.Floor(x) +", "vector.Sum(list)",
		"\t\"math\"\n\n\t\"github.com/dither-data/dither/internal/portable\"\n" +
			"\t\"github.com/dither-data/dither/internal/portable/vector\"\n)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "gonum") {
		t.Error("gonum is imported without use")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestExempt(t *testing.T) {
	for dir, want := range map[string]bool{
		"report/chart": true, "workbench": true, "protect/protecttest": true, "internal/testkit/dataset": true,
		"report": false, "rng": false, "protect/internal/additive": false, "internal/portable": false, "": false,
	} {
		if got := exempt.MatchString(dir); got != want {
			t.Errorf("%s: exempt %v", dir, got)
		}
	}
}

// TestSums reads what the compiler prints, each place once, and leaves out other modules and what is exempt.
func TestSums(t *testing.T) {
	const out = `# github.com/dither-data/dither/rng
github.com/dither-data/dither/rng/a.go:4:8 [bisect-match 0x12112cf738820664]
fmahash triggered github.com/dither-data/dither/rng/a.go:4:8 100000100000011001100100
fmahash triggered github.com/dither-data/dither/rng/a.go:4:8 100000100000011001100100
fmahash triggered github.com/dither-data/dither/wrap/b.go:28:3; github.com/dither-data/dither/wrap/c.go:2:2 0111
fmahash triggered github.com/dither-data/dither/workbench/tryscreen.go:288:32 0111
fmahash triggered gonum.org/v1/gonum/mat/a.go:1:2 0111
`
	if got, want := strings.Join(sums([]byte(out)), " "), "rng/a.go:4:8 wrap/b.go:28:3"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}
