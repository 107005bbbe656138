package job

import (
	"bytes"
	"cmp"
	"errors"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
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
	_, there := storetest.S3(t)
	for _, c := range []struct {
		name, work, output string
		shards             []string
	}{
		{"all", "", there + "/all/out", copied(t, there+"/in", shards...)},
		{"release", dir, there + "/release/out", shards},
		{"work", there + "/work", filepath.Join(dir, "out"), shards},
		{"two stores", strings.Replace(there, "s3", "memfs", 1), there + "/two/out", shards},
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

// The seed is in no file of the working folder, and neither it nor a name of a column is in a file's name; files are
// for their owner alone. No stage begins on a machine that has no seed, or another one: the error says what to do.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	lines := invented(300)
	_, plan, seedFile := laptop(t, dir, lines, "framework", nil)
	const variable = "DITHER_TEST_SEED"
	for _, q := range []*Job{{SeedFile: seedFile, Said: unlimited}, {SeedEnv: variable, Said: unlimited}} {
		t.Setenv(variable, seed)
		save(t, seedFile, seed)
		q.Shards, q.Plan = cut(t, t.TempDir(), lines, 2), plan
		if err := q.Check(); err != nil {
			t.Fatal(err)
		}
		folder, err := Begin(q, filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		stages := stagesOf(t.Context(), q, folder)
		for _, stage := range stages {
			for k := range stage.n() {
				if err := stage.work(k); err != nil {
					t.Fatal(stage.name, err)
				}
			}
		}
		secret(t, folder, []string{"age", "income", "height", "sex", "ward", "born", "class"})
		none, other := "mount its file", strings.Replace(seed, "0", "1", 1)
		if q.SeedEnv != "" {
			none = "is not set on this machine"
		}
		for says, change := range map[string]func(){
			"not the seed": func() { t.Setenv(variable, other); save(t, seedFile, other) },
			none:           func() { t.Setenv(variable, ""); os.Remove(seedFile) },
		} {
			change()
			for _, stage := range stages {
				if err := stage.work(0); err == nil || !strings.Contains(err.Error(), says) ||
					strings.Contains(err.Error(), seed[:16]) || strings.Contains(err.Error(), other[:16]) {
					t.Errorf("%s: %v", stage.name, err)
				}
			}
		}
		if err := End(folder); err != nil {
			t.Error(err)
		}
	}
}

// A seed in the place of the name of its variable, or of its file, is refused and not repeated.
func TestSeedInPlaceOfItsName(t *testing.T) {
	for _, q := range []*Job{{SeedEnv: seed}, {SeedEnv: seed[:30] + "$"}, {SeedFile: seed}, {SeedFile: "/x/" + seed}} {
		if _, err := q.seed(); !errors.Is(err, ErrUsage) || strings.Contains(err.Error(), seed[:16]) {
			t.Errorf("%v", err)
		}
	}
}

// secret looks for the seed in the files of a working folder, and for it and columns in their names.
func secret(t *testing.T, folder string, columns []string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(folder, func(path string, f os.DirEntry, err error) error {
		if err != nil || f.IsDir() || f.Name() == release {
			return err
		}
		files++
		if st, err := f.Info(); filepath.Dir(path) == folder && (err != nil || st.Mode().Perm() != 0o600) {
			t.Errorf("%s can be read by others: %v, %v", f.Name(), st.Mode(), err)
		}
		if strings.Contains(load(t, path), strings.TrimSpace(seed)) {
			t.Errorf("%s holds the seed", f.Name())
		}
		for _, name := range append(columns, seed[:16]) {
			if strings.Contains(f.Name(), name) {
				t.Errorf("the name %s holds %q", f.Name(), name)
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("%d files were looked at: %v", files, err)
	}
}

// A shard that is another one when it is read again ends the job: the error names it, and nothing is written.
func TestChangedInput(t *testing.T) {
	_, there := storetest.S3(t)
	dir, lines := t.TempDir(), invented(300)
	_, plan, seedFile := laptop(t, dir, lines, "pram", nil)
	for name, c := range map[string]struct {
		shards []string
		output string
	}{
		"disk": {cut(t, t.TempDir(), lines, 3), filepath.Join(dir, "out")},
		"S3":   {copied(t, there+"/in", cut(t, t.TempDir(), lines, 3)...), there + "/out"},
	} {
		q := &Job{Shards: c.shards, Plan: plan, SeedFile: seedFile}
		if err := q.Check(); err != nil {
			t.Fatal(err)
		}
		folder, err := Begin(q, c.output)
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range stagesOf(t.Context(), q, folder) {
			for k := range stage.n() {
				if err = cmp.Or(err, stage.work(k)); stage.name == "merge" { // a value for another that is in the table, too
					text, err := store.Read(t.Context(), c.shards[2])
					if err == nil {
						text = bytes.Replace(text, []byte("nurse"), []byte("clerk"), 1)
						err = store.Write(t.Context(), c.shards[2], store.Bytes(text))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if err == nil || !strings.Contains(err.Error(), store.Base(c.shards[2])) ||
			!strings.Contains(err.Error(), "was changed") {
			t.Errorf("%s: %v", name, err)
		}
		if err := End(folder); err != nil {
			t.Error(err)
		}
		if left, err := store.List(t.Context(), store.Join(store.Dir(c.output), "*out*")); len(left) > 0 || err != nil {
			t.Errorf("%s: left behind: %v, %v", name, left, err)
		}
	}
}
