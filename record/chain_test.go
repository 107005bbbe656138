package record

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

func hashOf(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// TestChainIsWhatTheTextSays works out the chain from bytes written by hand: fields that are left out are absent,
// nothing is escaped but what JSON needs, and no line feed is hashed.
func TestChainIsWhatTheTextSays(t *testing.T) {
	r := &Record{Commitment: "0a", Go: "go1.26", Program: "1 <&>", Command: "protect", Steps: []Step{
		{
			Kind:   "protect",
			Facts:  map[string]string{"order": `a "<b>" & \c`},
			Counts: map[string]int{"records": 120, "columns": 7},
		}, {Kind: "write"}}}
	must.NoError(t, r.Seal())
	h0 := hashOf(
		`{"command":"protect","commitment":"0a","go":"go1.26","program":"1 <&>","schema":"dither/record/3","signer":""}`,
	)
	h1 := hashOf(h0 + `{"counts":{"columns":7,"records":120},"facts":{"order":"a \"<b>\" & \\c"},"kind":"protect"}`)
	h2 := hashOf(h1 + `{"kind":"write"}`)
	if r.Base != h0 || r.Steps[0].Hash != h1 || r.Steps[1].Hash != h2 || r.Head != h2 {
		t.Errorf("the chain is %s, %s, %s to %s, expected %s, %s, %s", r.Base, r.Steps[0].Hash, r.Steps[1].Hash, r.Head,
			h0, h1, h2)
	}
	if got, want := SumOf(Schema, map[string]any{"b": 1e21, "a": "<"}), hashOf(`{"a":"<","b":1e+21}`); got != want {
		t.Errorf("a value has the sum %s, expected %s", got, want)
	}
}

// TestFirstSchema: records that earlier versions wrote are checked by the rules of their time, and a changed one is
// refused.
func TestFirstSchema(t *testing.T) {
	for _, name := range []string{"schema1.json", "schema1.signed.json"} {
		data := must.Get(os.ReadFile("testdata/" + name))(t)
		o := Open(data)
		if len(o.Faults) > 0 || o.Schema != schema1 || o.Signed != strings.Contains(name, "signed") {
			t.Fatalf("%s: %v", name, o.Faults)
		}
		o.Record.Steps[1].Facts["order"] = "kept"
		if faults := o.Check(); len(faults) != 1 || faults[0].Part != "step 2" {
			t.Errorf("%s with another order: %v", name, faults)
		}
		o.Record.Steps[1].Facts["order"] = `a "<b>" & \c`
		if o.Record.Schema = Schema; len(o.Check()) == 0 {
			t.Errorf("%s is one of another schema", name)
		}
	}
	if got, want := SumOf(schema1, []string{"<"}), hashOf(`["\u003c"]`); got != want {
		t.Errorf("a value has the sum %s, expected %s", got, want)
	}
}

// TestSecondSchema: records of the schema before are checked by their own name, and their envelope has a type of its
// own.
func TestSecondSchema(t *testing.T) {
	for _, name := range []string{"schema2.json", "schema2.signed.json"} {
		data := must.Get(os.ReadFile("testdata/" + name))(t)
		o := Open(data)
		if len(o.Faults) > 0 || o.Schema != schema2 || o.Signed != strings.Contains(name, "signed") {
			t.Fatalf("%s: %v", name, o.Faults)
		}
		if o.Record.Schema = Schema; len(o.Check()) == 0 {
			t.Errorf("%s is one of another schema", name)
		}
	}
}

// TestThirdSchema: records of this schema that were written before people signed in them are checked as they are.
func TestThirdSchema(t *testing.T) {
	for _, name := range []string{"schema3.json", "schema3.signed.json"} {
		data := must.Get(os.ReadFile("testdata/" + name))(t)
		o := Open(data)
		if len(o.Faults) > 0 || o.Schema != Schema || o.Signed != strings.Contains(name, "signed") {
			t.Fatalf("%s: %v", name, o.Faults)
		}
	}
}

// TestNoSteps: a record without steps is refused although its chain is right.
func TestNoSteps(t *testing.T) {
	for _, schema := range []string{Schema, schema1} {
		for _, steps := range [][]Step{nil, {}} {
			r := &Record{Command: "protect", Schema: schema, Steps: steps}
			r.Base = r.base()
			r.Head = r.Base
			if faults := r.Check(); len(faults) != 1 || faults[0].Part != "head" {
				t.Errorf("%s, %v: %v", schema, steps, faults)
			}
			if o := Open(encode(r)); len(o.Faults) != 1 || o.Faults[0].Part != "head" {
				t.Errorf("the file of %s, %v: %v", schema, steps, o.Faults)
			}
		}
	}
}

// TestSteps: what becomes of the steps without the chain being worked out anew is refused, and the first place is
// named.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		what, part string
		change     func(*Record)
	}{
		{"changed", "step 2", func(r *Record) { r.Steps[1].Counts["records"]++ }},
		{"with a digest more", "step 1", func(r *Record) { r.Steps[0].In["plan"] = Plain("00") }},
		{"without the first", "step 1", func(r *Record) { r.Steps = r.Steps[1:] }},
		{"without the second", "step 2", func(r *Record) { r.Steps = slices.Delete(r.Steps, 1, 2) }},
		{"without the last", "head", func(r *Record) { r.Steps = r.Steps[:2] }},
		{"without any", "head", func(r *Record) { r.Steps = nil }},
		{"in another order", "step 1", func(r *Record) { slices.Reverse(r.Steps) }},
		{"with one twice", "step 3", func(r *Record) { r.Steps = append(r.Steps[:2:2], r.Steps[1], r.Steps[2]) }},
		{"of another head", "head", func(r *Record) { r.Head = r.Base }},
		{"of another command", "header", func(r *Record) { r.Command = "attack" }},
		{"of no schema", "header", func(r *Record) { r.Schema = "dither/record/0" }},
	} {
		r := someRecord()
		must.NoError(t, r.Seal())
		if faults := r.Check(); faults != nil {
			t.Fatal(faults)
		}
		r.Steps[0].In, r.Steps[1].Counts = maps.Clone(r.Steps[0].In), maps.Clone(r.Steps[1].Counts)
		c.change(r)
		if faults := r.Check(); len(faults) == 0 || faults[0].Part != c.part {
			t.Errorf("%s: %v, expected a fault of the %s", c.what, faults, c.part)
		}
	}
}

