package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// try runs the command in this process and returns its exit code, output and complaint.
func try(t *testing.T, args ...string) (code int, out, complaint string) {
	t.Helper()
	chance.Begin(t)
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func put(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestWide protects a table of 400 columns, or of 4,000 where time does not matter: the default technique grows a
// tree on all other columns for each, so its cost is the square of the width.
func TestWide(t *testing.T) {
	width, rows := long.Of(400, 4_000), 40
	var b strings.Builder
	for j := range width {
		fmt.Fprintf(&b, "c%d,", j)
	}
	b.WriteString("y\n")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range rows {
		for j := range width {
			if j%100 == 0 {
				fmt.Fprintf(&b, "k%d,", r.IntN(4))
			} else {
				fmt.Fprintf(&b, "%d,", r.IntN(50)+i%2*20)
			}
		}
		fmt.Fprintf(&b, "%d\n", i%2)
	}
	in := put(t, "wide.csv", b.String())
	out := filepath.Join(filepath.Dir(in), "out.csv")
	if code, _, msg := try(t, "protect", "--limits", "none", in, "--class", "y", "-o", out); code != exitDone {
		t.Fatalf("exit %d: %s", code, msg)
	}
}

// TestManyCategories protects a table in which one column has as many categories as records, and which is no identifier
// by order of the custodian.
func TestManyCategories(t *testing.T) {
	rows := long.Of(5_000, 200_000)
	var b strings.Builder
	b.WriteString("city,n,y\n")
	for i := range rows {
		fmt.Fprintf(&b, "place %d,%d,%d\n", i*7919%rows, i%97, i%97/50)
	}
	in := put(t, "many.csv", b.String())
	out := filepath.Join(filepath.Dir(in), "out.csv")
	if code, _, msg := try(t, "protect", "--limits", "none", in, "--class", "y", "--role", "city=other", "-o",
		out); code != exitDone {
		t.Fatalf("exit %d: %s", code, msg)
	}
}

// TestDegenerate runs every verb on tables that have hardly anything in them: no panic, no partial output, and where
// the call fails a line that names the file.
func TestDegenerate(t *testing.T) {
	for _, c := range []struct {
		name, text string
		code       int
	}{
		{"one row", "a,b,y\n1,x,no\n", exitFailed},
		{"no rows", "a,b,y\n", exitFailed},
		{"class only", "y\nno\nyes\nno\nyes\n", exitDone},
		{"class with one value", "a,y\n1,no\n2,no\n", exitFailed},
		{"class all missing", "a,y\n1,?\n2,?\n", exitFailed},
		{"class partly missing", "a,y\n1,no\n2,?\n3,yes\n4,no\n", exitDone},
		{"column all missing", "a,b,y\n,1,no\n,2,yes\n,3,no\n", exitDone},
		{"constant columns", "a,b,y\n5,k,no\n5,k,yes\n5,k,no\n", exitDone},
		{"infinities", "a,y\nInf,no\n-inf,yes\n1e400,no\n", exitDone},
		{"numbers beyond doubles", "a,y\n123456789012345678901234567890,no\n2,yes\n3,no\n", exitDone},
		{"duplicate header", "a,a,y\n1,2,no\n", exitFailed},
		{"empty header", "a,,y\n1,2,no\n", exitFailed},
		{"open quote", "a,y\n\"1,no\n", exitFailed},
		{"nul byte", "a,y\n1\x00,no\n", exitFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := put(t, "in.csv", c.text)
			out := filepath.Join(filepath.Dir(in), "out.csv")
			code, _, msg := try(t, "protect", "--limits", "none", in, "--class", "y", "-o", out)
			if code != c.code {
				t.Fatalf("exit %d, expected %d: %s", code, c.code, msg)
			}
			_, err := os.Stat(out)
			if (err == nil) != (code == exitDone) {
				t.Errorf("exit %d, but the output: %v", code, err)
			}
			_, complaint, ok := strings.Cut(msg, "dither: ") // notes may stand before it
			if code != exitDone && (!ok || !strings.Contains(complaint, "in.csv") || strings.Count(complaint, "\n") != 1) {
				t.Errorf("the complaint should be one line that names the file: %q", msg)
			}
			if entries, _ := os.ReadDir(filepath.Dir(in)); len(entries) > 2 {
				t.Errorf("files left behind: %v", entries)
			}
		})
	}
}

// TestKilled kills the process at random moments: the output is absent or whole.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rows, kills := long.Of("2000", "4000"), long.Of(2, 25)
	in, seed, ref := filepath.Join(dir, "in.csv"), filepath.Join(dir, "seed"), filepath.Join(dir, "ref.csv")
	if code, _, msg := try(t, "generate", "patients", "-n", rows, "-o", in); code != exitDone {
		t.Fatal(msg)
	}
	start := time.Now()
	if msg, err := process(t, "protect", "--limits", "none", in, "--class", "readmitted", "-o", ref, "--seed-file",
		seed).CombinedOutput(); err != nil {
		t.Fatalf("%s", msg)
	}
	whole, took := must.Get(os.ReadFile(ref))(t), time.Since(start)
	r := rand.New(rand.NewPCG(2, 2))
	for range kills {
		out := filepath.Join(dir, "out.csv")
		os.Remove(out)
		c := process(t, "protect", "--limits", "none", in, "--class", "readmitted", "-o", out, "--seed-file", seed)
		must.NoError(t, c.Start())
		time.Sleep(time.Duration(r.Float64() * 1.2 * float64(took)))
		c.Process.Kill()
		c.Wait()
		if got, err := os.ReadFile(out); err == nil && !bytes.Equal(got, whole) {
			t.Fatalf("a killed process left %d of %d bytes", len(got), len(whole))
		}
	}
}

// TestInterrupted cancels a run: exit 1, one line, nothing left.
func TestInterrupted(t *testing.T) {
	in := put(t, "in.csv", "a,y\n1,no\n2,yes\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var e bytes.Buffer
	out := filepath.Join(filepath.Dir(in), "out.csv")
	code := run(ctx, []string{"protect", "--limits", "none", in, "--class", "y", "-o", out}, strings.NewReader(""), &e, &e)
	if _, err := os.Stat(out); code != exitFailed || err == nil || !strings.Contains(e.String(), "interrupted") {
		t.Fatalf("exit %d, %s", code, e.String())
	}
}

// broken is a standard output that takes nothing, such as a full disk.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestLostOutputFails(t *testing.T) {
	var e bytes.Buffer
	if code := run(context.Background(), []string{"methods"}, strings.NewReader(""), broken{}, &e); code != exitFailed ||
		!strings.Contains(e.String(), "no space") {
		t.Errorf("exit %d, %s", code, e.String())
	}
}

// TestConfidentialFiles keeps plan, seed and internal report for their owner alone.
func TestConfidentialFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // permissions are not Unix's
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if code, _, msg := try(t, "generate", "patients", "-n", long.Of("60", "300"), "-o", in("in.csv")); code != exitDone {
		t.Fatal(msg)
	}
	if code, _, msg := try(t, "protect", "--limits", "none", in("in.csv"), "--class", "readmitted", "-o", in("out.csv"),
		"--report", in("r.html"), "--plan-out", in("plan.json"), "--seed-file", in("seed")); code != exitDone {
		t.Fatal(msg)
	}
	for _, name := range []string{"r.html", "plan.json", "seed"} {
		if mode := must.Get(os.Stat(in(name)))(t).Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %v", name, mode)
		}
	}
}
