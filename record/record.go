// Package record is the audit record of a run: its steps, the version, and digests of all inputs and outputs, chained
// so that any changed byte is detected and located, and signed on request.
//
// A record is made to be shown. It holds no seed, no parameter, no limit, no name of a file or a column and no value.
// Who signs a release says a name and a reason for all who see the record (Text).
// Of what is confidential it holds keyed digests only (Keyed): anyone who guesses an original, a plan or a policy,
// which may have few bits that are not known, cannot test the guess without the key, which is kept with the plan and
// follows from the seed. Digests of what is public anyway are plain (Plain).
//
// # The file
//
// The file is the record as canonical JSON after RFC 8785, and a line feed. Texts are printable ASCII (0x20 to 0x7e)
// and numbers are whole, of size at most 2^53 - 1, so canonical means here: UTF-8, no blanks, the names of every object
// sorted, and in texts only the quotation mark and the backslash escaped, by a backslash each. Unknown fields, fields
// that occur twice and any other way to write the same are refused.
//
// # The chain
//
// Canonical JSON is meant without a line feed, hashes are SHA-256 in 64 lower-case hexadecimal digits, and "without"
// means that the field is absent:
//
//	h(0) = SHA-256(the canonical JSON of the record without "base", "head" and "steps")
//	h(i) = SHA-256(the digits of h(i-1), followed by the canonical JSON of step i without "hash"), for i = 1 to n
//
// "base" is h(0), "hash" of step i is h(i), and "head" is h(n), for at least one step. Who can change the file can work
// out the chain anew; only a signature is against those. It is Ed25519 in an envelope of the Dead Simple Signing
// Envelope (DSSE 1.0.2), which is canonical JSON and a line feed as well. Its payload is, in base64, the whole file of
// the record, line feed included.
//
// This is Schema, dither/record/3. Records of the schemas before are still checked, by the rules that they were written
// by. Those of dither/record/2 differ in what the digest of limits is of (limit.Document now). Those of dither/record/1
// hash other bytes: for h(0) the record with empty texts as "base" and "head" and null as "steps", and with a line
// feed; for h(i) the step with an empty text as "hash", and with the characters <, > and & of a text written as \u003c,
// \u003e and \u0026.
//
// Cost: O(bytes).
package record

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gowebpki/jcs"
)

// Schema names the format that is written.
const Schema = "dither/record/3"

// The second schema. Its form and its chain are those of Schema; its digest of limits was of what the program of that
// time held in memory.
const (
	schema2      = "dither/record/2"
	payloadType2 = "application/vnd.dither.record.v2+json"
)

// version is how the records of a schema are signed and chained.
type version struct {
	payload string               // what the envelope calls them
	base    func(*Record) []byte // h(0) is the hash of
	step    func(*Step) []byte   // h(i) is the hash of h(i-1) and
	value   func(any) []byte     // what SumOf is the hash of
}

// versions are those that can be checked, by schema.
var versions = map[string]version{
	Schema:  {PayloadType, base, step, value},
	schema2: {payloadType2, base, step, value},
	schema1: {payloadType1, base1, step1, value1},
}

func base(r *Record) []byte { return canonical(r, "base", "head", "steps") }
func step(s *Step) []byte   { return canonical(s, "hash") }
func value(v any) []byte    { return canonical(v) }

// Record is what a run leaves.
type Record struct {
	Base       string `json:"base"`       // h(0), in hexadecimal
	Command    string `json:"command"`    // what was asked for: protect, evaluate, attack
	Commitment string `json:"commitment"` // hash that fixes the seed, rng.Commitment
	Go         string `json:"go"`         // version of Go the program was built with
	Head       string `json:"head"`       // the last hash of the chain
	Program    string `json:"program"`    // its version
	Schema     string `json:"schema"`     // Schema
	// the public key of who signs, as in authorized_keys and without a comment; empty for nobody
	Signer string `json:"signer"`
	Steps  []Step `json:"steps"` // at least one
}

// Step is one step of a run.
type Step struct {
	Counts map[string]int    `json:"counts,omitempty"` // records, columns, measures, limits: what anybody may know
	Facts  map[string]string `json:"facts,omitempty"`  // technique, verdict: what anybody may know
	Hash   string            `json:"hash"`             // h(i), in hexadecimal
	In     map[string]string `json:"in,omitempty"`     // digests of what the step took, by what it is
	Kind   string            `json:"kind"`             // read, choose, protect, measure, judge, write, sign
	Out    map[string]string `json:"out,omitempty"`    // digests of what it made
}

// Plain is the digest of public bytes with this SHA-256 in hexadecimal.
func Plain(sum string) string { return "sha256:" + sum }

// Keyed is the digest of confidential bytes with this SHA-256 in hexadecimal: HMAC-SHA-256 by a secret key of what they
// are and the sum.
func Keyed(key []byte, what, sum string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(what + "\x00" + sum))
	return "hmac-sha256:" + hex.EncodeToString(h.Sum(nil))
}

// SumOf is the SHA-256, in hexadecimal, of a value that is no file, as records of a schema have it: of its canonical
// JSON in Schema. The schema is one that Open takes.
func SumOf(schema string, v any) string { return sum(versions[schema].value(v)) }

// Seal works out the chain. A record with a text that is not printable ASCII, or without steps, cannot be sealed.
func (r *Record) Seal() error {
	r.Schema = Schema
	if len(r.Steps) == 0 {
		return errors.New("a record needs a step")
	}
	if err := r.plain(); err != nil {
		return err
	}
	r.Base = r.base()
	r.Head = r.Base
	for k := range r.Steps {
		r.Steps[k].Hash = r.after(r.Head, k)
		r.Head = r.Steps[k].Hash
	}
	return nil
}

