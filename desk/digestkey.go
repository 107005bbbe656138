package desk

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// digestKey is the secret key of a record's digests; the zero value is none. Whatever prints it prints that it is
// secret: in an unexported field fmt asks no Formatter and looks into slices, and of a function it knows the address
// only. A plan file, which is as confidential, is where it is written.
type digestKey struct{ bytes func() []byte }

func keyOf(key []byte) digestKey {
	if len(key) == 0 {
		return digestKey{}
	}
	return digestKey{func() []byte { return key }}
}

func (k digestKey) none() bool { return k.bytes == nil }

// Format hides the key, whatever the verb.
func (digestKey) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "key(secret)") }

// MarshalJSON writes the key for a plan file, in hexadecimal.
func (k digestKey) MarshalJSON() ([]byte, error) {
	if k.none() {
		return []byte(`""`), nil
	}
	return json.Marshal(hex.EncodeToString(k.bytes()))
}

// UnmarshalJSON reads it from one.
func (k *digestKey) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	key, err := hex.DecodeString(text)
	*k = keyOf(key)
	return err
}
