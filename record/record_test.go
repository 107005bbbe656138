package record

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func someRecord() *Record {
	return &Record{Commitment: "0a1b", Go: "go1.26", Program: "1.2", Command: "protect", Steps: []Step{
		{Kind: "read", In: map[string]string{"original": Keyed([]byte("k"), "original", "00"), "policy": "hmac-sha256:11"}},
		{Kind: "protect", Facts: map[string]string{"technique": "rpt"}, Counts: map[string]int{"records": 120, "columns": 7}},
		{Kind: "write", Out: map[string]string{"release": Plain("ab")}},
	}}
}

func someKey() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)) }

func written(t testing.TB, key ed25519.PrivateKey) []byte {
	t.Helper()
	return must.Get(someRecord().Write(key))(t)
}

// TestCanonical: the form is that of RFC 8785: names sorted at every level, no blanks, and the same after it is read by
// another reader and written sorted.
func TestCanonical(t *testing.T) {
	for _, key := range []ed25519.PrivateKey{nil, someKey()} {
		data := written(t, key)
		var any map[string]any
		must.NoError(t, json.Unmarshal(data, &any))
		if again := encode(any); !bytes.Equal(again, data) { // maps are written sorted
			t.Errorf("%s\n%s", data, again)
		}
		if o := Open(data); len(o.Faults) > 0 || o.Signed != (key != nil) || o.Record == nil || len(o.Steps) != 3 {
			t.Errorf("%+v", o)
		}
	}
	r := someRecord()
	r.Steps[0].Kind = "r\u00e9ad"
	if err := r.Seal(); err == nil {
		t.Error("a text with two forms was sealed")
	}
	if (&Record{}).Seal() == nil {
		t.Error("a record without steps was sealed")
	}
}

// regions names the part of every byte of an unsigned file.
func regions(t *testing.T, data []byte, r *Record) []string {
	t.Helper()
	out := slices.Repeat([]string{"header"}, len(data))
	from := bytes.Index(data, []byte(`"steps":[`)) + len(`"steps":[`)
	for k := range r.Steps {
		n := len(bytes.TrimSpace(canonical(r.Steps[k])))
		if k > 0 {
			from++ // the comma
		}
		for i := from; i < from+n; i++ {
			out[i] = fmt.Sprintf("step %d", k+1)
		}
		from += n
	}
	return out
}

// near reports whether a fault points to a byte: to its part, or to a place close behind, where a damaged text is found
// to be no JSON.
func near(f *Fault, at int, part string) bool {
	return f.Part == part || f.Offset >= 0 && f.Offset >= at-1 && f.Offset <= at+120 ||
		f.Part == "head" && part == "header"
}

// TestEveryByte: whatever a byte of the file becomes, and whichever is left out or doubled, is found, and located in
// the part or beside the byte.
func TestEveryByte(t *testing.T) {
	data := written(t, nil)
	r, _ := parse(data)
	part := regions(t, data, r)
	try := func(i int, what string, b []byte) {
		o := Open(b)
		if len(o.Faults) == 0 {
			t.Errorf("byte %d %s is not found: %s", i, what, b)
		} else if !slices.ContainsFunc(o.Faults, func(f *Fault) bool { return near(f, i, part[i]) }) {
			t.Errorf("byte %d (%s) %s is looked for elsewhere: %v", i, part[i], what, o.Faults[0])
		}
	}
	for i := 0; i < len(data); i += long.Of(7, 1) {
		for _, x := range []byte{1, 4, 32, 128} {
			b := bytes.Clone(data)
			b[i] ^= x
			try(i, fmt.Sprintf("xor %d", x), b)
		}
		for _, c := range []byte(` "{[,0`) {
			if b := bytes.Clone(data); b[i] != c {
				b[i] = c
				try(i, fmt.Sprintf("as %q", c), b)
			}
		}
		try(i, "left out", slices.Delete(bytes.Clone(data), i, i+1))
		try(i, "doubled", slices.Insert(bytes.Clone(data), i, data[i]))
	}
}

// TestEveryByteOfEnvelope: no change of a signed file goes unnoticed, and the part that it is in is named.
func TestEveryByteOfEnvelope(t *testing.T) {
	data := written(t, someKey())
	payload := [2]int{len(`{"payload":"`), bytes.Index(data, []byte(`","payloadType`))}
	sig := bytes.Index(data, []byte(`"signatures"`))
	for i := 0; i < len(data); i += long.Of(7, 1) {
		for _, x := range []byte{1, 4, 32, 128} {
			b := bytes.Clone(data)
			b[i] ^= x
			o := Open(b)
			if len(o.Faults) == 0 || o.Signed {
				t.Fatalf("byte %d xor %d is not found", i, x)
			}
			f := o.Faults[0]
			inside := i >= payload[0] && i < payload[1]
			if inside && f.Part == "signature" || i > sig+16 && f.Part != "signature" && f.Part != "envelope" {
				t.Errorf("byte %d xor %d is looked for in %v", i, x, f)
			}
		}
	}
}

