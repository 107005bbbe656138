package rng

import (
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Seed is a secret of 256 bits. It does not print itself, whatever the verb and wherever it stands, and no encoder
// writes it; Reveal does, for the file that keeps it. The zero Seed is that of 32 zero bytes. Seeds are compared by
// Equal.
type Seed struct {
	// bytes returns them; nil is the zero seed. In an unexported field of another package's struct fmt asks no Formatter
	// and looks into arrays, and for some verbs behind pointers; of a function it knows the address only.
	bytes   func() [32]byte
	isShort bool // made by ShortSeed
}

// SeedOf returns the seed of 32 bytes.
func SeedOf(bytes [32]byte) Seed { return Seed{bytes: func() [32]byte { return bytes }} }

// Reveal returns the secret as the 64 hexadecimal digits that ParseSeed reads.
func (s Seed) Reveal() string {
	key := s.secret()
	return hex.EncodeToString(key[:])
}

// Equal reports whether two seeds are the same, in a time that tells nothing of them.
func (s Seed) Equal(other Seed) bool {
	a, b := s.secret(), other.secret()
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

func (s Seed) secret() (key [32]byte) {
	if s.bytes != nil {
		key = s.bytes()
	}
	return key
}

const (
	hiddenSeed   = "rng.Seed(secret)"
	hiddenSource = "rng.Source(secret)"
	hiddenStream = "rng.Stream(secret)"
)

var errSecret = errors.New("a seed is secret and is not written with other values; keep Reveal() in a separate " +
	"file, and write rng.Commitment of it here")

// Format hides the seed, whatever the verb.
func (Seed) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hiddenSeed) }

// String hides the seed.
func (Seed) String() string { return hiddenSeed }

// MarshalText refuses to write the seed, and so do the encoders of JSON, XML and YAML, and slog.
func (Seed) MarshalText() ([]byte, error) { return nil, errSecret }

// MarshalBinary refuses to write the seed, and so does gob.
func (Seed) MarshalBinary() ([]byte, error) { return nil, errSecret }

// Format hides the secret, whatever the verb.
func (Source) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hiddenSource) }

// String hides the secret.
func (Source) String() string { return hiddenSource }

// MarshalText refuses to write the secret.
func (Source) MarshalText() ([]byte, error) { return nil, errSecret }

// Format hides the stream and what comes next, whatever the verb.
func (*Words) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hiddenStream) }

// Format hides the stream and what comes next, whatever the verb.
func (*Turns) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hiddenStream) }
