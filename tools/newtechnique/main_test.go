package main

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every kind of skeleton compiles inside the module, though nothing is written there, and passes all its tests: the
// conformance suite, the paper's figures, the twin, a seed of the fuzzing and one run of the benchmark's smaller table.
func TestSkeletonsPassTheirTests(t *testing.T) {
	if testing.Short() {
		return // the race detector does not reach into the programs that are built here
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			folder := kind + "/abcskeleton1"
			files, err := render(folder)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			overlay := struct{ Replace map[string]string }{map[string]string{}}
			for name, text := range files {
				file := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				overlay.Replace[filepath.Join(root, filepath.FromSlash(folder), filepath.FromSlash(name))] = file
				if !strings.HasSuffix(name, ".go") {
					continue
				}
				if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
					t.Errorf("%s is not formatted: %v", name, err)
				}
				for line := range strings.Lines(text) {
					if n := utf8.RuneCountInString(line); n > 121 { // 120 and the end of the line, as the module's tests want
						t.Errorf("%s: a line of %d characters: %s", name, n-1, line)
					}
				}
			}
			data, err := json.Marshal(overlay)
			if err != nil {
				t.Fatal(err)
			}
			list := filepath.Join(dir, "overlay.json")
			if err := os.WriteFile(list, data, 0o644); err != nil {
				t.Fatal(err)
			}
			binary := filepath.Join(dir, "abcskeleton1.test")
			build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", binary, "./"+folder)
			build.Dir = root
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			test := exec.Command(binary, "-test.v", "-test.benchtime=1x", "-test.bench=/30000")
			test.Dir = dir
			out, err := test.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range []string{"--- PASS: TestConformance", "--- PASS: TestPaper", "--- PASS: TestTwin",
				"Benchmark"} {
				if kind == "format" && strings.HasSuffix(want, "TestTwin") {
					continue // the suite reads back what it writes
				}
				if !strings.Contains(string(out), want) {
					t.Errorf("the tests do not print %q:\n%s", want, out)
				}
			}
		})
	}
}

func TestBadFoldersAreRefused(t *testing.T) {
	for folder, want := range map[string]string{
		"newone": "no place", "study/newone": "no place", "protect/new/one": "no place", "": "no place",
		"../protect/newone": "no place",
		"protect/New":       "bad name", "protect/new-one": "bad name", "protect/new_one": "bad name",
		"protect/2one": "bad name",
		"mine/ä":       "bad name",
		"protect/x":    "bad name", "protect/range": "bad name", "protect/internal": "bad name",
		"measure/measuretest": "bad name",
		"protect/rng":         "bad name", "protect/rpt": "catalogue", "mine/c45": "catalogue",
		"measure/accuracy": "catalogue",
		"measure/rpt":      "catalogue", "format/csv": "catalogue", "format/tab": "catalogue",
	} {
		if _, err := render(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; expected an error with %q", folder, err, want)
		}
	}
}

// A folder that exists is left as it is, and nothing is written outside a module.
func TestWrite(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{"a.go": "package a\n", "testdata/a.json": "[]\n"}
	if err := write(root, "protect/a", files); err == nil || !strings.Contains(err.Error(), "go.mod") {
		t.Errorf("outside a module: %v", err)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(root, "protect/a", files); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, "protect/a", name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if err := write(root, "protect/a", map[string]string{"a.go": "package b\n"}); err == nil ||
		!strings.Contains(err.Error(), "exists") {
		t.Errorf("a folder that exists: %v", err)
	}
	if got, _ := os.ReadFile(filepath.Join(root, "protect/a/a.go")); string(got) != "package a\n" {
		t.Errorf("the folder that existed holds %q", got)
	}
}
