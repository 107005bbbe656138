package message

import (
	"bytes"
	"encoding/json"
)

// Words is a sentence that JSON documents hold by its English words alone, as they did when it was text. Its key stands
// beside it where programs may ask for it.
type Words struct{ Sentence }

// Written is what MarshalJSON writes: a text.
func (w Words) Written() any { return w.String() }

// MarshalJSON writes the English words.
func (w Words) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(w.String())
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes. The sentence says the words that are there.
func (w *Words) UnmarshalJSON(data []byte) error {
	var s string
	err := json.Unmarshal(data, &s)
	w.Sentence = Text(s)
	return err
}
