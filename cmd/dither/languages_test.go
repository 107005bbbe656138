package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestPython and TestR run the code of the pages for users of these languages, all pieces of a page in one go, with
// this program as dither.
func TestPython(t *testing.T) {
	code := pieces(t, "python.md", "python")
	python := interpreter(t, "Debian's python3-pandas", exec.Command("python3", "-c", "import pandas"),
		exec.Command("/usr/bin/python3", "-c", "import pandas"))
	if err := exec.Command(python, "-c", "import pyarrow").Run(); err == nil {
		code += pieces(t, "python.md", "python parquet")
	} else {
		t.Log("without pyarrow the pieces on Parquet and Feather are not run")
	}
	interpret(t, python, "page.py", code)
}

// TestJSONPage runs what the page on documents does with them in Python, which needs nothing but Python.
func TestJSONPage(t *testing.T) {
	interpret(t, interpreter(t, "Debian's python3", exec.Command("python3", "--version")), "page.py",
		pieces(t, "json.md", "python"))
}

// TestR does so with the package in r, which it installs for itself.
func TestR(t *testing.T) {
	rscript := interpreter(t, "Debian's r-cran-jsonlite", exec.Command("Rscript", "-e", "library(jsonlite)"))
	library := t.TempDir()
	r := exec.Command("R", "CMD", "INSTALL", "--no-docs", "--no-test-load", "--library="+library,
		filepath.Join("..", "..", "r"))
	if out, err := r.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("R_LIBS", library)
	interpret(t, rscript, "page.R", pieces(t, "r.md", "r"))
}

// pieces joins the code of a kind on a page.
func pieces(t *testing.T, page, kind string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", page)))(t)
	var b strings.Builder
	for block := range strings.SplitSeq(string(text), "```") {
		if head, code, _ := strings.Cut(block, "\n"); head == kind {
			b.WriteString(code + "\n")
		}
	}
	if b.Len() == 0 {
		t.Fatalf("%s has no code marked %s", page, kind)
	}
	return b.String()
}

// interpreter returns the program of the first probe that succeeds. Where none does the test is skipped, and fails with
// CI=true.
func interpreter(t *testing.T, from string, probes ...*exec.Cmd) string {
	t.Helper()
	long.Only(t, "a page in another language")
	if testing.Short() {
		t.Skip("the plain run has run the page")
	}
	for _, p := range probes {
		if p.Run() == nil {
			return p.Path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", from)
	}
	t.Skipf("%s is not installed", from)
	return ""
}

// interpret runs code in a folder of its own, where dither is this test's program as a command.
func interpret(t *testing.T, program, file, code string) {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	must.NoError(t, os.Mkdir(bin, 0o755))
	must.NoError(t, os.Symlink(process(t).Path, filepath.Join(bin, "dither")))
	must.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(code), 0o600))
	c := exec.Command(program, file)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
}
