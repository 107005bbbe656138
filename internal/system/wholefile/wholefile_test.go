package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// begun returns a closed file that is not in its place yet.
func begun(t *testing.T, path, text string, opt Options) *File {
	t.Helper()
	f := must.Get(Create(path, opt))(t)
	must.Get(f.Write([]byte(text)))(t)
	must.NoError(t, f.Close())
	return f
}

// contents returns what the files of a folder hold, by name.
func contents(t *testing.T, dir string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var out []string
	for _, e := range entries {
		data := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		out = append(out, e.Name()+"="+string(data))
	}
	return strings.Join(out, " ")
}

// TestTogether: files are nowhere until they are placed, all then, and one whose place was taken meanwhile leaves all
// as they were.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	a, b := begun(t, in("a"), "1", Options{}), begun(t, in("b"), "2", Options{})
	if _, err := os.Stat(in("a")); !errors.Is(err, fs.ErrNotExist) || a.Path() != in("a") {
		t.Errorf("before it is placed: %v", err)
	}
	if err := Place(a, b); err != nil || contents(t, dir) != "a=1 b=2" {
		t.Fatalf("%v: %s", err, contents(t, dir))
	}
	c, d, e := begun(
		t,
		in("a"),
		"new",
		Options{Replace: true},
	), begun(t, in("c"), "3", Options{}), begun(t, in("d"), "4", Options{})
	must.NoError(t, os.WriteFile(in("d"), []byte("theirs"), 0o600))
	err := Place(c, d, e)
	if !errors.Is(err, ErrAppeared) || !errors.Is(err, fs.ErrExist) || !strings.HasPrefix(err.Error(), in("d")+": ") {
		t.Errorf("a place that was taken meanwhile: %v", err)
	}
	if got := contents(t, dir); got != "a=1 b=2 d=theirs" {
		t.Errorf("it leaves %s", got)
	}
	if err := Place(begun(t, in("a"), "new", Options{Replace: true})); err != nil ||
		contents(t, dir) != "a=new b=2 d=theirs" {
		t.Errorf("%v: %s", err, contents(t, dir))
	}
	if err := Place(); err != nil {
		t.Errorf("nothing to place: %v", err)
	}
}

// TestFailed: what fails half-way names its path, never the temporary one, and what cannot be replaced says what has
// been.
func TestFailed(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if _, err := Create(in("nowhere/a"), Options{}); !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), in("nowhere/a")+": ") ||
		strings.Contains(err.Error(), end) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := Writable(in("nowhere/a")); err == nil {
		t.Error("a folder that is not there is writable")
	}
	if err := Writable(in("a")); err != nil || contents(t, dir) != "" {
		t.Errorf("%v: asking leaves %s", err, contents(t, dir))
	}
	f := begun(t, in("a"), "x", Options{})
	f.Discard()
	if got := contents(t, dir); got != "" {
		t.Errorf("a discarded file leaves %s", got)
	}
	first, second := begun(t, in("a"), "1", Options{Replace: true}), begun(t, in("b"), "2", Options{Replace: true})
	must.NoError(t, os.Remove(second.f.Name()))
	if err := Place(first, second); err == nil || !strings.Contains(err.Error(), "replaced by then: "+in("a")) {
		t.Errorf("the second of two fails: %v", err)
	}
}

// TestLinks: a link that is replaced stays, and the file is written where it points.
func TestLinks(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	target, link := filepath.Join(other, "target"), filepath.Join(dir, "link")
	must.NoError(t, os.WriteFile(target, []byte("old"), 0o600))
	if os.Symlink(target, link) != nil {
		return // the system has no links
	}
	must.NoError(t, Place(begun(t, link, "new", Options{Replace: true})))
	if to, err := os.Readlink(link); err != nil || to != target || contents(t, other) != "target=new" {
		t.Errorf("%v: link to %q, %s", err, to, contents(t, other))
	}
}

// TestLongNames: a name that the disk takes has a temporary one that it takes as well, and that is recognised.
func TestLongNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 255), strings.Repeat("é", 127)} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		f := begun(t, path, "x", Options{})
		if left := Leftovers(path); len(left) != 1 {
			t.Errorf("what is not placed: %q", left)
		}
		if err := Place(f); err != nil || contents(t, dir) != name+"=x" {
			t.Errorf("%v: %s", err, contents(t, dir))
		}
	}
}

