package desk

import (
	"encoding/json"

	"github.com/dither-data/dither/internal/text/filled"
)

// Kept is a value that public documents withhold. There its key is absent; in all others it is present, and
// null where there is nothing. The tag of the field has omitzero.
type Kept[T any] struct {
	Value    T
	Withheld bool
}

// IsZero reports whether the value is withheld.
func (k Kept[T]) IsZero() bool { return k.Withheld }

// MarshalJSON writes the value alone.
func (k Kept[T]) MarshalJSON() ([]byte, error) {
	return encoded(k.Value, "") // json.Marshal would escape what HTML takes for marks
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *Kept[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &k.Value) }

// whole returns a copy of a document in which every list and map that is nil is empty, so that its key is
// present however its tag is written. What a public document withholds stays nil, and with omitzero in its
// tag absent: public documents are encoded without this.
func whole[T any](document T) T { return filled.Copy(document, true) }
