// Package record holds what a run leaves for those who must be able to check it later: which steps were taken, by which version, with digests of what went
// in and came out, chained so that a change of any byte is found and located, and signed on request.
//
// A record is made to be shown. It holds no seed, no parameter, no limit, no name of a file or a column and no value. Of what is confidential it holds keyed digests
// only (Keyed): whoever guesses an original, a plan or a policy, which may have few bits that are not known, cannot test the guess without the key, which is kept
// with the plan and follows from the seed. Digests of what is public anyway are plain (Plain).
//
// The file is canonical JSON after RFC 8785, with a line feed at the end: fields sorted, no blanks, whole numbers and printable ASCII alone, so that there is one
// way to write it. The chain is h(0) = SHA-256 of the record without its steps and hashes, and h(i) = SHA-256 of h(i-1) and step i without its hash. Who can change the
// file can work out the chain anew; only a signature (Sign) is against those. It is Ed25519 in an envelope of the Dead Simple Signing Envelope (DSSE 1.0.2).
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
)

// Schema names the format.
const Schema = "dither/record/1"

// Record is what a run leaves. The fields are in the order of their names in JSON, which is the canonical one.
type Record struct {
	Base       string `json:"base"`       // h(0), in hexadecimal
	Command    string `json:"command"`    // what was asked for: protect, evaluate, attack
	Commitment string `json:"commitment"` // hash that fixes the seed, rng.Commitment
	Go         string `json:"go"`         // version of Go the program was built with
	Head       string `json:"head"`       // the last hash of the chain
	Program    string `json:"program"`    // its version
	Schema     string `json:"schema"`     // Schema
	Signer     string `json:"signer"`     // the public key of who signs, as in authorized_keys and without a comment; empty for nobody
	Steps      []Step `json:"steps"`      // at least one
}

// Step is one step of a run.
type Step struct {
	Counts map[string]int    `json:"counts,omitempty"` // records, columns, measures, limits: what anybody may know
	Facts  map[string]string `json:"facts,omitempty"`  // technique, verdict: what anybody may know
	Hash   string            `json:"hash"`             // h(i), in hexadecimal
	In     map[string]string `json:"in,omitempty"`     // digests of what the step took, by what it is
	Kind   string            `json:"kind"`             // read, choose, protect, measure, judge, write
	Out    map[string]string `json:"out,omitempty"`    // digests of what it made
}

// Plain is the digest of public bytes with this SHA-256 in hexadecimal.
func Plain(sum string) string { return "sha256:" + sum }

// Keyed is the digest of confidential bytes with this SHA-256 in hexadecimal: HMAC-SHA-256 by a secret key of what they are and the sum.
func Keyed(key []byte, what, sum string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(what + "\x00" + sum))
	return "hmac-sha256:" + hex.EncodeToString(h.Sum(nil))
}

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
		r.Steps[k].Hash = r.Steps[k].after(r.Head)
		r.Head = r.Steps[k].Hash
	}
	return nil
}

// base is h(0).
func (r *Record) base() string {
	own := *r
	own.Base, own.Head, own.Steps = "", "", nil
	return sum(own.encode())
}

// after is the hash of a step after another.
func (s *Step) after(before string) string {
	own := *s
	own.Hash = ""
	b, _ := json.Marshal(own) // maps of texts and numbers always encode
	return sum([]byte(before), b)
}

func sum(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// encode is the canonical form. Texts are printable ASCII, so that there is one way to write them.
func (r *Record) encode() []byte { return canonical(r) }

// canonical encodes a struct whose fields are declared in order.
func canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts, numbers and maps of them always encode
	return b.Bytes()
}

// plain refuses texts that have more than one form, or could steer a terminal.
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
	if err := decode(data, r, func() []byte { return r.encode() }); err != nil {
		err.Part = r.partAt(data, err.Offset)
		return nil, err
	}
	if r.Schema != Schema {
		return nil, &Fault{"header", -1, "the schema is not " + Schema}
	}
	return r, nil
}

// decode reads JSON and finds the first byte that is not as it would be written.
func decode(data []byte, into any, encode func() []byte) *Fault {
	err := json.Unmarshal(data, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &Fault{"", min(max(0, int(syntax.Offset)-1), misplaced(data)), "this is no JSON"}
	case errors.As(err, &wrong):
		return &Fault{"", max(0, int(wrong.Offset)-1), "a value does not fit where it stands"}
	case err != nil:
		return &Fault{"", 0, "this is no record"}
	}
	want := encode()
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

// misplaced returns the place of the first bracket that opens what cannot stand there, as one that is doubled; len(data) for none. A record and an envelope are
// objects, with lists of objects one level down.
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

// partAt names the part of a file that a byte is in. The file may be damaged there, so that only what stands before it is looked at.
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

// Check verifies the chain of a record that was read and returns every fault, the first first.
func (r *Record) Check() (faults []*Fault) {
	if r.base() != r.Base {
		faults = append(faults, &Fault{"header", -1, "it is not what the chain begins with"})
	}
	before := r.Base
	for k := range r.Steps {
		s := &r.Steps[k]
		if s.after(before) != s.Hash {
			faults = append(faults, &Fault{fmt.Sprintf("step %d", k+1), -1, "it is not what the chain holds"})
		}
		before = s.Hash
	}
	if r.Head != before || len(r.Steps) == 0 {
		faults = append(faults, &Fault{"head", -1, "the chain does not end where the record says"})
	}
	return faults
}