// TestAbandon: what was begun is gone, and nothing is begun or placed afterwards.
func TestAbandon(t *testing.T) {
	defer unplaced.Unlock()
	dir := t.TempDir()
	begun(t, filepath.Join(dir, "closed"), "x", Options{})
	must.Get(Create(filepath.Join(dir, "open"), Options{}))(t)
	Abandon()
	if got := contents(t, dir); got != "" || unplaced.TryLock() {
		t.Errorf("it leaves %s, or lets others begin", got)
	}
}

// TestRace: of many who make one file exactly one does, and it is whole.
func TestRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	files := make([]*File, 20)
	for k := range files {
		files[k] = begun(t, path, strings.Repeat(string(rune('a'+k)), 1000), Options{})
	}
	var wg sync.WaitGroup
	errs := make([]error, len(files))
	for k, f := range files {
		wg.Go(func() { errs[k] = Place(f) })
	}
	wg.Wait()
	won := 0
	for k, err := range errs {
		if err == nil {
			won++
			if got, _ := os.ReadFile(path); string(got) != strings.Repeat(string(rune('a'+k)), 1000) {
				t.Errorf("the one that was placed is not there: %.10q", got)
			}
		} else if !errors.Is(err, ErrAppeared) {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d were placed", won, len(files))
	}
}

// TestModes: a private file is its owner's alone, any other as the system has it for new files, and what replaces one
// keeps its permissions.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // permissions are not Unix's
	}
	dir := t.TempDir()
	usual := filepath.Join(dir, "usual")
	must.NoError(t, os.WriteFile(usual, nil, 0o666))
	st := must.Get(os.Stat(usual))(t)
	for _, c := range []struct {
		name string
		old  fs.FileMode // 0 for none
		opt  Options
		want fs.FileMode
	}{
		{"new", 0, Options{}, st.Mode().Perm()},
		{"private", 0, Options{Private: true}, 0o600},
		{"kept", 0o600, Options{Replace: true}, 0o600},
		{"kept open", 0o664, Options{Replace: true}, 0o664},
		{"private from now on", 0o644, Options{Private: true, Replace: true}, 0o600},
		{"stays read-only", 0o400, Options{Private: true, Replace: true}, 0o400},
	} {
		path := filepath.Join(dir, c.name)
		if c.old != 0 {
			must.NoError(t, errors.Join(os.WriteFile(path, nil, c.old), os.Chmod(path, c.old)))
		}
		f := begun(t, path, "x", c.opt)
		if c.name == "new" {
			if st, err := os.Stat(f.f.Name()); err != nil || st.Mode().Perm() != c.want {
				t.Errorf("%v", err)
			}
		}
		must.NoError(t, Place(f))
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != c.want {
			t.Errorf("%s: mode %v, want %v", c.name, st.Mode().Perm(), c.want)
		}
	}
}

// TestLeftovers finds what a process that died left for a path, and nothing else.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	f := begun(t, path, "x", Options{})
	for _, name := range []string{".out.csv.old.part", ".out.csv.part", "out.csv.ABCDEFGHIJ.part",
		".other.csv.ABCDEFGHIJ.part", ".out.csv.abcdefghij.part"} {
		must.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	if got := Leftovers(path); len(got) != 1 || got[0] != f.f.Name() {
		t.Errorf("%q", got)
	}
	f.Discard()
	if got := append(Leftovers(path), Leftovers(filepath.Join(dir, "nowhere", "a"))...); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// TestFoldersAreFlushed: once files are in their places, each folder of theirs is flushed to the disk, once; none is
// where nothing was placed.
func TestFoldersAreFlushed(t *testing.T) {
	real, seen := flush, map[string][]string{}
	flush = func(dir string) {
		seen[dir] = append(seen[dir], contents(t, dir))
		real(dir)
	}
	defer func() { flush = real }()
	a, b := t.TempDir(), t.TempDir()
	old := filepath.Join(b, "old")
	must.NoError(t, os.WriteFile(old, []byte("was"), 0o600))
	if err := Place(begun(t, filepath.Join(a, "x"), "1", Options{}), begun(t, filepath.Join(a, "y"), "2", Options{}),
		begun(t, old, "is", Options{Replace: true})); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || len(seen[a]) != 1 || seen[a][0] != "x=1 y=2" || len(seen[b]) != 1 || seen[b][0] != "old=is" {
		t.Errorf("folders that were flushed, with what was in them then: %v", seen)
	}
	clear(seen)
	if err := Place(begun(t, filepath.Join(a, "x"), "3", Options{})); !errors.Is(err, ErrAppeared) || len(seen) > 0 {
		t.Errorf("%v, flushed: %v", err, seen)
	}
}
