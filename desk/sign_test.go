package desk

import (
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/study"
)

// signedOf asks for a release for which somebody answers.
func signedOf(t *testing.T, f folder, key string) ProtectRequest {
	t.Helper()
	q := ProtectRequest{
		Source:   Source{Path: f.people(t, 60)},
		Release:  f.path("release.csv"),
		SeedFile: f.fixedSeed(t),
		Record:   f.path("run.json"),
		SignKey:  key,
		Signed: &Signing{Name: "José A.", Reason: "a study\nverify: PASS", State: study.Unjudged,
			Time: time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))},
	}
	q.Said.Class, q.Said.Limits, q.Said.Method.Name = "y", "none", "rpt"
	return q
}

// sshKey writes a private key.
func (f folder) sshKey(t *testing.T, name string) (string, ed25519.PrivateKey) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte(name[:1]), 32))
	block := must.Get(ssh.MarshalPrivateKey(key, ""))(t)
	return f.put(t, name, string(pem.EncodeToMemory(block))), key
}

// verified is what a record was checked for, by what; the reasons come behind a colon.
func (f folder) verified(t *testing.T, data []byte) map[string]string {
	t.Helper()
	v := must.Get((&Desk{}).Verify(ctx, VerifyRequest{Record: f.put(t, "checked.json", string(data)),
		Release: f.path("release.csv")}))(t)
	out := map[string]string{}
	for _, c := range v.Checks {
		out[c.What] = c.Result + ": " + c.Why.String()
	}
	return out
}

// TestSignedStep: what a person signs is the last step of the chain, verify says who it was, and a forged name, reason,
// state, digest or time is found: by the chain as it stands, by the key where the chain was worked out anew, and by the
// steps before it where even the key signs it.
func TestSignedStep(t *testing.T) {
	f := newFolder(t)
	path, key := f.sshKey(t, "key")
	must.Get((&Desk{}).Protect(ctx, signedOf(t, f, path)))(t)
	data := []byte(f.read(t, "run.json"))
	const who = `"José A.", 2026-03-04 04:06 UTC; the reason: "a study\nverify: PASS"`
	got := f.verified(t, data)
	for what, want := range map[string]string{"signature": "holds: ", "signed by": "holds: " + who,
		"signed release": "holds: ", "signed verdict": "holds: ", "release": "holds: "} {
		if got[what] != want {
			t.Errorf("%s %s, expected %s", what, got[what], want)
		}
	}
	o := record.Open(data)
	last := len(o.Steps) - 1
	if o.Steps[last].Kind != "sign" || len(o.Steps[last].Facts) != 4 || len(o.Steps[last].In) != 1 {
		t.Fatalf("%+v", o.Steps[last])
	}
	other := record.Plain(strings.Repeat("0", 64))
	for _, c := range []struct {
		what   string
		forge  func(s *record.Step)
		checks string // that fail even where the key signs it; the name and the reason are what the signer says
	}{
		{"name", func(s *record.Step) { s.Facts["name"] = "Dr. B" }, ""},
		{"reason", func(s *record.Step) { s.Facts["reason"] = "none" }, ""},
		{"state", func(s *record.Step) { s.Facts["state"] = string(study.Meets) }, "signed verdict"},
		{"digest", func(s *record.Step) { s.In["release"] = other }, "signed release"},
		{"time", func(s *record.Step) { s.Facts["time"] = "2026-03-05T04:06:07Z" }, ""},
		{"no name", func(s *record.Step) { delete(s.Facts, "name") }, "signed by"},
		{"no reason", func(s *record.Step) { s.Facts["reason"] = "" }, "signed by"},
		{"no time", func(s *record.Step) { s.Facts["time"] = "yesterday" }, "signed by"},
		{"a name in another form", func(s *record.Step) { s.Facts["name"] = "%41" }, "signed by"},
		{"no digest", func(s *record.Step) { s.In = nil }, "signed release"},
		{"no state", func(s *record.Step) { delete(s.Facts, "state") }, "signed verdict"},
	} {
		forged := record.Open(data).Record
		c.forge(&forged.Steps[last])
		if faults := forged.Check(); len(faults) != 1 || !strings.HasPrefix(faults[0].Part, "step ") {
			t.Errorf("%s: the chain has the faults %v", c.what, faults)
		}
		anew, err := forged.Write(key)
		must.NoError(t, err)
		checks := f.verified(t, anew)
		fails := slices.DeleteFunc(slices.Sorted(maps.Keys(checks)),
			func(what string) bool { return !strings.HasPrefix(checks[what], "fails") })
		if strings.Join(fails, " ") != c.checks {
			t.Errorf("%s, signed by the key: %q fail, expected %q", c.what, fails, c.checks)
		}
		_, theirs := f.sshKey(t, "mine")
		if anew, err = forged.Write(theirs); err != nil {
			t.Fatal(err)
		}
		if record.Open(anew).By(key.Public().(ed25519.PublicKey)) {
			t.Errorf("%s, signed by another key, passes for the signer's", c.what)
		}
		if anew, err = forged.Write(nil); err != nil {
			t.Fatal(err)
		}
		if got := f.verified(t, anew)["signed by"]; c.checks != "signed by" && !strings.HasPrefix(got, "not checked: ") {
			t.Errorf("%s, without a key: %s", c.what, got)
		}
	}
}

