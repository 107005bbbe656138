package workbench

import (
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/record"
)

// signedBy is what the record of a release says that a person signed, and with which key: name|reason|state|key. It
// must hold for the files under the number.
func (s *Server) signedBy(t *testing.T, p []string) string {
	t.Helper()
	v, err := (&desk.Desk{}).Verify(t.Context(), desk.VerifyRequest{Record: p[4], Release: p[0], Plan: p[1],
		Original: s.folder.table, SeedFile: s.folder.path(seedName)})
	if err != nil || v.Err() != nil {
		t.Fatal(err, v.Err())
	}
	for _, what := range []string{"signed release", "signed verdict", "release", "plan"} {
		if !slices.ContainsFunc(v.Checks, func(c desk.Checked) bool { return c.What == what && c.Result == desk.Holds }) {
			t.Errorf("%s: %+v", what, v.Checks)
		}
	}
	last := v.Record.Steps[len(v.Record.Steps)-1]
	if last.Kind != "sign" {
		t.Fatalf("the last step is %s", last.Kind)
	}
	at, err := time.Parse(time.RFC3339, last.Facts["time"])
	if err != nil || time.Since(at) > time.Hour || time.Since(at) < -time.Minute {
		t.Errorf("signed at %s", last.Facts["time"])
	}
	return strings.Join([]string{last.Facts["name"], last.Facts["reason"], last.Facts["state"], v.Record.Fingerprint()},
		"|")
}

// writeKey writes an SSH key, with a passphrase if there is one, and returns its fingerprint.
func writeKey(t *testing.T, path, passphrase string) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	must.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(private, "")
	if passphrase != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte(passphrase))
	}
	must.NoError(t, err)
	key, err := ssh.NewPublicKey(public)
	must.NoError(t, errors.Join(err, os.WriteFile(path, pem.EncodeToMemory(block), 0o600)))
	return ssh.FingerprintSHA256(key)
}

// TestSignedWithKey: the record of what is signed is signed with the key of the workbench; a passphrase is asked for on
// the page, a wrong one makes nothing, and none is left in the folder or on the page.
func TestSignedWithKey(t *testing.T) {
	long.Only(t, "two releases that are signed")
	in := people(t)
	key := filepath.Join(filepath.Dir(in), "key")
	if _, err := Open(Options{Table: in, Folder: filepath.Join(filepath.Dir(in), "none"), SignKey: in}); err == nil {
		t.Error("a workbench with a key that is none")
	}
	for n, passphrase := range []string{"", "open sesame"} {
		mark := writeKey(t, key, passphrase)
		s, err := Open(Options{Table: in, Folder: filepath.Join(filepath.Dir(in), fmt.Sprint("bench", n)), Version: "test",
			Child: child("job"), SignKey: key})
		must.NoError(t, err)
		s.serving(t)
		must.NoError(t, s.folder.write(policyName, []byte(easy)))
		v := visit(t, s, true)
		v.request("/run", "try")
		s.done(t)
		_, page := v.get("/sign")
		if strings.Contains(page, `name="passphrase"`) != (passphrase != "") || !strings.Contains(page, key) {
			t.Errorf("%q: %s", passphrase, page)
		}
		form := []string{"name", "Zoë", "reason", "a study"}
		for _, b := range regexp.MustCompile(` name="(box\d+)"`).FindAllStringSubmatch(page, -1) {
			form = append(form, b[1], "yes")
		}
		if passphrase != "" {
			before := listed(t, s.folder.dir)
			code, body := v.request("/sign", "sign", append(form, "passphrase", "wrong one")...)
			if code != 422 || !strings.Contains(body, "passphrase is wrong") || strings.Contains(body, "wrong one") {
				t.Errorf("%d: %s", code, body)
			}
			if after := listed(t, s.folder.dir); !slices.Equal(before, after) {
				t.Errorf("a wrong passphrase leaves %v", after)
			}
		}
		if code, body := v.request("/sign", "sign", append(form, "passphrase", passphrase)...); code != http.StatusOK {
			t.Fatalf("%d: %s", code, body)
		}
		s.done(t)
		if got, want := s.signedBy(t, s.paths("1")), "Zo%C3%AB|a study|not judged|"+mark; got != want {
			t.Errorf("the record says %q, expected %q: %+v", got, want, s.work.view())
		}
		for _, name := range listed(t, s.folder.dir) {
			if text, err := s.folder.root.ReadFile(name); err != nil || passphrase != "" &&
				strings.Contains(string(text), passphrase) {
				t.Errorf("the passphrase is in %s (%v)", name, err)
			}
		}
		if o := opened(t, s.paths("1")[4]); !o.Signed {
			t.Errorf("%v", o.Faults)
		}
	}
}

func opened(t *testing.T, path string) *record.Opened {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return record.Open(data)
}

