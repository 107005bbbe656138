package desk

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestVacant(t *testing.T) {
	f := newFolder(t)
	old := f.put(t, "old.csv", "x")
	in := f.put(t, "in.csv", "x")
	if err := os.Mkdir(f.path("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		overwrite  bool
		inputs     []string
		says       string // empty when it may be written
	}{
		{"no output", "", false, []string{in}, ""},
		{"a new file", f.path("new.csv"), false, []string{in, ""}, ""},
		{"an old file", old, false, []string{in}, "old.csv exists"},
		{"an old file to be replaced", old, true, []string{in, "-"}, ""},
		{"an input", in, true, []string{old, in}, "in.csv is an input and is never overwritten"},
		{"an input by another path", f.path("sub/../in.csv"), true, []string{in}, "is an input"},
		{"an input that is not there", f.path("gone.csv"), true, []string{f.path("sub/../gone.csv")}, "is an input"},
		{"a folder", f.path("sub"), true, nil, "is a folder; name a file"},
	} {
		err := vacant([]string{c.path}, c.overwrite, c.inputs...)
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		refused(t, c.name, err, c.says)
	}
	failed(t, "a folder that is not there", vacant([]string{"", f.path("nowhere/out.csv")}, true), "nowhere")
	if !errors.Is(vacant([]string{old}, false), ErrExists) || errors.Is(vacant([]string{in}, true, in), ErrExists) {
		t.Error("only what exists is ErrExists")
	}
	if runtime.GOOS != "windows" {
		refused(t, "a device", vacant([]string{os.DevNull}, true), "no ordinary file")
	}
	if err := os.Symlink(in, f.path("link.csv")); err == nil {
		refused(t, "a link to an input", vacant([]string{f.path("link.csv")}, true, in), "is an input")
	}
}

func TestDistinct(t *testing.T) {
	f := newFolder(t)
	a, b := f.path("a"), f.path("b")
	if err := distinct(a, "", b, ""); err != nil {
		t.Error(err)
	}
	refused(t, "one name", distinct(a, b, a), "a is named for two outputs")
	if err := os.Mkdir(f.path("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	refused(t, "one file by two names", distinct(a, f.path("sub/../a")), "is named for two outputs")
}

// TestWhole: a file is whole or absent, an old one stays as it was when writing fails, and nothing is left behind.
func TestWhole(t *testing.T) {
	f := newFolder(t)
	say := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	if err := whole(f.path("a"), confidential, say("first")); err != nil || f.read(t, "a") != "first" {
		t.Fatalf("%v", err)
	}
	broken := errors.New("the disk is full")
	half := func(w io.Writer) error { io.WriteString(w, "half"); return broken }
	if err := whole(f.path("a"), confidential, half); !errors.Is(err, broken) || f.read(t, "a") != "first" {
		t.Errorf("%v; the old file is %q", err, f.read(t, "a"))
	}
	if err := whole(f.path("b"), confidential, half); err == nil {
		t.Error("a failure is lost")
	}
	if err := whole(f.path("a"), open, say("second")); err != nil || f.read(t, "a") != "second" {
		t.Errorf("%v", err)
	}
	if got := f.names(t); got != "a" {
		t.Errorf("left behind: %s", got)
	}
	if runtime.GOOS != "windows" {
		if st, err := os.Stat(f.path("a")); err != nil || st.Mode().Perm() != open {
			t.Errorf("mode %v", st.Mode())
		}
	}
	if whole(f.path("nowhere/a"), open, say("x")) == nil {
		t.Error("a file is written into a folder that is not there")
	}
}

func TestSeed(t *testing.T) {
	f := newFolder(t)
	a, err := seed("")
	b, _ := seed("")
	if err != nil || a == b {
		t.Error("two fresh seeds are one")
	}
	first, err := seed(f.path("seed"))
	if err != nil {
		t.Fatal(err)
	}
	if second, err := seed(f.path("seed")); err != nil || second != first {
		t.Errorf("a seed file gives another seed the second time: %v", err)
	}
	if runtime.GOOS != "windows" {
		if st, _ := os.Stat(f.path("seed")); st.Mode().Perm() != confidential {
			t.Errorf("the seed has mode %v", st.Mode())
		}
	}
	secret := strings.Repeat("zz", 32)
	_, err = seed(f.put(t, "bad", secret))
	failed(t, "no seed", err, "bad")
	if strings.Contains(err.Error(), secret) {
		t.Error("the error shows what is in a seed file")
	}
	_, err = seed(string(f))
	failed(t, "a folder", err)
}