// TestLineEnds: decoders skip line ends inside base64, so these would be changes that nobody notices.
func TestLineEnds(t *testing.T) {
	data := written(t, someKey())
	for _, end := range []string{`\n`, `\r`, `\r\n`} {
		for _, part := range []string{`{"payload":"`, `"sig":"`} {
			i := bytes.Index(data, []byte(part)) + len(part) + 8
			o := Open(slices.Concat(data[:i], []byte(end), data[i:]))
			if len(o.Faults) == 0 || o.Signed {
				t.Errorf("%s in %s is not found", end, part)
			}
		}
	}
}

// TestForgeries: who works out the chain anew is found by the signature; steps that are dropped, swapped or doubled are
// found by the chain; a signature that is taken away, or made by another key, is missed.
func TestForgeries(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := someRecord()
		r.Steps = slices.Repeat(r.Steps, rapid.IntRange(1, 3).Draw(t, "times"))
		for k := range r.Steps {
			r.Steps[k].Counts = map[string]int{"n": k}
		}
		must.NoError(t, r.Seal())
		steps := slices.Clone(r.Steps)
		i, j := rapid.IntRange(0, len(steps)-1).Draw(t, "i"), rapid.IntRange(0, len(steps)-1).Draw(t, "j")
		switch rapid.SampledFrom([]string{"drop", "swap", "double", "edit"}).Draw(t, "how") {
		case "drop":
			steps = slices.Delete(steps, i, i+1)
		case "swap":
			if i == j {
				return
			}
			steps[i], steps[j] = steps[j], steps[i]
		case "double":
			steps = slices.Insert(steps, i, steps[j])
		case "edit":
			steps[i].Facts = maps.Clone(steps[i].Facts)
			steps[i].Out = map[string]string{"release": "sha256:other"}
		}
		r.Steps = steps
		if o := Open(encode(r)); len(o.Faults) == 0 {
			t.Fatalf("not found: %s", encode(r))
		}
	})
	signed := written(t, someKey())
	o := Open(signed)
	forged := *o.Record
	forged.Steps[2].Out["release"] = Plain("cd")
	must.NoError(t, forged.Seal())
	if o := Open(encode(&forged)); len(o.Faults) != 1 || o.Faults[0].Part != "signature" {
		t.Errorf("a record whose signature was taken away: %v", o.Faults)
	}
	var e envelope
	must.NoError(t, json.Unmarshal(signed, &e))
	e.Payload = encoding.EncodeToString(encode(&forged))
	if o := Open(encode(e)); o.Signed || len(o.Faults) != 1 || o.Faults[0].Part != "signature" {
		t.Errorf("a record that was sealed anew under an old signature: %v", o.Faults)
	}
	other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, 32))
	own := must.Get(forged.Write(other))(t)
	if o := Open(own); !o.Signed || o.By(someKey().Public().(ed25519.PublicKey)) ||
		!o.By(other.Public().(ed25519.PublicKey)) {
		t.Error("who signs with a key of their own is not told from the signer")
	}
}

// TestKeyed: the digest of what is confidential depends on the key and on what it is.
func TestKeyed(t *testing.T) {
	a := Keyed([]byte("k"), "original", "00")
	for _, b := range []string{Keyed([]byte("l"), "original", "00"), Keyed([]byte("k"), "plan", "00"),
		Keyed([]byte("k"), "original", "01")} {
		if a == b {
			t.Error("two digests are the same")
		}
	}
}

// TestKeys reads keys as ssh-keygen writes them, and refuses others.
func TestKeys(t *testing.T) {
	key := someKey()
	block := must.Get(ssh.MarshalPrivateKey(key, "somebody"))(t)
	locked := must.Get(ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte("secret")))(t)
	if got, err := ParsePrivate(pem.EncodeToMemory(block), nil); err != nil || !got.Equal(key) {
		t.Error(err)
	}
	if got, err := ParsePrivate(pem.EncodeToMemory(locked), []byte("secret")); err != nil || !got.Equal(key) {
		t.Error(err)
	}
	if _, err := ParsePrivate(pem.EncodeToMemory(locked), nil); err != ErrPassphrase {
		t.Error(err)
	}
	public := line(key.Public().(ed25519.PublicKey))
	for _, c := range []struct {
		err  error
		says string
	}{
		{second(ParsePrivate(pem.EncodeToMemory(locked), []byte("other"))), "passphrase is wrong"},
		{second(ParsePrivate([]byte(public), nil)), "without .pub"},
		{second(ParsePrivate([]byte("x"), nil)), "not a private key"},
		{second(ParsePublic(pem.EncodeToMemory(block))), "with .pub"},
		{second(ParsePublic([]byte("x"))), "not an SSH public key"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%v, expected %s", c.err, c.says)
		}
	}
	if k, err := ParsePublic([]byte(public + " somebody@somewhere\n")); err != nil || !k.Equal(key.Public()) {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// FuzzOpen: no file makes it fail, and one without faults is written the same again.
func FuzzOpen(f *testing.F) {
	f.Add(written(f, nil))
	f.Add(written(f, someKey()))
	f.Add([]byte(`{"payload":"e30=","payloadType":"","signatures":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Open(data)
		if len(o.Faults) == 0 && !o.Signed && !bytes.Equal(encode(o.Record), data) {
			t.Error("it has another form")
		}
	})
}