// base is h(0).
func (r *Record) base() string { return sum(versions[r.Schema].base(r)) }

// after is the hash of a step, from 0, after that of the one before.
func (r *Record) after(before string, k int) string {
	return sum([]byte(before), versions[r.Schema].step(&r.Steps[k]))
}

func sum(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// encode is the file of a record, or of an envelope.
func encode(v any) []byte { return append(canonical(v), '\n') }

// canonical is the canonical JSON of RFC 8785 of a struct, without the fields that are named.
func canonical(v any, without ...string) []byte {
	data, _ := json.Marshal(v) // texts, numbers and maps of them always encode
	if len(without) > 0 {
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(data, &fields) // it was just made
		for _, name := range without {
			delete(fields, name)
		}
		data, _ = json.Marshal(fields)
	}
	data, _ = jcs.Transform(data)
	return data
}

// plain refuses texts and numbers that have more than one form, and texts that could steer a terminal.
func (r *Record) plain() error {
	texts := []string{r.Commitment, r.Go, r.Program, r.Signer, r.Command}
	for _, s := range r.Steps {
		texts = append(texts, s.Kind)
		for _, m := range []map[string]string{s.Facts, s.In, s.Out} {
			for k, v := range m {
				texts = append(texts, k, v)
			}
		}
		texts = slices.AppendSeq(texts, maps.Keys(s.Counts))
	}
	for _, t := range texts {
		if strings.ContainsFunc(t, func(c rune) bool { return c < ' ' || c > '~' }) {
			return fmt.Errorf("%q is not printable ASCII", t)
		}
	}
	for _, s := range r.Steps {
		for what, n := range s.Counts {
			if n := int64(n); max(n, -n) > 1<<53-1 {
				return fmt.Errorf("the count of %s is beyond 2^53 - 1", what)
			}
		}
	}
	return nil
}

// Fault is what is wrong with a record, and where.
type Fault struct {
	Part   string // header, step 2 (protect), head, envelope, signature
	Offset int    // of the byte from which on the file is not as it was written, from 0; -1 where only the part is known
	Why    string
}

// Error is one line. It quotes nothing of the file.
func (f *Fault) Error() string {
	if f.Offset >= 0 {
		return fmt.Sprintf("%s, byte %d: %s", f.Part, f.Offset+1, f.Why)
	}
	return f.Part + ": " + f.Why
}

// parse reads the canonical form.
func parse(data []byte) (*Record, *Fault) {
	r := &Record{}
	if err := decode(data, r); err != nil {
		err.Part = r.partAt(data, err.Offset)
		return nil, err
	}
	if _, known := versions[r.Schema]; !known {
		return nil, &Fault{"header", -1, "the schema is none of " + schemas()}
	}
	if r.plain() != nil { // its error quotes the file
		return nil, &Fault{"record", -1, "a text is not printable ASCII, or a number is beyond 2^53 - 1"}
	}
	return r, nil
}

// decode reads JSON and finds the first byte that is not as it would be written.
func decode(data []byte, into any) *Fault {
	err := json.Unmarshal(data, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &Fault{"", min(max(0, int(syntax.Offset)-1), misplaced(data)), "this is not valid JSON"}
	case errors.As(err, &wrong):
		return &Fault{"", max(0, int(wrong.Offset)-1), "a value does not fit where it stands"}
	case err != nil:
		return &Fault{"", 0, "this is not a record"}
	}
	want := encode(into)
	for k := range want {
		if k >= len(data) || data[k] != want[k] {
			return &Fault{"", k, "this is not the canonical form"}
		}
	}
	if len(data) > len(want) {
		return &Fault{"", len(want), "something follows the record"}
	}
	return nil
}

// misplaced returns the place of the first bracket that opens what cannot stand there, as one that is doubled;
// len(data) for none. A record and an envelope are objects, with lists of objects one level down.
func misplaced(data []byte) int {
	depth, quoted := 0, false
	for k, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' && depth != 1, c == '{' && depth == 1:
			return k
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
		}
	}
	return len(data)
}

// partAt names the part of a file that a byte is in. The file may be damaged there, so that only what stands before it
// is looked at.
func (r *Record) partAt(data []byte, at int) string {
	before := data[:min(at+1, len(data))]
	steps := bytes.Index(before, []byte(`"steps":[`))
	if steps < 0 {
		return "header"
	}
	// A step begins where an object does that is one level deep.
	n, depth, quoted := 0, 0, false
	for k := steps + len(`"steps":[`); k < len(before); k++ {
		switch c := before[k]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			if depth == 0 {
				n++
			}
			depth++
		case c == '}':
			depth--
		}
	}
	return fmt.Sprintf("step %d", max(n, 1))
}

// Check verifies the chain of a record that was read, by the rules of its schema, and returns every fault, the first
// first.
func (r *Record) Check() (faults []*Fault) {
	fault := func(part, why string) { faults = append(faults, &Fault{part, -1, why}) }
	if _, known := versions[r.Schema]; !known {
		fault("header", "the schema is none of "+schemas())
		return faults
	}
	if r.base() != r.Base {
		fault("header", "it is not what the chain begins with")
	}
	before := r.Base
	for k := range r.Steps {
		if r.after(before, k) != r.Steps[k].Hash {
			fault(fmt.Sprintf("step %d", k+1), "it is not what the chain holds")
		}
		before = r.Steps[k].Hash
	}
	if r.Head != before {
		fault("head", "the chain does not end where the record says")
	}
	if len(r.Steps) == 0 {
		fault("head", "the record has no steps")
	}
	return faults
}

// schemas names those that can be checked.
func schemas() string { return strings.Join(slices.Sorted(maps.Keys(versions)), ", ") }