// TestSignedOtherRelease: a digest that was forged to that of another file does not let this file pass.
func TestSignedOtherRelease(t *testing.T) {
	f := newFolder(t)
	must.Get((&Desk{}).Protect(ctx, signedOf(t, f, "")))(t)
	forged := record.Open([]byte(f.read(t, "run.json"))).Record
	sum := must.Get(sumOf(f.put(t, "release.csv", "another\n")))(t)
	forged.Steps[len(forged.Steps)-1].In["release"] = record.Plain(sum)
	data := must.Get(forged.Write(nil))(t)
	if got := f.verified(t, data); !strings.HasPrefix(got["release"], "fails") ||
		!strings.HasPrefix(got["signed release"], "fails") {
		t.Errorf("%v", got)
	}
}

// TestSignedRefused: nothing is written where nobody says who they are, where the verdict is not the one that they
// signed, or where no record holds it; and a release that is withheld is signed by nobody.
func TestSignedRefused(t *testing.T) {
	f := newFolder(t)
	for what, change := range map[string]func(q *ProtectRequest){
		"no name":         func(q *ProtectRequest) { q.Signed.Name = " " },
		"no reason":       func(q *ProtectRequest) { q.Signed.Reason = "" },
		"another verdict": func(q *ProtectRequest) { q.Signed.State = study.Meets },
		"no record":       func(q *ProtectRequest) { q.Record = "" },
	} {
		q := signedOf(t, f, "")
		before := f.names(t)
		if change(&q); q.Record != "" {
			q.Record = f.path("refused.json")
		}
		if _, err := (&Desk{}).Protect(ctx, q); err == nil {
			t.Errorf("%s is signed", what)
		}
		if after := f.names(t); after != before {
			t.Errorf("%s: %s is now %s", what, before, after)
		}
	}
	q := signedOf(t, f, "")
	q.Said.Limits, q.Policy = "", f.put(t, "p.yaml", "version: 1\nthresholds:\n  - {measure: bias, max: 0}\n")
	var broken *Broken
	if _, err := (&Desk{}).Protect(ctx, q); !errors.As(err, &broken) {
		t.Fatal(err)
	}
	if text := f.read(t, "run.json"); strings.Contains(text, `"kind":"sign"`) {
		t.Errorf("what is withheld is signed: %s", text)
	}
}

// TestCheckSignKey: a key with a passphrase is told from one that nobody can use.
func TestCheckSignKey(t *testing.T) {
	f := newFolder(t)
	path, key := f.sshKey(t, "key")
	block := must.Get(ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte("secret")))(t)
	locked := f.put(t, "locked", string(pem.EncodeToMemory(block)))
	says := func(pass string) *Desk {
		return &Desk{Passphrase: func(string) ([]byte, error) { return []byte(pass), nil }}
	}
	if err := errors.Join((&Desk{}).CheckSignKey(path), says("secret").CheckSignKey(locked)); err != nil {
		t.Error(err)
	}
	if err := (&Desk{}).CheckSignKey(locked); !errors.Is(err, record.ErrPassphrase) {
		t.Error(err)
	}
	for _, err := range []error{says("").CheckSignKey(locked), says("other").CheckSignKey(locked),
		(&Desk{}).CheckSignKey(f.path("nowhere")), (&Desk{}).CheckSignKey(f.put(t, "text", "x"))} {
		if err == nil || errors.Is(err, record.ErrPassphrase) {
			t.Error(err)
		}
	}
	if _, err := os.Stat(f.path("nowhere")); err == nil {
		t.Error("a key was made")
	}
}
