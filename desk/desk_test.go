package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

func TestMain(m *testing.M) {
	chance.Fix()
	os.Exit(m.Run())
}

// folder is a place for the files of a test.
type folder string

func newFolder(t *testing.T) folder {
	t.Helper()
	chance.Begin(t)
	return folder(t.TempDir())
}

func (f folder) path(name string) string { return filepath.Join(string(f), name) }

// put writes a file and returns its path.
func (f folder) put(t *testing.T, name, text string) string {
	t.Helper()
	must.NoError(t, os.WriteFile(f.path(name), []byte(text), 0o600))
	return f.path(name)
}

// names lists what is in the folder.
func (f folder) names(t *testing.T) string {
	t.Helper()
	entries := must.Get(os.ReadDir(string(f)))(t)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func (f folder) read(t *testing.T, name string) string {
	t.Helper()
	data := must.Get(os.ReadFile(f.path(name)))(t)
	return string(data)
}

// fixedSeed is a seed file.
func (f folder) fixedSeed(t *testing.T) string {
	t.Helper()
	return f.put(t, "seed", fmt.Sprintf("%064x\n", 7))
}

// people is a table of n records: an identifier, two numbers, a category, and a class that follows the first number.
func (f folder) people(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("name,age,income,city,y\n")
	for i := range n {
		class := "no"
		if i%10 >= 5 {
			class = "yes"
		}
		fmt.Fprintf(
			&b,
			"person%d,%d,%d.%d,%s,%s\n",
			i,
			20+i%10*5+i%3,
			100+i*7%90,
			i%10,
			[]string{"Ulm", "Bonn", "Kiel"}[i%3],
			class,
		)
	}
	return f.put(t, "people.csv", b.String())
}

// listener is a desk that remembers what it told.
type listener struct {
	Desk
	mu    sync.Mutex
	notes []Note
	works []string
	ended int
}

func newListener() *listener {
	l := &listener{}
	l.Version = "dither test"
	l.Note = func(n Note) { l.notes = append(l.notes, n) }
	l.Begin = func(work string) Progress { l.works = append(l.works, work); return &watched{l} }
	return l
}

type watched struct{ l *listener }

func (w *watched) Done(done, total int64) {
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	if done > total && total > 0 {
		w.l.works = append(w.l.works, fmt.Sprintf("too far: %d of %d", done, total))
	}
}

func (w *watched) End() { w.l.ended++ }

// heard joins the notes.
func (l *listener) heard() string {
	var out []string
	for _, n := range l.notes {
		out = append(out, n.Says.String())
	}
	return strings.Join(out, "\n")
}

// refused checks that an error is a *Usage, which says so.
func refused(t *testing.T, what string, err error, says string) {
	t.Helper()
	var u *Usage
	if !errors.As(err, &u) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v (%T), want a refusal in one line that says %q", what, err, err, says)
	}
}

// failed checks that an error is one, no refusal, in one line that says so.
func failed(t *testing.T, what string, err error, says ...string) {
	t.Helper()
	var u *Usage
	if err == nil || errors.As(err, &u) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v (%T), want a failure in one line", what, err, err)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: %q does not say %q", what, err, s)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		u    Usage
		want string
	}{{Usage{Err: errors.New("no")}, "no"}, {Usage{Field: "set", Value: "a=b", Err: errors.New("no")}, "set a=b: no"},
		{Usage{Field: "labels", Value: "", Err: errors.New("no")}, "labels: no"}} {
		if got := c.u.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if err := usage(fmt.Errorf("x %w", ErrExists)); !errors.Is(err, ErrExists) {
		t.Error("what is wrong is lost in a refusal")
	}
	refused(t, "number", number("riskiest", -1, "expected at least 0"), "riskiest -1: expected at least 0")
}

// TestSilent: a desk without anybody to tell still works, and ends every piece of work that it begins.
func TestSilent(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 40)
	must.Get((&Desk{}).Load(context.Background(), Source{Path: in, Said: policy.Policy{Class: "y"}}))(t)
	l := newListener()
	q := ProtectRequest{
		Source:  Source{Path: in, Said: policy.Policy{Limits: "none", Class: "y"}},
		Release: f.path("out.csv"),
	}
	must.Get(l.Protect(context.Background(), q))(t)
	if got := strings.Join(l.works, ", "); got != "reading people.csv, protecting, measuring" || l.ended != 3 {
		t.Errorf("began %s, ended %d", got, l.ended)
	}
}