// TestEnded: work that is ended removes what it has begun, even in the middle of a long computation, and needs nobody
// to kill it.
func TestEnded(t *testing.T) {
	s := serve(t, people(t))
	dir := t.TempDir()
	var c *exec.Cmd
	s.opt.Child = func(ctx context.Context) *exec.Cmd {
		c = child("deaf")(ctx)
		c.Dir = dir
		return c
	}
	v := visit(t, s, true)
	if code, body := v.request("/run", "try"); code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	for s.work.running() && s.work.view().Text != "begun" {
		time.Sleep(time.Millisecond)
	}
	if left := wholefile.Leftovers(filepath.Join(dir, "begun")); len(left) != 1 {
		t.Fatalf("begun are %v", left)
	}
	s.work.end()
	if left := listed(t, dir); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	if !c.ProcessState.Success() {
		t.Errorf("it was killed: %v", c.ProcessState)
	}
}

// TestWrongTokens: answers to wrong tokens become slow for the address that they come from, for no other, and never for
// good; the owner is let in at once, whatever others tried.
func TestWrongTokens(t *testing.T) {
	s := serve(t, people(t))
	g := s.guard
	var waited []time.Duration
	g.wait = func(_ context.Context, d time.Duration) { waited = append(waited, d) }
	try := func(address, token string) bool {
		r := httptest.NewRequest(http.MethodPost, "/enter", nil)
		r.RemoteAddr = address
		return g.enter(httptest.NewRecorder(), r, token)
	}
	for k := range 300 {
		if try(fmt.Sprintf("127.0.0.2:%d", 1000+k), "wrong") {
			t.Fatal("a wrong token opens")
		}
	}
	if len(waited) != 300 || waited[easyWrong-1] != 0 || waited[easyWrong] != firstWait || waited[299] != mostWait ||
		!slices.IsSorted(waited) {
		t.Errorf("%v", waited)
	}
	if try("127.0.0.1:5", "wrong"); waited[300] != 0 {
		t.Errorf("another address waits %v", waited[300])
	}
	if !try("127.0.0.2:1", g.token) || len(waited) != 301 {
		t.Error("the owner is kept out, or waits")
	}
	if try("127.0.0.1:6", g.token) {
		t.Error("the link opens twice")
	}
	for k := range 3 * mostAddresses {
		try(fmt.Sprintf("127.1.%d.%d:1", k/256, k%256), "wrong")
	}
	if len(g.wrong) > mostAddresses {
		t.Errorf("%d addresses are remembered", len(g.wrong))
	}
}

// TestPause: nobody waits for one who is gone.
func TestPause(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	pause(ctx, time.Hour)
	pause(t.Context(), 0)
}

// TestSwappedFolder: a folder that is swapped for a link, or for another folder, is noticed at the next request and
// when what was signed is done; nothing is read or written through it, and it goes on once the folder is back.
func TestSwappedFolder(t *testing.T) {
	in := people(t)
	s := serve(t, in)
	v := visit(t, s, true)
	_ = s.folder.write(policyName, []byte(easy))
	i, _, err := s.now(t.Context())
	must.NoError(t, err)
	moved, other := s.folder.dir+"-moved", filepath.Join(filepath.Dir(in), "other")
	must.NoError(t, errors.Join(os.Mkdir(other, 0o700),
		os.WriteFile(filepath.Join(other, policyName), []byte("version: 1 # theirs\n"), 0o600),
		os.Rename(s.folder.dir, moved)))
	_, page := v.get("/table")
	if strings.Contains(page, "table.columns") || !strings.Contains(page, "not at") {
		t.Errorf("a folder that is gone: %s", page)
	}
	for what, put := range map[string]func() error{
		"a link to another folder": func() error { return os.Symlink(other, s.folder.dir) },
		"a link to itself":         func() error { return os.Symlink(moved, s.folder.dir) },
		"another folder":           func() error { return os.Mkdir(s.folder.dir, 0o700) },
	} {
		must.NoError(t, put())
		before := listed(t, other)
		_, page := v.get("/try")
		if strings.Contains(page, "# theirs") || !strings.Contains(page, "not at") {
			t.Errorf("%s: %s", what, page)
		}
		for name, err := range map[string]error{
			"write": s.folder.write(policyName, []byte("x")),
			"keep":  s.folder.keep(candidate{ID: "x"}),
			"read":  second(s.folder.read(policyName)),
			"start": s.work.start(i, s.job(0)),
		} {
			if err == nil || !strings.Contains(err.Error(), "put it back") {
				t.Errorf("%s: %s: %v", what, name, err)
			}
		}
		s.work.keep(&running{of: i, job: job{Sign: &signing{}}}, &result{})
		if said := s.work.view().Said.String(); !strings.Contains(said, "put it back") {
			t.Errorf("%s: signed, and said is %q", what, said)
		}
		s.work.said = nil
		if after := listed(t, other); !slices.Equal(before, after) {
			t.Errorf("%s: %v is now %v", what, before, after)
		}
		must.NoError(t, os.Remove(s.folder.dir))
	}
	must.NoError(t, os.Rename(moved, s.folder.dir))
	if code, _ := v.get("/table"); code != http.StatusOK || s.policyText(t) != easy {
		t.Errorf("%d, with the folder back", code)
	}
}

func second[T any](_ T, err error) error { return err }
