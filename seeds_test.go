package dither_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// TestRequestsHideTheirSeed: nothing that prints or encodes a request shows its seed, not even where it stands in an
// unexported field.
func TestRequestsHideTheirSeed(t *testing.T) {
	var secret [32]byte
	for k := range secret {
		secret[k] = byte(150 + k)
	}
	seed := rng.SeedOf(secret)
	r, c, p := study.Request{Seed: seed}, study.CompareRequest{Seed: seed}, executor.Recur{Seed: rng.New(seed)}
	type caller struct {
		request study.Request
		of      *study.CompareRequest
		again   []executor.Recur
	}
	own := caller{r, &c, []executor.Recur{p}}
	for _, v := range []any{r, &r, c, &c, p, &p, own, &own, []study.Request{r}, map[string]any{"a": r}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x", "%X", "%q", "%d", "%o", "%b", "% x", "%#x"} {
			shows(t, secret[:], fmt.Sprintf("%s of %T", format, v), fmt.Sprintf(format, v))
		}
		text, _ := json.Marshal(v) // techniques and seeds are refused
		shows(t, secret[:], fmt.Sprintf("the JSON of %T", v), string(text))
		var b strings.Builder
		for _, h := range []slog.Handler{slog.NewTextHandler(&b, nil), slog.NewJSONHandler(&b, nil)} {
			slog.New(h).Info("request", "value", v)
		}
		shows(t, secret[:], fmt.Sprintf("the log of %T", v), b.String())
	}
}

// shows complains of a text with any three bytes of the secret that follow each other.
func shows(t *testing.T, secret []byte, what, text string) {
	t.Helper()
	low := strings.ToLower(text)
	for k := range len(secret) - 3 {
		b := secret[k : k+3]
		signs := []string{hex.EncodeToString(b), string(b), base64.StdEncoding.EncodeToString(b)}
		for _, format := range []string{"%d", "%#x", "%#02x", "%o", "%b", "%x"} {
			for _, between := range []string{" ", ", ", ","} {
				signs = append(signs, fmt.Sprintf(strings.Join([]string{format, format, format}, between), b[0], b[1], b[2]))
			}
		}
		for _, sign := range signs {
			if strings.Contains(text, sign) || strings.Contains(low, sign) {
				t.Errorf("%s shows bytes %d to %d of the seed as %q", what, k, k+2, sign)
				return
			}
		}
	}
}

// TestSeedsAreSeeds: no field, parameter or result of the module that is called a seed is an array of bytes, which
// would print.
func TestSeedsAreSeeds(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set, f, err := parsed(path)
		if err != nil {
			return err
		}
		seen++
		ast.Inspect(f, func(n ast.Node) bool {
			for _, of := range named(n) {
				if of.seed && bytes32(of.kind) {
					t.Errorf("%s: %s is an array of bytes; rng.Seed does not print", set.Position(n.Pos()), of.name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 500 {
		t.Fatalf("%d files read: %v", seen, err)
	}
}

// typed is something with a name and a type.
type typed struct {
	name string
	kind ast.Expr
	seed bool // by its name
}

// named returns the fields, parameters, variables and results that a node declares.
func named(n ast.Node) (all []typed) {
	add := func(kind ast.Expr, names ...*ast.Ident) {
		for _, id := range names {
			all = append(all, typed{id.Name, kind, strings.Contains(strings.ToLower(id.Name), "seed")})
		}
	}
	switch n := n.(type) {
	case *ast.Field:
		add(n.Type, n.Names...)
	case *ast.ValueSpec:
		if n.Type != nil {
			add(n.Type, n.Names...)
		}
	case *ast.FuncDecl:
		if n.Type.Results != nil {
			for _, r := range n.Type.Results.List {
				add(r.Type, n.Name)
			}
		}
	}
	return all
}

// bytes32 reports whether a type is [32]byte, or a pointer to it, or a list of them.
func bytes32(kind ast.Expr) bool {
	switch kind := kind.(type) {
	case *ast.StarExpr:
		return bytes32(kind.X)
	case *ast.ArrayType:
		size, ok := kind.Len.(*ast.BasicLit)
		elem, named := kind.Elt.(*ast.Ident)
		return ok && size.Value == "32" && named && elem.Name == "byte" || bytes32(kind.Elt)
	}
	return false
}