// TestForm: fields that nobody knows, fields that occur twice, and other ways to write the same are refused, in the
// record and in the envelope, although the chain is right.
func TestForm(t *testing.T) {
	for _, c := range []struct{ what, old, text string }{
		{"an unknown field", `{"base"`, `{"author":"x","base"`},
		{"an unknown field of a step", `"kind":"read"`, `"kind":"read","more":1`},
		{"a field twice, the same", `"command":"protect"`, `"command":"protect","command":"protect"`},
		{"a field twice, the last one right", `"command":"protect"`, `"command":"attack","command":"protect"`},
		{"a count twice", `"columns":7`, `"columns":8,"columns":7`},
		{"a name in capitals", `"command"`, `"Command"`},
		{"an empty object", `"kind":"read"`, `"kind":"read","out":{}`},
		{"a blank", `"command":`, `"command": `},
		{"an escape", `"protect"`, `"pr\u006ftect"`},
		{"another number", `"columns":7`, `"columns":7e0`},
		{"a text that is no ASCII", `"go1.26"`, `"go1.26é"`},
		{"a number that JSON's do not hold", `"columns":7`, `"columns":9007199254740993`},
		{"another order", `"columns":7,"records":120`, `"records":120,"columns":7`},
	} {
		data := written(t, nil)
		if n := bytes.Count(data, []byte(c.old)); n < 1 {
			t.Fatalf("%s is not in the record", c.old)
		}
		if o := Open(bytes.Replace(data, []byte(c.old), []byte(c.text), 1)); len(o.Faults) == 0 || o.Record != nil {
			t.Errorf("%s is accepted", c.what)
		}
	}
	for _, c := range []struct{ what, old, text string }{
		{"an unknown field", `{"payload"`, `{"payload":"","payload"`},
		{"a signature more", `"signatures":[`, `"signatures":[{"keyid":"","sig":""},`},
		{"a signature behind", `}]}`, `},{"keyid":"","sig":""}]}`},
		{"the type of the first schema", "record.v3", "record.v1"},
		{"another field", `"sig":`, `"more":1,"sig":`},
	} {
		data := bytes.Replace(written(t, someKey()), []byte(c.old), []byte(c.text), 1)
		if o := Open(data); len(o.Faults) == 0 || o.Signed {
			t.Errorf("an envelope with %s is accepted", c.what)
		}
	}
	r := someRecord()
	other := payloadType1
	r.Signer = line(someKey().Public().(ed25519.PublicKey))
	must.NoError(t, r.Seal())
	payload := encode(r)
	signed := encoding.EncodeToString(ed25519.Sign(someKey(), pae(other, payload)))
	e := envelope{encoding.EncodeToString(payload), other,
		[]signature{{fingerprint(someKey().Public().(ed25519.PublicKey)), signed}}}
	if o := Open(encode(e)); len(o.Faults) == 0 || o.Signed {
		t.Error("a record is accepted that was signed as one of another schema")
	}
	if r.Steps[1].Counts["records"] = 1 << 53; r.Seal() == nil {
		t.Error("a number was sealed that JSON's do not hold")
	}
}
