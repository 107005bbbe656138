package dither_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
)

// states are those of a verdict, with their signs.
var states = map[study.State]document.State{study.Withheld: document.Withheld, study.WithCare: document.WithCare,
	study.Meets: document.Meets, study.Unjudged: document.Unjudged}

// TestOneWordForAVerdict: documents, texts and pages say the same words.
func TestOneWordForAVerdict(t *testing.T) {
	for s, sign := range states {
		if string(s) != string(sign) || strings.ToLower(s.Word().String()) != string(s) {
			t.Errorf("%q, %q and %q are one state", s, sign, s.Word())
		}
	}
}

// TestNothingElseSaysAVerdict: no sentence and no text of the program holds a word of a verdict but those of the one
// list, which a state stands for.
func TestNothingElseSaysAVerdict(t *testing.T) {
	shouted := regexp.MustCompile(`\b(WITHHELD|RELEASE WITH CARE|MEETS THE LIMITS|NOT JUDGED|UNPROVEN|[Gg]ate: (PASS|FAIL))\b`)
	words := map[string]bool{}
	for s := range states {
		words[string(s)] = true
	}
	sentences, err := os.ReadFile("message/words/en.yaml")
	must.NoError(t, err)
	before, rest, _ := strings.Cut(string(sentences), "\n  state:\n")
	list, after, _ := strings.Cut(rest, "\n  better:\n")
	if n := len(shouted.FindAllString(list, -1)); n != len(states) {
		t.Errorf("the list has %d words for %d states: %s", n, len(states), list)
	}
	if found := shouted.FindString(before + after); found != "" {
		t.Errorf("a sentence says %s", found)
	}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (path == "tools" || d.Name() == "testdata" || d.Name() == ".git") {
			return skipped(err)
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		_, file, err := parsed(path)
		if err != nil {
			return err
		}
		list := path == filepath.Join("study", "verdict.go") || path == filepath.Join("document", "model.go") ||
			path == filepath.Join("desk", "record.go") // where a key counts limits
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil || shouted.MatchString(text) || words[text] && text != string(study.Withheld) && !list {
				t.Errorf("%s says %s, %v", path, lit.Value, err)
			}
			return true
		})
		return nil
	})
	must.NoError(t, err)
}

// skipped is the error of a walk, or that a folder is left out.
func skipped(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}
