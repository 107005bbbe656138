package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestExport: what is exported is an original, so it is its owner's alone, and nothing is overwritten without a word.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("in.csv"), []byte("age,y\n1,a\n2,b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) error {
		c := root()
		c.SetArgs(args)
		return c.ExecuteContext(t.Context())
	}
	if err := call("import", path("in.csv"), path("db.sqlite"), "people"); err != nil {
		t.Fatal(err)
	}
	if err := call("export", path("db.sqlite"), "people", "-o", path("out.csv")); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path("out.csv"))
	if err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("%v, mode %v", err, st.Mode())
	}
	if got, err := os.ReadFile(path("out.csv")); err != nil || string(got) != "age,y\n1,a\n2,b\n" {
		t.Errorf("%v: %q", err, got)
	}
	if call("export", path("db.sqlite"), "people", "-o", path("out.csv")) == nil {
		t.Error("a file is overwritten")
	}
	if err := call("export", path("db.sqlite"), "people", "-o", path("out.csv"), "--force"); err != nil {
		t.Error(err)
	}
}
