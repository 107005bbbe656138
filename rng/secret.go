package rng

import (
	"errors"
	"fmt"
	"io"
)

// Seed is a 256-bit seed that does not print itself; it can be given wherever a [32]byte is expected. As it is an array, fmt still
// prints it where it asks no Formatter: in an unexported field, and for the verbs %p and %w, which go vet refuses. What need not be
// bytes is better kept as a Source.
type Seed [32]byte

// Format hides the seed, whatever the verb.
func (Seed) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "rng.Seed(secret)") }

// String hides the seed.
func (Seed) String() string { return "rng.Seed(secret)" }

// MarshalText refuses to write the seed, and so does JSON.
func (Seed) MarshalText() ([]byte, error) {
	return nil, errors.New("a seed is secret and is not written")
}

// Format hides the secret, whatever the verb.
func (Source) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "rng.Source(secret)") }

// String hides the secret.
func (Source) String() string { return "rng.Source(secret)" }

func (s Source) secret() (key [32]byte) {
	if s.key != nil {
		key = s.key()
	}
	return key
}
