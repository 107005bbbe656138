package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestCurrent: the files are what go generate writes, name no place of this computer, and hold no licence that would
// bind those who use the programs.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	parts := map[string][]string{
		"dither": {"github.com/spf13/cobra v", "gonum.org/v1/gonum v", "github.com/inconshreveable/mousetrap v"},
		"dither-sql": {"github.com/duckdb/duckdb-go/v2 v", "modernc.org/sqlite v",
			"github.com/duckdb/duckdb-go-bindings/lib/darwin-amd64 v"},
		"dither-beam": {"github.com/apache/beam/sdks/v2 v"},
	}
	for _, p := range programs {
		want, err := p.notices(root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, p.module, file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("%s of %s is not current: run go generate ./...", file, p.name)
		}
		for _, part := range append(parts[p.name], "Go and its standard library") {
			if !bytes.Contains(want, []byte("\n"+part)) {
				t.Errorf("%s: %s is missing", p.name, part)
			}
		}
		if at := regexp.MustCompile(`GNU (AFFERO |LESSER )?GENERAL PUBLIC LICENSE`).FindIndex(want); at != nil {
			t.Errorf("%s: a licence that is not permissive: %s", p.name, want[at[0]:at[1]])
		}
		if home, err := os.UserHomeDir(); err == nil && len(home) > 1 && bytes.Contains(want, []byte(home+"/")) {
			t.Errorf("%s: it names a folder of this computer", p.name)
		}
	}
}
