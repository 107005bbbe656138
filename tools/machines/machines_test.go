package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTable names outputs that differ, and those that are missing on one side only.
func TestTable(t *testing.T) {
	s := study{machines: []string{"amd64", "arm64"}, cores: []string{"1", "8"}, techniques: []string{"a", "b", "c"},
		dir: t.TempDir()}
	for _, technique := range s.techniques {
		for _, m := range s.machines {
			for _, c := range s.cores {
				dir := s.folder(technique, m, c)
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				for _, o := range outputs {
					text := o
					if technique == "a" && o == "messages" && m == "arm64" { // slow: it says how far it is
						text = "dither: protecting: 40 %\nmeasuring found\n" + text
					}
					if technique == "b" && m == "arm64" && c == "8" && o == "figures" {
						text = "other"
					}
					if technique == "b" && o == "plan" && c == "8" && m == "amd64" {
						continue
					}
					if technique == "c" && o == "plan" && c == "1" && m == "amd64" {
						continue
					}
					if err := os.WriteFile(filepath.Join(dir, o), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	var out strings.Builder
	same, err := s.print(&out)
	const want = "| technique | amd64 1 | amd64 8 | arm64 1 | arm64 8 |\n| --- | --- | --- | --- | --- |\n" +
		"| a | same | same | same | same |\n| b | same | plan | same | figures |\n" +
		"| c | same | plan | plan | plan |\n"
	if err != nil || same || out.String() != want {
		t.Errorf("same %v, error %v:\n%s", same, err, &out)
	}
}
