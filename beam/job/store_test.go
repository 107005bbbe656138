package job

import (
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/dither-data/dither/beam/store"
)

// copied puts files under addresses below a prefix.
func copied(t *testing.T, prefix string, paths ...string) (addresses []string) {
	t.Helper()
	for _, path := range paths {
		addresses = append(addresses, store.Join(prefix, filepath.Base(path)))
		if err := store.Write(t.Context(), addresses[len(addresses)-1], store.Bytes([]byte(load(t, path)))); err != nil {
			t.Fatal(err)
		}
	}
	return addresses
}

// under lists all below a prefix, three folders deep.
func under(t *testing.T, prefix string) (all []string) {
	t.Helper()
	for _, pattern := range []string{"*", "*/*", "*/*/*"} {
		some, err := store.List(t.Context(), store.Join(prefix, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// joinedAt is the release in a store, the parts in their order, with one header.
func joinedAt(t *testing.T, output string) string {
	t.Helper()
	dir := t.TempDir()
	parts, err := store.List(t.Context(), store.Join(output, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		data, err := store.Read(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		save(t, filepath.Join(dir, store.Base(part)), string(data))
	}
	return joined(t, dir)
}

// Input, plan, working folder and release may each be in a store: the release is the same, and the plan that is fitted.
func TestInStore(t *testing.T) {
	dir, lines := t.TempDir(), invented(600)
	set := map[string]string{"exact": "true"}
	want, plan, seedFile := laptop(t, dir, lines, "extframework", set)
	shards := cut(t, t.TempDir(), lines, 4)
	there := "memfs://bucket/" + t.Name()
	for _, c := range []struct {
		name, work, output string
		shards             []string
	}{
		{"all", "", there + "/all/out", copied(t, there+"/in", shards...)},
		{"release", dir, there + "/release/out", shards},
		{"work", there + "/work", filepath.Join(dir, "out"), shards},
	} {
		q := &Job{Shards: c.shards, Plan: copied(t, there, plan)[0], SeedFile: seedFile, Work: c.work,
			Measures: []string{"segments"}, Said: unlimited}
		if _, err := run(t.Context(), q, c.output, "", rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := joinedAt(t, c.output); got != want {
			t.Errorf("%s: the release differs from that of one machine:\n%s", c.name, differs(want, got))
		}
		if marked, err := store.Exists(t.Context(), store.Join(c.output, store.Marker)); err != nil ||
			marked == store.Local(c.output) {
			t.Errorf("%s: there is a marker: %v, %v", c.name, marked, err)
		}
	}
	for _, address := range under(t, there) {
		if strings.Contains(address, ".working-") || strings.Contains(address, ".placing-") {
			t.Errorf("left behind: %s", address)
		}
	}
	q := &Job{Shards: copied(t, there+"/in", shards...), Method: "extframework", Set: set, Class: "class",
		SeedFile: seedFile, Categorical: []string{"ward"}, Said: unlimited}
	fitted := there + "/fitted.json"
	if _, err := run(t.Context(), q, there+"/fitted", fitted, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Fatal(err)
	}
	if got := joinedAt(t, there+"/fitted"); got != want {
		t.Errorf("fitted: the release differs from that of one machine:\n%s", differs(want, got))
	}
	if ok, err := store.Exists(t.Context(), fitted); !ok || err != nil {
		t.Errorf("the fitted plan is not there: %v", err)
	}
}

// Files are opened, made and removed by package store alone, and addresses are put together there.
func TestOnlyTheStoreOpensFiles(t *testing.T) {
	for _, pattern := range []string{"*.go", "../pipeline/*.go", "../cmd/dither-beam/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				switch i.Path.Value {
				case `"path/filepath"`, `"github.com/dither-data/dither/internal/system/wholefile"`:
					t.Errorf("%s imports %s: use package store", path, i.Path.Value)
				}
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range []string{"os.Open", "os.Create", "os.Read", "os.Write", "os.Mkdir", "os.Re", "os.Stat",
				"os.Lstat", "format.Read(", "format.Write("} {
				if strings.Contains(string(text), call) {
					t.Errorf("%s calls %s: use package store", path, call)
				}
			}
		}
	}
}
