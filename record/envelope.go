package record

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// PayloadType says in the envelope what is signed.
const PayloadType = "application/vnd.dither.record.v3+json"

// envelope is a DSSE envelope.
type envelope struct {
	Payload     string      `json:"payload"` // base64
	PayloadType string      `json:"payloadType"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"` // the fingerprint of the key, as ssh-keygen -l prints it
	Sig   string `json:"sig"`   // base64
}

// encoding is strict, so that there is one way to write the bytes. It skips line ends all the same: see decode64.
var encoding = base64.StdEncoding.Strict()

// decode64 decodes base64 that has no line ends either.
func decode64(s string) ([]byte, error) {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		return nil, base64.CorruptInputError(i)
	}
	return encoding.DecodeString(s)
}

// pae is what is signed: the pre-authentication encoding of DSSE 1.0.2.
func pae(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}

// Write seals a record and returns its file. With a key the file is a signed envelope; it names the signer.
func (r *Record) Write(key ed25519.PrivateKey) ([]byte, error) {
	r.Signer = ""
	if key != nil {
		r.Signer = line(key.Public().(ed25519.PublicKey))
	}
	if err := r.Seal(); err != nil {
		return nil, err
	}
	payload := encode(r)
	if key == nil {
		return payload, nil
	}
	sig := ed25519.Sign(key, pae(PayloadType, payload))
	return encode(envelope{encoding.EncodeToString(payload), PayloadType,
		[]signature{{fingerprint(key.Public().(ed25519.PublicKey)), encoding.EncodeToString(sig)}}}), nil
}

// Opened is a record that was read.
type Opened struct {
	*Record
	Signed bool     // the signature is that of the key that the record names
	Faults []*Fault // of structure, chain and signature; none for one as it was written
}

// Open reads the file of a record and checks its form, its chain and its signature. Whose the key is that it was signed
// with, nobody says: compare Signer. A file whose form is not that of a record has no Record.
func Open(data []byte) *Opened {
	if !bytes.HasPrefix(data, []byte(`{"payload`)) {
		r, f := parse(data)
		if f != nil {
			return &Opened{Faults: []*Fault{f}}
		}
		o := &Opened{Record: r, Faults: r.Check()}
		if r.Signer != "" {
			o.Faults = append(o.Faults, &Fault{"signature", -1, "the record names a signer, but has no signature"})
		}
		return o
	}
	var e envelope
	if f := decode(data, &e); f != nil {
		f.Part = "envelope"
		return &Opened{Faults: []*Fault{f}}
	}
	payload, err := decode64(e.Payload)
	var bad base64.CorruptInputError
	if errors.As(err, &bad) {
		return &Opened{Faults: []*Fault{{"envelope", len(`{"payload":"`) + int(bad), "this is not valid base64"}}}
	}
	r, f := parse(payload)
	if f != nil {
		f.Part, f.Offset = f.Part+" of the payload", len(`{"payload":"`)+f.Offset/3*4
		return &Opened{Faults: []*Fault{f}}
	}
	o := &Opened{Record: r, Faults: r.Check()}
	if f := e.verify(r, payload); f != nil {
		o.Faults = append(o.Faults, f)
	}
	o.Signed = len(o.Faults) == 0
	return o
}

// verify checks the signature by the key that the record names.
func (e *envelope) verify(r *Record, payload []byte) *Fault {
	if kind := versions[r.Schema].payload; e.PayloadType != kind {
		return &Fault{"envelope", -1, "the type of the payload is not " + kind}
	}
	if len(e.Signatures) != 1 {
		return &Fault{"signature", -1, "expected one signature"}
	}
	key, err := ParsePublic([]byte(r.Signer))
	if err != nil {
		return &Fault{"header", -1, "the signer: " + err.Error()}
	}
	s := e.Signatures[0]
	sig, err := decode64(s.Sig)
	switch {
	case err != nil || !ed25519.Verify(key, pae(e.PayloadType, payload), sig):
		return &Fault{"signature", -1, "it is not that of the signer over this record"}
	case s.KeyID != fingerprint(key):
		return &Fault{"signature", -1, "the name of its key is not that of the signer's"}
	}
	return nil
}

// ErrPassphrase is the error for a private key that a passphrase protects, where none was given.
var ErrPassphrase = errors.New("the key is protected by a passphrase")

// ParsePrivate reads an SSH key to sign with, Ed25519 in the form that ssh-keygen writes. The passphrase is nil for a
// key without one.
func ParsePrivate(data, passphrase []byte) (ed25519.PrivateKey, error) {
	var key any
	var err error
	if passphrase == nil {
		key, err = ssh.ParseRawPrivateKey(data)
	} else {
		key, err = ssh.ParseRawPrivateKeyWithPassphrase(data, passphrase)
	}
	var protected *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &protected):
		return nil, ErrPassphrase
	case err != nil && bytes.HasPrefix(data, []byte("ssh-")):
		return nil, errors.New("this is the public key; to sign takes the private one, the file without .pub")
	case err != nil && passphrase != nil:
		return nil, errors.New("the passphrase is wrong, or this is not a private key as written by ssh-keygen")
	case err != nil:
		return nil, errors.New("this is not a private key as written by ssh-keygen")
	}
	if k, ok := key.(*ed25519.PrivateKey); ok {
		return *k, nil
	}
	return nil, errors.New("the key is not Ed25519 (ssh-keygen -t ed25519 makes one)")
}

// ParsePublic reads an SSH public key, a line as in the file .pub or in authorized_keys.
func ParsePublic(data []byte) (ed25519.PublicKey, error) {
	if bytes.Contains(data, []byte("PRIVATE KEY")) {
		return nil, errors.New("this is a private key; the public one, the file with .pub, is enough")
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return nil, errors.New("this is not an SSH public key")
	}
	if c, ok := key.(ssh.CryptoPublicKey); ok {
		if k, ok := c.CryptoPublicKey().(ed25519.PublicKey); ok {
			return k, nil
		}
	}
	return nil, errors.New("the key is not Ed25519")
}

// line is a public key as in authorized_keys.
func line(key ed25519.PublicKey) string {
	k, err := ssh.NewPublicKey(key)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k)))
}

// fingerprint is that of a key, as ssh-keygen -l prints it.
func fingerprint(key ed25519.PublicKey) string {
	k, err := ssh.NewPublicKey(key)
	if err != nil {
		return ""
	}
	h := sha256.Sum256(k.Marshal())
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(h[:])
}

// Fingerprint is that of the signer's key, as ssh-keygen -l prints it; empty for nobody.
func (r *Record) Fingerprint() string {
	key, err := ParsePublic([]byte(r.Signer))
	if err != nil {
		return ""
	}
	return fingerprint(key)
}

// By reports whether the record names this key as the signer's.
func (r *Record) By(key ed25519.PublicKey) bool { return r.Signer == line(key) }
