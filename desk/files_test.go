package desk

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
)

func TestVacant(t *testing.T) {
	f := newFolder(t)
	old := f.put(t, "old.csv", "x")
	in := f.put(t, "in.csv", "x")
	must.NoError(t, os.Mkdir(f.path("sub"), 0o755))
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
	if err := os.Symlink(f.path("nothing"), f.path("dangling.csv")); err == nil {
		refused(t, "a link to nothing", vacant([]string{f.path("dangling.csv")}, true), "not a regular file")
	}
	if !errors.Is(vacant([]string{old}, false), ErrExists) || errors.Is(vacant([]string{in}, true, in), ErrExists) {
		t.Error("only what exists is ErrExists")
	}
	if runtime.GOOS != "windows" {
		refused(t, "a device", vacant([]string{os.DevNull}, true), "not a regular file")
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
	must.NoError(t, os.Mkdir(f.path("sub"), 0o755))
	refused(t, "one file by two names", distinct(a, f.path("sub/../a")), "is named for two outputs")
}

// TestBeforeWork: what is wrong with a file, first or last in use, is found before any work begins.
func TestBeforeWork(t *testing.T) {
	f := newStock(t)
	for _, c := range []struct {
		name, says string
		change     func(q *ProtectRequest)
	}{
		{"an extension that stands for no format", `out.foo: the extension ".foo" stands for no format`, func(q *ProtectRequest) { q.Release = f.path("out.foo") }},
		{"no extension", "out: the extension", func(q *ProtectRequest) { q.Release = f.path("out") }},
		{"the folder of a report that is not there", "nowhere/r.html: ",
			func(q *ProtectRequest) { q.Report = f.path("nowhere/r.html") }},
		{"the folder of a seed that is not there", "nowhere/seed: ",
			func(q *ProtectRequest) { q.SeedFile = f.path("nowhere/seed") }},
		{"a hierarchy that is not there", "lost.csv", func(q *ProtectRequest) {
			q.Said.Columns = map[string]policy.Column{"city": {Hierarchy: f.path("lost.csv")}}
		}},
		{"a folder in place of a hierarchy", "is a folder",
			func(q *ProtectRequest) { q.Said.Columns = map[string]policy.Column{"city": {Hierarchy: string(f)}} }},
		{"a seed of zeros", "zeros: a seed of zeros is not secret",
			func(q *ProtectRequest) { q.SeedFile = f.put(t, "zeros", strings.Repeat("0", 64)) }},
		{"one name for the release and a fresh seed", "is named for two outputs",
			func(q *ProtectRequest) { q.SeedFile = q.Release }},
	} {
		l := newListener()
		q := ProtectRequest{
			Source:  f.plain().Saying(policy.Policy{Limits: "none"}),
			Release: f.path("out.csv"),
			PlanOut: f.path("out.json"),
		}
		c.change(&q)
		before := f.names(t)
		if _, err := l.Protect(ctx, q); err == nil || !strings.Contains(err.Error(), c.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(l.works) > 0 || f.names(t) != before {
			t.Errorf("%s: it is found after %q; there is %s", c.name, l.works, f.names(t))
		}
	}
	l := newListener()
	q := f.evaluation("", false)
	q.Holdout = f.path("lost.csv")
	if _, err := l.Evaluate(ctx, q); err == nil || !strings.Contains(err.Error(), "lost.csv") || len(l.works) > 0 {
		t.Errorf("a hold-out that is not there: %v after %q", err, l.works)
	}
}

// TestAppeared: a file that appears where a release is to go while it is made stays, and nothing of the release does.
func TestAppeared(t *testing.T) {
	f := newStock(t)
	for _, name := range []string{"out.csv", "out.json", "out.html"} {
		l := newListener()
		begin := l.Begin
		l.Begin = func(work string) Progress {
			if work == "measuring" {
				f.put(t, name, "theirs")
			}
			return begin(work)
		}
		before := f.names(t)
		_, err := l.Protect(
			ctx,
			ProtectRequest{
				Source:  f.plain().Saying(policy.Policy{Limits: "none"}),
				Release: f.path("out.csv"),
				PlanOut: f.path("out.json"),
				Report:  f.path("out.html"),
			},
		)
		failed(t, "a place that was taken", err, name, "appeared meanwhile and is not overwritten")
		if got := f.read(t, name); got != "theirs" {
			t.Errorf("%s was overwritten", name)
		}
		if os.Remove(f.path(name)); f.names(t) != before {
			t.Errorf("%s: there is %s", name, f.names(t))
		}
	}
}

// TestTogether: while a release is made over an old one, the old one and all that belongs to it stay until everything
// is there.
func TestTogether(t *testing.T) {
	f := newStock(t)
	names := []string{"out.csv", "out.json", "out.html"}
	for _, name := range names {
		f.put(t, name, "old")
	}
	l := newListener()
	begin, measured := l.Begin, 0
	l.Begin = func(work string) Progress {
		if work == "measuring" {
			measured++
			for _, name := range names {
				if f.read(t, name) != "old" {
					t.Errorf("%s is replaced before the last measure is taken", name)
				}
			}
		}
		return begin(work)
	}
	q := ProtectRequest{
		Source:    f.plain().Saying(policy.Policy{Limits: "none"}),
		Release:   f.path("out.csv"),
		PlanOut:   f.path("out.json"),
		Report:    f.path("out.html"),
		Overwrite: true,
	}
	if _, err := l.Protect(ctx, q); err != nil || measured < 2 {
		t.Fatalf("%v, measured %d times", err, measured)
	}
	for _, name := range names {
		if f.read(t, name) == "old" {
			t.Errorf("%s is not replaced", name)
		}
	}
}

// TestOdd tells of confidential files that everybody can read, and of what a killed run left.
func TestOdd(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // permissions are not Unix's
	}
	f := newStock(t)
	left := f.put(t, ".r.html.ABCDEFGHIJ.part", "")
	for _, name := range []string{"seed", "plan.json"} {
		must.NoError(t, os.Chmod(f.path(name), 0o644))
	}
	l := newListener()
	must.Get(l.Evaluate(ctx, f.evaluation(f.path("r.html"), false)))(t)
	for _, says := range []string{"can read " + f.path("seed"), "can read " + f.path("plan.json"),
		left + ": left by a killed run"} {
		if !strings.Contains(l.heard(), says) {
			t.Errorf("it is not told that %q: %s", says, l.heard())
		}
	}
}

// TestSeedRace: of many requests that name one new seed file all have one seed, that of the file.
func TestSeedRace(t *testing.T) {
	f := newFolder(t)
	seeds := make([]rng.Seed, 16)
	var wg sync.WaitGroup
	for k := range seeds {
		wg.Go(func() {
			var err error
			if seeds[k], err = new(Desk).seed(f.path("seed")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	want := must.Get(new(Desk).seed(f.path("seed")))(t)
	for k, s := range seeds {
		if !s.Equal(want) {
			t.Errorf("run %d has a seed that is lost", k)
		}
	}
}

func TestSeed(t *testing.T) {
	f := newFolder(t)
	a, err := new(Desk).seed("")
	b, _ := new(Desk).seed("")
	if err != nil || a.Equal(b) {
		t.Error("two fresh seeds are one")
	}
	first := must.Get(new(Desk).seed(f.path("seed")))(t)
	if second, err := new(Desk).seed(f.path("seed")); err != nil || !second.Equal(first) {
		t.Errorf("a seed file gives another seed the second time: %v", err)
	}
	if runtime.GOOS != "windows" {
		if st, _ := os.Stat(f.path("seed")); st.Mode().Perm() != 0o600 {
			t.Errorf("the seed has mode %v", st.Mode())
		}
	}
	secret := strings.Repeat("zz", 32)
	_, err = new(Desk).seed(f.put(t, "bad", secret))
	refused(t, "no seed", err, "bad")
	if strings.Contains(err.Error(), secret) {
		t.Error("the error shows what is in a seed file")
	}
	_, err = new(Desk).seed(string(f))
	failed(t, "a folder", err)
}
