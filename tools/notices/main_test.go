package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestCurrent: the file is what go generate writes, names no place of this computer, and holds no licence that would
// bind those who use the program.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := notices(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Errorf("%s is not current: run go generate ./...", file)
	}
	for _, part := range []string{"Go and its standard library", "github.com/spf13/cobra v", "gonum.org/v1/gonum v",
		"github.com/inconshreveable/mousetrap v"} {
		if !bytes.Contains(want, []byte("\n"+part)) {
			t.Errorf("%s is missing", part)
		}
	}
	if at := regexp.MustCompile(`GNU (AFFERO |LESSER )?GENERAL PUBLIC LICENSE`).FindIndex(want); at != nil {
		t.Errorf("a licence that is not permissive: %s", want[at[0]:at[1]])
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 && bytes.Contains(want, []byte(home+"/")) {
		t.Error("it names a folder of this computer")
	}
}
